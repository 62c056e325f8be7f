"""Data files: hands that play again as they were played, solved spots that are the solver's, cards, interruption."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from command_line import good, refused
from errors import complaint, mentions
from holdem_env import Rules
from holdem_env.agents.registry import make_agent
from holdem_env.arena import balanced_lineups, load_solved_spots, make_hands, make_spots, play_deals
from holdem_env.arena.datasets import hands as making
from holdem_env.arena.scoring.spot_file import load_spots
from holdem_env.encoders import get_observation
from holdem_env.history import HandArrays, load_hands, save_hands
from holdem_env.solvers.subgames import solve_subgame
from holdem_env.utils import array_files

RANGES = ["AA, QQ-TT, A9s, KQs, 87s", "KK, JJ, 99, AQs, KJs, 65s"]
SPOT = {"name": "one", "board": "Ks7h2d3c9s", "moves": [[4, 0], [0, 6, 0], [0, 0], []], "ranges": RANGES}
TURN = {**SPOT, "name": "two", "board": "Ks7h2d3c", "moves": [[4, 0], [0, 20, 60, 0], []]}
TASK = """
name: mine-v1
about: "For tests."
rules: heads-up-no-limit
seed: 1
measures:
  - kind: spots
    file: spots.json
    sizes: 100%, all-in | all-in
    spots: {quick: 2, standard: 2, long: 2}
    hands: {quick: 2, standard: 2, long: 2}
"""


@pytest.fixture
def task(tmp_path: Path) -> Path:
    (tmp_path / "spots.json").write_text(json.dumps([SPOT, TURN]))
    (tmp_path / "mine-v1.yaml").write_text(TASK)
    return tmp_path / "mine-v1.yaml"


@pytest.mark.parametrize(
    ("preset", "agents"),
    [("heads-up-no-limit", ["tight_aggressive", "maniac"]), ("six-max-no-limit", ["maniac", "random", "nit"])],
)
def test_hands_play_again_as_they_were_played(preset: str, agents: list[str], tmp_path: Path) -> None:
    rules, seen = Rules.preset(preset), []
    players = [make_agent(name) for name in agents]
    lineups = balanced_lineups(len(agents), rules.seats, np.arange(20), 0)
    play_deals(rules, players, lineups, range(20), 3, finished=lambda tables, seating: seen.append(tables.copy()))
    hands = make_hands(agents, tmp_path / "hands.npz", 20 * rules.seats, rules, seed=3)
    played = np.concatenate(seen)
    assert len(hands) == len(played) == 20 * rules.seats
    assert hands.seating.max() == len(agents) - 1
    last = None
    for tables, rows, numbers, moves in hands.decisions():
        last = tables
        assert (hands.button[numbers] == tables["button"][rows]).all()
        assert len(moves) == len(rows)
    assert last is not None
    assert last["over"].all()
    won = (last["seats"]["stack"] - last["start_stack"])[:, : rules.seats]
    assert (won == hands.payoff).all()
    assert (won.sum(axis=0).sum()) == 0
    assert sorted(hands.payoff[:, 0]) == sorted((played["seats"]["stack"] - played["start_stack"])[:, 0])
    dealt = hands.board >= 0
    assert (last["board"][:, :5][dealt] == hands.board[dealt]).all()


def test_observations_can_be_computed_again(tmp_path: Path) -> None:
    rules, flat = Rules.preset("heads-up-no-limit"), get_observation("flat")
    seen, agent = [], make_agent("tight_aggressive")
    observe = np.empty((64, flat.size(rules)), np.float32)

    class Watching(type(agent)):
        def act(self, tables, rules, rows):
            flat.observe(tables, rules.record, rows, tables["actor"][rows].astype(np.int64), observe[: len(rows)])
            seen.extend(map(tuple, observe[: len(rows)]))
            return super().act(tables, rules, rows)

    tables = []
    play_deals(
        rules, [Watching(), Watching()], [0, 1], range(8), finished=lambda some, seating: tables.append(some.copy())
    )
    hands = HandArrays.of(np.concatenate(tables), rules, np.zeros((16, 2), np.int64), ["a", "b"])
    again = []
    for some, rows, _, _ in hands.decisions(at_once=5):
        flat.observe(some, rules.record, rows, some["actor"][rows].astype(np.int64), observe[: len(rows)])
        again.extend(map(tuple, observe[: len(rows)]))
    assert sorted(again) == sorted(seen)


def test_an_interrupted_file_goes_on(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    whole = make_hands(["maniac", "random"], tmp_path / "whole.npz", 60)
    monkeypatch.setattr(making, "DEALS", 10)
    play, done = making._play, []

    def interrupted(part):
        if len(done) == 2:
            raise KeyboardInterrupt
        done.append(part)
        return play(part)

    monkeypatch.setattr(making, "_play", interrupted)
    path = tmp_path / "hands.npz"
    complaint(make_hands, ["maniac", "random"], path, 60, kind=KeyboardInterrupt)
    mentions(complaint(make_hands, ["maniac", "random"], path, 60, seed=1), "holds parts of other hands")
    done.clear()
    found = make_hands(["maniac", "random"], path, 60)
    assert len(done) == 1
    assert not path.with_name("hands.npz.parts").exists()
    assert sorted(found.deal) == sorted(whole.deal)
    assert sorted(found.payoff[:, 0]) == sorted(whole.payoff[:, 0])


def test_solved_spots_are_the_solution(task: Path, tmp_path: Path) -> None:
    spots = make_spots(task, tmp_path / "spots.npz", accuracy=0.2)
    loaded = load_solved_spots(tmp_path / "spots.npz")
    for name, array in spots.arrays.items():
        np.testing.assert_array_equal(array, loaded.arrays[name])
    assert loaded.names == ("one", "two")
    np.testing.assert_allclose(loaded.strategy.sum(axis=1), 1, atol=1e-5)
    [given, _] = load_spots(tmp_path / "spots.json", Rules.preset("heads-up-no-limit"))
    left = 200 - given.pot // 2
    solution = solve_subgame(SPOT["board"], RANGES, given.pot, left, "100%, all-in | all-in", accuracy=0.2)
    first = loaded.node == 0
    player = loaded.player[0]
    assert (loaded.hand[first] == np.flatnonzero(solution.ranges[player])).all()
    mean = np.average(loaded.ev[first], weights=loaded.weight[first])
    there = solution.ev[player, loaded.hand[first]]
    assert mean == pytest.approx(np.average(there, weights=loaded.weight[first]), abs=0.05)
    assert loaded.board[1, -1] == -1
    children = np.flatnonzero(loaded.parent == 0)
    assert set(loaded.made[children]) <= set(loaded.moves[0])
    assert max(loaded.about["exploitability"]) <= 0.2


def test_the_commands_write_files_and_cards(task: Path, tmp_path: Path) -> None:
    said = good("data", "hands", "--agents", "maniac,nit", "--hands", 30, "--out", tmp_path / "hands.npz")
    assert "30 hands" in said
    card = (tmp_path / "hands.npz.md").read_text()
    for words in ("holdem data hands --agents maniac,nit --hands 30", "Agent 1: nit", "| `payoff` | (30, 2) | int32 |"):
        assert words in card
    assert len(load_hands(tmp_path / "hands.npz")) == 30
    assert "2 spots" in good("data", "spots", task, "--out", tmp_path / "solved.npz", "--accuracy", "1")
    card = (tmp_path / "solved.npz.md").read_text()
    for words in ("fingerprint", "holdem data spots", "MIT", "| `strategy` |"):
        assert words in card


def test_what_is_wrong_is_said(task: Path, tmp_path: Path) -> None:
    out = tmp_path / "x.npz"
    assert "must have spots" in refused("data", "spots", "kuhn-v1", "--out", out)
    assert "two agents or more" in refused("data", "hands", "--agents", "maniac", "--out", out)
    assert "must be a file that ends in .npz" in refused("data", "hands", "--agents", "nit,nit", "--out", "x.csv")
    assert "Texas hold'em" in refused("data", "hands", "--agents", "random,random", "--rules", "kuhn", "--out", out)
    out.write_bytes(b"no")
    assert "exists already" in refused("data", "spots", task, "--out", out)
    mentions(complaint(load_hands, out), "this is no file of hands")
    mentions(complaint(load_solved_spots, tmp_path / "none.npz", kind=FileNotFoundError), "there is no such file")
    hands = make_hands(["maniac", "nit"], tmp_path / "y.npz", 2)
    save_hands(hands, tmp_path / "z.npz")
    mentions(complaint(load_solved_spots, tmp_path / "z.npz"), 1)


CHANGED: dict[str, Any] = {
    "button": lambda a: a.put(0, 100),
    "button below": (lambda a: a.put(0, -100)),
    "hole": lambda a: a.put(0, 120),
    "hole twice": lambda a: a.put(0, a.flat[1]),
    "board": lambda a: a.put(0, 77),
    "seating": lambda a: a.put(0, 2),
    "first_move": lambda a: a.put(1, 10**15),
    "first_move below": lambda a: a.put(1, -(10**6)),
}


@pytest.mark.parametrize("what", CHANGED)
def test_hands_that_cannot_be_are_refused_with_their_file(tmp_path: Path, what: str) -> None:
    path = tmp_path / "hands.npz"
    hands = make_hands(["maniac", "nit"], path, 10)
    CHANGED[what](hands.arrays[what.split()[0]])
    save_hands(hands, path)
    mentions(complaint(load_hands, path), path)


@pytest.mark.parametrize(
    ("name", "made"),
    [
        ("deal", lambda a: a.astype(str)),
        ("deal", lambda a: a[0]),
        ("hole", lambda a: a[:, :, 0]),
        ("button", lambda a: a[:-1]),
        ("payoff", lambda a: a.astype(np.float64)),
        ("move", lambda a: a.astype(np.int64)),
    ],
)
def test_arrays_of_other_forms_are_refused(tmp_path: Path, name: str, made: Any) -> None:
    path = tmp_path / "hands.npz"
    hands = make_hands(["maniac", "nit"], path, 10)
    save_hands(replace(hands, **{name: made(hands.arrays[name])}), path)
    mentions(complaint(load_hands, path), path)


def test_a_file_that_unpacks_to_too_much_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    make_hands(["maniac", "nit"], tmp_path / "hands.npz", 10)
    monkeypatch.setattr(array_files, "MOST_BYTES", 1_000)
    monkeypatch.setattr(array_files, "MOST_TIMES", 0)
    mentions(complaint(load_hands, tmp_path / "hands.npz"), "at most 1,000 bytes")


@pytest.mark.parametrize("move", [-(2**31), -2, 2**31 - 1, 1])
def test_illegal_moves_are_not_played(tmp_path: Path, move: int) -> None:
    hands = make_hands(["maniac", "nit"], tmp_path / "hands.npz", 10)
    hands.move[0] = move
    save_hands(hands, tmp_path / "changed.npz")
    mentions(complaint(lambda: list(load_hands(tmp_path / "changed.npz").decisions())), "is illegal")


@pytest.mark.filterwarnings("ignore:stacks")
def test_more_chips_than_the_arrays_hold_are_refused(tmp_path: Path) -> None:
    rules = Rules.preset("heads-up-no-limit", stacks=2**30)
    mentions(complaint(make_hands, ["maniac", "nit"], tmp_path / "x.npz", rules=rules, hands=2), "below 2,147,483,648")


def test_examples_are_what_encoders_give(tmp_path: Path) -> None:
    hands = make_hands(["maniac", "tight_aggressive"], tmp_path / "hands.npz", 40)
    every, own = hands.examples("flat", "fcpa"), hands.examples("flat", "fcpa", agent=1)
    assert len(every.action) == len(hands.move)
    assert 0 < len(own.action) < len(every.action)
    assert every.observation.shape == (len(hands.move), get_observation("flat").size(hands.rules))
    assert every.mask[np.arange(len(every.action)), every.action].all()
    mentions(complaint(hands.examples, "flat", "continuous"), "actions must have an index")
