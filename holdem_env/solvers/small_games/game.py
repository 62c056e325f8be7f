"""Which games can be solved whole, and the public game of one."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from ...game.given_rules import RulesLike, as_rules
from ...game.rules import Rules
from ..hands import Hands, count_boards, suit_renamings
from ..public_game import GameSize, PublicGame, hands_of, size_of
from ..trees import BettingTree, TooLarge
from ..trees.bet_sizes import EVERY, BetSizesLike
from ..trees.building import size_text

GIB = 2**30
MOST_MEMORY = 4 * GIB
MOST_NODES = 1_000_000
"""Of the betting."""
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


def game_size(rules: RulesLike, sizes: BetSizesLike = None, most_memory: int = MOST_MEMORY) -> GameSize:
    """How large a game is, without solving it: the size of what `solve` makes, in memory for DCFR and CFR+.

    Information sets are decisions of one hand, on boards up to a renaming of suits: 12 in Kuhn, 486 in Leduc, whose six
    cards all count. Arguments and errors as those of `solve`.
    """
    game = as_rules(rules)
    check_game(game)
    return _measured(game, sizes, most_memory, 2)[1]


def game_of(
    game: Rules,
    sizes: BetSizesLike,
    most_memory: int,
    kept: int,
    isomorphic: bool = True,
    bits: int | None = None,
) -> PublicGame:
    """The public game of rules, solved whole. kept: how many numbers are kept for each of a strategy. bits: of each.
    Raises ValueError if it needs more memory than allowed; the message says how much."""
    betting, size = _measured(game, sizes, most_memory, kept, isomorphic, bits)
    kind = np.float64 if size.bits == 64 else np.float32
    return PublicGame(betting, betting.rules, isomorphic=isomorphic, kind=kind, ties=isomorphic)


def _measured(
    game: Rules,
    sizes: BetSizesLike,
    most_memory: int,
    kept: int,
    isomorphic: bool = True,
    bits: int | None = None,
) -> tuple[BettingTree, GameSize]:
    """The betting of a game, and how large it all is, if that is allowed."""
    if game.showing != "automatic":  # it changes no chips
        game = game.replace(showing="automatic")
    try:
        betting = BettingTree.from_rules(game, EVERY if sizes is None else sizes, most_nodes=MOST_NODES)
    except TooLarge as error:
        raise ValueError(
            f'solve: {error.args[0]}; give bet sizes, such as sizes="pot, all-in", or smaller stacks'
        ) from None
    size = size_of(betting, game, isomorphic=isomorphic)
    size = replace(size, bits=bits or (64 if size.numbers <= PRECISE_ENTRIES else 32), kept=kept)
    if size.memory > most_memory:
        raise ValueError(
            f"solve: {size}, {size.memory / most_memory:,.1f} times most_memory, {size_text(most_memory)}. Give more "
            f"memory, fewer bet sizes, or a smaller game such as 'leduc'"
        )
    return betting, size


def boards_by_street(rules: Rules, isomorphic: bool = True) -> list[int]:
    """By street: how many different boards there are, up to a renaming of suits, without listing them."""
    hands: Hands = hands_of(rules)
    renamings = suit_renamings(hands)[: None if isomorphic else 1]
    return count_boards(rules.deck, rules.board_cards, renamings)[1:]
