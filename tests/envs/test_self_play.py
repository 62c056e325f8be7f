"""SelfPlayTables against single tables, one at a time, and against LearnerTables: who plays, and who won what."""

from __future__ import annotations

from time import sleep
from typing import Any

import numpy as np
import pytest

from errors import complaint, mentions
from holdem_env import Rules, Table
from holdem_env.agents.protocol import Agent
from holdem_env.encoders import Flat, get_actions
from holdem_env.engine.batch import NO_MOVE
from holdem_env.engine.record import FOLD
from holdem_env.envs.learner_tables import LearnerTables
from holdem_env.envs.self_play import SelfPlayTables

SIX = Rules.preset("pluribus-6max")
RAKED = Rules(
    structure="no_limit", seats=3, blinds=(50, 100), stacks=(2000, 6000, 9000), rake={"percent": 5, "cap": 90}
)
LEVELS = {"levels": [{"hands": 5}, {"times": 2, "hands": 5}, {"times": 10}]}
PHASES = {"phases": [{"structure": "no_limit", "hands": 2}, {"structure": "fixed_limit", "hands": 1}]}


def chosen_moves(tables: np.ndarray, choices: np.ndarray) -> np.ndarray:
    """An offered move for each row, chosen by what has happened at the table. Folds are rare."""
    moves = np.empty(len(choices), np.int64)
    for k, offered in enumerate(choices):
        t = tables[k]
        offered = offered[offered != NO_MOVE]
        number = int(t["table_id"]) * 7919 + int(t["hand"]) * 104_729 + int(t["street"]) * 31 + int(t["bet_to_match"])
        number = (number * 2_654_435_761 >> 7) % 1_000_003
        if len(offered) > 1 and offered[0] == FOLD and number % 4:
            offered = offered[1:]
        moves[k] = offered[number % len(offered)]
    return moves


class Spy(Agent):
    """Plays as `chosen_moves` says, and notes each question and move. It does not know which table it is at."""

    def __init__(self, name: str = "spy") -> None:
        self.name = name
        self.asked: list[tuple[int, int, int, int]] = []

    def act(self, tables: Any, rules: Rules, rows: Any) -> Any:
        encoder = get_actions(None, rules)
        choices = np.empty((len(rows), encoder.size(rules)), np.int64)
        encoder.choose(tables, rules.record, rows, choices)
        moves = chosen_moves(tables[rows], choices)
        there = tables[rows]
        facts = (there[name].tolist() for name in ("actor", "street", "bet_to_match"))
        self.asked += zip(*facts, moves.tolist(), strict=True)
        return moves


class Learner(Agent):
    """Stands for the learner: nobody asks it for a move."""

    name = "me"

    def act(self, tables: Any, rules: Rules, rows: Any) -> Any:
        raise AssertionError("the learner was asked as an agent")


def seen(tables: SelfPlayTables) -> tuple[np.ndarray, np.ndarray]:
    """Observations and choices at the tables where the learner is to act."""
    observation = np.full((len(tables.turn), tables.observation_size), np.nan, np.float32)
    choices = np.empty((len(tables.turn), tables.num_actions), np.int64)
    tables.observe(observation, choices)
    return observation, choices


def assert_alike(one: SelfPlayTables, two: SelfPlayTables) -> None:
    """Both ask the same, and have ended the same hands."""
    for mine, its in zip(seen(one), seen(two), strict=True):
        np.testing.assert_array_equal(mine, its)
    for name in ("turn", "seats_to_act", "ended", "finished"):
        np.testing.assert_array_equal(getattr(one, name), getattr(two, name))
    for name in ("value", "paid", "played_by"):
        np.testing.assert_array_equal(*(getattr(tables, name)[: len(one.ended)] for tables in (one, two)))


def go_on(tables: SelfPlayTables) -> None:
    """Play a step as `chosen_moves` says."""
    tables.step(chosen_moves(tables.records[tables.turn], seen(tables)[1]))


class OneTable:
    """The slow model: one table in one seat after the other, by the rules' own Table."""

    def __init__(self, rules: Rules, seed: int, table_id: int) -> None:
        self.rules, self.seed, self.table_id, self.hand = rules, seed, table_id, -1
        self.deal()

    def deal(self) -> None:
        """Deal hands until somebody is to act."""
        self.owners: dict[int, int] = {}
        while True:
            self.hand += 1
            button = self.hand % self.rules.seats
            place = {"seed": self.seed, "table_id": self.table_id, "hand": self.hand}
            self.table = Table(self.rules, button=button, **place)
            if not self.table.is_over:
                return

    def won(self) -> np.ndarray:
        """What each seat has won so far: who has folded has lost what it paid."""
        t = self.table.records[0]
        return (t["seats"]["stack"] - t["start_stack"])[: self.rules.seats]

    def observed(self, encoder: Any) -> np.ndarray:
        out = np.empty((1, encoder.size(self.rules)), np.float32)
        encoder.observe(self.table.records, self.rules.record, np.zeros(1, int), np.array([self.table.actor]), out)
        return out[0]


GAMES = {
    "heads-up": (Rules.preset("heads-up-no-limit", stacks=20), "flat"),
    "three with rake": (RAKED, "planes"),
    "six": (SIX, "tokens"),
    "ten": (Rules.preset("leaflet"), "flat"),
    "limit": (Rules.preset("heads-up-limit"), "planes"),
    "kuhn": (Rules.preset("kuhn"), "flat"),
    "leduc": (Rules.preset("leduc"), "tokens"),
}


@pytest.mark.fast_cases(1)
@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("one_opponent", [0.0, 0.5])
def test_every_step_is_a_decision_at_every_single_table(game: str, one_opponent: float) -> None:
    (rules, observation), number, seed = GAMES[game], 20, 11
    spies = Spy("one"), Spy("two")
    agents = [spies[0], me := Learner(), (spies[1], 0.5)]
    tables = SelfPlayTables(rules, number, agents, observation, one_opponent=one_opponent, itself=me)
    tables.reset(seed)
    alone = [OneTable(rules, seed, i) for i in range(number)]
    hands = whole = learners = 0
    for _ in range(60):
        observations, choices = seen(tables)
        for row, i in enumerate(tables.turn):
            assert tables.seats_to_act[row] == alone[i].table.actor
            np.testing.assert_array_equal(observations[row], alone[i].observed(tables.observation_encoder))
        mine = chosen_moves(tables.records[tables.turn], choices)
        made = [(int(i), move, -1) for i, move in zip(tables.turn, mine.tolist(), strict=True)]
        learners += len(made)
        everybody = tables._owners.copy()
        owners = everybody[np.arange(number), tables.records["actor"]]
        tables.step(mine)
        for agent, spy in zip((0, 2), spies, strict=True):
            for i, (seat, street, bet, move) in zip(np.flatnonzero(owners == agent).tolist(), spy.asked, strict=True):
                table = alone[i].table
                assert (seat, street, bet) == (table.actor, table.street, table.records["bet_to_match"][0])
                made.append((i, move, agent))
            spy.asked.clear()
        assert sorted(i for i, *_ in made) == list(range(number))  # everywhere one decision
        ended = iter(zip(tables.ended, tables.value.copy(), tables.played_by.copy(), strict=False))
        for i, move, owner in sorted(made):
            one = alone[i]
            assert one.owners.setdefault(one.table.actor, owner) == owner  # the same for a whole hand
            one.table.play(move)
            mine = everybody[i] == -1
            if one.table.is_over or not one.table.records["in_hand"][0, : rules.seats][mine].any():
                where, payoff, players = next(ended)
                assert where == i
                assert payoff[mine].tolist() == one.won()[mine].tolist()
                if one.table.is_over:
                    assert payoff.tolist() == list(one.table.payoffs)
                    whole += 1
                assert players.tolist() == everybody[i].tolist()
                assert {seat: players[seat] for seat in one.owners} == one.owners
                assert players[i % rules.seats] == -1
                one.deal()
                hands += 1
            assert tables.records["hand"][i] == one.hand
            assert tables.records["actor"][i] == one.table.actor
        assert next(ended, None) is None
    assert hands > whole > 3 * number if rules.seats > 2 else hands == whole > 5 * number
    assert learners > 60 * number / rules.seats / 3


@pytest.mark.fast_cases(1)
@pytest.mark.parametrize(
    "settings",
    [
        {"rules": SIX, "one_opponent": 0.4},
        {"rules": Rules(seats=2, blinds=(10, 20), stacks=400, session=LEVELS), "levels": "all"},
        {"rules": Rules(seats=3, session=PHASES)},
        {"rules": Rules.preset("heads-up-no-limit", stacks=10), "reward": "all_in_value", "first_table": 3},
        {"rules": RAKED, "reward": "all_in_value"},
    ],
    ids=["one opponent", "levels", "phases", "all-in value", "all-in value with rake"],
)
def test_with_one_seat_of_its_own_the_learner_wins_what_it_wins_in_learner_tables(settings: dict[str, Any]) -> None:
    agents = [Spy("one"), (Spy("two"), 0.5)]
    old = LearnerTables(num_tables=16, opponents=agents, **settings)
    new = SelfPlayTables(num_tables=16, opponents=agents, **settings)
    old.reset(seed=4)
    new.reset(seed=4)
    expected, found = {}, {}
    for _ in range(40):
        hand = old.records["hand"].copy()
        old.play(chosen_moves(old.records, old._choices))
        for i in np.flatnonzero(old.done):
            expected[i, hand[i]] = old.value[i], old.played_by[i].tolist()
    while (new.records["hand"] < old.records["hand"]).any():
        hand = new.records["hand"].copy()
        go_on(new)
        for i, payoff, players in zip(new.ended, new.value, new.played_by, strict=False):
            found[i, hand[i]] = payoff[new.learner_seats[i]], players.tolist()
    assert len(expected) > 100
    for place, (payoff, players) in expected.items():
        assert found[place][1] == players
        assert found[place][0] == pytest.approx(payoff)


class OneThread(Flat):
    """An encoder in Python that only one thread may call at a time."""

    def observe(self, tables, rules, rows, seats, out):
        self.out = out
        sleep(0.001)
        super().observe(tables, rules, rows, seats, self.out)


@pytest.mark.parametrize(
    "settings",
    [
        {"rules": SIX, "one_opponent": 0.4},
        {"rules": SIX, "observation": OneThread()},
        {"rules": Rules.preset("heads-up-no-limit", stacks=10), "reward": "all_in_value", "observation": "flat+equity"},
        {"rules": Rules(seats=3, session=PHASES), "levels": "sessions"},
    ],
    ids=["one opponent", "an encoder for one thread", "all-in value", "sessions"],
)
def test_threads_change_nothing(settings: dict[str, Any]) -> None:
    me = Learner()
    agents = [me, Spy("one"), ("calling_station", 0.5)]
    alone, shared = (
        SelfPlayTables(num_tables=210, opponents=agents, itself=me, threads=threads, **settings) for threads in (1, 5)
    )
    ended = 0
    for tables in (alone, shared):
        tables.reset(seed=3)
    for _ in range(25):
        go_on(alone)
        go_on(shared)
        ended += len(alone.ended)
        assert_alike(alone, shared)
    assert ended > 200


def test_the_all_in_value_has_the_mean_of_the_result_in_every_seat() -> None:
    rules = Rules.preset("heads-up-no-limit", stacks=10)
    made = []
    for reward in ("result", "all_in_value"):
        tables = SelfPlayTables(rules, 256, [me := Learner()], actions="fcpa", reward=reward, itself=me)
        tables.reset(seed=2)
        rows = []
        for _ in range(80):
            go_on(tables)
            rows.append(tables.value[: len(tables.ended)] / rules.unit)
        made.append(np.concatenate(rows))
    result, payoff = made
    assert len(result) == len(payoff) > 3000
    np.testing.assert_allclose(payoff.sum(axis=1), 0, atol=1e-9)
    difference = (payoff - result)[:, 0]
    assert 0.02 < (difference != 0).mean() < 0.9  # the others ended without an all-in
    assert abs(difference.mean()) < 4 * difference.std() / len(result) ** 0.5
    assert payoff.std() < result.std()


def test_seats_are_the_learners_as_often_as_its_weight_says() -> None:
    given: dict[str, Any] = {"rules": SIX, "num_tables": 4000}
    agents = [("maniac", 1), (me := Learner(), 3)]
    alone = SelfPlayTables(**given, opponents=agents, itself=me)
    whole = SelfPlayTables(**given, opponents=agents, itself=me, one_opponent=1.0)
    for tables in (alone, whole):
        tables.reset(seed=3)
        own = tables._owners[np.arange(4000), tables.learner_seats]
        assert (own == -1).all()
        is_mine = tables._owners == -1
        assert abs((is_mine.sum() - 4000) / (5 * 4000) - 0.75) < 0.03
        assert set(np.unique(tables._owners)) == {-1, 0}
    seats = np.arange(6) != whole.learner_seats[:, None]
    others = whole._owners[seats].reshape(4000, 5)
    assert (others == others[:, :1]).all()
    others = alone._owners[seats].reshape(4000, 5)
    assert (others != others[:, :1]).any()


def test_who_plays_can_change_in_the_middle_of_a_hand() -> None:
    spy, me = Spy(), Learner()
    tables = SelfPlayTables(SIX, 32, [me], itself=me)
    tables.reset(seed=1)
    go_on(tables)
    assert len(tables.turn) == 32  # all seats are its own
    tables.set_opponents([spy])
    assert len(tables.turn) < 32
    for _ in range(30):
        go_on(tables)
        assert ((tables.played_by[: len(tables.ended)] == -1).sum(axis=1) == 1).all()
    assert spy.asked
    before = tables.turn.copy()
    mentions(complaint(tables.set_opponents, ["manaic"]), "manaic")
    np.testing.assert_array_equal(tables.turn, before)


def test_steps_in_which_the_learner_has_nothing_to_decide() -> None:
    """All fold before the learner, so it decides only in the seats that speak first; in the big blind never."""
    tables = SelfPlayTables(SIX, 3, ["always_fold"])
    tables.reset(seed=0)
    empty = decisions = 0
    for _ in range(400):
        empty += not len(tables.turn)
        decisions += len(tables.turn)
        tables.step(np.full(len(tables.turn), FOLD))
    assert empty > 50
    assert decisions > 50


@pytest.mark.parametrize("rules", [SIX, Rules(seats=3, session=PHASES), Rules.preset("leduc")])
def test_it_goes_on_where_its_state_was_taken(rules: Rules) -> None:
    me = Learner()
    agents = [me, "random", ("calling_station", 0.5)]
    one, two = (SelfPlayTables(rules, 16, agents, one_opponent=0.3, itself=me) for _ in range(2))
    one.reset(seed=9)
    for _ in range(25):
        go_on(one)
    state = one.state_dict()
    two.load_state_dict({name: values.copy() for name, values in state.items()})
    for _ in range(40):
        go_on(one)
        go_on(two)
        assert_alike(one, two)
    other = SelfPlayTables(rules, 8, ["random"])
    other.reset(seed=1)
    before = other.state_dict()
    mentions(complaint(other.load_state_dict, state), "records")
    for name, values in other.state_dict().items():
        np.testing.assert_array_equal(values, before[name])


def test_a_seed_begins_again_and_none_deals_on() -> None:
    me = Learner()
    tables = SelfPlayTables(SIX, 8, [me, "random"], itself=me)
    tables.reset(seed=5)
    first = seen(tables)
    for _ in range(10):
        go_on(tables)
    hands = tables.records["hand"].copy()
    tables.reset()
    assert (tables.records["hand"] > hands).all()
    assert not len(tables.ended)
    tables.reset(seed=5)
    for mine, its in zip(first, seen(tables), strict=True):
        np.testing.assert_array_equal(mine, its)


def test_what_is_wrong_is_said() -> None:
    tables = SelfPlayTables(SIX, 4, ["random"])
    mentions(complaint(tables.step, np.empty(0, np.int64)), "step")
    tables.reset(seed=0)
    with pytest.raises(ValueError, match=rf"step: 9 moves are given; the learner is to act at {len(tables.turn)}"):
        tables.step(np.zeros(9, np.int64))
    mentions(complaint(SelfPlayTables, SIX, 4, ["random"], actions="continuous"), "actions", "continuous")
    mentions(complaint(SelfPlayTables, SIX, 0, ["random"]), 0, 1)


@pytest.mark.slow
def test_in_sessions_stacks_carry_over_and_who_is_out_plays_no_hands() -> None:
    freezeout = Rules(seats=3, blinds=(10, 20), stacks=200, session={"levels": [{"hands": 4}, {"times": 4}]})
    me = Learner()
    tables = SelfPlayTables(freezeout, 16, [me, Spy()], levels="sessions", itself=me)
    tables.reset(seed=3)
    hands = shorthanded = uneven = 0
    for _ in range(200):
        starts = tables.records["start_stack"][:, :3].copy()
        was_dealt = tables.records["was_dealt"][:, :3].astype(bool)
        owners = tables._owners.copy()
        go_on(tables)
        for i, payoff, players in zip(tables.ended, tables.value, tables.played_by, strict=False):
            assert payoff.sum() == 0
            assert starts[i].sum() == 600
            assert (starts[i] + payoff >= 0).all()
            assert players.tolist() == np.where(was_dealt[i], owners[i], -2).tolist()
            assert not payoff[~was_dealt[i]].any()
            hands += 1
            shorthanded += not was_dealt[i].all()
            uneven += len(np.unique(starts[i])) > 1
    assert hands > 300
    assert uneven > 100
    assert shorthanded > 20
    mentions(complaint(SelfPlayTables, SIX, 4, [me], levels="sessions", itself=me), "levels", "sessions")
    mentions(complaint(LearnerTables, freezeout, 4, ["random"], levels="sessions"), "levels", "sessions")
