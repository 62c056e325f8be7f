"""Text files, plain or compressed (.xz, .gz), and splitting a .phhs into records before anything is parsed.

What somebody has sent may be made to fill the memory: archives, records and lines have limits.
"""

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
from typing import Any, BinaryIO, NamedTuple, TextIO, TypeAlias, cast

from ..utils.atomic import whole_file
from ..utils.links import opened

StrPath: TypeAlias = str | os.PathLike[str]

LONGEST_LINE = 65_536
"""Characters of a line; a hand's have some hundred."""
LONGEST_HAND = 262_144
"""Characters of a hand."""
MAX_LINES = 2_000
"""Lines of a hand, comments included."""
MAX_UNPACKED, MAX_TIMES = 2**24, 100
"""Bytes that any archive may unpack to, and how many times its own size, whichever is more."""
_COMPRESSED = (".xz", ".gz")
# `[12]` or `["a name"]` alone on a line; the closing bracket may be missing.
RECORD = re.compile(r"""\[[ \t]*("[^"\n]*"|'[^'\n]*'|[A-Za-z0-9_-]+)[ \t]*\]?[ \t]*(\#.*)?$""")


class TooLargeError(OSError):
    """An archive that unpacks to more than MAX_UNPACKED bytes, and more than MAX_TIMES its size; or zeros without an
    end of line."""


# The exceptions that reading a damaged archive may raise.
DAMAGED = (EOFError, lzma.LZMAError, gzip.BadGzipFile, zlib.error, TooLargeError)
NO_TEXT = "no text: it has a long line with bytes that are 0"


class CutLine(str):
    """The beginning of a line that is longer than LONGEST_LINE."""

    __slots__ = ()


class Piece(NamedTuple):
    """The text of one hand in a file.

    Attributes:
        key: The key of its `[key]` line, if it has one.
        line: Its first line, counted from 1.
        text: The text; with a `problem`, its first line alone.
        problem: The limit that it exceeds, in words.
    """

    key: str | None
    line: int
    text: str
    problem: str | None = None


class Kept:
    """The lines of a hand as they are read, up to the limits. Its public attributes: first, the number of its first
    line; is_empty, whether there are only comments and blank lines."""

    def __init__(self, first: int) -> None:
        self.first, self.is_empty = first, True
        self._lines: list[str] = []
        self._count = self._size = 0
        self._problem: str | None = None

    def add(self, line: str) -> None:
        if self._problem is not None:
            return
        self._count, self._size = self._count + 1, self._size + len(line)
        if self.is_empty:
            self.is_empty = line.isspace() or line.lstrip().startswith("#")
        if isinstance(line, CutLine):
            self._problem = f"a line of the hand has more than {LONGEST_LINE:,} characters"
        elif self._count > MAX_LINES:
            self._problem = f"the hand has more than {MAX_LINES:,} lines"
        elif self._size > LONGEST_HAND:
            self._problem = f"the hand has more than {LONGEST_HAND:,} characters"
        if self._problem is None or not self._lines:
            self._lines.append(line)
        else:
            del self._lines[1:]

    def piece(self, key: str | None = None) -> Piece:
        return Piece(key, self.first, "".join(self._lines), self._problem)


def open_text(path: StrPath) -> TextIO:
    """Open a plain, `.xz` or `.gz` file as UTF-8 text. Bytes that are not UTF-8 are read as lone surrogates. Reading
    raises what DAMAGED lists for an archive that is damaged or too large."""
    return io.TextIOWrapper(open_bytes(path), encoding="utf-8-sig", errors="surrogateescape", newline=None)


def open_bytes(path: StrPath) -> BinaryIO:
    """Open a plain, `.xz` or `.gz` file to read its unpacked bytes. Reading raises what DAMAGED lists for an archive
    that is damaged or too large. Raises as `opened`."""
    unpack: Any = {".xz": lzma.open, ".gz": gzip.open}.get(Path(path).suffix.lower())
    file = opened(os.fspath(path))
    if unpack is None:
        return file
    return io.BufferedReader(_Unpacked(unpack(file, "rb"), Path(path).stat().st_size, file))


class _Unpacked(io.RawIOBase):
    """The unpacked bytes of an archive, as far as it may be read."""

    def __init__(self, source: BinaryIO, packed: int, file: BinaryIO) -> None:
        self._source, self._most, self._file = source, max(MAX_UNPACKED, MAX_TIMES * packed), file

    def readable(self) -> bool:
        return True

    def seekable(self) -> bool:
        return True

    def seek(self, offset: int, whence: int = io.SEEK_SET, /) -> int:
        return self._source.seek(offset, whence)

    def readinto(self, buffer: Any, /) -> int:
        read = cast(io.BufferedIOBase, self._source).readinto(buffer)
        if self._source.tell() > self._most:
            raise TooLargeError(
                f"the archive unpacks to more than {self._most:,} bytes, the most that is read of one of its size; "
                "unpack it first"
            )
        return read

    def close(self) -> None:
        self._source.close()
        self._file.close()
        super().close()


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
    """The lines of a file; of one that is longer than LONGEST_LINE its beginning, a CutLine."""
    is_rest = False
    while line := source.readline(LONGEST_LINE):
        is_cut = len(line) == LONGEST_LINE and not line.endswith("\n")
        if is_cut and "\0" in line:
            raise TooLargeError(NO_TEXT)
        if not is_rest:
            yield CutLine(line) if is_cut else line
        is_rest = is_cut


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
    kept = Kept(1)
    for number, line in enumerate(lines, 1):
        header = RECORD.match(line) if line.startswith("[") else None
        if header and (many or key is not None or kept.is_empty):
            if key is not None or not kept.is_empty:
                yield kept.piece(key)
            many, key, kept = True, header[1].strip("\"'"), Kept(number)
        kept.add(line)
    if key is not None or not many or not kept.is_empty:
        yield kept.piece(key)
