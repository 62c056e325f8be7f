"""The log of a match as the ACPC's dealer writes it, and the file of its game beside it."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TextIO

from ...history.acpc import dumps
from ...history.acpc_game import SUFFIX, read_game
from ...table.table import Table
from ...utils.atomic import write_atomically
from ...utils.shown_names import shown_name, why_not_a_name
from .games import Definition
from .remote import Limits

FORBIDDEN = "|:\r\n"  # characters that no name of a player may have, because logs separate names by them


def check_names(names: Sequence[str]) -> None:
    """Raise ValueError for a name that a log cannot have."""
    for name in names:
        if not name or any(character in FORBIDDEN for character in name):
            raise ValueError(f"the player's name {name!r}: a log separates names by '|' and ':', so give another name")
        if wrong := why_not_a_name(name):
            raise ValueError(wrong)


def score_line(totals: Sequence[int], names: Sequence[str]) -> str:
    """The last line: what each player has won in all."""
    return f"SCORE:{'|'.join(map(str, totals))}:{'|'.join(names)}"


class MatchLog:
    """A log. Every line is written as soon as it is known, so that a log which ends early is a log, too."""

    def __init__(self, file: TextIO) -> None:
        self._file = file

    def begin(self, name: str, game: str, hands: int, seed: int | str, limits: Limits) -> None:
        """The comments at the head. game: the name of the definition file."""
        self._line(f"# name/game/hands/seed {name} {game} {hands} {seed}")
        milliseconds = {"response": limits.response, "hand": limits.hand, "per_hand": limits.match / hands}
        for which, seconds in milliseconds.items():
            if seconds != float("inf"):
                self._line(f"#--t_{which} {round(1000 * seconds)}")

    def hand(self, table: Table, number: int, names: Sequence[str]) -> None:
        """A finished hand. names: by seat."""
        self._line(dumps(table, number, names, first_seat=0))

    def score(self, totals: Sequence[int], names: Sequence[str]) -> None:
        """The end of a match that was played to its end."""
        self._line(score_line(totals, names))

    def ended_early(self, why: str) -> None:
        """A comment that says why there is no score."""
        self._line(f"# ended early: {shown_name(why, longest=None)}")

    def _line(self, text: str) -> None:
        self._file.write(f"{text}\n")
        self._file.flush()


def write_game(log: Path, definition: Definition) -> str:
    """Make sure that the definition of a log's game lies beside it, where readers of the log look.

    Returns the name of that file: the definition's own, or the log's where a file of that name has another game. Raises
    FileExistsError if that one has another game, too.
    """
    own = log.with_suffix(SUFFIX).name
    for name in (definition.file, own):
        path = log.parent / name
        if " " in name:
            continue
        if not path.exists():
            write_atomically(path, definition.text)
        if read_game(path) == definition.game:
            return name
    raise FileExistsError(f"{log.parent / own} exists already and has another game; name another log")
