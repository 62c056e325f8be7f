"""What a format of hand histories is. `formats` lists them all."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

from ..game.rules import Rules
from ..table.table import Table
from .errors import OnError
from .files import Piece
from .hand_record import HandRecord
from .reading import Parse, Split, hands_of
from .summary import HandSummary
from .writing import HandOptions


@dataclass(frozen=True)
class Format:
    """A format of hand histories.

    Attributes:
        name: The value of `holdem convert --to`.
        title: The name in texts.
        suffixes: Of its files, without compression. A new file gets the first.
        signature: How to recognise its files, as part of a sentence.
        matches: Returns whether a file has this format.
        unsupported: What it cannot express, in words.
        split: Splits a file into hands.
        parser: Returns the parser of a hand, given the file's path and that of a game definition or None.
        quick_summary: Summarises a hand without replaying it; returns None where that needs a replay.
        text: Writes a hand, or raises HistoryError if the format cannot express it; None if the format is read only.
        check_game: Raises HistoryError for a game it cannot express.
        framed: Returns a hand's text as it stands in a file, under a key.
        key_of: Returns the key in a line that frames a hand.
        is_single_hand: True if a file holds one hand.
    """

    name: str
    title: str
    suffixes: tuple[str, ...]
    signature: str
    matches: Callable[[Path], bool]
    unsupported: str
    split: Split
    parser: Callable[[Path, Path | None], Parse]
    quick_summary: Callable[[Piece], HandSummary | None] = lambda piece: None
    text: Callable[[Table, HandOptions], str] | None = None
    check_game: Callable[[Rules], object] = lambda rules: None
    framed: Callable[[str, object], str] = lambda text, key: text
    key_of: Callable[[str], str | None] = lambda line: None
    is_single_hand: bool = False

    def __post_init__(self) -> None:
        if wrong := [suffix for suffix in self.suffixes if not suffix.startswith(".")] or not self.suffixes:
            raise ValueError(f"suffixes: must each begin with a dot, such as '.jsonl', got {wrong or self.suffixes}")

    def read(self, path: Path, game: Path | None, on_error: OnError) -> Iterator[HandRecord]:
        """Read the hands of a file, one by one.

        Args:
            path: The file.
            game: The path of the game definition, for formats that have one.
            on_error: What to do with a malformed hand.
        """
        return hands_of(path, self.split, self.parser(path, game), on_error)
