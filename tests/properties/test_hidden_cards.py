"""Nothing leaks: an observation does not depend on any card that the seat cannot see."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from holdem_env import Rules, Session
from holdem_env.encoders import get_observation
from properties.games import choices, games, play_on, play_out

ONE_ROW = np.zeros(1, np.int64)
ENCODERS = ["flat"]


def seen(table, encoder: str, seat: int) -> np.ndarray:
    """What a seat observes."""
    encoder = get_observation(encoder)
    out = np.full((1, encoder.size(table.rules)), -5, np.float32)
    encoder.observe(table.records, table.rules.record, ONE_ROW, np.array([seat]), out)
    return out[0]


def another_deck(table, seat: int, shuffling) -> list[int]:
    """The deck, with the cards permuted that the seat does not see."""
    deck, visible = list(table.deck), {*table.hole_cards(seat), *table.board}
    hidden = [place for place, card in enumerate(deck) if card not in visible]
    for place, other in zip(hidden, shuffling.sample(hidden, len(hidden)), strict=True):
        deck[place] = table.deck[other]
    return deck


def with_another_deck(game, table, seat: int, played: list[int], shuffling):
    """The same moves, with the cards permuted that the seat does not see."""
    deck = another_deck(table, seat, shuffling)
    other = game.deal(deck=deck, table_id=shuffling.randrange(2**40), hand=shuffling.randrange(2**40))
    for move in played:
        other.play(move)
    return other


@pytest.mark.parametrize("encoder", ENCODERS)
@given(game=games(), moves=choices, seat=st.integers(0, 9), shuffling=st.randoms(use_true_random=False))
def test_another_deck_behind_the_same_visible_cards_looks_the_same(encoder, game, moves, seat, shuffling):
    table = game.deal()
    seat %= game.rules.seats
    played = play_on(table, moves)
    if table.is_over:
        table.undo() if played else None
        played = played[:-1]
    if table.is_over:
        return
    other = with_another_deck(game, table, seat, played, shuffling)
    assert (other.actor, other.legal) == (table.actor, table.legal)
    np.testing.assert_array_equal(seen(other, encoder, seat), seen(table, encoder, seat))
    one, two = table.view(seat), other.view(seat)
    assert one.records.tobytes() == two.records.tobytes()
    assert (one.log, str(one)) == (two.log, str(two))


@pytest.mark.parametrize("encoder", ENCODERS)
@given(game=games(), moves=choices, seat=st.integers(0, 9), shuffling=st.randoms(use_true_random=False))
def test_when_the_hand_is_over_what_nobody_showed_stays_hidden(encoder, game, moves, seat, shuffling):
    table = game.deal()
    seat %= game.rules.seats
    play_out(table, moves)
    before = seen(table, encoder, seat)
    record = table.records[0]
    for other in range(game.rules.seats):
        if other != seat and not table.is_shown(other):
            count = game.rules.hole_cards
            record["hole"][other, :count] = shuffling.sample(range(52), count)
    record["deck"][:] = shuffling.sample(range(52), 52)
    np.testing.assert_array_equal(seen(table, encoder, seat), before)


@pytest.mark.parametrize("encoder", ENCODERS)
@given(game=games(), moves=choices)
def test_own_cards_and_board_are_seen_and_observations_lie_in_their_space(encoder, game, moves):
    table = game.deal()
    play_on(table, moves)
    for seat in range(game.rules.seats):
        row = seen(table, encoder, seat)
        assert np.flatnonzero(row[:52]).tolist() == sorted(table.hole_cards(seat))
        assert np.flatnonzero(row[52:104]).tolist() == sorted(table.board)
        assert get_observation(encoder).space(game.rules).contains(row)


PHASES = [{"hands": 1}, *({"game": game, "hands": 1} for game in ("omaha-hi-lo", "short-deck", "leduc"))]
HANDS = Rules(seats=3, blinds=(5, 10), stacks=(40, 300, 900), session={"phases": PHASES})


@pytest.mark.parametrize("encoder", ["flat", "planes", "tokens"])
@given(
    phase=st.integers(0, 3),
    moves=choices,
    seat=st.integers(0, 2),
    seed=st.integers(0, 2**32),
    shuffling=st.randoms(use_true_random=False),
)
def test_r19_in_no_phase_a_seat_sees_what_is_hidden(encoder, phase, moves, seat, seed, shuffling):
    """Nor what earlier hands, with more cards, have left in the record."""
    session = Session(HANDS, seed=seed)
    for _ in range(phase):
        play_out(session.deal(), [(0, 0)] * 3)
    table = session.deal()
    played = play_on(table, moves)
    if table.is_over:
        return
    deck = another_deck(table, seat, shuffling)
    other = Session(HANDS, seed=shuffling.randrange(2**32))
    for _ in range(phase):
        play_out(other.deal(), [(0, 0)] * 3)
    twin = other.deal(deck=deck)
    for move in played:
        twin.play(move)
    assert session.phase == other.phase == phase
    np.testing.assert_array_equal(seen(twin, encoder, seat), seen(table, encoder, seat))
