"""Helpers of the encoders' tests: games of every kind, tables in the middle of a hand, and what a seat sees there."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from holdem_env import Rules, Table
from holdem_env.encoders import ObservationEncoder, get_observation, observation_names

ONE_ROW = np.zeros(1, np.int64)
ENCODERS = [*observation_names(), "flat+equity", "planes+tokens+classic"]
GAMES = [
    Rules.preset("heads-up-no-limit"),
    Rules.preset("heads-up-limit"),
    Rules.preset("heads-up-pot-limit"),
    Rules.preset("leaflet"),
    Rules(seats=3, blinds=(1, 2), ante=1, stacks=(3, 60, 400), straddle=4),
    Rules(seats=4, blinds=(0, 0), ante=5, stacks=(50, 5, 200, 30)),
    Rules(structure="fixed_limit", seats=6, blinds=(1, 2), stacks=(90, 7, 30, 200, 1, 60), max_raises=None),
    Rules(structure="pot_limit", seats=10, blinds=(5, 10), big_blind_ante=10, stacks=300, reward_unit="chips"),
]


def observe(encoder: ObservationEncoder | str, table: Table, seat: int) -> NDArray[np.float32]:
    """What a seat sees, in the encoder's shape. Every number must have been written."""
    encoder = get_observation(encoder)
    out = np.full((1, encoder.size(table.rules)), np.nan, np.float32)
    encoder.observe(table.records, table.rules.record, ONE_ROW, np.array([seat]), out)
    assert not np.isnan(out).any()
    return out[0].reshape(encoder.shape(table.rules))


def random_move(table: Table, generator: np.random.Generator) -> int:
    """A legal move; raises are mostly small, so that hands are long."""
    least, most = table.legal.raise_min, table.legal.raise_max
    kind = generator.random()
    if least is None or most is None or kind < 0.6:
        return -1 if kind < 0.08 else 0
    chip = table.rules.smallest_chip
    between = least + int((most - least) * generator.random() ** 3) // chip * chip
    return int(generator.choice([least, between, most], p=[0.5, 0.45, 0.05]))


def hands(rules: Rules, count: int, seed: int = 0) -> Iterator[Table]:
    """Tables of one game at every moment of some random hands, the end included."""
    generator = np.random.default_rng(seed)
    for hand in range(count):
        table = Table(rules, button=hand % rules.seats, seed=seed * 1000 + hand)
        yield table
        while not table.is_over:
            table.play(random_move(table, generator))
            yield table
