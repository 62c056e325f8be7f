"""Fixed-limit Texas hold'em: PettingZoo's `texas_holdem_v4` by the rules of the game.

Two to ten players with blinds of 1 and 2 play one hand; bets are 2 before and on the flop and 4 afterwards, with four
raises a street. The reward at its end is the big blinds (2 chips) won.

Action: 0 calls, 1 raises, 2 folds, 3 checks. `action_mask` has a 1 for those that are legal.

Observation: 72 numbers. 0 to 51: 1 for each card that the player sees, own or on the board: spades from the ace over
the two to the king, then hearts, diamonds and clubs. 52 to 71: for each of the four streets, a 1 at the number of its
raises, 0 to 4.
"""

from __future__ import annotations

from ..encoders.classic import ClassicLimit
from ..game.rules import Rules
from ..utils.suggestions import known_keywords
from .drop_in import SCREEN_HEIGHT, DropIn, checked_players, named, wrapped

NAME = "texas_holdem_v5"


class TexasHoldem(DropIn):
    """Fixed limit 2 and 4, blinds 1 and 2, four raises a street. Rewards are in big blinds.

    Stacks are 100 chips, more than a hand can take.

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
        game = Rules(structure="fixed_limit", seats=seats, blinds=(1, 2), stacks=100, max_raises=(4, 4, 4, 4))
        super().__init__(game, ClassicLimit(), render_mode, screen_height)


raw_env = TexasHoldem
env = wrapped(raw_env)

__all__ = ["env", "raw_env"]
