"""Local best response in several settings: the same results on any number of processes, on the same decks."""

from __future__ import annotations

import csv
import json
from pathlib import Path

import pytest

from arena.open_book_agents import Uniform, folder
from holdem_env import Rules
from holdem_env.agents import Agent, StrategyUnknown
from holdem_env.arena import local_best_response, local_best_responses
from holdem_env.arena.best_responses import lbr_table

DEEP = Rules.preset("heads-up-no-limit")


def test_each_of_the_actions_from_each_street() -> None:
    found = list(local_best_responses(folder(), DEEP, 12, ["fc", "50%, all-in"], [0, 3]))
    assert [(each.actions, each.from_street) for each in found] == [
        *(("fc", 0), ("fc", 3), ("50%, all-in", 0), ("50%, all-in", 3))
    ]
    assert {(each.mean, each.hands) for each in found} == {(750, 12)}
    assert str(found[2]).startswith("local best response (50%, all-in, from street 0) against folder: +750")


def test_one_part_is_what_local_best_response_plays() -> None:
    (found,) = local_best_responses(Uniform(), DEEP, 40, ["fcpa"], [2], seed=3)
    assert found == local_best_response(Uniform(), DEEP, 40, "fcpa", 2, seed=3)


@pytest.mark.slow
def test_parts_have_other_decks_and_do_not_depend_on_processes(monkeypatch) -> None:
    played: list[int] = []
    monkeypatch.setattr(lbr_table, "PART_HANDS", 64)
    (one,) = local_best_responses("random", DEEP, 128, ["fc"], [3], jobs=1, progress=played.append)
    (two,) = local_best_responses("random", DEEP, 128, ["fc"], [3], jobs=2)
    (first,) = local_best_responses("random", DEEP, 64, ["fc"], [3])
    assert one == two
    assert played == [64, 64]
    assert one.mean != first.mean


@pytest.mark.fast_cases(1)
@pytest.mark.parametrize("jobs", [1, 2])
def test_a_file_that_has_changed_is_another_agent(tmp_path: Path, monkeypatch, jobs: int) -> None:
    """Processes that are still there from the call before read the agent's file again."""
    monkeypatch.setattr(lbr_table, "PART_HANDS", 8)
    config, names, found = tmp_path / "agent.json", ("calling_station", "tight_aggressive"), []
    for name in names:
        config.write_text(json.dumps({"agent": name}))
        found += local_best_responses(str(config), DEEP, 32, ["fcpa"], [3], jobs=jobs)
    wanted = [next(local_best_responses(name, DEEP, 32, ["fcpa"], [3])) for name in names]
    assert [each.mean for each in found] == [each.mean for each in wanted]


def test_usual_settings() -> None:
    assert lbr_table.usual_actions(DEEP) == ("fc", "fcpa", lbr_table.OFF_TREE)
    assert lbr_table.usual_actions(Rules.preset("heads-up-limit")) == ("fc", "limit")
    found = list(local_best_responses(folder(), Rules.preset("heads-up-limit"), 4))
    assert len(found) == 8
    assert not any(lbr_table.is_published(each, Rules.preset("heads-up-limit")) for each in found)


def test_it_is_saved_as_a_csv_file(tmp_path: Path) -> None:
    found = list(local_best_responses(folder(), DEEP, 12, ["fc", "fcpa"], [0, 2]))
    lbr_table.save_table(found, DEEP, 7, tmp_path / "lbr.csv")
    with (tmp_path / "lbr.csv").open(newline="") as file:
        rows = list(csv.DictReader(file))
    assert [row["is_published"] for row in rows] == ["1", "0", "0", "1"]
    assert list(rows[0]) == list(lbr_table.COLUMNS)
    assert list(rows[0].values()) == ["folder", "fc", "0", "750.0", "inf", "12", "6", "7", "1"]


class Silent(Agent):
    name = "silent"

    def act(self, tables, rules, rows):
        raise AssertionError


@pytest.mark.parametrize(
    ("agent", "rules", "options", "error", "words"),
    [
        (Silent(), DEEP, {}, StrategyUnknown, "'silent' does not give"),
        (Uniform(), Rules.preset("leduc"), {}, ValueError, "exact measure"),
        (Uniform(), DEEP, {"actions": ["fc", "fcap"]}, ValueError, "fcpa"),
        (Uniform(), DEEP, {"from_streets": [0, 4]}, ValueError, "from_street: 4"),
        (Uniform(), DEEP, {"hands": 0}, ValueError, "hands: 0"),
    ],
)
def test_bad_input_is_told_before_anything_is_played(agent, rules, options, error, words) -> None:
    with pytest.raises(error, match=words):
        local_best_responses(agent, rules, **options)
