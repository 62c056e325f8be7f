"""What a value network sees of a state, the network in NumPy (`ValueNetwork`), and its file.

It sees both ranges and their equities by buckets of hands, and how deep stacks are. It says how much more, or less, of
the pot a hand wins than its equity, so that it has to learn only what the bets to come are worth.
"""

from __future__ import annotations

from functools import lru_cache
from itertools import pairwise
from pathlib import Path
from typing import Annotated, Any, Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray
from pydantic import Field

from ..card_tables import CardAbstraction
from ..files import Header, Text, finite, opened, write
from .pairs import Pairs

Floats = NDArray[np.float32]
SUFFIX = ".safetensors"
SHIPPED = Path(__file__).parent / "shipped"
STREETS = {"turn": 3, "river": 4}  # cards on the board before the card of this street is dealt, by street


PLAYERS = 2
EVEN = 0.5
DEPTHS = 3
TINY, ONE = np.float32(1e-12), np.float32(1)


class Buckets(NamedTuple):
    """The buckets of the hands of a board. number: (N,) int64, of each hand. of: (N, K) float32, 1 for it. hands:
    (K,), in each."""

    number: NDArray[np.int64]
    of: Floats
    hands: Floats

    @classmethod
    def on(cls, cards: CardAbstraction, board: Any, pairs: Pairs) -> Buckets:
        """Those of a flop or a turn."""
        street = len(board) - 2
        numbers = cards.buckets(street, board)[pairs.combos].astype(np.int64)
        of = np.zeros((len(numbers), int(cards.bucket_counts[street])), np.float32)
        of[np.arange(len(numbers)), numbers] = 1.0
        return cls(numbers, of, of.sum(axis=0))

    def mean(self, values: Floats) -> Floats:
        """(..., K): the mean of the hands of each bucket; 0 where there are none. values: (..., N)."""
        return np.asarray(self.sum(values) / np.maximum(self.hands, ONE), np.float32)

    def sum(self, values: Floats) -> Floats:
        """(..., K): the sum of the hands of each bucket. values: (..., N)."""
        return np.asarray(values.reshape(-1, len(self.of)) @ self.of).reshape(*values.shape[:-1], len(self.hands))


class Seen(NamedTuple):
    """States as a network sees them, L of them.

    weight: (L, 2, K) float32, how likely each player's hand is in each bucket when both are dealt together; sums to 1.
    equity: (L, 2, K) float32, the mean share of the pot of the bucket's hands against the other player's; 0 in empty
    ones. hands: (K,) or (L, K), in each bucket. depth: (L,) what both can still bet, in pots.
    """

    weight: Floats
    equity: Floats
    hands: Floats
    depth: Floats


def seen_of(weights: Floats, met: Floats, shares: Floats, buckets: Buckets, depth: Floats) -> Seen:
    """What a network sees of states. weights: (L, 2, N), of both players' hands. met: (L, 2, N), of the other player's
    hands that each hand meets. shares: (L, 2, N), of the pot against them."""
    together = weights * met
    total = np.maximum(together.sum(axis=-1, keepdims=True), TINY)
    return Seen(buckets.sum(together / total), buckets.mean(shares), buckets.hands, np.asarray(depth, np.float32))


def features(seen: Seen) -> Floats:
    """(L, 5 K + 3) float32: the network's inputs."""
    lines, _, width = seen.weight.shape
    hands = np.broadcast_to(seen.hands, (lines, width))
    share = hands / np.maximum(hands.sum(axis=-1, keepdims=True), 1.0)
    depth = seen.depth[:, None]
    depths = np.concatenate((depth / (1 + depth), np.log1p(depth), np.exp(-depth)), axis=1)
    inputs = (seen.weight * width, seen.equity - EVEN * (hands > 0)[:, None])
    flat = [each.reshape(lines, PLAYERS * width) for each in inputs]
    return np.concatenate((*flat, share * width, depths), axis=1, dtype=np.float32)


def inputs_of(buckets: int) -> int:
    """How many inputs there are."""
    return (2 * PLAYERS + 1) * buckets + DEPTHS


class ValueNetwork(NamedTuple):
    """What hands win beyond their equity, in pots, when a street is over and the next card is still to come.

    street: of the card to come, "turn" or "river". cards: the buckets of its hands. deepest: what both can still bet,
    in pots, at most. layers: weights (in, out) and biases (out,) float32, ReLU between them. training: facts.
    """

    street: str
    cards: CardAbstraction
    deepest: float
    layers: tuple[tuple[Floats, Floats], ...]
    training: dict[str, Any]

    @property
    def buckets(self) -> int:
        return int(self.cards.bucket_counts[STREETS[self.street] - 2])

    def __call__(self, seen: Seen) -> Floats:
        """(L, 2, K) float32: what the hands of each bucket win beyond their equity. Both players' sum, weighted by
        `seen.weight`, is 0, as one wins what the other loses: half of what remains is taken from each (Moravčík et al.
        2017, the outer network)."""
        found = features(seen)
        for k, (weights, biases) in enumerate(self.layers):
            found = found @ weights + biases
            if k < len(self.layers) - 1:
                np.maximum(found, 0.0, out=found)
        values = found.reshape(len(found), PLAYERS, self.buckets)
        excess = (values * seen.weight).sum(axis=(1, 2), keepdims=True)
        return np.asarray(values - excess / PLAYERS)


class ValuesHeader(Header):
    """The header of a network's file: the fields of `ValueNetwork`; digest: of the buckets' boundaries."""

    kind: Literal["values"] = "values"
    format: Literal[2] = 2
    street: Literal["turn", "river"]
    cards: dict[str, Any]
    digest: Text
    deepest: Annotated[float, Field(gt=0, le=1e6)]  # pots
    training: dict[str, Any]


def save_values(network: ValueNetwork, path: Path | str) -> None:
    """Write a network to a .safetensors file, the weights as float16."""
    header = ValuesHeader(
        cards=network.cards.config(),
        digest=network.cards.digest,
        **{name: getattr(network, name) for name in ("street", "deepest", "training")},
    )
    arrays = {}
    for k, (weights, biases) in enumerate(network.layers):
        arrays[f"{k}.weight"], arrays[f"{k}.bias"] = weights.astype(np.float16), biases.astype(np.float16)
    write(path, SUFFIX, header, arrays)


def load_values(path: Path | str) -> ValueNetwork:
    """Read a network. Raises FileNotFoundError, and ValueError for a file of anything else, or of another version."""
    with opened(path, ValuesHeader, "a value network, as `holdem train values_river` writes one,") as (header, arrays):
        known = {name: finite(name, arrays[name]).astype(np.float32) for name in arrays.names}
        layers = tuple((known[f"{k}.weight"], known[f"{k}.bias"]) for k in range(len(known) // 2))
        return _checked(header, layers)


@lru_cache(maxsize=len(STREETS))
def shipped_values(street: str) -> ValueNetwork | None:
    """The bundled network of a street; None if there is none."""
    path = SHIPPED / f"{street}.safetensors"
    return load_values(path) if path.is_file() else None


def _checked(header: ValuesHeader, layers: tuple[tuple[Floats, Floats], ...]) -> ValueNetwork:
    """The network of a file's header and layers. Raises ValueError for what cannot be one."""
    cards = CardAbstraction.from_config(header.cards)
    if cards.digest != header.digest:
        raise ValueError("this version has other buckets; `holdem train` trains the network again")
    network = ValueNetwork(header.street, cards, header.deepest, layers, header.training)
    widths = [inputs_of(network.buckets), *(len(bias) for _, bias in layers)]
    fits = all(w.shape == pair for (w, _), pair in zip(layers, pairwise(widths)))
    if not layers or not fits or widths[-1] != PLAYERS * network.buckets:
        raise ValueError(f"the network's layers do not fit its {network.buckets} buckets")
    return network
