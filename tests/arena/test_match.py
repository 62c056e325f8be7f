"""Matches, sessions and sittings: the same cards from every seat, hand by hand as when played alone."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest

from holdem_agents.scripted import AlwaysFold, CallingStation, Changing, Maniac, Random
from holdem_env import Rules, Session
from holdem_env.agents import Agent, make_agent
from holdem_env.agents.config_files import config_of
from holdem_env.agents.queries import SealedAgent, asked_probabilities
from holdem_env.arena import balanced_lineups, play_deals, play_match, play_sessions, play_sittings
from holdem_env.arena.matches.match import summarize
from holdem_env.envs.self_play import SelfPlayTables

HEADS_UP = Rules.preset("heads-up-no-limit")


class Folder(Agent):
    """Always folds, also when checking is free (R14)."""

    name = "folder"

    def act(self, tables, rules, rows):
        return np.full(len(rows), -1)


@pytest.mark.parametrize("seats", [2, 3, 6])
def test_every_deal_is_played_from_every_seat_with_the_same_cards(seats):
    seen: dict[int, dict[int, object]] = {}

    def take_down(tables, seating):
        for t, agents in zip(tables, seating, strict=True):
            whole = t["hole"][:seats, :2].tolist(), t["deck"][: 2 * seats + 8].tolist(), int(t["button"])
            seen.setdefault(int(t["table_id"]), {})[agents.tolist().index(0)] = whole

    agents, lineup = [CallingStation(), Folder()], [0] + [1] * (seats - 1)
    deals = play_deals(Rules(seats=seats), agents, lineup, range(15), tables=5, finished=take_down)
    assert deals.hands == 15 * seats
    assert len(seen) == 15
    for by_seat in seen.values():
        assert sorted(by_seat) == list(range(seats))  # it had every seat
        assert all(dealt == by_seat[0] for dealt in by_seat.values())  # in the same deal
    decks = [tuple(by_seat[0][1]) for by_seat in seen.values()]
    assert len(set(decks)) == 15


def test_an_agent_against_itself_is_even_after_a_few_deals_too():
    assert play_match(Maniac(), Maniac(), HEADS_UP, hands=10, num_tables=5).half_width == 0
    assert play_match(Folder(), CallingStation(), HEADS_UP, hands=10, num_tables=5).half_width == np.inf


@pytest.mark.parametrize("deals", [5, 10, 20])
def test_intervals_of_few_deals_hold_the_truth_as_often(deals):
    values = np.random.default_rng(deals).normal(size=(4000, deals))
    held = np.mean([abs(result.mean) < result.half_width for result in (summarize("a", "b", v, 2) for v in values)])
    assert 0.94 < held < 0.96


@pytest.mark.fast_cases(1)
@pytest.mark.parametrize("agent", [Random(), Maniac(), CallingStation()], ids=lambda agent: agent.name)
@pytest.mark.parametrize("seats", [2, 4])
def test_an_agent_against_itself_is_exactly_even(agent, seats):
    """It draws the same in the same place of the same deal, so that duplicates cancel to the chip."""
    result = play_match(agent, agent, Rules(seats=seats), hands=2000, num_tables=50)
    assert result.mean == pytest.approx(0, abs=1e-9)
    assert result.half_width == pytest.approx(0, abs=1e-9)


def test_two_strategies_that_are_equal_but_draw_differently_are_even_within_the_interval():
    result = play_match(Random(seed=1), Random(seed=2), HEADS_UP, hands=40_000)
    assert abs(result.mean) < 1.5 * result.half_width
    assert result.half_width > 10


@pytest.mark.parametrize(("seats", "exact"), [(2, 75.0), (3, 100.0)])
def test_known_result_against_somebody_who_always_folds(seats, exact):
    """Heads-up the folder pays half a blind on the button and a whole one off it: 0.75 a hand.

    Three-handed the station wins 1.5, 1 and 0.5 big blinds from button, small and big blind: 1 a hand.
    """
    hands = 3 * 4 * seats  # whole rounds of the button
    result = play_match(CallingStation(), Folder(), Rules(seats=seats), hands=hands * seats, num_tables=2)
    assert result.mean == pytest.approx(exact)


def test_swapping_the_agents_swaps_the_sign():
    one, two = play_match("maniac", "random", HEADS_UP, 4000), play_match("random", "maniac", HEADS_UP, 4000)
    assert one.mean == pytest.approx(-two.mean)
    assert one.half_width == pytest.approx(two.half_width)


@pytest.mark.slow
def test_intervals_cover_the_truth():
    """About 95 of 100 intervals of a thousand deals hold the win rate of all deals together."""
    agents = [make_agent(name) for name in ("maniac", "calling_station")]
    values = play_deals(HEADS_UP, agents, [0, 1], range(200_000), tables=5000).per_deal(0)
    parts = [summarize("maniac", "calling_station", part, hands=2000) for part in np.split(values[:100_000], 100)]
    covered = sum(low <= 100 * values.mean() <= high for low, high in (part.interval for part in parts))
    assert 87 <= covered <= 100


def test_summary_by_hand():
    result = summarize("a", "b", np.array([1.0, -1.0, 2.0, 0.0]), hands=8)
    assert result.mean == 50.0  # bb/100
    assert result.half_width == pytest.approx(100 * 3.182446 * np.sqrt(5 / 3) / 2, rel=1e-6)  # Student's, 3 degrees
    assert str(result) == "a against b: +50 ± 205 bb/100 (8 hands)"


FREEZEOUT = {"levels": [{"hands": 6}, {"times": 3, "hands": 6}, {"times": 10}], "prizes": (0.7, 0.3)}
RULES = Rules(seats=3, blinds=(5, 10), stacks=200, session=FREEZEOUT)


@pytest.mark.parametrize(
    "session",
    [FREEZEOUT, {"kind": "cash", "num_hands": 15, "rebuy": 200}, {"num_hands": 4}],
    ids=["freezeout", "cash", "short"],
)
def test_it_plays_what_a_session_plays(session):
    rules = RULES.replace(session=session)
    agents = [Maniac(), Random(), CallingStation()]
    played = play_sessions(rules, agents, [0, 1, 2], range(5), seed=4, tables=7)
    alone = Session(rules, seed=4)  # table 0
    for table in alone:
        while not table.is_over:
            table.play(agents[table.actor].move(table))
    assert played.columns["hands"][0, 0, 0] == alone.hands_played
    net = [stack - 200 for stack in alone.stacks]
    assert sum(net) == alone.chips_brought_in - 600
    if not session.get("rebuy"):
        assert played.columns["chips"][0, 0].tolist() == net
    if session is FREEZEOUT:
        assert played.columns["places"][0, 0].tolist() == alone.places
    assert (played.columns["chips"].sum(axis=2) == 0).all()
    assert np.abs(played.columns["prizes"].sum(axis=2)).max() < 1e-9


def test_prizes_are_paid_by_place_and_equal_agents_are_even():
    even = play_sessions(RULES, [Maniac()] * 3, [0, 1, 2], range(20), seed=1)
    assert np.abs(even.per_deal(0, "prizes")).max() < 1e-9
    played = play_sessions(RULES, [Random(), CallingStation(), Random(seed=2)], [0, 1, 2], range(20), seed=1)
    places, prizes = played.columns["places"], played.columns["prizes"]
    assert np.allclose(prizes[places == 1], 0.7 - 1 / 3)
    alone_second = (places == 2) & ((places == 2).sum(axis=2, keepdims=True) == 1)
    assert alone_second.any()
    assert np.allclose(prizes[alone_second], 0.3 - 1 / 3)


@pytest.mark.parametrize(("agents", "seats"), [(5, 3), (4, 4), (2, 3), (7, 2)])
def test_balanced_lineups_seat_everybody_equally_often(agents, seats):
    numbers = np.arange(agents * 120)
    lineups = balanced_lineups(agents, seats, numbers, seed=3)
    assert (np.bincount(lineups.ravel()) == 120 * seats).all()
    if agents >= seats:
        assert all(len(set(row)) == seats for row in lineups.tolist())
    assert np.array_equal(balanced_lineups(agents, seats, numbers[17:30], seed=3), lineups[17:30])
    meet = np.zeros((agents, agents), int)
    for row in lineups:
        meet[np.ix_(row, row)] += 1
    apart = meet[~np.eye(agents, dtype=bool)]
    assert apart.min() > 0.6 * apart.mean()


KUHN = Rules.preset("kuhn")


class Listening(AlwaysFold):
    """Notes which hands it is notified of, by the number of the table."""

    name = "listening"
    heard: dict[int, list[int]] = {}

    def hand_over(self, tables, rules, rows):
        for row in rows:
            self.heard.setdefault(int(tables["table_id"][row]), []).append(int(tables["session_hands"][row]))

    def clone(self) -> Agent:
        return self


def test_hands_are_numbered_and_buttons_move():
    agent, buttons = Listening(), []
    agent.heard = {}
    result = play_sittings(
        agent, "random", KUHN, 80, 4, num_tables=10, finished=lambda tables, _: buttons.append(tables["button"].copy())
    )
    assert (result.hands, result.deals) == (80, 10)
    assert len(agent.heard) == 20  # ten tables from two seats
    assert all(hands == [0, 1, 2, 3] for hands in agent.heard.values())
    assert all((one != two).all() for one, two in pairwise(buttons[:4]))


def test_the_same_decks_from_every_seat_and_a_rate_by_hands():
    assert play_sittings("random", Random(), KUHN, 400, 5, num_tables=20).mean == 0
    always = play_sittings("always_fold", "maniac", "heads-up-no-limit", 400, 5, num_tables=20)
    assert always.mean == pytest.approx(-75, abs=12)  # bb/100; the maniac does not always raise


def test_an_agent_that_changes():
    tables = SelfPlayTables(KUHN, 40, ["random"])
    tables.reset(seed=1)
    tables.records["session_hands"] = np.arange(40) % 20
    agent, rows = Changing("always_fold", "maniac", after=7), np.arange(40)
    views = SealedAgent(agent).views(tables.records, KUHN, rows)
    moves, probabilities = asked_probabilities(agent, tables.records, KUHN, rows)
    for each, theirs in (("always_fold", rows[rows % 20 < 7]), ("maniac", rows[rows % 20 >= 7])):
        assert (agent.act(views, KUHN, rows)[theirs] == make_agent(each).act(views, KUHN, theirs)).all()
        wanted = asked_probabilities(make_agent(each), tables.records, KUHN, theirs)
        width = wanted[0].shape[1]
        assert (moves[theirs, :width] == wanted[0]).all()
        np.testing.assert_allclose(probabilities[theirs, :width], wanted[1])
    assert config_of(make_agent({"agent": "changing", "after": 3}))["after"] == 3


@pytest.mark.parametrize(
    ("make", "words"),
    [
        (lambda: play_sessions(Rules(seats=2), [Maniac()] * 2, [0, 1], range(2)), "rules: no session"),
        (lambda: play_sittings("random", "random", KUHN, 10, 0), "give 1 or more"),
        (lambda: play_sittings("random", "random", Rules(session={}), 10, 5), "a session is played by play_sessions"),
        (lambda: Changing(after=0), "give 1 or more"),
        (lambda: SelfPlayTables(KUHN, 2, ["random"], sitting=0), "sitting: 0 hands"),
        (lambda: SelfPlayTables(Rules(session={}), 2, ["random"], sitting=2), "these rules have a session"),
    ],
)
def test_sessions_and_sittings_that_are_none(make, words):
    with pytest.raises(ValueError, match=words):
        make()


def test_training_tables_play_sittings_with_the_same_opponents():
    listening = Listening()
    listening.heard = {}
    tables = SelfPlayTables(KUHN, 30, [listening, "random", "maniac"], sitting=3)
    tables.reset(seed=1)
    sat: dict[int, list[tuple[int, int, int]]] = {table: [] for table in range(30)}
    for _ in range(60):
        before = tables.finished
        tables.step(np.zeros(len(tables.turn), np.int64))
        assert before is not tables.finished
        for row, table in enumerate(tables.ended):
            number = int(tables.finished["session_hands"][row])
            sat[table].append((int(tables.finished["hand"][row]), number, int(tables.played_by[row].max())))
            assert tables.sitting_over[row] == (number == 2)
    owners = set()
    for hands in sat.values():
        assert [number for number, _, _ in hands] == list(range(len(hands)))
        for number, place, owner in hands:
            assert place == number % 3
            assert owner == hands[number - place][2]
            owners.add(owner)
        assert len({owner for _, _, owner in hands}) > 1
    assert owners == {0, 1, 2}
    heard = sorted(len(hands) for hands in listening.heard.values())
    assert sum(heard) == sum(owner == 0 for hands in sat.values() for _, _, owner in hands)
