"""Fuzz of saved states, for test_damaged_states.py: what loads must play, in a process that may crash.

    python damaged_states.py 200 [first seed]

Prints how many states were refused and how many were played. Ends with a traceback where anything else happens: another
error than ValueError, or a table that is not as every table is between two moves. HOLDEM_CHECKS=1 finds more: an index
out of bounds, and broken tables after each step.
"""

from __future__ import annotations

import faulthandler
import sys
from collections.abc import Iterator

import numpy as np

from holdem_env import DealerErrors, Rules, Tables
from holdem_env.engine.invariants import all_fields, first_broken
from holdem_env.engine.record import TABLE, Records, column
from holdem_env.game.presets import PRESETS

TABLES, BEFORE, STEPS = 8, 40, 60
ERRORS = DealerErrors(**dict.fromkeys(DealerErrors.model_fields, 0.3))
PHASES = [{"structure": "fixed_limit", "hands": 2}, {"game": "omaha", "hands": 2}, {"game": "leduc", "hands": 1}]
LEVELS = [{"hands": 3}, {"times": 2}]
GAMES = (
    Rules.preset("heads-up-no-limit"),
    Rules(structure="fixed_limit", seats=3, ante=10, rake={"percent": 5, "cap": 300}),
    Rules(seats=4, straddle=True, stacks=(300, 2000, 10_000, 450), dealer_errors=ERRORS),
    Rules(seats=3, structure="fixed_limit", dealer_errors=ERRORS),
    Rules(seats=3, blinds=(50, 100), stacks=500, session={"phases": PHASES, "levels": LEVELS}),
    Rules(seats=5, blinds=(50, 100), stacks=1500, dealer_errors=ERRORS, session={"levels": LEVELS}),
    Rules(seats=6, blinds=(50, 100), stacks=900, session={"rebuy": 900, "num_hands": 40}),
    *map(Rules.preset, PRESETS),
)
FEW = (-3, -2, -1, 0, 1, 2, 3, 5, 9, 10, 51, 52, 64)
MANY = (-(2**63), -(2**31), -128, 127, 2**15, 2**31, 2**62, 2**63 - 1)


def damage(state: np.ndarray, generator: np.random.Generator) -> list[str]:
    """Damage one or two places of a state's records, (N, itemsize) uint8: fields get other values, or bytes change.
    Returns what was damaged."""
    records = state.view(TABLE)[:, 0]
    damage_one = damage_field if generator.random() < 0.5 else damage_byte
    return [damage_one(records, generator) for _ in range(generator.integers(1, 3))]


def damage_field(records: Records, generator: np.random.Generator) -> str:
    """Give a place of a field another value."""
    name = str(generator.choice(all_fields()))
    places = column(records, name)
    place = tuple(int(generator.integers(0, size)) for size in places.shape)
    value = int(generator.choice(FEW + MANY)) if generator.random() < 0.6 else int(generator.integers(0, 120))
    limits = np.iinfo(places.dtype)
    places[place] = min(max(value, limits.min), limits.max)
    return f"{name}{list(place)}"


def damage_byte(records: Records, generator: np.random.Generator) -> str:
    """Change a byte of a record: to anything, in a bit, or by one."""
    row, hot = int(generator.integers(0, len(records))), 192  # what every decision reads stands in the first lines
    at = int(generator.integers(0, hot if generator.random() < 0.4 else TABLE.itemsize))
    data = records.view(np.uint8).reshape(len(records), -1)
    old = int(data[row, at])
    new = (int(generator.integers(0, 256)), old ^ 1 << int(generator.integers(0, 8)), (old + 1) % 256, (old - 1) % 256)
    data[row, at] = generator.choice(new)
    return f"byte {at} of table {row}"


def tried(count: int, first: int) -> Iterator[bool]:
    """For each damaged state whether it was refused; the others are played."""
    running = [Tables(rules, TABLES, seed=1) for rules in GAMES]
    for seed in range(first, first + count):
        generator = np.random.default_rng(seed)
        tables = running[seed % len(running)]
        tables.reset(seed)
        for salt in range(int(generator.integers(0, BEFORE))):
            tables.step(tables.random_actions(salt))
        state = tables.state_dict()
        what = damage(state["records"], generator)
        print(seed, what, file=sys.stderr, flush=True)  # the last line is what crashed
        try:
            tables.load_state_dict(state)
        except ValueError as error:
            if "the state is damaged: table " not in str(error):
                raise
            yield True
            continue
        for salt in range(STEPS):
            tables.step(tables.random_actions(salt))
            assert first_broken(tables.records, tables.rules.record) is None
        yield False


def main(count: int, first: int) -> None:
    faulthandler.enable()
    refused = sum(tried(count, first))
    print(refused, count - refused)


if __name__ == "__main__":
    main(int(sys.argv[1]), int(sys.argv[2]) if len(sys.argv) > 2 else 0)
