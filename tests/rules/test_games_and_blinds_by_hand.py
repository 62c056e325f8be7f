"""R19, R39: the organiser names the next hand's game and sets its blinds; levels by hands and by players."""

from __future__ import annotations

import pytest

from errors import complaint, mentions
from holdem_env import Rules, Session
from rules.sitting import bust, cash, fold_out, next_hand, tournament

PHASES = [{"hands": 2, "name": "hold'em"}, {"game": "omaha", "hands": 1}, {"structure": "fixed_limit", "orbits": 1}]


def mixed() -> Session:
    return cash(3, session={"phases": PHASES})


def test_r19_the_game_of_the_next_hand_is_named():
    session = mixed()
    table = fold_out(session.deal(game="omaha"))
    assert (session.phase, table.game.hole_cards) == (1, 4)
    assert fold_out(session.deal(game=2)).game.structure == "fixed_limit"
    assert fold_out(session.deal(game="hold'em")).game.hole_cards == 2
    assert session.phase == 0


def test_r19_after_a_named_game_the_schedule_goes_on_from_there():
    session = mixed()
    fold_out(session.deal(game="omaha"))
    phases = []
    for _ in range(4):
        fold_out(session.deal())
        phases.append(session.phase)
    assert phases == [2, 2, 2, 0]


def test_r19_to_name_the_game_that_is_due_changes_nothing():
    named, usual = mixed(), mixed()
    for phase in (0, 0, 1, 2, 2, 2, 0):
        one, other = fold_out(named.deal(game=phase)), fold_out(usual.deal())
        assert one.records.tobytes() == other.records.tobytes()


def test_r19_button_and_blinds_go_on_as_if_the_game_had_not_changed():
    named, usual = mixed(), cash(3)
    for game in ("omaha", 0, "fixed_limit", 1):
        table = fold_out(named.deal(game=game))
        assert (table.button, int(table.records["big_blind_seat"][0])) == next_hand(usual)[::2]


@pytest.mark.parametrize("game", ["stud", 3, -1])
def test_r19_another_game_is_an_error_that_names_the_declared_ones(game):
    session = mixed()
    mentions(complaint(session.deal, game=game), 0, 1, "omaha", 2)
    assert session.deal().button == 0
    mentions(complaint(cash(3).deal, game="omaha"), "has no phases")


def test_r39_the_blinds_are_set_between_hands():
    session = cash(3)
    assert fold_out(session.deal()).game.blinds == (10, 20)
    session.set_blinds(15, 30, ante=5)
    table = fold_out(session.deal())
    assert (table.game.blinds, table.game.ante, session.rules.stages[0].blinds) == ((15, 30), 5, (15, 30))
    session.set_blinds(5, 10)  # they may fall, too
    assert fold_out(session.deal()).game.blinds == (5, 10)
    assert session.stage.ante == 0
    assert sum(session.stacks) == session.chips_brought_in


def test_r39_blinds_that_are_set_end_the_schedule_and_hold_in_every_phase():
    levels = [{"hands": 1}, {"times": 4}]
    session = tournament(3, session={"levels": levels, "phases": PHASES})
    session.set_blinds(12, 25)
    for game in (0, 1, 2, None, None):
        assert fold_out(session.deal(game=game)).game.blinds == (12, 25)


def test_r39_only_between_hands_and_only_what_a_game_can_have():
    session = cash(3, smallest_chip=5)
    mentions(complaint(session.set_blinds, 7, 10), "blinds")
    mentions(complaint(session.set_blinds, 20, 10), "blinds")
    table = session.deal()
    assert table.game.blinds == (10, 20)
    mentions(complaint(session.set_blinds, 5, 10), "set_blinds")


def test_r39_a_hand_that_is_called_off_keeps_the_blinds_that_were_set():
    session = cash(3)
    session.set_blinds(50, 100)
    session.deal()
    session.void()
    assert session.deal().game.blinds == (50, 100)


def test_r10_r39_missed_blinds_are_owed_at_the_size_that_is_set():
    session = cash(4)
    next_hand(session)
    session.sit_out(3)  # the next big blind
    next_hand(session)
    session.set_blinds(25, 50)
    assert session.owes(3)[0] == 50


def blinds_by_hands_and_players() -> Session:
    levels = [{"hands": 3}, {"times": 2, "players": 3, "hands": 2}, {"times": 5, "players": 2}]
    return tournament(4, [1000, 300, 1000, 1000], session={"levels": levels})


def test_r39_levels_by_hands_and_by_players_whichever_comes_first():
    session = blinds_by_hands_and_players()
    assert [fold_out(session.deal()).game.big_blind for _ in range(7)] == [20, 20, 20, 40, 40, 100, 100]
    session = blinds_by_hands_and_players()
    bust(session, {1})
    assert [fold_out(session.deal()).game.big_blind for _ in range(4)] == [40, 40, 100, 100]


def test_r39_by_hands_and_players_they_do_not_fall_when_somebody_enters():
    session = blinds_by_hands_and_players()
    bust(session, {1})
    assert fold_out(session.deal()).game.big_blind == 40
    session.join(1, 1000)
    assert fold_out(session.deal()).game.big_blind == 40


def test_r39_a_level_without_hands_lasts_until_the_players_of_the_next_are_left():
    levels = [{}, {"times": 2, "players": 3, "hands": 2}, {"times": 3}]
    session = tournament(4, [1000, 300, 1000, 1000], session={"levels": levels})
    assert [fold_out(session.deal()).game.big_blind for _ in range(4)] == [20] * 4
    session.leave(0)
    assert [fold_out(session.deal()).game.big_blind for _ in range(4)] == [40, 40, 60, 60]


def test_r05_r13_the_leaflets_game_draws_for_the_button_and_moves_it():
    session = Session("leaflet", seed=4)
    table = session.deal()
    draw = [deed for deed in table.log if deed.kind == "draw_button"]
    assert len({deed.seat for deed in draw}) == 10
    assert session.session_rules.button == "moving"
    first = fold_out(table).button
    assert fold_out(session.deal()).button == (first + 1) % 10


def test_r13_the_leaflets_hands_may_stand_alone():
    assert Rules.preset("leaflet", session=None).session is None
