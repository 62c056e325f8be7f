"""What the results of duplicate deals have in common."""

from __future__ import annotations

from typing import Any

from ...game.units import Unit
from ...render.charts import Line, intervals_svg
from ...utils.counting import counted
from .tables import Tabled


class DuplicateResult(Tabled):
    """A mean over duplicate deals with its 95 % interval. Dataclasses that are such results inherit from it.

    mean, half_width: of the 95 % interval, in `unit`. hands: played in all, each deal counted once for every seat it
        was played from. deals: independent deals, the sample size.
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
        """The result as a dot on the line of its interval: SVG text. theme: "light", "dark", or "auto", which follows
        the reader's settings; ValueError for another one."""
        note = f"95 % interval, {counted(self.hands, 'hand')}, {self.deals:,} independent deals"
        return intervals_svg([Line("", self.mean, self.half_width)], self.pairing, self.unit.name, note, theme)

    def _table(self) -> list[dict[str, Any]]:
        rate = {"rate": self.mean, "half_width": self.half_width, "unit": self.unit.name}
        return [{"compared": self.pairing, **rate, "hands": self.hands, "deals": self.deals}]

    def _repr_html_(self) -> str:
        return self.svg()

    def __str__(self) -> str:
        return f"{self.pairing}: {self.unit.with_name(self.mean, self.half_width)} ({counted(self.hands, 'hand')})"
