"""PettingZoo's `texas_holdem_no_limit_v6` by the rules of the game."""

from __future__ import annotations

from ..encoders.classic import ClassicNoLimit
from ..game.rules import Rules
from ..utils.suggestions import known_keywords
from .drop_in import SCREEN_HEIGHT, DropIn, checked_players, named, wrapped

NAME = "texas_holdem_no_limit_v7"


class TexasHoldemNoLimit(DropIn):
    """No limit, blinds 1 and 2, stacks of 100 chips. Rewards are in chips.

    num_players: 2 to 10. render_mode: "human", "rgb_array" or "ansi". screen_height: of "rgb_array" pictures in
    pixels; None draws them in their own size.

    Raises ValueError or TypeError that names the argument.
    """

    metadata = named(NAME)

    @known_keywords(NAME)
    def __init__(
        self, num_players: int = 2, render_mode: str | None = None, screen_height: int | None = SCREEN_HEIGHT
    ) -> None:
        seats = checked_players(num_players)
        game = Rules(seats=seats, blinds=(1, 2), stacks=100, reward_unit="chips")
        super().__init__(game, ClassicNoLimit(), render_mode, screen_height)


raw_env = TexasHoldemNoLimit
env = wrapped(raw_env)

__all__ = ["env", "raw_env"]
