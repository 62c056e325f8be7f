"""Hands written as PokerStars' text read back as the same hands; PokerKit's parser reads them to the same stacks."""

from __future__ import annotations

import random
from decimal import Decimal
from typing import Any

import pytest
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st
from pokerkit import HandHistory

from holdem_env import Rules, Table
from holdem_env.game.presets import HOLDEM_PRESETS
from holdem_env.history import pokerstars
from tests.history.random_play import play_randomly, random_tables

DID = ("fold", "check", "call", "bet", "raise", "return_uncalled", "deal_board", "push_pot", "rake")
POSTED = (
    "post_ante",
    "post_small_blind",
    "post_big_blind",
    "post_big_blind_ante",
    "post_live",
    "post_dead",
    "post_straddle",
)
PRESETS = [*HOLDEM_PRESETS, "omaha", "omaha-hi-lo"]


def done(table: Table, seats: dict[int, int] | None = None) -> list[tuple[Any, ...]]:
    """What happened, with seats renamed if given; without showing, which the rules decide again."""
    return [
        (step.kind, None if step.seat is None else (seats or {}).get(step.seat, step.seat), step.amount, step.cards)
        for step in table.log
        if step.kind in (*DID, *POSTED)
    ]


def assert_same_hand(table: Table, text: str) -> None:
    """The text reads back as the hand. Seats that were not dealt in are left out."""
    dealt = [seat for seat in range(table.game.seats) if table.records["was_dealt"][0, seat]]
    hand = pokerstars.loads(text)
    again = hand.replay()
    assert hand.payoffs == again.payoffs == [table.payoffs[seat] for seat in dealt]
    assert done(again) == done(table, {seat: k for k, seat in enumerate(dealt)})
    assert again.is_over


@given(random_tables())
def test_random_hands_read_back_the_same(table: Table) -> None:
    text = pokerstars.dumps(table)
    assert_same_hand(table, text)
    again = pokerstars.loads(text)
    options: dict[str, Any] = {"hand": again.hand, "players": again.players, "metadata": again.metadata}
    assert sorted(pokerstars.dumps(again.replay(), **options).splitlines()) == sorted(text.splitlines())


@pytest.mark.parametrize("preset", PRESETS)
def test_every_preset_reads_back_the_same(preset: str) -> None:
    rules = Rules.preset(preset)
    for seed in range(30):
        table = play_randomly(Table(rules, button=seed % rules.seats, seed=seed), random.Random(seed), calm=0.7)
        assert_same_hand(table, pokerstars.dumps(table))


@given(random_tables(least=300))
def test_the_view_of_a_seat_has_no_hidden_cards(table: Table) -> None:
    text = pokerstars.dumps(table, seat=1)
    hidden = [seat for seat in range(table.rules.seats) if seat != 1 and not table.is_shown(seat)]
    assert text.count("Dealt to ") == 1
    assert not any(f"[{str(table.hole_cards(seat))[:2]} " in text for seat in hidden)
    hand = pokerstars.loads(text)
    assert hand.replay().payoffs == table.payoffs
    public = pokerstars.dumps(table, public=True)
    assert "Dealt to " not in public
    assert pokerstars.loads(public).payoffs == table.payoffs


def pokerkit_can_read(table: Table) -> bool:
    """PokerKit's parser knows neither antes nor straddles; with equal blinds heads-up it lets the other player begin."""
    rules = table.rules
    return not (rules.ante or rules.big_blind_ante or rules.straddle) and rules.small_blind < rules.big_blind


@given(random_tables(structures=("no_limit",), least=300), st.integers(0, 9))
@settings(suppress_health_check=[HealthCheck.filter_too_much])
def test_pokerkit_reads_the_same_stacks(table: Table, hero: int) -> None:
    assume(pokerkit_can_read(table))
    rules = table.rules
    text = pokerstars.dumps(table, seat=hero % rules.seats, unit=Decimal("0.01"), currency="USD", hand=17)
    (theirs,) = HandHistory.from_pokerstars(
        text, parse_value=lambda value: round(100 * float(value)), error_status=True
    )
    *_, state = theirs
    seats = [int(number) - 1 for number in theirs.seats]
    if state.status:  # hole cards that were mucked are unknown: nobody has shown them
        return
    assert list(theirs.starting_stacks) == [table.starting_stacks[seat] for seat in seats]
    assert theirs.hand == 17


@given(random_tables(structures=("no_limit",), least=300))
@settings(suppress_health_check=[HealthCheck.filter_too_much])
def test_pokerkit_pays_the_same(table: Table) -> None:
    assume(pokerkit_can_read(table))
    text = pokerstars.dumps(table)
    (theirs,) = HandHistory.from_pokerstars(text, error_status=True)
    *_, state = theirs
    seats = [int(number) - 1 for number in theirs.seats]
    assert [int(stack) for stack in state.stacks] == [table.stacks[seat] for seat in seats]
