"""Live tables: each has one game, plays its agents in a thread of its own, and tells its watchers what is new.

A table's game is touched by one thread at a time, under the table's lock. Everybody else reads the latest view, which
is made whenever something has happened and never changes: an agent that thinks for seconds holds up nobody.
"""

from __future__ import annotations

import asyncio
import json
import logging
import threading
import time
from collections.abc import AsyncIterator, Callable, Iterator, Sequence
from contextlib import contextmanager
from datetime import date
from pathlib import Path
from typing import Any

from holdem_env.game.rules import Rules
from holdem_env.history import phh
from holdem_env.table.table import IllegalMove
from holdem_env.utils.atomic import append

from ...playing import HumanGame, move_of
from ...playing.moves import to_you
from ..answers import UNEXPECTED, ApiError
from .costs import Costs
from .views import starting_view, view_of

HEARTBEAT = 15.0  # seconds after which a silent stream says that it is there
SLOW = 1.5  # seconds after which a page shows why it waits
OTHER_WINDOW = "Another window has played here already; this is how the table stands now."
THINKS = "{} is thinking. If this is its first decision here, its code is compiled: that may take a minute or two."
STARTS = "The table is being set up. The first time, the code is compiled for this machine: that may take some minutes."
COMPILES = "This takes a moment: code is compiled for this machine, this once."
LEFT: dict[str, Any] = {"waiting": "over", "over": True, "legal": None, "busy": None}
"""Of the view, when the person has left."""

log = logging.getLogger(__name__)


class PlayTable:
    """One table at which the person of this server sits.

    rules: of the game. company: the end of its title, "heads-up, against nit". make: makes the game, and may take long;
    it runs in the table's own thread. pace: milliseconds before each move of an agent. keep: the folder where the
    person's hands are kept as they end, as it has seen them; None keeps none.
    cannot: the ids of agents that cannot play the game.
    """

    def __init__(
        self,
        tid: str,
        rules: Rules,
        company: str,
        make: Callable[[], HumanGame],
        pace: int,
        keep: Path | None = None,
        cannot: Sequence[str] = (),
    ) -> None:
        self.cannot, self.costs = cannot, Costs()
        self.tid, self.company, self.pace = tid, company, pace
        self._file = keep and keep / f"{date.today()}-{tid}.phhs"
        self._kept = 0
        self.begun = time.time()
        self.is_ready = threading.Event()
        self.error: Exception | None = None
        self.game: HumanGame | None = None
        self._make = make
        self._lock = threading.Lock()
        self._news = threading.Lock()  # guards the view, its text and the watchers
        self._watchers: set[Callable[[], None]] = set()
        self._is_driven = True
        self._has_left = self._is_closed = False
        self.view: dict[str, Any] = starting_view(tid, rules, company)
        self.text = json.dumps(self.view)
        threading.Thread(target=self._start, name=f"table {tid}", daemon=True).start()

    # What everybody may read

    @property
    def version(self) -> int:
        """Rises by one with everything that happens."""
        return int(self.view["version"])

    @property
    def title(self) -> str:
        """The game as it is now, and the company."""
        return str(self.view["title"])

    @property
    def is_over(self) -> bool:
        return bool(self.view["over"])

    async def events(self, heartbeat: float = HEARTBEAT) -> AsyncIterator[str]:
        """The view now and each later one, as the text of an event stream, until the table is closed. Views that come
        faster than they can be sent are left out."""
        loop, news = asyncio.get_running_loop(), asyncio.Event()

        def wake() -> None:
            loop.call_soon_threadsafe(news.set)

        with self._news:
            self._watchers.add(wake)
        try:
            sent = -1
            while not self._is_closed:
                news.clear()
                with self._news:
                    version, text = self.version, self.text
                if version != sent:
                    yield f"data: {text}\n\n"
                    sent = version
                    continue
                try:
                    await asyncio.wait_for(news.wait(), heartbeat)
                except TimeoutError:
                    yield ": still here\n\n"
        finally:
            with self._news:
                self._watchers.discard(wake)

    # What the person does. All of this may take long, so it is called in a worker thread.

    def act(self, what: str, version: object, body: dict[str, Any]) -> dict[str, Any]:
        """Do what the person wants; returns the new view.

        what: "move", "show", "muck", "next", "leave", "retry", "check_fold" or "void". version: of the view that the
        person saw. body: of "move", its move or word. Raises ApiError: 409 if something has happened since, 400 if it
        is not allowed.
        """
        if what == "leave":  # possible at any time, also while an agent thinks
            return self._leave()
        self._check_version(version)
        if self.view["waiting"] in ("agent", "over"):
            raise ApiError(400, self._why_not(what))
        with self._lock:
            self._check_version(version)
            game = self._running()
            waker = self._say_if_slow(COMPILES)
            try:
                self._do(game, what, body)
            except IllegalMove as error:
                raise ApiError(400, to_you(str(error), game.seat)) from None
            except ValueError as error:
                raise ApiError(400, str(error)) from None
            finally:
                waker.cancel()
            self._publish()
            answer = self.view
        self._drive()
        return answer

    def _do(self, game: HumanGame, what: str, body: dict[str, Any]) -> None:
        deeds = {
            "move": lambda: game.play(_move_in(body, game)),
            "show": game.show,
            "muck": game.muck,
            "next": game.next_hand,
            "retry": game.retry,
            "check_fold": game.let_check_or_fold,
            "void": game.void_hand,
        }
        deeds[what]()

    @contextmanager
    def locked_game(self) -> Iterator[HumanGame]:
        """The game, for reading in a worker thread while nobody plays. Raises ApiError (409) while there is none, or an
        agent thinks."""
        if not self._lock.acquire(timeout=SLOW):
            raise ApiError(409, "An agent is thinking; ask again when it has played.")
        try:
            if self.game is None:
                raise ApiError(409, "The table is still being set up.")
            yield self.game
        finally:
            self._lock.release()

    def close(self) -> None:
        """Take the table away, or end it with the server: streams end, and the agents are closed when none thinks."""
        self._is_closed = True
        self._notify()
        if self.game is not None and self._lock.acquire(blocking=False):
            try:
                self.game.leave()
            finally:
                self._lock.release()

    # The table's thread

    def _start(self) -> None:
        waker = self._say_if_slow(STARTS)
        try:
            game = self._make()
        except Exception as error:  # shown by the view, and to the request that waits for the table
            if not isinstance(error, ValueError | TypeError | OSError | ModuleNotFoundError):
                log.exception("table %s could not be set up", self.tid)
            waker.cancel()
            self.error = error
            failure = {"seat": None, "name": "The table", "text": str(error)}
            self._change(waiting="over", over=True, busy=None, failure=failure)
            self.is_ready.set()
            return
        waker.cancel()
        with self._lock:
            self.game = game
            self._publish()
        self.is_ready.set()
        self._play_agents()

    def _drive(self) -> None:
        with self._news:
            if self._is_driven or self.view["waiting"] != "agent":
                return
            self._is_driven = True
        threading.Thread(target=self._play_agents, name=f"table {self.tid}", daemon=True).start()

    def _play_agents(self) -> None:
        """Play the agents' moves, a moment apart, until something else is awaited."""
        try:
            self._play_moves()
        except BaseException:  # SystemExit of an agent, too, and our own mistakes: the page must not wait forever
            log.exception("table %s ended", self.tid)
            failure = {"seat": None, "name": "The table", "text": UNEXPECTED}
            self._change(waiting="over", over=True, legal=None, busy=None, failure=failure)

    def _play_moves(self) -> None:
        while True:
            if self.view["waiting"] == "agent" and not self._is_closed:
                time.sleep(self.pace / 1000)
            with self._lock:
                game = self.game
                assert game is not None
                if self._has_left or self._is_closed:
                    game.leave()
                if game.waiting == "agent":
                    self._step(game)
                    continue
                with self._news:
                    self._is_driven = False
                return

    def _step(self, game: HumanGame) -> None:
        seat = game.table.actor
        waker = self._say_if_slow(THINKS.format(game.names[seat] if seat is not None else "An agent"))
        try:
            game.step()
        finally:
            waker.cancel()
        self._publish()

    def _say_if_slow(self, words: str) -> threading.Timer:
        """Tell the watchers why they wait, if they must."""
        version = self.version

        waker = threading.Timer(SLOW, self._change, kwargs={"only": version, "busy": words})
        waker.daemon = True
        waker.start()
        return waker

    # Views

    def _publish(self) -> None:
        """Make the view of the game as it is, for everybody. Under the lock."""
        assert self.game is not None
        self._show(view_of(self.game, self.tid, self.company, self._has_left, self.cannot))
        if self._file is not None:
            self._keep(self._file, self.game)

    def _keep(self, file: Path, game: HumanGame) -> None:
        """Write the hands that have ended since to the person's file. Games that PHH cannot express are left out."""
        for hand in game.finished[self._kept :]:
            try:
                text = phh.dumps(hand.table, hand=hand.number, players=game.names, seat=game.seat)
                file.parent.mkdir(parents=True, exist_ok=True)
                append(file, phh.in_phhs(text, self._kept + 1))
            except ValueError as error:
                log.info("table %s: hand %s is not kept: %s", self.tid, hand.number, error)
            except OSError as error:  # it is tried again after the next hand
                log.warning("Table %s: hand %s cannot be kept yet: %s", self.tid, hand.number, error)
                return
            self._kept += 1

    def _show(self, view: dict[str, Any]) -> None:
        with self._news:
            self._set(view)
        self._notify()

    def _change(self, only: int | None = None, **changes: Any) -> None:
        """Change the latest view, whatever that is by now. only: not unless it is this version."""
        with self._news:
            if only not in (None, self.version):
                return
            self._set({**self.view, **changes})
        self._notify()

    def _set(self, view: dict[str, Any]) -> None:
        """Under `_news`. A view that was made before the person left is one of a game that is over."""
        self.view = {**view, **(LEFT if self._has_left else {}), "version": self.version + 1}
        self.text = json.dumps(self.view, allow_nan=False)

    def _notify(self) -> None:
        with self._news:
            watchers = list(self._watchers)
        for wake in watchers:
            try:
                wake()
            except RuntimeError:  # its event loop is closed: nobody is there any more
                with self._news:
                    self._watchers.discard(wake)

    # Checks

    def _check_version(self, given: object) -> None:
        view = self.view
        if isinstance(given, bool) or not isinstance(given, int):
            raise ApiError(400, "Say which version of the table you have seen, a number.")
        if given != view["version"]:
            raise ApiError(409, OTHER_WINDOW, view=view)

    def _running(self) -> HumanGame:
        if self.game is None or self._has_left:
            raise ApiError(400, self._why_not(""))
        return self.game

    def _why_not(self, what: str) -> str:
        if self.is_over:
            return "The game is over."
        if self.game is None:
            return "The table is still being set up."
        return "It is not your turn: an agent is to act."

    def _leave(self) -> dict[str, Any]:
        """End the game, at once if no agent thinks, else when it has played."""
        self._has_left = True
        if self._lock.acquire(timeout=0.2):
            try:
                if self.game is not None:
                    self.game.leave()
                    self._publish()
                    return self.view
            finally:
                self._lock.release()
        self._change(**LEFT)
        return self.view


def _move_in(body: dict[str, Any], game: HumanGame) -> int:
    """The engine move that a request names. Raises ApiError (400) or ValueError for none."""
    move, word = body.get("move"), body.get("word")
    if (move is None) == (word is None):
        raise ApiError(400, 'Give either a move, such as -1 to fold, or a word, such as "75%".')
    if word is not None:
        if not isinstance(word, str) or len(word) > 40:
            raise ApiError(400, 'A word is a short text, such as "75%".')
        return move_of(game.view, word, game.seat)
    if isinstance(move, bool) or not isinstance(move, int) or abs(move) >= 2**62:
        raise ApiError(400, "A move is a whole number: -1 folds, 0 checks or calls, more is the total to raise to.")
    return move
