"""Networks of your own class in a training (`learner.policy: FILE.py:NAME`)."""

from __future__ import annotations

from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from torch import nn

from holdem_env import Rules, Table
from holdem_env.encoders import ObservationEncoder

from ..custom_code import own_errors, part


def first_observation(observation: ObservationEncoder, rules: Rules) -> NDArray[np.float32]:
    """What the first to act of a new hand sees, twice: (2, *shape) float32, a batch to try a network with."""
    table, seen = Table(rules, seed=0), np.empty((1, observation.size(rules)), np.float32)
    seats = np.array([max(table.records["actor"][0], 0)], np.int64)
    observation.observe(table.records, rules.record, np.zeros(1, np.int64), seats, seen)
    return np.repeat(seen, 2, axis=0).reshape(2, *observation.shape(rules))


def new_own_network(text: str, examples: NDArray[np.float32], actions: int) -> Any:
    """An untrained network of the class that a part is, made with (shape, actions): `ppo.LearningNetwork` says what it
    must have.

    examples: (2, *shape) float32, observations to try it with. Raises ValueError if it is no module, or answers in
    other shapes; OwnCodeError if it fails.
    """
    with own_errors(text):
        try:
            network = part(text)(examples.shape[1:], actions)
        except TypeError as error:
            if error.__traceback__ and error.__traceback__.tb_next:  # raised within the class
                raise
            raise ValueError(f"learner.policy: {text} must be made with (shape, actions): {error}") from error
        if not isinstance(network, nn.Module):
            raise ValueError(f"learner.policy: {text} must be a torch.nn.Module, got {type(network).__name__}")
        with torch.no_grad():
            answer: Any = network.logits_and_values(torch.from_numpy(examples))  # type: ignore[operator] # it has it
    shapes = [tuple(getattr(each, "shape", ())) for each in answer] if isinstance(answer, tuple) else type(answer)
    if shapes != [(2, actions), (2,)]:
        raise ValueError(
            f"learner.policy: logits_and_values of {text} must return (B, {actions}) logits and (B,) values, got "
            f"{shapes} for B = 2"
        )
    network.own_part = text  # type: ignore[assignment] # the name under which a model file finds it again
    return network
