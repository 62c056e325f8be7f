"""Networks of your own class in a training (`learner.policy: FILE.py:NAME`)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import torch
from torch import nn

from .own_parts import part


def new_own_network(text: str, shape: Sequence[int], actions: int) -> Any:
    """An untrained network of the class that a part is, made with (shape, actions). Its method `logits_and_values`
    takes (B, *shape) float32 to (B, actions) logits, not normalized, and (B,) values.

    Raises ValueError if it is no module, or answers in other shapes.
    """
    try:
        network = part(text)(tuple(shape), actions)
    except TypeError as error:
        raise ValueError(f"learner.policy: {text} must be made with (shape, actions): {error}") from error
    if not isinstance(network, nn.Module):
        raise ValueError(f"learner.policy: {text} must be a torch.nn.Module, got {type(network).__name__}")
    with torch.no_grad():
        logits, values = network.logits_and_values(torch.zeros(2, *shape))  # type: ignore[operator] # it has the method
    if (logits.shape, values.shape) != ((2, actions), (2,)):
        raise ValueError(
            f"learner.policy: logits_and_values of {text} must return (B, {actions}) logits and (B,) values, got "
            f"{tuple(logits.shape)} and {tuple(values.shape)} for B = 2"
        )
    network.own_part = text  # type: ignore[assignment] # the name under which a model file finds it again
    return network
