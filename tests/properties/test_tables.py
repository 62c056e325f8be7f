"""Tables: the same hands as Table plays, however the work is divided; rewards, ends of hands, offers."""

from __future__ import annotations

import copy
import pickle

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from examples import examples
from holdem_env import Rules, Table, Tables
from holdem_env.engine.record import COLUMNS, TABLE, column
from properties.games import rules

TABLES, STEPS = 5, 40
FIELDS = ("observation", "mask", "actor", "done", "reward")
# Not compared: cards that were not dealt, moves that were not made in this hand, and what was worked out at the last
# showdown. These may be anything. The cards that were tabled in the last hand are what a single table cannot know;
# tests/encoders/test_shown_cards.py compares them with that hand.
LEFT_OVER = {
    "deck", "hole", "board", "seats", "made", "move", "move_seat", "move_street", "pots", "pot_level", "pot_chips",
    "value", "low_value", "last_shown", "shown_age",
}  # fmt: skip
COMPARED = [name for name in {**TABLE.fields, **COLUMNS} if name not in LEFT_OVER]


seeds = st.integers(0, 2**63 - 1)


@st.composite
def playable_rules(draw):
    """Games in which at least one place of the button leaves somebody a decision."""
    game = draw(rules())
    assume(any(not Table(game, button=button, seed=0).is_over for button in range(game.seats)))
    return game


def random_offers(tables, generator) -> np.ndarray:
    """One of the offered actions for each table."""
    return np.array([generator.choice(np.flatnonzero(row)) for row in tables.mask])


def arrays(tables) -> dict[str, list]:
    return {name: getattr(tables, name).tolist() for name in FIELDS}


class Mirror:
    """The same hands, dealt one by one through Table."""

    def __init__(self, game: Rules, seed: int, table_id: int) -> None:
        self.game, self.seed, self.table_id, self.hand = game, seed, table_id, -1
        self.reward = np.zeros(game.seats, int)
        self.deal()

    def deal(self) -> None:
        while self.hand < 0 or self.table.is_over:
            self.hand += 1
            self.table = Table(
                self.game, button=self.hand % self.game.seats, seed=self.seed, hand=self.hand, table_id=self.table_id
            )
            self.reward += self.table.payoffs if self.table.is_over else 0

    def play(self, move: int) -> bool:
        """Whether the hand ended with this move."""
        self.reward[:] = 0
        self.table.play(move)
        if not self.table.is_over:
            return False
        self.reward += self.table.payoffs
        self.deal()
        return True


@examples(40)
@given(playable_rules(), seeds, seeds)
def test_tables_play_the_hands_that_table_plays(game, seed, choosing):
    tables = Tables(game, num_tables=TABLES, seed=seed)
    mirrors = [Mirror(game, seed, table_id) for table_id in range(TABLES)]
    generator = np.random.default_rng(choosing)
    for _ in range(STEPS):
        for i, mirror in enumerate(mirrors):
            theirs, ours = tables.records[i], mirror.table.records[0]
            for name in COMPARED:
                assert np.array_equal(column(theirs, name), column(ours, name)), name
            made = int(ours["moves"])
            assert theirs["made"][:made].tobytes() == ours["made"][:made].tobytes()
            assert theirs["hole"][: game.seats, :2].tolist() == ours["hole"][: game.seats, :2].tolist()
            assert theirs["board"][: theirs["board_count"]].tolist() == list(mirror.table.board)
            assert tables.actor[i] == mirror.table.actor
        actions = random_offers(tables, generator)
        moves = tables.choices[np.arange(TABLES), actions].tolist()
        tables.step(actions)
        done = [mirror.play(move) for mirror, move in zip(mirrors, moves, strict=True)]
        assert tables.done.tolist() == done
        assert tables.reward.tolist() == [mirror.reward.tolist() for mirror in mirrors]


@examples(40)
@given(playable_rules(), seeds, seeds)
def test_threads_change_nothing(game, seed, choosing):
    batches = [Tables(game, num_tables=TABLES, seed=seed, threads=threads) for threads in (1, 2, 3)]
    generator = np.random.default_rng(choosing)
    for _ in range(STEPS):
        first, *others = map(arrays, batches)
        assert all(other == first for other in others)
        actions = random_offers(batches[0], generator)
        for tables in batches:
            tables.step(actions)


@examples(40)
@given(playable_rules(), seeds, seeds)
def test_every_row_offers_something_and_rewards_come_at_the_end_of_hands(game, seed, choosing):
    tables = Tables(game, num_tables=TABLES, seed=seed)
    assert not tables.done.any()
    generator = np.random.default_rng(choosing)
    for _ in range(STEPS):
        assert tables.mask.any(axis=1).all()
        assert ((tables.choices != -2) == tables.mask.astype(bool)).all()
        assert (tables.actor >= 0).all()
        assert tables.observation_encoder.space(game).contains(tables.observation[0])
        hands = tables.records["hand"].copy()
        tables.step(random_offers(tables, generator))
        assert (tables.done == (tables.records["hand"] > hands)).all()
        assert not tables.reward[~tables.done].any()
        assert (tables.reward.sum(axis=1) <= 0).all()
        if game.rake is None:
            assert not tables.reward.sum(axis=1).any()


@examples(20)
@given(playable_rules(), seeds, seeds)
def test_reset_copies_and_pickles(game, seed, choosing):
    tables = Tables(game, num_tables=TABLES, seed=seed, threads=2)
    fresh = arrays(tables)
    generator = np.random.default_rng(choosing)
    for _ in range(STEPS // 2):
        tables.step(random_offers(tables, generator))
    twins = [copy.deepcopy(tables), pickle.loads(pickle.dumps(tables)), tables.copy()]
    rows = generator.integers(TABLES, size=5)
    branch = tables.take(rows)
    for _ in range(STEPS // 2):
        actions = random_offers(tables, generator)
        for each in (tables, *twins):
            each.step(actions)
        branch.step(actions[rows])
        assert all(arrays(twin) == arrays(tables) for twin in twins)
        assert all((getattr(branch, name) == getattr(tables, name)[rows]).all() for name in ("observation", "reward"))
    tables.reset(seed)
    assert arrays(tables) == fresh


def test_the_arrays_are_updated_in_place():
    tables = Tables(Rules.preset("heads-up-no-limit"), num_tables=3, seed=1)
    before = [getattr(tables, name) for name in FIELDS]
    tables.step(np.ones(3, int))
    assert all(getattr(tables, name) is array for name, array in zip(FIELDS, before, strict=True))


def test_shapes_and_types():
    tables = Tables(Rules(seats=5), num_tables=7)
    assert tables.observation.shape == (7, tables.observation_encoder.size(tables.rules))
    assert tables.observation.dtype == np.float32
    assert (tables.mask.shape, tables.mask.dtype) == ((7, 7), np.int8)
    assert tables.actor.shape == tables.done.shape == (7,)
    assert (tables.done.dtype, tables.reward.shape) == (np.bool_, (7, 5))


def test_the_button_moves_one_seat_a_hand_and_stacks_begin_again():
    game = Rules(seats=3, blinds=(1, 2), stacks=(50, 60, 70))
    tables = Tables(game, num_tables=2, seed=5)
    for hand in range(9):
        assert tables.records["hand"].tolist() == [hand, hand]
        assert tables.records["button"].tolist() == [hand % 3] * 2
        assert tables.records["start_stack"][:, :3].tolist() == [[50, 60, 70]] * 2
        while not tables.done.all() or tables.records["hand"][0] == hand:
            tables.step(np.where(tables.mask[:, 0], 0, 1))  # fold, or check where that is free


@pytest.mark.parametrize("seed", range(5))
def test_hands_without_a_decision_are_dealt_through_and_their_reward_added(seed):
    # The ante puts seat 0 all-in; with the button there the small blind does the same to seat 1: nobody is asked.
    game = Rules(seats=3, blinds=(2, 4), ante=2, stacks=(2, 4, 100))
    unasked = Table(game, button=0, seed=seed, hand=0)
    assert unasked.is_over
    tables = Tables(game, num_tables=1, seed=seed)
    assert tables.records["hand"][0] == 1
    assert tables.reward[0].tolist() == unasked.payoffs
    mirror = Mirror(game, seed, 0)
    seen = set()
    for _ in range(60):
        move = int(tables.choices[0, 1])
        tables.step(np.ones(1, int))
        mirror.play(move)
        assert tables.reward[0].tolist() == mirror.reward.tolist()
        seen.add(int(tables.records["hand"][0]) % 3)
    assert seen == {1, 2}


def test_the_same_deck_again_for_every_way_to_divide_the_work():
    game = Rules(seats=6)
    small, large = Tables(game, num_tables=3, seed=9), Tables(game, num_tables=50, seed=9, threads=4)
    assert np.array_equal(small.records["hole"], large.records["hole"][:3])
    assert len({tuple(row) for row in large.records["hole"][:, 0, :2].tolist()}) > 30


@pytest.mark.parametrize("rows", [[], [[0]], [0.5], [-1], [3]], ids=str)
def test_rows_to_take_are_some_of_the_tables(rows) -> None:
    with pytest.raises(ValueError, match="rows: must be"):
        Tables("heads-up-no-limit", num_tables=3).take(rows)
