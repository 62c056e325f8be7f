"""R19 where the phases differ in the hands: hole cards, how many must be used, split, deck, streets."""

from __future__ import annotations

import pytest

from errors import complaint, mentions
from holdem_env import Rules, Session, Table
from holdem_env.game.presets import SHORT_DECK, VARIANTS
from rules.playing import check_down
from rules.sitting import fold_out, tournament

CHOICE = ({"hands": 1}, *({"game": game, "hands": 1} for game in ("omaha", "omaha-hi-lo", "short-deck")))


def test_r19_a_phase_may_change_the_hand():
    session = tournament(3, session={"phases": [{"hands": 1}, {"hole_cards": 4, "hole_cards_used": 2, "hands": 1}]})
    tables = [fold_out(session.deal()) for _ in range(4)]
    assert [len(table.hole_cards(0)) for table in tables] == [2, 4, 2, 4]
    assert [table.game.hole_cards_used for table in tables] == [None, 2, None, 2]
    assert all(table.game.structure == "no_limit" for table in tables)


def test_r19_hole_cards_and_how_many_are_used_belong_together():
    """A phase of hold'em between hands of Omaha: two hole cards, of which any number is used."""
    rules = Rules.preset("omaha", session={"phases": [{"hands": 1}, {"hole_cards": 2, "hands": 1}]})
    assert [(stage.hole_cards, stage.hole_cards_used) for stage in rules.stages] == [(4, 2), (2, None)]


def test_r19_a_phase_may_split_the_pots():
    """The big blind has aces, the button 8-7-5-3-2, the only low."""
    session = tournament(2, session={"phases": [{"hands": 1}, {"split": "high_low", "hands": 1}]})
    payoffs = [check_down(session.deal(deck="Ah3cAd2s??7s8hKd??5c??Qc")).payoffs for _ in range(2)]
    assert payoffs == [[-20, 20], [0, 0]]


def test_r19_a_phase_may_change_the_deck_and_the_ranking():
    phases = [{"hands": 1}, {"deck": SHORT_DECK, "ranking": "short_deck", "hands": 1}]
    session = tournament(4, session={"phases": phases})
    for hand in range(6):
        table = fold_out(session.deal())
        assert sorted(table.deck) == (list(range(52)) if hand % 2 == 0 else sorted(SHORT_DECK))


def test_r19_the_deck_may_be_text():
    text = "".join(rank + suit for rank in "TJQKA" for suit in "cdhs")
    rules = Rules(seats=4, session={"phases": [{"hands": 1}, {"deck": text, "hands": 1}]})
    assert len(rules.stages[1].deck) == 20
    assert Rules.model_validate_json(rules.model_dump_json()) == rules


def test_r19_a_game_by_its_presets_name_is_all_but_stakes_and_seats():
    phases = [{"game": name, "hands": 1} for name in OTHERS]
    rules = Rules(seats=4, blinds=(10, 20), stacks=900, session={"phases": phases})
    for name, stage in zip(OTHERS, rules.stages, strict=True):
        alone = Rules.preset(name)
        assert stage.hand_differences(alone) == []
        for field in ("structure", "streets", "street_burns", "max_raises"):
            assert getattr(stage, field) == getattr(alone, field)
        assert (stage.seats, stage.blinds, stage.ante, stage.starting_stacks) == (4, (10, 20), 0, (900,) * 4)


OTHERS = [name for name in VARIANTS if name != "kuhn"]  # its three cards are not enough for four


def test_r19_what_is_said_beside_the_game_overrides_it():
    rules = Rules(session={"phases": [{"game": "omaha", "structure": "no_limit", "blinds": (25, 50), "hands": 1}]})
    assert (rules.stages[0].structure, rules.stages[0].blinds, rules.stages[0].hole_cards) == ("no_limit", (25, 50), 4)


def test_r19_a_game_is_the_whole_game_whatever_the_rules_are():
    rules = Rules.preset("omaha-hi-lo", session={"phases": [{"game": "six-max-no-limit", "hands": 1}]})
    assert rules.stages[0].is_texas_holdem
    assert rules.stages[0].split == "high"


def test_r19_another_number_of_streets_has_its_usual_bets_and_caps():
    phases = [{"board_cards": (0, 3), "hands": 1}]
    stage = Rules(seats=2, min_bet=(2, 2, 4, 4), blinds=(1, 2), session={"phases": phases}).stages[0]
    assert (stage.street_bets, stage.max_raises, stage.street_burns) == ((2, 2), (3, 4), (0, 1))


@pytest.mark.parametrize(
    ("phase", "why"),
    [
        ({"hole_cards": 4}, "session, phase 1: the standard ranking takes .* hole_cards_used=None"),
        ({"game": "omahaa"}, "there is no preset 'omahaa': did you mean 'omaha'"),
        ({"game": "leduc", "ranking": "standard"}, "session, phase 1: the standard ranking"),
        ({"deck": "AsKs"}, "session, phase 1: deck: 6 seats need"),
        ({"deck": "AsAs"}, "session, phase 1: deck: As is in it more than once"),
        ({"split": "high_low", "deck": SHORT_DECK}, "session, phase 1: split: high_low needs five different ranks"),
        ({"burn_cards": (0, 1)}, "session, phase 1: burn_cards: give one value for each of the 4 streets, not 2"),
        ({"game": "flop-holdem"}, "session, phase 1: dealer_errors: R33-R38 are about a flop"),
        ({"seats": 4}, "Phase has no field 'seats'"),
    ],
)
def test_r19_a_phase_that_is_no_game_is_named(phase, why):
    errors = {"dealer_errors": {}} if "R33" in why else {}
    with pytest.raises(ValueError, match=why):
        Rules(seats=6, **errors, session={"phases": [{"hands": 1}, {"hands": 1, **phase}]})


@pytest.mark.parametrize("phases", [CHOICE, CHOICE[::-1]])
def test_r19_every_deck_is_shuffled_whole_and_is_that_of_the_hand_alone(phases):
    """A short deck leaves nothing behind in the hand after it, and none of its cards in their factory order."""
    rules = Rules(seats=3, blinds=(10, 20), stacks=1000, session={"phases": phases})
    session = Session(rules, seed=7)
    for hand in range(8):
        table = session.deal()
        alone = Table(session.stage, seed=7, hand=hand)
        assert table.deck == alone.deck
        assert sorted(table.deck) == sorted(session.stage.deck)
        assert table.deck[-6:] != session.stage.deck[-6:]
        fold_out(table)


def test_r19_r05_the_first_button_is_drawn_from_the_first_stages_deck():
    rules = Rules(seats=6, session={"first_button": "high_card", "phases": CHOICE[::-1]})
    for seed in range(20):
        drawn = [deed.cards for deed in Session(rules, seed=seed).deal().log if deed.kind == "draw_button"]
        assert drawn
        assert {card for cards in drawn for card in cards} <= set(SHORT_DECK)


def test_r19_r04_a_given_deck_is_of_the_hands_game():
    session = tournament(3, session={"phases": CHOICE[2:]})
    table = session.deal(deck="2c3c4c5c6c7c8c9cTc2d3d4d")
    assert table.hole_cards(1) == "2c5c8c2d"
    fold_out(table)
    mentions(complaint(session.deal, deck="2c3c"), 0)
    assert session.deal(deck="6c7c8c6d7d8d").hole_cards(2) == "6c6d"


def test_r19_r34_an_injected_error_is_about_the_hands_own_cards():
    phases = [{"hands": 1}, {"game": "omaha", "hands": 1}]
    session = tournament(3, session={"phases": phases}, dealer_errors={})
    mentions(complaint(session.deal, dealer_errors={"exposed_hole_card": 6}), "exposed_hole_card", 6, "0..5")
    fold_out(session.deal())
    table = session.deal(dealer_errors={"exposed_hole_card": 11}, reshuffles=["2c3c"])
    assert len(table.exposed) == 1


def test_r19_a_table_by_itself_plays_the_first_phase():
    rules = Rules(seats=3, session={"phases": CHOICE[::-1]})
    table = Table(rules, seed=1, deck="6c7c8c")
    assert sorted(table.deck) == sorted(SHORT_DECK)
    mentions(complaint(Table, rules, deck="2c"), "not in the deck")
    omaha = Rules(seats=3, blinds=(10, 20), session={"phases": CHOICE[1:]})
    position = Table.from_position(omaha, [100] * 3, board="AsKsQs", pot=60, hole_cards={1: "AhAdKhKd"})
    assert position.hole_cards(1) == "AhAdKhKd"
    assert position.board == "AsKsQs"


def test_r19_r02_the_same_cards_win_by_the_game_that_is_played():
    """The big blind has a flush, the button a full house: the flush wins in short deck alone. The button moves."""
    session = tournament(2, session={"phases": [{"hands": 1}, {"game": "short-deck", "hands": 1}]})
    payoffs = [check_down(session.deal(deck="AhKcQhKd??Kh9h9s??6h??7c")).payoffs for _ in range(2)]
    assert payoffs == [[20, -20], [20, -20]]


def test_r19_names_of_fields_that_differ():
    mixed = Rules(session={"phases": CHOICE})
    assert mixed.changes_hands
    assert mixed.hand_differences() == ["deck", "hole_cards", "hole_cards_used", "ranking", "split"]
    assert mixed.hand_differences(mixed) == []
    assert not mixed.is_texas_holdem
    betting = Rules(session={"phases": [{"structure": "fixed_limit", "hands": 1}, {"hands": 1}]})
    assert not betting.changes_hands
    assert betting.is_texas_holdem
    assert betting.phase_values("structure") == ("fixed_limit", "no_limit")
