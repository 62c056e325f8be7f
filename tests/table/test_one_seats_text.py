"""What one seat sees as text: drawings and hand histories hold no card that is hidden from it."""

from __future__ import annotations

from errors import complaint, mentions
from holdem_env import Rules, Table, holdem_v0
from holdem_env.envs.single_seat import HoldemSeatEnv
from holdem_env.history import phh

RULES = Rules.preset("heads-up-no-limit")
DECK = "AsKdAhKc"


def test_render_draws_what_a_seat_sees():
    env = holdem_v0.env(RULES, render_mode="ansi")
    env.reset(seed=1, options={"deck": DECK})
    everything = env.unwrapped.render()
    assert "AsAh" in everything
    assert "KdKc" in everything
    for seat, own, other in ((0, "KdKc", "AsAh"), (1, "AsAh", "KdKc")):
        text = env.unwrapped.render(seat=seat)
        assert own in text
        assert other not in text
        assert "????" in text
    mentions(complaint(env.unwrapped.render, seat=7), 7)


def test_the_single_seat_draws_what_a_seat_sees():
    env = HoldemSeatEnv(RULES, opponents="calling_station", render_mode="ansi")
    env.reset(seed=1)
    everything, own = env.render(), env.render(seat=0)
    assert "??" not in everything
    assert own.count("????") == 1
    assert env.render(seat=1).count("????") == 1
    mentions(complaint(env.render, seat=7), 7)


def test_print_of_a_view_draws_what_the_seat_sees():
    text = str(Table(RULES, deck=DECK).view(0))
    assert "KdKc" in text
    assert "AsAh" not in text


def test_a_public_hand_history_has_no_card_that_was_not_shown():
    table = Table(RULES, deck=DECK)
    table.raise_to(6)
    table.fold()
    assert "AsAh" in phh.dumps(table)
    public = phh.dumps(table, public=True)
    assert public.count("????") == 2
    assert phh.loads(public).replay().payoffs == phh.loads(phh.dumps(table)).replay().payoffs
    own = phh.dumps(table, seat=1)
    assert "AsAh" in own
    assert "KdKc" not in own
    mentions(complaint(phh.dumps, table, seat=2), 2)


def test_shown_hands_and_the_board_are_public():
    table = Table(RULES, deck=DECK, seed=3)
    table.raise_to(200)
    table.check_call()
    public = phh.dumps(table, public=True)
    assert public == phh.dumps(table)
