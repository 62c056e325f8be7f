"""`holdem solve --board ...`: what it prints, the file it writes, and what it refuses."""

from __future__ import annotations

from pathlib import Path

import pytest
from typer.testing import Result

from command_line import holdem
from holdem_env.solvers.subgames import load_solution

RIVER = {"--board": "Ks7h2d3c9s", "--ip": "AA, QJs", "--oop": "KQ, 88", "--pot": 100, "--stacks": 200, "--sizes": "a"}


def solve(options: dict[str, object], *more: object) -> Result:
    words = [str(word) for pair in options.items() for word in pair if word is not None]
    return holdem("solve", *words, *more)


@pytest.mark.slow
def test_a_river_is_solved_and_drawn(tmp_path: Path) -> None:
    file = tmp_path / "river.npz"
    result = solve(RIVER, "--at", "check", "--save", file)
    assert result.exit_code == 0, result.output
    for text in (
        "nodes on 1 board",
        "% of the pot after",
        "player 0 (button): EV",
        "player 0, check:",
        "AA ",
        "bet 200",
    ):
        assert text in result.output
    loaded = load_solution(file)
    assert loaded.exploitability_percent <= 0.5
    assert loaded.moves() == ["check", "bet 200"]


def test_ranges_stacks_and_rake_in_other_words() -> None:
    given = {name: value for name, value in RIVER.items() if name not in ("--ip", "--oop")}
    given |= {"--stacks": "200,150", "--rake": 5, "--accuracy": 1}
    result = solve(given, "--ranges", "AA, QJs", "--ranges", "KQ, 88")
    assert result.exit_code == 0, result.output
    assert "bet 150" in result.output


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"--pot": None}, "--pot"),
        ({"--oop": None}, "two ranges"),
        ({"--stacks": "much"}, "--stacks: 'much' is not chips"),
        ({"--board": "Ks7h"}, "a river 5"),
        ({"--at": "bet 7"}, "no 'bet 7'"),
        ({"--rules": "six-max-no-limit"}, "two seats"),
    ],
)
def test_what_is_wrong_is_one_line(changes: dict[str, object], message: str) -> None:
    options = {name: value for name, value in (RIVER | changes).items() if value is not None}
    result = solve(options)
    assert result.exit_code == 2
    assert message in result.output


def test_a_blueprint_and_a_board_do_not_go_together() -> None:
    result = solve(RIVER, "blueprint_20bb")
    assert result.exit_code == 2
    assert "either a blueprint, or --board" in result.output
