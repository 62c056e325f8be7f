"""Random hands for the tests of the history room: any structure, any forced bets, short and deep stacks."""

from __future__ import annotations

import random
from typing import Any

from hypothesis import strategies as st

from holdem_env import Rules, Table


def play_randomly(table: Table, rng: random.Random, calm: float = 0.55, moves: int = 10_000) -> Table:
    """Play a table to its end, or for `moves` moves; a move is a call or check with probability `calm`. Who may choose
    to show does so half of the time."""
    chip = table.rules.smallest_chip
    for _ in range(moves):
        if table.is_over:
            break
        if table.is_showing:
            (table.show if rng.random() < 0.5 else table.muck)(table.actor)  # type: ignore[arg-type]
            continue
        legal = table.legal
        draw = rng.random()
        if draw < calm or (draw < calm + 0.15 and legal.call == 0):
            table.check_call()
        elif draw < calm + 0.15 or legal.raise_min is None or legal.raise_max is None:
            table.fold() if legal.call else table.check_call()
        else:
            sizes = (
                legal.raise_min,
                legal.raise_max,
                chip * rng.randint(legal.raise_min // chip, legal.raise_max // chip),
            )
            table.raise_to(max(legal.raise_min, min(legal.raise_max, rng.choice(sizes))))
    return table


@st.composite
def random_rules(
    draw: st.DrawFn, structures: tuple[str, ...] = ("no_limit", "pot_limit", "fixed_limit"), raked: bool = False
) -> Rules:
    """Texas hold'em of any kind that PHH can say, ours included."""
    seats = draw(st.integers(2, 10))
    structure = draw(st.sampled_from(structures))
    small, big = draw(st.sampled_from([(1, 2), (5, 10), (10, 15), (50, 100), (25, 25)]))
    antes = [{}, {}, {"ante": small}, {"big_blind_ante": big}, {"ante": 1, "big_blind_ante": big}]
    forced: dict[str, Any] = {**draw(st.sampled_from(antes))}
    if seats > 2 and draw(st.booleans()):
        forced |= {"straddle": 2 * big}
    if raked:
        by_pot = draw(st.lists(st.integers(0, 2 * big), max_size=4))
        forced["rake"] = {"percent": draw(st.sampled_from([5, 20, 60])), "by_pot": by_pot, "no_flop_no_drop": False}
    return Rules(structure=structure, seats=seats, blinds=(small, big), **forced)  # type: ignore[arg-type]


@st.composite
def random_tables(
    draw: st.DrawFn,
    structures: tuple[str, ...] = ("no_limit", "pot_limit", "fixed_limit"),
    least: int = 1,
    most: int = 5000,
    raked: bool = False,
) -> Table:
    """A finished hand; stacks are `least` to `most` hundredths of a big blind."""
    rules = draw(random_rules(structures, raked))
    cents = draw(st.lists(st.integers(least, most), min_size=rules.seats, max_size=rules.seats))
    stacks = [max(1, cent * rules.big_blind // 100) for cent in cents]
    seed = draw(st.integers(0, 2**32))
    table = Table(rules, stacks=stacks, button=draw(st.integers(0, rules.seats - 1)), seed=seed)
    return play_randomly(table, random.Random(seed))
