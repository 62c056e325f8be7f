"""AIVAT's intervals beside those without it, pair by pair, and how often intervals hold a long match's mean.

    python -m benchmarks luck --repeats 20                      # twenty matches of each pair
    python -m benchmarks luck --repeats 20 --only "six seats"   # in chunks: only pairs with this text in their title

A match's ratio is its half-width with AIVAT to that without, of single hands and of duplicate deals. A match that has
no luck without AIVAT (`always_fold`) counts as wider if AIVAT's half-width is more than `NEGLIGIBLE`. Coverage is that
of AIVAT's intervals of `PART` deals: the truth is the mean of the pair's other matches, whose own error is allowed for.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from math import hypot

import numpy as np
from numpy.typing import NDArray

from holdem_env import Rules
from holdem_env.agents import Agent, KnownStrategy, make_agent
from holdem_env.agents.registry import without_search
from holdem_env.arena import Aivat, one_against_all, play_deals
from holdem_env.arena.statistics.deals import Deals
from holdem_env.arena.statistics.intervals import fixed_interval
from holdem_env.compiled.records import Records
from holdem_env.engine import record

from .measure import Options

Values = NDArray[np.float64]
DEALS, PART = 1_000, 200
NEGLIGIBLE = 0.01  # big blinds a hand
GAMES = {
    "no-limit": ("heads-up-no-limit", 1),
    "fixed limit": ("heads-up-limit", 1),
    "leduc": ("leduc", 1),
    "six seats": ("six-max-no-limit", 4),  # a quarter of the deals: each is played six times
}
PAIRS = (
    ("no-limit", "pot_odds", "calling_station"),
    ("no-limit", "tight_aggressive", "calling_station"),
    ("no-limit", "tight_aggressive", "maniac"),
    ("no-limit", "maniac", "random"),
    ("no-limit", "nit", "loose_aggressive"),
    ("no-limit", "loose_passive", "calling_station"),
    ("no-limit", "always_fold", "loose_aggressive"),
    ("no-limit", "rarely all-in", "calling_station"),
    ("no-limit", "rarely all-in", "rarely folds"),
    ("no-limit", "rarely folds", "tight_aggressive"),
    ("no-limit", "rarely all-in", "tight_aggressive"),
    ("no-limit", "ppo_100bb", "tight_aggressive"),
    ("no-limit", "blueprint_100bb", "ppo_100bb"),
    ("fixed limit", "ppo_limit", "calling_station"),
    ("fixed limit", "tight_aggressive", "loose_passive"),
    ("leduc", "random", "calling_station"),
    ("leduc", "random", "maniac"),
    ("six seats", "tight_aggressive", "calling_station"),
    ("six seats", "loose_aggressive", "nit"),
    ("six seats", "ppo_sixmax", "loose_passive"),
)


class Rarely(KnownStrategy):
    """Checks and calls, but goes all-in or folds once in 2,000 decisions."""

    def __init__(self, name: str, seed: int) -> None:
        super().__init__(seed)
        self.name = name

    def probabilities(
        self, tables: Records, rules: Rules, rows: NDArray[np.int64]
    ) -> tuple[NDArray[np.int64], NDArray[np.float64]]:
        """Return the two moves and their probabilities."""
        all_in = np.maximum(tables["raise_max"][rows].astype(np.int64), 0)
        other = all_in if self.name == "rarely all-in" else np.full(len(rows), record.FOLD)
        rare = np.where(other == 0, 0.0, 1 / 2000)
        return np.stack([np.zeros_like(other), other], axis=1), np.stack([1 - rare, rare], axis=1)


@dataclass
class Seen:
    """What the matches of a pair showed: ratios of half-widths, and the estimates by deal of each match."""

    ratios: list[float] = field(default_factory=list)
    estimates: list[Values] = field(default_factory=list)

    def add(self, without: Values, estimate: Values) -> None:
        """Count a match, in big blinds by deal."""
        with_it, base = fixed_interval(estimate).half_width, fixed_interval(without).half_width
        self.ratios.append(with_it / base if base > 0 else 1.0 if with_it <= NEGLIGIBLE else np.inf)
        self.estimates.append(estimate)

    def covered(self) -> list[bool]:
        """Return for each part of a match whether its interval holds the mean of the other matches."""
        found = []
        for match, values in enumerate(self.estimates):
            others = [each for place, each in enumerate(self.estimates) if place != match]
            if not others:
                continue
            truth = fixed_interval(np.concatenate(others))
            for part in np.array_split(values, max(1, len(values) // PART)):
                own = fixed_interval(part)
                found.append(abs(own.mean - truth.mean) <= hypot(own.half_width, truth.half_width) + 1e-9)
        return found


def agent_of(name: str, seed: int) -> Agent:
    """Return the agent of this name."""
    return Rarely(name, seed) if name.startswith("rarely") else without_search(make_agent(name))


def match(game: str, one: str, two: str, seed: int) -> Deals:
    """Play a match with AIVAT as a column."""
    preset, divisor = GAMES[game]
    rules = Rules.preset(preset)
    agents = [agent_of(one, seed), agent_of(two, seed)]
    numbers = range(DEALS // divisor)
    return play_deals(rules, agents, one_against_all(rules.seats), numbers, seed, columns=[Aivat()])


def line(title: str, single: Seen, duplicate: Seen, cells: str = "") -> str:
    """Return a row of the table."""
    for seen in (single, duplicate):
        cells += f"  {np.median(seen.ratios):6.2f} {max(seen.ratios):6.2f}"
    ratios = np.array(single.ratios + duplicate.ratios)
    covered = single.covered() + duplicate.covered()
    share = f"{100 * np.mean(covered):6.1f} % of {len(covered):,}" if covered else ""
    return f"  {title:48}{cells}  {int((ratios > 1.05).sum()):4} {int((ratios > 1.3).sum()):4}  {share}"


def main(options: Options) -> None:
    """Print the table, a row as soon as its matches are over."""
    print(
        f"\nAIVAT's half-width to that without it, {options.repeats} matches of {DEALS:,} deals (six seats: a quarter)"
    )
    print(f"  {'':48}  single, most   duplicate, most  >1.05 >1.3  coverage")
    for game, one, two in PAIRS:
        title = f"{game}: {one}, {two}"
        if not options.wants(title):
            continue
        single, duplicate = Seen(), Seen()
        for seed in range(options.repeats):
            deals = match(game, one, two, seed)
            single.add(deals.single(0), deals.single(0, "aivat"))
            duplicate.add(deals.per_deal(0), deals.per_deal(0, "aivat"))
        print(line(title, single, duplicate), flush=True)
