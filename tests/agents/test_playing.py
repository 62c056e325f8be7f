"""A person at the table: `holdem play` with typed words."""

from __future__ import annotations

import re

import pytest

from command_line import good, holdem
from holdem_agents.cli.playing import play_hands
from holdem_agents.playing import odds
from holdem_agents.scripted import AlwaysFold, CallingStation, Maniac, PotOdds, Random, nit
from holdem_env import Rules, Table
from holdem_env.cards.evaluation import CATEGORY_NAMES
from holdem_env.history import phh

HEADS_UP = Rules.preset("heads-up-no-limit")


def play(rules, words, opponent=None, seed=4, **options):
    """Type words, then end; what was printed, and the chips won."""
    answers, raised = iter(words), []

    def ask(question):
        raised.append(question)
        word = next(answers, None)
        if word is None:
            raise EOFError
        return word

    won = play_hands(opponent or CallingStation(), rules, seed, ask, raised.append, **options)
    return "\n".join(raised), won


def test_the_person_sees_what_it_may_see():
    text, _ = play(Rules.preset("six-max-no-limit"), ["c"], Random())
    first = text.split("Your move")[0]
    assert "preflop: board -, pot " in first
    assert re.search(r"you +BTN +200 chips \(100 bb\) +7c 4c\n", first)  # 7c4c: the cards of seat 0 under seed 4
    assert re.search(r"random 1 +SB +199 chips \(99.5 bb\) +bet 1\n", first)
    assert "deal hole" not in text
    assert "Your move (fold, call" in text


@pytest.mark.parametrize(
    ("words", "bet"),
    [(["6"], 6), (["raise to 7"], 7), (["r 8"], 8), (["pot"], 6), (["2.5x"], 5), (["min"], 4), (["all-in"], 200)],
)
def test_raises_are_totals_or_sizes(words, bet):
    text, _ = play(HEADS_UP, words)
    assert re.search(rf"you raise to {bet}\b", text)


@pytest.mark.parametrize(
    ("word", "message"),
    [
        ("3", "you may not raise to 3: the least you may raise to is 4"),
        ("1%", "1% is no legal raise here. Legal: fold, call 1, raise to 4..200."),
        ("hello", "f folds, c checks or calls"),
        ("raise", "f folds, c checks or calls"),
        ("", "f folds, c checks or calls"),
    ],
)
def test_what_cannot_be_is_told_and_asked_again(word, message):
    text, won = play(HEADS_UP, [word, "f"])
    assert message in text.split("\n", 1)[1]  # the first line is the help
    assert won == -1


def test_a_check_is_refused_where_there_is_a_price():
    text, won = play(HEADS_UP, ["CHECK", "f"])
    assert "there are 1 to call: type call, or c. Legal: fold, call 1" in text
    assert won == -1
    assert "you check" in play(HEADS_UP, ["c", "check"])[0]


def test_a_size_that_is_too_small_names_the_least():
    assert "It is too small: a raise to 3, and the least is 4." in play(HEADS_UP, ["33%"])[0]


@pytest.mark.parametrize("word", ["all-in", "all in", "ALLIN"])
def test_all_in_raises_and_calls(word):
    assert "you raise to 200 (100 bb), all-in" in play(HEADS_UP, [word])[0]
    text, _ = play(Rules.preset("heads-up-no-limit", stacks=(50, 200)), ["2.5x", word], Maniac(aggression=1.0), seed=1)
    assert "you call" in text or "you raise to 50 (25 bb), all-in" in text


def test_an_all_in_call_is_all_in():
    text, _ = play(Rules(seats=2, blinds=(1, 2), stacks=(2, 200)), ["all-in"], CallingStation())
    assert "no legal raise" not in text


def test_the_end_of_a_hand_is_told_in_words():
    text, won = play(HEADS_UP, ["c"] * 4 + ["q"])
    assert "push pot" not in text
    assert "of pot" not in text
    assert "seat 1" not in text
    assert "you win 4 (2 bb)" in text or "calling_station wins 4 (2 bb)" in text
    assert any(f", {name}" in text for name in CATEGORY_NAMES)
    board = re.search(r"--- flop: (\S\S \S\S \S\S) ---\n", text)[1]
    assert f"flop: board {board}, pot 4" in text
    assert re.search(r"You: .* bb\)\n\n=== Hand 2, No limit 1/2 ===\n", text)  # a blank line between two hands
    assert f"The end: {won:+d} chips in 1 hand: " in text.splitlines()[-1]


def test_the_pots_are_told_apart_if_there_are_several():
    rules = Rules(seats=3, blinds=(1, 2), stacks=(20, 50, 100))
    text, _ = play(rules, ["all-in"] * 3, Maniac(), seed=1)
    assert " from the main pot" in text
    assert " from side pot 1" in text


def test_odds_against_random_hands_and_the_price():
    text, _ = play(HEADS_UP, ["o", "odds"])
    assert text.count("Against 1 random hand your share of the pot is") == 2
    assert "A call of 1 to win 3 needs 25.0%." in text
    many, _ = play(Rules(seats=6), ["o"])
    assert "Against 5 random hands" in many


@pytest.mark.fast_cases(2)
@pytest.mark.parametrize("name", ["omaha", "short-deck", "leduc", "holdem-hi-lo", "heads-up-limit", "pluribus-6max"])
def test_every_game_is_played_to_the_end(name):
    text, _ = play(Rules.preset(name), ["c", "o", *["c"] * 30], Maniac())
    assert text.count("You: ") >= 2
    assert "your share of the pot is" in text


@pytest.mark.parametrize("seats", range(2, 11))
def test_any_number_of_seats(seats):
    text, _ = play(Rules(seats=seats), ["c"] * 12, PotOdds(samples=5))
    assert "bb/100" in text


def test_a_session_ends_when_the_person_is_broke():
    rules = Rules(seats=3, stacks=200, session={"prizes": (0.7, 0.3)})
    text, won = play(rules, ["all-in", "c"] * 50, Maniac(), seed=1)
    assert won in (-200, 400)
    assert text.count("You: ") < 40


MANUAL = Rules.preset("heads-up-no-limit", showing="manual")


@pytest.mark.parametrize(("word", "deed"), [("s", "you show "), ("muck", "you muck")])
def test_the_person_who_wins_alone_chooses_to_show(word, deed):
    text, won = play(MANUAL, ["6", "what?", word], AlwaysFold())
    assert "Show your cards (s), or give them back face down (m)? " in text
    assert "s shows your cards, m mucks them, q ends." in text
    assert deed in text
    assert won == 2


def test_an_agent_that_may_choose_shows_nothing():
    text, won = play(MANUAL, ["f"])
    assert "calling_station mucks" in text
    assert won == -1


def test_the_person_may_end_instead_of_choosing():
    text, won = play(MANUAL, ["6", "q"], AlwaysFold())
    assert won == 0
    assert "You: " not in text


def test_hands_with_choices_are_saved_and_read_back(tmp_path):
    file = tmp_path / "mine.phhs"
    play(MANUAL, ["6", "s", "c", "6", "m"] + ["c"] * 6, AlwaysFold(), save=file)
    for hand in phh.read(file, on_error="raise"):
        assert hand.rules.showing == "manual"
        assert hand.replay().is_over


def test_hands_are_saved_and_read_back(tmp_path):
    file = tmp_path / "mine.phhs"
    text, won = play(HEADS_UP, ["c"] * 20, save=file)
    hands = list(phh.read(file, on_error="raise"))
    assert len(hands) == text.count("You: ") >= 3
    assert f"{len(hands)} hands are in" in text
    tables = [hand.replay() for hand in hands]
    mine = [hand.players.index("you") for hand in hands]
    assert sum(table.payoffs[seat] for table, seat in zip(tables, mine, strict=True)) == won
    with pytest.raises(ValueError, match="exists already"):
        play(HEADS_UP, ["c"], save=file)


@pytest.mark.parametrize(
    ("file", "rules", "words"),
    [
        ("mine.txt", HEADS_UP, r"go into a .phhs file"),
        ("nowhere/mine.phhs", HEADS_UP, "there is no folder"),
        ("mine.phhs", Rules.preset("leduc"), "PHH"),
    ],
)
def test_files_that_cannot_be_are_told_before_playing(file, rules, words, tmp_path):
    with pytest.raises(ValueError, match=words):
        play(rules, ["c"], save=tmp_path / file)
    assert list(tmp_path.iterdir()) == []


def test_the_command_saves(tmp_path):
    file = tmp_path / "mine.phhs"
    words = ["play", "maniac", "--rules", "six-max-no-limit", "--seed", "2", "--save", str(file)]
    good(*words, typed="f\n" * 5 + "q\n")
    assert len(list(phh.read(file))) == 5
    assert holdem(*words).exit_code == 2


@pytest.mark.parametrize("hole", ["7s2d", "Js8d"])
def test_hints_after_a_raise_count_what_the_bettor_may_have(hole):
    table = Table(HEADS_UP, deck=f"{hole[:2]}Kh{hole[2:]}Qh", button=1)  # seat 1 opens
    assert odds(table, 0, {1: nit()}).read == 0  # nobody has raised
    table.raise_to(6)
    against_random, read = odds(table, 0), odds(table, 0, {1: nit()})
    assert (against_random.read, read.read) == (0, 1)
    assert read.share < against_random.share - 0.03
    assert odds(table, 0, {1: CallingStation()}).read == 0  # it never raises: nothing is known of it
    assert "may have by its moves" in str(read)
