"""`holdem solve --board ...`: the rest of a hand solved, and what it prints."""

from __future__ import annotations

import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from time import monotonic
from typing import Annotated, Any

import typer
from rich.status import Status

from holdem_env.game.given_rules import as_rules
from holdem_env.game.rules import Rules

from ..progress import SECONDS
from .console import console

PANEL = "The rest of a hand"
MIB = 2**20


def _option(metavar: str, text: str, *names: str, **settings: Any) -> Any:
    return typer.Option(*names, metavar=metavar, help=text, rich_help_panel=PANEL, **settings)


BoardText = Annotated[str | None, _option("CARDS", "The board: five cards, four or three, such as Ks7h2d3c9s.")]
TwoRanges = Annotated[
    list[str] | None,
    _option("RANGE", "A range such as '77+, AQs+, KJo:0.5'. Give it twice, the button's first; or --ip and --oop."),
]
InPosition = Annotated[str | None, _option("RANGE", "The range of the button, who acts last.")]
OutOfPosition = Annotated[str | None, _option("RANGE", "The range of the other player, who acts first.")]
Pot = Annotated[int | None, _option("CHIPS", "What is in the middle.", min=1)]
StackTexts = Annotated[
    str | None, _option("CHIPS", "What both have left; or the button's and the other player's: 400,350.")
]
Sizes = Annotated[str | None, _option("SIZES", "Bets and raises: '33%, 75%, a | 100%, a | a', by wager. a is all-in.")]
RulesName = Annotated[str | None, _option("PRESET", "The game, for its structure and smallest bet. Default: no limit.")]
RakePercent = Annotated[float | None, _option("PERCENT", "Rake of the pot.", min=0.0, max=100.0)]


def _percent(text: str | float) -> float:
    try:
        return float(str(text).removesuffix("%"))
    except ValueError:
        raise typer.BadParameter(f"must be a percentage such as 0.5, got {text!r}") from None


Accuracy = Annotated[
    float, _option("PERCENT", "Stop at this exploitability, in percent of the pot: 0.5 or 0.5%.", parser=_percent)
]
Seconds = Annotated[float | None, _option("N", "Stop after N seconds.")]
Memory = Annotated[int, _option("MIB", "Memory that it may take.", min=1)]
Place = Annotated[str, _option("PATH", "What the chart shows: the moves and cards before it, 'check, bet 75'.")]
SavedTo = Annotated[Path | None, _option("FILE", "Write the solution to this file (.npz).")]


@dataclass(frozen=True)
class Spot:
    """The options that say what is solved."""

    board: str
    ranges: list[str]
    ip: str | None
    oop: str | None
    pot: int | None
    stacks: str | None
    sizes: str | None
    rules: str | None
    rake: float | None

    def arguments(self) -> dict[str, Any]:
        """The arguments of `solve_subgame`. Raises ValueError for what is missing."""
        missing = [f"--{name}" for name in ("pot", "stacks") if getattr(self, name) is None]
        if missing:
            raise ValueError(f"solve: with --board give {' and '.join(missing)}, too")
        return {
            "board": self.board,
            "ranges": self._ranges(),
            "pot": self.pot,
            "stacks": self._stacks(),
            "sizes": self.sizes,
            "rules": self._rules(),
        }

    def _ranges(self) -> list[str]:
        if len(self.ranges) == 2 and self.ip is None and self.oop is None:
            return self.ranges
        if not self.ranges and self.ip is not None and self.oop is not None:
            return [self.ip, self.oop]
        raise ValueError("solve: give two ranges, either --ip and --oop, or --ranges twice (the button's first)")

    def _stacks(self) -> int | list[int]:
        words = str(self.stacks).split(",")
        try:
            chips = [int(word) for word in words]
        except ValueError:
            raise ValueError(f"--stacks: {self.stacks!r} is not chips; give 400, or 400,350") from None
        return chips[0] if len(chips) == 1 else chips

    def _rules(self) -> Rules | None:
        from holdem_env.solvers.subgames.study import PLAIN

        game = None if self.rules is None else as_rules(self.rules)
        return game if self.rake is None else (game or PLAIN).replace(rake=self.rake)


def solve_spot(spot: Spot, accuracy: float, seconds: float | None, memory: int, place: str, save: Path | None) -> None:
    """Solve a spot, and print its size before and its solution after."""
    from holdem_env.solvers.subgames import (
        solve_subgame,
        subgame_size,
    )  # compiled code, which other commands do not need

    arguments = spot.arguments()
    console.print(f"{subgame_size(**arguments)}.", soft_wrap=True)
    with console.status("Solving ...") as status:
        solution = solve_subgame(
            **arguments,
            accuracy=accuracy,
            seconds=seconds,
            most_memory=memory * MIB,
            progress=_shown_on(status),
        )
    console.print(solution.describe(place), soft_wrap=True, markup=False)
    console.print(solution.chart(place).rich(), soft_wrap=True)
    if save is not None:
        solution.save(save)
        console.print(f"Written to {save}.", soft_wrap=True, markup=False)


def _shown_on(status: Status) -> Callable[[int, float], None]:
    """Shows how far a solution is: on a terminal at once, in files and pipes by a line on stderr now and then."""
    last = monotonic()

    def show(iterations: int, percent: float) -> None:
        nonlocal last
        text = f"Solving: {iterations:,} iterations, exploitability {percent:.2f} % of the pot"
        status.update(text)
        if not console.is_terminal and monotonic() - last >= SECONDS:
            last = monotonic()
            print(text, file=sys.stderr, flush=True)

    return show
