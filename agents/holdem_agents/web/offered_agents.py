"""The agents that a page may choose from, and what there is to say of each before it plays."""

from __future__ import annotations

import inspect
from functools import cache
from importlib.metadata import EntryPoint
from pathlib import Path
from typing import Any, get_type_hints

from holdem_env.agents.names import AGENTS
from holdem_env.agents.protocol import Agent
from holdem_env.agents.registry import make_agent, needs_trust

from ..catalog import first_sentence
from ..playing import SEARCH, searching_from
from ..shipped import NAMES as TRAINED
from ..shipped.fitting import in_the_box, plays_networks

OTHERS = "holdem_env.protocols"  # agents of these modules need a program, a server or a key


@cache
def _makers() -> dict[str, Any]:
    """What makes each agent that has a name and needs nothing else."""
    points = {name: point for name, point in AGENTS.declared().items() if not point.value.startswith(OTHERS)}
    return {name: maker for name, point in sorted(points.items()) if (maker := _loaded(point)) is not None}


def _loaded(point: EntryPoint) -> Any:
    try:
        return point.load()
    except (ImportError, AttributeError):  # of a package whose extras are missing
        return None


def named_agents() -> list[str]:
    """The names of the agents that can be made from their name alone: trained ones in the box first, where the packages
    are installed that they need, then blueprints, then the others."""
    makers = _makers() | AGENTS.registered
    found = sorted(name for name, make in makers.items() if _needs_nothing(make))
    first, can_play = in_the_box(), plays_networks()
    others = [name for name in found if name not in first]
    return [*(name for name in first if name in found and (can_play or name not in TRAINED)), *others]


def _needs_nothing(make: Any) -> bool:
    try:
        inspect.signature(make).bind()
    except (TypeError, ValueError):
        return False
    return True


def about(name: str) -> str:
    """The first sentence of what an agent says of itself; for a file, where it lies."""
    make = (_makers() | AGENTS.registered).get(name)
    if make is None:
        return str(Path(name))
    return first_sentence(make)


def make_player(what: str, trust: bool = False) -> Agent:
    """An agent by its name or path, as `holdem play` has it: a blueprint that has no other setting searches from the
    flop on. trust: models may run code.

    Raises as `make_agent` does.
    """
    parameters = {"trust": True} if trust and needs_trust(what) else {}
    return searching_from(SEARCH, make_agent(what, **parameters))


def known_to_give_probabilities(name: str) -> bool | None:
    """Whether an agent with a name knows its probabilities; None if that is unknown without making it."""
    kind = _class_of(name)
    return None if kind is None else kind.probabilities is not Agent.probabilities


def _class_of(name: str) -> type[Agent] | None:
    """The class of an agent with a name; None if that is unknown without making it."""
    make = (_makers() | AGENTS.registered).get(name)
    if make is not None and not isinstance(make, type):
        try:
            make = get_type_hints(make).get("return")
        except (NameError, TypeError):
            return None
    return make if isinstance(make, type) and issubclass(make, Agent) else None
