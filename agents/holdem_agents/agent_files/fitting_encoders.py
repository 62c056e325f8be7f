"""Which encoders a model was trained with, as far as its spaces tell: for model files that do not say so."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import combinations
from typing import Any

from gymnasium.spaces import Box, Discrete

from holdem_env.encoders import (
    ActionEncoder,
    ObservationEncoder,
    action_names,
    get_actions,
    get_observation,
    observation_names,
)
from holdem_env.encoders.classic import Classic, ClassicActions
from holdem_env.game.rules import Rules


def fitting_observation(space: Any, rules: Rules, who: str) -> ObservationEncoder:
    """The encoder, of those with names and pairs of them ("flat+equity"), with this observation space in this game.

    Sizes may agree by chance. A pair is therefore taken only if no single encoder fits in one of the presets: that is
    more likely the game of training.

    Raises ValueError if none fits, or several with different numbers do; the message says what to give.
    """
    if not isinstance(space, Box):
        raise ValueError(f"{who} observes {space}; an array of numbers (a Box) is needed, as our encoders give")
    found = _distinct(observation_names(), space, rules)
    if not found and not (presets := _fitting_presets(space)):
        found = _fitting_pairs(space, rules)
    if not found:
        raise ValueError(
            f"{who} observes an array of shape {space.shape}, as no encoder in this game: {_hint(presets)}"
        )
    if len(found) > 1:
        names = ", ".join(repr(encoder.name) for encoder in found)
        raise ValueError(f"{who} may observe {names}: say which, with observation=")
    return found[0]


def fitting_actions(space: Any, rules: Rules, who: str, observation: ObservationEncoder) -> ActionEncoder:
    """The encoder with this action space in this game: the game's default if that fits, else one that has a name.

    Who observes PettingZoo's numbers acts by its actions, `classic_actions`; with others a menu of as many bet sizes is
    more likely.

    Raises ValueError if none fits, or several do; the message says what to give.
    """
    if not isinstance(space, Discrete):
        raise ValueError(f"{who} has the actions {space}; numbered actions (Discrete) are needed")
    count = int(space.n)
    default = get_actions(None, rules)
    if default.space(rules) == space:
        return default
    named = [get_actions(name, rules) for name in action_names()]
    fitting = [encoder for encoder in named if _space(encoder, rules) == space]
    is_classic = observation.name.startswith(Classic.name)
    others = [encoder for encoder in fitting if not isinstance(encoder, ClassicActions)]
    found = [encoder for encoder in fitting if is_classic and encoder not in others] or others
    if not found:
        raise ValueError(
            f"{who} has {count} actions; this game's default encoder has {default.size(rules)}: give the encoder that "
            "it was trained with, by name or by its bet sizes, such as actions='50%, 100%, all-in'"
        )
    if len(found) > 1:
        raise ValueError(f"{who} may act by {', '.join(repr(one.name) for one in found)}: say which, with actions=")
    return found[0]


def _fitting_pairs(space: Any, rules: Rules) -> list[ObservationEncoder]:
    """The pairs that fit, in the order of the names; of several with the same numbers, one."""
    singles = [name for name in observation_names() if _space(name, rules) is not None]
    return _distinct(("+".join(pair) for pair in combinations(singles, 2)), space, rules)


def _distinct(names: Iterable[str], space: Any, rules: Rules) -> list[ObservationEncoder]:
    """The encoders that fit; of several with the same numbers, one."""
    found: dict[str, ObservationEncoder] = {}
    for name in names:
        if _space(name, rules) == space:
            encoder = get_observation(name)
            found.setdefault(repr(encoder.layout(rules)), encoder)
    return list(found.values())


def _space(encoder: ObservationEncoder | ActionEncoder | str, rules: Rules) -> Any:
    """The space of an encoder; None where it does not have this game, or a pair of names does not go together."""
    try:
        return (get_observation(encoder) if isinstance(encoder, str) else encoder).space(rules)
    except ValueError:
        return None


def _fitting_presets(space: Any) -> list[str]:
    """The presets in which a single encoder fits, each with the encoder, in words."""
    fits = []
    for preset in Rules.presets():
        found = _distinct(observation_names(), space, Rules.preset(preset))
        fits += [f"{preset!r} with {encoder.name!r}" for encoder in found[:1]]
    return fits


def _hint(presets: list[str]) -> str:
    if not presets:
        return "give the encoder that it was trained with, as observation="
    return f"it fits {', '.join(presets[:4])}: give the game of training, as rules=, or the encoder, as observation="
