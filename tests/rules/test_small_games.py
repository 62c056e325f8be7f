"""Games of the same engine, by data in Rules: Omaha, short deck, both at once, royal and flop hold'em,
Leduc's and Kuhn's poker.

Their betting, pots and showing are hold'em's, R14-R31; here is what makes them other games: decks, hands, rankings,
streets. tests/differential compares them with PokerKit and OpenSpiel.
"""

from __future__ import annotations

import re
from collections import Counter
from itertools import combinations, pairwise

import numpy as np
import pytest

from errors import complaint, mentions
from holdem_env import IllegalMove, Rules, Table, evaluate
from holdem_env.cards.text import Cards, parse_cards
from holdem_env.engine import record
from holdem_env.game.presets import PRESETS, ROYAL_DECK, SHORT_DECK, VARIANTS
from holdem_env.table.hand_setup import position_deck
from rules.hand_values import pair_value, value_of_exactly, value_of_short_deck
from rules.playing import A, B, check_down, deeds, play, showing

NO_CARDS = np.zeros(0, np.int8)


def array(cards):
    return np.array(parse_cards(cards) if isinstance(cards, str) else cards, np.int8)


def omaha(hole, board):
    """The engine's value of the best five with exactly two cards of the hand."""
    hand, table = array(hole), array(board)
    return int(value_of_exactly(hand, len(hand), 2, table, len(table), record.STANDARD_RANKING))


def short_deck(hole, board=""):
    hand, table = array(hole), array(board)
    return int(value_of_short_deck(hand, len(hand), table, len(table)))


def pair(hole, board=""):
    hand, table = array(hole), array(board)
    return int(pair_value(hand, len(hand), table, len(table)))


def deal(preset, holes, board="", **changes):
    """A hand with these cards; A is left of the button."""
    rules = Rules.preset(preset, seats=len(holes), **changes)
    stacks, button = list(rules.starting_stacks), len(holes) - 1
    deck = position_deck(rules, stacks, button, Cards(board), dict(enumerate(holes)))
    return Table(rules, button=button, deck=deck, seed=1)


def test_omaha_takes_exactly_two_of_the_hand():
    board = "2s5s9sJsKd"
    assert omaha("As3h4hQh", board) < omaha("7s3s4hQh", board), "one spade makes no flush, two do"
    assert omaha("AcAdAhAs", "KcKd2h3s4d") == evaluate("AcAdKcKd4d"), "four aces are a pair of them"
    assert omaha("2c3d4h5c", "AsKsQsJsTs") == evaluate("5c4hAsKsQs"), "nobody plays the board"


@pytest.mark.parametrize(("hole", "used"), [(4, 2), (3, 2), (4, 1), (4, 3), (2, 2), (5, 2), (6, 2)])
def test_exactly_so_many_hole_cards_are_those_of_a_search_through_all_fives(hole, used):
    generator = np.random.default_rng(3)
    for _ in range(60):
        cards = generator.permutation(52)[: hole + 5].tolist()
        hand, board = cards[:hole], cards[hole:]
        fives = [[*a, *b] for a in combinations(hand, used) for b in combinations(board, 5 - used)]
        found = value_of_exactly(array(hand), hole, used, array(board), 5, record.STANDARD_RANKING)
        assert found == evaluate(np.array(fives)).max()


@pytest.mark.parametrize(
    ("theirs", "value", "deck", "hole"),
    [("OmahaHoldemHand", omaha, range(52), 4), ("ShortDeckHoldemHand", short_deck, SHORT_DECK, 2)],
)
def test_hands_compare_as_in_pokerkit(theirs, value, deck, hole):
    """Random hands, some of them on the same board."""
    kind = getattr(pytest.importorskip("pokerkit"), theirs)
    generator = np.random.default_rng(4)
    rows = []
    for _ in range(150):
        cards = generator.permutation(deck).tolist()
        board = cards[:5]
        for at in (5, 5 + hole):
            hand = cards[at : at + hole]
            rows.append((value(hand, board), kind.from_game(str(Cards(hand)), str(Cards(board)))))
    for (mine, theirs), (other, their_other) in pairwise(rows):
        assert (mine > other) == (theirs > their_other)
        assert (mine == other) == (theirs == their_other)


def test_omaha_deals_four_cards_one_at_a_time():
    table = Table(Rules.preset("omaha", seats=3), button=2, deck=list(range(52)))
    assert [tuple(table.hole_cards(seat)) for seat in range(3)] == [(0, 3, 6, 9), (1, 4, 7, 10), (2, 5, 8, 11)]
    assert tuple(check_down(table).board) == (13, 14, 15, 17, 19)
    assert {len(op.cards) for op in table.log if op.kind == "show"} == {4}


ORDER = ("7cTdQhKs9s", "7c7dQhKs9s", "7c7dQhQs9s", "7c7d7hKs9s", "7c8d9hTsJs", "7c7d7hKsKd", "6c7c9cTcQc", "7c7d7h7sKd")


def test_short_deck_a_flush_beats_a_full_house_and_a_straight_three_of_a_kind():
    values = [short_deck(hand) for hand in [*ORDER, "7c8c9cTcJc"]]
    assert values == sorted(set(values))


def test_short_deck_a_6_7_8_9_is_the_lowest_straight():
    lowest, next_one = short_deck("Ac6d7h8s9s"), short_deck("6d7h8s9sTs")
    assert short_deck("AcAdAhKsQs") < lowest < next_one
    assert short_deck("AcKc", "6d7h8s9sTc") == next_one, "the better one counts"
    assert short_deck("AcKc", "6c7c8c9cTd") == short_deck("Ad6d7d8d9d") < short_deck("6c7c8c9cTc")
    assert short_deck("AcAd", "6c7c8c9cTd") == short_deck("Ad6d7d8d9d") > short_deck("7c7d7h7sKd")


def brute_strength(five):
    """Five cards of a short deck as a tuple to compare; written for these tests alone."""
    ranks = sorted((card // 4 for card in five), reverse=True)
    held = sorted(Counter(ranks).items(), key=lambda item: (item[1], item[0]), reverse=True)
    shape, order = tuple(count for _, count in held), tuple(rank for rank, _ in held)
    flush = len({card % 4 for card in five}) == 1
    tops = {tuple(range(top, top - 5, -1)): top for top in range(8, 13)} | {(12, 7, 6, 5, 4): 7}
    top = tops.get(tuple(ranks))
    if top is not None:
        return (8 if flush else 4, top)
    if flush:
        return (6, *ranks)
    kind = {(4, 1): 7, (3, 2): 5, (3, 1, 1): 3, (2, 2, 1): 2, (2, 1, 1, 1): 1, (1, 1, 1, 1, 1): 0}[shape]
    return (kind, *order)


def check_short_deck(hands):
    """Equal strengths have equal values, greater ones greater values."""
    strength_of: dict[int, tuple[int, ...]] = {}
    for hand, strength in hands:
        assert strength_of.setdefault(hand, strength) == strength
    in_order = [strength_of[value] for value in sorted(strength_of)]
    assert all(weaker < stronger for weaker, stronger in pairwise(in_order))


@pytest.mark.fast_cases(1)
@pytest.mark.parametrize("count", [5, 6, 7])
def test_short_deck_hands_are_those_of_a_search_through_all_fives(count):
    generator = np.random.default_rng(5)
    hands = []
    for _ in range(1500):
        cards = generator.permutation(SHORT_DECK)[:count].tolist()
        hands.append((short_deck(cards[:2], cards[2:]), max(map(brute_strength, combinations(cards, 5)))))
    check_short_deck(hands)


@pytest.mark.slow
def test_all_hands_of_a_short_deck():
    fives = list(combinations(SHORT_DECK, 5))
    values = [int(value_of_short_deck(hand, 5, NO_CARDS, 0)) for hand in np.array(fives, np.int8)]
    strengths = [brute_strength(five) for five in fives]
    check_short_deck(zip(values, strengths, strict=True))
    counts = Counter(strength[0] for strength in strengths)
    assert [counts[kind] for kind in range(9)] == [122_400, 193_536, 36_288, 16_128, 6_120, 1_728, 480, 288, 24]


def test_short_deck_with_exactly_two_hole_cards():
    hand, board = array("AcKd7h7d"), array("6c8c9sTdQd")
    value = value_of_exactly(hand, 4, 2, board, 5, record.SHORT_DECK_RANKING)
    assert value == short_deck("Ac7h6c8c9s"), "A-6-7-8-9: for 6-7-8-9-T only the seven is in the hand"


def test_short_deck_is_played_by_its_own_ranking():
    table = check_down(deal("short-deck", ["7c7d", "AhQh", "9c8c"], "7hTh9hTsKd"))
    assert deeds(table, "push_pot") == ["B push_pot 9 of 0"], "a flush beats sevens full"
    assert {card // 4 for card in table.deck} == set(range(4, 13))


def test_omaha_36_hands_are_those_of_a_search_through_all_fives():
    generator = np.random.default_rng(6)
    hands = []
    for _ in range(600):
        cards = generator.permutation(SHORT_DECK).tolist()
        hand, board = cards[:4], cards[4:9]
        fives = [[*a, *b] for a in combinations(hand, 2) for b in combinations(board, 3)]
        value = value_of_exactly(array(hand), 4, 2, array(board), 5, record.SHORT_DECK_RANKING)
        hands.append((int(value), max(map(brute_strength, fives))))
    check_short_deck(hands)


def test_omaha_36_is_played_by_the_hands_of_omaha_and_the_ranking_of_short_deck():
    board = "7h9h9sThKd"
    table = check_down(deal("omaha-36", ["7c7dKsQs", "AhQhJc6c", "AsKhQcJd"], board))
    assert deeds(table, "push_pot") == ["B push_pot 6 of 0"], "a flush beats sevens full"
    table = check_down(deal("omaha-36", ["7c7dKsQs", "AhAcJc6c", "AsKhQcJd"], board))
    assert deeds(table, "push_pot") == ["A push_pot 6 of 0"], "one heart in the hand makes no flush"
    table = check_down(deal("omaha-36", ["Ac8cKsQs", "TcTdJc6c"], "6h7h9sThKd"))
    assert deeds(table, "push_pot") == ["A push_pot 4 of 0"], "A-6-7-8-9 beats three tens"


@pytest.mark.parametrize("game", ["omaha", "omaha-36"])
def test_omaha_is_pot_limit_without_an_ante(game):
    table = Table(Rules.preset(game, seats=2, blinds=(5, 10), stacks=1000), seed=1)
    assert (table.legal.raise_min, table.legal.raise_max) == (20, 30)


@pytest.mark.parametrize(
    ("game", "seats", "deck", "words"),
    [
        ("omaha-36", 7, SHORT_DECK, "8 seats need 40 cards, the deck has 36"),
        ("royal-holdem", 6, ROYAL_DECK, "7 seats need 22 cards, the deck has 20"),
    ],
)
def test_the_most_seats_take_the_whole_deck(game, seats, deck, words):
    rules = Rules.preset(game, seats=seats)
    assert rules.cards_needed == len(rules.deck) == len(deck)
    assert sorted(check_down(Table(rules, seed=3)).deck) == sorted(deck) == list(range(52 - len(deck), 52))
    assert re.search(words, complaint(Rules.preset, game, seats=seats + 1))


def test_flop_holdem_ends_with_the_flop():
    table = deal("flop-holdem", ["AcAd", "KcKd"], "2h7s9d")
    play(table, "B:c A:k A:b100 B:r200")
    assert table.street == 1
    assert len(table.board) == 3
    play(table, "A:c")
    assert table.is_over
    assert table.payoffs == [300, -300]
    assert showing(table) == ["B show", "A show"], "the last to raise shows first (R29)"


def test_games_of_fewer_streets_have_as_many_of_the_usual_caps():
    rules = Rules(structure="fixed_limit", seats=2, board_cards=(0, 3))
    assert rules.max_raises == (3, 4)
    assert Rules(structure="fixed_limit", seats=2, board_cards=(0, 3), max_raises=None).max_raises is None
    mentions(complaint(Rules, board_cards=(0, 3), max_raises=(3, 4, 4, 4)), "max_raises", 2, 4)


def test_a_pair_wins_then_the_higher_card_then_the_lower():
    assert pair("Kh") > pair("Qh") > pair("2s") > 0
    values = {pair([4 * a], [4 * b + 1]): (a == b, max(a, b), min(a, b)) for a in range(13) for b in range(13)}
    assert len(values) == 13 * 14 // 2
    assert [values[value] for value in sorted(values)] == sorted(values.values())


def test_leduc_two_rounds_of_two_bets_two_and_four_chips():
    table = deal("leduc", ["Jh", "Kh"], "Js")
    assert (table.bets, [pot.amount for pot in table.pots], table.actor) == ([0, 0], [2], A)
    play(table, "A:b2 B:r4")
    mentions(complaint(table.raise_to, 6, kind=IllegalMove), "capped")
    with pytest.raises(IllegalMove, match="capped"):
        play(deal("flop-holdem", ["AcAd", "KcKd"], "2h7s9d"), "B:r200 A:r300 B:r400").raise_to(500)
    play(table, "A:c A:k B:b4 A:r8 B:c")
    assert table.payoffs == [13, -13], "a pair with the board beats a king"


def test_leduc_no_card_is_burned_and_equal_cards_share():
    table = check_down(deal("leduc", ["Jh", "Js"], "Kh"))
    assert table.payoffs == [0, 0]
    assert not deeds(table, "burn")
    assert len(table.deck) == 6


def test_kuhn_one_card_one_bet_no_raise():
    assert Rules.preset("kuhn").unit == Rules.preset("leduc").unit == 1  # paid in chips
    table = play(deal("kuhn", ["Js", "Ks"]), "A:b1")
    assert table.legal == (True, 1, None, None)
    assert play(table, "B:c").payoffs == [-2, 2]
    assert play(deal("kuhn", ["Js", "Ks"]), "A:b1 B:f").payoffs == [1, -1]
    assert check_down(deal("kuhn", ["Qs", "Js"])).payoffs == [1, -1]


def test_kuhn_for_three():
    table = play(deal("kuhn", ["Js", "Qs", "Ks"], deck="TsJsQsKs"), "A:k B:b1 C:c A:f")
    assert table.payoffs == [-1, -2, 3]


def test_every_preset_names_its_own_game():
    shapes = [{**PRESETS[name].fields, "stacks": None} for name in VARIANTS]
    assert all(shapes.count(shape) == 1 for shape in shapes)
    assert [name for name in Rules.presets() if not Rules.preset(name).is_texas_holdem] == VARIANTS


@pytest.mark.parametrize("name", VARIANTS)
def test_presets_are_played_to_the_end_at_any_number_of_seats(name):
    most = Rules.preset(name).max_seats
    for seats in range(2, most + 1):
        table = check_down(Table(Rules.preset(name, seats=seats), seed=seats))
        assert sum(table.payoffs) == 0
        assert not any(table.bets)
    with pytest.raises(ValueError, match="seats need .* cards" if most < 10 else "less than or equal to 10"):
        Rules.preset(name, seats=most + 1)


def test_exactly_two_of_two_hole_cards_can_be_played():
    rules, hands = Rules(seats=2, blinds=(1, 2), hole_cards_used=2), {A: "2c2d", B: "KdKh"}
    table = Table.from_position(rules, stacks=[100, 100], board="AsKsQsJsTs", pot=10, hole_cards=hands)
    assert check_down(table).payoffs == [0, 10], "nobody may play the board"


def test_tables_of_other_games_as_text():
    assert str(Table(Rules.preset("leduc"), seed=1)).startswith("Fixed limit 2/4 Leduc, ante 1  street 0")
    lines = str(deal("omaha", ["AcAdKhKs", "2c3d4h5s", "JsJdJhJc"])).splitlines()
    assert "seat 2  JsJdJhJc stack" in lines[3]
