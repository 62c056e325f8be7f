"""What can be solved: which whole games, and which spots, that is the rest of a hand; the tree or the public game of
each, and how large it is."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from ..equities.questions import CardsLike
from ..game.rules import Rules
from ..game.rules_input import RulesLike, as_rules
from ..table.hand_setup import Stacks
from .hands import count_boards, suit_renamings
from .public_game import GameSize, PublicGame, hands_of, size_of
from .reading import CARDS_ON_STREET, Locked, Ranges, read_locked, read_ranges, read_subgame_board
from .trees import BettingTree, TooLarge
from .trees.bet_sizes import EVERY, BetSizesLike
from .trees.betting_tree import size_text
from .trees.utility import Utility

MAX_MEMORY = 4 * 2**30  # bytes
MAX_NODES = 1_000_000  # of the betting
PRECISE_ENTRIES = 4_000_000  # a whole game of more numbers is solved in single precision
PLAIN = Rules(seats=2, blinds=(1, 2), min_bet=1)  # no limit, bets of one chip and more
STREET_WITH = {cards: street for street, cards in CARDS_ON_STREET.items()}

# Whole games


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


def game_size(rules: RulesLike, sizes: BetSizesLike = None, most_memory: int = MAX_MEMORY) -> GameSize:
    """Return how large a game is, without solving it: the size of what `solve` makes by DCFR or CFR+.

    Information sets are decisions of one hand, on boards up to a renaming of suits: 12 in Kuhn, 486 in Leduc, whose six
    cards all count. Arguments and errors as those of `solve`.
    """
    game = as_rules(rules)
    check_game(game)
    return _measured(game, sizes, most_memory)[1]


def game_of(
    game: Rules,
    sizes: BetSizesLike,
    most_memory: int,
    *,
    kept: int = 2,
    isomorphic: bool = True,
    bits: int | None = None,
    utility: Utility | None = None,
) -> PublicGame:
    """Return the public game of rules, solved whole. kept: how many numbers are kept for each of a strategy. bits: of
    each. utility: of the tree. Raises ValueError if it needs more memory than allowed; the message says how much."""
    betting, size = _measured(game, sizes, most_memory, isomorphic, bits, kept, utility)
    kind = np.float64 if size.bits == 64 else np.float32
    return PublicGame(betting, betting.rules, isomorphic=isomorphic, kind=kind, ties=isomorphic)


def _measured(
    game: Rules,
    sizes: BetSizesLike,
    most_memory: int,
    isomorphic: bool = True,
    bits: int | None = None,
    kept: int = 2,
    utility: Utility | None = None,
) -> tuple[BettingTree, GameSize]:
    if game.showing != "automatic":  # it changes no chips
        game = game.replace(showing="automatic")
    given = EVERY if sizes is None else sizes
    try:
        betting = BettingTree.from_rules(game, given, most_nodes=MAX_NODES, utility=utility)
    except TooLarge as error:
        raise ValueError(
            f'solve: {error.args[0]}; give bet sizes, such as sizes="pot, all-in", or smaller stacks'
        ) from None
    size = size_of(betting, game, isomorphic=isomorphic, kind=np.float64)
    bits = bits or (64 if size.numbers <= PRECISE_ENTRIES else 32)
    if bits < 64:
        size = size_of(betting, game, isomorphic=isomorphic)
    size = replace(size, bits=bits, kept=kept)
    if size.memory > most_memory:
        raise ValueError(
            f"solve: {size}, {size.memory / most_memory:,.1f} times most_memory, {size_text(most_memory)}. Give more "
            f"memory, fewer bet sizes, or a smaller game such as 'leduc'"
        )
    return betting, size


def boards_by_street(rules: Rules, isomorphic: bool = True) -> list[int]:
    """Return by street how many different boards there are, up to a renaming of suits, without listing them."""
    renamings = suit_renamings(hands_of(rules))[: None if isomorphic else 1]
    return count_boards(rules.deck, rules.board_cards, renamings)[1:]


# Spots


def check_hands(rules: Rules) -> None:
    """Raise ValueError unless hands of these rules can be solved from a spot: Texas hold'em with 52 cards."""
    if not rules.is_texas_holdem:
        raise ValueError(
            "subgame: it is for the hands of Texas hold'em; these rules have another "
            + ", ".join(rules.hand_differences())
        )


def spot_tree(
    board: CardsLike,
    pot: int,
    stacks: Stacks,
    sizes: BetSizesLike,
    rules: RulesLike | None,
    utility: Utility | None = None,
) -> BettingTree:
    """Return the betting tree of a spot. Arguments and errors as those of `solve_subgame`."""
    game = PLAIN if rules is None else as_rules(rules)
    street = STREET_WITH[len(read_subgame_board(board))]
    if game.seats == 2:  # the tree refuses others
        check_hands(game)
    return BettingTree.from_spot(game, sizes, street, pot, stacks, most_nodes=MAX_NODES, utility=utility)


def subgame_size(
    board: CardsLike,
    ranges: Ranges,
    pot: int,
    stacks: Stacks,
    sizes: BetSizesLike = None,
    rules: RulesLike | None = None,
    locked: Locked | None = None,
) -> GameSize:
    """Return how large a subgame is, without solving it. Arguments and errors as those of `solve_subgame`."""
    tree = spot_tree(board, pot, stacks, sizes, rules)
    cards = read_subgame_board(board)
    return size_of(tree, tree.rules, cards, read_ranges(ranges, cards), isomorphic=not read_locked(locked, tree))


def check_memory(size: GameSize, most_memory: int) -> None:
    """Raise ValueError for a subgame that needs more bytes than allowed; the message says how large it is."""
    if size.memory > most_memory:
        raise ValueError(f"subgame: {size}; {size_text(most_memory)} are allowed. Give fewer sizes or hands")
