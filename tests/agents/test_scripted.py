"""The agent protocol, the registry of names, and what the scripted agents play."""

from __future__ import annotations

import numpy as np
import pytest

from holdem_agents.scripted import (
    AlwaysFold,
    CallingStation,
    Maniac,
    PotOdds,
    Profile,
    Random,
    loose_aggressive,
    loose_passive,
    nit,
    tight_aggressive,
)
from holdem_agents.scripted.amounts import call_and_winnable, pot_raise
from holdem_agents.scripted.profile import ORDER
from holdem_agents.scripted.strengths import live_opponents, measure_holdem, sampled_equities
from holdem_env import IllegalMove, Rules, Table, equity
from holdem_env.agents import Agent, make_agent, play_agent
from holdem_env.arena import play_match
from holdem_env.arena.matches.dealer import Dealer
from holdem_env.cards.text import RANKS
from holdem_env.engine import batch, record
from holdem_env.engine.record import CHECK_CALL, FOLD, NOBODY
from holdem_env.testing import check_agent
from holdem_env.testing.sampled_tables import GAMES, random_positions

STRUCTURES = ["fixed_limit", "pot_limit", "no_limit"]
ACPC = Rules.preset("acpc-nolimit-2p")
AGENTS = [Random(), Random(actions="33%, 75%, 2.5x, all-in"), CallingStation(), Maniac(), Maniac(aggression=1.0)]
AGENTS += [AlwaysFold(), PotOdds(samples=20), tight_aggressive(), nit(), loose_passive(), loose_aggressive()]
EVERYBODY = [AGENTS[0], *AGENTS[2:4], *AGENTS[5:]]  # in one form each


def dealer(rules: Rules, agents: list[Agent], tables: int = 40, seed: int = 5) -> Dealer:
    """Tables with the agents in turns around each."""
    seating = (np.arange(tables)[:, None] + np.arange(rules.seats)) % len(agents)
    return Dealer(rules, agents, seating, np.arange(tables), seed)


@pytest.mark.fast_cases(3)
@pytest.mark.parametrize("structure", STRUCTURES)
@pytest.mark.parametrize("seats", range(2, 11))
def test_scripted_agents_are_legal_everywhere_and_chips_stay(structure, seats):
    rules = Rules(structure=structure, seats=seats, ante=5, stacks=[300 + 700 * k for k in range(seats)])
    tables = dealer(rules, AGENTS)
    for _ in range(2 * seats):
        payoffs = tables.play_hand()  # an illegal move would be an error
        assert (payoffs.sum(axis=1) == 0).all()


def test_the_calling_station_only_checks_and_calls():
    tables = dealer(Rules(seats=4), [CallingStation()])
    payoffs = tables.play_hand()
    assert set(np.unique(np.abs(payoffs))) <= {0, 100, 300, 200, 50, 33, 34, 66, 67}
    assert (tables.records["moves"] == 16).all()


def copies(count: int) -> record.Records:
    """The first decision of a hand at tables with other numbers."""
    records = np.repeat(Table(ACPC, seed=1).records, count)
    records["table_id"] = np.arange(count)
    return records


@pytest.mark.parametrize(("aggression", "least", "most"), [(0.0, 0, 0), (0.5, 400, 600), (1.0, 1000, 1000)])
def test_a_maniac_raises_as_often_as_it_is_told(aggression, least, most):
    moves = Maniac(aggression).act(copies(1000), ACPC, np.arange(1000))
    assert least <= (moves > 0).sum() <= most
    assert not (moves == record.FOLD).any()


def test_random_takes_every_offered_action_equally_often():
    values, counts = np.unique(Random().act(copies(7000), ACPC, np.arange(7000)), return_counts=True)
    assert values.tolist() == [-1, 0, 200, 300, 500, 20_000]  # 50 % of the pot is the least raise
    assert (np.abs(counts / 7000 - 1 / len(values)) < 0.03).all()


@pytest.mark.parametrize("agent", [Random(), Maniac()], ids=lambda agent: agent.name)
def test_agents_play_the_same_whatever_the_batch(agent):
    rules = Rules(seats=3)
    whole, part = dealer(rules, [agent], tables=40), dealer(rules, [agent], tables=7)
    for _ in range(5):
        np.testing.assert_array_equal(whole.play_hand()[:7], part.play_hand())


@pytest.mark.parametrize(
    ("what", "parameters", "error", "words"),
    [
        ("calling_staton", {}, ValueError, "did you mean 'calling_station'"),
        ("maniac", {"agression": 1}, TypeError, "agent 'maniac': .*'agression'.*its parameters are .*aggression"),
        ("nowhere/final.zip", {}, FileNotFoundError, "nowhere/final.zip: there is no such file"),
        ("agent.pickle", {}, ValueError, "no loader for '.pickle' files; .* json, py, safetensors, .* yml, zip"),
    ],
)
def test_registry_errors_say_what_would_be_right(what, parameters, error, words):
    with pytest.raises(error, match=words):
        make_agent(what, **parameters)


class Wrong(Agent):
    """Gives back what it is given."""

    name = "wrong"

    def __init__(self, moves):
        self.moves = moves

    def act(self, tables, rules, rows):
        return self.moves


@pytest.mark.parametrize(
    ("moves", "error", "words"),
    [
        (np.array([0, 5]), IllegalMove, r"agent 'wrong', table 3: seat 0 may not raise to 5"),
        (np.array([0]), ValueError, "must give 2 integers"),
        (np.array([0.0, 1.0]), ValueError, "dtype float64"),
    ],
)
def test_wrong_moves_are_named_and_none_is_played(moves, error, words):
    tables = dealer(Rules(seats=2), [CallingStation()], tables=4)
    log = record.new_log(listening=False)
    batch.deal_hands(tables.records, tables.rules.record, log, np.arange(4))
    before = tables.records.tobytes()
    with pytest.raises(error, match=words):
        play_agent(Wrong(moves), tables.records, tables.rules, log, np.array([1, 3]))
    assert tables.records.tobytes() == before
    play_agent(Wrong([0, -1]), tables.records, tables.rules, log, np.array([1, 3]))  # a list will do


SIX_MAX = Rules.preset("pluribus-6max")
HEADS_UP = Rules.preset("heads-up-no-limit")
OTHER_GAMES = ["holdem-hi-lo", "omaha", "omaha-hi-lo", "short-deck", "omaha-36", "royal-holdem", "flop-holdem"]
OTHER_GAMES += ["leduc", "kuhn"]
ONE_ROW = np.zeros(1, np.int64)


@pytest.mark.fast_cases("random")
@pytest.mark.parametrize("agent", EVERYBODY, ids=lambda agent: agent.name)
def test_everybody_plays_every_game_and_tells_the_strategy(agent):
    assert agent.gives_probabilities
    check_agent(agent, [*GAMES, *map(Rules.preset, OTHER_GAMES)], positions=60)


def test_always_fold_folds_to_bets_and_checks_what_is_free():
    table = Table(Rules.preset("six-max-no-limit"), seed=1)
    moves = []
    while not table.is_over:
        moves.append(AlwaysFold().move(table))
        table.play(CHECK_CALL)
    assert moves == [FOLD] * 5 + [CHECK_CALL] * 19


@pytest.mark.parametrize("board", ["", "7h2c9d", "7h2c9dKs", "7h2c9dKsAc"])
def test_sampled_equities_are_equities(board):
    deck = {"": "", "7h2c9d": "?? 7h2c9d", "7h2c9dKs": "?? 7h2c9d ?? Ks", "7h2c9dKsAc": "?? 7h2c9d ?? Ks ?? Ac"}[board]
    table = Table(HEADS_UP, deck="??Ah??Kh" + deck, seed=1)
    while len(table.board) < len(board) // 2:
        table.check_call()
    if table.actor != 0:
        table.check_call()
    one = live_opponents(table.records, ONE_ROW).astype(np.int64)
    share = sampled_equities(table.records, HEADS_UP, ONE_ROW, one, 40_000)[0]
    exact = equity(["AhKh", "random"], board, samples=400_000).equity[0]
    assert share == pytest.approx(exact, abs=0.012)  # five standard errors


def test_the_best_of_n_hands_on_the_river_are_beaten_by_the_nth_power_of_the_share():
    tables = random_positions(HEADS_UP, 1500, seed=3)
    rows = np.flatnonzero((tables["actor"] != NOBODY) & (tables["board_count"] == 5))
    shares, spreads = np.empty((2, len(rows)))
    measure_holdem(tables, HEADS_UP.record, rows, shares, spreads)
    assert len(rows) > 100
    for hands in (1, 3):
        candidates = live_opponents(tables, rows) * np.int64(hands)
        sampled = sampled_equities(tables, HEADS_UP, rows, candidates, 2000)
        assert np.abs(sampled - shares**hands).mean() < 0.02


TOTALS = [("heads-up-no-limit", 69.808333333), ("pluribus-6max", 56.070833333), ("holdem-hi-lo", 65.285555556)]
TOTALS += [("omaha-hi-lo", 69.129166667), ("short-deck", 55.645555556), ("flop-holdem", 48.191666667)]
TOTALS += [("leduc", 39.275)]


@pytest.mark.parametrize(("game", "total"), TOTALS)
def test_the_same_view_gives_the_same_samples_for_good(game, total):
    """Whatever makes sampling faster must not change what agents play: the sums are those of the first version, which
    valued every hand by `seat_value`."""
    rules = Rules.preset(game)
    tables = random_positions(rules, 400, seed=3)
    rows = np.flatnonzero(tables["actor"] != NOBODY)
    candidates = live_opponents(tables, rows) * np.int64(1 + rows % 3)[:, None]
    assert sampled_equities(tables, rules, rows, candidates, 60).sum() == pytest.approx(total, abs=1e-8)


def test_shares_do_not_depend_on_the_order_of_cards():
    decks = ["2cAh3dKh??7h2d9d", "2cKh3dAh??9d7h2d"]
    tables = [Table(HEADS_UP, deck=deck, seed=seed) for seed, deck in enumerate(decks)]
    shares = []
    for table in tables:
        table.check_call()
        table.check_call()
        table.check_call()
        one = live_opponents(table.records, ONE_ROW).astype(np.int64)
        shares.append(sampled_equities(table.records, HEADS_UP, ONE_ROW, one, 50)[0])
    assert shares[0] == shares[1]


def test_the_price_counts_only_what_can_be_won():
    rules = Rules(seats=3, blinds=(1, 2), stacks=(200, 200, 30))
    table = Table(rules, seed=1)  # seat 0 has the button and acts first
    table.raise_to(100)
    table.raise_to(200)
    assert call_and_winnable(table.records, ONE_ROW) == (28, 30 + 30 + 2)


def test_the_price_of_a_call_is_what_can_be_lost() -> None:
    """R9: the big blind is all-in with 360, a call is 300, and 240 of it come back."""
    table = Table(Rules(seats=2, blinds=(300, 600), stacks=(5000, 360)), button=0, seed=1)
    assert table.legal.call == 300
    assert call_and_winnable(table.records, ONE_ROW) == (60, 300 + 360)


def test_raises_of_the_pot_are_legal():
    for rules in GAMES:
        tables = random_positions(rules, 300, seed=1)
        rows = np.flatnonzero(tables["actor"] != NOBODY)
        for part in (0.1, 0.75, 3.0):
            raises = pot_raise(tables, rules, rows, part)
            there = tables["raise_max"][rows] > 0
            assert (raises[~there] == -2).all()
            assert (raises[there] >= tables["raise_min"][rows][there]).all()
            assert (raises[there] <= tables["raise_max"][rows][there]).all()
            assert (raises[there] % rules.smallest_chip == 0).all()


def river(mine: str, bet: int) -> Table:
    """Heads-up, the board 2c 7h 9d Ks Ac, nothing bet before the river; seat 1 has bet so much into 4 chips."""
    table = Table(HEADS_UP, deck=f"??{mine[:2]}??{mine[2:]}??7h2c9d??Ks??Ac", button=0, seed=1)
    for _ in range(6):
        table.check_call()
    table.raise_to(bet)
    return table


@pytest.mark.parametrize(
    ("mine", "bet", "calls"),
    [
        ("3d4h", 2, False),  # the worst hand
        ("9h8h", 2, True),  # beats many: 2 to win 6
        ("9h8h", 198, False),  # 198 to win 202
    ],
)
def test_pot_odds_compares_with_the_price(mine, bet, calls):
    assert PotOdds(samples=500).move(river(mine, bet)) == (CHECK_CALL if calls else FOLD)


def test_pot_odds_raises_the_nuts_and_checks_what_is_free():
    assert PotOdds().move(river("AsAd", 4)) > 4
    table = Table(HEADS_UP, deck="3d??4h??", button=0, seed=1)  # the big blind has 4-3
    table.check_call()
    assert PotOdds().move(table) == CHECK_CALL


@pytest.mark.parametrize(
    ("agent", "name", "value"),
    [
        *((PotOdds, name, value) for name, value in (("samples", 0), ("edge", -0.1), ("size", 0))),
        *((Profile, name, value) for name, value in (("tightness", -0.1), ("aggression", 1.1), ("bluffing", 2))),
        (Maniac, "aggression", 1.5),
    ],
)
def test_parameters_that_mean_nothing_are_refused(agent, name, value):
    with pytest.raises(ValueError, match=f"{name}.*{value}"):
        agent(**{name: value})


def spots(rules, moves, count=1000):
    """The same spot, after these moves, in this many deals."""
    records = np.repeat(Table(rules, seed=1).records, count)
    for k in range(count):
        table = Table(rules, seed=1, hand=k)
        for move in moves:
            table.play(move)
        records[k] = table.records[0]
    return records


def shares_of(agent, rules, records):
    """How often the agent puts in chips or checks, and how often it bets or raises."""
    moves, probabilities = agent.probabilities(records, rules, np.arange(len(records)))
    return (probabilities * (moves > FOLD)).sum(axis=1).mean(), (probabilities * (moves > 0)).sum(axis=1).mean()


@pytest.mark.slow
def test_profiles_differ_as_their_names_say():
    first, flop = spots(SIX_MAX, []), spots(HEADS_UP, [CHECK_CALL] * 2)
    facing = spots(HEADS_UP, [CHECK_CALL] * 2 + [4])
    tag, tight, calling, wild = tight_aggressive(), nit(), loose_passive(), loose_aggressive()
    plays = [shares_of(agent, SIX_MAX, first)[0] for agent in (tight, tag, wild, calling)]
    assert np.diff(plays).min() > 0.05
    calls = [shares_of(agent, HEADS_UP, facing)[0] for agent in (tight, tag, calling)]
    assert np.diff(calls).min() > 0.05
    bets = [shares_of(agent, HEADS_UP, flop)[1] for agent in (calling, tight, tag, wild)]
    assert np.diff(bets).min() > 0.05


@pytest.mark.slow
def test_the_chart_opens_fewer_hands_from_earlier_seats():
    opened = [shares_of(tight_aggressive(), SIX_MAX, spots(SIX_MAX, [FOLD] * folds))[1] for folds in range(5)]
    under_the_gun, middle, cutoff, button, small_blind = opened
    assert 0.1 < under_the_gun < middle < cutoff < small_blind < button < 0.5


def test_the_order_of_hands_begins_and_ends_as_everybody_knows():
    def place(hand):
        high, low = (RANKS.index(rank) for rank in hand[:2])
        return ORDER[high, low] if hand.endswith("s") else ORDER[low, high]

    assert place("AA") == 0 < place("KK") < place("AKs") < place("AKo") < place("76s") < place("72o")
    assert place("62o") == ORDER.max() == pytest.approx(1 - 12 / 1326)


@pytest.mark.fast_cases(1)
@pytest.mark.parametrize(("name", "value"), [("tightness", 0), ("tightness", 1), ("aggression", 1), ("bluffing", 1)])
def test_extreme_profiles_play_by_the_rules(name, value):
    check_agent(Profile(**{name: value}), positions=60)


def test_a_profile_that_bluffs_rarely_tells_no_probability_below_zero():
    """1 - (1 - x) - x is a little below 0 for some x."""
    facing = spots(HEADS_UP, [CHECK_CALL] * 2 + [4])
    for aggression in np.arange(1, 20) / 20:
        _, probabilities = Profile(aggression=aggression).probabilities(facing, HEADS_UP, np.arange(len(facing)))
        assert probabilities.min() >= 0
        assert probabilities.sum(axis=1) == pytest.approx(1)


@pytest.mark.fast_cases(1)
@pytest.mark.parametrize(
    ("opponent", "least"),
    [(Random(), 200), (CallingStation(), 100), (Maniac(), 300), (loose_passive(), 50), (nit(), 0), (PotOdds(50), 0)],
    ids=lambda value: getattr(value, "name", ""),
)
def test_tight_aggressive_beats_the_others(opponent, least):
    result = play_match(tight_aggressive(), opponent, HEADS_UP, hands=25_000)
    assert result.interval[0] > least
