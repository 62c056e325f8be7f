"""SlumbotClient: the two requests of Slumbot's API, over HTTP."""

from __future__ import annotations

from typing import Any

from ...utils.extras import explain_missing_extra
from ..http_json import JsonServer
from .hands import SlumbotError, State

SLUMBOT_URL = "https://slumbot.com/api"


class SlumbotClient:
    """A session at a server that speaks Slumbot's protocol.

    url: the server, to which "/new_hand" and "/act" are joined. timeout: seconds for an answer. retries: how often a
    request is sent again. An action is sent again only if the server surely has not taken it.

    It needs the package httpx: the extra `online`. Raises ValueError for a wrong address.
    """

    def __init__(self, url: str = SLUMBOT_URL, timeout: float = 30.0, retries: int = 4, backoff: float = 1.0) -> None:
        with explain_missing_extra("playing against Slumbot"):
            import httpx  # noqa: F401
        self.token: str | None = None
        self._server = JsonServer(url, timeout, retries, backoff)

    def new_hand(self) -> State:
        """Begin a hand. A server that does not know the session any more is asked for a new one.

        Raises SlumbotError, and HttpError (an OSError) for a server that does not answer.
        """
        answer = self._server.post("new_hand", {"token": self.token} if self.token else {})
        if answer.get("error_msg") and self.token:
            answer = self._server.post("new_hand", {})
        return self._kept(answer)

    def act(self, action: str) -> State:
        """Make a move: "k", "c", "f" or "b200". Raises as `new_hand`."""
        answer = self._server.post("act", {"token": self.token, "incr": action}, is_repeatable=False)
        try:
            return self._kept(answer)
        except SlumbotError as error:
            raise SlumbotError(f"after the action {action!r}: {error}") from None

    def close(self) -> None:
        self._server.close()

    def _kept(self, answer: dict[str, Any]) -> State:
        """The state in an answer, whose token is kept."""
        state = State.of(answer, self.token)
        self.token = state.token
        return state
