"""R5: fine points of the draw for the first button, and of the button that the seed picks."""

from __future__ import annotations

from itertools import pairwise

import pytest

from holdem_env import Rules, Session, Table
from holdem_env.cards.text import parse_cards

TWENTY = "6c6d6h6s7c7d7h7s8c8d8h8s9c9d9h9sTcTdThTs"


def drawn(table: Table) -> list[tuple[int | None, int]]:
    """Who drew which card for the button, in order."""
    return [(deed.seat, deed.cards[0]) for deed in table.log if deed.kind == "draw_button"]


def rounds(draw: list[tuple[int | None, int]]) -> list[list[int]]:
    """The cards of each round: in a round the seats rise."""
    found = [[draw[0][1]]]
    for (before, _), (seat, card) in pairwise(draw):
        if before is not None and seat is not None and seat <= before:
            found.append([])
        found[-1].append(card)
    return found


def test_r05_who_ties_draws_from_the_cards_that_nobody_has_drawn():
    rules = Rules(seats=10, stacks=100, session={"first_button": "high_card"})
    ties = 0
    for seed in range(150):
        cards = [card for _, card in drawn(Session(rules, seed=seed).deal())]
        assert len(set(cards)) == len(cards), seed
        ties += len(cards) > 10
    assert ties > 20


def test_r05_where_too_few_cards_are_left_the_tie_is_drawn_from_the_whole_deck():
    """Two players and three cards: after a tie a single card is left."""
    cards = {"seats": 2, "deck": "7c7d8h", "hole_cards": 1, "board_cards": (0,), "ranking": "pair"}
    rules = Rules(**cards, session={"first_button": "high_card"})
    again = 0
    for seed in range(60):
        table = Session(rules, seed=seed).deal()
        draw = drawn(table)
        again += len(draw) > 2
        assert table.button == max(draw[-2:], key=lambda one: one[1] // 4)[0]
    assert again > 5


def test_r05_in_a_round_of_the_draw_no_card_is_drawn_twice():
    """Six players and twenty cards: drawn with replacement, more than half of the rounds would hold a card twice."""
    rules = Rules(seats=6, deck=TWENTY, stacks=100, session={"first_button": "high_card"})
    for seed in range(25):
        for cards in rounds(drawn(Session(rules, seed=seed).deal())):
            assert len(set(cards)) == len(cards)
            assert set(cards) <= set(parse_cards(TWENTY))


def test_r05_every_card_of_the_deck_can_be_drawn_and_none_of_another():
    rules = Rules(seats=6, deck=TWENTY, stacks=100, session={"first_button": "high_card"})
    seen = {card for seed in range(40) for _, card in drawn(Session(rules, seed=seed).deal())}
    assert seen == set(parse_cards(TWENTY))


@pytest.mark.parametrize("how", ["seed", "high_card"])
def test_r05_an_empty_first_seat_draws_no_card_and_has_no_button(how):
    rules = Rules(seats=6, stacks=100, session={"first_button": how})
    tables = [Session(rules, stacks=[0, 100, 0, 100, 100, 0], seed=seed).deal() for seed in range(60)]
    assert {table.button for table in tables} == {1, 3, 4}
    assert {seat for table in tables for seat, _ in drawn(table)} <= {1, 3, 4}


def test_r05_a_deck_of_one_rank_cannot_be_drawn_from():
    """Every draw would be tied, without end."""
    cards = {"seats": 2, "deck": "7c7d7h7s", "hole_cards": 1, "board_cards": (0,), "ranking": "pair"}
    assert Rules(**cards, session={"first_button": "seed"})
    with pytest.raises(ValueError, match=r"first_button: high_card .* two ranks"):
        Rules(**cards, session={"first_button": "high_card"})
