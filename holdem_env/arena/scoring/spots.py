"""The measure `spots`: what a best response gains in fixed spots, or what the agent wins there from their solutions."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray
from pydantic import field_validator

from ...game.units import CHIPS, MILLI, unit_of
from ...solvers.trees.bet_sizes import BetSizes
from ..best_responses.spot_exploitability import spot_gain
from ..statistics.intervals import fixed_interval
from .findings import Figure, Found, NotMeasured, Says, counted_from
from .measure import Amounts, Budget, Measure, Part, Parts
from .spot_file import GivenSpot, load_spots
from .spot_play import won_from_solution

POT = "% of the pot"
SPOTS = "spots"  # the name of the part
GAIN = "best response in the spots"
WON = "against the spots' solutions"


class Spots(Measure):
    """Fixed spots, each with both ranges: what a best response gains over the agent's strategy, in mbb/h and in percent
    of the pot, the mean over spots; of an agent that gives no probabilities, its win rate against their solutions.

    file: of the spots, beside the task's (`spot_file`). sizes: the response's bets, as `BetSizes` takes them. spots:
    how many of them, from the first on. hands: in each spot, against its solution.
    """

    file: str
    sizes: str
    spots: Amounts
    hands: Amounts

    @field_validator("sizes")
    @classmethod
    def _are_sizes(cls, sizes: str) -> str:
        BetSizes.parse(sizes)
        return sizes

    def files(self) -> tuple[str, ...]:
        return (self.file,)

    def parts(self, budget: Budget) -> Parts:
        yield SPOTS, self.spots.of(budget), ()

    def measure(self, part: Part) -> Found:
        """The gains, or the win rate. Raises NotMeasured without the file, and where nothing is to be played."""
        rules, sizes = part.rules, BetSizes.parse(self.sizes)
        try:
            spots = load_spots(part.beside / self.file, rules)[: part.amount]
        except FileNotFoundError as error:
            raise NotMeasured(str(error)) from None
        with part.agent() as agent:
            if agent.gives_ranges:
                gains = np.array([spot_gain(agent, rules, each.spot, each.ranges, sizes) for each in spots])
                notes = _gain_note(spots, sizes), *counted_from(agent.facts.answers_counted)
                return part.found(*_gain_figures(part, gains, spots), notes=notes)
            hands = self.hands.of(part.budget)
            if not hands:
                raise NotMeasured(
                    f"agent {agent.name!r} gives no probabilities, and the {part.budget} budget has no hands"
                )
            won = [won_from_solution(agent, rules, spot, sizes, hands, part.seed + k) for k, spot in enumerate(spots)]
        unit = unit_of(rules)
        rate = _figure(part, WON, "win rate", unit.per * np.array(won) / unit.chips, unit.name)
        note = (
            f"played, as the agent gives no probabilities: {hands} hands in each of {len(spots)} spots, from both seats"
        )
        return part.found(rate, hands=2 * hands * len(spots), notes=(note,))


def _gain_figures(part: Part, gains: NDArray[np.float64], spots: Sequence[GivenSpot]) -> list[Figure]:
    pots = np.array([each.pot for each in spots])
    unit = MILLI if part.rules.big_blind else CHIPS
    values = (100 * gains / pots, POT), (unit.per * gains / (part.rules.big_blind or 1), unit.name)
    return [_figure(part, GAIN, "gain in spots", value, unit) for value, unit in values]


def _gain_note(spots: Sequence[GivenSpot], sizes: BetSizes) -> str:
    return (
        f"exact in each of {len(spots)} spots, on every board, for a response that folds, checks, calls or bets "
        f"{sizes.config()}; the interval is over spots"
    )


def _figure(part: Part, name: str, says: Says, values: NDArray[np.float64], unit: str) -> Figure:
    """The mean over spots. name: followed by the number of the part, if it has one."""
    found, name = fixed_interval(values), name + part.name.removeprefix(SPOTS)
    return Figure(name=name, says=says, value=found.mean, half_width=found.half_width, unit=unit, samples=found.samples)
