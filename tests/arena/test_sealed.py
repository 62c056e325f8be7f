"""Whatever an agent does to what it is handed changes nothing, nothing hidden is in it, and no memory meets the same
cards twice."""

from __future__ import annotations

import gc
import sys

import numpy as np
import pytest

from holdem_agents.scripted import CallingStation, Maniac
from holdem_env import Rules
from holdem_env.agents.facts import AgentFacts
from holdem_env.agents.protocol import Agent
from holdem_env.arena import AgentFailed, play_deals, play_match, play_sessions
from holdem_env.engine.record import NO_CARD, TABLE
from holdem_env.engine.seat_view import BLANKED, CARDS, WORDS
from holdem_env.envs.learner_tables import LearnerTables

HEADS_UP = Rules.preset("heads-up-no-limit")
SIX = Rules(seats=6)
FREEZEOUT = Rules(seats=3, blinds=(10, 20), stacks=300, session={"prizes": [0.7, 0.3]})
SEEN: list[np.ndarray] = []


@pytest.fixture(autouse=True)
def nothing_seen():
    SEEN.clear()


class Watcher(CallingStation):
    """Keeps copies of all that it is handed."""

    name = "watcher"

    def act(self, tables, rules, rows):
        assert len(tables) == len(rows)
        SEEN.append(tables.copy())
        return super().act(tables, rules, rows)


class Scribbler(CallingStation):
    """Calls, and writes wherever it can."""

    name = "scribbler"

    def act(self, tables, rules, rows):
        moves = super().act(tables, rules, rows)
        tables.view(np.uint8)[:] = 77
        return moves


def test_everything_hidden_is_blank():
    play_deals(SIX, [Watcher(), Maniac()], [0, 1, 1, 0, 1, 0], range(40), seed=3)
    for tables in SEEN:
        for name in set(BLANKED) - set(WORDS):
            blank = (tables[name] == NO_CARD).all() if name in CARDS else not tables[name].any()
            assert blank, name
        for t in tables:
            others = [seat for seat in range(10) if seat != t["actor"]]
            assert (t["hole"][others] == NO_CARD).all()
            assert (t["hole"][t["actor"], :2] != NO_CARD).all()
            assert (t["board"][t["board_count"] :] == NO_CARD).all()


def test_numbers_of_tables_repeat_for_nobody_else():
    play_deals(HEADS_UP, [Watcher(), Maniac()], [0, 1], range(60), seed=3)
    by_table = {}
    for tables in SEEN:
        for t in tables:
            by_table.setdefault(int(t["table_id"]), set()).add(bytes(t["hole"][t["actor"], :2].tobytes()))
    assert all(len(cards) == 1 for cards in by_table.values())  # the same seat in the same hand
    assert 100 < len(by_table) <= 120  # a deal's two rotations have different numbers
    assert len({int(t["seed"]) for tables in SEEN for t in tables}) == sum(map(len, SEEN))


@pytest.mark.parametrize("rules", [HEADS_UP, SIX, FREEZEOUT], ids=["heads-up", "six", "freezeout"])
def test_writing_to_what_it_is_handed_changes_nothing(rules):
    play = play_sessions if rules.session else play_deals
    lineup = [0] + [1] * (rules.seats - 1)
    honest = play(rules, [CallingStation(), Maniac()], lineup, range(12), seed=3)
    scribbled = play(rules, [Scribbler(), Maniac()], lineup, range(12), seed=3)
    for name, values in honest.columns.items():
        np.testing.assert_array_equal(scribbled.columns[name], values)


def test_environments_with_opponents_hand_them_copies_too():
    tables = LearnerTables(HEADS_UP, 16, ["calling_station"])
    scribbled = LearnerTables(HEADS_UP, 16, [Scribbler()])
    tables.reset(5)
    scribbled.reset(5)
    for step in range(30):
        offered = [np.flatnonzero(mask)[step % 2 if mask.sum() > 1 else 0] for mask in tables.mask]
        for each in (tables, scribbled):
            each.play(each.checked_moves(np.array(offered)))
    assert tables.records.tobytes() == scribbled.records.tobytes()


def test_rules_cannot_be_made_writable():
    assert not HEADS_UP.record.flags.writeable
    with pytest.raises(ValueError, match="WRITEABLE"):
        HEADS_UP.record.flags.writeable = True


class Finder(CallingStation):
    """Looks for the arena's own records, and adds to its stack there."""

    name = "finder"

    def act(self, tables, rules, rows):
        for thing in self.find():
            if isinstance(thing, np.ndarray) and thing.dtype == TABLE and not thing["has_words"].any():
                thing["seats"]["stack"][:] += 1
        return super().act(tables, rules, rows)

    def find(self):
        return gc.get_objects()


class Climber(Finder):
    """The same by way of the calls that led to it."""

    name = "climber"

    def find(self):
        frame = sys._getframe()
        while frame:
            yield from frame.f_locals.values()
            frame = frame.f_back


@pytest.mark.parametrize("rules", [HEADS_UP, FREEZEOUT], ids=["heads-up", "freezeout"])
def test_who_finds_the_tables_and_writes_there_is_named(rules):
    play = play_sessions if rules.session else play_deals
    lineup = [0] + [1] * (rules.seats - 1)
    with pytest.raises(AgentFailed, match=r"'climber': it changed the arena's table 0: .*seats") as failed:
        play(rules, [Maniac(), Climber()], lineup, range(10), seed=3)
    assert failed.value.agent == 1


class Rememberer(Agent):
    """Plays the hands of all others from memory: it notes its cards by the board, and by the place of the row, and
    where it knows the opponent's, it goes all-in with the better hand and folds the worse."""

    name = "rememberer"

    def __init__(self, key):
        self.key, self.memory, self.known = key, {}, 0

    def act(self, tables, rules, rows):
        moves = np.zeros(len(rows), np.int64)
        for k, row in enumerate(rows):
            t = tables[row]
            own = t["hole"][t["actor"], :2].tolist()
            place = self.key(t, k)
            if place is None:
                continue
            if (there := self.memory.get(place, own)) != own:
                self.known += 1
                KNOWN.append(there)
            self.memory[place] = own
        return moves


class Forgetter(Rememberer):
    """It has a method `reset`, which it uses for nothing."""

    name = "forgetter"

    def reset(self):
        self.known = 0


KNOWN: list[list[int]] = []


def by_board(t, k):
    """The whole board, which tells one deal from all others."""
    return t["board"].tobytes() if t["board_count"] == 5 else None


def by_number(t, k):
    """The table's number."""
    return int(t["table_id"])


@pytest.mark.parametrize("kind", [Rememberer, Forgetter])
@pytest.mark.parametrize("key", [by_board, by_number])
def test_memory_never_meets_the_other_rotation(kind, key):
    KNOWN.clear()
    play_deals(HEADS_UP, [kind(key), CallingStation()], [0, 1], range(80), seed=4, tables=32)
    assert KNOWN == []


def test_each_seat_of_one_agent_at_a_table_has_a_memory_of_its_own():
    play_deals(SIX, [CallingStation(), Watcher()], [0, 1, 1, 1, 1, 1], range(1), seed=1)
    assert SEEN
    assert all(len(tables) == 1 for tables in SEEN)  # one table, one seat: never two of its seats in one question


def test_who_can_neither_be_copied_nor_reset_is_told_what_to_do():
    class Rigid(CallingStation):
        name = "rigid"

        def __deepcopy__(self, memo):
            raise TypeError("no")

    with pytest.raises(AgentFailed, match=r"clone: TypeError: cannot be copied .*give its class a method"):
        play_match(Rigid(), "maniac", HEADS_UP, 10, num_tables=5)

    class Elastic(Rigid):
        name = "elastic"

        def reset(self):
            SEEN.append(np.zeros(0, TABLE))

    play_match(Elastic(), "maniac", HEADS_UP, 20, num_tables=5)
    assert len(SEEN) == 4  # two batches of two rotations


def test_clones_are_closed():
    closed = []

    class Holder(CallingStation):
        name = "holder"

        def close(self):
            closed.append(self)

    holder = Holder()
    play_match(holder, "maniac", HEADS_UP, 20, num_tables=5)
    assert len(closed) == 2
    assert holder not in closed


class Legislator(CallingStation):
    name = "legislator"

    def act(self, tables, rules, rows):
        changed = rules.record.copy()
        changed["stacks"] = 7
        rules.__dict__["record"] = changed
        return super().act(tables, rules, rows)


class Sore(CallingStation):
    name = "sore"

    def hand_over(self, tables, rules, rows):
        raise RuntimeError("it was mine")


class Stubborn(CallingStation):
    name = "stubborn"

    def reset(self):
        raise RuntimeError("nothing is forgotten")


@pytest.mark.parametrize(
    ("agent", "words"),
    [
        pytest.param(Legislator(), "'legislator': it changed the arena's rules", marks=pytest.mark.slow),
        (Sore(), "'sore': hand_over: RuntimeError: it was mine"),
        (Stubborn(), "'stubborn': reset: RuntimeError: nothing is forgotten"),
    ],
)
def test_who_fails_is_named(agent, words):
    with pytest.raises(AgentFailed, match=words) as failed:
        play_deals(Rules(seats=2, stacks=5_000), [Maniac(), agent], [0, 1], range(10), seed=3)
    assert failed.value.agent == 1


class Learner(CallingStation):
    """Wants to know how hands ended."""

    name = "learner"

    def hand_over(self, tables, rules, rows):
        SEEN.append(tables[rows].copy())


def test_agents_that_want_it_see_how_hands_end():
    deals = []
    agents = [Learner(), Maniac()]
    played = play_deals(HEADS_UP, agents, [0, 1], range(50), seed=2, finished=lambda t, s: deals.append((t.copy(), s)))
    assert [len(tables) for tables in SEEN] == [50, 50]
    for seen, (tables, seating) in zip(SEEN, deals, strict=True):
        seats = np.nonzero(seating == 0)[1]
        np.testing.assert_array_equal(seen["actor"], seats)
        np.testing.assert_array_equal(seen["seats"]["stack"], tables["seats"]["stack"])
        other = 1 - seats
        shown = tables["shown"][np.arange(50), other] == 1
        cards = seen["hole"][np.arange(50), other, :2]
        np.testing.assert_array_equal(cards[shown], tables["hole"][np.arange(50), other, :2][shown])
        assert (cards[~shown] == NO_CARD).all()
        assert shown.any()
    assert played.hands == 100


def test_who_plays_one_table_at_a_time_gets_one():
    class Slow(Watcher):
        name = "slow"
        facts = AgentFacts(tables_at_once=1)

    alone = play_deals(HEADS_UP, [Slow(), Maniac()], [0, 1], range(20), seed=6)
    assert {len(tables) for tables in SEEN} == {1}
    many = play_deals(HEADS_UP, [Watcher(), Maniac()], [0, 1], range(20), seed=6)
    np.testing.assert_array_equal(alone.columns["chips"], many.columns["chips"])


def test_who_plays_one_table_at_a_time_is_reset_before_a_batch_only():
    resets = []

    class Learning(Watcher):
        name = "learning"
        facts = AgentFacts(tables_at_once=1)

        def reset(self):
            resets.append(len(SEEN))

    play_deals(HEADS_UP, [Learning(), Maniac()], [0, 1], range(20), seed=6, tables=10)
    assert len(resets) == 4  # two batches of two rotations
    assert resets[0] < resets[1] < resets[2] < resets[3]
