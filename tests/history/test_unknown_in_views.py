"""What a history does not tell is `??` wherever a hand of it is shown: sentences, text, pictures, PHH, PokerStars."""

from __future__ import annotations

import re

import pytest

from history.phh_text import text
from history.pokerstars_text import ALL, CASH, LIMIT, MUCKED, TOURNAMENT
from holdem_agents.cli.replay import play_through
from holdem_env.cards.text import card_name
from holdem_env.history import HandRecord, HistoryError, hand_steps, phh, pokerstars, step_shares
from holdem_env.render.table_svg import table_svg

# Everybody is all-in before the flop, and the file ends there: no board, and one hand is not known.
CUT_SHORT = text(
    starting_stacks=[200, 200, 200],
    actions=["d dh p1 AhQd", "d dh p2 ????", "d dh p3 KsKc", "p3 cbr 200", "p1 cc", "p2 f"],
)


def invented(hand: HandRecord) -> set[str]:
    """The names of the cards that a replayed hand has and its file does not."""
    table = hand.replay()
    used = {card for seat in range(hand.rules.seats) for card in table.hole_cards(seat)} | set(table.board)
    burned = {card for operation in table.log for card in operation.cards}
    return {card_name(card) for card in (used | burned) - hand.known_cards}


def hands() -> list[HandRecord]:
    return [*map(pokerstars.loads, ALL), phh.loads(CUT_SHORT)]


def test_the_samples_have_something_to_hide():
    assert sum(bool(invented(hand)) for hand in hands()) > 5


@pytest.mark.parametrize("hand", hands(), ids=lambda hand: str(hand.hand))
def test_no_card_is_invented_anywhere(hand: HandRecord) -> None:
    table, unknown = hand.replay(), invented(hand)
    shown = [play_through(hand)]
    if hand.known_cards.issuperset(table.board):
        shown.append(pokerstars.dumps(table, known=hand.known_cards))
    if hand.blinds is None and hand.rules.is_texas_holdem:
        shown.append(phh.dumps(table, known=hand.known_cards))
    for step in hand_steps(table, hand.known_cards):
        shown += [str(step), *map(str, step.log), *map(str, step.operations)]
        shown += re.findall(r'aria-label="([^"]*)"', table_svg(step))
    for words in shown:
        runs = re.findall(r"(?<!\w)((?:[2-9TJQKA][cdhs])+)(?!\w)", words)
        found = {run[at : at + 2] for run in runs for at in range(0, len(run), 2)}
        assert not found & unknown, (found & unknown, words)


def test_unknown_hands_are_question_marks_in_every_format():
    hand = pokerstars.loads(CASH)
    table = hand.replay()
    last = hand_steps(table, hand.known_cards)[-1]
    assert str(last.hole_cards(3)) == "????"
    assert "????" in str(last)
    assert "eve collected  ????  €3" in play_through(hand)
    assert "d dh p2 ????" in phh.dumps(table, known=hand.known_cards)


def test_board_cards_that_the_file_does_not_tell_are_unknown_and_have_no_equities():
    hand = phh.loads(CUT_SHORT)
    table = hand.replay()
    assert len(table.board) == 5
    steps = hand_steps(table, hand.known_cards)
    assert str(steps[-1].board) == "??" * 5
    shares = step_shares(steps, table, hand.known_cards)
    assert shares[-1] is None
    assert "flop: ?? ?? ??" in play_through(hand)


def test_pokerstars_text_has_no_word_for_an_unknown_board():
    hand = phh.loads(CUT_SHORT)
    with pytest.raises(HistoryError, match="cannot express board cards that are not known"):
        pokerstars.dumps(hand.replay(), known=hand.known_cards)


def test_a_replayed_hand_names_players_and_speaks_of_the_files_money():
    shown = play_through(pokerstars.loads(LIMIT))
    for line in ("Bob posts the small blind of $1", "Cy raises to $6", "Fixed limit $3/$6", "the house takes $1.25"):
        assert line in shown
    assert "seat" not in shown
    assert "Ann takes back 20 that nobody called" in play_through(pokerstars.loads(TOURNAMENT))
    assert "Ann mucks" in play_through(pokerstars.loads(MUCKED))
