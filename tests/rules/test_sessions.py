"""R5 and R10 in sessions: where button and blinds go from hand to hand."""

from __future__ import annotations

from collections import Counter

import pytest

from holdem_env import Rules, Session, Table
from holdem_env.history import phh
from rules.playing import check_down, play_to, showing
from rules.sitting import (
    Places,
    bust,
    cash,
    dealt,
    deck_for,
    fold_out,
    next_hand,
    places,
    posts,
    session_order,
    tournament,
)

NOBODY = {"post_live": [], "post_dead": []}


@pytest.mark.parametrize("seat", range(4))
def test_r05_the_first_button_at_a_given_seat(seat):
    session = Session(Rules(seats=4, session={"first_button": seat}), seed=1)
    assert next_hand(session) == Places(seat, (seat + 1) % 4, (seat + 2) % 4)
    assert next_hand(session).button == (seat + 1) % 4


def test_r05_the_first_button_where_nobody_sits_goes_to_the_next_player():
    session = tournament(5, [100, 0, 0, 100, 100], button=1)
    assert next_hand(session) == Places(3, 4, 0)


@pytest.mark.parametrize("how", ["seed", "high_card"])
def test_r05_a_drawn_button_depends_on_the_seed_and_every_seat_can_have_it(how):
    rules = Rules(seats=5, session={"first_button": how})
    drawn = [Session(rules, seed=seed).deal().button for seed in range(200)]
    assert drawn == [Session(rules, seed=seed).deal().button for seed in range(200)]
    counts = Counter(drawn)
    assert set(counts) == set(range(5))
    assert min(counts.values()) > 15  # 40 on average


def test_r05_a_tied_draw_is_drawn_again():
    """With a deck of sevens and one rank more nearly every draw is tied: still one seat gets the button, each alike."""
    deck = "7c7d7h7s8c8d8h8s9c9d9h9sTcTd"
    rules = Rules(seats=2, deck=deck, session={"first_button": "high_card"})
    counts = Counter(Session(rules, seed=seed).deal().button for seed in range(200))
    assert min(counts[0], counts[1]) > 60


def draw_of(table: Table) -> list[tuple[int | None, int]]:
    """Who drew a card of which rank for the button, in order."""
    return [(deed.seat, deed.cards[0] // 4) for deed in table.log if deed.kind == "draw_button"]


def winner_of(draw: list[tuple[int | None, int]], drawing: list[int]) -> int | None:
    """Who has the button by these cards; they must be all that were drawn."""
    while len(drawing) > 1:
        cards, draw = draw[: len(drawing)], draw[len(drawing) :]
        assert [seat for seat, _ in cards] == drawing
        drawing = [seat for seat, rank in cards if seat is not None and rank == max(rank for _, rank in cards)]
    assert draw == []
    return drawing[0]


@pytest.mark.parametrize("deck", [None, "6c6d6h6s7c7d7h7s8c8d8h8s9c9d9h9sTcTdThTs"])
def test_r05_the_cards_drawn_for_the_button_belong_to_the_log_of_the_first_hand(deck):
    rules = Rules(seats=5, stacks=100, session={"first_button": "high_card"}, **({"deck": deck} if deck else {}))
    ties = 0
    for seed in range(30):
        session = Session(rules, stacks=[100, 100, 0, 100, 100], seed=seed)
        table = session.deal()
        draw = draw_of(table)
        assert [deed.kind for deed in table.log[: len(draw)]] == ["draw_button"] * len(draw)
        assert winner_of(draw, [0, 1, 3, 4]) == table.button
        ties += len(draw) > 4
        fold_out(table)
        assert draw_of(table) == draw
        assert draw_of(session.deal()) == []
    assert ties or deck is None


@pytest.mark.parametrize("how", [0, "seed"])
def test_r05_without_a_draw_the_log_begins_with_the_posting(how):
    table = Session(Rules(seats=3, session={"first_button": how}), seed=1).deal()
    assert table.log[0].kind == "post_small_blind"


def test_r05_a_hand_history_leaves_the_draw_out():
    rules = Rules(seats=3, blinds=(50, 100), stacks=1000, session={"first_button": "high_card"})
    table = fold_out(Session(rules, seed=1).deal())
    assert len(draw_of(table)) >= 3
    without = table.copy()
    del without.log[: len(draw_of(table))]
    assert phh.dumps(table) == phh.dumps(without)


@pytest.mark.parametrize(
    ("button", "seats", "out", "hands"),
    [
        ("dead", 4, set(), [(1, 2, 3), (2, 3, 0), (3, 0, 1), (0, 1, 2)]),
        ("dead", 5, {2}, [(1, None, 3), (2, 3, 4), (3, 4, 0)]),  # nobody posts the small blind, then the button is dead
        ("dead", 5, {1}, [(1, 2, 3), (2, 3, 4), (3, 4, 0)]),
        ("dead", 5, {1, 2}, [(1, None, 3), (2, 3, 4), (3, 4, 0)]),
        ("dead", 5, {3}, [(1, 2, 4), (2, 4, 0), (4, 0, 1)]),  # the next big blind goes to the player after
        ("moving", 5, {1}, [(2, 3, 4), (3, 4, 0), (4, 0, 2)]),  # skips empty seats
    ],
)
def test_r10_where_the_button_and_the_blinds_go(button, seats, out, hands):
    session = tournament(seats, [300 if seat in out else 1000 for seat in range(seats)], session={"button": button})
    assert (bust(session, out) if out else next_hand(session)) == (0, 1, 2)
    assert [next_hand(session) for _ in hands] == hands


def dead_button():
    """Four players at five chairs, the button at the empty seat 1, small blind 2, big blind 3; 4 and 0 follow."""
    session = tournament(5, [1000, 300, 1000, 1000, 1000])
    bust(session, {1})
    return session


@pytest.mark.parametrize(("out", "order", "first"), [(1, [2, 3, 4, 0], 2), (2, [3, 4, 0, 1], 3)])
def test_r10_the_order_of_play_counts_from_an_empty_button_or_a_dead_small_blind(out, order, first):
    session = tournament(5, [300 if seat == out else 1000 for seat in range(5)])
    bust(session, {out})
    table = session.deal()
    assert (table.button, table.actor, dealt(table)) == (1, 4, order)
    play_to(table, 1)
    assert table.actor == first


def test_r10_r28_odd_chips_count_from_the_empty_button():
    """Four share 81 chips, one of them a big-blind ante: the first left of the empty button is seat 2."""
    session = tournament(5, [1000, 300, 1000, 1000, 1000], big_blind_ante=1, blinds=(10, 20))
    bust(session, {1})
    order = session_order(session)
    table = check_down(session.deal(deck=deck_for(order, {2: "2c3c", 3: "2d3d", 4: "2h3h", 0: "2s3s"}, "AsKsQhJhTd")))
    assert table.payoffs == [0, 0, 1, -1, 0]


def test_r10_r29_showing_begins_left_of_the_empty_button():
    session = dead_button()
    order = session_order(session)
    table = check_down(session.deal(deck=deck_for(order, {2: "2c3c", 3: "2d3d", 4: "2h3h", 0: "2s3s"}, "AsKsQhJhTd")))
    assert showing(table) == ["C show", "D show", "E show", "A show"]


@pytest.mark.parametrize("button", ["dead", "moving"])
@pytest.mark.parametrize("leaves", [False, True])
@pytest.mark.parametrize(("loser", "after"), [(0, (2, 2, 1)), (1, (2, 2, 0)), (2, (1, 1, 0))])
def test_r10_three_become_two_nobody_has_the_big_blind_twice_running(loser, after, leaves, button):
    stacks = [300 if seat == loser else 1000 for seat in range(3)]
    session = (cash if leaves else tournament)(3, stacks, session={"button": button})
    assert (next_hand(session) if leaves else bust(session, {loser})) == (0, 1, 2)
    if leaves:
        session.leave(loser)
    assert next_hand(session) == after
    assert next_hand(session) == (after[2], after[2], after[0])


@pytest.mark.parametrize("post", [True, False])
def test_r10_two_become_three_the_newcomer_left_of_the_big_blind_has_it_next(post):
    session = cash(3, [1000, 1000, 0])
    assert next_hand(session) == (0, 0, 1)
    session.join(2, 500, post=post)
    table = session.deal()
    assert (places(table), posts(table)) == ((0, 1, 2), NOBODY)
    fold_out(table)
    assert next_hand(session) == (1, 2, 0)


@pytest.mark.parametrize("post", [True, False])
def test_r10_two_become_three_a_newcomer_between_button_and_big_blind_waits(post):
    session = cash(3, [1000, 0, 1000])
    assert next_hand(session) == (0, 0, 2)
    session.join(1, 500, post=post)
    table = session.deal()
    assert (places(table), dealt(table)) == ((2, 2, 0), [0, 2])
    fold_out(table)
    assert next_hand(session) == (2, 0, 1)


def test_r10_two_become_three_the_button_is_never_at_the_big_blind():
    """A late entry in a tournament is dealt in at once."""
    session = tournament(3, [1000, 0, 1000])
    assert next_hand(session) == (0, 0, 2)
    session.join(1, 500)
    assert [next_hand(session) for _ in range(3)] == [(1, 2, 0), (2, 0, 1), (0, 1, 2)]


def gap(button: str = "dead") -> Session:
    """Seats 0, 2 and 4 of five are taken; the next button is at 2 and the small blind at 4."""
    session = tournament(5, [1000, 0, 1000, 0, 1000], session={"button": button})
    assert [next_hand(session) for _ in range(2)] == [(0, 2, 4), (2, 4, 0)]
    return session


@pytest.mark.parametrize("button", ["dead", "moving"])
def test_r10_a_late_entry_between_button_and_small_blind_waits_until_the_button_has_passed(button):
    session = gap(button)  # next: button 4, small blind 0, big blind 2
    next_hand(session)
    session.join(1, 500)  # next: button 0, small blind 2, big blind 4
    table = session.deal()
    assert (places(table), dealt(table), session.is_away(1)) == ((0, 2, 4), [2, 4, 0], True)
    fold_out(table)
    table = session.deal()
    assert (places(table), dealt(table), session.is_away(1)) == ((2, 4, 0), [4, 0, 1, 2], False)
    fold_out(table)
    assert [next_hand(session) for _ in range(2)] == [(4, 0, 1), (0, 1, 2)]
    assert session.owes(1) == (0, 0)


@pytest.mark.parametrize(("seat", "expected"), [(1, (4, 0, 1)), (3, (4, 0, 2))])
def test_r10_a_late_entry_elsewhere_is_dealt_in_at_once(seat, expected):
    session = gap()
    session.join(seat, 500)
    table = session.deal()
    assert (places(table), seat in dealt(table)) == (expected, True)


def test_r10_a_late_entry_that_sits_out_waits_all_the_same():
    session = gap()
    next_hand(session)
    session.join(1, 500)
    session.sit_out(1)
    assert dealt(fold_out(session.deal())) == [2, 4, 0]
    assert dealt(session.deal()) == [4, 0, 1, 2]


def test_r10_late_entries_left_of_the_last_big_blind_are_dealt_in_at_once():
    session = tournament(4, [1000, 0, 0, 1000], button=3)
    assert next_hand(session) == (3, 3, 0)
    session.join(1, 500)
    session.join(2, 500)
    assert [next_hand(session) for _ in range(2)] == [(3, 0, 1), (0, 1, 2)]


def test_r10_heads_up_a_late_entry_between_the_button_and_the_small_blind_waits_too():
    """Seats 0 and 2 play; a newcomer at 3 is due the big blind, and one at 1 is between the button and seat 2."""
    session = tournament(4, [1000, 0, 1000, 0])
    assert next_hand(session) == (0, 0, 2)
    session.join(1, 500)
    session.join(3, 500)
    table = session.deal()
    assert (places(table), dealt(table)) == ((0, 2, 3), [2, 3, 0])
    fold_out(table)
    assert [next_hand(session) for _ in range(2)] == [(2, 3, 0), (3, 0, 1)]


@pytest.mark.parametrize("out", [0, 2])
def test_r10_late_entries_do_not_wait_where_there_is_no_game_without_them(out):
    session = tournament(5, [1000, 0, 1000, 0, 0])
    next_hand(session)
    session.join(1, 500)
    session.join(3, 500)
    session.leave(out)
    assert set(dealt(session.deal())) == {1, 3, 2 - out}


def test_rules_of_sessions_are_compared_after_use():
    """The records of several levels stand in an array, which is neither true nor false."""
    one, two = (Rules(seats=2, session={"levels": [{"hands": 5}, {"times": 2}]}) for _ in range(2))
    assert one.record.size == two.record.size == 2
    assert one == two
    assert hash(one) == hash(two)
    assert one != one.replace(stacks=50)
    assert one != "rules"
