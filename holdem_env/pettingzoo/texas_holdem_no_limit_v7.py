"""No-limit Texas hold'em: PettingZoo's `texas_holdem_no_limit_v6` by the rules of the game.

Two to ten players with stacks of 100 chips and blinds of 1 and 2 play one hand. The reward at its end is the chips won.

Action: 0 folds, 1 checks or calls, 2 raises half the pot, 3 raises the pot, 4 is all-in. `action_mask` has a 1 for
those that are legal.

Observation: 54 numbers. 0 to 51: 1 for each card that the player sees, own or on the board: spades from the ace over
the two to the king, then hearts, diamonds and clubs. 52: the chips that the player has put in. 53: the most that
anybody has put in.
"""

from __future__ import annotations

from ..encoders.classic import ClassicNoLimit
from ..game.rules import Rules
from ..utils.suggestions import known_keywords
from .drop_in import SCREEN_HEIGHT, DropIn, checked_players, named, wrapped

NAME = "texas_holdem_no_limit_v7"


class TexasHoldemNoLimit(DropIn):
    """No limit, blinds 1 and 2, stacks of 100 chips. Rewards are in chips.

    Args:
        num_players: 2 to 10.
        render_mode: "human", "rgb_array" or "ansi".
        screen_height: The height of "rgb_array" pictures in pixels; None draws them in their own size.

    Raises:
        ValueError: If an argument has an invalid value.
        TypeError: If an argument has an invalid type.
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
