"""Files that are made to fill the memory, or to take hours: an error names the limit, at once."""

from __future__ import annotations

import gzip
import lzma
import os
import tracemalloc
from collections.abc import Callable
from pathlib import Path
from time import process_time

import pytest

from history.phh_text import text
from history.pokerstars_text import MUCKED
from holdem_env.history import HandCollection, HistoryError, read_hands
from holdem_env.history.files import LONGEST_HAND, LONGEST_LINE, MAX_LINES, MAX_UNPACKED
from holdem_env.history.phh import DEEPEST_KEY

PHH = text()
MUCH = "#" * (MAX_UNPACKED + 2**16)
COMMENTS = "#\n" * 200_000
DEEP = "a" + ".a" * DEEPEST_KEY
QUOTED = '"b c"'
FULL = f"# {'x' * (LONGEST_LINE - 10)}\n" * (LONGEST_HAND // LONGEST_LINE + 1)
FILES = {
    "an archive of one line": ("a.phh.xz", PHH + MUCH, "unpacks to more than 16,777,216 bytes"),
    "an archive of lines": ("a.phhs.gz", f"[1]\n{PHH}" + f"{'#' * 9_999}\n" * 1_800, "unpacks to more than"),
    "an archive of PokerStars' text": ("a.txt.xz", MUCKED + MUCH, "unpacks to more than"),
    "comments": ("a.phh", COMMENTS + PHH, "the hand has more than 2,000 lines"),
    "comments in a record": ("a.phhs", f"[1]\n{PHH}{COMMENTS}", "the hand has more than 2,000 lines"),
    "blank lines": ("a.phh", PHH + "\n" * 200_000, "the hand has more than 2,000 lines"),
    "a long line": ("a.phh", f"{PHH}x = '{'x' * LONGEST_LINE}'\n", "a line of the hand has more than 65,536"),
    "a long line of a log": ("2p.limit.log", f"STATE:1:{'c' * LONGEST_LINE}:\n", "more than 65,536 characters"),
    "many characters": ("a.phh", PHH + FULL, "the hand has more than 262,144 characters"),
    "many characters of chat": ("a.txt", MUCKED + FULL.replace("#", "Ann said,"), "more than 262,144 characters"),
    "a deep key": ("a.phh", f"{PHH}{DEEP} = 1\n", "a key has more than 32 parts"),
    "a deep key in a table": ("a.phh", f"{PHH}x = {{{DEEP} = 1}}\n", "a key has more than 32 parts"),
    "a deep table": ("a.phh", f"{PHH}[{DEEP}]\nx = 1\n", "a key has more than 32 parts"),
    "a deep key in quotes": ("a.phh", f"{PHH}{DEEP.replace('a', QUOTED)} = 1\n", "more than 32 parts"),
    "quotes without end": ("a.phh", PHH + 'x = "' + '\\\"' * 30_000 + "\n", "broken TOML"),
}  # fmt: skip


def file_of(folder: Path, kind: str) -> Path:
    name, content, _ = FILES[kind]
    path = folder / name
    pack: Callable[[bytes], bytes] = {".xz": lzma.compress, ".gz": gzip.compress}.get(path.suffix, bytes)
    path.write_bytes(pack(content.encode()))
    if path.suffix == ".log":
        game = Path(__file__).parents[1] / "data" / "holdem.limit.2p.reverse_blinds.game"
        path.write_text(f"# name/game/hands/seed 2p {game.name} 1000 0\n{content}")
        (folder / game.name).write_bytes(game.read_bytes())
    return path


@pytest.mark.parametrize("name", ["a.txt", "a.phhs", "a.log", "a.phhs.xz"])
def test_what_is_no_regular_file_is_not_waited_for(tmp_path: Path, name: str) -> None:
    os.mkfifo(tmp_path / name)
    with pytest.raises(OSError, match="must be a regular file"):
        list(read_hands(tmp_path / name))


@pytest.mark.parametrize("name", ["a.txt", "a.phhs"])
def test_a_sparse_file_is_no_text(tmp_path: Path, name: str) -> None:
    with (tmp_path / name).open("wb") as file:
        file.truncate(2**40)
    with pytest.raises(HistoryError, match="no text"):
        list(read_hands(tmp_path / name, on_error="raise"))


@pytest.mark.parametrize("kind", FILES)
def test_a_poisoned_file_is_an_error_that_names_the_limit(tmp_path: Path, kind: str) -> None:
    path, problems = file_of(tmp_path, kind), list[HistoryError]()
    tracemalloc.start()
    begun = process_time()
    list(read_hands(path, on_error=problems.append))
    hands = HandCollection(path)
    found = [problem.reason for problem in hands.problems]
    if hands:  # a quick look was enough for the list
        with pytest.raises(HistoryError) as error:
            hands[0]
        found.append(error.value.reason)
    assert process_time() - begun < 10  # traced; before there were limits some took minutes
    _, most = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert most < 12_000_000
    assert FILES[kind][2] in problems[-1].reason
    assert FILES[kind][2] in found[-1]


def test_the_others_of_a_file_are_read(tmp_path: Path) -> None:
    path, problems = tmp_path / "a.phhs", list[HistoryError]()
    path.write_text(f"[1]\n{PHH}{COMMENTS}[2]\n{PHH}[3]\n{PHH}{DEEP} = 1\n[4]\n{PHH}")
    assert [hand.hand for hand in read_hands(path, on_error=problems.append)] == [2, 4]
    hands = HandCollection(path)
    assert [hands.summary(k).hand for k in range(len(hands))] == [2, 3, 4]
    assert hands[2].hand == 4
    assert [problem.hand for problem in problems] == [1, 3]


def test_what_is_within_the_limits_is_read(tmp_path: Path) -> None:
    path = tmp_path / "a.phh"
    note = f"'{'a.' * 100}'"
    more = "#\n" * (MAX_LINES - PHH.count("\n") - 3)
    path.write_text(f"{PHH}_note = {note} # {'a.' * 100}\n_long = '''\n{'a.' * 100}'''\n{more}")
    (hand,) = read_hands(path, on_error="raise")
    assert hand.metadata["_note"] == "a." * 100


def test_archives_of_hands_are_far_from_the_limit() -> None:
    """An archive may unpack to a hundred times its own size: that is more than any file of hands does."""
    data = Path(__file__).parents[1] / "data" / "pluribus.phhs"
    packed = lzma.compress(data.read_bytes())
    assert data.stat().st_size < 20 * len(packed)
