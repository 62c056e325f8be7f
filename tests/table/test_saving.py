"""Tables in a file: they go on where they were, and what cannot be read says why and changes nothing."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from errors import complaint, mentions
from holdem_env import Rules, Tables
from holdem_env.game.rules_record import DEALER_ERRORS

HEADS_UP = Rules.preset("heads-up-no-limit")
GAMES = [
    HEADS_UP,
    Rules.preset("leaflet"),
    Rules(structure="fixed_limit", seats=3, ante=10, rake={"percent": 5, "cap": 300}),
    Rules(seats=4, straddle=True, stacks=(300, 2000, 10_000, 450)),
    Rules(seats=5, dealer_errors=dict.fromkeys(DEALER_ERRORS, 0.5)),
]
ARRAYS = ("records", "observation", "mask", "actor", "done", "reward")


def play(tables: Tables, steps: int, seed: int) -> None:
    generator = np.random.default_rng(seed)
    for _ in range(steps):
        tables.step((generator.random(tables.mask.shape) * tables.mask).argmax(axis=1))


def assert_alike(one: Tables, two: Tables) -> None:
    """The records field by field: what stands in the gaps between fields means nothing."""
    for name in ARRAYS:
        np.testing.assert_array_equal(getattr(one, name), getattr(two, name))
    assert (one.rules, one.seed) == (two.rules, two.seed)


@pytest.mark.parametrize("rules", GAMES, ids=lambda rules: f"{rules.structure}-{rules.seats}")
def test_tables_go_on_from_a_file(rules: Rules, tmp_path: Path) -> None:
    tables = Tables(rules, num_tables=40, seed=5)
    for k in range(5):
        play(tables, 13, seed=k)
        tables.save(tmp_path / "tables.npz")
        twin = Tables.restore(tmp_path / "tables.npz", threads=2)
        assert_alike(tables, twin)
        play(twin, 30, seed=k + 100)
        tables.load_state_dict(tables.state_dict())
        play(tables, 30, seed=k + 100)
        assert_alike(tables, twin)
    assert [path.name for path in tmp_path.iterdir()] == ["tables.npz"]


@pytest.mark.slow
def test_another_process_goes_on_alike(tmp_path: Path) -> None:
    tables = Tables(HEADS_UP, num_tables=8, seed=1)
    play(tables, 10, seed=0)
    tables.save(tmp_path / "a")
    script = (
        "import numpy as np; from holdem_env import Tables; t = Tables.restore('a')\n"
        "for _ in range(20): t.step(np.ones(8, int))\nt.save('b')"
    )
    subprocess.run([sys.executable, "-c", script], check=True, cwd=tmp_path)
    for _ in range(20):
        tables.step(np.ones(8, int))
    assert_alike(Tables.restore(tmp_path / "b"), tables)


def test_a_state_is_a_copy_of_plain_arrays() -> None:
    tables = Tables(HEADS_UP, num_tables=8)
    state = tables.state_dict()
    kept = {name: array.copy() for name, array in state.items()}
    play(tables, 20, seed=0)
    for name, array in state.items():
        assert array.dtype != object
        assert array.tobytes() == kept[name].tobytes()
    tables.load_state_dict(state)
    assert_alike(tables, Tables(HEADS_UP, num_tables=8))


def test_encoders_are_given_again(tmp_path: Path) -> None:
    Tables(HEADS_UP, num_tables=8, actions="33%, all-in").save(tmp_path / "tables.npz")
    assert Tables.restore(tmp_path / "tables.npz").mask.shape == (8, 7)
    assert Tables.restore(tmp_path / "tables.npz", actions="33%, all-in").mask.shape == (8, 4)


def change_layout(layout: str) -> np.ndarray:
    fields = json.loads(layout)
    fields["seats.stack"][0] = "<i4"
    return np.array(json.dumps({**fields, "colour": ["<i8", [], 0]}))


def set_byte(records: np.ndarray, name: str, value: int) -> np.ndarray:
    damaged = records.copy()
    damaged[3, Tables(HEADS_UP, 1).records.dtype.fields[name][1]] = value
    return damaged


@pytest.mark.parametrize(
    ("name", "change", "words"),
    [
        ("layout", lambda old: change_layout(str(old)), "laid out differently .* what differs: seats.stack, colour"),
        ("format", lambda _: np.array(99), "format 99"),
        ("rules", lambda _: np.array(Rules(seats=2, stacks=150).model_dump_json()), "stacks 150, here 200"),
        ("records", lambda old: old[:5], r"'records' has shape \(5, \d+\); 8 tables need \(8, "),
        ("reward", lambda old: old[:, :1], r"'reward' has shape \(8, 1\)"),
        ("records", lambda old: set_byte(old, "actor", 77), "damaged: table 3 has actor"),
        ("records", lambda old: set_byte(old, "hole", 99), "damaged: table 3 has hole"),
    ],
)
def test_a_state_that_does_not_fit_changes_nothing(name: str, change: object, words: str) -> None:
    tables = Tables(HEADS_UP, num_tables=8)
    state = tables.state_dict()
    play(tables, 7, seed=0)
    before = {array: getattr(tables, array).tobytes() for array in ARRAYS}
    state[name] = change(state[name])
    assert re.search(words, complaint(tables.load_state_dict, state))
    for array, old in before.items():
        assert getattr(tables, array).tobytes() == old
    del state[name]
    assert re.search(f"not a state of Tables: it has no '{name}'", complaint(tables.load_state_dict, state))


def test_files_that_are_something_else(tmp_path: Path) -> None:
    complaint(Tables.restore, tmp_path / "none.npz", kind=FileNotFoundError)
    (tmp_path / "text.npz").write_text("hello")
    (tmp_path / "empty.npz").touch()
    np.save(tmp_path / "array.npy", np.ones(3))
    Tables(HEADS_UP, num_tables=8).save(tmp_path / "whole.npz")
    (tmp_path / "half.npz").write_bytes((tmp_path / "whole.npz").read_bytes()[:3000])
    for name in ("text.npz", "empty.npz", "array.npy", "half.npz"):
        with pytest.raises(ValueError, match=rf"{name}: not a file that Tables.save has written"):
            Tables.restore(tmp_path / name)
    np.savez(tmp_path / "other.npz", weights=np.ones(3))
    mentions(complaint(Tables.restore, tmp_path / "other.npz"), "format", "other.npz")


def test_whatever_is_wrong_in_a_file_is_said_with_its_name(tmp_path: Path) -> None:
    state = Tables(HEADS_UP, num_tables=2).state_dict()
    wrong: dict[str, Any] = {"layout": '{"a": 1}', "rules": '{"seats": 99}', "seed": -1, "place": state["place"] - 1}
    for name, value in wrong.items():
        np.savez(tmp_path / "wrong.npz", **{**state, name: np.array(value)})
        mentions(complaint(Tables.restore, tmp_path / "wrong.npz"), "wrong.npz")
    np.savez_compressed(tmp_path / "small.npz", **state)
    mentions(complaint(Tables.restore, tmp_path / "small.npz"), "small.npz", "compressed")


BETTING = [{"structure": "fixed_limit", "hands": 2}, {"structure": "no_limit", "hands": 2}]
HANDS = [
    {"game": "leduc", "hands": 2},
    {"game": "omaha", "hands": 2},
    {"deck": "AsKsQsJsTsAhKhQhJhTh9h9s8h8s", "hands": 1},
]


@pytest.mark.parametrize("phases", [BETTING, HANDS])
def test_a_session_goes_on_from_a_file(tmp_path: Path, phases: list[dict[str, Any]]) -> None:
    """Places and the end of a session too, and stages of mixed hold'em."""
    session = {"phases": phases, "levels": [{"hands": 3}, {"times": 2}]}
    rules = Rules(seats=3, blinds=(50, 100), stacks=500, session=session)
    tables = Tables(rules, num_tables=64, seed=1)
    while not tables.session_over.any():
        tables.step(tables.random_actions())
    tables.save(tmp_path / "tables.npz")
    again = Tables.restore(tmp_path / "tables.npz")
    for _ in range(50):
        for name in ("observation", "mask", "reward", "done", "session_over", "place"):
            np.testing.assert_array_equal(getattr(again, name), getattr(tables, name))
        actions = tables.random_actions()
        tables.step(actions)
        again.step(actions)
