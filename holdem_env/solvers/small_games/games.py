"""Which games can be solved, and their public trees."""

from __future__ import annotations

from math import comb

from ...game.rules import Rules
from ..trees import BettingTree
from ..trees.bet_sizes import BetSizesLike
from .every_move import Betting, TooManyNodes, every_move
from .hands import Hands, board_counts
from .outcomes import example_deals
from .public_tree import PublicTree, Size, size_of

GIB = 2**30
MOST_MEMORY = 4 * GIB
PRECISE_ENTRIES = 4_000_000
"""A strategy of more numbers is kept in single precision."""


def check_game(game: Rules) -> None:
    """Raise ValueError for rules that are not those of single hands for two with equal stacks."""
    if game.seats != 2:
        raise ValueError(f"solve: games for two seats can be solved; these rules have {game.seats}: give seats=2")
    if game.session is not None or game.dealer_errors is not None:
        raise ValueError(
            "solve: single hands without dealer's errors can be solved; give the rules with session=None and "
            "dealer_errors=None"
        )
    if len(set(game.starting_stacks)) > 1:
        raise ValueError(f"solve: both stacks must be alike; here they are {game.starting_stacks}")


def tree_of(game: Rules, sizes: BetSizesLike, most_memory: int, copies: int) -> PublicTree:
    """The public tree of a game. copies: how many numbers are kept for each of a strategy. Raises ValueError if it
    needs more memory than allowed; the message says how much."""
    count = comb(len(game.deck), game.hole_cards)
    if game.showing != "automatic":  # it changes no chips
        game = game.replace(showing="automatic")
    if sizes is not None or (game.structure == "fixed_limit" and game.split == "high"):
        betting: Betting = BettingTree.from_rules(game, sizes)
        _check_size(size_of(game, betting, count), most_memory, copies)
        return PublicTree(Hands(game), betting)
    # Examples of showdowns need a list of the boards, so that the last street alone must fit.
    boards = board_counts(game)[-1]
    _check_size(Size(boards, count, boards * count * 2), most_memory, copies)
    hands = Hands(game)
    try:
        betting = every_move(game, example_deals(hands))
    except TooManyNodes as error:
        raise ValueError(f'solve: {error}; give bet sizes, such as sizes="pot, all-in", or smaller stacks') from None
    _check_size(size_of(game, betting, count), most_memory, copies)
    return PublicTree(hands, betting)


def _check_size(size: Size, most_memory: int, copies: int) -> None:
    """Raise ValueError for a game that needs more memory than allowed."""
    bytes_each = 8 if size.entries <= PRECISE_ENTRIES else 4
    if (needed := size.entries * bytes_each * copies) > most_memory:
        raise ValueError(
            f"solve: this game has {size.decisions:,} decisions with a board, each of {size.hands:,} hands; a "
            f"strategy for them takes {needed / GIB:,.1f} GiB while it is made, and most_memory is "
            f"{most_memory / GIB:,.1f} GiB. Give more memory, fewer bet sizes, or a smaller game such as 'leduc'"
        )
