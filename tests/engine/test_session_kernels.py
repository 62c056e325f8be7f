"""The kernels between hands, on records that other hands have left full."""

from __future__ import annotations

import numpy as np
import pytest

from holdem_env import Rules, Table
from holdem_env.engine import batch, session_kernels
from holdem_env.engine.record import LOG_OFF, NOBODY, PRESENT, TABLE, Records, new_log, new_records
from holdem_env.game.session_rules import Phase

SEATS = 4
SMALL = ("stage", "phase", "phase_hands", "phase_orbits", "phase_seat", "session_over", "session_hands", "blind_level")
SMALL += ("blind_level_hands", "players_left", "hand", "table_id", "seed", "button")
BY_SEAT = ("owes", "posts", "comes_back", "place", "held_out", "presence")


def used_tables(count: int) -> Records:
    """Records in which every number is a 3."""
    tables = new_records(TABLE, count)
    for name in SMALL:
        tables[name] = 3
    for name in BY_SEAT:
        tables[name][:] = 3
    tables["seats"]["stack"][:] = 3
    tables["last_shown"][:] = 3
    return tables


def test_a_session_begins_with_nothing_of_the_last_one():
    rules = Rules(seats=SEATS, stacks=(100, 200, 300, 400), session={"first_button": 2})
    tables = used_tables(2)
    session_kernels.begin_sessions(tables, rules.record, 77, 10)
    for k in range(2):
        row = tables[k]
        found = {name: int(row[name]) for name in SMALL}
        nothing = dict.fromkeys(SMALL, 0)
        expected = {"seed": 77, "table_id": 10 + k, "hand": -1, "button": 2, "players_left": SEATS}
        assert found == nothing | expected | {"phase_seat": NOBODY}
        assert row["seats"]["stack"][:SEATS].tolist() == [100, 200, 300, 400]
        assert row["presence"][:SEATS].tolist() == [PRESENT] * SEATS
        for name in BY_SEAT:
            if name != "presence":
                assert row[name][:SEATS].tolist() == [0] * SEATS, name


def test_numbered_tables_begin_before_their_first_hand():
    tables = used_tables(3)
    batch.number_tables(tables, 5, 20, 1)
    assert tables["table_id"].tolist() == [20, 21, 22]
    for name, expected in {"seed": 5, "hand": -1, "button": 1, "stage": 0, "phase": 0, "phase_hands": 0}.items():
        assert tables[name].tolist() == [expected] * 3, name
    assert not tables["last_shown"].any()


@pytest.mark.parametrize(
    ("phases", "expected"),
    [
        ((Phase(hands=2), Phase(hands=3, ante=5)), [0, 0, 1, 1, 1, 0, 0, 1, 1, 1]),
        ((Phase(orbits=1), Phase(hands=1, ante=5)), [0, 0, 0, 0, 1, 0, 0, 0, 0, 1]),
        ((Phase(hands=1), Phase(hands=1, ante=5), Phase(orbits=1, ante=10)), [0, 1, 2, 2, 2, 2, 0, 1, 2, 2]),
    ],
)
def test_r19_where_every_hand_stands_alone_phases_go_by_hands_and_an_orbit_is_as_many_as_there_are_seats(
    phases, expected
):
    rules = Rules(seats=SEATS, session={"phases": phases})
    tables = new_records(TABLE, 1)
    batch.number_tables(tables, 1, 0, SEATS - 1)
    found = []
    for hand in range(len(expected)):
        batch.deal_hands(tables, rules.record, new_log(False), np.arange(1))
        assert (tables["hand"][0], tables["button"][0]) == (hand, hand % SEATS)
        assert tables["stage"][0] == tables["phase"][0]
        found.append(int(tables["phase"][0]))
    assert found == expected


def test_a_log_that_is_switched_off_stays_empty():
    log = new_log(False)
    rules = Rules(seats=2)
    tables = new_records(TABLE, 1)
    batch.number_tables(tables, 1, 0, 0)
    batch.deal_hands(tables, rules.record, log, np.arange(1))
    assert log["count"][0] == LOG_OFF
    assert not log["kind"].any()
    listening = new_log(True)
    batch.deal_hands(tables, rules.record, listening, np.arange(1))
    assert listening["count"][0] > 0


def three_tables(rules: Rules) -> Records:
    """Three hands, with the button at seats 0, 1 and 2."""
    tables = new_records(TABLE, 3)
    for k in range(3):
        tables[k] = Table(rules, button=k, seed=k).records[0]
    return tables


def test_posted_chips_are_those_of_every_table():
    rules = Rules(seats=3, blinds=(5, 10), ante=2, big_blind_ante=4)
    tables = three_tables(rules)
    ante, bet, dead = (np.full((3, 3), -7, np.int64) for _ in range(3))
    batch.posted_chips(tables, rules.record, ante, bet, dead)
    assert ante.tolist() == [[2, 2, 2]] * 3
    assert bet.tolist() == [[0, 5, 10], [10, 0, 5], [5, 10, 0]]
    assert dead.tolist() == [[0, 0, 4], [4, 0, 0], [0, 4, 0]]


def test_the_first_illegal_move_and_the_first_action_that_is_not_offered():
    rules = Rules(seats=3, blinds=(5, 10))
    tables = three_tables(rules)
    rows = np.array([2, 0, 1])
    for moves, expected in (([0, -1, 20], -1), ([0, 11, 12], 1), ([-2, 0, 0], 0), ([0, 0, 10**9], 2)):
        assert batch.first_illegal(tables, rules.record, rows, np.array(moves)) == expected
    choices = np.array([[-1, 0, batch.NO_MOVE], [-1, batch.NO_MOVE, 30]])
    for actions, expected in (([0, 2], -1), ([1, 0], -1), ([2, 0], 0), ([0, 1], 1), ([0, 3], 1), ([-1, 0], 0)):
        assert batch.first_not_offered(choices, np.array(actions)) == expected


def test_the_next_seed_is_another_number_that_a_seed_may_be():
    seeds = [1]
    for _ in range(200):
        seeds.append(int(batch.next_seed(seeds[-1])))
    assert len(set(seeds)) == len(seeds)
    assert min(seeds) >= 0
    assert 2**62 < max(seeds) < 2**63


def started(rules: Rules, count: int) -> Records:
    """Sessions that have begun, with no hand dealt."""
    tables = new_records(TABLE, count)
    session_kernels.begin_sessions(tables, rules.record, 1, 0)
    return tables


def test_nothing_is_read_where_no_table_is_left():
    """What lies in memory there, a running session here, is not asked."""
    rules = Rules(seats=3, stacks=100, session={})
    assert session_kernels.close_hands(started(rules, 1)[:0], rules.record)


def test_a_finished_hand_stays_as_it_is():
    table = Table(Rules(seats=2), seed=1)
    table.fold()
    assert table.is_over
    before = table.records.copy()
    batch.play_moves(table.records, table.rules.record, new_log(listening=False), np.array([0, 0]), np.array([1, -1]))
    np.testing.assert_array_equal(table.records, before)


def test_hands_are_arranged_where_two_players_have_chips():
    rules = Rules(seats=3, stacks=100, session={})
    tables = started(rules, 4)
    tables["seats"]["stack"][1, 1:3] = 0
    tables["session_over"][2] = 1
    tables["actor"] = 2
    assert session_kernels.arrange_hands(tables, rules.record, new_log(False), session_kernels.SCHEDULE) == 2
    assert tables["hand"].tolist() == [0, -1, -1, 0]
    assert tables["actor"][1:3].tolist() == [NOBODY, NOBODY]
    assert tables["blinds_placed"].tolist() == [1, 0, 0, 1]


@pytest.mark.parametrize(("kind", "presence"), [("cash", PRESENT), ("tournament", 0)])
def test_r39_after_a_hand_the_players_with_chips_are_counted(kind, presence):
    rules = Rules(seats=4, stacks=100, session={"kind": kind, "num_hands": 2})
    tables = started(rules, 1)
    assert session_kernels.arrange_hands(tables, rules.record, new_log(False), session_kernels.SCHEDULE) == 1
    batch.start_hands(tables, rules.record, new_log(False))
    assert (tables["pot"][0], tables["dead"][0], tables["street"][0]) == (150, 0, 0)
    tables["seats"]["stack"][0, 2] = 0
    assert not session_kernels.close_hands(tables, rules.record)
    assert (tables["players_left"][0], tables["session_hands"][0], tables["phase_hands"][0]) == (3, 1, 1)
    assert tables["presence"][0, 2] == presence
    assert tables["place"][0, 2] == (4 if kind == "tournament" else 0)
    assert session_kernels.close_hands(tables, rules.record)
    assert tables["session_over"][0] == 1
    assert not session_kernels.can_go_on(tables, rules.record)


def test_r39_who_leaves_before_the_first_hand_has_no_place():
    rules = Rules(seats=4, stacks=100, session={})
    tables = started(rules, 1)
    session_kernels.leave_table(tables, rules.record, 2)
    assert tables["place"][0, :4].tolist() == [0] * 4
    assert (tables["players_left"][0], tables["presence"][0, 2], tables["seats"]["stack"][0, 2]) == (3, 0, 0)
    tables["session_hands"] = 1
    session_kernels.leave_table(tables, rules.record, 0)
    assert tables["place"][0, :4].tolist() == [3, 0, 0, 0]
    assert tables["session_over"][0] == 0
    session_kernels.leave_table(tables, rules.record, 3)
    assert tables["place"][0, :4].tolist() == [3, 1, 0, 2]
    assert tables["session_over"][0] == 1


def test_r39_in_a_cash_session_nobody_has_a_place():
    rules = Rules(seats=3, stacks=100, session={"kind": "cash"})
    tables = started(rules, 1)
    tables["session_hands"] = 5
    for seat in (0, 1):
        session_kernels.leave_table(tables, rules.record, seat)
    assert tables["place"][0, :3].tolist() == [0] * 3
    assert tables["session_over"][0] == 0
    assert not session_kernels.can_go_on(tables, rules.record)
