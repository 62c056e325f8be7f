"""Playing against agents in the terminal: the dialogue with the person at a `HumanGame`."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Literal

from rich.console import Console
from rich.text import Text

from holdem_env.agents.protocol import Agent
from holdem_env.game.rules import Rules
from holdem_env.game.title import game_title
from holdem_env.history import phh
from holdem_env.table.table import Table
from holdem_env.utils.counting import counted, ordinal

from .. import HumanGame, advice, hand_log, move_of, odds
from .. import searching_from as searching_from
from ..log_lines import listed
from ..moves import WORDS, to_you
from .hand_review import adviser_name, show_review
from .screen import Screen, amount, in_blinds, situation

HELP = f"{WORDS}; h gives a hint, o shows your odds, r the last hand again (r all: with all cards), ? this, q ends"
TOP_UP_HELP = "t brings new chips after the hand"
Going = Literal["on", "ended"]


def play_hands(
    opponents: Agent | Sequence[Agent],
    rules: Rules,
    seed: int | None,
    ask: Callable[[str], str] | None = None,
    show: Callable[[str], None] | None = None,
    save: Path | None = None,
    advisers: Sequence[Agent] = (),
) -> int:
    """Play against agents until the person quits. Returns the chips won.

    opponents: one, which has all the other seats, or one for each. Stacks are fresh every hand. If the rules have a
    session, it is played until it is over or the person is broke.
    ask: shows a prompt and returns the answer. show: shows a text. By default both are the terminal's. save: a .phhs
    file for the finished hands, with all cards visible. advisers: agents that give hints; by default the opponents.
    Raises ValueError for a file that exists already, for a game that PHH cannot express, and for an agent that fails
    where the input has ended.
    """
    if save:
        _check_file(save, rules)
    agents = [opponents] if isinstance(opponents, Agent) else list(opponents)
    game = HumanGame(rules, agents, seed=seed)
    dialogue = _Dialogue(game, Screen(Console(highlight=False), ask, show), save, advisers or agents)
    try:
        dialogue.run()
    except KeyboardInterrupt:
        dialogue.screen.say("")  # behind the ^C
        raise
    finally:  # also after Ctrl-C, which goes on to the command
        game.leave()
        dialogue.sum_up()
    return game.results.chips


def _check_file(save: Path, rules: Rules) -> None:
    if save.suffix != ".phhs":
        raise ValueError(f"{save}: hands go into a .phhs file")
    if save.exists():
        raise ValueError(f"{save} exists already; name a new file")
    if not save.parent.is_dir():
        raise ValueError(f"{save}: there is no folder {save.parent}")
    phh.dumps(Table(rules, seed=0))  # raises for games that PHH cannot express, before any is played


class _Dialogue:
    def __init__(self, game: HumanGame, screen: Screen, save: Path | None, advisers: Sequence[Agent]) -> None:
        self.game, self.screen, self.save = game, screen, save
        self.advisers = list({id(agent): agent for agent in advisers}.values())
        self.is_cash = game.session is not None and game.session.session_rules.kind == "cash"
        self.shown = 0  # lines of the hand's log
        self.ended = 0  # hands whose end was printed
        self.out: list[int] = []  # seats that are out of the tournament
        self.wants_chips = False
        self.help = f"{HELP}; {TOP_UP_HELP}" if self.is_cash else HELP

    def run(self) -> None:
        game, going = self.game, "on"
        opponents = [name for seat, name in enumerate(game.names) if seat != game.seat]
        self.screen.say(f"You play {listed(opponents)}. {self.help}.")
        self._begin_hand(is_first=True)
        while going == "on":
            self._show_new()
            if game.table.is_over and self.ended < len(game.finished):
                self._end_hand()
            match game.waiting:
                case "agent":
                    with self.screen.patience(game.names[game.table.actor or 0]):
                        game.step()
                case "move":
                    going = self._ask_move()
                case "show":
                    going = self._ask_to_show()
                case "failed":
                    going = self._ask_about_failure()
                case "hand_over":
                    self._next_hand()
                case "over":
                    going = self._ask_to_buy_in()

    def sum_up(self) -> None:
        results = self.game.results
        total = results.in_chips if self.game.session and not self.is_cash else str(results)
        self.screen.say(Text(f"The end: {total}.", style="bold"))
        if self.save and results.hands:
            self.screen.say(f"{counted(results.hands, 'hand')} in {self.save}")

    # Hands

    def _begin_hand(self, is_first: bool = False) -> None:
        self.shown = 0
        if not is_first:
            self.screen.say("")
        self.screen.rule((f"Hand {self.game.hand}", "bold"), f", {game_title(self.game.table.game)}", is_heavy=True)

    def _next_hand(self) -> None:
        if self.wants_chips:
            self.wants_chips = False
            try:
                self.game.top_up()
            except ValueError as error:
                self.screen.say_error(str(error))
        self.game.next_hand()
        self._begin_hand()

    def _show_new(self) -> None:
        game = self.game.table.game
        lines = hand_log(self.game.view, self.game.names, lambda chips: amount(game, chips))
        for line in lines[self.shown :]:
            if line.kind == "deal_board":
                self.screen.rule(self.screen.log_line(line))
            else:
                self.screen.say("  ", self.screen.log_line(line))
        self.shown = len(lines)

    def _end_hand(self) -> None:
        game, self.ended = self.game, len(self.game.finished)
        rules, hand = game.table.game, self.game.finished[-1]
        style = "bold green" if hand.chips > 0 else "bold red" if hand.chips < 0 else "bold"
        total = game.results.chips
        mine = f"{hand.chips:+,}{in_blinds(rules, hand.chips, '+')}"
        self.screen.say(Text(f"You: {mine}", style=style), f", in all {total:+,}{in_blinds(rules, total, '+')}")
        if game.session and not self.is_cash:
            self._show_places(game.session.places)
        if self.save:
            game.save(self.save)

    def _show_places(self, places: Sequence[int]) -> None:
        game = self.game
        for seat, place in enumerate(places):
            if place and seat not in self.out and seat != game.seat:
                self.out.append(seat)
                if place > 1:
                    self.screen.say(f"{game.names[seat]} is out, {ordinal(place)} of {len(places)}.")
        if game.place:
            prize = "" if game.prize_text is None else f": {game.prize_text}"
            self.screen.say(Text(f"You finish {ordinal(game.place)} of {len(places)}{prize}.", style="bold"))

    # Questions

    def _ask_move(self) -> Going:
        game = self.game
        situation(self.screen, game.view, game.names)
        while True:
            word = self._word(f"Your move ({game.table.legal}): ")
            if word is None:
                return "ended"
            if self._answers(word):
                continue
            try:
                game.play(move_of(game.table, word, game.seat))
            except ValueError as error:  # IllegalMove is one
                self.screen.say_error(to_you(str(error), game.seat))
                continue
            return "on"

    def _answers(self, word: str) -> bool:
        """Answer words that are not moves. Returns whether this was one."""
        game = self.game
        match word:
            case "o" | "odds":
                self.screen.say(str(odds(game.table, game.seat, game.agents)))
            case "h" | "hint":
                self._hint()
            case "r" | "review" | "r all" | "review all":
                self._review(cards=word.endswith("all"))
            case "t" if self.is_cash:
                self.wants_chips = not self.wants_chips
                self.screen.say("New chips come after this hand." if self.wants_chips else "No new chips after all.")
            case "?" | "help":
                self.screen.say(f"{self.help}.")
            case _:
                return False
        return True

    def _hint(self) -> None:
        game, problems, said = self.game, [], 0
        self.screen.say(str(odds(game.table, game.seat, game.agents)))
        for agent in self.advisers:
            try:
                found = advice(agent, game.table)
            except ValueError as error:
                problems.append(str(error))
                continue
            said += 1
            moves = ", ".join(f"{each.label} ({each.probability:.0%})" for each in found)
            self.screen.say(f"{adviser_name(game, agent)} would: {moves}")
        if not said:
            self.screen.say_error(f"{problems[0]} (holdem play ... --hints NAME)")

    def _review(self, cards: bool) -> None:
        if self.game.finished:
            show_review(self.screen, self.game, self.game.finished[-1], self.advisers, cards)
        else:
            self.screen.say_error("No hand is over yet.")

    def _ask_to_show(self) -> Going:
        while True:
            match self._word("Show your cards (s), or give them back face down (m)? "):
                case None:
                    return "ended"
                case "s" | "show":
                    self.game.show()
                    return "on"
                case "m" | "muck":
                    self.game.muck()
                    return "on"
            self.screen.say_error("s shows your cards, m mucks them, q ends.")

    def _ask_about_failure(self) -> Going:
        """An agent has failed: the person says how it goes on. Raises ValueError where the input has ended."""
        game, failure = self.game, self.game.failure
        assert failure is not None
        name = game.names[failure.seat]
        self.screen.say_error(failure.text)
        choices = {"a": game.retry, "k": game.let_check_or_fold, "v": game.void_hand}
        while True:
            try:
                word = self.screen.ask(f"Ask {name} again (a), let it check or fold (k), or call off the hand (v)? ")
            except EOFError:
                raise ValueError(failure.text) from None
            if word.lower() in ("q", "quit"):
                return "ended"
            if word.lower() in choices:
                choices[word.lower()]()
                if word.lower() == "v":
                    self.screen.say("The hand does not count.")
                    self._begin_hand()
                return "on"
            self.screen.say_error(f"a asks {name} again, k lets it check or fold, v calls off the hand, q ends.")

    def _ask_to_buy_in(self) -> Going:
        """The game is over; in a cash session a person who is broke may bring new chips."""
        session = self.game.session
        if not self.is_cash or session is None or session.is_over:
            return "ended"
        if session.stacks[self.game.seat]:
            self.screen.say("Nobody else has chips left.")
            return "ended"
        while True:
            match self._word("You have no chips left. Bring new ones (t), or end (q)? "):
                case None:
                    return "ended"
                case "t":
                    self.wants_chips = False
                    self.game.top_up()
                    return "on"
            self.screen.say_error("t brings new chips, q ends.")

    def _word(self, prompt: str) -> str | None:
        """The person's answer; None if it ends the game."""
        try:
            word = " ".join(self.screen.ask(prompt).lower().split())
        except EOFError:
            return None
        return None if word in ("q", "quit") else word
