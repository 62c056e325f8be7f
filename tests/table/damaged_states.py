"""Fuzz of saved states, for test_damaged_states.py: what loads must play, in a process that may crash.

    python damaged_states.py 200 [first seed]

Prints how many states were refused and how many were played. Reports a traceback where anything else happens.
"""

from __future__ import annotations

import faulthandler
import sys

import numpy as np

from holdem_env import DealerErrors, Rules, Tables
from holdem_env.engine.invariants import all_fields
from holdem_env.engine.record import TABLE, Records, column

TABLES, STEPS = 8, 200
ERRORS = DealerErrors(**dict.fromkeys(DealerErrors.model_fields, 0.3))
PHASES = [{"structure": "fixed_limit", "hands": 2}, {"game": "omaha", "hands": 2}, {"game": "leduc", "hands": 1}]
SESSION = {"phases": PHASES, "levels": [{"hands": 3}, {"times": 2}]}
GAMES = (
    Rules.preset("heads-up-no-limit"),
    Rules(structure="fixed_limit", seats=3, ante=10, rake={"percent": 5, "cap": 300}),
    Rules(seats=4, straddle=True, stacks=(300, 2000, 10_000, 450), dealer_errors=ERRORS),
    Rules(seats=3, blinds=(50, 100), stacks=500, session=SESSION),
    Rules(seats=6, blinds=(50, 100), stacks=900, session={"rebuy": 900, "num_hands": 40}),
)
INTERESTING = (
    -(2**63),
    -(2**31),
    -128,
    -3,
    -2,
    -1,
    0,
    1,
    2,
    3,
    5,
    9,
    10,
    51,
    52,
    64,
    127,
    2**15,
    2**31,
    2**62,
    2**63 - 1,
)


def damage(records: Records, generator: np.random.Generator) -> list[str]:
    """Set a few places of a few fields to other values; returns the fields' names."""
    names = [str(name) for name in generator.choice(all_fields(), generator.integers(1, 3))]
    for name in names:
        places = column(records, name)
        place = tuple(generator.integers(0, size) for size in places.shape)
        value = int(generator.choice(INTERESTING)) if generator.random() < 0.6 else int(generator.integers(0, 120))
        limits = np.iinfo(places.dtype)
        places[place] = min(max(value, limits.min), limits.max)
    return names


def main(count: int, first: int) -> None:
    faulthandler.enable()
    refused = 0
    running = [Tables(rules, TABLES, seed=1) for rules in GAMES]
    for seed in range(first, first + count):
        generator = np.random.default_rng(seed)
        tables = running[seed % len(running)]
        tables.reset(seed)
        for _ in range(int(generator.integers(0, 30))):
            tables.step(tables.random_actions())
        state = tables.state_dict()
        names = damage(state["records"].view(TABLE)[:, 0], generator)
        print(seed, names, file=sys.stderr, flush=True)  # the last line is what crashed
        try:
            tables.load_state_dict(state)
        except ValueError as error:
            if "the state is damaged: table " not in str(error):
                raise
            refused += 1
            continue
        for salt in range(STEPS):
            tables.step(tables.random_actions(salt))
    print(refused, count - refused)


if __name__ == "__main__":
    main(int(sys.argv[1]), int(sys.argv[2]) if len(sys.argv) > 2 else 0)
