"""ValueNetwork: the network in NumPy, and its file."""

from __future__ import annotations

from functools import lru_cache
from itertools import pairwise
from pathlib import Path
from typing import Any, Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ..card_tables import CardAbstraction
from ..files import Finite, Header, Text, opened, write
from .inputs import PLAYERS, Seen, features, inputs_of

Floats = NDArray[np.float32]
SUFFIX = ".safetensors"
SHIPPED = Path(__file__).parent / "shipped"
STREETS = {"turn": 3, "river": 4}
"""Cards on the board before the card of this street is dealt, by street."""


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
        """How many buckets its hands have."""
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
        zero_sum: Floats = values - excess / PLAYERS
        return zero_sum


class ValuesHeader(Header):
    """The header of a network's file: the fields of `ValueNetwork`; digest: of the buckets' boundaries."""

    kind: Literal["values"] = "values"
    format: Literal[2] = 2
    street: Literal["turn", "river"]
    cards: dict[str, Any]
    digest: Text
    deepest: Finite
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
        layers = tuple(
            (arrays[f"{k}.weight"].astype(np.float32), arrays[f"{k}.bias"].astype(np.float32))
            for k in range(len(arrays.names) // 2)
        )
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
