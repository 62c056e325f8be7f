"""R11, R13, R19, R39, R40 in sessions: names of positions, phases, levels, rebuys, places, where the chips are."""

from __future__ import annotations

import pytest

from holdem_env import Rules, Session
from holdem_env.game.position_names import position_names
from rules.playing import check_down
from rules.sitting import bust, cash, deck_for, fold_out, next_hand, posts, tournament

MIXED = ({"structure": "fixed_limit", "blinds": (20, 40), "hands": 3}, {"structure": "no_limit", "hands": 2})


POSITIONS = [(10, "SB BB UTG EP2 EP3 MP1 MP2 HJ CO BTN", "bbeeemmmll")]
POSITIONS += [(9, "SB BB UTG EP2 MP1 MP2 HJ CO BTN", "bbeemmmll"), (8, "SB BB UTG MP1 MP2 HJ CO BTN", "bbemmmll")]
POSITIONS += [(7, "SB BB UTG MP1 HJ CO BTN", "bbmmmll"), (6, "SB BB UTG HJ CO BTN", "bbmmll")]
POSITIONS += [(5, "SB BB UTG CO BTN", "bbmll"), (4, "SB BB UTG BTN", "bbll"), (3, "SB BB BTN", "bbl")]
POSITIONS += [(2, "BTN BB", "bb")]


@pytest.mark.parametrize(("players", "names", "groups"), POSITIONS)
def test_r11_positions(players, names, groups):
    positions = position_names(players)
    assert " ".join(position.name for position in positions) == names
    assert "".join(position.group[0] for position in positions) == groups


@pytest.mark.parametrize("seats", range(2, 11))
def test_r11_in_a_session_the_names_go_round(seats):
    session = tournament(seats)
    for _ in range(2):
        place = next_hand(session)
        named = {seat: position.name for seat, position in session.positions.items()}
        assert sorted(named) == list(range(seats))
        assert named[place.big] == "BB"
        assert named[place.button] == "BTN"
        assert seats == 2 or named[place.small] == "SB"
        assert seats < 4 or named[(place.big + 1) % seats] == "UTG"


def test_r11_with_an_empty_button_seat_nobody_is_the_button():
    session = tournament(5, [1000, 300, 1000, 1000, 1000])
    bust(session, {1})
    next_hand(session)
    named = {seat: position.name for seat, position in session.positions.items()}
    assert named == {2: "SB", 3: "BB", 4: "UTG", 0: "CO"}


def test_r13_a_set_of_chips_makes_the_stack_and_the_smallest_chip():
    leaflet = Rules.preset("leaflet")
    assert leaflet.starting_stacks == (625,) * 10
    assert leaflet.smallest_chip == 5
    assert Rules(blinds=(5, 10), chips={5: 20, 10: 15, 25: 15, 100: 1}).starting_stacks[0] == 725
    assert Rules.preset("leaflet", stacks=1000).starting_stacks[0] == 1000


BAD_CHIPS = [({5: 20, 12: 3}, "chips: 12 is not a multiple of the smallest chip")]
BAD_CHIPS += [({5: -1}, "how many there are of each value"), ({}, "how many there are of each value")]
BAD_CHIPS += [({5: 0}, "how many there are of each value"), ({0: 3}, "how many there are of each value")]
BAD_CHIPS += [({5: 2.5}, "how many there are of each value"), ([5, 10], "how many there are of each value")]
BAD_CHIPS += [({25: 40}, "blinds: 5 is not a multiple of the smallest chip")]


@pytest.mark.parametrize(("chips", "why"), BAD_CHIPS)
def test_r13_a_set_of_chips_that_cannot_be(chips, why):
    with pytest.raises(ValueError, match=why):
        Rules(blinds=(5, 10), chips=chips)


def test_r13_the_leaflets_game_stays_in_chips_of_five():
    session = Session(Rules.preset("leaflet", seats=6).replace(session={"first_button": "high_card"}), seed=3)
    for count, table in enumerate(session):
        while not table.is_over:
            raises = table.legal.raise_min and (table.actor + count) % 3 == 0
            table.raise_to(table.legal.raise_min) if raises else table.check_call()
        assert all(stack % 5 == 0 for stack in session.stacks)
        assert sum(session.stacks) == 6 * 625
        if count == 60:
            break


@pytest.mark.parametrize(
    ("phases", "expected"),
    [
        (MIXED, [0, 0, 0, 1, 1, 0, 0, 0, 1, 1, 0]),
        *(([{"structure": "fixed_limit", "orbits": n}, {"orbits": 1}], [0] * 4 * n + [1] * 4 + [0]) for n in (1, 2)),
    ],
)
def test_r19_phases_by_hands_and_by_orbits(phases, expected):
    session = tournament(4, session={"phases": phases})
    assert [(next_hand(session), session.phase)[1] for _ in expected] == expected


def test_r19_each_phase_has_its_structure_and_its_blinds():
    session = tournament(4, session={"phases": MIXED})
    table = session.deal()
    assert (sorted(table.bets), table.legal.raise_min, table.legal.raise_max) == ([0, 0, 20, 40], 80, 80)
    fold_out(table)
    next_hand(session)
    next_hand(session)
    table = session.deal()
    assert (sorted(table.bets), table.legal.raise_min) == ([0, 0, 10, 20], 40)
    assert table.legal.raise_max == table.stacks[table.actor]
    assert table.rules.structure == session.stage.structure == "no_limit"


def test_r19_r17_a_pot_limit_phase():
    phases = [{"structure": "pot_limit", "blinds": (5, 10), "hands": 1}, {"hands": 1}]
    assert tournament(3, session={"phases": phases}).deal().legal.raise_max == 35


def test_r19_an_orbit_ends_when_the_big_blind_passes_the_seat_where_the_phase_began():
    """It began at seat 2, which is broke after the first hand: big blinds 3, 4, 0, 1, and then 3 is past it."""
    phases = [{"structure": "no_limit", "orbits": 1}, {"structure": "fixed_limit", "orbits": 1}]
    session = tournament(5, [1000, 1000, 300, 1000, 1000], session={"phases": phases})
    assert bust(session, {2}).big == 2
    seen = [(next_hand(session).big, session.phase) for _ in range(9)]
    assert seen == [(3, 0), (4, 0), (0, 0), (1, 0), (3, 1), (4, 1), (0, 1), (1, 1), (3, 0)]


@pytest.mark.parametrize(
    ("schedule", "blinds"),
    [
        ({"phases": [{"hands": 3}, {"blinds": (50, 100), "hands": 9}]}, (50, 100)),
        ({"phases": [{"hands": 3}, {"game": "omaha", "blinds": (50, 100), "hands": 9}]}, (50, 100)),
        ({"levels": [{"hands": 3}, {"times": 4}]}, (40, 80)),
    ],
)
def test_r19_r39_r10_missed_blinds_are_owed_at_the_size_in_force(schedule, blinds):
    session = cash(4, session=schedule)
    next_hand(session)
    session.sit_out(3)
    next_hand(session)
    next_hand(session)
    assert session.owes(3) == (20, 10)
    session.sit_in(3)
    assert posts(session.deal()) == {"post_live": [(3, blinds[1])], "post_dead": [(3, blinds[0])]}


def blinds_of(session: Session, hands: int) -> list[int]:
    return [fold_out(session.deal()).game.big_blind for _ in range(hands)]


@pytest.mark.parametrize(
    ("levels", "expected"),
    [
        ([{"hands": 2}, {"times": 2, "hands": 3}, {"blinds": (50, 100)}], [20] * 2 + [40] * 3 + [100] * 3),
        ([{"hands": 2}, {"times": 2, "hands": 2}], [20] * 2 + [40] * 5),  # the last one stays, whatever its length
    ],
)
def test_r39_levels_by_hands(levels, expected):
    session = tournament(3, session={"levels": levels})
    assert blinds_of(session, len(expected)) == expected
    assert session.level == len(levels) - 1


@pytest.mark.parametrize("times", [(1, 2, 5), (5, 2, 3)])
def test_r39_levels_by_the_players_who_are_left_may_fall_and_rise_again(times):
    levels = [{"times": times[0]}, {"times": times[1], "players": 4}, {"times": times[2], "players": 2}]
    session = tournament(5, [2000, 300, 400, 500, 2000], session={"levels": levels})
    for out, level in ((set(), 0), ({1}, 1), ({2, 3}, 2)):
        if out:
            bust(session, out)
        assert blinds_of(session, 3) == [20 * times[level]] * 3, "not by hands"
        assert session.level == level


@pytest.mark.parametrize("what", [{"ante": 4}, {"blinds": (5, 10)}])
def test_r39_by_hands_the_blinds_may_only_rise_by_players_all_amounts_may_fall(what):
    first = {"blinds": (10, 20), "ante": 5}
    with pytest.raises(ValueError, match="they may only rise"):
        Rules(seats=4, session={"levels": [{**first, "hands": 3}, {"blinds": (10, 20), "ante": 4} | what]})
    Rules(seats=4, session={"levels": [first, {"blinds": (10, 20), "ante": 4, **what, "players": 2}]})


def test_r39_a_player_who_comes_or_goes_between_hands_counts_at_once():
    session = cash(3, session={"levels": [{}, {"times": 2, "players": 2}]})
    assert blinds_of(session, 1) == [20]
    session.leave(2)
    assert blinds_of(session, 1) == [40]


def test_r39_levels_and_phases_together():
    levels = [{"hands": 2}, {"times": 3}]
    phases = [{"hands": 1}, {"structure": "fixed_limit", "blinds": (20, 40), "hands": 1}]
    session = tournament(3, session={"levels": levels, "phases": phases})
    assert blinds_of(session, 5) == [20, 40, 60, 120, 60]


def test_r39_a_session_ends_after_its_hands():
    session = tournament(3, session={"num_hands": 4})
    assert len([fold_out(table) for table in session]) == 4
    assert session.is_over
    assert session.places == [0, 0, 0]


def test_r39_freezeout_places():
    session = tournament(4, [3000, 300, 400, 1000])
    bust(session, {1})
    assert session.places == [0, 4, 0, 0]
    bust(session, {2})
    assert (session.places, session.is_over) == ([0, 4, 3, 0], False)
    bust(session, {3})
    assert (session.places, session.is_over) == ([1, 4, 3, 2], True)
    assert session.stacks == [4700, 0, 0, 0]


@pytest.mark.parametrize(
    ("stacks", "expected"), [((400, 300), [0, 3, 4, 0]), ((300, 400), [0, 4, 3, 0]), ((300, 300), [0, 3, 3, 0])]
)
def test_r39_of_two_out_in_one_hand_the_larger_stack_finishes_higher(stacks, expected):
    session = tournament(4, [1000, *stacks, 1000])
    bust(session, {1, 2})
    assert session.places == expected


@pytest.mark.parametrize("kind", ["cash", "tournament"])
def test_r39_r40_rebuys(kind):
    session = tournament(3, [1000, 300, 1000], session={"kind": kind, "rebuy": 500, "num_hands": 20})
    table = session.deal(deck=deck_for([1, 2, 0], {0: "AsAd", 1: "7s5d"}, "AhAcKdQs2h"))
    table.raise_to(1000)
    table.check_call()
    table.fold()
    assert session.chips_brought_in == 2800
    assert session.stacks == [1320, 500, 980]
    assert (session.places, session.is_over) == ([0, 0, 0], False)
    assert kind == "tournament" or session.payouts == [320, -300, -20], "rebuys are not won"


def test_r40_rake_is_taken_away():
    session = cash(3, rake={"percent": 10, "no_flop_no_drop": False})
    table = check_down(session.deal())
    assert session.chips_taken_away == table.rake == 6
    assert sum(session.stacks) == session.chips_brought_in - 6 == 2994


def test_r39_who_leaves_a_running_tournament_finishes_behind_all_who_are_left():
    session = Session(Rules(seats=3, blinds=(50, 100), stacks=1000), seed=1)
    for table in session:
        while not table.is_over:
            table.no_action()
        break
    assert session.leave(1) > 0
    assert session.places == [0, 3, 0]
    session.leave(0)
    assert session.places == [2, 3, 1]
    assert session.is_over
