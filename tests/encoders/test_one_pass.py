"""Stepping, offering and observing in one pass brings what the passes bring one after the other."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from numba.core.errors import TypingError

from holdem_env import Rules, Tables, holdem_v0
from holdem_env.compiled.compiler import kernel
from holdem_env.compiled.tricks import uses
from holdem_env.encoders import ActionEncoder, Flat, action_encoder, get_actions, get_observation, observation_encoder
from holdem_env.encoders.actions import PotFractions
from holdem_env.encoders.one_pass import CHUNK, addresses

HAS_ADDRESSES = uses("calls")
ARRAYS = ("observation", "mask", "choices", "actor", "done", "reward", "session_over", "place")
FREEZEOUT = {"levels": [{"hands": 3}, {"times": 2, "hands": 3}, {"times": 4}]}
GAMES = [
    Rules.preset("heads-up-no-limit"),
    Rules.preset("six-max-no-limit"),
    Rules.preset("heads-up-limit"),
    Rules(structure="pot_limit", seats=10, blinds=(1, 2), stacks=60),
    Rules(seats=4, blinds=(1, 2), stacks=40, session=FREEZEOUT),
]


class SeveralPasses(Flat):
    """The same, but for `Tables`, which cannot know that."""

    def observe(self, tables, rules, rows, seats, out):
        super().observe(tables, rules, rows, seats, out)


@pytest.mark.fast_cases(3)
@pytest.mark.parametrize("rules", GAMES, ids=lambda rules: f"{rules.structure}-{rules.seats}")
@pytest.mark.parametrize("threads", [1, 3])
def test_one_pass_is_as_several(rules: Rules, threads: int) -> None:
    count = 2 * CHUNK + 7
    one = Tables(rules, count, seed=5, threads=threads)
    several = Tables(rules, count, observation=SeveralPasses(), seed=5)
    assert bool(one._kernels) is HAS_ADDRESSES
    assert not several._kernels
    for _ in range(60):
        actions = one.random_actions()
        np.testing.assert_array_equal(actions, several.random_actions())
        one.step(actions)
        several.step(actions)
        for name in ARRAYS:
            np.testing.assert_array_equal(getattr(one, name), getattr(several, name), name)


@pytest.mark.parametrize("observation", ["planes", "tokens", "equity", "classic", "flat+equity"])
@pytest.mark.parametrize("actions", ["limit", "all_sizes", "2x, 50%, 1x, pot"])
def test_every_encoder_sees_the_tables_as_they_are(observation: str, actions: str) -> None:
    rules = Rules.preset("heads-up-no-limit")
    tables = Tables(rules, 100, observation, actions, seed=1)
    for _ in range(30):
        tables.step(tables.random_actions())
    seen, choices = np.zeros_like(tables._seen), np.zeros_like(tables.choices)
    rows = np.arange(100)
    tables.observation_encoder.observe(tables.records, rules.record, rows, tables.actor, seen)
    tables.action_encoder.choose(tables.records, rules.record, rows, choices)
    np.testing.assert_array_equal(tables._seen, seen)
    np.testing.assert_array_equal(tables.choices, choices)


@pytest.mark.fast_cases(2)
@pytest.mark.parametrize("session", [None, FREEZEOUT], ids=["hand", "freezeout"])
@pytest.mark.parametrize("rules", GAMES[:3], ids=lambda rules: f"{rules.structure}-{rules.seats}")
def test_one_table_is_looked_at_as_in_passes(rules: Rules, session: dict[str, Any] | None) -> None:
    one, passes = (holdem_v0.env(rules, encoder, session=session) for encoder in (Flat(), SeveralPasses()))
    generator = np.random.default_rng(0)
    for seed in range(3 if session else 30):
        one.reset(seed=seed)
        passes.reset(seed=seed)
        while one.agents:
            assert passes.agent_selection == one.agent_selection
            for agent in one.possible_agents:
                for name in ("observation", "action_mask"):
                    np.testing.assert_array_equal(one.observe(agent)[name], passes.observe(agent)[name])
            offered = one.observe(one.agent_selection)["action_mask"].nonzero()[0]
            action = generator.choice(offered) if len(offered) else None
            one.step(action)
            passes.step(action)
            assert one.rewards == passes.rewards


def test_observations_are_arrays_of_their_own() -> None:
    env = holdem_v0.env(GAMES[0])
    env.reset(seed=0)
    first = env.observe(env.agent_selection)
    kept = {name: array.copy() for name, array in first.items()}
    second = env.observe(env.agent_selection)
    for name, array in second.items():
        array[:] = 7
        np.testing.assert_array_equal(first[name], kept[name])
    env.step(1)
    for name, array in first.items():
        np.testing.assert_array_equal(array, kept[name])


def test_who_has_more_than_a_kernel_is_called() -> None:
    class Doubled(Flat):
        def observe(self, tables, rules, rows, seats, out):
            super().observe(tables, rules, rows, seats, out)
            out *= 2

    class NoAllIn(PotFractions):
        def choose(self, tables, rules, rows, choices):
            super().choose(tables, rules, rows, choices)
            choices[:, -1] = -2

    rules = Rules.preset("heads-up-no-limit")
    plain = Tables(rules, 16)
    for tables in (Tables(rules, 16, observation=Doubled()), Tables(rules, 16, actions=NoAllIn())):
        plain.reset()
        for _ in range(3):
            plain.step(np.ones(16, int))
            tables.step(np.ones(16, int))
        if isinstance(tables.observation_encoder, Doubled):
            np.testing.assert_array_equal(tables.observation, 2 * plain.observation)
        else:
            assert not tables.mask[:, -1].any()


def test_what_has_no_kernel() -> None:
    @observation_encoder(size=1)
    def nothing(t, r, seat, out):
        out[0] = 0.0

    @action_encoder(["call"])
    def passive(t, r, choices):
        choices[0] = 0

    kernels = get_observation("flat"), get_actions("limit", GAMES[0])
    assert bool(addresses(*kernels)) is HAS_ADDRESSES
    assert addresses(nothing, kernels[1]) is addresses(kernels[0], passive) is None
    assert addresses(get_observation("flat+equity"), kernels[1]) is None


@kernel
def choose_by_chance(tables, rules, rows, thresholds, choices):
    """Call, and raise the least where a threshold is above the number of moves made."""
    for k in range(rows.size):
        t = tables[rows[k]]
        choices[k, 0] = 0
        choices[k, 1] = t.raise_min if t.raise_max > 0 and t.moves < thresholds[0] else -2


class ByThreshold(ActionEncoder):
    """Has parameters of another kind than the one pass takes for granted."""

    name = "by_threshold"
    kernel = staticmethod(choose_by_chance)
    parameters = np.array([2.5, 0.0])  # type: ignore[assignment]

    def meanings(self, rules: Rules) -> list[str]:
        return ["call", "raise"]


def test_parameters_of_any_kind() -> None:
    encoder = ByThreshold()
    assert addresses(Flat(), encoder) is None
    tables = Tables(GAMES[0], 4, actions=encoder)
    env = holdem_v0.env(GAMES[0], actions=encoder)
    env.reset(seed=0)
    for _ in range(4):
        np.testing.assert_array_equal(env.observe(env.agent_selection)["action_mask"], tables.mask[0])
        action = int(tables.mask[0, 1])
        tables.step(np.full(4, action))
        env.step(action)


def test_new_parameters_count_at_once() -> None:
    env = holdem_v0.env(GAMES[0], actions=PotFractions("min, 100%"))
    env.reset(seed=0)
    env.unwrapped.action_encoder.parameters = PotFractions("min, 200%").parameters
    env.step(1)
    assert env.unwrapped._view.moves.tolist() == [-2, 0, 4, 10]


@pytest.mark.slow
@pytest.mark.skipif(not HAS_ADDRESSES, reason="nothing is called by its address")
def test_parameters_that_become_others_are_refused() -> None:
    encoder = PotFractions("min, 100%")
    tables, env = Tables(GAMES[0], 4, actions=encoder), holdem_v0.env(GAMES[0], actions=encoder)
    env.reset(seed=0)
    encoder.parameters = np.zeros(3)  # type: ignore[assignment]
    for step in (lambda: tables.step(np.ones(4, int)), lambda: env.step(1)):
        with pytest.raises(TypingError, match="a kernel called by its address takes arrays like"):
            step()


def test_an_encoder_with_neither_says_so() -> None:
    class Nothing(Flat):
        name = "nothing"
        kernel = None

    with pytest.raises(NotImplementedError, match="'nothing' has neither `observe` nor a `kernel`"):
        Tables(GAMES[0], 4, observation=Nothing())
