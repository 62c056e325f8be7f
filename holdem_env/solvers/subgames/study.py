"""`solve_subgame`: a spot described by its board, ranges, pot and stacks, solved."""

from __future__ import annotations

from ...equities.questions import CardsLike
from ...game.given_rules import RulesLike, as_rules
from ...game.rules import Rules
from ...table.starting import Stacks
from ..trees import BetSizes, BettingTree
from ..trees.bet_sizes import BetSizesLike
from .reading import CARDS_ON_STREET, Locked, Ranges, check_game, read_ranges, read_subgame_board
from .sizes import MOST_MEMORY, SubgameSize, size_of
from .solution import SubgameSolution
from .subgame import Progress, solve_tree

PLAIN = Rules(seats=2, blinds=(1, 2), min_bet=1)
"""No limit, bets of one chip and more."""
STREET_WITH = {cards: street for street, cards in CARDS_ON_STREET.items()}
MOST_NODES = 1_000_000


def solve_subgame(
    board: CardsLike,
    ranges: Ranges,
    pot: int,
    stacks: Stacks,
    sizes: BetSizesLike = None,
    rules: RulesLike | None = None,
    accuracy: float | None = 0.5,
    iterations: int | None = None,
    seconds: float | None = None,
    locked: Locked | None = None,
    progress: Progress | None = None,
    most_memory: int = MOST_MEMORY,
) -> SubgameSolution:
    """Solve the rest of a hand from the beginning of a river, a turn or a (small) flop.

    board: its cards, such as "Ks7h2d3c". ranges: of player 0, who has the button and acts last, and of player 1; each
    a text ("77+, AQs+"), a Range or (1326,) weights in the order of `cards.combos`. pot: the chips in the middle.
    stacks: what players 0 and 1 have left, or one amount for both. sizes: bets and raises as `BetSizes` takes them;
    "a" is all-in. rules: the structure, the smallest bet, the rake; by default no limit without rake.
    accuracy, iterations, seconds: when it stops; locked: strategies held fixed, by path such as "check, bet 50", or by
    node; progress, most_memory: as in `solve_tree`.

    >>> solution = solve_subgame("Ks7h2d3c9s", ["77, K9s, AQo", "KQ, A9s, 88"], pot=100, stacks=200, sizes="75%, a")
    >>> solution.exploitability_percent < 0.5
    True

    Raises ValueError for boards, ranges, pots, stacks, sizes or rules that cannot be, for more than two seats, and,
    before it starts, for a subgame that needs more than `most_memory` bytes; the message says how large it is.
    """
    tree = spot_tree(board, pot, stacks, sizes, rules)
    return solve_tree(
        tree,
        board,
        ranges,
        accuracy=accuracy,
        iterations=iterations,
        seconds=seconds,
        locked=locked,
        progress=progress,
        most_memory=most_memory,
    ).with_spot(pot, stacks)


def subgame_size(
    board: CardsLike,
    ranges: Ranges,
    pot: int,
    stacks: Stacks,
    sizes: BetSizesLike = None,
    rules: RulesLike | None = None,
) -> SubgameSize:
    """How large a subgame is and about how long it takes, without solving it. Arguments and errors as those of
    `solve_subgame`."""
    tree = spot_tree(board, pot, stacks, sizes, rules)
    cards = read_subgame_board(board)
    return size_of(tree, cards, read_ranges(ranges, cards))


def spot_tree(board: CardsLike, pot: int, stacks: Stacks, sizes: BetSizesLike, rules: RulesLike | None) -> BettingTree:
    """The betting tree of a spot."""
    game = PLAIN if rules is None else as_rules(rules)
    cards = read_subgame_board(board)
    if game.seats == 2:  # the tree refuses others
        check_game(game)
    return BettingTree.from_spot(
        game, BetSizes.parse(sizes), STREET_WITH[len(cards)], pot, stacks, most_nodes=MOST_NODES
    )
