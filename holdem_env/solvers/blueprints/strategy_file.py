"""Strategy files (.strategy): a blueprint's average strategy as data alone, so that loading one cannot run code.

The levels are in it, every probability as one of 15 steps, two of them a byte, decision by decision, compressed. The
header says of which tree they are: the one of its rules and sizes, if this version still makes the same.
"""

from __future__ import annotations

from hashlib import sha256
from pathlib import Path
from typing import Annotated, Any, Literal

import numpy as np
from numpy.typing import NDArray
from pydantic import Field

from ...game.rules import Rules
from ...game.rules_input import RulesLike, as_rules
from ..card_tables.abstraction import CardAbstraction
from ..files import BEST, Arrays, Count, Header, Text, opened, packed, write
from ..trees.bet_sizes import BetSizes
from ..trees.betting_tree import BettingTree
from .strategy import MAX_LEVEL, Strategy, decision_rows, entries_of

STRATEGY_SUFFIX = ".strategy"
WHAT = "a strategy file, as `holdem train` writes them,"
MAX_ENTRIES = 2**31  # probabilities that a file may hold; the largest of ours has 44 million
Buckets = Annotated[int, Field(ge=1, le=2**16)]


class StrategyHeader(Header):
    """The header of a strategy file: what `Strategy` has, and the sizes of its tree and of its levels (entries). tree:
    `tree_digest`, which tells whether this version makes the same tree."""

    kind: Literal["strategy"] = "strategy"
    format: Literal[2] = 2
    rules: dict[str, Any]
    sizes: Any
    cards: dict[str, Any]
    buckets: Annotated[tuple[Buckets, ...], Field(min_length=1, max_length=8)]
    nodes: Count
    decisions: Count
    entries: Count
    tree: Text
    training: dict[str, Any] = {}


def save_strategy(path: Path | str, strategy: Strategy) -> None:
    """Write a strategy to a file, atomically.

    Raises:
        OSError: If it cannot be written; what was there before is then still there.
        ValueError: For another suffix, and for training facts that are not plain data.
    """
    header = StrategyHeader(
        rules=strategy.rules.model_dump(mode="json"),
        sizes=strategy.sizes.config(),
        cards=dict(strategy.cards_config),
        buckets=strategy.buckets,
        nodes=len(strategy.tree),
        decisions=strategy.tree.decisions,
        entries=strategy.probability.size,
        tree=tree_digest(strategy.tree),
        training=dict(strategy.training),
    )
    write(path, STRATEGY_SUFFIX, header, {"levels": packed(_in_pairs(strategy), BEST)})


def load_strategy(path: Path | str, rules: RulesLike | None = None) -> Strategy:
    """Read the strategy in a file.

    Args:
        path: The file.
        rules: The game that it must be for, if given.

    Raises:
        FileNotFoundError: If there is no such file.
        ValueError: For a file that is damaged, of another format, for other rules, or whose tree this version makes
            differently; the file is named.
    """
    with opened(path, StrategyHeader, WHAT) as (header, arrays):
        given = Rules(**header.rules)
        sizes, tree = _tree_of(header, given)
        if given.is_texas_holdem:  # kernels look up these buckets in the levels
            buckets = CardAbstraction.from_config(header.cards).bucket_counts.tolist()
            if buckets != list(header.buckets):
                raise ValueError(f"`buckets` must be those of `cards`, {buckets}, got {list(header.buckets)}")
        levels = _levels_in(arrays, tree, header.buckets)
        strategy = Strategy(given, sizes, tree, header.cards, header.buckets, levels, header.training)
    if rules is not None:
        check_rules(path, given, as_rules(rules))
    return strategy


def read_header(path: Path | str) -> StrategyHeader:
    """Read the header of a strategy file, for its model card. Raises as `load_strategy` does."""
    with opened(path, StrategyHeader, WHAT) as (header, _):
        return header


def check_rules(source: object, own: Rules, wanted: Rules) -> None:
    """Raise ValueError, naming the differences, if a strategy for the rules `own` is wanted for others."""
    if names := own.differences(wanted):
        differences = "; ".join(f"{name} {getattr(own, name)!r}, not {getattr(wanted, name)!r}" for name in names)
        raise ValueError(f"{source}: this strategy is for other rules: {differences}")


def tree_digest(tree: BettingTree) -> str:
    """A digest of what a tree's decisions are: whether a strategy's numbers belong to it."""
    digest = sha256()
    for name, kind in (("kind", "<i1"), ("street", "<i1"), ("player", "<i1"), ("children", "<i1"), ("move", "<i8")):
        digest.update(np.ascontiguousarray(getattr(tree, name), kind).tobytes())
    return digest.hexdigest()


def _tree_of(header: StrategyHeader, rules: Rules) -> tuple[BetSizes, BettingTree]:
    if len(header.buckets) != rules.streets:
        raise ValueError(f"it has buckets of {len(header.buckets)} streets, for a game of {rules.streets}")
    if header.entries > MAX_ENTRIES:
        raise ValueError(f"it has {header.entries:,} probabilities; at most {MAX_ENTRIES:,} are read")
    sizes = BetSizes.parse(header.sizes)
    tree = BettingTree.from_rules(rules, sizes)
    made = len(tree), tree.decisions, entries_of(tree, header.buckets)
    if made != (header.nodes, header.decisions, header.entries) or tree_digest(tree) != header.tree:
        raise ValueError(
            f"this version makes another betting tree of its rules and sizes: {made[0]:,} nodes and {made[2]:,} "
            f"probabilities here, {header.nodes:,} and {header.entries:,} there"
        )
    return sizes, tree


def _in_pairs(strategy: Strategy) -> NDArray[np.uint8]:
    """The levels, two a byte. Neighbouring buckets of the same child stand side by side, as they are much alike."""
    levels = _transposed(strategy.probability, strategy.rows, back=False)
    if levels.size % 2:
        levels = np.append(levels, np.uint8(0))
    return (levels[::2] << 4 | levels[1::2]).astype(np.uint8)


def _levels_in(arrays: Arrays, tree: BettingTree, buckets: tuple[int, ...]) -> NDArray[np.uint8]:
    """The levels of a file, in the order of `Strategy.probability`."""
    entries = entries_of(tree, buckets)
    pairs = arrays.unpack("levels", np.uint8, (entries + 1) // 2)
    levels = np.empty(2 * len(pairs), np.uint8)
    levels[::2], levels[1::2] = pairs >> 4, pairs & MAX_LEVEL
    return _transposed(levels[:entries], decision_rows(tree, buckets), back=True)


def _transposed(levels: NDArray[np.uint8], rows: NDArray[np.int64], back: bool) -> NDArray[np.uint8]:
    """Each decision's (buckets, children) levels as (children, buckets), or back."""
    out = np.empty_like(levels)
    for first, children, buckets in rows.T.tolist():
        where = slice(first, first + children * buckets)
        out[where] = levels[where].reshape((children, buckets) if back else (buckets, children)).T.ravel()
    return out
