"""`holdem --load FILE.py`: a command knows what the file registers."""

from __future__ import annotations

from pathlib import Path

import pytest

from command_line import good, refused
from holdem_env.arena.scoring.measures import MEASURES
from holdem_env.history import phh, read_hands
from holdem_env.history.formats import FORMATS

JSON_LINES = Path("docs/examples/json_lines.py")
PLURIBUS = Path("tests/data/pluribus.phhs")
MEASURE = """
import os
from holdem_env.arena import Figure, Measure, register_measure

class Process(Measure):
    def parts(self, budget):
        yield "process", 1, ()

    def measure(self, part):
        return part.found(Figure(name="process", says="other", value=os.getpid(), half_width=0.0, unit="%"))

register_measure("process", Process)
"""
TASK = "name: mine-v1\nabout: Mine.\nrules: kuhn\nseed: 1\nmeasures: [{kind: process}, {kind: process}]\n"


@pytest.fixture(autouse=True)
def _forgets_what_is_registered(monkeypatch: pytest.MonkeyPatch) -> None:
    for registry in (FORMATS, MEASURES):
        monkeypatch.setattr(registry, "registered", dict(registry.registered))  # type: ignore[attr-defined]


def test_hands_are_converted_to_and_from_a_format_of_ones_own(tmp_path: Path) -> None:
    lines, again = tmp_path / "mine.jsonl", tmp_path / "again.phhs"
    assert "60 hands" in good("--load", JSON_LINES, "convert", PLURIBUS, lines)
    assert len(lines.read_text().splitlines()) == 60
    assert all(hand.replay().payoffs == hand.payoffs for hand in read_hands(lines))
    assert "60 hands" in good("--load", JSON_LINES, "convert", lines, again)
    for hand, first in zip(phh.read(again), phh.read(PLURIBUS), strict=True):
        table = first.replay()
        assert (hand.payoffs, hand.players, hand.board) == (table.payoffs, first.players, first.board)


def test_the_example_of_a_format_writes_a_view(tmp_path: Path) -> None:
    good("--load", JSON_LINES, "convert", PLURIBUS, tmp_path / "mine.jsonl", "--hero", "Pluribus")
    first = next(read_hands(tmp_path / "mine.jsonl"))
    assert first.players is not None
    hidden = {name for name, hole in zip(first.players, first.holes, strict=True) if "??" in str(hole)}
    assert hidden
    assert "Pluribus" not in hidden


@pytest.mark.slow
@pytest.mark.parametrize("jobs", [1, 2])
def test_an_agent_is_scored_by_a_measure_of_ones_own(tmp_path: Path, jobs: int) -> None:
    (tmp_path / "mine.py").write_text(MEASURE)
    (tmp_path / "task.yaml").write_text(TASK)
    words = ("score", "random", "--task", tmp_path / "task.yaml", "--folder", tmp_path / "card", "--jobs", jobs)
    assert "process (2)" in good("--load", tmp_path / "mine.py", *words)


@pytest.mark.parametrize(("code", "words"), [(None, "does not exist"), ("a = b\n", "line 1"), ("a =\n", "line 1")])
def test_a_file_that_cannot_be_run_is_named(tmp_path: Path, code: str | None, words: str) -> None:
    if code is not None:
        (tmp_path / "mine.py").write_text(code)
    said = " ".join(refused("--load", tmp_path / "mine.py", "list", "agents").replace("│", "").split())
    assert "mine.py" in said.replace(" ", "")
    assert words in said
