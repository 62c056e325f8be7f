"""All-in expected value: against the engine on every board that can come, and in the mean against raw results."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pytest

from holdem_env import Rules, Table
from holdem_env.arena.estimators.all_in import AllInValue
from holdem_env.engine import batch, record
from holdem_env.engine.record import DECK
from holdem_env.envs.learner_tables import LearnerTables
from holdem_env.envs.sb3 import HoldemVecEnv
from holdem_env.equities.all_in_value import NO_MEMORY, SAMPLES, all_in_values, all_in_values_of_tables
from rules.playing import check_down, play_to

THREE = Rules(
    structure="no_limit", seats=3, blinds=(50, 100), stacks=(2000, 6000, 9000), rake={"percent": 5, "cap": 90}
)


def play_all_in(deck: list[int], one_folds: bool) -> Table:
    """Three see the flop and then go all-in, with two side pots; or the second bets, the third folds, the first
    calls."""
    table = play_to(Table(THREE, button=0, deck=deck), 1)
    if one_folds:
        table.check_call()
        table.raise_to(table.legal.raise_max)
        table.fold()
        table.check_call()
    while not table.is_over:
        table.raise_to(table.legal.raise_max) if table.legal.raise_max else table.check_call()
    return table


def value_of_record(tables: record.Records, rules: Rules, seat: int) -> float:
    out = np.zeros(1)
    all_in_values(tables, rules, np.zeros(1, np.int64), np.array([seat]), out)
    return float(out[0])


def value_of(table: Table, seat: int) -> float:
    return value_of_record(table.records, table.rules, seat)


@pytest.mark.fast_cases(1)
@pytest.mark.parametrize(("seed", "one_folds"), [(1, False), (2, True)])
def test_value_is_the_mean_over_all_boards_with_side_pots_and_rake(seed, one_folds):
    """The 903 ways to deal turn and river, each played out by the engine."""
    order = [int(card) for card in np.random.default_rng(seed).permutation(DECK)]
    hole, flop, rest = order[:6], order[6:9], order[9:]
    results, values = [], []
    for turn, river in combinations(rest, 2):
        burns = [card for card in rest if card not in (turn, river)]
        table = play_all_in([*hole, burns[0], *flop, burns[1], turn, burns[2], river], one_folds)
        assert len(table.board) == 5
        results.append(table.payoffs)
        values.append([value_of(table, seat) for seat in range(3)])
    assert len(results) == 903
    np.testing.assert_allclose(np.mean(values, axis=0), np.mean(results, axis=0), atol=1e-6)
    # On every single board it says nearly the same: only odd chips are left to chance.
    assert np.ptp(values, axis=0).max() <= 2
    assert np.ptp(results, axis=0).max() > 1000


def test_hands_that_ended_with_a_whole_board_or_uncontested_keep_their_result():
    rules = Rules.preset("heads-up-no-limit")
    to_the_river = check_down(Table(rules, seed=1))
    folded = Table(rules, seed=2)
    folded.raise_to(200)
    folded.fold()
    for table in (to_the_river, folded):
        assert [value_of(table, seat) for seat in range(2)] == list(table.payoffs)


@pytest.mark.fast_cases(1)
@pytest.mark.parametrize(
    "rules",
    [
        Rules.preset("heads-up-no-limit", stacks=20),
        Rules(seats=4, stacks=(900, 2500, 600, 1500), structure="pot_limit"),
        Rules.preset("leduc", stacks=3),
        Rules.preset("short-deck", seats=3, stacks=9),
        pytest.param(Rules.preset("omaha-hi-lo", seats=3, stacks=9), marks=pytest.mark.slow),
    ],
    ids=["heads-up", "side pots", "leduc", "short-deck", "omaha-hi-lo"],
)
def test_its_mean_is_that_of_the_results_and_it_varies_less(rules):
    tables = LearnerTables(rules, 256, ["maniac"], actions="fcpa", reward="all_in_value")
    tables.reset(seed=5)
    rng = np.random.default_rng(0)
    results, all_in_values = [], []
    for _ in range(200):
        scores = rng.random(tables.mask.shape) * tables.mask
        scores[:, 0] *= 0.2  # seldom folds
        tables.play(tables.checked_moves(scores.argmax(axis=1)))
        results.append(tables.reward[tables.done])
        all_in_values.append(tables.value[tables.done])
    result, value = np.concatenate(results) / rules.unit, np.concatenate(all_in_values) / rules.unit
    difference = value - result
    assert len(result) > 10_000
    assert abs(difference.mean()) < 4 * difference.std() / len(result) ** 0.5
    assert difference.std() > 1
    assert value.std() < 0.9 * result.std()


def test_the_environment_pays_it_and_refuses_games_without_it():
    rules = Rules.preset("heads-up-no-limit", stacks=10)
    env = HoldemVecEnv(rules, 64, ["maniac"], "flat", "fcpa", reward="all_in_value")
    env.reset()
    raw = 0
    for _ in range(20):
        masks = env.action_masks()
        _, rewards, dones, _ = env.step(masks.shape[1] - 1 - masks[:, ::-1].argmax(axis=1))  # all-in
        np.testing.assert_allclose(rewards, env.tables.value / env.rules.unit, rtol=1e-6)
        assert not rewards[~dones].any()
        raw += (rewards != env.tables.reward / env.rules.unit).sum()
    assert raw > 100
    with pytest.raises(ValueError, match=r"'all_in_value': a dealer who errs reshuffles.*take 'result' for this game"):
        HoldemVecEnv(Rules(dealer_errors={"extra_card": 0.1}), 2, ["random"], reward="all_in_value")
    with pytest.raises(ValueError, match="reward: 'all_in' is not one of"):
        HoldemVecEnv(THREE, 2, ["random"], reward="all_in")


@pytest.mark.slow
@pytest.mark.parametrize("rules", [THREE, Rules.preset("heads-up-no-limit", stacks=20)], ids=["three", "heads-up"])
def test_matches_and_training_have_the_same_all_in_value(rules):
    """Equal but for the sampling: before the flop the arena counts two hands, and draws other numbers of boards."""
    tables = LearnerTables(rules, 256, ["maniac"], actions="fcpa", reward="all_in_value", keep_finished=True)
    tables.reset(seed=5)
    column = AllInValue()
    compared = 0
    for _ in range(10):
        tables.play(tables.checked_moves(tables.mask.shape[1] - 1 - tables.mask[:, ::-1].argmax(axis=1)))
        rows = np.flatnonzero(tables.done)
        theirs = column.values(tables.finished[rows], rules, np.zeros((len(rows), rules.seats), np.int64), [])
        mine, its = tables.value[rows], theirs[np.arange(len(rows)), tables.learner_seats[rows]]
        pots = tables.finished["pot_chips"][rows].sum(axis=1)
        assert np.abs(mine - its).max() < 0.3 * pots.max()  # two samples of boards
        assert abs((mine - its).mean()) < 0.01 * pots.mean()
        assert np.corrcoef(mine, its)[0, 1] > 0.9
        street = tables.finished["made"]["street"][rows, (tables.finished["moves"][rows] - 1) % record.MAX_MOVES]
        np.testing.assert_allclose(mine[street > 0], its[street > 0], rtol=1e-12)
        compared += len(rows)
    assert compared > 1000


OTHER_GAMES = {
    "holdem": Rules(seats=4, blinds=(1, 3), stacks=(50, 9, 25, 100), ante=1),
    "smallest chip": Rules(seats=3, blinds=(5, 10), stacks=(70, 335, 200), smallest_chip=5),
    "hi-lo": Rules.preset("holdem-hi-lo", structure="no_limit", seats=4, stacks=(5, 9, 14, 20)),
    "omaha": Rules.preset("omaha", seats=3, stacks=(7, 12, 20)),
    "omaha-hi-lo": Rules.preset("omaha-hi-lo", seats=4, stacks=(5, 9, 14, 20)),
    "short-deck": Rules.preset("short-deck", seats=3, stacks=(7, 12, 20)),
    "royal": Rules.preset("royal-holdem", seats=3, stacks=(7, 12, 20)),
    "flop": Rules.preset("flop-holdem", stacks=300),
    "leduc": Rules.preset("leduc", stacks=3),
}


def all_ins(rules: Rules, count: int, street: int, seed: int = 3) -> record.Records:
    """Finished hands in which all check or call up to a street, and then raise as much as they may, but that some
    fold."""
    tables = record.new_records(record.TABLE, count)
    log = record.new_log(listening=False)
    batch.number_tables(tables, seed, 0, rules.seats - 1)
    batch.deal_hands(tables, rules.record, log, np.arange(count))
    rng = np.random.default_rng(seed)
    while (rows := np.flatnonzero(tables["actor"] != record.NOBODY)).size:
        drawn = rng.random(len(rows))
        moves = np.where(tables["street"][rows] < street, 0, tables["raise_max"][rows])
        moves = np.where((drawn < 0.15) & (tables["live"][rows] > 2), record.FOLD, moves)
        batch.play_moves(tables, rules.record, log, rows, np.where(drawn > 0.8, 0, moves))
    return tables


@pytest.mark.fast_cases(5)
@pytest.mark.parametrize(
    ("name", "street"), [(name, street) for name, rules in OTHER_GAMES.items() for street in range(rules.streets - 1)]
)
def test_one_seat_is_worth_what_it_is_worth_among_all(name, street):
    """The short way for one seat, which stops comparing when it is beaten, and the whole count; all of it adds up."""
    rules = OTHER_GAMES[name]
    tables = all_ins(rules, 40, street)
    values, sampled = all_in_values_of_tables(tables, rules, SAMPLES, NO_MEMORY)
    won = (tables["seats"]["stack"] - tables["start_stack"])[:, : rules.seats]
    assert (values != won).any(axis=1).sum() > 3
    assert sampled.any() == (sum(rules.board_cards[street + 1 :]) > 2)
    np.testing.assert_allclose(values.sum(axis=1), won.sum(axis=1), atol=1e-6)
    rows = np.arange(len(tables))
    for seat in range(rules.seats):
        out = np.zeros(len(tables))
        all_in_values(tables, rules, rows, np.full(len(tables), seat), out)
        np.testing.assert_allclose(out, values[:, seat], rtol=1e-12, atol=1e-12)


@pytest.mark.fast_cases(2)
@pytest.mark.parametrize("name", ["hi-lo", "omaha", "omaha-hi-lo", "short-deck", "royal", "leduc"])
def test_the_last_card_of_other_games_is_the_mean_of_what_it_can_bring(name):
    """Every card that can come last, played out by the engine."""
    rules = OTHER_GAMES[name]
    compared = 0
    for row in all_ins(rules, 6, max(rules.streets - 2, 0)):
        moves = row["made"]["move"][: row["moves"]].tolist()
        known = sum(rules.board_cards[: row["made"]["street"][row["moves"] - 1] + 1])
        if row["live"] < 2 or known + 1 != sum(rules.board_cards):
            continue
        deck = row["deck"][: len(rules.deck)].tolist()
        dealt = {card for seat in range(rules.seats) for card in row["hole"][seat, : rules.hole_cards].tolist()}
        seen = dealt | set(row["board"][:known].tolist())
        last = deck.index(row["board"][known])
        payoffs = []
        for card in set(deck) - seen:
            other, there = list(deck), deck.index(card)
            other[there], other[last] = other[last], other[there]
            table = Table(rules, button=int(row["button"]), deck=other)
            for move in moves:
                table.play(move)
            payoffs.append(table.payoffs)
        one = record.new_records(record.TABLE, 1)
        one[0] = row
        values = [value_of_record(one, rules, seat) for seat in range(rules.seats)]
        assert values == pytest.approx(np.mean(payoffs, axis=0).tolist())
        compared += 1
    assert compared > 0
