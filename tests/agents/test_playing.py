"""`holdem play`: a person at a table with agents, with typed words."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest

from command_line import good, holdem
from errors import complaint, mentions
from holdem_agents.cli import play as play_command
from holdem_agents.playing import odds
from holdem_agents.playing.terminal.dialogue import play_hands
from holdem_agents.playing.terminal.screen import Screen
from holdem_agents.scripted import AlwaysFold, CallingStation, Maniac, Random, nit, tight_aggressive
from holdem_env import Rules, Table
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
    ("word", "message"),
    [
        ("3", "you may not raise to 3: the least you may raise to is 4"),
        ("hello", "f folds, c checks or calls"),
    ],
)
def test_what_cannot_be_is_told_and_asked_again(word, message):
    text, won = play(HEADS_UP, [word, "f"])
    assert message in text.split("\n", 1)[1]  # the first line is the help
    assert won == -1


@pytest.mark.fast_cases(2)
@pytest.mark.parametrize("name", ["omaha", "short-deck", "leduc", "holdem-hi-lo", "heads-up-limit", "pluribus-6max"])
def test_every_game_is_played_to_the_end(name):
    text, _ = play(Rules.preset(name), ["c", "o", *["c"] * 30], Maniac())
    assert text.count("You: ") >= 2
    assert "your share of the pot is" in text


MANUAL = Rules.preset("heads-up-no-limit", showing="manual")


@pytest.mark.parametrize(("word", "deed"), [("s", "you show "), ("muck", "you muck")])
def test_the_person_who_wins_alone_chooses_to_show(word, deed):
    text, won = play(MANUAL, ["6", "what?", word], AlwaysFold())
    assert "Show your cards (s), or give them back face down (m)? " in text
    assert "s shows your cards, m mucks them, q ends." in text
    assert deed in text
    assert won == 2


def test_hands_with_choices_are_saved_and_read_back(tmp_path):
    file = tmp_path / "mine.phhs"
    play(MANUAL, ["6", "s", "c", "6", "m"] + ["c"] * 6, AlwaysFold(), save=file)
    for hand in phh.read(file, on_error="raise"):
        assert hand.rules.showing == "manual"
        assert hand.replay().is_over


@pytest.mark.parametrize(
    ("file", "rules", "words"),
    [
        ("mine.txt", HEADS_UP, r"go into a .phhs file"),
        ("nowhere/mine.phhs", HEADS_UP, "there is no folder"),
        ("mine.phhs", Rules.preset("leduc"), "PHH"),
    ],
)
def test_files_that_cannot_be_are_told_before_playing(file, rules, words, tmp_path):
    assert re.search(words, complaint(play, rules, ["c"], save=tmp_path / file))
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


ESCAPE = "\x1b"


def played(*words: object, typed: str = "", code: int = 0) -> str:
    result = holdem("play", *words, typed=typed)
    assert result.exit_code == code, result.output
    assert ESCAPE not in result.output  # no terminal, no colours
    return result.output


def dialogue(rules: Rules, words: list[str], opponents: Any, seed: int = 4, **options: Any) -> str:
    """What is printed where these words are typed, and then nothing more."""
    return play(rules, words, opponents, seed, **options)[0]


def test_a_session_from_a_file(tmp_path: Path) -> None:
    file = tmp_path / "mine.yaml"
    file.write_text(
        "preset: six-max-no-limit\nseats: 3\nstacks: 10bb\nsession:\n  prizes: [0.7, 0.3]\n"
        "  levels:\n    - hands: 1\n    - times: 2\n"
    )
    text = played("maniac", "--rules", file, "--seed", 5, typed="all-in\nc\n" * 40)
    assert "=== Hand 1, No limit 1/2 ===" in text
    assert "=== Hand 2, No limit 2/4 ===" in text or "You finish" in text.split("Hand 2")[0]
    assert re.search(
        r"You finish (1st|2nd|3rd) of 3: (0|30|70|15) % of the prizes \(.*\)\.\n|You finish 3rd of 3.*\n", text
    )
    assert not re.search(r"\n=== Hand \d+.*You finish.*\n=== Hand", text, re.DOTALL)


def test_hints() -> None:
    text = dialogue(HEADS_UP, ["h"], CallingStation(), advisers=[tight_aggressive()])
    assert "Against 1 random hand your share of the pot is" in text
    assert re.search(r"tight_aggressive would: \w+.*\(\d+%\)", text)
    own = dialogue(HEADS_UP, ["hint"], tight_aggressive())
    assert re.search(r"tight_aggressive would: ", own)


def test_the_last_hand_again() -> None:
    text = dialogue(HEADS_UP, ["r", "6", "f", "r", "r all"], tight_aggressive(), 3)
    assert "No hand is over yet." in text
    assert text.count("=== Hand 1 again ===") == 2
    short, full = text.split("=== Hand 1 again ===")[1:]
    assert "  you: raise to 6" in short
    assert "share" not in short.replace("your share of the pot at each decision", "")
    assert "  tight_aggressive: " in full
    assert re.search(r"  you: raise to 6 +share \d\d\.\d%", full)
    cards = re.search(r"  tight_aggressive: (\w\w \w\w)\n", full)
    assert cards
    assert cards[1] not in short


class Breaks(CallingStation):
    name = "breaks"

    def __init__(self, errors: int) -> None:
        self.errors = errors

    def act(self, tables: Any, rules: Rules, rows: Any) -> Any:
        if self.errors:
            self.errors -= 1
            raise KeyError("missing")
        return super().act(tables, rules, rows)


@pytest.mark.parametrize(
    ("errors", "words", "said", "deals"),
    [
        (1, ["c", "a", "q"], ["a asks breaks again, k lets it check or fold, v calls off", "breaks calls 4"], 1),
        (9, ["k", "q"], ["breaks folds", "You: +2"], 1),
        (1, ["v", "f", "q"], ["The hand does not count.", "The end: -1 chips in 1 hand: "], 2),
    ],
    ids=["asked again", "checks or folds", "the hand is called off"],
)
def test_what_the_person_chooses_when_an_agent_fails(
    errors: int, words: list[str], said: list[str], deals: int
) -> None:
    text = dialogue(HEADS_UP, ["6", *words], Breaks(errors))
    assert "agent 'breaks': KeyError: 'missing' (test_playing.py:" in text
    assert "Ask breaks again (a), let it check or fold (k), or call off the hand (v)? " in text
    assert [words for words in said if words not in text] == []
    assert text.count("=== Hand 1, ") == deals


def test_an_end_of_the_input_tells_the_failure_after_the_result() -> None:
    seen: list[str] = []
    words = iter(["f", "c", "c"])

    def ask(prompt: str) -> str:
        if (word := next(words, None)) is None:
            raise EOFError
        return word

    mentions(complaint(play_hands, Breaks(9), HEADS_UP, 4, ask, seen.append), "breaks")
    assert seen[-1].startswith("The end: -1 chips in 1 hand")


def test_ctrl_c_tells_the_result(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    words = iter(["f", "f"])

    def ask(self: Screen, prompt: str) -> str:
        if (word := next(words, None)) is None:
            raise KeyboardInterrupt
        return word

    monkeypatch.setattr(Screen, "ask", ask)
    file = tmp_path / "mine.phhs"
    text = played("calling_station", "--seed", 4, "--save", file, code=play_command.INTERRUPTED)
    assert "The end: " in text
    assert "2 hands in" in text.replace("\n", " ")
    assert file.exists()


def test_a_greedy_model_is_asked_for(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[tuple[str, bool, bool]] = []

    def agent_of(name: str, greedy: bool = False, trust: bool = False) -> Any:
        asked.append((name, greedy, trust))
        return AlwaysFold()

    monkeypatch.setattr(play_command, "agent_of", agent_of)
    played("a.zip", "--greedy", "--trust", "--hints", "b.safetensors", typed="q\n")
    assert asked == [("a.zip", True, True), ("b.safetensors", False, True)]


def test_names_are_no_markup() -> None:
    agent = Maniac()
    agent.name = "[red]x[/red]\x1b[2J"
    text = dialogue(HEADS_UP, ["c"], agent)
    assert r"[red]x[/red]\x1b[2J" in text
    assert ESCAPE not in text
