"""Leduc hold'em: PettingZoo's `leduc_holdem_v4` by the rules of the game.

Two players with blinds of 1 and 2 get one card each of six (two jacks, queens and kings), bet, see a common card and
bet again; bets are 2, then 4, with two raises a street. A pair with the common card wins, or else the higher card. The
reward at the end of the hand is the big blinds (2 chips) won.

Action: 0 calls, 1 raises, 2 folds, 3 checks. `action_mask` has a 1 for those that are legal.

Observation: 36 numbers. 0 to 2: a 1 at the player's jack, queen or king; 3 to 5: likewise of the common card; 6 to 20:
a 1 at the number of chips that the player has put in, 0 to 14; 21 to 35: likewise of the opponent.
"""

from __future__ import annotations

from ..encoders.classic import ClassicLeduc
from ..game.rules import Rules
from ..utils.suggestions import known_keywords
from .drop_in import SCREEN_HEIGHT, DropIn, checked_players, named, wrapped

NAME = "leduc_holdem_v5"


class LeducHoldem(DropIn):
    """Leduc with blinds 1 and 2, as PettingZoo plays it, instead of antes. Rewards are in big blinds.

    Bets are 2, then 4, two a street.

    Args:
        render_mode: "human", "rgb_array" or "ansi".
        screen_height: The height of "rgb_array" pictures in pixels; None draws them in their own size.
        num_players: Always 2.

    Raises:
        ValueError: If an argument has an invalid value.
        TypeError: If an argument has an invalid type.
    """

    metadata = named(NAME)

    @known_keywords(NAME)
    def __init__(
        self, render_mode: str | None = None, screen_height: int | None = SCREEN_HEIGHT, num_players: int = 2
    ) -> None:
        checked_players(num_players, most=2)
        game = Rules.preset("leduc", ante=0, blinds=(1, 2), first_to_act=None, reward_unit="big_blind")
        super().__init__(game, ClassicLeduc(), render_mode, screen_height)


raw_env = LeducHoldem
env = wrapped(raw_env)

__all__ = ["env", "raw_env"]
