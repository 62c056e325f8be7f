"""Encoders: what a learner sees and what it can do. Built-in ones by name, your own by passing the object or
registering a name."""

from __future__ import annotations

from collections.abc import Callable

from ..rules import Rules
from ..validation import suggestion
from .actions import Limit, PotFractions
from .base import ActionEncoder, ObservationEncoder, action_encoder, observation_encoder
from .flat import Flat

__all__ = [
    "ActionEncoder",
    "ObservationEncoder",
    "action_encoder",
    "get_actions",
    "get_observation",
    "observation_encoder",
    "register_actions",
    "register_observation",
]

_OBSERVATIONS: dict[str, Callable[[], ObservationEncoder]] = {"flat": Flat}
_ACTIONS: dict[str, Callable[[], ActionEncoder]] = {"limit": Limit, "pot_fractions": PotFractions}


def register_observation(name: str, make: Callable[[], ObservationEncoder]) -> None:
    """Let `observation=name` mean the encoder that `make()` gives."""
    _OBSERVATIONS[name] = make


def register_actions(name: str, make: Callable[[], ActionEncoder]) -> None:
    """Let `actions=name` mean the encoder that `make()` gives."""
    _ACTIONS[name] = make


def get_observation(encoder: str | ObservationEncoder) -> ObservationEncoder:
    """The encoder itself, or the one of that name. Raises ValueError for an unknown name, TypeError for something
    else."""
    if isinstance(encoder, ObservationEncoder):
        return encoder
    if not isinstance(encoder, str):
        raise TypeError(
            f"observation: {encoder!r} is neither a name nor an ObservationEncoder; see observation_encoder"
        )
    if encoder not in _OBSERVATIONS:
        raise ValueError(f"there is no observation encoder {encoder!r}: {suggestion(encoder, list(_OBSERVATIONS))}")
    return _OBSERVATIONS[encoder]()


def get_actions(encoder: str | ActionEncoder | None, rules: Rules) -> ActionEncoder:
    """The encoder itself, or the one of that name; None means `limit` in fixed limit and `pot_fractions` otherwise.

    Bet sizes as text make a pot_fractions encoder: "33%, 75%, 2x, all-in". Raises ValueError for an unknown name,
    TypeError for something else.
    """
    if isinstance(encoder, ActionEncoder):
        return encoder
    if encoder is None:
        encoder = "limit" if rules.structure == "fixed_limit" else "pot_fractions"
    if not isinstance(encoder, str):
        raise TypeError(f"actions: {encoder!r} is neither a name nor an ActionEncoder; see action_encoder")
    if encoder in _ACTIONS:
        return _ACTIONS[encoder]()
    if any(mark in encoder for mark in ",%"):
        return PotFractions(encoder)
    raise ValueError(f"there is no action encoder {encoder!r}: {suggestion(encoder, list(_ACTIONS))}")
