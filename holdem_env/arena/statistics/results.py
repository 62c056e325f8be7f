"""What the results of duplicate deals have in common."""

from __future__ import annotations

from typing import Any

from ...game.units import Unit
from ...render.charts import Line, intervals_svg
from ...utils.counting import counted
from .tables import Tabled


class DuplicateResult(Tabled):
    """A mean over duplicate deals with its 95 % interval.

    Dataclasses with such results inherit from it.

    Attributes:
        unit: The unit of the mean.
        mean: The mean, in `unit`.
        half_width: Half-width of the 95 % interval, in `unit`.
        hands: Hands played in all. Each deal counts once for every seat from which it was played.
        deals: Independent deals, the sample size.
    """

    unit: Unit
    mean: float
    half_width: float
    hands: int
    deals: int

    @property
    def pairing(self) -> str:
        """Who won this against whom."""
        raise NotImplementedError

    @property
    def interval(self) -> tuple[float, float]:
        """The 95 % interval, from its lower to its upper end."""
        return self.mean - self.half_width, self.mean + self.half_width

    def svg(self, theme: str = "auto") -> str:
        """Draw the result as a dot on the line of its interval, as SVG text.

        Args:
            theme: "light", "dark", or "auto", which follows the reader's settings.

        Raises:
            ValueError: If the theme is unknown.
        """
        note = f"95 % interval, {counted(self.hands, 'hand')}, {self.deals:,} independent deals"
        return intervals_svg([Line("", self.mean, self.half_width)], self.pairing, self.unit.name, note, theme)

    def _table(self) -> list[dict[str, Any]]:
        rate = {"rate": self.mean, "half_width": self.half_width, "unit": self.unit.name}
        return [{"compared": self.pairing, **rate, "hands": self.hands, "deals": self.deals}]

    def _repr_html_(self) -> str:
        return self.svg()

    def __str__(self) -> str:
        return f"{self.pairing}: {self.unit.with_name(self.mean, self.half_width)} ({counted(self.hands, 'hand')})"
