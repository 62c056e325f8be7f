"""PHH's codes of games with the board of hold'em: NS (short deck), PO (pot-limit Omaha), FO/8 (Omaha hi-lo)."""

from __future__ import annotations

import random
from typing import Any

import pytest

from history.random_play import play_randomly
from history.test_phh_writing import check_same, pokerkit_payoffs
from holdem_env import Rules, Table
from holdem_env.history import HistoryError, phh

VARIANTS = {"NS": "short-deck", "PO": "omaha", "FO/8": "omaha-hi-lo"}


def finished(preset: str, seed: int, **changes: Any) -> Table:
    rng = random.Random(seed)
    fields = {"seats": rng.randint(2, 6), "blinds": (50, 100), "ante": 0, "stacks": 20_000, **changes}
    rules = Rules.preset(preset, **fields)
    return play_randomly(Table(rules, button=rng.randrange(rules.seats), seed=seed), rng)


@pytest.mark.parametrize("variant", VARIANTS)
def test_hands_read_back_the_same(variant: str) -> None:
    for seed in range(30):
        table = finished(VARIANTS[variant], seed)
        text = phh.dumps(table)
        assert f'variant = "{variant}"' in text
        assert "_holdem_env" not in text
        check_same(table, phh.loads(text))


@pytest.mark.fast_cases(1)
@pytest.mark.parametrize("variant", VARIANTS)
def test_pokerkit_pays_what_we_write(variant: str) -> None:
    pytest.importorskip("pokerkit")
    showdowns = 0
    for seed in range(30):
        table = finished(VARIANTS[variant], seed)
        # Even pots: where PokerKit puts odd chips is described in docs/rulings.md.
        if any(op.amount % 50 for op in table.log if op.kind == "push_pot"):
            continue
        order = [(table.button + 1 + i) % table.rules.seats for i in range(table.rules.seats)]
        assert pokerkit_payoffs(phh.dumps(table)) == [table.payoffs[seat] for seat in order]
        showdowns += any(op.kind == "show" for op in table.log)
    assert showdowns > 3


def test_what_phh_cannot_say_is_refused_or_carried() -> None:
    carried = finished("omaha", 1, structure="no_limit")
    assert phh.loads(phh.dumps(carried)).rules.structure == "no_limit"
    check_same(carried, phh.loads(phh.dumps(carried)))
    for preset, changes in (
        ("omaha", {"structure": "fixed_limit"}),
        ("omaha-hi-lo", {"structure": "pot_limit"}),
        ("holdem-hi-lo", {}),
        ("short-deck", {"structure": "fixed_limit"}),
    ):
        with pytest.raises(HistoryError, match="PHH has no code for hold'em with "):
            phh.dumps(finished(preset, 1, **changes))


OMAHA = """
variant = "PO"
antes = [0, 0, 0]
blinds_or_straddles = [1, 2, 0]
min_bet = 2
starting_stacks = [200, 200, 200]
actions = ["d dh p1 ????????", "d dh p2 2c3c4d5d", "d dh p3 AsAdKsKd", "p3 cbr 7", "p1 f", "p2 cc",
  "d db AcKc2h", "p2 cc", "p3 cbr 15", "p2 cc", "d db 7h", "p2 cc", "p3 cc", "d db 8s", "p2 cc", "p3 cc"]
"""


def test_a_hand_of_omaha() -> None:
    record = phh.loads(OMAHA)
    assert record.holes[0] == "????????"
    table = record.replay()
    assert table.payoffs == [-1, -22, 23]
    assert table.hole_cards(2) == "AsAdKsKd"
    assert len(set(table.deck)) == 52


def test_an_unknown_hand_of_omaha_loses_to_what_was_shown() -> None:
    record = phh.loads(OMAHA.replace("p2 2c3c4d5d", "p2 ????????"))
    assert record.replay().payoffs == [-1, -22, 23]


def test_a_showdown_with_unknown_cards_is_for_holdem_and_omaha() -> None:
    text = OMAHA.replace("PO", "NS").replace("2c3c4d5d", "????").replace("AsAdKsKd", "AsAd").replace("????????", "????")
    record = phh.loads(text.replace("AcKc2h", "AcKc9h"))
    with pytest.raises(HistoryError, match="a showdown with unknown cards can be replayed in hold'em and Omaha only"):
        record.replay()


def test_a_card_that_a_short_deck_does_not_hold() -> None:
    text = OMAHA.replace("PO", "NS").replace("2c3c4d5d", "2c3c").replace("AsAdKsKd", "AsAd").replace("????????", "????")
    with pytest.raises(HistoryError, match="is not in the deck of this game"):
        phh.loads(text).replay()
