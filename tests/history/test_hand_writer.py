"""HandWriter: new files of hands in every format that is written, whole or not at all."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from history.random_play import play_randomly
from holdem_env import Table
from holdem_env.history import HandWriter, HistoryError, phh, pokerstars, read_hands


def finished(seed: int, rules: str = "heads-up-no-limit") -> Table:
    return play_randomly(Table(rules, seed=seed), random.Random(seed))


@pytest.mark.parametrize("suffix", ["phhs", "txt", "phhs.xz", "phhs.gz", "txt.xz", "txt.gz"])
def test_many_hands_in_every_format(tmp_path: Path, suffix: str) -> None:
    tables = [finished(seed) for seed in range(4)]
    with HandWriter(tmp_path / f"hands.{suffix}") as writer:
        for table in tables:
            writer.write(table, players=["Ann", "Bob"])
    hands = list(read_hands(tmp_path / f"hands.{suffix}", on_error="raise"))
    assert [hand.hand for hand in hands] == [1, 2, 3, 4]
    assert [sorted(hand.replay().payoffs) for hand in hands] == [sorted(table.payoffs) for table in tables]


def test_the_format_may_be_said(tmp_path: Path) -> None:
    with HandWriter(tmp_path / "hands", to="pokerstars") as writer:
        writer.write(finished(1), hand=7)
    assert [hand.hand for hand in pokerstars.read(tmp_path / "hands")] == [7]
    with HandWriter(tmp_path / "one.phh") as writer:
        writer.write(finished(1))
        with pytest.raises(ValueError, match="holds one hand"):
            writer.write(finished(2))
    assert len(list(phh.read(tmp_path / "one.phh"))) == 1


def test_a_hand_that_cannot_be_written_does_not_stop_the_others(tmp_path: Path) -> None:
    with HandWriter(tmp_path / "hands.txt") as writer:
        with pytest.raises(HistoryError, match="cannot express this game"):
            writer.write(finished(1, "leduc"))
        writer.write(finished(2))
    assert len(list(pokerstars.read(tmp_path / "hands.txt"))) == 1


def test_an_error_leaves_no_file_and_no_file_is_overwritten(tmp_path: Path) -> None:
    path = tmp_path / "hands.txt.xz"
    with pytest.raises(ValueError, match="reads like a line"), HandWriter(path) as writer:
        writer.write(finished(1), players=["***", "Bob"])
    assert list(tmp_path.iterdir()) == []
    path.write_text("mine")
    with pytest.raises(FileExistsError, match="exists already; name a new file"):
        HandWriter(path)
    assert path.read_text() == "mine"


@pytest.mark.parametrize(("name", "to"), [("hands.pdf", None), ("hands", None), ("hands.txt", "pdf")])
def test_formats_that_there_are_not(tmp_path: Path, name: str, to: str | None) -> None:
    with pytest.raises(ValueError, match=r"does not say the format|is no format"):
        HandWriter(tmp_path / name, to)


def test_writing_needs_the_block(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="only within the `with` block"):
        HandWriter(tmp_path / "hands.txt").write(finished(1))
