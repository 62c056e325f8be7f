"""R33-R38: the dealer's errors and what is done about them, card by card.

The deck is 0, 1, 2 ... 51 off the top, so a card's number is its place in R4; a reshuffle puts the cards into falling
order (BACKWARDS) or another one that differs.
"""

from __future__ import annotations

import pytest

from holdem_env import Rules, Table
from holdem_env.game.rules_record import DEALER_ERRORS
from rules.playing import check_down, play

FACTORY = list(range(52))
BACKWARDS = FACTORY[::-1]
ODD_FIRST = FACTORY[1::2] + FACTORY[::2]
CARD_KINDS = {
    "deal_hole", "burn", "deal_board", "expose", "extra_card", "deal_early", "deal_too_many", "misdeal",
    "replace_card", "take_back", "reshuffle",
}  # fmt: skip


def hand(
    *, seats: int = 3, button: int | None = None, reshuffles=(BACKWARDS, ODD_FIRST), rules=None, stacks=None, **errors
) -> Table:
    """A hand of the factory's deck in which the dealer errs like this; A is left of the button."""
    game, button = Rules(seats=seats, **(rules or {})), seats - 1 if button is None else button
    return Table(game, stacks=stacks, button=button, deck=FACTORY, dealer_errors=errors, reshuffles=reshuffles)


def cards_done(table: Table, *kinds: str) -> list[tuple[str, tuple[int, ...]]]:
    """What was done with cards, of these kinds (by default all but dealing hands)."""
    wanted = kinds or CARD_KINDS - {"deal_hole"}
    return [(operation.kind, tuple(operation.cards)) for operation in table.log if operation.kind in wanted]


def in_words(cards: list[tuple[str, tuple[int, ...]]]) -> str:
    """Likewise as text: "burn 6, deal_board 7 8 9"."""
    return ", ".join(" ".join([kind, *map(str, numbers)]) for kind, numbers in cards)


def holes(table: Table) -> list[tuple[int, ...]]:
    return [tuple(table.hole_cards(seat)) for seat in range(table.rules.seats)]


def is_sound(table: Table) -> None:
    """No card is lost or there twice, and no chip."""
    assert sorted(table.deck) == FACTORY
    record = table.records[0]
    out = [card for cards in holes(table) for card in cards] + list(table.board)
    assert len(set(out)) == len(out)
    assert set(out) <= set(table.deck[: record["cursor"]])
    assert sum(table.payoffs) == 0 or not table.is_over


@pytest.mark.parametrize("seats", [2, 3, 10])
def test_r33_the_first_card_exposed_is_a_misdeal(seats):
    table = hand(seats=seats, exposed_hole_card=0)
    assert cards_done(table) == [("expose", (0,)), ("misdeal", ()), ("reshuffle", ())]
    assert cards_done(table, "deal_hole")[0] == ("deal_hole", (0,))
    assert cards_done(table, "deal_hole")[1:] == [("deal_hole", (card,)) for card in BACKWARDS[: 2 * seats]]
    assert holes(table)[0] == (51, 51 - seats)
    assert table.exposed == ()
    check_down(table)
    top = 51 - 2 * seats
    assert table.board == (top - 1, top - 2, top - 3, top - 5, top - 7)
    is_sound(table)


def test_r33_a_misdeal_keeps_button_antes_and_blinds():
    options = {"rules": {"ante": 10, "blinds": (50, 100)}, "button": 1, "seats": 4}
    table, usual = hand(exposed_hole_card=0, **options), hand(**options)
    assert (table.button, table.stacks, table.bets, table.actor) == (1, usual.stacks, usual.bets, usual.actor)
    posted = [str(operation) for operation in usual.log if operation.kind.startswith("post")]
    assert [str(operation) for operation in table.log if operation.kind.startswith("post")] == posted
    assert len(posted) == 6


@pytest.mark.parametrize("place", [1, 2, 3, 4, 5])
def test_r34_another_card_is_replaced_by_the_top_card_and_burned(place):
    table = hand(exposed_hole_card=place)
    expected = [[0, 3], [1, 4], [2, 5]]
    expected[place % 3][place // 3] = 6
    assert holes(table) == [tuple(cards) for cards in expected]
    assert table.exposed == (place,)
    assert cards_done(table) == [("expose", (place,)), ("replace_card", (6,))]
    check_down(table)
    assert table.board == (7, 8, 9, 11, 13)
    assert cards_done(table, "burn") == [("burn", (place,)), ("burn", (10,)), ("burn", (12,))]
    assert table.exposed == (place,)
    is_sound(table)


def test_r34_the_log_says_whose_card_it_was():
    table = hand(exposed_hole_card=4)
    seen = [(operation.kind, operation.seat) for operation in table.log if operation.kind in ("expose", "replace_card")]
    assert seen == [("expose", 1), ("replace_card", 1)]
    assert "exposed by the dealer: 3c" in str(table)


@pytest.mark.parametrize(
    ("errors", "irregular", "dealt"),
    [
        ({"exposed_hole_card": [1, 2]}, "expose 1, expose 2", 3),
        ({"exposed_hole_card": [2, 5]}, "expose 2, expose 5", 6),
        ({"exposed_hole_card": [1, 3, 4]}, "expose 1, expose 3", 4),
        ({"exposed_hole_card": [0, 3]}, "expose 0", 1),
        ({"exposed_hole_card": 0, "extra_card": True}, "expose 0", 1),
        ({"exposed_hole_card": 5, "extra_card": True}, "expose 5, extra_card 6", 6),
        ({"extra_card": 2}, "extra_card 6, extra_card 7", 6),
    ],
)
def test_r33_r34_r35_two_irregular_cards_are_a_misdeal_as_soon_as_it_is_seen(errors, irregular, dealt):
    table = hand(**errors)
    assert in_words(cards_done(table)) == f"{irregular}, misdeal, reshuffle"
    assert len(cards_done(table, "deal_hole")) == dealt + 6
    assert holes(table) == [(51, 48), (50, 47), (49, 46)]
    assert table.exposed == ()
    is_sound(check_down(table))


def test_r35_the_first_players_extra_card_is_the_burn_card():
    table = hand(extra_card=True)
    assert cards_done(table) == [("extra_card", (6,)), ("take_back", (6,))]
    assert [operation.seat for operation in table.log if operation.kind == "extra_card"] == [0]
    assert holes(table) == [(0, 3), (1, 4), (2, 5)]
    assert table.exposed == ()  # face down, unseen
    check_down(table)
    assert cards_done(table, "burn")[0] == ("burn", (6,))
    assert table.board == (7, 8, 9, 11, 13)
    is_sound(table)


def test_r35_heads_up_the_big_blind_is_dealt_first():
    table = hand(seats=2, extra_card=True)
    assert [operation.seat for operation in table.log if operation.kind == "extra_card"] == [0]
    assert table.bets[0] == 100


def test_r36_a_flop_with_too_many_cards_is_dealt_again_without_a_burn():
    table = check_down(hand(flop_too_many=True))
    done = in_words(cards_done(table)[:5])
    assert done == "burn 6, deal_too_many 7 8 9 10, take_back 7 8 9 10, reshuffle, deal_board 51 50 49"
    assert table.board == (51, 50, 49, 47, 45)
    assert table.exposed == (7, 8, 9, 10)
    is_sound(table)


def test_r36_a_premature_flop_lies_open_while_the_betting_is_completed():
    table = hand(premature_flop=True)
    assert cards_done(table) == [("burn", (6,)), ("deal_early", (7, 8, 9))]
    assert table.exposed == (7, 8, 9)
    assert table.board == ()
    assert (table.street, table.actor) == (0, 2)
    play(table, "c c")
    assert table.board == ()
    play(table, "k")
    assert cards_done(table)[2:] == [("take_back", (7, 8, 9)), ("reshuffle", ()), ("deal_board", (51, 50, 49))]
    check_down(table)
    assert table.board == (51, 50, 49, 47, 45)
    assert table.exposed == (7, 8, 9)
    is_sound(table)


def test_r36_board_cards_can_come_again_but_burn_and_folded_hands_cannot():
    # After the flop comes back, an order that begins with what must stay out, and then with the flop itself.
    order = [6, 0, 3, 9, 1, 4, 8, 2, 5, 7, *range(10, 52)]
    table = hand(premature_flop=True, reshuffles=[order])
    play(table, "C:f A:f")
    assert table.is_over
    table = hand(seats=4, premature_flop=True, reshuffles=[[8, 0, 4, 11, 1, 5, 10, 2, 6, 9, *range(12, 52), 3, 7]])
    play(table, "C:f D:f A:c B:k")
    assert table.board == (11, 10, 9)
    check_down(table)
    assert table.board == (11, 10, 9, 13, 15)
    assert cards_done(table, "burn") == [("burn", (8,)), ("burn", (12,)), ("burn", (14,))]
    is_sound(table)


def test_r36_if_the_hand_ends_before_there_is_no_new_flop():
    table = play(hand(premature_flop=True, flop_too_many=True), "C:f A:f")
    assert table.is_over
    assert cards_done(table) == [("burn", (6,)), ("deal_early", (7, 8, 9))]
    assert table.exposed == (7, 8, 9)
    is_sound(table)


def test_r36_too_early_and_then_too_many():
    table = check_down(hand(premature_flop=True, flop_too_many=True))
    assert in_words(cards_done(table)[:8]) == (
        "burn 6, deal_early 7 8 9, take_back 7 8 9, reshuffle, deal_too_many 51 50 49 48, "
        "take_back 51 50 49 48, reshuffle, deal_board 7 9 11"
    )
    assert table.board == (7, 9, 11, 15, 19)
    assert table.exposed == (7, 8, 9, 48, 49, 50, 51)
    is_sound(table)


def test_r37_the_premature_turn_is_out_for_a_round_and_the_would_be_river_is_the_turn():
    table = play(hand(premature_turn=True), "c c k")
    assert table.board == (7, 8, 9)
    assert cards_done(table)[2:] == [("burn", (10,)), ("deal_early", (11,))]
    assert table.exposed == (11,)
    play(table, "k k k")
    assert table.board == (7, 8, 9, 13)
    assert cards_done(table)[4:] == [("burn", (12,)), ("deal_board", (13,))]
    play(table, "k k k")
    assert cards_done(table)[6:] == [("take_back", (11,)), ("reshuffle", ()), ("deal_board", (51,))]
    assert table.exposed == (11,)
    is_sound(check_down(table))


def test_r37_the_premature_card_may_come_as_the_river_but_burns_and_discards_may_not():
    order = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 12, 13, 11, *range(14, 52)]
    table = check_down(hand(premature_turn=True, reshuffles=[order]))
    assert table.board == (7, 8, 9, 13, 11)
    is_sound(table)


def test_r37_out_of_play_even_if_the_players_still_to_act_all_fold():
    table = play(hand(premature_turn=True), "c c k A:b100 B:f C:c")
    assert table.board == (7, 8, 9, 13)
    table = play(hand(premature_turn=True), "c c k A:b100 B:f C:f")
    assert table.is_over
    assert table.board == (7, 8, 9)
    assert table.exposed == (11,)


@pytest.mark.parametrize("error", ["premature_turn", "premature_river"])
def test_r37_r38_a_hand_that_ends_on_the_turn_has_no_reshuffle_and_no_river(error):
    table = play(hand(**{error: True}), "c c k k k k A:b100 B:f C:f")
    assert table.is_over
    assert table.board == ((7, 8, 9, 13) if error == "premature_turn" else (7, 8, 9, 11))
    assert "reshuffle" not in dict(cards_done(table))
    is_sound(table)


@pytest.mark.parametrize(
    ("error", "script", "board"),
    [
        # Heads-up: burn 4, flop 5-7, burn 8, premature turn 9, burn 10, turn 11.
        ("premature_turn", "B:c A:k A:b9900 B:c", (5, 6, 7, 11, 51)),
        ("premature_turn", "B:c A:k A:k B:k A:b9900 B:c", (5, 6, 7, 11, 51)),
        ("premature_river", "B:c A:k A:k B:k A:b9900 B:c", (5, 6, 7, 9, 51)),
        ("premature_flop", "B:r10000 A:c", (51, 50, 49, 47, 45)),
    ],
)
def test_r36_r37_r38_a_run_out_applies_it_too(error, script, board):
    table = play(hand(seats=2, **{error: True}), script)
    assert (table.is_over, table.board) == (True, board)
    is_sound(table)


def test_r38_a_premature_river_goes_back_and_comes_again_without_a_burn():
    table = play(hand(premature_river=True), "c c k k k k")
    assert table.board == (7, 8, 9, 11)
    assert cards_done(table)[-2:] == [("burn", (12,)), ("deal_early", (13,))]
    assert table.exposed == (13,)
    play(table, "k k k")
    assert cards_done(table)[-3:] == [("take_back", (13,)), ("reshuffle", ()), ("deal_board", (51,))]
    assert table.board == (7, 8, 9, 11, 51)
    is_sound(check_down(table))


def test_r38_its_first_burn_and_the_discards_stay_out():
    order = [12, 10, 6, 0, 1, 2, 3, 4, 5, 7, 8, 9, 11, 13, *range(14, 52)]
    table = check_down(hand(premature_river=True, reshuffles=[order]))
    assert table.board == (7, 8, 9, 11, 13)
    is_sound(table)


@pytest.mark.parametrize(("turn", "river"), [(True, True), (1, 2)])
def test_r37_r38_turn_and_river_too_early_go_back_together(turn, river):
    order = [13, 12, 14, 10, 15, 11, *range(10)]
    table = check_down(hand(premature_turn=turn, premature_river=river, reshuffles=[order]))
    assert in_words(cards_done(table)[2:]) == (
        "burn 10, deal_early 11, burn 12, deal_board 13, burn 14, deal_early 15, take_back 15, take_back 11, "
        "reshuffle, deal_board 15"
    )
    assert table.exposed == (11, 15)
    is_sound(table)


def test_everything_at_once_needs_four_reshuffles():
    all_of_it = dict.fromkeys(DEALER_ERRORS, True)
    all_of_it["exposed_hole_card"] = 0
    for seats in range(2, 11):
        table = hand(seats=seats, reshuffles=[BACKWARDS, ODD_FIRST, BACKWARDS, FACTORY], **all_of_it)
        check_down(table)
        assert table.records["reshuffles"][0] == 4
        assert len(table.board) == 5
        is_sound(table)
