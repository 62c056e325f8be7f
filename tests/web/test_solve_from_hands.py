"""Solve from here: the spot at the beginning of a street of a hand that was played."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("starlette")

from holdem_env import Rules, Table
from holdem_env.history import phh
from holdem_env.solvers.games import spot_tree
from web.clients import client_of, sit, site_for_tests

RIVER = [6, 0, 0, 0, 0, 0, 0, 7, 24, 60, 0]
"""A raise, a call, checks to the river, and there a bet of 7, a raise to 24, and one to 60 that is called."""
ONE_FOLDS = [0, 0, 0, 0, -1, 0, 0, 0, 0, 0]
"""Of three players one folds on the flop."""


def played(rules: Any, moves: list[int]) -> Table:
    table = Table(rules, seed=5)
    for move in moves:
        table.play(move)
    return table


@pytest.fixture(scope="module")
def browser(tmp_path_factory: pytest.TempPathFactory) -> Any:
    folder = tmp_path_factory.mktemp("hands")
    hands = {
        "known": ("heads-up-no-limit", RIVER, ["tight_aggressive", "somebody"]),
        "limit": ("heads-up-limit", [0] * 8, None),
        "six": ("six-max-no-limit", [-1, -1, -1, 5, -1, 0, 0, 0, 0, 0, 0, 0], None),
        "three": (Rules(seats=3), ONE_FOLDS, None),
    }
    found: dict[str, Path] = {}
    for name, (rules, moves, players) in hands.items():
        found[name] = folder / f"{name}.phhs"
        phh.write([played(rules, moves)], found[name], **({} if players is None else {"players": players}))
    return client_of(site_for_tests(histories=found))


def spot(browser: Any, name: str, street: int, status: int = 200) -> Any:
    answer = browser.get(f"/api/replay/history-{name}/1/spot", params={"street": street})
    assert answer.status_code == status, answer.text
    return answer.json()


def test_a_river_of_agents_has_their_ranges_and_its_own_sizes(browser: Any) -> None:
    found = spot(browser, "known", 3)
    assert (len(found["board"]), found["pot"], found["stack"]) == (10, 12, 194)
    assert found["note"].startswith("Ranges: in position tight_aggressive's, out of position blueprint_100bb's, by")
    tree = spot_tree(found["board"], 12, 194, {"river": " | ".join(found["made"])}, None)
    node = tree.child(0, 7)
    node = tree.child(node, 24)
    assert tree.child(node, 60)
    for cells in found["cells"]:
        assert 5 < len(cells) < 169
    assert spot(browser, "known", 1)["made"] == []
    marks = browser.get("/api/replay/history-known/1").json()["marks"]
    assert [mark["solve"] for mark in marks] == [None, 1, 2, 3]


def test_a_hand_of_six_has_the_ranges_of_the_agent_that_plays_six_max(browser: Any) -> None:
    pytest.importorskip("torch")
    found = spot(browser, "six", 1)
    assert found["note"] == "Ranges: ppo_sixmax's, by the moves so far. Pot 5.5 bb, 97.5 bb behind."
    button, big_blind = (
        {kind: each if isinstance(each, float) else each["mean"] for kind, each in cells.items()}
        for cells in found["cells"]
    )
    assert button["AA"] > 0.9
    assert button.get("72o", 0) < 0.1
    assert big_blind.get("72o", 0) < 0.3 < big_blind["A9s"]


def test_ranges_by_position_begin_with_those_of_the_agent_that_plays_six_max(browser: Any) -> None:
    pytest.importorskip("torch")
    spots = browser.get("/api/solve/first").json()["spots"]
    assert [each["title"].split()[0] for each in spots] == ["UTG", "HJ", "CO", "BTN", "SB"]
    assert [(each["pot"], each["stack"]) for each in spots] == [(11, 195)] * 4 + [(10, 195)]
    raised = [
        sum(each if isinstance(each, float) else each["mean"] for each in spot["cells"][0].values()) for spot in spots
    ]
    assert raised[:4] == sorted(raised[:4])  # the later, the more hands


def test_what_nobody_knows_are_all_hands(browser: Any) -> None:
    found = spot(browser, "three", 2)
    assert found["note"].startswith("Ranges: all hands, as nobody knows this game's ranges. Pot ")
    assert len(found["cells"][0]) == 169
    assert "3 players are in the hand on the flop" in spot(browser, "three", 1, 400)["error"]


def test_what_cannot_be_solved_is_a_sentence(browser: Any) -> None:
    assert "no-limit Texas hold'em" in spot(browser, "limit", 1, 400)["error"]
    assert "flops, turns and rivers" in spot(browser, "known", 0, 400)["error"]


def test_a_finished_hand_of_a_person_is_solved_and_a_running_one_is_not() -> None:
    site = site_for_tests()
    browser = client_of(site)
    seat = sit(browser, opponents=["calling_station"])
    seat.settled()
    path = f"/api/replay/play-{seat.tid}/1/spot?street=1"
    assert browser.get(path).status_code == 404
    while (view := seat.get())["waiting"] == "move":
        seat.do("move", move=0)
    assert view["last_hand"]
    answer = browser.get(path).json()
    assert "calling_station's" in answer["note"]
    decisions = seat.get("/review?hand=1&folded=0")["decisions"]
    assert {each["solve"] for each in decisions if each["street"] == "flop"} == {1}
    site.close()
