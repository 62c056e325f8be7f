"""`holdem play` as a person uses it: several opponents, sessions, hints, reviews, failures, colours, Ctrl-C."""

from __future__ import annotations

import io
import re
from pathlib import Path
from typing import Any

import pytest
from rich.console import Console

from agents.test_playing import play
from command_line import holdem
from holdem_agents.cli import play_command
from holdem_agents.cli.playing import play_hands
from holdem_agents.cli.table_screen import Screen, amount, in_blinds
from holdem_agents.scripted import AlwaysFold, CallingStation, Maniac, tight_aggressive
from holdem_env import Rules
from holdem_env.cards.text import parse_cards

HEADS_UP = Rules.preset("heads-up-no-limit")
ESCAPE = "\x1b"


def played(*words: object, typed: str = "", code: int = 0) -> str:
    result = holdem("play", *words, typed=typed)
    assert result.exit_code == code, result.output
    assert ESCAPE not in result.output  # no terminal, no colours
    return result.output


def dialogue(rules: Rules, words: list[str], opponents: Any, seed: int = 4, **options: Any) -> str:
    """What is printed where these words are typed, and then nothing more."""
    return play(rules, words, opponents, seed, **options)[0]


def test_several_opponents_have_a_seat_each() -> None:
    text = played("nit", "maniac", "calling_station", "--seed", 3, typed="f\nq\n")
    assert text.startswith("You play nit, maniac and calling_station. ")
    assert "=== Hand 1, No limit 1/2 ===" in text
    for name in ("nit", "maniac", "calling_station"):
        assert f"{name} " in text.split("\n", 1)[1]
    same = played("nit", "nit", "--seed", 3, typed="q\n")
    assert same.startswith("You play nit 1 and nit 2. ")


def test_the_number_of_opponents_fits_the_game() -> None:
    text = played("nit", "maniac", "--rules", "six-max-no-limit", code=2)
    assert "2 for 5 other seats; give one for all of them, or one for each" in text
    assert "seats" in played(*["nit"] * 10, code=2)


@pytest.mark.parametrize("stacks", ["50bb", "100"])
def test_stacks_in_big_blinds_or_chips(stacks: str) -> None:
    text = played("always_fold", "--stacks", stacks, "--seed", 1, typed="q\n")
    assert re.search(r"you +BTN +99 chips \(49.5 bb\)", text)
    assert "'many' is no amount; give chips, or big blinds such as '50bb'" in played(
        "always_fold", "--stacks", "many", code=2
    )


def test_a_session_from_a_file(tmp_path: Path) -> None:
    file = tmp_path / "mine.yaml"
    file.write_text(
        "preset: six-max-no-limit\nseats: 3\nstacks: 10bb\nsession:\n  prizes: [0.7, 0.3]\n"
        "  levels:\n    - hands: 1\n    - times: 2\n"
    )
    text = played("maniac", "--rules", file, "--seed", 5, typed="all-in\nc\n" * 40)
    assert "=== Hand 1, No limit 1/2 ===" in text
    assert "=== Hand 2, No limit 2/4 ===" in text or "You finish" in text.split("Hand 2")[0]
    assert re.search(r"You finish (1st|2nd|3rd) of 3, and the prize is (0|0.3|0.7|0.15)\.\n", text)
    assert not re.search(r"\n=== Hand \d+.*You finish.*\n=== Hand", text, re.DOTALL)


def test_who_is_broke_in_a_cash_session_is_asked_for_new_chips() -> None:
    rules = Rules(seats=2, blinds=(1, 2), stacks=20, session={"kind": "cash"})
    for seed in range(20):
        text = dialogue(rules, ["all-in", "why?", "t", "q"], Maniac(), seed)
        if "You: -20" in text:
            break
    assert "You have no chips left. Bring new ones (t), or end (q)? " in text
    assert "t brings new chips, q ends." in text
    assert "Hand 2" in text
    assert "You: -20 (-10 bb), in all -20 (-10 bb)" in text


def test_new_chips_come_after_the_hand() -> None:
    rules = Rules(seats=2, blinds=(1, 2), stacks=200, session={"kind": "cash"})
    text = dialogue(rules, ["t", "t", "t", "f"], CallingStation())
    assert text.count("New chips come after this hand.") == 2
    assert "No new chips after all." in text
    assert re.search(r"Hand 2.*you +BB +198 chips", text, re.DOTALL)


def test_hints() -> None:
    text = dialogue(HEADS_UP, ["h"], CallingStation(), advisers=[tight_aggressive()])
    assert "Against 1 random hand your share of the pot is" in text
    assert re.search(r"tight_aggressive would: \w+.*\(\d+%\)", text)
    own = dialogue(HEADS_UP, ["hint"], tight_aggressive())
    assert re.search(r"tight_aggressive would: ", own)


def test_no_hints_from_who_does_not_know() -> None:
    class Secret(CallingStation):
        name = "secret"

        def probabilities(self, tables: Any, rules: Rules, rows: Any) -> Any:
            from holdem_env.agents.protocol import StrategyUnknown

            raise StrategyUnknown("no")

    text = dialogue(HEADS_UP, ["h"], Secret())
    assert "'secret' does not know with which probabilities it plays" in text
    assert "--hints NAME" in text


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


# Agents that fail


class Breaks(CallingStation):
    name = "breaks"

    def __init__(self, errors: int) -> None:
        self.errors = errors

    def act(self, tables: Any, rules: Rules, rows: Any) -> Any:
        if self.errors:
            self.errors -= 1
            raise KeyError("missing")
        return super().act(tables, rules, rows)


def test_an_agent_that_fails_is_asked_again() -> None:
    text = dialogue(HEADS_UP, ["6", "c", "a", "q"], Breaks(1))
    assert "agent 'breaks': KeyError: 'missing' (test_playing_in_the_terminal.py:" in text
    assert "Ask breaks again (a), let it check or fold (k), or call off the hand (v)? " in text
    assert "a asks breaks again, k lets it check or fold, v calls off the hand, q ends." in text
    assert "breaks calls 4" in text


def test_an_agent_that_fails_checks_or_folds() -> None:
    text = dialogue(HEADS_UP, ["6", "k", "q"], Breaks(9))
    assert "breaks folds" in text
    assert "You: +2" in text


def test_a_hand_is_called_off() -> None:
    text = dialogue(HEADS_UP, ["6", "v", "f", "q"], Breaks(1))
    assert "The hand does not count." in text
    assert text.count("=== Hand 1, ") == 2
    assert "The end: -1 chips in 1 hand: " in text


def test_an_end_of_the_input_tells_the_failure_after_the_result() -> None:
    seen: list[str] = []
    words = iter(["f", "c", "c"])

    def ask(prompt: str) -> str:
        if (word := next(words, None)) is None:
            raise EOFError
        return word

    with pytest.raises(ValueError, match="agent 'breaks': KeyError"):
        play_hands(Breaks(9), HEADS_UP, 4, ask, seen.append)
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
    assert "2 hands are in" in text.replace("\n", " ")
    assert file.exists()


def test_a_greedy_model_is_asked_for(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[tuple[str, bool, bool]] = []

    def agent_of(name: str, greedy: bool = False, trust: bool = False) -> Any:
        asked.append((name, greedy, trust))
        return AlwaysFold()

    monkeypatch.setattr(play_command, "agent_of", agent_of)
    played("a.zip", "--greedy", "--trust", "--hints", "b.safetensors", typed="q\n")
    assert asked == [("a.zip", True, True), ("b.safetensors", False, True)]


# How it looks


def screen_of(**options: Any) -> tuple[Screen, io.StringIO]:
    file = io.StringIO()
    options = {"force_terminal": True, "color_system": "truecolor", "width": 80, **options}
    return Screen(Console(file=file, highlight=False, **options)), file


def test_cards_have_four_colours_in_a_terminal() -> None:
    screen, file = screen_of()
    screen.say(screen.cards(parse_cards("AsKhQdJc??")))
    text = file.getvalue()
    for shape in ("A♠", "K♥", "Q♦", "J♣", "▒▒"):
        assert shape in text
    assert len(set(re.findall(r"38;2;\d+;\d+;\d+", text))) == 4


def test_cards_can_be_read_without_colours(monkeypatch: pytest.MonkeyPatch) -> None:
    screen, file = screen_of(no_color=True)
    screen.say(screen.cards(parse_cards("AsKh")))
    assert "38;" not in file.getvalue()
    assert "A♠" in file.getvalue()
    piped, file = screen_of(force_terminal=False, color_system=None)
    piped.say(piped.cards(parse_cards("AsKh")))
    piped.rule("flop")
    assert file.getvalue() == "As Kh\n--- flop ---\n"


def test_a_terminal_that_knows_ascii_alone() -> None:
    class Ascii(io.StringIO):
        encoding = "ascii"

    file = Ascii()
    screen = Screen(Console(file=file, force_terminal=True, highlight=False))
    screen.say(screen.cards(parse_cards("As??")))
    screen.rule("flop")
    assert file.getvalue().isascii()


def test_names_are_no_markup() -> None:
    agent = Maniac()
    agent.name = "[red]x[/red]\x1b[2J"
    text = dialogue(HEADS_UP, ["c"], agent)
    assert r"[red]x[/red]\x1b[2J" in text
    assert ESCAPE not in text


def test_amounts_in_big_blinds() -> None:
    game = Rules(blinds=(50, 100))
    assert [amount(game, chips) for chips in (50, 100, 250, 123_456)] == [
        *("50", "100", "250 (2.5 bb)", "123,456 (1,235 bb)")
    ]
    assert in_blinds(game, 200, "+") == " (+2 bb)"
    assert in_blinds(Rules.preset("leduc"), 3) == ""
