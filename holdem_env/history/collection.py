"""Many hands as one list that can be searched: HandCollection, of files and folders, and PlayedHands, of tables."""

from __future__ import annotations

from abc import ABC, abstractmethod
from array import array
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from decimal import Decimal
from os import PathLike, fspath
from pathlib import Path
from typing import NamedTuple, SupportsIndex

from ..table.table import Table
from ..utils.counting import counted
from .errors import MANY, HistoryError, none_readable
from .files import DAMAGED, StrPath
from .format import Format
from .formats import format_of, histories_of, unreadable
from .hand_index import HandIndex
from .hand_record import HandRecord
from .money import money_text
from .reading import Parse, Placed, damaged_archive, piece_at, placed_pieces
from .summary import HandSummary, seat_names, summary_of, summary_of_table

MAX_PROBLEMS = 1000
"""So many problems are kept; others are only counted."""


class ReplayedHand(NamedTuple):
    """A hand that was played again."""

    table: Table
    players: tuple[str, ...]
    """Names by seat."""
    known: frozenset[int] | None
    """The cards that the history tells, or None if it tells all. All others were filled in."""
    unit: Decimal
    """What a chip is worth in the file's money."""
    hand: int | str
    """The name of the hand."""
    sign: str = ""
    """The sign of the file's currency, such as "$"; "" for chips and play money."""

    def money(self, chips: int) -> str:
        """Chips in the file's money, with its sign."""
        return money_text(chips, self.unit, self.sign)


class Hands(ABC):
    """Hands in a list: their summaries, a search, and each of them replayed when it is asked for."""

    problems: list[HistoryError]
    """What could not be read, at most 1,000 problems."""
    problem_count: int
    """How many problems there are in all."""

    def __init__(self) -> None:
        self._index = HandIndex()
        self.problems, self.problem_count = [], 0

    def __len__(self) -> int:
        return len(self._index)

    @property
    def players(self) -> list[str]:
        """The names of all players, in the order in which they appear."""
        return self._index.players

    def summary(self, number: SupportsIndex) -> HandSummary:
        """What the list says of hand `number`, counted from 0. Raises IndexError if there is none."""
        return self._index[self._checked(number)]

    def search(
        self,
        street: int | str | None = None,
        min_pot: float | str | None = None,
        agent: str | None = None,
        showdown: bool | None = None,
    ) -> list[int]:
        """The numbers of the hands for which all that is given is true, in order.

        street: the hand came at least to this street: "preflop", "flop", "turn", "river", or 0 to 3.
        min_pot: the pot is at least so large, in the file's money, or in big blinds as "50bb".
        agent: a player of this name sat there; capitals make no difference. If nobody is called so, a name that this
            is a part of.
        showdown: whether two or more players were left at the end.

        Raises ValueError for an unknown street and an invalid amount.
        """
        return self._index.search(street, min_pot, agent, showdown)

    @abstractmethod
    def replay(self, number: SupportsIndex) -> ReplayedHand:
        """Hand `number`, played again. Raises IndexError if there is none, HistoryError if it cannot be replayed."""

    def _checked(self, number: SupportsIndex) -> int:
        place = number.__index__()
        if not 0 <= place < len(self):
            raise IndexError(f"hand {place}: the list has {counted(len(self), 'hand')}, from 0 on")
        return place

    def _note(self, problem: HistoryError) -> None:
        self.problem_count += 1
        if len(self.problems) < MAX_PROBLEMS:
            self.problems.append(problem)


class HandCollection(Hands):
    """The hands of files and folders, in any format that the library reads.

    Making it reads every hand quickly. PHH records whose arrays stand on one line each are added up without the engine,
    10,000 hands in less than a second. PokerStars' text is parsed; all others are replayed, some 3,000 a second. The
    summaries are exact each way, for hands that the rules allow. A hand is parsed and checked on request. A hand takes
    some 150 bytes of memory, without its text.

    A damaged hand is left out, and so is an unreadable file: `problems` says what is wrong.

    >>> from holdem_env.history import HandCollection
    >>> hands = HandCollection("tests/data/pluribus.phhs")
    >>> len(hands), hands.search(street="river", min_pot="50bb", agent="pluribus")[:3]
    (60, [1, 8, 9])

    Args:
        paths: A file, a folder or a pattern such as `hands/2026-*.txt`, or several. In folders and their subfolders,
            histories are found by suffix.
        game: The game definition of ACPC logs. By default the file that each log names.

    Raises:
        FileNotFoundError: If a path does not exist, or a pattern fits no file.
        ValueError: If a file is not a history.
    """

    def __init__(self, paths: StrPath | Iterable[StrPath], game: StrPath | None = None) -> None:
        super().__init__()
        self._game = None if game is None else Path(game)
        self.files: tuple[Path, ...] = tuple(histories_of([paths] if isinstance(paths, str | PathLike) else paths))
        self._formats: list[Format | None] = []
        self._file, self._offset, self._line = array("i"), array("q"), array("q")
        for file in self.files:
            self._read(file)

    def _read(self, file: Path) -> None:
        number, hands, problems = len(self._formats), len(self), self.problem_count
        self._formats.append(None)
        try:
            form = self._formats[number] = format_of(file)
            parse = form.parser(file, self._game)
            for placed in placed_pieces(file, form.split):
                self._add(number, form, parse, placed)
        except DAMAGED as damage:
            self._note(damaged_archive(file, damage))
        except (OSError, ValueError) as problem:
            self._note(unreadable(file, problem))
        failed = self.problem_count - problems
        if len(self) == hands and failed > MANY and problems < len(self.problems):
            first = self.problems[problems]
            del self.problems[problems:]
            self.problem_count = problems
            self._note(none_readable(fspath(file), failed, first))

    def _add(self, number: int, form: Format, parse: Parse, placed: Placed) -> None:
        piece, offset = placed
        try:
            summary = form.quick_summary(piece)
            if summary is None:
                hand = parse(piece)
                if hand is None:
                    return
                summary = summary_of(hand)
            elif summary.showdown:  # what is stated of it is compared when it is asked for
                summary = summary._replace(payoffs=None)
        except HistoryError as problem:
            self._note(problem)
            return
        self._index.add(summary)
        self._file.append(number)
        self._offset.append(offset)
        self._line.append(piece.line)

    def summary(self, number: SupportsIndex) -> HandSummary:
        """See `Hands.summary`. A showdown is replayed for its result; of a hand that cannot be replayed, it is None."""
        found = super().summary(number)
        if found.payoffs is None:
            with suppress(HistoryError):
                return summary_of(self[number])
        return found

    def file_of(self, number: SupportsIndex) -> Path:
        """Return the file of hand `number`.

        Raises:
            IndexError: If the hand does not exist.
        """
        return self.files[self._file[self._checked(number)]]

    def __getitem__(self, number: SupportsIndex) -> HandRecord:
        """Hand `number` as its file states it. Raises IndexError if there is none; HistoryError if it is malformed, or
        if the file has changed and has no hand there any more."""
        place = self._checked(number)
        file, form = self.files[self._file[place]], self._formats[self._file[place]]
        line, name = self._line[place], self._index[place].hand
        if form is None:  # pragma: no cover - only files with a format have hands
            raise HistoryError(fspath(file), name, "the file has no format", line)
        try:
            piece = piece_at(file, form.split, self._offset[place], line)
            hand = None if piece is None else form.parser(file, self._game)(piece)
        except DAMAGED as damage:
            raise damaged_archive(file, damage) from damage
        except OSError as problem:
            raise unreadable(file, problem) from problem
        if hand is None:
            raise HistoryError(fspath(file), name, "the file has changed since it was opened; open it again", line)
        return hand

    def __iter__(self) -> Iterator[HandRecord]:
        """The hands, one by one; raises HistoryError at one that is malformed."""
        return (self[number] for number in range(len(self)))

    def replay(self, number: SupportsIndex) -> ReplayedHand:
        hand = self[number]
        table = hand.replay()
        names = seat_names(hand.players, hand.rules.seats)
        return ReplayedHand(table, names, hand.known_cards, hand.unit, hand.hand, hand.sign)


class PlayedHands(Hands):
    """Tables, finished or not, as a list of hands: of a match, a tournament, a person's game.

    Args:
        tables: The hands.
        players: Names of the players by seat, for each hand.
        hands: What each hand is called; by default 1, 2, 3 ...
    """

    def __init__(
        self,
        tables: Iterable[Table],
        players: Iterable[Sequence[str]] | None = None,
        hands: Iterable[int | str] | None = None,
    ) -> None:
        super().__init__()
        self._tables = list(tables)
        named = [()] * len(self._tables) if players is None else list(players)
        called = list(range(1, len(self._tables) + 1) if hands is None else hands)
        for table, names, hand in zip(self._tables, named, called, strict=True):
            self._index.add(summary_of_table(table, hand, names))

    def replay(self, number: SupportsIndex) -> ReplayedHand:
        """See `Hands.replay`; the table is a copy."""
        place = self._checked(number)
        found, table = self._index[place], self._tables[place].copy()
        return ReplayedHand(table, found.players, None, Decimal(1), found.hand)

    @property
    def tables(self) -> tuple[Table, ...]:
        return tuple(self._tables)
