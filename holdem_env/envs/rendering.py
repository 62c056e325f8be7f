"""What `render` does in every environment: text, an array of pixels, or something for people to look at."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import gymnasium
import numpy as np
from numpy.typing import NDArray

from ..engine.record import Records
from ..game.rules import Rules
from ..render.table_text import table_text
from ..table.hand_setup import checked_seat
from ..table.seat_view import record_seen
from .arguments import checked_choice

RENDER_MODES = ("ansi", "human", "rgb_array")


class Renderer:
    """Renders the table of one environment in one of the RENDER_MODES, or not at all (None).

    names: of the seats, for pictures. height: of "rgb_array" pictures in pixels; None draws them in their own size.

    Raises ValueError for another mode, and ModuleNotFoundError for "rgb_array" without the extra `pictures`.
    """

    def __init__(self, mode: str | None, names: Sequence[str], height: int | None = None) -> None:
        self.mode = checked_choice("render_mode", mode, (None, *RENDER_MODES))
        self._names = list(names)
        self._height = height
        self._screen: Any = None
        if mode == "rgb_array":
            from ..render.pictures import check_pictures

            check_pictures("render_mode='rgb_array'")

    def render(self, records: Records, rules: Rules, seat: int | None = None) -> str | NDArray[np.uint8] | None:
        """Render one TABLE record, in an array of length one, as this seat may see it; None sees all cards."""
        if self.mode is None:
            modes = " or ".join(map(repr, RENDER_MODES))
            gymnasium.logger.warn(f"render: the environment was made without a render_mode; give {modes}")
            return None
        viewer = None if seat is None else checked_seat(rules, seat)
        seen = records if viewer is None else record_seen(records, rules, viewer)
        if self.mode == "ansi":
            return _text(seen, rules)
        if self.mode == "rgb_array":
            from ..render.pictures import rgb_array

            return rgb_array(self._picture(seen, rules, viewer, "light"), height=self._height)
        if self._screen is None:
            from ..render.screen import Screen

            self._screen = Screen("holdem_env")
        self._screen.show(lambda: self._picture(seen, rules, viewer, "auto"), lambda: _text(seen, rules))
        return None

    def drawn(self, records: Records, rules: Rules) -> str:
        """The table as SVG with all cards, in whatever mode."""
        return self._picture(records, rules, None, "auto")

    def _picture(self, seen: Records, rules: Rules, seat: int | None, theme: str) -> str:
        from ..render.table_svg import records_svg

        return records_svg(seen, rules, seat, self._names, theme, own=True)


def _text(seen: Records, rules: Rules) -> str:
    return table_text(seen[0], rules.stages[seen["stage"][0]])
