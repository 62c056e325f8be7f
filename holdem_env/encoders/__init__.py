"""Encoders: a learner's observations and actions. Choose a built-in encoder by name; pass your own as an object, or
register a name for it.

To add an encoder to these: a module here with a class (equity_features.py is short), the class in `OBSERVATIONS` or
`ACTIONS` below, and a table in docs/encoders.md, which `python -m holdem_env.encoders docs/encoders.md` fills. A
package of its own declares one by an entry point of the group holdem_env.observations or holdem_env.actions.
"""

from __future__ import annotations

import re
from collections.abc import Callable

from ..engine.bet_sizes import is_size
from ..game.rules import Rules
from ..game.rules_input import RulesLike, as_rules
from ..utils.registry import Registry
from ..utils.suggestions import suggestion
from .actions import FCPA, Limit, PotFractions
from .amounts import AllSizes, Continuous, ContinuousPair
from .base import ActionEncoder, BoxActionEncoder, EncoderError, ObservationEncoder
from .classic import Classic, ClassicActions, ClassicLimit, ClassicNoLimit
from .describing import described
from .equity_features import Equity
from .flat import Flat
from .functions import action_encoder, observation_encoder
from .planes import Planes
from .shown_cards import ShownCards
from .stack import Stack
from .tokens import Tokens

__all__ = [
    "ActionEncoder",
    "AllSizes",
    "BoxActionEncoder",
    "EncoderError",
    "ObservationEncoder",
    "PotFractions",
    "Stack",
    "action_encoder",
    "action_names",
    "describe",
    "get_actions",
    "get_observation",
    "observation_encoder",
    "observation_names",
    "register_actions",
    "register_observation",
]

NUMBERS = re.compile(r"\s*\d[\d.\s]*")

OBSERVATIONS: Registry[Callable[[], ObservationEncoder]] = Registry(
    "observation encoder",
    "holdem_env.observations",
    {one.name: one for one in (Flat, Planes, Tokens, Equity, ShownCards, Classic, ClassicLimit, ClassicNoLimit)},
)
ACTIONS: Registry[Callable[[], ActionEncoder]] = Registry(
    "action encoder",
    "holdem_env.actions",
    {one.name: one for one in (Limit, FCPA, PotFractions, ClassicActions, AllSizes, Continuous, ContinuousPair)},
)


def observation_names() -> list[str]:
    """The names that `get_observation` knows."""
    return OBSERVATIONS.names()


def action_names() -> list[str]:
    """The names that `get_actions` knows."""
    return ACTIONS.names()


def register_observation(name: str, make: Callable[[], ObservationEncoder]) -> None:
    """Register a name: `observation=name` then means the encoder that `make()` returns.

    Raises:
        ValueError: If the name contains a plus sign, which joins names.
    """
    if "+" in name:
        raise ValueError(f"register_observation: {name!r}: a name cannot contain a plus sign, which joins names")
    OBSERVATIONS.register(name, make)


def register_actions(name: str, make: Callable[[], ActionEncoder]) -> None:
    """Register a name: `actions=name` then means the encoder that `make()` returns."""
    ACTIONS.register(name, make)


def get_observation(encoder: str | ObservationEncoder) -> ObservationEncoder:
    """The observation encoder with this name; an encoder is returned unchanged. "flat+equity" joins both. Raises
    ValueError for an unknown name, TypeError for another type."""
    if isinstance(encoder, ObservationEncoder):
        return encoder
    if isinstance(encoder, str):
        parts = [_named_observation(name.strip()) for name in encoder.split("+")]
        return Stack(*parts) if len(parts) > 1 else parts[0]
    raise TypeError(f"observation: {encoder!r} is neither a name nor an ObservationEncoder; see observation_encoder")


def _named_observation(name: str) -> ObservationEncoder:
    if "," in name and name not in OBSERVATIONS:
        joined = "+".join(part.strip() for part in name.split(","))
        raise ValueError(f"there is no observation encoder {name!r}: a plus sign joins names, {joined!r}")
    return OBSERVATIONS.get(name)()


def get_actions(encoder: str | ActionEncoder | None, rules: Rules) -> ActionEncoder:
    """Return the action encoder with this name.

    Args:
        encoder: A name; bet sizes for a pot_fractions encoder, such as "33%, 75%, 2x, all-in" or "pot"; or an encoder,
            which is returned unchanged. None means `limit` if every phase is fixed limit, and `pot_fractions` otherwise
            (R19).
        rules: The game.

    Raises:
        ValueError: If the name is unknown.
        TypeError: If the encoder has another type.
    """
    if isinstance(encoder, ActionEncoder):
        return encoder
    if encoder is None:
        structures = {rules.structure, *rules.phase_values("structure")}
        encoder = "limit" if structures == {"fixed_limit"} else "pot_fractions"
    if not isinstance(encoder, str):
        raise TypeError(f"actions: {encoder!r} is neither a name nor an ActionEncoder; see action_encoder")
    if encoder in ACTIONS.registered:
        return ACTIONS.get(encoder)()
    if any(mark in encoder for mark in ",%") or is_size(encoder):
        return PotFractions(encoder)
    if numbers := NUMBERS.fullmatch(encoder) and encoder.split():
        sizes = ", ".join(f"{number}%" for number in numbers)
        raise ValueError(f"there is no action encoder {encoder!r}: for bet sizes in percent of the pot, give {sizes!r}")
    return ACTIONS.get(encoder)()


def describe(encoder: str | ObservationEncoder | ActionEncoder, rules: RulesLike) -> str:
    """Return the meanings of an encoder's numbers or actions in a game, as Markdown tables.

    Args:
        encoder: An encoder, its name, or bet sizes as text.
        rules: The game.

    Raises:
        ValueError: If the name is unknown.
        TypeError: If the encoder has another type.

    >>> print(describe("33%, all-in", "heads-up-no-limit"))
    Discrete(4)
    <BLANKLINE>
    | action | meaning |
    |---|---|
    | 0 | fold |
    | 1 | check or call |
    | 2 | raise 33% |
    | 3 | all-in |
    """
    game = as_rules(rules)
    return described(_named(encoder, game) if isinstance(encoder, str) else encoder, game)


def _named(name: str, rules: Rules) -> ObservationEncoder | ActionEncoder:
    """The encoder with a name: an observation's, or else actions'."""
    if "+" in name or name in OBSERVATIONS:
        return get_observation(name)
    try:
        return get_actions(name, rules)
    except ValueError:
        if any(mark in name for mark in ",%") or NUMBERS.fullmatch(name):
            raise
        known = [*observation_names(), *action_names()]
        raise ValueError(f"there is no encoder {name!r}: {suggestion(name, known)}") from None
