"""How a table looks in a terminal: cards with suits and colours, chips and big blinds, rules between hands.

Without a terminal, or where colours are not wanted (NO_COLOR), everything can be read as plain text: suits have shapes,
results have signs. In a pipe cards are "Ah Kd", as everywhere else.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from threading import Timer
from typing import TypeAlias

from rich.console import Console
from rich.text import Text

from holdem_env.cards.text import UNKNOWN, card_name
from holdem_env.game.rules import Rules
from holdem_env.game.street_names import street_name
from holdem_env.render.theme import SUIT_COLOURS
from holdem_env.table.seat_view import SeatView
from holdem_env.utils.shown_names import shown_text

from ..log_lines import LogLine

SHAPES = {"c": "♣", "d": "♦", "h": "♥", "s": "♠"}
CARD = "bold {} on #f7f8fa"
"""Cards are light on every terminal, so that their four colours can be distinguished on it."""
BACK = "▒▒"
PATIENCE = 1.5  # seconds after which the person reads that an agent is thinking
STYLES = {
    **dict.fromkeys(("raise", "bet"), "yellow"),
    **dict.fromkeys(("fold", "muck", "burn", "return_uncalled", "rake"), "dim"),
    "push_pot": "bold",
    **dict.fromkeys(("expose", "extra_card", "deal_early", "deal_too_many", "misdeal", "take_back"), "magenta"),
}


Part: TypeAlias = "str | Text | tuple[str, str]"  # a part of a line: text, or text and its style


class Screen:
    """Where a person reads and types.

    console: of the terminal, or of a pipe, which gets plain text. ask, show: for other places, and for tests: what
    shows a prompt and returns the answer, and what shows a text.
    """

    def __init__(
        self,
        console: Console,
        ask: Callable[[str], str] | None = None,
        show: Callable[[str], None] | None = None,
    ) -> None:
        self.console, self._ask, self._show = console, ask, show
        self.is_plain = show is not None or not console.is_terminal
        self.has_shapes = not self.is_plain and console.encoding.lower().replace("-", "").startswith("utf")

    def say(self, *parts: Part, style: str = "") -> None:
        """Show a line made of these parts."""
        line = Text(style=style).append_text(Text.assemble(*parts))
        if self.is_plain:
            line.rstrip()
        if self._show is None:
            self.console.print(line, soft_wrap=self.is_plain)
        else:
            self._show(line.plain)

    def say_error(self, text: str) -> None:
        self.say(Text(shown_text(text), style="bold yellow"))

    def ask(self, prompt: str) -> str:
        """Ask for a word. Raises EOFError where the input ends."""
        if self._ask is not None:
            return self._ask(prompt).strip()
        if self.is_plain:
            return input(prompt).strip()
        return self.console.input(Text(prompt, style="bold")).strip()

    def rule(self, *parts: Part, is_heavy: bool = False) -> None:
        """A line across the terminal with a title in it; in a pipe just the title between dashes."""
        title = Text.assemble(*parts)
        if self.is_plain:
            mark = "===" if is_heavy else "---"
            self.say(f"{mark} ", title, f" {mark}")
            return
        mark = ("━" if is_heavy else "─") if self.has_shapes else ("=" if is_heavy else "-")
        width = min(self.console.width, 80)
        left = mark * 2
        right = mark * max(2, width - title.cell_len - 4)
        self.say(Text(f"{left} ", style="dim"), title, Text(f" {right}", style="dim"))

    @contextmanager
    def patience(self, name: str) -> Iterator[None]:
        """While an agent is asked: say that it thinks if that takes long, in a terminal."""
        if self.is_plain:
            yield
            return
        timer = Timer(PATIENCE, self.say, [Text(f"  {name} is thinking ...", style="dim")])
        timer.daemon = True
        timer.start()
        try:
            yield
        finally:
            timer.cancel()

    def cards(self, cards: Sequence[int]) -> Text:
        parts: list[Text | str] = []
        for card in cards:
            parts += [" "] * bool(parts) + [self._card(card)]
        return Text.assemble(*parts)

    def log_line(self, line: LogLine) -> Text:
        style = "dim" if line.kind.startswith("post_") else STYLES.get(line.kind, "")
        return Text.assemble((line.before, style), self.cards(line.cards), (line.after, style))

    def _card(self, card: int) -> Text:
        name = card_name(card)
        if self.is_plain:
            return Text(name)
        if card == UNKNOWN:
            return Text(BACK if self.has_shapes else name, style="dim")
        shape = f"{name[0]}{SHAPES[name[1]]}" if self.has_shapes else name
        return Text(f" {shape} " if self.console.color_system else shape, style=CARD.format(SUIT_COLOURS[name[1]]))


def amount(rules: Rules, chips: int) -> str:
    """Chips, and what they are in big blinds unless that is 1 or less: "12 (6 bb)"."""
    return f"{chips:,}{in_blinds(rules, chips)}" if abs(chips) > rules.big_blind else f"{chips:,}"


def in_blinds(rules: Rules, chips: int, sign: str = "") -> str:
    """ " (6 bb)"; nothing in games without a big blind. sign: "+" to have one."""
    return f" ({format(chips / rules.big_blind, f'{sign},.4g')} bb)" if rules.big_blind else ""


def situation(screen: Screen, view: SeatView, names: Sequence[str]) -> None:
    """Show the board, the pot, and every player who is still in the hand, on the viewer's turn."""
    game = view.game
    board = screen.cards(view.board) if view.board else Text("-")
    screen.say(f"  {street_name(game, view.street)}: board ", board, f", pot {amount(game, view.pot)}")
    positions = view.positions if int(view.records["big_blind_seat"][0]) >= 0 else {}
    dealt = [seat for seat in range(game.seats) if view.records["was_dealt"][0, seat]]
    live = [seat for seat in dealt if not view.is_folded(seat)]
    width = max(len(names[seat]) for seat in live)
    chips = {seat: f"{view.stacks[seat]:,}" for seat in live}
    blinds = {seat: in_blinds(game, view.stacks[seat]) for seat in live}
    wide, wider = (max(map(len, column.values())) for column in (chips, blinds))
    for seat in live:
        name = Text(f"{names[seat]:{width}}", style="bold" if seat == view.seat else "")
        position = f" {positions[seat].name:4}" if seat in positions else ""
        line: list[Part] = ["    ", name, f"{position} {chips[seat]:>{wide}} chips{blinds[seat]:{wider}}"]
        line += [f"  bet {view.bets[seat]:,}"] if view.bets[seat] else []
        line += ["  all-in"] if not view.stacks[seat] else []
        line += ["  ", screen.cards(view.hole_cards())] if seat == view.seat else []
        screen.say(*line)
