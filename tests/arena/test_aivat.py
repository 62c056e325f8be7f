"""AIVAT: unbiased, exactly where a game can be enumerated, and with less luck in it."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pytest

from arena.all_deals import all_deals
from arena.open_book_agents import Linear, OpenBookAgent, Uniform
from holdem_env import Rules, equity, evaluate
from holdem_env.agents import Agent, make_agent
from holdem_env.arena import Aivat, AllInValue, estimates, exact_value, one_against_all, play_deals
from holdem_env.arena.estimators.aivat import corrections
from holdem_env.engine import batch, record
from holdem_env.engine.batch import NO_MOVE
from holdem_env.equities.live_shares import LiveShares

LOG = record.new_log(listening=False)
HEADS_UP = Rules.preset("heads-up-no-limit", stacks=40)


class Hushed(Agent):
    """Plays as another agent does, and tells nothing."""

    def __init__(self, agent):
        self.agent, self.name = agent, f"hushed {agent.name}"

    def act(self, tables, rules, rows):
        return self.agent.act(tables, rules, rows)


def strategy(agent):
    return agent.agent if isinstance(agent, Hushed) else agent


def all_hands(rules, agents, button):
    """Every hand that can be played, (N,) finished tables, and how likely each is."""
    tables = all_deals(rules, button)
    reach = np.full(len(tables), 1 / len(tables))
    ends, likely = [], []
    while len(tables):
        over = tables["actor"] == record.NOBODY
        ends.append(tables[over])
        likely.append(reach[over])
        tables, reach = tables[~over], reach[~over]
        parts = []
        for seat in range(2):
            rows = np.flatnonzero(tables["actor"] == seat)
            if rows.size:
                moves, seen = strategy(agents[seat]).probabilities(tables, rules, rows)
                for move, probability in zip(moves.T, seen.T, strict=True):
                    some = np.flatnonzero((probability > 0) & (move != NO_MOVE))
                    after = tables[rows[some]]
                    chosen = np.ascontiguousarray(move[some])
                    batch.play_moves(after, rules.record, LOG, np.arange(len(some)), chosen)
                    parts.append((after, reach[rows[some]] * probability[some]))
        tables = np.concatenate([after for after, _ in parts]) if parts else tables[:0]
        reach = np.concatenate([some for _, some in parts]) if parts else reach[:0]
    return np.concatenate(ends), np.concatenate(likely)


@pytest.mark.fast_cases("kuhn")
@pytest.mark.parametrize("preset", ["kuhn", "leduc"])
@pytest.mark.parametrize("known", [(0,), (1,), (0, 1), ()])
@pytest.mark.parametrize("button", [0, 1])
def test_its_mean_is_the_mean_exactly(preset: str, known: tuple[int, ...], button: int) -> None:
    """Over every deal and every move, weighted as they come; whatever the weights of the value function."""
    rules = Rules.preset(preset)
    agents = [Linear(5), Linear(6)]
    seated = [agent if seat in known else Hushed(agent) for seat, agent in enumerate(agents)]
    tables, likely = all_hands(rules, seated, button)
    assert likely.sum() == pytest.approx(1)
    seating = np.broadcast_to(np.arange(2), (len(tables), 2))
    won = (tables["seats"]["stack"] - tables["start_stack"])[:, :2]
    truth = likely @ won
    weights = np.random.default_rng(0).normal(size=1 + 3 * rules.streets)
    for aivat in (Aivat(), Aivat(weights)):
        values = aivat.values(tables, rules, seating, seated)
        assert likely @ values == pytest.approx(truth, abs=1e-9)
    found = corrections(tables, rules, seating, seated)
    assert np.einsum("n,nsf->sf", likely, found.features) == pytest.approx(0, abs=1e-9)
    plain = Aivat().values(tables, rules, seating, seated)
    spread = likely @ (plain - truth) ** 2
    raw = likely @ (won - truth) ** 2
    assert (spread < (0.5 if len(known) == 2 else 0.9) * raw).all()


@pytest.mark.slow
def test_less_luck_the_more_is_known() -> None:
    rules = Rules.preset("leduc")
    spreads = []
    for known in ((), (0,), (0, 1)):
        seated = [Linear(seat + 5) if seat in known else Hushed(Linear(seat + 5)) for seat in range(2)]
        tables, likely = all_hands(rules, seated, 1)
        values = Aivat().values(tables, rules, np.broadcast_to(np.arange(2), (len(tables), 2)), seated)[:, 0]
        spreads.append(likely @ values**2 - (likely @ values) ** 2)
    assert spreads[0] > spreads[1] > spreads[2]


def test_a_match_of_known_value_is_recovered() -> None:
    rules, one, two = Rules.preset("leduc"), Uniform(), Linear(8)
    deals = play_deals(rules, [one, two], one_against_all(2), range(1_000), seed=3, columns=[Aivat()])
    value = exact_value(one, two, rules)
    found = {each.name: each.interval for each in estimates(deals)}
    for name in ("raw", "aivat", "duplicate", "duplicate + aivat"):
        assert found[name].low - found[name].half_width < value < found[name].high + found[name].half_width
    assert found["duplicate + aivat"].half_width < 0.6 * found["duplicate"].half_width
    assert found["aivat"].half_width < 0.6 * found["raw"].half_width


class Rarely(OpenBookAgent):
    """Calls, but goes all-in or folds once in 2,000 decisions."""

    def __init__(self, name):
        super().__init__()
        self.name = name

    def probabilities(self, tables, rules, rows):
        most = tables["raise_max"][rows].astype(np.int64)
        other = np.maximum(most, 0) if self.name == "shoves" else np.full(len(rows), record.FOLD)
        rare = np.where(other == 0, 0.0, 1 / 2000)
        return np.stack([np.zeros_like(other), other], axis=1), np.stack([1 - rare, rare], axis=1)


@pytest.mark.fast_cases("folds-tight_aggressive-150", "shoves-folds-600")
@pytest.mark.parametrize(
    ("one", "two", "count"),
    [
        ("pot_odds", "calling_station", 300),
        ("shoves", "calling_station", 2_000),
        ("shoves", "folds", 600),
        ("folds", "tight_aggressive", 150),
        ("tight_aggressive", "maniac", 1_000),
        ("always_fold", "loose_aggressive", 1_000),
    ],
)
def test_intervals_are_never_much_wider_than_without_it(one: str, two: str, count: int) -> None:
    """Where both always go to showdown, terms of single hands cancel in the deals from which weights are fitted."""
    agents = [Rarely(name) if name in ("shoves", "folds") else make_agent(name) for name in (one, two)]
    deals = play_deals(Rules.preset("heads-up-no-limit"), agents, [0, 1], range(count), seed=1, columns=[Aivat()])
    found = {each.name: each.interval.half_width for each in estimates(deals)}
    assert found["aivat"] < 1.05 * found["raw"]
    assert found["duplicate + aivat"] < 1.05 * found["duplicate"] + 0.01


def test_holdem_unbiased_and_better_than_all_in_value() -> None:
    agents = [Linear(1), make_agent("random")]
    columns = [AllInValue(), Aivat()]
    deals = play_deals(HEADS_UP, agents, one_against_all(2), range(1_000), seed=4, columns=columns)
    off = deals.per_deal(0, "aivat") - deals.per_deal(0, "chips")
    assert abs(off.mean()) < 4 * off.std() / len(off) ** 0.5
    saved = {each.name: each.saved for each in estimates(deals)}
    assert saved["aivat"] > 1.2 * saved["all_in"] > 1.2
    assert saved["duplicate + aivat"] > 1.2 * saved["duplicate + all_in"]
    assert deals.columns["aivat"].sum(axis=2) == pytest.approx(0, abs=1e-6)  # what one wins the other loses


@pytest.mark.slow
def test_three_seats() -> None:
    rules = Rules(seats=3, blinds=(1, 2), ante=1, stacks=40)
    agents = [Linear(1), Hushed(Linear(2)), Uniform()]
    deals = play_deals(rules, agents, [0, 1, 2], range(150), seed=4, columns=[Aivat()])
    off = deals.columns["aivat"] - deals.columns["chips"]
    for agent in range(3):
        theirs = deals.per_deal(agent, "aivat") - deals.per_deal(agent, "chips")
        assert abs(theirs.mean()) < 4 * theirs.std() / len(theirs) ** 0.5
        assert deals.per_deal(agent, "aivat").std() < deals.per_deal(agent, "chips").std()
    assert off.sum(axis=2) == pytest.approx(0, abs=1e-6)


def test_luck_of_the_cards_alone_is_the_all_in_value() -> None:
    """Two who are all-in before the flop, one of them unknown: the estimate is what their hands are worth, less the
    luck of having been dealt them, which with plain values counts for the blinds only."""

    class Shoves(OpenBookAgent):
        name = "shoves"

        def probabilities(self, tables, rules, rows):
            return np.maximum(tables["raise_max"][rows], 0)[:, None], np.ones((len(rows), 1))

    deals_played = []
    columns, kept = [AllInValue(), Aivat()], lambda tables, _: deals_played.append(tables.copy())
    deals = play_deals(HEADS_UP, [Shoves(), Hushed(Shoves())], [0, 1], range(5), seed=1, columns=columns, finished=kept)
    assert len(deals_played) == 2
    for rotation, tables in enumerate(deals_played):
        for table in tables:
            share = equity([table["hole"][seat, :2].tolist() for seat in range(2)]).equity[0]
            seen = {name: values[table["table_id"], rotation, 0] for name, values in deals.columns.items()}
            # Dealt: the blinds' pot of 3 is worth its share, not half. Then nothing but the all-in value is left.
            assert seen["aivat"] == pytest.approx(80 * share - 40 - 3 * (share - 0.5))
            assert seen["all_in"] == pytest.approx(80 * share - 40)


def test_no_luck_is_left_where_the_posting_puts_all_of_both_in() -> None:
    """Nobody has a decision: the two pay 2 each, the big blind 2 more as its ante, which lie in the pot (R8)."""
    rules = Rules(seats=2, blinds=(2, 2), big_blind_ante=2, stacks=(2, 4))
    tables = record.new_records(record.TABLE, 6)
    batch.number_tables(tables, 3, 0, 1)
    batch.deal_hands(tables, rules.record, LOG, np.arange(6))
    assert tables["over"].all()
    values = Aivat().values(tables, rules, np.tile([0, 1], (6, 1)), [make_agent("calling_station")] * 2)
    assert values == pytest.approx(np.tile([0.5 * 6 - 2, 0.5 * 6 - 4], (6, 1)))


class MinRaiser(OpenBookAgent):
    name = "min_raiser"

    def probabilities(self, tables, rules, rows):
        return tables["raise_min"][rows][:, None], np.ones((len(rows), 1))


@pytest.mark.slow
def test_long_hands_are_followed_as_they_were_played() -> None:
    """200 moves, of which a record keeps 64."""
    rules = Rules(seats=2, blinds=(1, 2), stacks=600)
    seen, columns = [], [AllInValue(), Aivat()]
    kept = lambda tables, seating: seen.append((tables.copy(), seating.copy()))  # noqa: E731
    deals = play_deals(rules, [MinRaiser(), MinRaiser()], [0, 1], range(3), columns=columns, finished=kept)
    (tables, seating), *_ = seen
    assert tables["moves"].min() > 64
    pot = np.abs(deals.columns["all_in"] - deals.columns["aivat"])
    assert pot.max() < 2  # nothing but the share of the blinds
    with pytest.raises(ValueError, match="its record holds the last 64"):
        Aivat().values(tables, rules, seating, [MinRaiser(), MinRaiser()])


@pytest.mark.parametrize(
    ("rules", "words"),
    [
        (Rules.preset("omaha", seats=2), "up to 3 board cards"),
        (Rules.preset("holdem-hi-lo"), "two pots"),
        (Rules(seats=2, dealer_errors={"premature_turn": 0.1}), "errs"),
        (Rules(seats=2, session={}), "stand alone"),
    ],
)
def test_games_that_have_none(rules: Rules, words: str) -> None:
    assert words in str(Aivat().why_not(rules))


def test_weights_of_another_game() -> None:
    assert "13 weights, not" in str(Aivat([1.0, 2.0, 3.0]).why_not(HEADS_UP))


def test_who_does_not_play_as_it_tells_is_told_so() -> None:
    class Liar(MinRaiser):
        name = "liar"

        def act(self, tables, rules, rows):
            return np.zeros(len(rows), np.int64)

    with pytest.raises(ValueError, match=r"'liar': AIVAT: it played 0 .* tells never to play"):
        play_deals(HEADS_UP, [Liar(), Liar()], [0, 1], range(50), columns=[Aivat()])


def test_shares_of_three_with_a_folded_hand() -> None:
    """Folded cards are out of the deck."""
    rules = Rules(seats=4, blinds=(1, 2), stacks=40)
    tables = record.new_records(record.TABLE, 1)
    batch.number_tables(tables, 9, 0, 3)
    batch.deal_hands(tables, rules.record, LOG, np.zeros(1, np.int64))
    gone = int(tables["actor"][0])
    batch.play_moves(tables, rules.record, LOG, np.zeros(1, np.int64), np.array([record.FOLD]))
    shares = LiveShares(rules)(tables, np.zeros(1, np.int64))[0]
    live = [seat for seat in range(4) if seat != gone]
    hands = [tables["hole"][0, seat, :2].tolist() for seat in live]
    expected = equity(hands, dead=tables["hole"][0, gone, :2].tolist()).equity
    assert shares[live] == pytest.approx(expected)
    assert shares[gone] == 0


def test_shares_of_a_game_with_another_board_than_holdems() -> None:
    """Hold'em's hands on three board cards: the share is that of the flop, not of a board of five."""
    rules = Rules.preset("flop-holdem")
    tables = record.new_records(record.TABLE, 1)
    batch.number_tables(tables, 9, 0, 1)
    batch.deal_hands(tables, rules.record, LOG, np.zeros(1, np.int64))
    hands = tables["hole"][0, :2, :2].astype(np.int64)
    rest = np.setdiff1d(np.arange(52), hands)
    boards = np.array([*combinations(rest.tolist(), 3)])
    one, two = (evaluate(np.hstack([np.broadcast_to(hand, (len(boards), 2)), boards])) for hand in hands)
    expected = np.mean((one > two) + (one == two) / 2)
    shares = LiveShares(rules)(tables, np.zeros(1, np.int64))[0]
    assert shares == pytest.approx([expected, 1 - expected])
    tables["board"][0, :3] = boards[100]
    on_board = LiveShares(rules)(tables, np.array([3]))[0]
    assert on_board[0] == (one[100] > two[100]) + (one[100] == two[100]) / 2
