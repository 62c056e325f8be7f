"""A learner's opponents as people give them: one or several, with weights or without."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from numbers import Real
from pathlib import Path
from typing import Any

import numpy as np

from ..agents.protocol import Agent
from ..agents.registry import make_agent, without_search
from ..game.rules import Rules

OneOpponent = str | Path | Mapping[str, Any] | Agent
Opponent = OneOpponent | tuple[OneOpponent, float]
"""An agent, or what `make_agent` takes for one, alone or as (agent, weight)."""
OpponentsLike = Opponent | Sequence[Opponent]
"""What every argument `opponents` takes: one opponent or several."""


def as_opponents(opponents: OpponentsLike) -> Sequence[Opponent]:
    """The opponents as a sequence; a single one becomes a sequence of one."""
    if isinstance(opponents, str | Path | Mapping | Agent) or _is_pair(opponents):
        return [opponents]  # type: ignore[list-item]  # mypy does not see what _is_pair has found
    return opponents  # type: ignore[return-value]


def _is_pair(given: object) -> bool:
    """Whether this is one (agent, weight)."""
    return isinstance(given, tuple) and len(given) == 2 and isinstance(given[1], Real)


def weighted_agents(opponents: OpponentsLike, rules: Rules) -> list[tuple[Agent, float]]:
    """Each opponent's agent, which plays without search (`without_search`) unless it is given as an agent, and its
    share of all weights.

    Raises ValueError for an unknown name, for none at all, for weights that are none, and for an agent that cannot
    play `rules`.
    """
    given = as_opponents(opponents)
    try:
        pairs = [opponent if isinstance(opponent, tuple) else (opponent, 1.0) for opponent in given]
    except TypeError:
        raise ValueError(f"opponents: {opponents!r} is neither an agent nor its name, nor a list of them") from None
    for pair in pairs:
        if not _is_pair(pair):
            raise ValueError(f"opponents: {pair!r} is no pair of an agent and its weight, such as ('maniac', 0.5)")
    weights = np.array([weight for _, weight in pairs], np.float64)
    if not pairs or not np.isfinite(weights).all() or (weights < 0).any() or weights.sum() <= 0:
        raise ValueError(f"opponents: give agents with weights of 0 or more, not all 0, instead of {opponents!r}")
    shares = (weights / weights.sum()).tolist()
    made = [agent if isinstance(agent, Agent) else without_search(make_agent(agent)) for agent, _ in pairs]
    for agent in made:
        agent.check_rules(rules)
    return list(zip(made, shares, strict=True))
