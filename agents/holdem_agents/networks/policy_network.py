"""The network of a trained agent as plain PyTorch: layers in a row, which a file can describe without any code, and a
recurrent layer for agents that remember earlier hands."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from math import prod
from typing import Annotated, Literal, Self

import numpy as np
import torch
from pydantic import Field
from torch import nn

from holdem_env.utils.validation import Validated

from .event_layer import COLUMNS, ENTRIES, NUMBERS, Events
from .suit_order import RANKS, SUITS, sort_suits

ACTIVATIONS: dict[str, type[nn.Module]] = {
    "relu": nn.ReLU,
    "tanh": nn.Tanh,
    "elu": nn.ELU,
    "leaky_relu": nn.LeakyReLU,
    "silu": nn.SiLU,
    "gelu": nn.GELU,
    "sigmoid": nn.Sigmoid,
}
"""The activations, all with PyTorch's defaults."""
Kind = Literal[
    "linear", "flatten", "canonical_suits", "events", "relu", "tanh", "elu", "leaky_relu", "silu", "gelu", "sigmoid"
]
Count = Annotated[int, Field(ge=1, lt=2**31)]
HAND_END = 2
"""A memory's inputs besides the features: whether the hand is over, and its result (`table_memory.hand_ends`)."""
GATES = 3


class CanonicalSuits(nn.Module):
    """Sorts the suits of an observation by the cards in them, so that the names of the suits do not matter.

    All suits are equal in hold'em. Observations that differ only by the names of the suits become the same, and
    nothing else is lost: whatever the network learns about one hand, it knows about every equivalent hand.
    cards: the index in a row where each set of 52 cards begins, numbered 4 * rank + suit.
    """

    def __init__(self, cards: Sequence[int]) -> None:
        super().__init__()
        self._cards = list(cards)
        self._places = np.array(self._cards, np.int64)

    @property
    def cards(self) -> tuple[int, ...]:
        return tuple(self._cards)

    def forward(self, observations: torch.Tensor) -> torch.Tensor:
        if observations.device.type == "cpu" and observations.dtype == torch.float32 and not observations.requires_grad:
            canonical = observations.clone()
            sort_suits(canonical.numpy(), self._places)
            return canonical
        if observations.device.type == "mps":  # it has no float64
            return self(observations.cpu()).to(observations.device)  # type: ignore[no-any-return]
        powers = 2 ** torch.arange(RANKS, dtype=torch.float64, device=observations.device)
        sets = [observations[:, at : at + RANKS * SUITS].reshape(-1, RANKS, SUITS) for at in self._cards]
        key = torch.zeros(len(observations), SUITS, dtype=torch.float64, device=observations.device)
        for cards in sets:  # the key of a suit encodes exactly which of its cards are in which set
            key = key * 2**RANKS + torch.einsum("brs,r->bs", cards.double(), powers)
        order = key.argsort(dim=1, descending=True)[:, None, :].expand(-1, RANKS, -1)
        canonical = observations.clone()
        for at, cards in zip(self._cards, sets, strict=True):
            canonical[:, at : at + RANKS * SUITS] = cards.gather(2, order).reshape(-1, RANKS * SUITS)
        return canonical


class Layer(Validated):
    """One layer. kind: "linear" (with inputs, outputs and bias), "flatten", "canonical_suits" (with cards, as in
    `CanonicalSuits`), "events" (`Events`, with its rows as inputs, and outputs), or an activation."""

    kind: Kind
    inputs: Count | None = None
    outputs: Count | None = None
    bias: bool = True
    cards: Annotated[tuple[Annotated[int, Field(ge=0, lt=2**31)], ...], Field(max_length=20)] = ()

    def module(self) -> nn.Module:
        """The layer, without weights of its own yet: it draws no random numbers."""
        if self.kind == "linear":
            assert self.inputs is not None
            assert self.outputs is not None
            linear: nn.Module = nn.Linear(self.inputs, self.outputs, self.bias, device="meta").to_empty(device="cpu")
            return linear
        if self.kind == "canonical_suits":
            return CanonicalSuits(self.cards)
        if self.kind == "events":
            assert self.inputs is not None
            assert self.outputs is not None
            return Events(self.inputs, self.outputs, "meta").to_empty(device="cpu")
        return nn.Flatten() if self.kind == "flatten" else ACTIVATIONS[self.kind]()


Layers = Annotated[tuple[Layer, ...], Field(max_length=100)]


class Memory(Validated):
    """The recurrent layer between the trunk and the heads. kind: "gru", a gated recurrent unit (Cho et al. 2014) as in
    `torch.nn.GRU`. inputs: the trunk's features, and `HAND_END` numbers. outputs: the width of its hidden state, which
    the heads get after the features. hands: the number of hands at a table after which the state is zeros again.
    """

    kind: Literal["gru"]
    inputs: Count
    outputs: Count
    hands: Count

    def shapes(self) -> Iterator[tuple[str, tuple[int, ...]]]:
        """The names of its tensors, and their shapes."""
        rows = GATES * self.outputs
        yield "memory.weight_ih_l0", (rows, self.inputs)
        yield "memory.weight_hh_l0", (rows, self.outputs)
        yield "memory.bias_ih_l0", (rows,)
        yield "memory.bias_hh_l0", (rows,)


class Architecture(Validated):
    """The layers of a network: a trunk, and on top of it the policy, which ends in a logit for each action, and the
    value, which ends in one number (it may be left out). memory: between the trunk and the other two, if there is one.
    """

    trunk: Layers
    policy: Layers
    value: Layers = ()
    memory: Memory | None = None

    def check(self, shape: tuple[int, ...], actions: int) -> None:
        """Raise ValueError if the layers do not lead from observations of this shape to this number of actions."""
        shape = _after("trunk", self.trunk, shape)
        if self.memory is not None:
            if shape != (self.memory.inputs - HAND_END,):
                raise ValueError(
                    f"the network's memory takes {self.memory.inputs - HAND_END} features and {HAND_END} more numbers; "
                    f"the trunk ends in the shape {list(shape)}"
                )
            shape = (shape[0] + self.memory.outputs,)
        heads = [("policy", self.policy, actions), *([("value", self.value, 1)] if self.value else [])]
        for name, layers, wanted in heads:
            given = _after(name, layers, shape)
            if given != (wanted,):
                raise ValueError(f"the network's {name} ends in the shape {list(given)}; {[wanted]} is needed")

    def shapes(self) -> dict[str, tuple[int, ...]]:
        """The names of the network's tensors, and their shapes."""
        return dict(self._shapes())

    def _shapes(self) -> Iterator[tuple[str, tuple[int, ...]]]:
        if self.memory is not None:
            yield from self.memory.shapes()
        for part in ("trunk", "policy", "value"):
            for place, layer in enumerate(getattr(self, part)):
                if layer.kind == "linear":
                    yield f"{part}.{place}.weight", (layer.outputs, layer.inputs)
                    if layer.bias:
                        yield f"{part}.{place}.bias", (layer.outputs,)
                elif layer.kind == "events":
                    yield f"{part}.{place}.table.weight", (ENTRIES + layer.inputs, layer.outputs)
                    yield f"{part}.{place}.numbers.weight", (layer.outputs, NUMBERS)
                    yield f"{part}.{place}.numbers.bias", (layer.outputs,)


def _after(part: str, layers: Sequence[Layer], shape: tuple[int, ...]) -> tuple[int, ...]:
    """The shape behind these layers. Raises ValueError if a layer does not fit on the one before."""
    for place, layer in enumerate(layers):
        where = f"layer {part}.{place} ({layer.kind})"
        if layer.kind == "linear":
            if layer.inputs is None or layer.outputs is None:
                raise ValueError(f"{where} needs inputs and outputs")
            if shape != (layer.inputs,):
                raise ValueError(f"{where} takes {layer.inputs} numbers; it is given the shape {list(shape)}")
            shape = (layer.outputs,)
        elif layer.kind == "events":
            if layer.inputs is None or layer.outputs is None:
                raise ValueError(f"{where} needs inputs and outputs")
            if shape != (layer.inputs, COLUMNS):
                raise ValueError(f"{where} takes {layer.inputs} rows of {COLUMNS}; it is given the shape {list(shape)}")
            shape = (layer.outputs,)
        elif layer.kind == "flatten":
            shape = (prod(shape),)
        elif layer.kind == "canonical_suits":
            ends = max(layer.cards, default=-1) + RANKS * SUITS
            if not layer.cards or len(shape) != 1 or ends > shape[0]:
                raise ValueError(f"{where} has cards at {list(layer.cards)}; it is given the shape {list(shape)}")
    return shape


class PolicyNetwork(nn.Module):
    """A network that plays: logits of the actions, and the value if it has one.

    shape: of one observation, without the batch. actions: how many there are. Raises ValueError if the layers do not
    fit together. The weights are undefined until `load_state_dict`.
    """

    def __init__(self, architecture: Architecture, shape: Sequence[int], actions: int) -> None:
        super().__init__()
        architecture.check(tuple(shape), actions)
        self.architecture, self.shape, self.actions = architecture, tuple(shape), actions
        self.trunk = nn.Sequential(*(layer.module() for layer in architecture.trunk))
        self.policy = nn.Sequential(*(layer.module() for layer in architecture.policy))
        self.value = nn.Sequential(*(layer.module() for layer in architecture.value))
        about = architecture.memory
        self.memory = nn.GRU(about.inputs, about.outputs, device="meta").to_empty(device="cpu") if about else None

    @classmethod
    def of(
        cls,
        trunk: Sequence[nn.Module],
        policy: Sequence[nn.Module],
        value: Sequence[nn.Module],
        shape: Sequence[int],
        actions: int,
        memory: nn.GRU | None = None,
        hands: int = 1,
    ) -> Self:
        """A network with copies of these modules' weights. memory: the recurrent layer, if there is one, whose
        state is zeros again after `hands` hands. Raises ValueError for a module that is not a `Layer`."""
        parts = {"trunk": trunk, "policy": policy, "value": value}
        layers = {name: tuple(map(layer_of, modules)) for name, modules in parts.items()}
        remembers = None
        if memory is not None:
            remembers = Memory(kind="gru", inputs=memory.input_size, outputs=memory.hidden_size, hands=hands)
        network = cls(Architecture(**layers, memory=remembers), shape, actions)
        weights = {name: nn.Sequential(*modules).state_dict() for name, modules in parts.items()}
        if memory is not None:
            weights["memory"] = memory.state_dict()
        network.load_state_dict(
            {f"{part}.{name}": tensor for part, tensors in weights.items() for name, tensor in tensors.items()}
        )
        return network

    def forward(self, observations: torch.Tensor) -> torch.Tensor:
        """(B, *shape) float32 observations to (B, actions) log-probabilities without masks. A network with memory
        starts from a hidden state of zeros, as at its first decision at a table."""
        logits = self.logits(observations)
        normalized: torch.Tensor = logits - logits.logsumexp(dim=-1, keepdim=True)
        return normalized

    def logits(self, observations: torch.Tensor) -> torch.Tensor:
        """(B, *shape) float32 observations to (B, actions) logits, which are not normalized."""
        logits: torch.Tensor = self.policy(self.first(self.trunk(observations)))
        return logits

    def values(self, observations: torch.Tensor) -> torch.Tensor:
        """(B, *shape) float32 observations to (B,) values, in the units of the training's rewards."""
        values: torch.Tensor = self.value(self.first(self.trunk(observations)))[:, 0]
        return values

    def recall(
        self, features: torch.Tensor, hand_end: torch.Tensor, hidden: torch.Tensor
    ) -> tuple[torch.Tensor, torch.Tensor]:
        """A step of the memory: the inputs of the heads, (B, F + W), and the hidden state after the step, (B, W).

        features: (B, F) of the trunk. hand_end: (B, HAND_END), zeros at a decision (`hand_ends` for the ends of hands).
        hidden: (B, W), the state before. Only for networks with memory.
        """
        assert self.memory is not None
        after = self.memory(torch.cat([features, hand_end], dim=1)[None], hidden[None])[1][0]
        return torch.cat([features, after], dim=1), after

    def first(self, features: torch.Tensor) -> torch.Tensor:
        """The inputs of the heads from the trunk's features, (B, F), with a hidden state of zeros."""
        if self.memory is None:
            return features
        count = len(features)
        return self.recall(
            features, features.new_zeros(count, HAND_END), features.new_zeros(count, self.memory.hidden_size)
        )[0]


def layer_of(module: nn.Module) -> Layer:
    """The description of a module. Raises ValueError for one that is not a layer of these kinds."""
    if type(module) is nn.Linear:
        return Layer(
            kind="linear", inputs=module.in_features, outputs=module.out_features, bias=module.bias is not None
        )
    if type(module) is CanonicalSuits:
        return Layer(kind="canonical_suits", cards=module.cards)
    if type(module) is Events:
        return Layer(kind="events", inputs=module.rows, outputs=module.outputs)
    for kind, activation in {"flatten": nn.Flatten, **ACTIVATIONS}.items():
        if type(module) is activation and repr(module) == repr(activation()):
            return Layer.model_validate({"kind": kind})
    raise ValueError(
        f"the network has a layer {module}; a model file knows Linear, Flatten and {', '.join(ACTIVATIONS)}"
    )
