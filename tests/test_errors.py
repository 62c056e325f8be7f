"""Bad input: each error names what was wrong and what would be right, and nothing changes."""

from __future__ import annotations

import math

import numpy as np
import pytest

from errors import complaint, mentions
from holdem_env import IllegalMove, Rules, Table, Tables, holdem_v0
from holdem_env.encoders import get_actions, get_observation
from holdem_env.engine.record import COLUMNS, MAX_STACK, column
from holdem_env.envs.learner_tables import LearnerTables


def contents(records: np.ndarray) -> dict[str, list]:
    """All fields of a record."""
    names = {*records.dtype.names, *COLUMNS} - {"seats", "made"}
    return {name: column(records, name).tolist() for name in names}


def three_handed() -> Table:
    return Table(Rules(seats=3, blinds=(10, 20), stacks=500), button=2, seed=1)


def all_of(table: Table) -> tuple:
    return contents(table.records), list(table.log), str(table)


ILLEGAL = [
    *(("raise_to", to, IllegalMove, ["seat 2", to, "fold", "call 20", "40..500"]) for to in (20, 39, 501, 10**15)),
    *(("raise_to", to, IllegalMove, ["above zero", "40..500"]) for to in (0, -1, -40)),
    *(("raise_to", to, TypeError, []) for to in (60.0, "60", None, math.nan)),
    *(("play", move, IllegalMove, ["call 20"]) for move in (-2, -100, 1, 39)),
    *(("play", move, IllegalMove, ["seat 2", "call 20"]) for move in (2**63, 2**70, -(2**70))),
    *(("play", move, TypeError, ["play", repr(move), "check or call"]) for move in ("call", 60.0, None)),
]


@pytest.mark.parametrize(("method", "given", "kind", "words"), ILLEGAL)
def test_an_illegal_move(method, given, kind, words):
    table = three_handed()
    before = all_of(table)
    mentions(complaint(getattr(table, method), given, kind=kind), *words)
    assert all_of(table) == before


def test_why_there_is_no_raise():
    limit = Table(Rules(structure="fixed_limit", seats=2, blinds=(1, 2), stacks=100, max_raises=(0, 0, 0, 0)), seed=1)
    mentions(complaint(limit.raise_to, 4, kind=IllegalMove), "capped", "call 1")
    short = Table(Rules(seats=3, blinds=(10, 20), stacks=(500, 500, 15)), button=2, seed=1)
    mentions(complaint(short.raise_to, 40, kind=IllegalMove), "stack", "call 15")
    pot = Table(Rules(structure="pot_limit", seats=3, blinds=(10, 20), stacks=500), button=2, seed=1)
    mentions(complaint(pot.raise_to, 71, kind=IllegalMove), 70, "pot")


@pytest.mark.parametrize(
    "move", [Table.fold, Table.check_call, Table.no_action, lambda t: t.raise_to(40), lambda t: t.play(-1)]
)
def test_a_move_after_the_hand_is_over(move):
    table = three_handed()
    table.fold()
    table.fold()
    assert table.is_over
    before = all_of(table)
    mentions(complaint(move, table, kind=IllegalMove), "over")
    assert all_of(table) == before


def test_undo_without_a_move():
    table = three_handed()
    before = all_of(table)
    mentions(complaint(table.undo, kind=IllegalMove), "undo", "no move")
    assert all_of(table) == before


@pytest.mark.parametrize("seat", [-1, 3, 10])
def test_a_seat_that_does_not_exist(seat):
    table = three_handed()
    for ask in (table.hole_cards, table.is_folded, table.is_shown):
        mentions(complaint(ask, seat), seat, "0..2")


@pytest.mark.parametrize("move", ["call", 60.0, None])
def test_a_move_of_the_environment_that_is_no_integer(move):
    env = holdem_v0.env(Rules())
    env.reset(seed=1)
    mentions(complaint(env.play, move, kind=TypeError), "play", repr(move), "fold")


@pytest.mark.parametrize("seat", [1.5, "1", None])
def test_a_seat_or_seed_that_is_no_integer(seat):
    mentions(complaint(Table, Rules(), button=seat, kind=TypeError), "button", repr(seat), "0..5")
    table = three_handed()
    for ask in (table.hole_cards, table.is_folded, table.is_shown):
        mentions(complaint(ask, seat, kind=TypeError), "seat", repr(seat), "0..2")
    mentions(complaint(Table, Rules(), seed="one", kind=TypeError), "seed", repr("one"), "integer")


def a_table(**given):
    return lambda: Table(Rules(seats=3), **given)


def some_tables(*given, **more):
    return lambda: Tables(Rules(), *given, **more)


def an_environment(**given):
    return lambda: holdem_v0.env(**given)


def sizes(text):
    return lambda: get_actions(text, Rules())


CANNOT_BE_MADE = [
    (a_table(deck="AsKx"), ["Kx", "card 2", "As"]),
    (a_table(deck="1s"), ["1s", "card 1"]),
    (a_table(deck="AsK"), ["K", "card 2"]),
    (a_table(deck="AsKdAs"), ["As", 0, 2]),
    (a_table(deck="As??As"), ["As", 0, 2]),
    (a_table(deck=[51, 3, 51]), ["As", 0, 2]),
    (a_table(deck=[3, 52]), [52, "0..51"]),
    (a_table(deck=[3, -2]), [-2, "0..51"]),
    (a_table(deck=[*range(52), 0]), [53, 52]),
    (a_table(deck="??" * 53), [53, 52]),
    (a_table(stacks=[500, 0, 500]), ["stacks", "seat 1", 0]),
    (a_table(stacks=[500, 500, -3]), ["stacks", "seat 2", -3]),
    (a_table(stacks=[500, 500]), ["stacks", 3, 2]),
    (a_table(stacks=[500] * 4), ["stacks", 3, 4]),
    (a_table(stacks=[MAX_STACK + 1, 500, 500]), ["stacks", "seat 0", MAX_STACK + 1, MAX_STACK]),
    (lambda: Table(Rules.preset("leaflet", seats=3), stacks=[500, 502, 500]), ["seat 1", 502, 5]),
    *((a_table(button=button), ["button", button, "0..2"]) for button in (-1, 3)),
    *((make(seed=seed), ["seed", seed]) for seed in (-1, 2**63) for make in (a_table, some_tables)),
    *((some_tables(**{name: 0}), [name, 0, 1]) for name in ("num_tables", "threads")),
    (lambda: get_observation("flatt"), ["flatt", "did you mean", "flat"]),
    (lambda: get_observation("flat, equity"), ["a plus sign joins names", "'flat+equity'"]),
    (sizes("limits"), ["limits", "did you mean", "limit"]),
    (sizes("33 75"), ["'33%, 75%'"]),
    (sizes("50"), ["'50%'"]),
    (sizes("50%, 50%"), ["twice"]),
    *((sizes(text), ["bet size"]) for text in ("50%, lots", "0%, 50%", "-5%, 50%", "50%, , 75%", "50%, 1e3x")),
    (some_tables(observation="flatt"), ["flat"]),
    (an_environment(actions="pot_fraction"), ["pot_fractions"]),
    (an_environment(mask_in_info="yes"), ["mask_in_info", "yes", "True", "False"]),
    (an_environment(num_hands=0), ["num_hands", 0, 1]),
    (an_environment(render_mode="svg"), ["render_mode", "svg", "ansi", "human"]),
    (an_environment(on_illegal="ignore"), ["on_illegal", "raise", "check_fold"]),
    (an_environment(reward_unit="euro"), ["reward_unit", "big_blind", "chips"]),
    (an_environment(observation="flatt"), ["flat"]),
]


@pytest.mark.parametrize(("make", "words"), CANNOT_BE_MADE)
def test_what_cannot_be_made(make, words):
    mentions(complaint(make), *words)


@pytest.mark.parametrize(
    ("make", "words"),
    [
        (a_table(deck=[51.0, 3]), []),
        (a_table(stacks=[500, 499.5, 500]), []),
        (lambda: get_observation(3), []),
        (sizes(3), []),
        *((some_tables(number), ["num_tables", "a whole number", number]) for number in ("5", 5.0, None)),
        *((lambda n=n: LearnerTables(Rules(), n, "random"), ["number of tables", n]) for n in ("5", 5.0, None)),
    ],
)
def test_what_is_of_another_type(make, words):
    mentions(complaint(make, kind=TypeError), *words)


@pytest.fixture
def tables():
    made = Tables(Rules(seats=2, blinds=(1, 2), stacks=20), num_tables=4, seed=3)
    made.step(np.array([1, 1, 1, 6]))  # three limps and a shove
    return made


def arrays_of(tables: Tables) -> tuple:
    names = ("observation", "mask", "actor", "done", "reward", "choices")
    return contents(tables.records), [getattr(tables, name).tolist() for name in names]


@pytest.mark.parametrize(
    ("actions", "words"),
    [
        ([1, 1, 1, 7], ["table 3", 7, "0..6", "fold"]),
        ([1, -1, 1, 1], ["table 1", -1, "0..6"]),
        ([0, 1, 1, 1], ["table 0", 0, "fold", "check or call"]),  # checking is free
        ([1, 1, 1, 2], ["table 3", 2, "raise min", "fold", "check or call"]),  # nobody has more
        ([1, 1, 1], [4, "(3,)"]),
        ([[1, 1, 1, 1]], [4, "(1, 4)"]),
        (1, [4, "()"]),
        ([1.0, 1.0, 1.0, 1.0], [4, "float64"]),
        (["a"] * 4, [4]),
        ([True] * 4, [4, "bool"]),
    ],
)
def test_actions_outside_the_space_or_the_mask(tables, actions, words):
    before = arrays_of(tables)
    mentions(complaint(tables.step, np.array(actions)), "actions", *words)
    assert arrays_of(tables) == before


def test_actions_of_unsigned_integers_beyond_the_engine(tables):
    before = arrays_of(tables)
    complaint(tables.step, np.array([1, 1, 1, 2**64 - 1], np.uint64))
    assert arrays_of(tables) == before


@pytest.mark.parametrize(
    "rules",
    [
        {"seats": 2, "stacks": 50},  # both blinds are all-in
        {"seats": 2, "blinds": (3, 4), "stacks": (3, 1000)},  # nothing can be called, with the button in either seat
        {"seats": 3, "blinds": (2, 4), "ante": 2, "stacks": (2, 2, 100)},
    ],
)
def test_a_game_in_which_nobody_ever_has_a_decision(rules):
    assert Table(Rules(**rules), seed=0).is_over
    mentions(complaint(Tables, Rules(**rules), num_tables=2), "decision", "stacks")


def test_a_bad_seed_for_reset_changes_nothing(tables):
    before = arrays_of(tables)
    mentions(complaint(tables.reset, -1), "seed", -1)
    assert arrays_of(tables) == before
    assert tables.seed == 3


@pytest.fixture
def env():
    made = holdem_v0.env(rules=Rules(seats=2, blinds=(1, 2), stacks=20), num_hands=2)
    made.reset(seed=3)
    made.step(1)
    return made


def state_of(env) -> tuple:
    seen = {agent: {k: v.tolist() for k, v in env.observe(agent).items()} for agent in env.possible_agents}
    kept = (env.agents, env.rewards, env._cumulative_rewards, env.terminations, env.truncations, env.infos)
    return contents(env.records), seen, [part.copy() for part in kept], env.agent_selection


@pytest.mark.parametrize(
    ("action", "words"),
    [
        (7, [7, "player_1", "check or call"]),
        (-1, [-1, "player_1", "check or call"]),
        (0, [0, "player_1", "1 (check or call"]),  # checking is free: no fold is offered
        (1.0, ["integer", "1.0"]),
        ("call", ["integer", "call"]),
        (None, ["None"]),
    ],
)
def test_an_action_outside_the_space_or_the_mask(env, action, words):
    before = state_of(env)
    mentions(complaint(env.step, action), *words)
    assert state_of(env) == before


def test_a_step_after_the_episode(env):
    while env.agents:
        env.step(None if env.terminations[env.agent_selection] else 1)
    records = contents(env.records)
    mentions(complaint(env.step, 1), "over", "reset")
    assert contents(env.records) == records


def test_an_action_for_an_agent_that_is_terminated(env):
    while not env.terminations[env.agent_selection]:
        env.step(1)
    records = contents(env.records)
    complaint(env.step, 1)
    assert contents(env.records) == records


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"deck": "AsAs"}, ["As"]),
        ({"deck": ["AsKd", "QhQh"]}, ["Qh"]),
        ({"deck": "AsZz"}, ["Zz"]),
        ({"stacks": [20, 0]}, ["seat 1", 0]),
        ({"stacks": [20]}, ["stacks", 2, 1]),
        ({"button": 2}, ["button", 2, "0..1"]),
    ],
)
def test_options_of_reset_that_cannot_be(env, options, words):
    before = state_of(env)
    mentions(complaint(env.reset, seed=4, options=options), *words)
    assert state_of(env) == before


@pytest.mark.parametrize("options", [{"deck": "AsAs"}, {"stacks": [20, 0]}, {"button": 2}])
def test_a_refused_reset_does_not_change_the_episodes_that_follow(options):
    env, undisturbed = (holdem_v0.env(rules=Rules(seats=2, blinds=(1, 2), stacks=20)) for _ in range(2))
    env.reset(seed=3)
    undisturbed.reset(seed=3)
    complaint(env.reset, options=options)
    env.reset()
    undisturbed.reset()
    assert contents(env.records) == contents(undisturbed.records)


def test_a_bad_seed_for_reset_of_the_environment_changes_nothing(env):
    before = state_of(env)
    mentions(complaint(env.reset, seed=-1), "seed", -1)
    assert state_of(env) == before


def test_an_environment_that_was_not_reset():
    env = holdem_v0.env(Rules(seats=2))
    for ask in (env.last, lambda: env.step(0), lambda: env.play(0)):
        mentions(complaint(ask), "call", "reset")
    env.reset(seed=1)
    env.play(-1)
    while env.agents:
        env.step(None)
    mentions(complaint(env.last), "over", "call", "reset")


def test_an_agent_that_does_not_exist():
    env = holdem_v0.env(Rules(seats=2))
    env.reset(seed=1)
    for ask in (env.observe, env.observation_space, env.action_space):
        mentions(complaint(ask, "player_9"), "no agent", "player_9", "player_0", "player_1")
