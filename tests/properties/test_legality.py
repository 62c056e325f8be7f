"""Masks are sound and complete: what is legal is accepted, everything else is refused and changes nothing."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from holdem_env import IllegalMove
from holdem_env.encoders import get_actions
from holdem_env.engine.batch import NO_MOVE
from properties.games import choices, everything, games, play_on, play_out

ONE_ROW = np.zeros(1, np.int64)


def offered(table, encoder) -> list[int]:
    """The engine moves that an action encoder offers, NO_MOVE where it offers none."""
    encoder = get_actions(encoder, table.rules)
    out = np.full((1, encoder.size(table.rules)), 77, np.int64)
    encoder.choose(table.records, table.rules.record, ONE_ROW, out)
    return out[0].tolist()


def accepts(table, move: int) -> bool:
    """Whether the table plays the move; if it refuses, it must be as it was before."""
    trial = table.copy()
    before = everything(trial)
    try:
        trial.play(move)
    except IllegalMove:
        assert everything(trial) == before
        return False
    assert everything(trial) != before
    return True


@given(games(), choices, st.lists(st.integers(-3, 2000), max_size=8))
def test_legal_moves_are_accepted_and_all_others_refused(game, moves, guesses):
    table = game.deal()
    play_on(table, moves)
    legal, chip = table.legal, game.rules.smallest_chip
    if table.is_over:
        assert legal == (False, None, None, None)
        assert not any(accepts(table, move) for move in (-1, 0, 1, 100, *guesses))
        return
    edges = {legal.raise_min or 0, legal.raise_max or 0}
    tries = {-2, -1, 0, 1, 10**9, *guesses, *(edge + step for edge in edges for step in (-chip, -1, 0, 1, chip))}
    for move in sorted(tries):
        may_raise = legal.raise_min is not None and legal.raise_min <= move <= legal.raise_max and move % chip == 0
        assert accepts(table, move) == (move in (-1, 0) or may_raise), (move, legal)


@given(games(), choices)
def test_what_is_legal_makes_sense(game, moves):
    table = game.deal()
    play_on(table, moves)
    if table.is_over:
        return
    legal, seat = table.legal, table.actor
    stack, bet = table.stacks[seat], table.bets[seat]
    assert stack > 0
    assert not table.is_folded(seat)
    assert 0 <= legal.call <= stack
    assert (legal.raise_min is None) == (legal.raise_max is None)
    if legal.raise_min is not None:
        assert bet + legal.call < legal.raise_min <= legal.raise_max <= stack + bet
        assert max(table.bets) < legal.raise_min
        assert legal.raise_min % game.rules.smallest_chip == legal.raise_max % game.rules.smallest_chip == 0
        if game.rules.structure == "fixed_limit":
            assert legal.raise_min == legal.raise_max
        if game.rules.structure == "no_limit":
            assert legal.raise_max == stack + bet


@pytest.mark.parametrize("encoder", ["limit", "pot_fractions", "33%, 75%, pot, 2.5x, all-in", "min, 2x"])
@given(game=games(), moves=choices)
def test_every_action_that_an_encoder_offers_is_legal(encoder, game, moves):
    table = game.deal()
    play_on(table, moves)
    moves_offered = offered(table, encoder)
    if table.is_over:
        assert set(moves_offered) == {NO_MOVE}
        return
    assert moves_offered[1] == 0
    assert moves_offered[0] == (-1 if table.legal.call else NO_MOVE)
    raises = [move for move in moves_offered[2:] if move != NO_MOVE]
    assert len(set(raises)) == len(raises), "two actions mean the same raise"
    for move in raises:
        assert move > 0
        assert accepts(table, move)


@given(games(), choices)
def test_limit_offers_a_raise_if_and_only_if_one_is_legal(game, moves):
    table = game.deal()
    play_on(table, moves)
    least = table.legal.raise_min
    assert offered(table, "limit")[2] == (NO_MOVE if least is None else least)


@given(games(structure="no_limit"), choices)
def test_no_limit_default_sizes_offer_a_raise_if_and_only_if_one_is_legal(game, moves):
    table = game.deal()
    play_on(table, moves)
    assert (max(offered(table, "pot_fractions")[2:]) > 0) == (table.legal.raise_min is not None)


@given(games(), choices)
def test_r14_no_action_is_a_check_or_a_fold(game, moves):
    table = game.deal()
    play_on(table, moves)
    if not table.is_over:
        seat, free = table.actor, table.legal.call == 0
        table.no_action()
        assert table.is_folded(seat) == (not free)


@given(games(), choices)
def test_a_hand_always_ends(game, moves):
    table = game.deal()
    assert len(play_out(table, moves)) <= len(moves) + 4 * game.rules.seats
    assert table.actor is None
