"""The formats of hand histories, and which of them a file has: the one place that knows."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from glob import glob, has_magic
from os import fspath
from pathlib import Path

from . import acpc, phh, phh_quick_summary, pokerstars, pokerstars_quick_summary
from .errors import HistoryError, OnError
from .files import Piece, StrPath, kind_of
from .hand_record import HandRecord
from .pokerstars_text import raw_hands
from .reading import Parse, Split
from .summary import HandSummary

PHH_SUFFIXES = (".phh", ".phhs")


@dataclass(frozen=True)
class Format:
    """A format of hand histories that can be read.

    name: what it is called. about: how one knows its files, as a part of a sentence. suffixes: of its files, without
    compression, by which they are found in a folder. is_one: whether a file has this format.
    read: the hands of a file: of its path, the path of a game definition or None, and `on_error`.
    splitter: what splits the file of a path into hands. parser: what parses a hand, of the file's path and the game.
    quick_summary: the summary of a hand without replaying it, or None where it needs that.
    """

    name: str
    about: str
    suffixes: tuple[str, ...]
    is_one: Callable[[Path], bool]
    read: Callable[[Path, Path | None, OnError], Iterator[HandRecord]]
    splitter: Callable[[StrPath], Split]
    parser: Callable[[Path, Path | None], Parse]
    quick_summary: Callable[[Piece], HandSummary | None] = lambda piece: None


FORMATS: tuple[Format, ...] = (
    Format(
        name="PHH",
        about="a PHH file ends in .phh or .phhs (or that and .xz or .gz)",
        suffixes=PHH_SUFFIXES,
        is_one=lambda path: kind_of(path) in PHH_SUFFIXES,
        read=lambda path, game, on_error: phh.read(path, on_error=on_error),
        splitter=phh.splitter,
        parser=lambda path, game: phh.parser(path),
        quick_summary=phh_quick_summary.quick_summary,
    ),
    Format(
        name="PokerStars",
        about="a PokerStars file has hands that begin with PokerStars Hand #",
        suffixes=(".txt",),
        is_one=pokerstars.is_history,
        read=lambda path, game, on_error: pokerstars.read(path, on_error=on_error),
        splitter=lambda path: raw_hands,
        parser=lambda path, game: pokerstars.parser(path),
        quick_summary=pokerstars_quick_summary.quick_summary,
    ),
    Format(
        name="ACPC",
        about="an ACPC log has lines that begin with STATE or MATCHSTATE",
        suffixes=(".log", ".txt"),
        is_one=acpc.is_log,
        read=lambda path, game, on_error: acpc.read(path, game, on_error=on_error),
        splitter=lambda path: acpc.split,
        parser=acpc.parser,
    ),
)
"""In the order in which a file is tried: those known by their suffix or first lines first."""


def format_of(path: StrPath) -> Format:
    """The format of a file.

    Raises FileNotFoundError and IsADirectoryError if it is no file, ValueError if it has none of the formats; OSError
    if it cannot be opened.
    """
    file = Path(path)
    if not file.exists():
        raise FileNotFoundError(f"{file}: there is no such file")
    if file.is_dir():
        raise IsADirectoryError(f"{file}: this is a folder; give a file of hands")
    for form in FORMATS:
        if form.is_one(file):
            return form
    known = "; ".join(form.about for form in FORMATS)
    raise ValueError(f"{file}: this is no hand history. {known[0].upper()}{known[1:]}")


def read_hands(path: StrPath, game: StrPath | None = None, on_error: OnError = "warn") -> Iterator[HandRecord]:
    """The hands of a file in any format that the library reads, one by one.

    game: of an ACPC log, the path of its game definition; by default the file that the log names. on_error: what to do
    with a malformed hand, as of `phh.read`.

    Raises ValueError for a file in no such format, OSError for one that cannot be opened, HistoryError for a game that
    cannot be played.
    """
    file = Path(path)
    return format_of(file).read(file, None if game is None else Path(game), on_error)


def histories_in(folder: StrPath) -> list[Path]:
    """The hand histories in a folder and the folders in it, by name: files with a format's suffix that have it."""
    suffixes = {suffix for form in FORMATS for suffix in form.suffixes}
    files = sorted(path for path in Path(folder).rglob("*") if kind_of(path) in suffixes and path.is_file())
    return [path for path in files if _is_history(path)]


def histories_of(paths: Iterable[StrPath]) -> list[Path]:
    """The hand histories of files, folders and patterns such as "hands/2026-*.txt", each once.

    Raises FileNotFoundError for one that is not there, ValueError for a file that is no history.
    """
    return list({path.resolve(): path for path in _histories_of(paths)}.values())


def _histories_of(paths: Iterable[StrPath]) -> Iterator[Path]:
    for path in map(Path, paths):
        if path.is_dir():
            yield from histories_in(path)
        elif path.exists() or not has_magic(str(path)):
            format_of(path)
            yield path
        elif found := sorted(glob(str(path), recursive=True)):
            yield from _histories_of(found)
        else:
            raise FileNotFoundError(f"{path}: no file fits this pattern")


def _is_history(path: Path) -> bool:
    try:
        format_of(path)
    except ValueError:
        return False
    except OSError:
        return True  # opening it says why it cannot be read
    return True


def unreadable(path: StrPath, problem: Exception) -> HistoryError:
    """The problem of a whole file as a HistoryError."""
    if isinstance(problem, HistoryError):
        return problem
    text = str(problem.strerror or problem) if isinstance(problem, OSError) else str(problem)
    return HistoryError(fspath(path), None, text.removeprefix(f"{fspath(path)}: "))
