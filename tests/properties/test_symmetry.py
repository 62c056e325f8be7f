"""Suits are equal, and so are seats: relabelling either changes nothing but the labels."""

from __future__ import annotations

from itertools import permutations

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from holdem_env import Rules
from properties.games import choices, games, move_for, play_out


@given(games(), choices, st.sampled_from(list(permutations(range(4)))))
def test_r01_permuting_the_suits_changes_no_payoff(game, moves, suits):
    deck = set(game.rules.deck)
    assume(deck == {card - card % 4 + suits[card % 4] for card in deck})  # Leduc's and Kuhn's do not hold all suits
    table = game.deal()
    recoloured = game.deal(deck=[card - card % 4 + suits[card % 4] for card in table.deck])
    for choice in [*moves, *[(1, 0)] * 100]:
        assert (table.actor, table.legal) == (recoloured.actor, recoloured.legal)
        if table.is_over:
            break
        move = move_for(table, choice)
        table.play(move)
        recoloured.play(move)
    assert table.payoffs == recoloured.payoffs
    assert [op[:3] for op in table.log] == [op[:3] for op in recoloured.log]


@given(games(), choices, st.integers(1, 9))
def test_rotating_the_seats_rotates_the_payoffs(game, moves, by):
    seats = game.rules.seats
    table = game.deal()
    stacks = [table.starting_stacks[(seat - by) % seats] for seat in range(seats)]
    rotated = game.deal(stacks=stacks, button=(game.button + by) % seats, deck=table.deck)
    for move in play_out(table, moves):
        rotated.play(move)
    assert rotated.payoffs == [table.payoffs[(seat - by) % seats] for seat in range(seats)]
    labels = [None if op.seat is None else (op.seat + by) % seats for op in table.log]
    assert [op.seat for op in rotated.log] == labels
    assert [op._replace(seat=None) for op in rotated.log] == [op._replace(seat=None) for op in table.log]


@pytest.mark.parametrize("factor", [2, 1000])
@given(game=games(structure="no_limit"), moves=choices)
def test_changing_all_chips_for_others_of_more_worth_changes_nothing(factor, game, moves):
    table = game.deal()
    fields = game.rules.model_dump(exclude_defaults=True)
    amounts = ("ante", "big_blind_ante", "straddle", "smallest_chip")
    fields |= {name: factor * getattr(game.rules, name) for name in amounts}
    fields |= {name: tuple(factor * chips for chips in getattr(game.rules, name)) for name in ("blinds", "stacks")}
    if fields.get("rake") and fields["rake"].get("cap"):
        fields["rake"]["cap"] *= factor
    larger = game._replace(rules=Rules(**fields)).deal(deck=table.deck)
    for move in play_out(table, moves):
        larger.play(move * factor if move > 0 else move)
    assert larger.payoffs == [factor * chips for chips in table.payoffs]
