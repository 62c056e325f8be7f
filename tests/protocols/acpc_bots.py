"""Programs that speak the ACPC's protocol, for tests: threads that answer by a function, and the example in C."""

from __future__ import annotations

import shutil
import socket
import subprocess
import threading
from collections.abc import Callable, Sequence
from pathlib import Path

import pytest

from holdem_env.agents import TableAgent
from holdem_env.agents.table_agent import Decision
from holdem_env.table.seat_view import SeatView

SOURCE = Path(__file__).resolve().parents[2] / "examples" / "acpc" / "bot.c"
SECONDS = 20.0
SMALL = 6  # an eight
ACE = 12

Answer = Callable[[str], str | None]


def call(state: str) -> str:
    """Answer every state, even if others are to act."""
    return f"{state}:c"


def leaving_in(hand: int) -> Answer:
    """Hangs up in this hand, and calls before it."""

    def answer(state: str) -> str:
        if state.split(":")[2] == str(hand):
            raise EOFError
        return call(state)

    return answer


class Bot(threading.Thread):
    """A program that connects, and answers by a function.

    lines: the states that it got. answer: from a state to the line to send, or None; an error that it raises hangs up.
    """

    def __init__(
        self, port: int, answer: Answer = call, version: str = "VERSION:2.0.0", host: str = "127.0.0.1"
    ) -> None:
        super().__init__(daemon=True)
        self.lines: list[str] = []
        self._answer, self._version = answer, version
        self._socket = socket.create_connection((host, port), SECONDS)
        self._socket.settimeout(None)  # the dealer may compile first
        self.start()

    def run(self) -> None:
        try:
            self._send(self._version)
            with self._socket.makefile(encoding="ascii", newline="\r\n") as states:
                for line in states:
                    self.lines.append(line.removesuffix("\r\n"))
                    if answer := self._answer(self.lines[-1]):
                        self._send(answer)
        except (OSError, EOFError):
            pass
        finally:
            self._socket.close()

    def _send(self, line: str) -> None:
        self._socket.sendall(f"{line}\r\n".encode())


def joined(bots: Sequence[Bot]) -> None:
    """Wait until they have hung up."""
    for bot in bots:
        bot.join(SECONDS)
        assert not bot.is_alive()


class Careful(TableAgent):
    """Plays as examples/acpc/bot.c."""

    name = "careful"

    def decide(self, view: SeatView) -> Decision:
        one, two = (card // 4 for card in view.hole_cards())
        has_raised = any(move.street == view.street and move.move > 0 for move in view.moves)
        if (one == two or ACE in (one, two)) and not has_raised and view.legal.raise_min is not None:
            return ("raise", view.legal.raise_min)
        if one < SMALL and two < SMALL and has_raised and view.legal.call:
            return "fold"
        return "call"


@pytest.fixture(scope="session")
def compiled_bot(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The example bot, compiled."""
    compiler = shutil.which("cc") or shutil.which("gcc")
    if compiler is None:
        pytest.skip("there is no C compiler")
    bot = tmp_path_factory.mktemp("acpc") / "bot"
    warnings = ["-Wall", "-Wextra", "-Werror"]
    subprocess.run([compiler, "-O1", *warnings, "-o", str(bot), str(SOURCE)], check=True)
    return bot
