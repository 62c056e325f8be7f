"""Actions for any amount: `all_sizes`, and numbers (`continuous`, `continuous_pair`)."""

from __future__ import annotations

import copy
import pickle
import re
import warnings

import numpy as np
import pytest
from numpy.typing import NDArray
from pettingzoo.test import seed_test

from encoders.seeing import GAMES, ONE_ROW, hands
from envs.api import api_test
from envs.test_aec import UNAVOIDABLE
from errors import complaint, mentions
from holdem_env import Rules, Table, Tables, holdem_v0
from holdem_env.encoders import BoxActionEncoder, EncoderError, action_names, get_actions
from holdem_env.encoders.amounts import AllSizes
from holdem_env.engine.batch import NO_MOVE
from holdem_env.testing import check_encoder

HEADS_UP = Rules.preset("heads-up-no-limit")
CONTINUOUS = ["continuous", "continuous_pair"]
each_game = pytest.mark.parametrize("rules", GAMES, ids=lambda rules: f"{rules.structure}-{rules.seats}")


def choices(name: str, table: Table) -> NDArray[np.int64]:
    encoder = get_actions(name, table.rules)
    out = np.full((1, encoder.size(table.rules)), 77, np.int64)
    encoder.choose(table.records, table.rules.record, ONE_ROW, out)
    return out[0]


def move(table: Table, *numbers: float) -> int:
    """The engine move that numbers mean."""
    encoder = get_actions(CONTINUOUS[len(numbers) - 1], table.rules)
    assert isinstance(encoder, BoxActionEncoder)
    moves = np.full(1, 77, np.int64)
    encoder.decode(table.records, table.rules.record, ONE_ROW, np.array([numbers], np.float32), moves)
    return int(moves[0])


@pytest.mark.fast_cases(12)
@each_game
@pytest.mark.parametrize("name", action_names())
def test_what_is_offered_is_legal(name: str, rules: Rules) -> None:
    for table in hands(rules, 3, seed=4):
        offered = [int(move) for move in choices(name, table) if move != NO_MOVE]
        assert bool(offered) == (not table.is_over)
        raises = [move for move in offered if move > 0]
        assert len(set(raises)) == len(raises)
        for move in offered:
            table.copy().play(move)


@each_game
def test_all_sizes_offers_every_legal_raise(rules: Rules) -> None:
    for table in hands(rules, 3, seed=6):
        offered = choices("all_sizes", table)
        raises = [int(move) for move in offered[2:] if move != NO_MOVE]
        if table.legal.raise_min is None or table.legal.raise_max is None:
            assert raises == []
        else:
            assert raises == list(range(table.legal.raise_min, table.legal.raise_max + 1, rules.smallest_chip))
        assert all(move == (1 + k) * rules.smallest_chip for k, move in enumerate(offered[2:]) if move != NO_MOVE)


def test_all_sizes_meanings() -> None:
    rules = Rules(seats=2, blinds=(5, 10), stacks=(20, 30), smallest_chip=5)
    meanings = [f"raise to {chips}" for chips in (5, 10, 15, 20, 25, 30)]
    assert AllSizes().meanings(rules) == ["fold", "check or call", *meanings]
    assert AllSizes(largest=10).meanings(rules) == ["fold", "check or call", *meanings[:2]]
    assert AllSizes().space(rules).n == 8


def test_all_sizes_beyond_the_largest() -> None:
    table = Table(HEADS_UP, stacks=[500, 500], seed=0)
    assert choices("all_sizes", table).max() == 200, "an action for every amount up to the largest starting stack"
    table.raise_to(450)
    assert [int(move) for move in choices("all_sizes", table) if move != NO_MOVE] == [-1, 0]


def test_too_many_sizes_are_an_error() -> None:
    mentions(complaint(Tables, Rules(stacks=100_000), 1, actions="all_sizes"), "100,000", 1, "100,002", "continuous")
    assert Tables(Rules(stacks=100_000, smallest_chip=50), 1, actions="all_sizes").mask.shape == (1, 2002)


def test_thirds_of_one_number() -> None:
    table = Table(HEADS_UP, seed=0)
    assert [move(table, x) for x in (-1, -0.34, -0.33, 0, 0.33)] == [-1, -1, 0, 0, 0]
    assert move(table, 0.34) == 4
    assert move(table, 1) == 200
    assert move(table, 2 / 3) == pytest.approx((4 * 200) ** 0.5, abs=1), "half way: the geometric mean"
    sizes = [move(table, x) for x in np.linspace(0.34, 1, 200)]
    assert sizes == sorted(sizes)
    assert len(set(sizes)) > 80
    table.check_call()
    assert move(table, -1) == 0, "a fold where checking is free is a check"


def test_two_numbers() -> None:
    table = Table(HEADS_UP, seed=0)
    assert [move(table, -1, x) for x in (-1, 0, 1)] == [-1] * 3
    assert [move(table, 0, x) for x in (-1, 0, 1)] == [0] * 3
    assert [move(table, 0.5, x) for x in (-1, 1)] == [4, 200]
    assert move(table, 1, 0) == pytest.approx((4 * 200) ** 0.5, abs=1)
    table.raise_to(200)
    assert move(table, 1, 1) == 0, "a raise where none is legal is a call"


@pytest.mark.fast_cases(4)
@each_game
@pytest.mark.parametrize("numbers", [1, 2])
def test_any_numbers_are_a_legal_move(rules: Rules, numbers: int) -> None:
    generator = np.random.default_rng(0)
    for table in hands(rules, 3, seed=7):
        if table.is_over:
            continue
        corners = [(1.0,) * numbers, (-1.0,) * numbers, (1 / 3,) * numbers, (0.0,) * numbers]
        for action in [*corners, *generator.uniform(-1, 1, (5, numbers)).tolist()]:
            played = move(table, *action)
            table.copy().play(played)
            assert played != -1 or table.legal.call != 0
        if table.legal.raise_max is not None:
            assert move(table, *(1.0,) * numbers) == table.legal.raise_max


@pytest.mark.slow
@pytest.mark.parametrize("name", CONTINUOUS)
def test_continuous_in_tables(name: str) -> None:
    rules = Rules(seats=3, blinds=(1, 2), stacks=100)
    tables = Tables(rules, 50, actions=name, seed=3)
    width = CONTINUOUS.index(name) + 1
    twins = [Tables(rules, 50, actions=name, seed=3, threads=2), pickle.loads(pickle.dumps(tables))]
    generator = np.random.default_rng(1)
    for _ in range(100):
        assert tables.mask.shape == (50, 3)
        raises = tables.records["raise_max"] > 0
        np.testing.assert_array_equal(tables.mask[:, 2], raises)
        assert (tables.mask[:, 1] == 1).all()
        actions = generator.uniform(-1, 1, (50, width))
        expected = np.empty(50, np.int64)
        tables.action_encoder.decode(  # type: ignore[attr-defined]
            tables.records, rules.record, np.arange(50), actions.astype(np.float32), expected
        )
        before = tables.records["moves"].copy()
        tables.step(actions)
        going = tables.records["moves"] > before
        at = before[going] % 64
        np.testing.assert_array_equal(tables.records["made"]["move"][going, at], expected[going])
        for twin in twins:
            twin.step(actions)
            np.testing.assert_array_equal(twin.observation, tables.observation)
    assert tables.records["hand"].sum() > 100


@pytest.mark.parametrize(
    ("actions", "message"),
    [
        ([[0.0]] * 3, r"array of shape \(4, 1\); this has shape \(3, 1\)"),
        ([0.0] * 4, r"array of shape \(4, 1\); this has shape \(4,\)"),
        ([["x"]] * 4, "dtype <U1"),
        ([[True]] * 4, "dtype bool"),
        ([[None]] * 4, "dtype object"),
        ([[0.0], [0.0], [np.nan], [0.0]], "nan at table 2"),
        ([[0.0], [np.inf], [np.nan], [0.0]], "inf at table 1"),
    ],
)
def test_what_is_no_number_is_an_error_and_changes_nothing(actions: object, message: str) -> None:
    tables = Tables(HEADS_UP, 4, actions="continuous")
    before = tables.records.copy()
    with pytest.raises(ValueError, match=message):
        tables.step(actions)  # type: ignore[arg-type]
    np.testing.assert_array_equal(tables.records, before)


def test_numbers_beyond_the_space_are_cut() -> None:
    tables = Tables(HEADS_UP, 3, actions="continuous")
    tables.step([[1000.0], [-7], [0]])
    assert tables.records["bet_to_match"].tolist() == [200, 2, 2]
    assert tables.done.tolist() == [False, True, False]


@pytest.mark.parametrize("name", CONTINUOUS)
@pytest.mark.parametrize("rules", [HEADS_UP, GAMES[4], Rules.preset("heads-up-limit")])
def test_continuous_in_pettingzoo(name: str, rules: Rules) -> None:
    env = holdem_v0.env(rules=rules, actions=name, num_hands=3)
    with warnings.catch_warnings(record=True) as seen:
        warnings.simplefilter("always")
        api_test(env, num_cycles=100)
    assert {str(warning.message) for warning in seen} <= UNAVOIDABLE
    seed_test(lambda: holdem_v0.env(rules=rules, actions=name, num_hands=5), num_cycles=20)


def test_continuous_in_the_aec_environment() -> None:
    env = holdem_v0.env(rules=HEADS_UP, actions="continuous")
    env.reset(seed=0)
    seen = env.observe("player_0")
    assert list(seen) == ["observation"], "every action is legal, so there is no mask"
    assert env.observation_space("player_0").contains(seen)
    before = env.records.copy()
    for action in (None, 0.5, [0.1, 0.2], "call", [np.nan], ["x"]):
        assert re.search(r"shape|give numbers|nan", complaint(env.step, action))
    np.testing.assert_array_equal(env.records, before)
    twin = copy.deepcopy(env)
    env.step(np.array([1.0], np.float32))
    assert env.records["bet_to_match"][0] == 200
    twin.step([0])
    assert twin.records["bet_to_match"][0] == 2
    lenient = holdem_v0.env(rules=HEADS_UP, actions="continuous", on_illegal="check_fold")
    lenient.reset(seed=0)
    lenient.step([np.nan])
    assert all(lenient.terminations.values()), "facing a bet: a fold"


def test_an_encoder_that_decodes_to_illegal_moves_is_told_so() -> None:
    class Wild(BoxActionEncoder):
        name = "wild"

        def shape(self, rules: Rules) -> tuple[int, ...]:
            return (1,)

        def decode(self, tables, rules, rows, actions, moves):  # type: ignore[no-untyped-def]
            moves[:] = 3

    tables = Tables(HEADS_UP, 2, actions=Wild())
    mentions(complaint(tables.step, [[0.0], [0.0]], kind=EncoderError), "wild", 0)
    env = holdem_v0.env(rules=HEADS_UP, actions=Wild(), on_illegal="check_fold")
    env.reset(seed=0)
    mentions(complaint(env.step, [0.0], kind=EncoderError), "wild")


@pytest.mark.parametrize("stack", [200, 12, 5])
def test_fcpa_is_openspiels(stack: int) -> None:
    pyspiel = pytest.importorskip("pyspiel")
    game = pyspiel.load_game(
        f"universal_poker(betting=nolimit,numPlayers=2,numRounds=4,stack={stack} {stack},blind=1 2,firstPlayer=1 2 2 2,"
        "numSuits=4,numRanks=13,numHoleCards=2,numBoardCards=0 3 1 1,bettingAbstraction=fcpa)"
    )
    generator = np.random.default_rng(0)
    rules = Rules(seats=2, blinds=(1, 2), stacks=stack)
    for hand in range(60):
        state, table = game.new_initial_state(), Table(rules, button=0, seed=hand)
        while True:
            while state.is_chance_node():
                state.apply_action(int(generator.choice(state.legal_actions())))
            assert state.is_terminal() == table.is_over
            if table.is_over:
                break
            offered = choices("fcpa", table)
            assert np.flatnonzero(offered != NO_MOVE).tolist() == state.legal_actions(), str(state)
            action = int(generator.choice(state.legal_actions()))
            state.apply_action(action)
            table.play(int(offered[action]))
            if not state.is_terminal() and not state.is_chance_node():
                spent = table.records["seats"]["total"][0, :2].tolist()
                assert f"Spent: [P0: {spent[0]}  P1: {spent[1]}  ]" in str(state), "the same amounts"


@pytest.mark.parametrize("name", action_names())
def test_the_conformance_kit_has_nothing_to_say(name: str) -> None:
    games = {"games": [HEADS_UP, GAMES[4]]} if name == "all_sizes" else {}  # other games have too many sizes
    check_encoder(name, positions=60, **games)
