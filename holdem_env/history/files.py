"""Text files, plain or compressed (.xz, .gz), and splitting a .phhs into records before anything is parsed."""

from __future__ import annotations

import gzip
import io
import lzma
import os
import re
import zlib
from collections.abc import Iterable, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any, NamedTuple, TextIO, TypeAlias, cast

from ..utils.atomic import whole_file

StrPath: TypeAlias = str | os.PathLike[str]

# The exceptions that reading a damaged archive may raise.
DAMAGED = (EOFError, lzma.LZMAError, gzip.BadGzipFile, zlib.error)
LONGEST_LINE = 65_536  # characters, where lines are looked at one by one; a hand's have some hundred
_COMPRESSED = (".xz", ".gz")
# `[12]` or `["a name"]` alone on a line; the closing bracket may be missing.
_HEADER = re.compile(r"""\[[ \t]*("[^"\n]*"|'[^'\n]*'|[A-Za-z0-9_-]+)[ \t]*\]?[ \t]*(\#.*)?$""")


class Piece(NamedTuple):
    """The text of one record, the key of its `[key]` line if it has one, and its first line, counted from 1."""

    key: str | None
    line: int
    text: str


def open_text(path: StrPath) -> TextIO:
    """Open a plain, `.xz` or `.gz` file as UTF-8 text. Bytes that are not UTF-8 are read as lone surrogates."""
    opener = {".xz": lzma.open, ".gz": gzip.open}.get(Path(path).suffix.lower(), open)
    return cast(TextIO, opener(path, "rt", encoding="utf-8-sig", errors="surrogateescape", newline=None))  # type: ignore[operator]


@contextmanager
def whole_text(path: StrPath) -> Iterator[TextIO]:
    """A UTF-8 text file to write to, compressed if its name says so. It gets its name when the block ends; an error in
    the block leaves what was there before. Raises as `whole_file` does."""
    with ExitStack() as opened:
        packed: Any = opened.enter_context(whole_file(Path(path)))
        suffix = Path(path).suffix.lower()
        if suffix == ".xz":
            packed = opened.enter_context(lzma.open(packed, "wb"))
        elif suffix == ".gz":
            packed = opened.enter_context(gzip.GzipFile("", "wb", fileobj=packed, mtime=0))
        text = io.TextIOWrapper(packed, encoding="utf-8", newline="\n", write_through=True)
        try:
            yield text
        finally:
            text.detach()


def bounded_lines(source: TextIO) -> Iterator[str]:
    """The lines of a file, each cut at LONGEST_LINE characters, so that a file without line breaks does not fill the
    memory."""
    is_rest = False
    while line := source.readline(LONGEST_LINE):
        if not is_rest:
            yield line
        is_rest = not line.endswith("\n")


def kind_of(path: StrPath) -> str:
    """The suffix without compression: `.phhs` for `hands.phhs.xz`."""
    name = Path(path)
    return (Path(name.stem) if name.suffix.lower() in _COMPRESSED else name).suffix.lower()


def records(lines: Iterable[str], many: bool) -> Iterator[Piece]:
    """Split TOML text at its record headers `[key]`. A nested table (`[key.sub]`) stays with its record.

    If `many` is False, the text is one record, unless it begins with a header. Text before the first header is a piece
    without a key, if it is more than comments and blank lines.
    """
    key: str | None = None
    start = 1
    kept: list[str] = []
    for number, line in enumerate(lines, 1):
        header = _HEADER.match(line) if line.startswith("[") else None
        if header and (many or key is not None or _empty(kept)):
            if key is not None or not _empty(kept):
                yield Piece(key, start, "".join(kept))
            many, key, start, kept = True, header[1].strip("\"'"), number, []
        kept.append(line)
    if key is not None or not many or not _empty(kept):
        yield Piece(key, start, "".join(kept))


def _empty(lines: list[str]) -> bool:
    return all(not line.strip() or line.lstrip().startswith("#") for line in lines)
