"""What solvers are asked: boards, ranges, locked decisions, and places of a betting tree in words, such as "check, bet
75, call, 9s, check"; read and checked."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ..cards.combos import COMBO_CARDS, COMBOS, combo_number, possible_combos
from ..cards.ranges import Range
from ..cards.text import CARDS, cards_text, parse_cards
from ..engine.bet_sizes import ALL_IN_WORDS
from ..equities.questions import CardsLike, read_cards
from .boards import PLAYERS
from .trees import BettingTree
from .trees.walking import DECISION

RangeLike: TypeAlias = str | Range | ArrayLike  # a range as text ("77+, AQs+"), a Range, or (1326,) weights
Ranges: TypeAlias = Sequence[RangeLike] | NDArray[Any]  # those of players 0 and 1
Locked: TypeAlias = Mapping[int | str, ArrayLike]
"""By node, or by the moves to it, whatever cards are dealt: (H, children) probabilities, or (children,) for all."""
Place: TypeAlias = int | str | Iterable[str]  # a node, or the path to it in words
CARDS_ON_STREET = {1: 3, 2: 4, 3: 5}  # by the number of the street: how many cards the board has
CLOSE = 1e-6
AMOUNT = r"(bet |raise to |EV )(-?[\d.]+)"  # a word of `describe` or of a place, and its chips


def read_subgame_board(board: CardsLike, street: int | None = None) -> tuple[int, ...]:
    """The cards of a flop, a turn or a river: those of a street, if one is given. Raises ValueError or TypeError."""
    cards = read_cards("board", board)
    if len(set(cards)) < len(cards):
        raise ValueError(f"board: {cards_text(cards)} has a card twice")
    if len(cards) not in CARDS_ON_STREET.values():
        raise ValueError(f"board: {cards_text(cards)!r} has {len(cards)} cards; a flop has 3, a turn 4, a river 5")
    if street is not None and (right := CARDS_ON_STREET.get(street)) != len(cards):
        there = f"with {right} cards on the board" if right else "before the flop, where subgames are not solved"
        raise ValueError(f"board: it has {len(cards)} cards, and the tree begins {there}")
    return cards


def read_ranges(ranges: Ranges, board: Sequence[int]) -> NDArray[np.float64]:
    """(2, 1326) weights without the hands that the board rules out.

    Raises ValueError or TypeError for an invalid range, for one that is empty or of which the board leaves nothing, and
    for two that never meet because they share cards.
    """
    if isinstance(ranges, str | Range) or len(ranges) != PLAYERS:
        raise TypeError("ranges: give two, of player 0 (the button) and of player 1, such as ['77+', 'random']")
    possible = possible_combos(np.array(board, np.int64))
    read = np.stack([_read_range(_name(p), given) for p, given in enumerate(ranges)])
    for p, weights in enumerate(read):
        if not weights.any():
            raise ValueError(f"{_name(p)} is empty: no hand has a weight above 0")
        if not weights[possible].any():
            raise ValueError(f"{_name(p)}: every hand has a card of the board {cards_text(board)}; none is left")
    read = np.where(possible, read, 0.0)
    own, other = read > 0
    by_card = np.bincount(COMBO_CARDS[other].ravel(), minlength=CARDS)
    meets = other.sum() - by_card[COMBO_CARDS].sum(axis=1) + other
    if not (own & (meets > 0)).any():
        raise ValueError("ranges: every hand of the one has a card of every hand of the other; no two can be dealt")
    return read


def _name(player: int) -> str:
    return f"ranges ({'out of' if player else 'in'} position)"


def _read_range(place: str, given: RangeLike) -> NDArray[np.float64]:
    if isinstance(given, str):
        try:
            given = Range(given)
        except ValueError as error:
            raise ValueError(f"{place}: {error}") from None
    weights = np.zeros(COMBOS)
    if isinstance(given, Range):
        weights[[combo_number(int(high), int(low)) for high, low in given.cards]] = given.weights
        return weights
    try:
        array = np.asarray(given, np.float64)
    except (TypeError, ValueError):
        raise TypeError(f"{place} is a range such as '77+, AQs+' or an array of 1,326 weights, not {given!r}") from None
    if array.shape != (COMBOS,):
        raise ValueError(f"{place}: an array of the shape {array.shape}; a range has {COMBOS} weights")
    if not np.isfinite(array).all() or (array < 0).any():
        raise ValueError(f"{place}: weights are numbers, 0 or more")
    return array


def read_locked(locked: Locked | None, tree: BettingTree, hands: int = COMBOS) -> dict[int, NDArray[np.float64]]:
    """By node: (H, children) probabilities, of this number of hands. Raises ValueError unless each is a decision with a
    strategy, and TypeError for anything but places with their strategies."""
    if not isinstance(locked, Mapping | None):
        raise TypeError(f"locked: must be places with their strategies, got {type(locked).__name__}")
    read: dict[int, NDArray[np.float64]] = {}
    for place, given in (locked or {}).items():
        try:
            node, dealt = find_place(tree, place) if isinstance(place, str) else (int(place), ())
        except ValueError as error:
            raise ValueError(f"locked: {str(error).removeprefix('path: ')}") from None
        if dealt:
            raise ValueError(f"`locked` must name moves without cards, as it holds on all boards, got {place!r}")
        if node in read:
            raise ValueError(f"`locked` must name each decision once, got {place!r} again")
        if not 0 <= node < len(tree) or tree.kind[node] != DECISION:
            raise ValueError(f"locked: nobody is to act at node {node}")
        children = int(tree.children[node])
        try:
            rows = np.asarray(given, np.float64)
        except (TypeError, ValueError):  # words, or lists of different lengths
            raise ValueError(f"locked: the strategy of node {node} must be lists of numbers, got others") from None
        if rows.shape == (children,):
            rows = np.tile(rows, (hands, 1))
        if rows.shape != (hands, children):
            raise ValueError(
                f"locked: node {node} has {children} moves; give ({children},) or ({hands}, {children}) "
                f"probabilities, not {rows.shape}"
            )
        if not (rows >= 0).all() or (rows > 1 + CLOSE).any() or (abs(rows.sum(axis=1) - 1) > CLOSE).any():
            which = f"the probabilities of node {node}"
            raise ValueError(f"locked: {which} must be 0 or more and add up to 1 for each hand")
        read[int(node)] = rows
    return read


# Places


def find_place(tree: BettingTree, path: str | Iterable[str]) -> tuple[int, tuple[int, ...]]:
    """The node to which a path leads from the root, and the cards dealt on the way.

    path: moves as `tree.path` words them, in a text with commas or one by one; "a" or "all-in" is the largest bet, and
    "bet 75" or "raise to 75" is "75", too. Cards that are dealt may stand between them, and so may "|" between streets;
    "first" is the root: so tables of strategies name places.
    Raises ValueError for a move that the tree does not have there, naming those that it has.
    """
    node = 0
    dealt: list[int] = []
    words = path.replace("|", ",").split(",") if isinstance(path, str) else list(path)
    for word in (" ".join(word.lower().split()) for word in words):
        if word in ("", "first"):
            continue
        try:
            cards = parse_cards(word)
        except ValueError:
            node = _follow(tree, node, word)
        else:
            dealt += cards
    return node, tuple(dealt)


def scale_words(words: str, factor: float) -> str:
    """Multiply the bets, raises and values of a text: "bet 65, EV 40.38" times 0.1 is "bet 6.5, EV 4.038"."""
    if factor == 1:
        return words
    return re.sub(AMOUNT, lambda found: f"{found[1]}{float(found[2]) * factor:.10g}", words, flags=re.IGNORECASE)


def move_words(tree: BettingTree, node: int) -> list[str]:
    """The moves of a node in words, in the order of its children."""
    first, count = int(tree.first_child[node]), int(tree.children[node])
    return [tree.path(child)[-1] for child in range(first, first + count)]


def _follow(tree: BettingTree, node: int, word: str) -> int:
    words: Sequence[str] = move_words(tree, node)
    first = int(tree.first_child[node])
    for k, known in enumerate(words):
        if word == known or word == known.split()[-1]:
            return first + k
    if word in ALL_IN_WORDS and words and words[-1].split()[-1].isdigit():
        return first + len(words) - 1
    there = ", ".join(words) or "none, the hand is over"
    before = ", ".join(tree.path(node)) or "the beginning"
    raise ValueError(f"path: there is no {word!r} after {before}; there is {there}")
