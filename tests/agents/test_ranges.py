"""Range queries: what an agent does with each of the 1,326 hands."""

from __future__ import annotations

import re

import numpy as np
import pytest

from arena.open_book_agents import Linear, OpenBookAgent, Silent, Uniform
from errors import complaint, mentions
from holdem_env import Rules
from holdem_env.agents import StrategyUnknown, make_agent
from holdem_env.agents.queries import asked_probabilities, asked_range_probabilities
from holdem_env.agents.range_copies import hands_left
from holdem_env.cards.combos import COMBO_CARDS, COMBO_OF, COMBOS, possible_combos
from holdem_env.compiled.records import Records
from holdem_env.engine import batch, record
from holdem_env.engine.batch import NO_MOVE
from holdem_env.engine.legality import IllegalMove
from holdem_env.engine.record import NO_CARD
from holdem_env.engine.seat_view import new_views, view_rows

DEEP = Rules.preset("heads-up-no-limit")
ROWS = np.arange(6)


def tables(street: int = 0, rules: Rules = DEEP, count: int = 6) -> Records:
    """Tables at which everybody has checked and called up to a street."""
    dealt = record.new_records(record.TABLE, count)
    batch.number_tables(dealt, 4, 0, rules.seats - 1)
    log = record.new_log(listening=False)
    batch.deal_hands(dealt, rules.record, log, np.arange(count))
    while (early := np.flatnonzero(dealt["street"] < street)).size:
        batch.play_moves(dealt, rules.record, log, early, np.zeros(len(early), np.int64))
    return dealt


def probability_of(moves, probabilities, move):
    return (probabilities * (moves == move)).sum(axis=-1)


@pytest.mark.fast_cases(3)
@pytest.mark.parametrize("agent", [Linear(3), Uniform(), "tight_aggressive", "pot_odds"])
@pytest.mark.parametrize("street", [0, 1, 3])
def test_it_is_what_the_agent_says_when_it_has_the_hand(agent, street) -> None:
    agent, dealt = make_agent(agent), tables(street)
    moves, probabilities = asked_range_probabilities(agent, dealt, DEEP, ROWS)
    assert probabilities.shape == (6, COMBOS, moves.shape[1])
    for row, combo in ((0, 1325), (3, 17), (5, 700)):
        copy = dealt[row : row + 1].copy()
        copy["hole"][0, copy["actor"][0], :2] = COMBO_CARDS[combo]
        possible = possible_combos(copy["board"][0, : copy["board_count"][0]])[combo]
        seen, likely = asked_probabilities(agent, copy, DEEP, np.zeros(1, np.int64))
        for move in moves[row][moves[row] != NO_MOVE]:
            expected = probability_of(seen[0], likely[0], move) if possible else 0
            assert probability_of(moves[row], probabilities[row, combo], move) == pytest.approx(expected)


def test_hands_that_cannot_be_have_no_probability() -> None:
    dealt = tables(street=1)
    _, probabilities = asked_range_probabilities(Linear(1), dealt, DEEP, ROWS)
    for row in ROWS:
        board = dealt["board"][row, :3]
        assert np.array_equal(probabilities[row].sum(axis=1) > 0, possible_combos(board))


def test_its_own_cards_are_hidden_and_do_not_narrow_the_range() -> None:
    seen = []

    class Watches(Uniform):
        def range_probabilities(self, tables, rules, rows):
            seen.append(tables["hole"].copy())
            return super().range_probabilities(tables, rules, rows)

    dealt = tables()
    before = dealt.copy()
    _, probabilities = asked_range_probabilities(Watches(), dealt, DEEP, ROWS)
    assert (seen[0] == NO_CARD).all()
    assert (probabilities.sum(axis=2) > 0).all()
    assert before.tobytes() == dealt.tobytes()


def test_a_hand_that_somebody_else_has_shown_cannot_be() -> None:
    dealt = tables()
    records = dealt.copy()
    other = 1 - records["actor"][0]
    records["shown"][0, other] = 1
    records["was_dealt"][0] = True
    shown = records["hole"][0, other, :2]
    view = new_views(1)
    view_rows(records, DEEP.record, np.zeros(1, np.int64), view)
    left = hands_left(view, np.zeros(1, np.int64))[0]
    assert np.array_equal(left, possible_combos(shown))
    assert not left[COMBO_OF[shown[0], shown[1]]]


def test_moves_are_united_over_hands() -> None:
    class ByRank(OpenBookAgent):
        """Calls with an ace, raises the least with a king, else folds."""

        def probabilities(self, tables, rules, rows):
            high = tables["hole"][rows, tables["actor"][rows], :2].max(axis=1) // 4
            moves = np.where(high == 12, 0, np.where(high == 11, tables["raise_min"][rows], -1))
            return moves[:, None], np.ones((len(rows), 1))

    dealt = tables()
    moves, probabilities = asked_range_probabilities(ByRank(), dealt, DEEP, ROWS[:1])
    assert moves.tolist() == [[-1, 0, 4]]
    assert probabilities[0].sum(axis=0).tolist() == [44 * 43 / 2, 4 * 48 + 6, 4 * 44 + 6]


def test_one_table_after_the_other_is_the_same() -> None:
    dealt = tables(street=2)
    together = asked_range_probabilities(Linear(2), dealt, DEEP, ROWS)
    apart = asked_range_probabilities(Linear(2), dealt, DEEP, ROWS, most=1)
    assert all(np.array_equal(one, two) for one, two in zip(together, apart, strict=True))


def test_only_hands_that_matter_are_asked_for() -> None:
    asked = []

    class Counts(Uniform):
        def probabilities(self, tables, rules, rows):
            asked.append(len(rows))
            return super().probabilities(tables, rules, rows)

    dealt, matter = tables(street=1), np.zeros((6, COMBOS), np.bool_)
    matter[:5, 100:200] = True
    moves, probabilities = asked_range_probabilities(Counts(), dealt, DEEP, ROWS, hands=matter)
    full_moves, full = asked_range_probabilities(Uniform(), dealt, DEEP, ROWS)
    assert np.array_equal(moves[:5], full_moves[:5])
    assert np.array_equal(probabilities[:5], full[:5] * matter[:5, :, None])
    assert not probabilities[5].any()
    assert sum(asked) == (full.sum(axis=2) * matter).sum().round()
    fast = Answers([0], [1.0])
    assert np.array_equal(asked_range_probabilities(fast, tables(), DEEP, ROWS, hands=matter)[1][:, :, 0], matter)


class Answers(Silent):
    """Answers range queries by itself, with these moves and probabilities."""

    def __init__(self, moves, probs):
        self.moves, self.probs = moves, probs

    def range_probabilities(self, tables, rules, rows):
        return np.tile(self.moves, (len(rows), 1)), np.tile(self.probs, (len(rows), COMBOS, 1))


def test_who_answers() -> None:
    assert not Silent().gives_ranges
    assert Linear(1).gives_ranges
    only = Answers([0], [1.0])
    assert only.gives_ranges
    assert not only.gives_probabilities
    assert asked_range_probabilities(only, tables(), DEEP, ROWS)[1].min() == 1
    mentions(complaint(asked_range_probabilities, Silent(), tables(), DEEP, ROWS, kind=StrategyUnknown), "silent")


@pytest.mark.parametrize(
    ("agent", "error", "words"),
    [
        (Answers([0, 0], [0.5, 0.5]), ValueError, "name a move twice"),
        (Answers([0, -1], [0.5, 0.6]), ValueError, "no distribution with 2d2c at table 0"),
        (Answers([0, -1], [-0.5, 1.5]), ValueError, "no distribution"),
        (Answers([0, -1], [np.nan, 1]), ValueError, "no distribution"),
        (Answers([0, -2], [0.5, 0.5]), ValueError, "no distribution"),
        (Answers([0, 3], [0.5, 0.5]), IllegalMove, "table 0"),
        (Answers([0, 3], [1.0]), ValueError, r"must give integer moves \(6, A\)"),
        (Answers([0.0], [1.0]), ValueError, "it gave float64"),
    ],
)
def test_answers_are_checked(agent, error, words) -> None:
    assert re.search(words, complaint(asked_range_probabilities, agent, tables(), DEEP, ROWS, kind=error))


def test_hands_that_cannot_be_must_be_left_out() -> None:
    mentions(complaint(asked_range_probabilities, Answers([0], [1.0]), tables(street=1), DEEP, ROWS), 0)


@pytest.mark.parametrize("preset", ["leduc", "omaha", "short-deck"])
def test_games_without_such_hands(preset: str) -> None:
    rules = Rules.preset(preset)
    with pytest.raises(ValueError, match="two hole cards and the full deck"):
        asked_range_probabilities(make_agent("random"), tables(rules=rules), rules, ROWS)
