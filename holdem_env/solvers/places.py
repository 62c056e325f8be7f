"""Places of a betting tree in words, such as "check, bet 75, call, 9s, check"."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TypeAlias

from ..cards.text import parse_cards
from ..engine.bet_sizes import ALL_IN_WORDS
from .trees import BettingTree

Place: TypeAlias = int | str | Iterable[str]
"""A node, or the path to it in words."""


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
