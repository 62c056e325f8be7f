"""R33-R38: errors that are injected, orders of reshuffles, and what of them cannot be."""

from __future__ import annotations

import pytest

from holdem_env import DealerErrors, Rules, Table
from holdem_env.cards.text import Cards
from holdem_env.game.rules_record import DEALER_ERRORS
from rules.playing import check_down, play
from rules.test_dealer_errors import BACKWARDS, FACTORY, cards_done, hand, is_sound


def test_told_errors_replace_what_the_chances_would_draw():
    rules = Rules(seats=3, dealer_errors=dict.fromkeys(DealerErrors.model_fields, 1))
    plain = Table(Rules(seats=3), seed=5)
    assert Table(rules, seed=5).log != plain.log
    assert Table(rules, seed=5, dealer_errors={}).log == plain.log
    assert Table(rules, seed=5, dealer_errors={"exposed_hole_card": []}).log == plain.log


def test_told_errors_give_the_rules_room_for_them():
    table = Table(Rules(seats=3, ante=5), dealer_errors={"extra_card": True})
    assert table.rules == Rules(seats=3, ante=5, dealer_errors=DealerErrors())


def test_the_kth_reshuffle_depends_on_seed_hand_and_k_alone():
    rules, seen = Rules(seats=4), {"premature_flop": True, "premature_river": True}
    orders = set()
    for script in ("c c c k", "f r300 f c", "c r200 f c c"):
        table = play(Table(rules, seed=9, dealer_errors=seen), script)
        orders.add(tuple(table.records["reshuffle_order"][0, 0].tolist()))
        check_down(table)
        orders.add(tuple(table.records["reshuffle_order"][0, 1].tolist()))
    assert len(orders) == 2
    others = [
        Table(rules, seed=s, hand=h, table_id=t, dealer_errors=seen) for s, h, t in ((8, 0, 0), (9, 1, 0), (9, 0, 1))
    ]
    for other in others:
        check_down(other)
        orders.add(tuple(other.records["reshuffle_order"][0, 0].tolist()))
    assert len(orders) == 5
    assert all(sorted(order) == FACTORY for order in orders)


def test_an_order_may_leave_cards_to_the_seed():
    made = [check_down(hand(flop_too_many=True, reshuffles=["AsKs??Qs"])) for _ in range(2)]
    assert made[0].board[:2] == Cards([51, 47])
    is_sound(made[0])


def test_a_hand_that_begins_on_a_later_street_errs_from_there_on():
    sure = Rules(seats=2, dealer_errors=dict.fromkeys(DEALER_ERRORS, 1))
    table = Table.from_position(sure, [500, 500], board="2c7d8h", pot=100, seed=3)
    assert str(table.board) == "2c7d8h"
    assert [kind for kind, _ in cards_done(table)] == ["burn", "deal_board", "burn", "deal_early"]
    check_down(table)
    done = ["deal_early", "take_back", "take_back", "reshuffle", "deal_board"]
    assert [kind for kind, _ in cards_done(table)][-5:] == done
    assert sorted(table.deck) == FACTORY
    assert len(set(table.board)) == 5


def complaint(**options) -> str:
    options = {"rules": Rules(seats=3), "deck": FACTORY, **options}
    with pytest.raises(ValueError, match=r"dealer_errors|reshuffles") as error:
        Table(**options)
    return str(error.value)


@pytest.mark.parametrize(
    ("errors", "words"),
    [
        ({"premature_flopp": True}, ["premature_flopp", "did you mean 'premature_flop'"]),
        ({"exposed_hole_card": 6}, ["exposed_hole_card 6", "0..5"]),
        ({"exposed_hole_card": -1}, ["exposed_hole_card -1", "0..5"]),
        ({"exposed_hole_card": [1, 17]}, ["17"]),
        ({"exposed_hole_card": "As"}, ["exposed_hole_card", "'As'"]),
        ({"exposed_hole_card": True}, ["exposed_hole_card", "True"]),
        ({"extra_card": -1}, ["extra_card", "-1"]),
        ({"premature_turn": "yes"}, ["premature_turn", "'yes'", "how many moves"]),
        ({"premature_flop": -1}, ["premature_flop", "-1", "0 or more"]),
        ({"premature_river": 1.0}, ["premature_river", "1.0"]),
        ({"flop_too_many": 2}, ["flop_too_many", "2"]),
    ],
)
def test_errors_that_cannot_be(errors, words):
    text = complaint(dealer_errors=errors, reshuffles=[BACKWARDS] * 4)
    assert all(word in text for word in words), text


ORDERS = [({"exposed_hole_card": 0}, 1), ({"exposed_hole_card": 3}, 0), ({"exposed_hole_card": [3, 4]}, 1)]
ORDERS += [({"exposed_hole_card": 3, "extra_card": 1}, 1), ({"extra_card": 1}, 0), ({"extra_card": 2}, 1)]
ORDERS += [({"premature_flop": True}, 1), ({"premature_flop": True, "flop_too_many": True}, 2)]
ORDERS += [({"premature_turn": True, "premature_river": True}, 1)]
ORDERS += [({"extra_card": 3, "flop_too_many": True, "premature_river": True}, 3)]


@pytest.mark.parametrize(("errors", "count"), ORDERS)
def test_a_deck_of_its_own_needs_the_orders_that_may_be_due(errors, count):
    if count:
        text = complaint(dealer_errors=errors, reshuffles=[BACKWARDS] * (count - 1))
        assert f"give {count} orders" in text
        assert f"not {count - 1}" in text
    assert check_down(Table(Rules(seats=3), deck=FACTORY, dealer_errors=errors, reshuffles=[BACKWARDS] * count)).is_over
    assert check_down(Table(Rules(seats=3), seed=1, dealer_errors=errors)).is_over


def test_a_deck_of_its_own_needs_orders_for_drawn_errors_too():
    sure = Rules(seats=3, dealer_errors={"flop_too_many": 1})
    assert "give 1 orders of the deck, for a flop with too many cards, not 0" in complaint(rules=sure)
    assert check_down(Table(sure, deck=FACTORY, reshuffles=[BACKWARDS])).board[0] == 51
    assert check_down(Table(sure, deck=FACTORY, dealer_errors={})).board[0] == 7


def test_orders_that_cannot_be():
    seen = {"flop_too_many": True}
    assert "at most 4" in complaint(dealer_errors=seen, reshuffles=[BACKWARDS] * 5)
    assert "reshuffles: As is at positions 0 and 1" in complaint(dealer_errors=seen, reshuffles=["AsAs"])
    assert "reshuffles: card 52" in complaint(dealer_errors=seen, reshuffles=[[52]])
    assert "the rules have no dealer's errors" in complaint(reshuffles=[BACKWARDS])
