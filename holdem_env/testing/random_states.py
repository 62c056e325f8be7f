"""The random generators that an agent draws from, so that it can be asked twice with the same random numbers."""

from __future__ import annotations

import random
import sys
import weakref
from collections import deque
from collections.abc import Callable, Iterator
from types import BuiltinMethodType, FunctionType, MethodType, ModuleType
from typing import Any

import numpy as np

from ..agents.error_places import own_modules
from ..agents.protocol import Agent

MAX_OBJECTS = 20_000  # objects that are looked at in one agent
LEFT_OUT = (str, bytes, int, float, np.ndarray, ModuleType, type, FunctionType, *weakref.ProxyTypes)
"""Nothing is drawn from some of these; through the others everything is within reach."""


def taken_state(agent: Agent) -> Callable[[], None]:
    """Take the states of all generators that an agent can draw from: those that it holds, those of its own modules,
    and those of `random`, NumPy and PyTorch. Returns a function that puts them back."""
    steps = [step for thing in _generators(agent) if (step := _putting_back(thing))]
    python_state, numpy_state = random.getstate(), np.random.get_state()  # noqa: NPY002 - agents draw from it
    torch = sys.modules.get("torch")
    torch_state = torch.get_rng_state() if torch else None

    def put_back() -> None:
        random.setstate(python_state)
        np.random.set_state(numpy_state)  # noqa: NPY002
        if torch:
            torch.set_rng_state(torch_state)
        for step in steps:
            step()

    return put_back


def _putting_back(thing: Any) -> Callable[[], None] | None:
    """A function that restores a generator's present state; None if `thing` is not a generator."""
    if isinstance(thing, np.random.Generator):
        bits, bits_state = thing.bit_generator, thing.bit_generator.state
        return lambda: setattr(bits, "state", bits_state)
    if isinstance(thing, np.random.RandomState):
        old = thing.get_state()
        return lambda: thing.set_state(old)
    if isinstance(thing, random.Random) and not isinstance(thing, random.SystemRandom):
        state = thing.getstate()
        return lambda: thing.setstate(state)
    torch = sys.modules.get("torch")
    if torch and isinstance(thing, torch.Generator):
        tensor = thing.get_state()
        return lambda: thing.set_state(tensor) and None
    return None


def _generators(agent: Agent) -> Iterator[Any]:
    """Everything within reach of an agent that may be a generator: in its attributes, and in the variables of its own
    modules."""
    waiting, seen = deque[Any]([agent]), set[int]()
    for module in own_modules(agent):
        waiting += [value for value in vars(module).values() if _is_own(value, module)]
    while waiting and len(seen) < MAX_OBJECTS:
        thing = waiting.popleft()
        if id(thing) in seen or issubclass(type(thing), LEFT_OUT):
            continue
        seen.add(id(thing))
        yield thing
        waiting += _inside(thing)


def _is_own(value: Any, module: ModuleType) -> bool:
    """Whether a variable of a module may hold generators of its own: it is one, or plain, or of a class from there."""
    kind = type(value)
    return kind.__module__ in (
        "random",
        "numpy.random._generator",
        "numpy.random.mtrand",
        "torch._C",
        module.__name__,
    ) or (issubclass(kind, dict | list | tuple | set))


def _inside(thing: Any) -> list[Any]:
    if isinstance(thing, dict):
        return list(thing.values())
    if isinstance(thing, list | tuple | set | frozenset):
        return list(thing)
    if isinstance(thing, BuiltinMethodType | MethodType):  # such as generator.random
        return [thing.__self__]
    attributes = getattr(thing, "__dict__", None)
    return list(attributes.values()) if isinstance(attributes, dict) else []
