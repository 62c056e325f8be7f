"""Damaged states: load refuses them with a sentence, or they play without a crash. Every field of TABLE is checked."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from holdem_env import Rules, Tables
from holdem_env.engine import invariants
from holdem_env.engine.record import TABLE, column
from holdem_env.table.saving import State

RULES = Rules.preset("heads-up-no-limit")


def loaded(state: State, rules: Rules = RULES) -> Tables:
    tables = Tables(rules, num_tables=4)
    tables.load_state_dict(state)
    return tables


def test_every_field_has_a_range_or_stands_among_those_that_may_be_anything() -> None:
    fields, limited, free = invariants.all_fields(), set(invariants.LIMITS), set(invariants.ANYTHING)
    assert sorted(limited | free) == sorted(fields)
    assert not limited & free


IMPOSSIBLE = [("aggressor", 77, "aggressor 77"), ("phase_seat", 30, "phase_seat 30")]
IMPOSSIBLE += [("straddle_seat", -9, "straddle_seat -9"), ("follow_ups", 64, "follow_ups 64"), ("pots", 99, "pots 99")]
IMPOSSIBLE += [("live", 1, "live is not the number of seats with in_hand")]
IMPOSSIBLE += [("over", 1, "somebody is to act in a hand that is over")]
IMPOSSIBLE += [("pot", 10, "stacks, pot and rake are not the chips of the beginning")]
IMPOSSIBLE += [("reshuffles", -1, "reshuffles -1"), ("held_out", 1, "held_out"), ("presence", 3, "presence")]
IMPOSSIBLE += [("dealt", 5, "dealt 5"), ("raise_max", 10**9, "the raise range is impossible")]
IMPOSSIBLE += [("cursor", 50, "cursor is not where"), ("showing", 3, "showing 3")]
IMPOSSIBLE += [("showing", 1, "somebody is to act in a hand that is over"), ("last_shown", 53, "last_shown")]
IMPOSSIBLE += [("shown_age", 3, "shown_age 3"), ("has_words", 1, "has_words 1")]
IMPOSSIBLE += [("premature_after", -1, "premature_after"), ("round_began", -5, "round_began -5")]
IMPOSSIBLE += [("street_bets", 7, "chips in seats that the game does not have|bets on a street that has not come")]
IMPOSSIBLE += [("bet_acted_on", 7, "chips in seats that the game does not have|a seat acted")]


@pytest.mark.parametrize(("name", "value", "words"), IMPOSSIBLE)
def test_a_field_that_cannot_be_so(name: str, value: int, words: str) -> None:
    state = Tables(RULES, num_tables=4).state_dict()
    column(state["records"].view(TABLE)[:, 0], name)[2] = value
    with pytest.raises(ValueError, match=f"the state is damaged: table 2 has {words}"):
        loaded(state)


@pytest.mark.parametrize("card", [-1, 52, 5], ids=["unknown", "out of range", "double"])
def test_an_impossible_deck(card: int) -> None:
    state = Tables(RULES, num_tables=4).state_dict()
    deck = state["records"].view(TABLE)[:, 0]["deck"][1]
    deck[30 if deck[30] != card else 31] = card
    with pytest.raises(ValueError, match=r"damaged: table 1 has (the deck is not the game's, each card once|deck )"):
        loaded(state)


def test_a_card_of_another_stages_deck() -> None:
    """The deck is checked against the game that the hand plays."""
    session = {"phases": [{"deck": "AsKsQsJsTsAhKhQhJhTh9h9s8h8s", "hands": 1}, {"hands": 1}]}
    rules = Rules(seats=3, stacks=500, blinds=(5, 10), session=session)
    state = Tables(rules, num_tables=4).state_dict()
    assert loaded(state, rules).num_tables == 4
    state["records"].view(TABLE)[:, 0]["deck"][0, 12] = 0
    with pytest.raises(ValueError, match="table 0 has the deck is not the game's"):
        loaded(state, rules)


WRONG_ARRAYS = [("reward", np.full((4, 2), "much")), ("done", np.ones(4, np.float64)), ("seed", np.array(-5))]
WRONG_ARRAYS += [("seed", np.array("seven")), ("records", np.zeros((4, TABLE.itemsize), np.float32))]
WRONG_ARRAYS += [("rules", np.array("{")), ("layout", np.array("[")), ("layout", np.array("[1]"))]
WRONG_ARRAYS += [("format", np.array("new")), ("format", np.array([1, 1])), ("seed", np.array([3, 4]))]
WRONG_ARRAYS += [("records", np.zeros((4, TABLE.itemsize), np.uint16)), ("records", np.array(5, np.uint8))]
WRONG_ARRAYS += [("place", np.full((4, 2), 3)), ("layout", np.array("[" * 100_000))]


@pytest.mark.parametrize(
    ("name", "value"),
    WRONG_ARRAYS,
    ids=lambda value: value if isinstance(value, str) else f"{value.dtype}{list(value.shape)}",
)
def test_other_arrays_of_the_wrong_kind_change_nothing(name: str, value: np.ndarray) -> None:
    tables = Tables(RULES, num_tables=4, seed=3)
    before = tables.state_dict()
    with pytest.raises(
        ValueError, match=r"the state is damaged: its (seed|.(reward|done|seed|records|layout|format|place))|Rules"
    ):
        tables.load_state_dict({**Tables(RULES, num_tables=4, seed=4).state_dict(), name: value})
    for key, array in tables.state_dict().items():
        assert array.tobytes() == before[key].tobytes(), key


@pytest.mark.slow
def test_random_damage_is_refused_or_plays() -> None:
    """Fields and bytes of 80 states of many games. `tests/engine/test_plain_python.py` tries more, with all checks."""
    script = Path(__file__).with_name("damaged_states.py")
    done = subprocess.run([sys.executable, str(script), "80"], capture_output=True, text=True, timeout=500, check=False)
    assert done.returncode == 0, done.stderr[-3000:]
    refused, played = map(int, done.stdout.split())
    assert refused > 40
    assert played > 2


def test_a_file_of_which_bytes_were_changed_is_refused_or_plays(tmp_path: Path) -> None:
    path, generator = tmp_path / "tables.npz", np.random.default_rng(1)
    Tables(RULES, num_tables=2).save(path)
    whole = path.read_bytes()
    for _ in range(200):
        data = bytearray(whole)
        for at in generator.integers(-1200, 1200, 2):  # the first header, and the directory at the end
            data[at] = generator.integers(0, 256)
        path.write_bytes(data[: generator.integers(0, len(data))] if generator.random() < 0.1 else data)
        try:
            tables = Tables.restore(path)
        except ValueError:
            continue
        tables.step(tables.random_actions())


@pytest.mark.parametrize("name", ["rules", "layout"])
def test_texts_of_which_letters_were_changed_are_refused_or_play(name: str) -> None:
    state, generator = Tables(RULES, num_tables=4).state_dict(), np.random.default_rng(2)
    tables = Tables(RULES, num_tables=4)
    for _ in range(200):
        text = list(str(state[name]))
        text[generator.integers(0, len(text))] = chr(generator.integers(32, 127))
        try:
            tables.load_state_dict({**state, name: np.array("".join(text))})
        except ValueError:
            continue
        tables.step(tables.random_actions())
