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

    name: what `holdem convert --to` calls it. title: what people call it. suffixes: of its files, without compression;
    by the first of them a new file has this format. about: how one knows its files, as a part of a sentence. is_one:
    whether a file has this format. cannot: what it cannot say, in words.
    split: splits a file into hands. parser: what parses a hand, of the file's path and that of a game definition or
    None. quick_summary: the summary of a hand without replaying it, or None where it needs that.
    text: a hand as text; None for a format that is only read. It raises HistoryError for what the format cannot say.
    check_game: raises HistoryError for a game that it cannot say.
    framed: the text of a hand as it stands in a file, under a key. key_of: the key in a line that frames a hand.
    holds_one: whether a file has one hand only.
    """

    name: str
    title: str
    suffixes: tuple[str, ...]
    about: str
    is_one: Callable[[Path], bool]
    cannot: str
    split: Split
    parser: Callable[[Path, Path | None], Parse]
    quick_summary: Callable[[Piece], HandSummary | None] = lambda piece: None
    text: Callable[[Table, HandOptions], str] | None = None
    check_game: Callable[[Rules], object] = lambda rules: None
    framed: Callable[[str, object], str] = lambda text, key: text
    key_of: Callable[[str], str | None] = lambda line: None
    holds_one: bool = False

    def __post_init__(self) -> None:
        if wrong := [suffix for suffix in self.suffixes if not suffix.startswith(".")] or not self.suffixes:
            raise ValueError(f"suffixes: must each begin with a dot, such as '.jsonl', got {wrong or self.suffixes}")

    def read(self, path: Path, game: Path | None, on_error: OnError) -> Iterator[HandRecord]:
        """The hands of a file, one by one. game: the path of the game definition, for formats that have one."""
        return hands_of(path, self.split, self.parser(path, game), on_error)
