"""Play seeded random hands of varied rules and print a digest of every record after every move.

    python play_random_hands.py 100 [first seed]

Run with NUMBA_DISABLE_JIT=1 the engine is plain Python, and the digest must be the same: test_plain_python.py compares.
With HOLDEM_SHOW_HANDS=1 a line per hand is printed too, to find the first that differs.
"""

from __future__ import annotations

import hashlib
import os
import random
import sys

import numpy as np

from holdem_env import DealerErrors, Rake, Rules, Session, Table, Tables
from holdem_env.encoders import get_actions, get_observation
from holdem_env.game.presets import VARIANTS


def random_rules(rng: random.Random) -> Rules:
    """A game: few chips, so that many players are all-in, or many."""
    chip = rng.choice([1, 1, 5])
    big = rng.randint(2, 10)
    structure = rng.choice(["fixed_limit", "pot_limit", "no_limit"])
    seats = rng.choice([2, 3, 3, 4, 6, 9, 10])
    depth = rng.choice([2, 5, 20, 100])
    limit = {
        "max_raises": rng.choice([(3, 4, 4, 4), (1, 2, 3, 4), None]),
        "uncapped_heads_up": rng.choice(["never", "at_start", "when_two_left"]),
    }
    return Rules(
        structure=structure,
        seats=seats,
        blinds=(chip * rng.randint(0, big), chip * big),
        ante=chip * rng.choice([0, 0, 1, 3]),
        big_blind_ante=chip * rng.choice([0, 0, big]),
        straddle=chip * rng.choice([0, 0, 2 * big]) if seats > 2 else 0,
        reopen=rng.choice(["cumulative", "strict"]),
        reopen_fraction=rng.choice([None, 0.5, 1.0]),
        smallest_chip=chip,
        rake=rng.choice([None, Rake(percent=5), Rake(percent=3.5, cap=chip * 10, no_flop_no_drop=False)]),
        muck=rng.random() < 0.7,
        face_up_all_in=rng.random() < 0.5,
        stacks=tuple(chip * rng.randint(1, depth * big) for _ in range(seats)),
        dealer_errors=rng.choice([None, None, DealerErrors(**dict.fromkeys(DealerErrors.model_fields, 0.4))]),
        **(limit if structure == "fixed_limit" else {}),
    )


def random_move(table: Table, rng: random.Random) -> int:
    """A legal move."""
    legal = table.legal
    if legal.raise_min is None or rng.random() < 0.6:
        return -1 if rng.random() < 0.2 else 0
    chip = table.rules.smallest_chip
    return rng.choice([legal.raise_min, legal.raise_max, rng.randrange(legal.raise_min, legal.raise_max + 1, chip)])


def take_down(digest, table: Table, seat: int) -> None:
    """The record, field by field (what lies between the fields is anything), and what encoders make of it."""
    for name in table.records.dtype.names:
        digest.update(table.records[name].tobytes())
    rows, rules = np.zeros(1, np.int64), table.rules.record
    flat = get_observation("flat")
    observation = np.zeros((1, flat.size(table.rules)), np.float32)
    flat.observe(table.records, rules, rows, np.array([seat]), observation)
    digest.update(observation.tobytes())
    for name in ("limit", "pot_fractions"):
        actions = get_actions(name, table.rules)
        choices = np.zeros((1, actions.size(table.rules)), np.int64)
        actions.choose(table.records, rules, rows, choices)
        digest.update(choices.tobytes())


def play_hand(seed: int) -> str:
    """One hand through Table."""
    rng = random.Random(seed)
    rules = random_rules(rng)
    table = Table(rules, button=rng.randrange(rules.seats), seed=rng.randrange(2**63), hand=rng.randrange(1000))
    digest = hashlib.sha256()
    take_down(digest, table, 0)
    while not table.is_over:
        table.play(random_move(table, rng))
        take_down(digest, table, rng.randrange(rules.seats))
    digest.update("\n".join(map(str, table.log)).encode())
    return digest.hexdigest()


def play_session(seed: int, hands: int = 12) -> str:
    """Some hands of a session whose phases are other games, all encoders included (R19)."""
    rng = random.Random(seed)
    games = rng.sample([name for name in VARIANTS if name != "kuhn"], 3)
    phases = [{"hands": 1}, *({"game": name, rng.choice(["hands", "orbits"]): 1} for name in games)]
    rules = Rules(seats=rng.randint(2, 4), blinds=(1, 2), stacks=rng.randint(4, 80), session={"phases": phases})
    encoders = [get_observation(name) for name in ("flat", "planes", "tokens")]
    digest = hashlib.sha256()
    for table in Session(rules, seed=seed):
        while not table.is_over:
            for encoder in encoders:
                seen = np.zeros((1, encoder.size(rules)), np.float32)
                encoder.observe(table.records, rules.record, np.zeros(1, np.int64), np.array([table.actor]), seen)
                digest.update(seen.tobytes())
            table.play(random_move(table, rng))
        digest.update("\n".join(map(str, table.log)).encode())
        hands -= 1
        if not hands:
            break
    return digest.hexdigest()


def play_tables(seed: int, steps: int = 30) -> str:
    """A few steps of Tables."""
    rng = np.random.default_rng(seed)
    rules = Rules(seats=int(rng.integers(2, 7)), blinds=(1, 2), stacks=int(rng.integers(4, 60)))
    tables = Tables(rules, num_tables=3, seed=seed)
    digest = hashlib.sha256()
    for _ in range(steps):
        tables.step(np.array([rng.choice(np.flatnonzero(row)) for row in tables.mask]))
        for array in (tables.observation, tables.mask, tables.actor, tables.done, tables.reward):
            digest.update(array.tobytes())
    return digest.hexdigest()


def lines(hands: int, first: int = 0) -> list[str]:
    """A line for each hand: its seed, then digests."""
    return [
        f"{seed} {play_hand(seed)}" + (f" {play_tables(seed)} {play_session(seed)}" if seed % 10 == 0 else "")
        for seed in range(first, first + hands)
    ]


def main(hands: int, first: int = 0) -> None:
    found = lines(hands, first)
    if os.environ.get("HOLDEM_SHOW_HANDS"):
        print("\n".join(found))
    print(hashlib.sha256("".join(found).encode()).hexdigest())


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
