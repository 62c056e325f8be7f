"""Which order is decided while matches are being played, and schedules that play on where it is not."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pytest
from pydantic import ValidationError

from arena.test_tournament import Crasher
from arena.test_tournament_errors import play
from holdem_agents.cli.standings import print_standings
from holdem_env import Rules
from holdem_env.agents import names
from holdem_env.arena.reports.html_report import write_report
from holdem_env.arena.statistics.ranking import Orders, RankingSchedule, Scores, orders_of, silence
from holdem_env.arena.tournaments.standings import ranks_in_words, standings
from holdem_env.arena.tournaments.store import Store, StoreError
from holdem_env.arena.tournaments.tournament import Tournament, run

HEADS_UP = Rules.preset("heads-up-no-limit", stacks=40)
FOUR = ["calling_station", "maniac", "always_fold", "tight_aggressive"]


def test_scores_are_means_over_all_opponents_whatever_the_order_of_adding():
    generator = np.random.default_rng(0)
    parts = [
        (pair, numbers, generator.normal(size=(2, 10)))
        for pair in combinations("abcd", 2)
        for numbers in (np.arange(10), np.arange(10, 20))
    ]
    found = []
    for order in (range(len(parts)), generator.permutation(len(parts))):
        scores = Scores("abcd")
        for k in order:
            scores.add_values(*parts[k])
        assert scores.levels().tolist() == [20] * 4
        found.append([scores.of(agent, 20) for agent in range(4)])
    assert np.array_equal(found[0], found[1])
    own = [values[0] for pair, numbers, values in parts if pair[0] == "a" and numbers[0] == 0]
    assert found[0][0][:10] == pytest.approx(np.mean(own, axis=0), abs=1e-6)


def test_levels_are_the_deals_played_against_everybody():
    scores = Scores("abc")
    assert scores.levels().tolist() == [0, 0, 0]
    for pair, deals in (("ab", 30), ("ac", 20), ("bc", 50)):
        scores.add_values(pair, np.arange(deals), np.zeros((2, deals)))
    scores.add_values("ac", np.arange(25, 40), np.zeros((2, 15)))  # with a hole
    assert scores.levels().tolist() == [20, 30, 20]


def decided(*pairs: tuple[int, int]) -> Orders:
    orders = Orders(4)
    for better, worse in pairs:
        orders._decide(better, worse)
    return orders


def test_what_follows_from_decided_orders():
    orders = decided((0, 1), (2, 3))
    assert orders.ranks.tolist() == [[1, 3], [2, 4], [1, 3], [2, 4]]
    assert orders.in_doubt([4, 3, 2, 1]) == [(1, 2)]
    orders = decided((0, 1), (2, 3), (1, 2))
    assert orders.ranks.tolist() == [[1, 1], [2, 2], [3, 3], [4, 4]]
    assert orders.are_all_decided
    assert orders.in_doubt([1, 2, 3, 4]) == []
    orders = decided((0, 1), (1, 2), (3, 2))  # the means say that 1 is better than 0
    assert set(orders.in_doubt([2, 4, 0, 1])) == {(0, 3)}
    assert [ranks_in_words(ranks) for ranks in (None, (3, 3), (1, 2))] == ["", "3", "1–2"]


def test_an_order_is_decided_by_the_sequence_of_its_own_share_of_the_error():
    scores, generator = Scores("abc"), np.random.default_rng(1)
    for one, two in combinations("abc", 2):
        better = generator.normal(0.3 * (ord(two) - ord(one)), 1.0, 4000)
        scores.add_values((one, two), np.arange(4000), [better, -better])
    assert Orders(3, 0.94).confidence == pytest.approx(0.98)
    orders = orders_of(scores)
    assert orders.ranks.tolist() == [[1, 1], [2, 2], [3, 3]]
    early = Orders(3)
    early.compare(0, 2, scores, silence(early.confidence) - 1)
    assert not early.is_decided(0, 2)
    assert silence(0.95) == 200 < silence(1 - 0.05 / 28) < silence(1 - 0.05 / 1225) < 600


# Validity: simulated tournaments with known strengths


def simulated(strengths, deals, adaptive, generator, budget=None):
    """A tournament of agents whose results are their strengths' differences plus the rare big pots of poker, and luck
    of the deck that all opponents of an agent share. Returns the orders, why it ended, and the hands."""
    count = len(strengths)
    scores, schedule = Scores(range(count)), RankingSchedule(count, 0.95, deals, adaptive, budget)
    played = np.zeros((count, count), int)
    deck = generator.standard_t(3, (count, deals))
    while schedule.next_round(scores):
        for one, two in combinations(range(count), 2):
            numbers = np.arange(played[one, two], schedule.goals[one, two])
            pots = 3 * generator.standard_t(3, len(numbers)) * (generator.random(len(numbers)) < 0.3)
            won = strengths[one] - strengths[two] + pots + 0.3 * (deck[one] - deck[two])[numbers]
            scores.add_values((one, two), numbers, [won, -won])
            played[one, two] = max(played[one, two], schedule.goals[one, two])
    return orders_of(scores), schedule.ending, 2 * int(played.sum())


def is_right(strengths, ranks) -> bool:
    """Whether every agent may have its true rank; of equal agents no order is true."""
    strengths = np.array(strengths)
    best = 1 + (strengths[:, None] < strengths).sum(axis=1)
    worst = len(strengths) - (strengths[:, None] > strengths).sum(axis=1)
    return bool(((ranks[:, 0] <= best) & (ranks[:, 1] >= worst)).all())


FIELDS = [[0.0] * 6, [0.5, 0.3, 0.1, 0.05, -0.2, -0.4], [0.3, 0.3, 0.0, 0.0, -0.3, -0.3]]


@pytest.mark.slow
@pytest.mark.parametrize("adaptive", [True, False])
def test_declared_ranks_are_right_as_often_as_the_confidence_says(adaptive):
    generator = np.random.default_rng(7)
    for strengths in FIELDS:
        found = (simulated(strengths, 10_000, adaptive, generator)[0].ranks for _ in range(100))
        wrong = sum(not is_right(strengths, ranks) for ranks in found)
        assert wrong <= 0.05 * 100, (strengths, wrong)


@pytest.mark.slow
def test_the_adaptive_schedule_needs_fewer_hands_where_two_are_close():
    strengths, hands = [0.9, 0.6, 0.3, 0.0, -0.3, -0.6, -0.7, -1.2], {}
    for adaptive in (True, False):
        ended = [simulated(strengths, 400_000, adaptive, np.random.default_rng(seed)) for seed in range(2)]
        for orders, ending, _ in ended:
            assert (ending, orders.are_all_decided, is_right(strengths, orders.ranks)) == ("ranked", True, True)
        hands[adaptive] = sum(each[-1] for each in ended)
    assert hands[True] < 0.6 * hands[False], hands


def test_a_budget_ends_a_schedule_and_is_not_exceeded():
    for budget in (20, 15 * 700, 15 * 5000):
        _, ending, hands = simulated(FIELDS[0], 10_000, True, np.random.default_rng(0), budget)
        assert ending == "budget"
        assert 0.9 * budget - 15 * 32 < hands // 2 <= budget
    assert simulated(FIELDS[0], 600, True, np.random.default_rng(0))[1:] == ("hands", 2 * 15 * 600)


def ranking(**changes) -> Tournament:
    given = {"rules": HEADS_UP, "agents": FOUR, "hands": 4000, "seed": 5, "watched": True, "schedule": "adaptive"}
    return Tournament(**{**given, "estimators": (), **changes})


def deals_of(store: Store) -> dict[tuple[str, ...], int]:
    return {names: store.deals_played(names) for names in store.matches()}


@pytest.fixture(scope="module")
def ranked(tmp_path_factory):
    with play(ranking(), tmp_path_factory.mktemp("ranking") / "x.db") as store:
        yield store


@pytest.mark.slow
def test_an_adaptive_tournament_plays_on_where_the_order_is_in_doubt(ranked):
    found = standings(ranked, watched=True)
    assert len(set(deals_of(ranked).values())) > 1
    assert found.hands_of_pairs == (2 * min(deals_of(ranked).values()), 2 * max(deals_of(ranked).values()))
    assert (found.schedule, found.are_ranks_decided) == ("adaptive", True)
    assert [row.ranks for row in found.rows] == [(place, place) for place in (1, 2, 3, 4)]
    assert found.rows == sorted(found.rows, key=lambda row: -row.rate.mean)
    for row in found.rows:
        own = {names: deals for names, deals in deals_of(ranked).items() if row.name in names}
        assert row.rate.samples == min(own.values())
        first = [ranked.deals(names).per_deal(row.name)[: row.rate.samples] for names in own]
        assert row.rate.mean == pytest.approx(np.mean(first))


@pytest.mark.slow
def test_the_same_on_two_processes_in_other_shards_and_after_interrupts(ranked, tmp_path):
    calls = []

    def interrupt(played, done, total):
        calls.append(played)
        if len(calls) % 7 == 0:
            raise KeyboardInterrupt

    with play(ranking(jobs=2, shard=50), tmp_path / "two.db") as store:
        assert deals_of(store) == deals_of(ranked)
    with Store(tmp_path / "again.db", create=True) as store:
        for _ in range(100):
            try:
                run(ranking(), store, interrupt)
            except KeyboardInterrupt:
                continue
            break
        assert len(calls) > 14
        assert deals_of(store) == deals_of(ranked)
        assert [row.rate for row in standings(store).rows] == [row.rate for row in standings(ranked).rows]


@pytest.mark.slow
def test_even_tournaments_may_stop_when_all_are_ranked(ranked, tmp_path):
    with play(ranking(schedule="even", stop_when="ranked"), tmp_path / "x.db") as store:
        assert len(set(deals_of(store).values())) == 1
        assert ranked.hands() < store.hands() < 6 * 4000
        assert standings(store).are_ranks_decided


@pytest.mark.slow
def test_a_budget_of_hands_for_all_pairs(tmp_path):
    with play(ranking(budget=6 * 600), tmp_path / "x.db") as store:
        assert 6 * 500 < store.hands() <= 6 * 600
        found = standings(store, watched=True)
        assert not found.are_ranks_decided
        assert all(best <= place <= worst for place, (best, worst) in enumerate((row.ranks for row in found.rows), 1))
        page = write_report(store, tmp_path / "report", watched=True).read_text()
        assert "Schedule: adaptive, 5" in page
        assert "Not all ranks are decided" in page


@pytest.mark.slow
def test_the_others_go_on_without_an_agent_that_forfeits(tmp_path, monkeypatch):
    monkeypatch.setitem(names.AGENTS.registered, "crasher", Crasher)
    agents = [*FOUR, {"agent": "crasher", "calls": 3}]
    with play(ranking(agents=agents, hands=1200), tmp_path / "x.db") as store:
        assert list(store.forfeits()) == ["crasher"]
        found = standings(store, watched=True)
        assert sorted(found.names) == sorted(FOUR)
        assert all(row.ranks for row in found.rows)


@pytest.mark.slow
def test_more_hands_and_agents_later(ranked, tmp_path):
    with play(ranking(agents=FOUR[:3]), tmp_path / "x.db") as store:
        run(ranking(), store)
        assert all(deals_of(store)[names] >= deals for names, deals in deals_of(ranked).items())
        with pytest.raises(StoreError, match="only watched: true is right for them"):
            run(ranking(schedule="even", watched=False), store)


@pytest.mark.slow
def test_the_tables_tell_the_schedule(ranked, capsys):
    from rich.console import Console

    print_standings(Console(width=200), standings(ranked, watched=True))
    shown = capsys.readouterr().out
    assert "rank" in shown
    fewest, most = standings(ranked).hands_of_pairs
    assert f"Schedule: adaptive, {fewest:,} to {most:,} hands of each pair. All ranks are decided." in shown


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"watched": False}, "schedule: adaptive: needs watched: true"),
        ({"watched": False, "schedule": "even", "stop_when": "ranked"}, "stop_when: ranked: needs watched: true"),
        ({"format": "tables"}, "schedule: adaptive: only in a round robin, not with format: tables"),
        ({"stop_at": 5.0}, "schedule: adaptive: not together with stop_at"),
        ({"schedule": "even", "budget": 1000}, "budget: only with schedule: adaptive or stop_when: ranked"),
        ({"budget": 11}, "budget: 11 hands; one deal of each pair are 12"),
    ],
)
def test_schedules_that_do_not_fit_are_refused(changes, words):
    with pytest.raises(ValidationError, match=words):
        ranking(**changes)


def test_places_go_by_the_rate_and_what_is_not_decided_shares_them(tmp_path):
    """The other orders are there by name."""
    agents = ["always_fold", "tight_aggressive", "loose_aggressive", "maniac", "random"]
    settings = Tournament(rules=HEADS_UP, agents=agents, hands=400, seed=1, isolation="none")
    with Store(tmp_path / "x.db", create=True) as store:
        run(settings, store)
        found = standings(store)
        assert [row.rate.mean for row in found.rows] == sorted((row.rate.mean for row in found.rows), reverse=True)
        assert any("–" in row.place for row in found.rows)
        assert "share their places" in found.explanation
        orders = {by: standings(store, rank_by=by).names for by in ("elo", "nash", "runoff", "bankroll")}
        assert all(sorted(names) == sorted(agents) for names in orders.values())
        by_bankroll = standings(store, rank_by="bankroll")
        assert [row.place for row in by_bankroll.rows] == ["1", "2", "3", "4", "5"]
        assert by_bankroll.rows[0].bankroll == max(row.bankroll for row in by_bankroll.rows)
        assert "Places are those of the instant run-off" in standings(store, rank_by="runoff").explanation
    with pytest.raises(ValueError, match="rank_by: runoff is for a round robin"):
        Tournament(rules=Rules.preset("six-max-no-limit"), agents=agents, format="tables", rank_by="runoff")
