"""What Rules says of its cards: whether they are Texas hold'em's, wholly or in part."""

from __future__ import annotations

import pytest

from holdem_env import Rules
from holdem_env.equities.strength import has_strengths

FACTS = ("is_texas_holdem", "has_holdem_hands", "has_holdem_showdowns", "has_holdem_streets")


@pytest.mark.parametrize(
    ("name", "facts", "differences"),
    [
        ("heads-up-no-limit", FACTS, []),
        ("leaflet", FACTS, []),
        ("acpc-limit-3p", FACTS, []),
        ("holdem-hi-lo", FACTS[1:], ["split"]),
        ("flop-holdem", ("has_holdem_hands", "has_holdem_streets"), ["board_cards"]),
        ("royal-holdem", ("has_holdem_streets",), ["deck"]),
        ("short-deck", ("has_holdem_streets",), ["deck", "ranking"]),
        ("omaha-36", ("has_holdem_streets",), ["deck", "hole_cards", "hole_cards_used", "ranking"]),
        ("omaha", ("has_holdem_streets",), ["hole_cards", "hole_cards_used"]),
        ("omaha-hi-lo", ("has_holdem_streets",), ["hole_cards", "hole_cards_used", "split"]),
        ("leduc", (), ["deck", "hole_cards", "board_cards", "ranking"]),
        ("kuhn", (), ["deck", "hole_cards", "board_cards", "ranking"]),
    ],
)
def test_presets(name: str, facts: tuple[str, ...], differences: list[str]) -> None:
    rules = Rules.preset(name)
    assert {fact: getattr(rules, fact) for fact in FACTS} == {fact: fact in facts for fact in FACTS}
    assert rules.hand_differences() == differences
    assert rules.record["holdem_showdowns"].tolist() == [int(rules.has_holdem_showdowns)]
    assert has_strengths(rules) == rules.has_holdem_hands


def test_the_order_of_a_deck_and_of_streets_is_no_other_hand() -> None:
    shuffled = Rules(deck=tuple(reversed(range(52))))
    assert shuffled.is_texas_holdem
    assert shuffled.hand_differences(Rules()) == []
    all_at_once = Rules(board_cards=(0, 5))
    assert all_at_once.board_sizes == (0, 5)
    assert all_at_once.has_holdem_showdowns
    assert not all_at_once.is_texas_holdem
    assert not all_at_once.has_holdem_streets
    assert all_at_once.hand_differences(Rules(board_cards=(0, 5), blinds=(1, 2), seats=3)) == []
    assert not has_strengths(Rules(board_cards=(0, 2, 3)))
    assert Rules().board_sizes == (0, 3, 4, 5)


def test_burns_of_a_street() -> None:
    assert Rules().street_burns == (0, 1, 1, 1)
    assert Rules.preset("leduc").street_burns == (0, 0)
