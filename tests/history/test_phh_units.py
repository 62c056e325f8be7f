"""Whatever a chip is worth, a hand that was written as PHH is read back as the same hand in the same money."""

from __future__ import annotations

from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from examples import examples
from holdem_env import Rake, Rules, Table
from holdem_env.history import phh
from properties.games import choices, games, play_out

UNITS = [Decimal(unit) for unit in ("1", "0.01", "0.05", "0.1", "0.25", "0.5", "2", "5", "12.5", "25", "100", "0.001")]


def in_money(rules: Rules, unit: Decimal) -> dict[str, object]:
    """All amounts of a game in money; fields without amounts as they are."""
    rake = rules.rake
    return {
        "blinds": [blind * unit for blind in rules.blinds],
        "antes": [rules.ante * unit, rules.big_blind_ante * unit, rules.straddle * unit],
        "bets": [bet * unit for bet in rules.street_bets],
        "smallest chip": rules.smallest_chip * unit,
        "rake": None if rake is None else (rake.percent, None if rake.cap is None else rake.cap * unit),
        "others": (rules.structure, rules.muck, rules.reopen, rules.max_raises if rules.structure[0] == "f" else None),
    }


@examples(120, deadline=None, derandomize=True)
@given(games(holdem=True), choices, st.sampled_from(UNITS), st.booleans())
def test_a_hand_reads_back_in_the_same_money(game, moves, unit, has_least_bet):
    rules = game.rules
    if has_least_bet and rules.structure != "fixed_limit":
        least = rules.big_blind
        rules = rules.replace(min_bet=(least, least, 2 * least, 3 * least))
    if rules.big_blind_ante or rules.straddle:  # PHH has these for whole stacks alone
        rules = rules.replace(big_blind_ante=0, straddle=0)
    table = game._replace(rules=rules).deal()
    play_out(table, moves)
    hand = phh.loads(phh.dumps(table, unit=unit))
    seats = [(table.button + 1 + seat) % rules.seats for seat in range(rules.seats)]  # PHH begins left of the button
    expected = in_money(rules, unit)
    again = in_money(hand.rules, hand.unit)
    assert again == expected
    replayed = hand.replay()
    assert [chips * hand.unit for chips in replayed.payoffs] == [table.payoffs[seat] * unit for seat in seats]
    assert [chips * hand.unit for chips in replayed.payoffs] == [chips * hand.unit for chips in hand.payoffs or []]
    assert replayed.rake * hand.unit == table.rake * unit


@pytest.mark.parametrize("unit", UNITS)
def test_r31_the_cap_of_the_rake_is_money(unit):
    rules = Rules(seats=2, blinds=(5, 10), stacks=1000, rake=Rake(percent=50, cap=8))
    table = Table(rules, seed=1)
    while not table.is_over:
        table.check_call()
    text = phh.dumps(table, unit=unit)
    assert phh.loads(text).replay().rake * phh.loads(text).unit == 8 * unit


def test_r13_odd_chips_of_a_large_chip_stay_large():
    """Three share a pot; a chip is worth 25, and is not broken."""
    rules = Rules(seats=3, blinds=(1, 2), stacks=100)
    table = Table(rules, button=2, deck="AsKsQsAdKdQd??2c7d8hJs??Tc??9c", seed=1)
    while not table.is_over:
        table.check_call()
    hand = phh.loads(phh.dumps(table, unit=25))
    assert hand.rules.smallest_chip == 25
    assert [chips * hand.unit for chips in hand.replay().payoffs] == [25 * chips for chips in table.payoffs]


def test_r13_whole_amounts_of_a_game_in_cents_stay_in_cents():
    rules = Rules(seats=2, blinds=(100, 200), stacks=20000)
    text = phh.dumps(Table(rules, seed=1), unit=Decimal("0.01"))
    assert phh.loads(text).unit == Decimal("0.01")
