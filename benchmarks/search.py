"""What search is worth: a blueprint alone, and searching from the river, the turn or the flop on.

    python -m benchmarks.search blueprint_100bb --jobs 2

Each plays other agents from the same sampled flops on, by whole ranges (`range_play`); the blueprint itself without
search is one of them. Then local best response plays each, with one hand. The difference to the blueprint alone, in
parentheses, has less luck than either figure. Everybody plays without search before the flop.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from holdem_env.agents import Agent, make_agent
from holdem_env.agents.registry import without_search
from holdem_env.arena.statistics.intervals import fixed_interval
from holdem_env.game.rules import Rules
from holdem_env.utils.runner import Runner, in_order

from .measure import machine
from .range_play import BestResponse, Player, Strategy, held_by, sampled_flop, won

SEARCHES: dict[str, dict[str, Any]] = {
    "none": {"search": None},
    "river": {"search": "river"},
    "turn": {"search": "turn"},
    "exact-turn": {"search": "turn", "values": "exact"},
    "flop": {"search": "flop"},
}
MENUS = "fcpa", "25%, 60%, 110%, 300%, all-in"
STREETS = {"flop": 1, "turn": 2, "river": 3}
SEED = 7
SEATS = 2
PART = 5
"""Flops that a process plays at a time."""
CENTS = 100
"""Big blinds per flop times this are bb/100."""


class Opponent(NamedTuple):
    """Who plays a blueprint. agent: its config; None for local best response, which has a menu and a first street."""

    label: str
    agent: dict[str, Any] | None
    menu: str = ""
    street: int = 0

    def against(self, agent: Agent, rules: Rules) -> Player:
        """It, as it plays an agent."""
        if self.agent is None:
            return BestResponse(agent, rules, self.menu, self.street)
        return Strategy(without_search(make_agent(self.agent)), rules)


class Flops(NamedTuple):
    """A part of a row. variants: the blueprint's configs; lines: for each flop and seat."""

    variants: list[dict[str, Any]]
    opponent: Opponent
    first: int
    lines: int


class Played(NamedTuple):
    """What came of it. won: (flops, variants), in bb/100. hands: that it took to come to these flops."""

    won: NDArray[np.float64]
    hands: int


def flops_played(task: Flops) -> Played:
    """What each variant won on each flop, the mean of both seats and all lines."""
    agents = [make_agent(variant) for variant in task.variants]
    plain = without_search(agents[0])
    rules: Rules = plain.facts.trained_on
    before = [Strategy(plain, rules), task.opponent.against(plain, rules)]
    pairs = [[Strategy(agent, rules), task.opponent.against(agent, rules)] for agent in agents]
    chips = np.zeros((PART, len(agents), SEATS, task.lines))
    hands = 0
    for flop in range(PART):
        number = task.first + flop
        for seat in range(SEATS):
            order = 1 if seat == 0 else -1
            start, took = sampled_flop(before[::order], rules, np.random.default_rng([SEED, number]))
            hands += took
            for variant, line in np.ndindex(len(agents), task.lines):
                random = np.random.default_rng([SEED, number, seat, line])
                here = held_by(start, 1 - seat, random) if task.opponent.agent is None else start
                chips[flop, variant, seat, line] = order * won(here, pairs[variant][::order], rules, random)
    return Played(chips.mean(axis=(2, 3)) / rules.big_blind * CENTS, hands)


def opponents(plan: argparse.Namespace) -> list[Opponent]:
    """Those that a plan names."""
    agents = [
        Opponent(name, {"agent": name, "deterministic": True} if name.endswith(".safetensors") else {"agent": name})
        for name in plan.opponents
    ]
    lbr = [
        Opponent(f"LBR {menu} from the {street}", None, menu, STREETS[street])
        for street in plan.lbr
        for menu in plan.menus
    ]
    return agents + lbr


def rows(plan: argparse.Namespace) -> Iterator[list[str]]:
    """The table's, as they are known."""
    variants = [{"agent": plan.agent, **SEARCHES[search]} for search in plan.searches]
    parts = range(0, plan.flops, PART)
    tasks = [Flops(variants, one, first, plan.lines) for one in opponents(plan) for first in parts]
    with Runner(plan.jobs) as runner:
        results = (outcome.result() for outcome in in_order(runner.run(flops_played, tasks)))
        for opponent in opponents(plan):
            played = [next(results) for _ in parts]
            share = len(parts) * PART * SEATS / sum(each.hands for each in played)
            yield [opponent.label, f"{100 * share:.0f}", *_cells(np.concatenate([each.won for each in played]))]


def _cells(won: NDArray[np.float64]) -> Iterator[str]:
    """Each mean with its interval; behind all but the first, the difference to that."""
    for column, each in enumerate(won.T):
        behind = f" ({_interval(each - won[:, 0])})" if column else ""
        yield _interval(each) + behind


def _interval(values: Sequence[float] | NDArray[np.float64]) -> str:
    found = fixed_interval(np.asarray(values))
    return f"{found.mean:+,.0f} ± {found.half_width:,.0f}"


def arguments(given: list[str] | None) -> argparse.Namespace:
    """The command line, or an exit that says what is wrong with it."""
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks.search", description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument("agent", help="a blueprint's name, or a .strategy file")
    parser.add_argument(
        "--searches",
        nargs="+",
        choices=SEARCHES,
        default=["none", "river", "turn", "flop"],
        help="compared with the first",
    )
    parser.add_argument("--flops", type=int, default=50, metavar="N", help="of each row (%(default)s)")
    parser.add_argument("--lines", type=int, default=3, metavar="N", help="for each flop and seat (%(default)s)")
    parser.add_argument(
        "--opponents", nargs="*", help="names, or .safetensors files (default: the blueprint alone, and ppo_100bb)"
    )
    parser.add_argument("--lbr", nargs="*", choices=STREETS, default=list(STREETS), help="streets LBR begins with")
    parser.add_argument("--menus", nargs="+", default=MENUS, help="LBR's bets")
    parser.add_argument("--jobs", type=int, default=1, help="processes; -1 uses all cores")
    plan = parser.parse_args(given)
    if plan.opponents is None:
        plan.opponents = [plan.agent, "ppo_100bb"]
    return plan


def main(given: list[str] | None = None) -> None:
    """Measure and print."""
    plan, begun = arguments(given), time.perf_counter()
    print(machine(), flush=True)
    print("| what it wins, bb/100 flops, from | flops in 100 hands | " + " | ".join(plan.searches) + " |")
    print("|---" + "|---:" * (1 + len(plan.searches)) + "|", flush=True)
    for row in rows(plan):
        print("| " + " | ".join(row) + " |", flush=True)
    print(f"{time.perf_counter() - begun:.0f} s")


if __name__ == "__main__":
    from benchmarks import search  # by its name, so that processes find what they are sent

    search.main()
