"""Kinds of PokerStars' texts that once could not be replayed, each by a hand made up for it."""

from __future__ import annotations

from pathlib import Path

import pytest

from errors import complaint, mentions
from history.pokerstars_text import CASH, OMAHA, replayed
from holdem_env import Rake, Rules, Table
from holdem_env.history import HistoryError, phh, pokerstars

SEATS = "PokerStars Game #{number}:  {game} - 2008/02/03 20:00:00 ET\nTable 'Io' 9-max Seat #1 is the button\n{seats}\n"


def head(number: int, game: str, *stacks: str) -> str:
    seats = "\n".join(f"Seat {k}: {name}" for k, name in enumerate(stacks, 1))
    return SEATS.format(number=number, game=game, seats=seats)


# Nothing says that Cy gets back the 45 that Bob, all-in for 50, did not call.
CALLED_FOR_LESS = (
    head(1, "Hold'em No Limit ($0.50/$1)", "Ann ($90 in chips)", "Bob ($50 in chips)", "Cy ($95 in chips)")
    + """\
Bob: posts small blind $0.50
Cy: posts big blind $1
*** HOLE CARDS ***
Ann: folds
Bob: raises $2 to $3
Cy: raises $92 to $95 and is all-in
Bob: calls $47 and is all-in
*** FLOP *** [2h 3h 4h]
*** TURN *** [2h 3h 4h] [9d]
*** RIVER *** [2h 3h 4h 9d] [9c]
*** SHOW DOWN ***
Cy: shows [Kd Kc] (two pair, Kings and Nines)
Bob: shows [Ad Ac] (two pair, Aces and Nines)
Bob collected $97 from pot
*** SUMMARY ***
Total pot $100 | Rake $3
Board [2h 3h 4h 9d 9c]
"""
)
# The same among three, on the flop: Ann's bet of 30 is called for 20 by Bob, and folded to by Cy.
CALLED_FOR_LESS_ON_THE_FLOP = (
    head(2, "Hold'em No Limit ($1/$2)", "Ann ($90 in chips)", "Bob ($22 in chips)", "Cy ($95 in chips)")
    + """\
Bob: posts small blind $1
Cy: posts big blind $2
*** HOLE CARDS ***
Ann: calls $2
Bob: calls $1
Cy: checks
*** FLOP *** [2h 3h 4h]
Bob: checks
Cy: checks
Ann: bets $30
Bob: calls $20 and is all-in
Cy: folds
*** TURN *** [2h 3h 4h] [9d]
*** RIVER *** [2h 3h 4h 9d] [9c]
*** SHOW DOWN ***
Ann: shows [Kd Kc] (two pair, Kings and Nines)
Bob: mucks hand
Ann collected $46 from pot
*** SUMMARY ***
Total pot $46 | Rake $0
Board [2h 3h 4h 9d 9c]
"""
)
# The bars of every flop are uneven, as in DeepStack's own files.
UNEVEN_BARS = (
    head(3, "Hold'em No Limit ($50/$100 USD)", "DeepStack ($20000 in chips)", "Ann ($20000 in chips)")
    + """\
DeepStack: posts small blind $50
Ann: posts big blind $100
*** HOLE CARDS ***
Dealt to DeepStack [As Kd]
Dealt to Ann [7c 2d]
DeepStack: raises $200 to $300
Ann: calls $200
*** FLOP **** [2h 3h 4h]
Ann: checks
DeepStack: bets $300
Ann: folds
Uncalled bet ($300) returned to DeepStack
DeepStack collected $600 from pot
*** SUMMARY ***
Total pot $600 | Rake $0
Board [2h 3h 4h]
"""
)
TOURNAMENT = "Tournament #9, $10+$1 Hold'em No Limit - Level IV (50/100)"
# Cy sits out, is all-in with the ante, and is folded when the turn comes.
CY_ABSENT = "Cy (10 in chips) is sitting out"
ABSENT_WITH_AN_ANTE = (
    head(4, TOURNAMENT, "Ann (1500 in chips)", "Bob (900 in chips)", "Di (1000 in chips)", CY_ABSENT)
    + """\
Ann: posts the ante 10
Bob: posts the ante 10
Di: posts the ante 10
Cy: posts the ante 10 and is all-in
Bob: posts small blind 50
Di: posts big blind 100
*** HOLE CARDS ***
Cy: folds
Ann: calls 100
Bob: folds
Di: checks
*** FLOP *** [2h 3h 4h]
Di: checks
Ann: bets 100
Di: folds
Uncalled bet (100) returned to Ann
Ann collected 290 from pot
*** SUMMARY ***
Total pot 290 | Rake 0
Board [2h 3h 4h]
"""
)
# Di sits out with less than a big blind; all others fold to Bob, and nobody sees a flop.
ABSENT_WITH_A_BLIND = (
    head(5, TOURNAMENT, "Ann (1500 in chips)", "Bob (900 in chips)", "Di (60 in chips) is sitting out")
    + """\
Bob: posts small blind 50
Di: posts big blind 60 and is all-in
*** HOLE CARDS ***
Ann: folds
Bob: calls 50
Di: folds
Uncalled bet (40) returned to Bob
Bob collected 120 from pot
*** SUMMARY ***
Total pot 120 | Rake 0
"""
)
# At the showdown Ann's hand is not seen.
OMAHA_UNSEEN = (
    OMAHA.partition("Bob: shows")[0].replace("Omaha Hi/Lo", "Omaha")
    + """\
Bob: shows [Ks Qd Jc Tc] (a pair of Kings)
Ann: mucks hand
Bob collected $36 from pot
*** SUMMARY ***
Total pot $36 | Rake $0
Board [2h 3h 9s Kc 7d]
"""
)
# Ann's hand is not seen, and neither half of the pot is hers.
OMAHA_HI_LO_UNSEEN = OMAHA_UNSEEN.replace("Omaha Pot", "Omaha Hi/Lo Pot").replace("Ks Qd Jc Tc", "Ks Ac 4c Tc")
# A low is possible, but nobody who showed has one: Ann cannot have had one either.
OMAHA_HI_LO_NO_LOW = OMAHA_UNSEEN.replace("Omaha Pot", "Omaha Hi/Lo Pot")
FOUND = Path(__file__).parent.parent / "data"
SIDE_POT_RAKE = (FOUND / "side_pot_rake.txt").read_text()
KINDS = {
    "rake of a side pot": SIDE_POT_RAKE,
    "rake of two pots": CASH,
    "called for less": CALLED_FOR_LESS,
    "called for less on the flop": CALLED_FOR_LESS_ON_THE_FLOP,
    "uneven bars": UNEVEN_BARS,
    "absent with an ante": ABSENT_WITH_AN_ANTE,
    "absent with a blind": ABSENT_WITH_A_BLIND,
    "Omaha": OMAHA_UNSEEN,
    "Omaha hi-lo": OMAHA_HI_LO_UNSEEN,
    "Omaha hi-lo without a low": OMAHA_HI_LO_NO_LOW,
}


@pytest.mark.parametrize("kind", KINDS)
def test_a_hand_of_this_kind_replays_to_what_was_collected(kind: str) -> None:
    replayed(KINDS[kind])


@pytest.mark.fast_cases(2)
@pytest.mark.parametrize("kind", KINDS)
def test_whatever_the_seed_fills_in(kind: str) -> None:
    hand = pokerstars.loads(KINDS[kind])
    for seed in range(5):
        assert hand.replay(seed).payoffs == hand.payoffs


def test_r26_what_nobody_matched_comes_back_though_no_line_says_so() -> None:
    assert replayed(CALLED_FOR_LESS).payoffs == [0, 4700, -5000]
    returned = [deed for deed in pokerstars.loads(CALLED_FOR_LESS).replay().log if deed.kind == "return_uncalled"]
    assert [(deed.seat, deed.amount) for deed in returned] == [(2, 4500)]


def test_r10_an_absent_player_who_is_all_in_folds() -> None:
    hand = replayed(ABSENT_WITH_AN_ANTE)
    table = hand.replay()
    seat = (hand.players or ()).index("Cy")
    assert table.is_folded(seat)
    kinds = [deed.kind for deed in table.log]
    assert kinds.index("fold") < kinds.index("deal_board")
    table = replayed(ABSENT_WITH_A_BLIND).replay()
    assert (len(table.board), table.is_folded(2)) == (0, True)


def test_an_unseen_hand_of_omaha_keeps_its_cards_unknown() -> None:
    hand = replayed(OMAHA_UNSEEN)
    assert str(hand.holes[0]) == "????????"
    assert hand.known_cards.isdisjoint(hand.replay().hole_cards(0))


def test_an_uncalled_bet_that_is_not_the_difference_to_the_pot_is_an_error() -> None:
    text = CALLED_FOR_LESS.replace("Total pot $100 | Rake $3", "Total pot $99 | Rake $2")
    mentions(complaint(pokerstars.loads, text, kind=HistoryError), 9900, 14500)


def test_r31_the_rake_of_several_pots_comes_out_of_each_as_the_text_says() -> None:
    hand = replayed(CASH)
    assert hand.rules.rake == Rake(percent=100, cap=50, no_flop_no_drop=False, by_pot=(24, 26))
    again = phh.loads(phh.dumps(hand.replay(), unit=hand.unit, known=hand.known_cards))
    assert sorted(again.replay().payoffs) == sorted(hand.payoffs or [])


def test_r31_a_pots_rake_is_its_chips_less_what_was_collected_from_it() -> None:
    """Real summaries state pots after rake: main pot, side pot and rake are the total."""
    hand = replayed(SIDE_POT_RAKE)
    assert hand.payoffs == [1700, 1850, -4000]
    assert hand.rules.rake == Rake(percent=100, cap=450, no_flop_no_drop=False, by_pot=(150, 300))
    text = pokerstars.dumps(hand.replay(), players=hand.players, unit=hand.unit, metadata=hand.metadata)
    assert "Total pot $90 Main pot $28.50. Side pot $57. | Rake $4.50" in text
    assert replayed(text).payoffs == hand.payoffs


def test_r31_what_is_named_for_no_pot_comes_out_of_the_main_pot_first() -> None:
    """A main pot of 60 and a side pot of 80; of a rake of 14 the side pot gives 3."""
    rules = Rules(seats=3, blinds=(10, 20), stacks=(20, 60, 60), rake=Rake(percent=10, by_pot=(0, 3)))
    table = Table(rules, button=2, deck="AsKsQsAdKdQd??2c7d8hJs??Tc??9h", seed=1)
    table.raise_to(60)
    table.check_call()
    table.check_call()
    pushed = {deed.pot: deed.amount for deed in table.log if deed.kind == "push_pot"}
    assert (table.rake, pushed) == (14, {1: 77, 0: 49})


UNCALLABLE = (FOUND / "uncallable_raise.txt").read_text()
# Bob is not all-in: fifty come back, and he has a hundred left.
UNCALLABLE_IN_PART = UNCALLABLE.replace("raises $100 to $200 and is all-in", "raises $50 to $150").replace(
    "Uncalled bet ($100)", "Uncalled bet ($50)"
)
# Bob calls, and bets on the flop, which nobody can call.
BET_ON_NOTHING = UNCALLABLE.replace("Bob: raises $100 to $200 and is all-in\nUncalled", "Bob: calls $98\nUncalled")
BET_ON_NOTHING = BET_ON_NOTHING.replace("Uncalled bet ($100) returned to Bob\n", "").replace(
    "[2c 7d 9h]\n***", "[2c 7d 9h]\nBob: bets $40\nUncalled bet ($40) returned to Bob\n***", 1
)
# The small blind has less than the big blind, which raises.
UNCALLABLE_BLIND = """\
PokerStars Hand #5:  Hold'em No Limit ($1/$2 USD) - 2026/01/31 20:15:00 ET
Table 'Ada' 6-max Seat #1 is the button
Seat 1: Ann ($1 in chips)
Seat 4: Bob ($200 in chips)
Ann: posts small blind $1 and is all-in
Bob: posts big blind $2
*** HOLE CARDS ***
Bob: raises $198 to $200 and is all-in
Uncalled bet ($199) returned to Bob
*** FLOP *** [2c 7d 9h]
*** TURN *** [2c 7d 9h] [Js]
*** RIVER *** [2c 7d 9h Js] [3s]
*** SHOW DOWN ***
Bob: shows [Ks Kd] (a pair of Kings)
Ann: shows [Qs Qd] (a pair of Queens)
Bob collected $2 from pot
*** SUMMARY ***
Total pot $2 | Rake $0
"""
RAISES_OF_NOTHING = {
    "all-in": (UNCALLABLE, 10_000),
    "not all-in": (UNCALLABLE_IN_PART, 10_000),
    "on the flop": (BET_ON_NOTHING, 10_000),
    "against a short blind": (UNCALLABLE_BLIND, 100),
}


@pytest.mark.parametrize("kind", RAISES_OF_NOTHING)
def test_r26_a_raise_that_nobody_can_call_is_a_call(kind: str) -> None:
    text, won = RAISES_OF_NOTHING[kind]
    hand = replayed(text)
    assert hand.payoffs == [-won, won]
    written = pokerstars.dumps(hand.replay(), players=hand.players, unit=hand.unit, metadata=hand.metadata)
    assert "Bob: raises" not in written
    assert replayed(written).payoffs == hand.payoffs


@pytest.mark.parametrize("more", ["$198 to $300", "$0 to $100"])
def test_a_raise_that_nobody_can_call_is_of_the_players_chips_and_more_than_a_call(more: str) -> None:
    text = UNCALLABLE.replace("Bob: raises $100 to $200 and is all-in", f"Bob: raises {more}")
    complaint(lambda: pokerstars.loads(text).replay(), kind=HistoryError)


@pytest.mark.parametrize(("amount", "is_good"), [(200, True), (150, True), (100, False), (201, False)])
def test_r26_in_phh_too(amount: int, is_good: bool) -> None:
    text = f"""
variant = "NT"
antes = [0, 0]
blinds_or_straddles = [1, 2]
min_bet = 2
starting_stacks = [200, 100]
actions = ["d dh p1 KsKd", "d dh p2 QsQd", "p2 cbr 100", "p1 cbr {amount}", "d db 2c7d9h", "d db Js", "d db 3s"]
"""
    hand = phh.loads(text)
    if is_good:
        assert hand.replay().payoffs == [100, -100]
    else:
        mentions(complaint(hand.replay, kind=HistoryError), "Legal")
