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
    """How large a game is that `solve` is asked for, without its boards and hands: information sets (decisions of one
    hand, on boards up to a renaming of suits), probabilities, memory in bytes. Arguments and errors as those of
    `solve`."""
    game = as_rules(rules)
    check_game(game)
    return _measured(game, sizes, most_memory, 2)[1]


def game_of(game: Rules, sizes: BetSizesLike, most_memory: int, kept: int) -> PublicGame:
    """The public game of rules, solved whole. kept: how many numbers are kept for each of a strategy. Raises ValueError
    if it needs more memory than allowed; the message says how much."""
    betting, size = _measured(game, sizes, most_memory, kept)
    return PublicGame(betting, betting.rules, kind=np.float64 if size.bits == 64 else np.float32, ties=True)


def _measured(game: Rules, sizes: BetSizesLike, most_memory: int, kept: int) -> tuple[BettingTree, GameSize]:
    """The betting of a game, and how large it all is, if that is allowed."""
    if game.showing != "automatic":  # it changes no chips
        game = game.replace(showing="automatic")
    _check_last_street(game, most_memory)
    try:
        betting = BettingTree.from_rules(game, EVERY if sizes is None else sizes, most_nodes=MOST_NODES)
    except TooLarge as error:
        raise ValueError(f'solve: {error}; give bet sizes, such as sizes="pot, all-in", or smaller stacks') from None
    size = size_of(betting, game)
    size = replace(size, bits=64 if size.numbers <= PRECISE_ENTRIES else 32, kept=kept)
    _check_size(size, game, most_memory)
    return betting, size


def boards_by_street(rules: Rules, isomorphic: bool = True) -> list[int]:
    """By street: how many different boards there are, up to a renaming of suits, without listing them."""
    hands: Hands = hands_of(rules)
    renamings = suit_renamings(hands)[: None if isomorphic else 1]
    return count_boards(rules.deck, rules.board_cards, renamings)[1:]


def _check_last_street(game: Rules, most_memory: int) -> None:
    """Raise ValueError if one decision on every board of the last street does not fit."""
    boards, hands = boards_by_street(game)[-1], len(hands_of(game))
    least = GameSize(1, (boards,), boards, boards * hands, 2 * boards * hands, 0, bits=32, kept=1)
    _check_size(least, game, most_memory)


def _check_size(size: GameSize, game: Rules, most_memory: int) -> None:
    """Raise ValueError for a game that needs more memory than allowed."""
    if size.memory > most_memory:
        raise ValueError(
            f"solve: this game has {size.decisions:,} decisions with a board, each of {len(hands_of(game)):,} hands, "
            f"{size.information_sets:,} information sets in all; a strategy takes {size.memory / GIB:,.1f} GiB "
            f"while it is made, {size.memory / most_memory:,.1f} times most_memory, {most_memory / GIB:,.1f} GiB. Give "
            f"more memory, fewer bet sizes, or a smaller game such as 'leduc'"
        )
