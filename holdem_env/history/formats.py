"""The formats of hand histories, and which of them a file has: the one place that knows. `register_format` adds
one, and so does an entry point of `holdem_env.history_formats` in an installed package."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace
from functools import partial
from glob import glob, has_magic
from os import fspath
from pathlib import Path

from ..utils.registry import Registry
from . import (
    acpc,
    phh,
    phh_quick_summary,
    phh_writing,
    pokerstars,
    pokerstars_quick_summary,
    pokerstars_text,
    pokerstars_writing,
)
from .errors import HistoryError, OnError
from .files import RECORD, StrPath, kind_of, records
from .format import Format
from .hand_record import HandRecord


def _key_of(line: str) -> str | None:
    header = RECORD.match(line)
    return header[1] if header else None


PHHS = Format(
    name="phhs",
    title="PHH",
    suffixes=(".phhs",),
    signature="a PHH file ends in .phh or .phhs (or that and .xz or .gz)",
    matches=lambda path: kind_of(path) == ".phhs",
    unsupported="games without a code; dealer's errors, missed blinds, a dead button",
    split=partial(records, many=True),
    parser=lambda path, game: phh.parser(path),
    quick_summary=phh_quick_summary.quick_summary,
    text=phh_writing.text_of,
    check_game=phh_writing.check_game,
    framed=phh_writing.in_phhs,
    key_of=_key_of,
)
PHH = replace(
    PHHS,
    name="phh",
    title="PHH of one hand",
    suffixes=(".phh",),
    matches=lambda path: kind_of(path) == ".phh",
    split=partial(records, many=False),
    framed=lambda text, key: text,
    key_of=lambda line: None,
    is_single_hand=True,
)
POKERSTARS = Format(
    name="pokerstars",
    title="PokerStars",
    suffixes=(".txt",),
    signature="a PokerStars file has hands that begin with PokerStars Hand #",
    matches=pokerstars.is_history,
    unsupported="games but hold'em and Omaha, unusual bets; unknown board cards, unfinished hands, dealer's errors",
    split=pokerstars_text.raw_hands,
    parser=lambda path, game: pokerstars.parser(path),
    quick_summary=pokerstars_quick_summary.quick_summary,
    text=pokerstars_writing.text_of,
    check_game=pokerstars_writing.check_game,
    framed=pokerstars_writing.framed,
)
ACPC = Format(
    name="acpc",
    title="ACPC",
    suffixes=(".log", ".txt"),
    signature="an ACPC log has lines that begin with STATE or MATCHSTATE",
    matches=acpc.is_log,
    unsupported="pot limit, antes, straddles, rake; unfinished hands, empty seats, dealer's errors, missed blinds",
    split=acpc.split,
    parser=acpc.parser,
)
FORMATS: Registry[Format] = Registry(
    "format of hand histories",
    "holdem_env.history_formats",
    {form.name: form for form in (PHHS, PHH, POKERSTARS, ACPC)},
)
"""In the order in which a file is tried: those known by their suffix or first lines first."""


def register_format(form: Format) -> None:
    """Let files of this format be read, and written if it has a `text`, wherever hands are, in this process."""
    FORMATS.register(form.name, form)


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
    for form in FORMATS.all():
        if form.matches(file):
            return form
    known = "; ".join(dict.fromkeys(form.signature for form in FORMATS.all()))
    raise ValueError(f"{file}: this is no hand history. {known[0].upper()}{known[1:]}")


def written_format(path: StrPath, to: str | None = None) -> Format:
    """Return the format of a new file.

    Args:
        path: The new file.
        to: The format's name, such as "phhs" or "pokerstars", if the suffix does not say it.

    Raises:
        ValueError: If the suffix does not say the format, or the format is unknown.
    """
    written = {form.name: form for form in written_formats()}
    if to is not None:
        if to not in written:
            raise ValueError(f"{to!r} is no format that can be written; these are {', '.join(written)}")
        return written[to]
    for form in written.values():
        if kind_of(path) == form.suffixes[0]:
            return form
    raise ValueError(
        f"{path}: the name does not say the format. Hands are written to {in_words(written.values())}; each may be "
        "compressed: .phhs.xz, .phhs.gz"
    )


def written_formats(many: bool = False) -> list[Format]:
    """Those of which new files can be written. many: without those whose files hold one hand."""
    return [form for form in FORMATS.all() if form.text is not None and not (many and form.is_single_hand)]


def in_words(forms: Iterable[Format]) -> str:
    """The suffixes of formats and what people call them: ".phhs (PHH), .txt (PokerStars)"."""
    return ", ".join(f"{form.suffixes[0]} ({form.title})" for form in forms)


def read_hands(path: StrPath, game: StrPath | None = None, on_error: OnError = "warn") -> Iterator[HandRecord]:
    """Read the hands of a file in any format that the library reads, one by one.

    Args:
        path: The file.
        game: The path of an ACPC log's game definition. By default the file that the log names.
        on_error: What to do with a malformed hand, as in `phh.read`.

    Raises:
        ValueError: If the file has no such format.
        OSError: If the file cannot be opened.
        HistoryError: If the game cannot be played.
    """
    file = Path(path)
    return format_of(file).read(file, None if game is None else Path(game), on_error)


def histories_in(folder: StrPath) -> list[Path]:
    """The hand histories in a folder and the folders in it, by name: files with a format's suffix that have it. Hidden
    folders are left out."""
    suffixes = {suffix for form in FORMATS.all() for suffix in form.suffixes}
    files = sorted(path for path in Path(folder).rglob("*") if kind_of(path) in suffixes and path.is_file())
    return [path for path in files if _is_history(path) and not _is_hidden(path.relative_to(folder))]


def _is_hidden(path: Path) -> bool:
    return any(part.startswith(".") for part in path.parts)


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
