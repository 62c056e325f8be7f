"""What sites write that the engine would not: found hands, and random hands put into the same forms."""

from __future__ import annotations

import random
import re
from decimal import Decimal
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from examples import examples
from history.pokerstars_text import ALL, replayed
from history.random_play import random_tables
from holdem_env import Table
from holdem_env.history import HistoryError, phh, pokerstars

DATA = Path(__file__).resolve().parent.parent / "data"
PAYOFFS = {
    "uncallable_raise_over_short_stack": [-10, 310, -300],
    "call_less_than_blind": [840, -480, -360],
    "call_less_than_blind_heads_up": [360, -360],
    "mixed_cash_game": [-10, 10],
}
ACTION = re.compile(r"(?P<name>player \d+): (?P<verb>folds|checks|calls|bets|raises)\b.*\n")
SHORT = random_tables(structures=("no_limit", "pot_limit"), least=5, most=120)


@pytest.mark.parametrize("name", PAYOFFS)
def test_r20_found_hands(name: str) -> None:
    hand = replayed((DATA / f"{name}.txt").read_text())
    assert hand.payoffs == PAYOFFS[name]


def test_a_mixed_games_stakes_stand_with_its_game() -> None:
    hand = pokerstars.loads((DATA / "mixed_cash_game.txt").read_text())
    assert (hand.rules.structure, hand.rules.blinds, hand.unit) == ("no_limit", (10, 25), Decimal("0.01"))
    for text in ALL:
        if "Tournament" not in text:
            mixed = re.sub(r"((?:Hold'em|Omaha)[^(\n]*) \(", r"8-Game (\1, ", text, count=1)
            assert "Limit, " in mixed
            assert pokerstars.loads(mixed) == pokerstars.loads(text)


def as_a_site(table: Table, text: str, rng: random.Random) -> str:
    """A hand in which somebody calls what no opponent can match, as a site may write it: as a call of what the richest
    opponent can match, or as a raise."""
    moments = [state for state in table.states() if state.actor is not None]
    for state, action in zip(moments, ACTION.finditer(text), strict=True):
        seat = state.actor
        assert seat is not None
        wealth = [bet + stack for bet, stack in zip(state.bets, state.stacks, strict=True)]
        most = max(wealth[k] for k in range(state.rules.seats) if k != seat and not state.is_folded(k))
        own, bet, price = wealth[seat], state.bets[seat], state.bets[seat] + (state.legal.call or 0)
        forms = [total for total in (most, rng.randint(price, own)) if bet < total != price]
        if action["verb"] == "calls" and most <= price and forms:
            name, total = action["name"], rng.choice(forms)
            words = f"calls {total - bet}" if total < price else f"raises {total - price} to {total}"
            found = re.search(rf"Uncalled bet \((\d+)\) returned to {name}\n", text)
            back = total - price + (int(found[1]) if found else 0)
            text = text.replace(found[0], "") if found else text
            returned = f"Uncalled bet ({back}) returned to {name}\n" if back else ""
            return text.replace(action[0], f"{name}: {words}{' and is all-in' * (total == own)}\n{returned}", 1)
    return text


@examples(150)
@given(SHORT, st.randoms(use_true_random=False))
def test_r20_what_nobody_can_match_is_a_call_whatever_a_site_calls_it(table: Table, rng: random.Random) -> None:
    text = pokerstars.dumps(table)
    hand = pokerstars.loads(as_a_site(table, text, rng))
    assert hand.replay().payoffs == hand.payoffs == pokerstars.loads(text).payoffs


@examples(100)
@given(random_tables(), st.booleans())
def test_a_hand_without_its_last_action_is_cut_short(table: Table, is_phh: bool) -> None:
    if is_phh:
        text, action, read = phh.dumps(table), re.compile(r'"(?P<name>p\d+) (f|cc|cbr \d+)"(, )?'), phh.loads
    else:
        text, action, read = pokerstars.dumps(table), ACTION, pokerstars.loads
    for last in list(action.finditer(text))[-1:]:
        unknown = "" if is_phh else f"{last['name']}: r\n"
        hand = read(text[: last.start()] + unknown + text[last.end() :])
        name = re.sub(r"^p(?=\d)", "player ", last["name"])
        with pytest.raises(HistoryError, match=f"the hand is cut short: {name} is to act"):
            hand.replay()
        assert hand.replay(unfinished=True).actor is not None
