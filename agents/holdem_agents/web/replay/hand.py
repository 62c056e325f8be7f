"""A hand as the replay page shows it: steps with drawings, equities and words; and as PHH, PNG and GIF."""

from __future__ import annotations

from collections.abc import Iterator
from decimal import Decimal
from typing import Any

from holdem_env.agents.protocol import Agent
from holdem_env.game.street_names import street_name
from holdem_env.game.title import game_title
from holdem_env.history import HandStep, ReplayedHand, hand_steps, phh, step_shares, street_steps
from holdem_env.render import pictures
from holdem_env.render.places import LAYOUTS
from holdem_env.render.table_svg import table_svg
from holdem_env.utils.shown_names import shown_name

from ...playing.hints import advice
from ...playing.log_lines import UNLOGGED, LogLine, hand_log, spaced
from ..answers import ApiError
from ..solve.hand_spots import streets_to_solve

LONGEST_NAME = 40
SECONDS = 1.2  # how long a film shows each step
RESULTS = ("return_uncalled", "rake", "push_pot")


class StepsOfHand:
    """One hand, replayed. known: the cards that may be shown; None for all. Its public attributes: steps, names."""

    def __init__(self, hand: ReplayedHand, known: frozenset[int] | None) -> None:
        self.hand, self.known = hand, known
        self.names = [shown_name(name, LONGEST_NAME) for name in hand.players]
        self.steps = hand_steps(hand.table, known)
        self._shares = step_shares(self.steps, hand.table, known)
        self._drawn: dict[tuple[int, str, str], str] = {}

    def view(self, layout: str) -> dict[str, Any]:
        """The hand as JSON, with a drawing for each step. Raises ApiError (400) for an unknown layout."""
        if layout not in LAYOUTS:
            raise ApiError(400, f"layout: give one of {', '.join(LAYOUTS)}.")
        table, said = self.hand.table, list(self._lines())
        steps = [
            {
                "label": "; ".join(map(str, lines)),
                "kind": kind_of(step),
                "street": street_name(table.game, step.street),
                "board": spaced(step.board),
                "pot": self._money(step.pot),
                "actor": step.actor,
                "mover": step.mover,
                "folds": any(operation.kind == "fold" for operation in step.operations),
                "equity": shares,
                "svg": self.svg(place, layout),
            }
            for place, (step, shares, lines) in enumerate(zip(self.steps, self._shares, said, strict=True))
        ]
        can_be_solved = {street_name(table.game, street): street for street in streets_to_solve(table)}
        names = {place: street_name(table.game, self.steps[place].street) for place in street_steps(self.steps)}
        marks = [{"street": name, "step": place, "solve": can_be_solved.get(name)} for place, name in names.items()]
        return {
            "hand": self.hand.hand,
            "game": game_title(table.game, self.hand.money),
            "sign": self.hand.sign,
            "seats": list(self._seats()),
            "marks": marks,
            "steps": steps,
        }

    def svg(self, place: int, layout: str = "tall", theme: str = "auto") -> str:
        key = place, layout, theme
        if key not in self._drawn:
            self._drawn[key] = table_svg(self.steps[place], None, self.names, theme, layout, amount=self.hand.money)
        return self._drawn[key]

    def advice(self, seat: int, agent: Agent) -> dict[int, list[dict[str, Any]]]:
        """What an agent would do at each decision of a seat, by step: labels and probabilities.

        Raises ApiError (400) for a seat that does not exist or whose cards are not known, and for an agent that cannot
        tell.
        """
        table = self.hand.table
        if not 0 <= seat < table.rules.seats:
            raise ApiError(400, f"There is no seat {seat} at this table.")
        if self.known is not None and not self.known.issuperset(table.hole_cards(seat)):
            raise ApiError(
                400, f"The cards of {self.names[seat]} are not known, so an agent cannot say what it would do."
            )
        found = {}
        for place, step in enumerate(self.steps):
            if step.before is not None and step.mover == seat:
                try:
                    said = advice(agent, step.before, self.hand.money)
                except ValueError as problem:
                    raise ApiError(400, str(problem)) from problem
                found[place] = [{"label": each.label, "probability": each.probability} for each in said]
        return found

    def phh(self) -> str:
        """The hand as the text of a .phh file; cards that may not be shown are "??". Raises HistoryError if PHH cannot
        say it."""
        hand = self.hand
        return phh.dumps(hand.table, hand=hand.hand, players=hand.players, unit=hand.unit, known=self.known)

    def png(self, place: int, theme: str = "light") -> bytes:
        """The drawing of a step in pixels. Raises ModuleNotFoundError without the extra `pictures`."""
        return pictures.png(self.svg(place, theme=theme), theme=theme)

    def gif(self, theme: str = "light") -> bytes:
        """All steps as a film. Raises ModuleNotFoundError without the extra `pictures`."""
        drawings = [self.svg(place, theme=theme) for place in range(len(self.steps))]
        return pictures.gif(drawings, seconds=SECONDS, theme=theme)

    def _seats(self) -> Iterator[dict[str, Any]]:
        table, last = self.hand.table, self.steps[-1]
        for seat, name in enumerate(self.names):
            cards = last.hole_cards(seat)
            yield {
                "name": name,
                "position": table.positions[seat].name if seat in table.positions else "",
                "cards": None if min(cards, default=-1) < 0 else spaced(cards),
                "stack": self._money(table.starting_stacks[seat]),
                "result": self._money(table.payoffs[seat]) if table.is_over else None,
            }

    def _lines(self) -> Iterator[list[LogLine]]:
        lines = iter(hand_log(self.steps[-1], self.names, self.hand.money))
        for step in self.steps:
            yield [next(lines) for operation in step.operations if operation.kind not in UNLOGGED]

    def _money(self, chips: int) -> float | int:
        amount = Decimal(chips) * self.hand.unit
        return int(amount) if amount == int(amount) else float(amount)


def kind_of(step: HandStep) -> str:
    """What a step is: "deal", "move", "board", "show" or "result"."""
    kinds = {operation.kind for operation in step.operations}
    if step.mover is not None:
        return "move"
    if "deal_hole" in kinds:
        return "deal"
    if "deal_board" in kinds:
        return "board"
    return "result" if kinds & set(RESULTS) else "show"
