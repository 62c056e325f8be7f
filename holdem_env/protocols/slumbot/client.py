"""SlumbotClient: the two requests of Slumbot's API, over HTTP."""

from __future__ import annotations

from typing import Any

from ...utils.extras import explain_missing_extra
from ..http_json import JsonServer
from .hands import SlumbotError, State

SLUMBOT_URL = "https://slumbot.com/api"


class SlumbotClient:
    """A session at a server that speaks Slumbot's protocol.

    It needs the package httpx: the extra `online`.

    Args:
        url: The server, to which "/new_hand" and "/act" are joined.
        timeout: Seconds for an answer.
        retries: How often a request is sent again. An action is sent again only if the server surely has not taken it.
        backoff: Seconds before the second retry, doubled with each further one.

    Raises:
        ValueError: If the address is wrong.
    """

    def __init__(self, url: str = SLUMBOT_URL, timeout: float = 30.0, retries: int = 4, backoff: float = 1.0) -> None:
        with explain_missing_extra("playing against Slumbot"):
            import httpx  # noqa: F401
        self.token: str | None = None
        self._server = JsonServer(url, timeout, retries, backoff)

    def new_hand(self) -> State:
        """Begin a hand, in a new session if the server does not know the present one any more.

        Raises:
            SlumbotError: If the server refuses.
            HttpError: If the server does not answer. It is an OSError.
        """
        answer = self._server.post("new_hand", {"token": self.token} if self.token else {})
        if answer.get("error_msg") and self.token:
            answer = self._server.post("new_hand", {})
        return self._kept(answer)

    def act(self, action: str) -> State:
        """Make a move: "k", "c", "f" or "b200".

        Raises:
            SlumbotError: If the server refuses.
            HttpError: If the server does not answer. It is an OSError.
        """
        answer = self._server.post("act", {"token": self.token, "incr": action}, is_repeatable=False)
        try:
            return self._kept(answer)
        except SlumbotError as error:
            raise SlumbotError(f"after the action {action!r}: {error}") from None

    def close(self) -> None:
        self._server.close()

    def _kept(self, answer: dict[str, Any]) -> State:
        state = State.of(answer, self.token)
        self.token = state.token
        return state
