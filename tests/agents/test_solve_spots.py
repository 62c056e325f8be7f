"""`holdem solve --board ...`: what it prints, the file it writes, and what it refuses."""

from __future__ import annotations

import csv
import json
import re
from pathlib import Path
from typing import Any

import pytest
from typer.testing import Result

from command_line import holdem
from holdem_agents.runs.interrupts import Interrupts
from holdem_env.arena.datasets import boards
from holdem_env.solvers.card_tables.isomorphism import representative_flops
from holdem_env.solvers.solution import load_solution

RIVER = {"--board": "Ks7h2d3c9s", "--ip": "AA, QJs", "--oop": "KQ, 88", "--pot": 100, "--stacks": 200, "--sizes": "a"}

RIVER_WORDS = [word for pair in RIVER.items() for word in pair]


def solve(options: dict[str, object], *more: object) -> Result:
    words = [str(word) for pair in options.items() for word in pair if word is not None]
    return holdem("solve", *words, *more)


@pytest.mark.slow
def test_a_river_is_solved_and_drawn(tmp_path: Path) -> None:
    file = tmp_path / "river.solution"
    result = solve(RIVER, "--at", "check", "--save", file)
    assert result.exit_code == 0, result.output
    drawn = "Percent of each hand that bets or raises", "bet 200"
    for text in ("nodes on 1 board", "% of the pot after", "IP: EV", "IP, check:", *drawn):
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
    ("words", "message"),
    [
        ([], "give one of --board, --boards, --flops, --resume, got none"),
        ([*RIVER_WORDS, "--flops", 3], "got --board and --flops"),
        ([*RIVER_WORDS, "--resume", "x.solution"], "got --board and --resume"),
        (["--resume", "x.solution", "--pot", 6], "--pot cannot be used with --resume"),
        ([*RIVER_WORDS[2:], "--flops", 3, "--at", "check"], "--at cannot be used with --flops"),
        ([*RIVER_WORDS[:2], "open", "x.solution"], "--board cannot be used with open"),
    ],
)
def test_options_of_something_else_are_refused(words: list[object], message: str) -> None:
    result = solve({}, *words)
    assert result.exit_code == 2
    assert message in " ".join(result.output.split())


@pytest.mark.parametrize(
    ("pot", "stacks", "message"),
    [
        ("6.5", "97.5", "bet 97.5"),
        ("6.55", "97", "--pot must be chips above 0 with at most one decimal, such as 6.5, got '6.55'"),
        ("6", "90,x", "--stacks must be chips above 0 with at most one decimal, such as 6.5, got 'x'"),
        ("0", "90", "--pot must be chips above 0"),
    ],
)
def test_amounts_have_one_decimal(pot: str, stacks: str, message: str) -> None:
    result = solve(RIVER | {"--pot": pot, "--stacks": stacks})
    assert message in " ".join(result.output.split())
    assert result.exit_code == (0 if message == "bet 97.5" else 2)


@pytest.mark.slow
def test_a_solution_that_was_stopped_goes_on(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file, calls = tmp_path / "turn.solution", iter([False, False])
    turn = RIVER | {"--board": "Ks7h2d3c", "--bits": 16, "--accuracy": 0.1}
    with monkeypatch.context() as patch:
        patch.setattr(Interrupts, "asked", property(lambda _: next(calls, True), lambda *_: None), raising=False)
        stopped = solve(turn, "--save", file)
    assert stopped.exit_code == 130, stopped.output
    assert "in 16 bits" in stopped.output
    assert re.search(rf"Stopped after iteration \d+; holdem solve --resume {file} goes on", stopped.output)
    done = solve({}, "--resume", file, "--accuracy", 0.1)
    assert done.exit_code == 0, done.output
    whole = solve(turn, "--save", tmp_path / "whole.solution")
    assert whole.exit_code == 0
    assert load_solution(file).exploitability_percent <= 0.11
    refused = solve({}, "--resume", file)
    assert refused.exit_code == 2
    assert "came to its end" in " ".join(refused.output.split())


def test_an_opened_solution_speaks_of_the_chips_that_were_typed(tmp_path: Path) -> None:
    half = RIVER | {"--pot": "6.5", "--stacks": "97.5"}
    solved = solve(half, "--at", "check", "--save", tmp_path / "half.solution")
    opened = solve({}, "open", tmp_path / "half.solution", "--at", "check")
    assert "bet 97.5" in opened.output
    assert opened.output[opened.output.index("IP: EV") :] == solved.output[solved.output.index("IP: EV") :]


def test_a_saved_solution_is_opened_and_written_as_json(tmp_path: Path) -> None:
    file = tmp_path / "river.solution"
    assert solve(RIVER, "--save", file).exit_code == 0
    opened = solve({}, "open", file, "--at", "check")
    assert opened.exit_code == 0, opened.output
    assert "IP, check:" in opened.output
    assert solve(RIVER, "--save", tmp_path / "river.json").exit_code == 0
    plain = json.loads((tmp_path / "river.json").read_text())
    assert plain["nodes"]["check"]["moves"] == ["check", "bet 200"]
    assert sum(plain["nodes"][""]["strategy"]["KsQs" if "KsQs" in plain["nodes"][""]["strategy"] else "KdQd"]) == (
        pytest.approx(1, abs=1e-3)
    )
    assert [set(player) for player in plain["players"]] == [{"value", "equity", "hands"}] * 2


def test_strategies_are_held_fixed_by_a_file(tmp_path: Path) -> None:
    (tmp_path / "locks.yaml").write_text("'': [0.25, 0.75]\n")
    done = solve(RIVER, "--lock", tmp_path / "locks.yaml")
    assert done.exit_code == 0, done.output
    assert "check 25.0 %, bet 200 75.0 %" in done.output


@pytest.mark.slow
def test_many_boards_are_a_table_and_an_interrupted_batch_goes_on(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    spot = {name: value for name, value in RIVER.items() if name != "--board"} | {"--threads": 1}
    (tmp_path / "boards.txt").write_text("Ks7h2d3c9s 2\nAs Kd 7h 2c 3d  # no weight\n\nKs7h2d3cQs\n")
    folder, seen = tmp_path / "out", list[str]()
    monkeypatch.setattr(boards, "solve_board", noted(seen))
    done = solve(spot, "--boards", tmp_path / "boards.txt", "--save", folder)
    assert done.exit_code == 0, done.output
    rows = list(csv.DictReader((folder / "boards.csv").read_text().splitlines()))
    assert [(row["board"], row["weight"]) for row in rows] == [
        ("Ks7h2d3c9s", "2"),
        ("AsKd7h2c3d", "1"),
        ("Ks7h2d3cQs", "1"),
    ]
    assert float(rows[0]["ev_oop"]) + float(rows[0]["ev_ip"]) == pytest.approx(100, abs=0.1)
    assert float(rows[0]["check"]) + float(rows[0]["bet 200"]) == pytest.approx(1)
    assert "3 boards, means with 95 % intervals: ev_oop" in done.output
    assert "<td" in (folder / "boards.html").read_text()
    lines = (folder / "boards.jsonl").read_text().splitlines()
    (folder / "boards.jsonl").write_text("\n".join(lines[:2]) + '\n{"board')  # killed in the middle of a line
    assert solve(spot, "--boards", tmp_path / "boards.txt", "--save", folder).exit_code == 0
    assert len(seen) == 5
    assert solve(spot, "--boards", tmp_path / "boards.txt", "--save", folder).exit_code == 0
    assert len(seen) == 5  # nothing of the half line is left
    other = solve(spot | {"--pot": 60}, "--boards", tmp_path / "boards.txt", "--save", folder)
    assert other.exit_code == 2
    assert "another spot" in other.output


def noted(seen: list[str]) -> Any:
    """`solve_board`, which notes the boards."""
    solve_one = boards.solve_board

    def noting(task: Any) -> Any:
        seen.append(task[0]["board"])
        return solve_one(task)

    return noting


@pytest.mark.parametrize(
    ("text", "message"), [("Ks7h2x", "line 1"), ("# nothing", "there is no board in it"), ("KsKs7h2d3c", "line 1")]
)
def test_files_of_boards_that_cannot_be(tmp_path: Path, text: str, message: str) -> None:
    (tmp_path / "boards.txt").write_text(text)
    with pytest.raises(ValueError, match=message):
        boards.boards_in(tmp_path / "boards.txt")


@pytest.mark.parametrize("count", [1, 25, 95, 400])
def test_flops_stand_for_all(count: int) -> None:
    flops = representative_flops(count)
    assert sum(weight for _, weight in flops) == 22_100
    assert count - 25 <= len({cards for cards, _ in flops}) <= count
    assert len(representative_flops(1755)) == 1755
    paired = sum(weight for cards, weight in flops if len({card // 4 for card in cards}) < 3)
    if count > 20:
        assert paired / 22_100 == pytest.approx(0.1717, abs=0.02)  # 13 * (4 + 48 * 6) of them
