"""R39: the last level of blinds, and levels that go by the players left."""

from __future__ import annotations

from holdem_env import Rules, Session
from rules.sitting import fold_out

TWICE = {"times": 2}


def big_blinds(session: Session, hands: int) -> list[int]:
    found = []
    for _ in range(hands):
        fold_out(session.deal())
        found.append(session.stage.big_blind)
    return found


def test_r39_the_last_level_stays_even_if_it_has_a_length():
    levels = [{"hands": 2}, {**TWICE, "hands": 2}]
    session = Session(Rules(seats=3, blinds=(5, 10), stacks=1000, session={"levels": levels}), seed=1)
    assert big_blinds(session, 7) == [10, 10, 20, 20, 20, 20, 20]
    assert session.level == 1


def test_r39_levels_go_by_the_players_left_and_not_by_hands():
    levels = [{}, {**TWICE, "players": 3}, {"times": 4, "players": 2}]
    session = Session(Rules(seats=4, blinds=(5, 10), stacks=1000, session={"levels": levels}), seed=1)
    assert big_blinds(session, 6) == [10] * 6
    session.leave(0)
    assert big_blinds(session, 4) == [20] * 4
    session.leave(1)
    assert big_blinds(session, 4) == [40] * 4
    assert session.level == 2
