"""What the tests of Gymnasium's faces share."""

from __future__ import annotations

import warnings
from collections.abc import Iterator
from contextlib import contextmanager

import numpy as np

from holdem_env import Rules

HEADS_UP = Rules.preset("heads-up-no-limit")
GAMES = [
    HEADS_UP,
    Rules.preset("heads-up-limit"),
    Rules(structure="pot_limit", seats=3, ante=5),
    Rules(seats=6, straddle=True, stacks=(300, 2000, 10_000, 450, 5000, 100)),
]
SEAT = "holdem_env/HoldemSeat-v0"


@contextmanager
def no_warnings() -> Iterator[None]:
    """Warnings are errors in here; Gymnasium's checkers warn where they do not fail."""
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        yield


def pick(masks: np.ndarray, step: int) -> np.ndarray:
    """Some offered action for each row, different ones in different steps."""
    weights = np.random.default_rng(step).random(masks.shape)
    return (weights * masks).argmax(axis=-1)
