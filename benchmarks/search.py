"""What search is worth: a blueprint alone, and searching from the river, the turn or the flop.

    python -m benchmarks.search blueprint_100bb --jobs 2

Local best response plays all of them on the same deals, so that the difference to the blueprint alone, in parentheses,
has less luck than either figure. Then each that searches plays the blueprint alone and `ppo_100bb`, by duplicate deals
and AIVAT. Run folders of exploiters, trained against the blueprint alone (`holdem exploit`), play all of them, too, on
the same deals.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Iterator, Sequence
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from holdem_env.agents import make_agent
from holdem_env.arena import Aivat, AllInValue, one_against_all, play_deals
from holdem_env.arena.best_responses.local import won_by_deal
from holdem_env.arena.statistics.estimates import columns_of
from holdem_env.arena.statistics.intervals import fixed_interval
from holdem_env.game.rules import Rules
from holdem_env.utils.runner import Runner, in_order

from .measure import machine

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
PART = 250
"""Hands that a process plays at a time."""
CENTS = 100
"""Big blinds per hand times this are bb/100."""


class Response(NamedTuple):
    """A part of a run of local best response."""

    agent: dict[str, Any]
    menu: str
    street: str
    part: int


class Match(NamedTuple):
    """A part of a match. aivat: whether to estimate it so; otherwise by all-in value."""

    agent: dict[str, Any]
    opponent: dict[str, Any]
    part: int
    aivat: bool


def responded(task: Response) -> NDArray[np.float64]:
    """What local best response won in each deal, in mbb/h."""
    agent = make_agent(task.agent)
    rules: Rules = agent.trained_on  # type: ignore[attr-defined]
    return won_by_deal(agent, rules, PART, task.menu, STREETS[task.street], SEED, part=task.part)


def played(task: Match) -> NDArray[np.float64]:
    """What the agent won in each deal, in bb/100, by the estimator with the least luck."""
    agents = [make_agent(task.agent), make_agent(task.opponent)]
    rules: Rules = next(each.trained_on for each in agents if getattr(each, "trained_on", None))
    columns: list[Any] = [AllInValue()]
    if task.aivat:
        columns.append(_values(task.agent["agent"], task.opponent["agent"]))
    first = task.part * PART // 2
    numbers = range(first, first + PART // 2)
    deals = play_deals(rules, agents, one_against_all(2), numbers, SEED, columns)
    return deals.per_deal(0, columns_of(deals)[-1]) * CENTS


@cache
def _values(one: str, other: str) -> Aivat:
    """AIVAT's value function, learned from other decks and from play without search."""
    agents = [make_agent(name).plain() for name in (one, other)]
    rules: Rules = next(each.trained_on for each in agents if getattr(each, "trained_on", None))
    return Aivat.learned(rules, agents, deals=2_000)


def variants(plan: argparse.Namespace) -> list[dict[str, Any]]:
    """The blueprint alone, then with search."""
    return [{"agent": plan.agent, **SEARCHES[search]} for search in plan.searches]


def parts(hands: int) -> range:
    """The numbers of the parts that a number of hands makes."""
    return range(-(-hands // PART))


def rows(plan: argparse.Namespace) -> Iterator[list[str]]:
    """The table's, as they are known."""
    with Runner(plan.jobs) as runner:
        settings = [(menu, street) for menu in MENUS for street in plan.streets if plan.lbr_hands]
        tasks = [
            Response(one, menu, street, part)
            for menu, street in settings
            for one in variants(plan)
            for part in parts(plan.lbr_hands)
        ]
        results = (outcome.result() for outcome in in_order(runner.run(responded, tasks)))
        for menu, street in settings:
            won = [np.concatenate([next(results) for _ in parts(plan.lbr_hands)]) for _ in plan.searches]
            yield [f"LBR {menu} from the {street}, mbb/h", *_cells(won)]
        if plan.hands:
            yield from _matches(plan, runner)


def _matches(plan: argparse.Namespace, runner: Runner) -> Iterator[list[str]]:
    plain, *searching = variants(plan)
    yield [
        "against the blueprint alone, bb/100",
        "",
        *map(_interval, [_won(runner, one, plain, plan.hands, aivat=True) for one in searching]),
    ]
    for name in plan.opponents:
        found = [_won(runner, one, {"agent": name}, plan.hands, aivat=True) for one in variants(plan)]
        yield [f"against {name}, bb/100", *_cells(found)]
    for folder in plan.exploiters:
        exploiter = {"agent": str(folder / "final.safetensors"), "deterministic": True}
        found = [_won(runner, exploiter, one, plan.exploiter_hands, aivat=False) for one in variants(plan)]
        yield [f"what exploiter {folder.name} wins, bb/100", *_cells(found)]


def _won(runner: Runner, one: dict[str, Any], other: dict[str, Any], hands: int, aivat: bool) -> NDArray[np.float64]:
    """What the first won in each deal, in bb/100."""
    tasks = [Match(one, other, part, aivat) for part in parts(hands)]
    return np.concatenate([outcome.result() for outcome in in_order(runner.run(played, tasks))])


def _cells(won: Sequence[NDArray[np.float64]]) -> list[str]:
    """Each mean with its interval; behind all but the first, the difference to that."""
    plain, *others = won
    return [_interval(plain), *(f"{_interval(each)} ({_interval(each - plain)})" for each in others)]


def _interval(values: NDArray[np.float64]) -> str:
    found = fixed_interval(values)
    return f"{found.mean:+,.0f} ± {found.half_width:,.0f}"


def arguments(given: list[str] | None) -> argparse.Namespace:
    """The command line, or an exit that says what is wrong with it."""
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks.search", description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument("agent", help="a blueprint's name, or a .strategy file")
    parser.add_argument(
        "--searches", nargs="+", choices=SEARCHES, default=["none", "river", "turn"], help="compared with the first"
    )
    parser.add_argument("--streets", nargs="+", choices=STREETS, default=["turn", "river"], help="that LBR begins with")
    parser.add_argument("--lbr-hands", type=int, default=2_000, metavar="N", help="of each setting (%(default)s)")
    parser.add_argument(
        "--hands", type=int, default=4_000, metavar="N", help="of each match; 0 plays none (%(default)s)"
    )
    parser.add_argument("--opponents", nargs="*", default=["ppo_100bb"], help="besides the blueprint alone")
    parser.add_argument("--exploiters", nargs="*", type=Path, default=[], metavar="FOLDER", help="run folders")
    parser.add_argument("--exploiter-hands", type=int, default=4_000, metavar="N", help="of each (%(default)s)")
    parser.add_argument("--jobs", type=int, default=1, help="processes; -1 uses all cores")
    return parser.parse_args(given)


def main(given: list[str] | None = None) -> None:
    """Measure and print."""
    plan = arguments(given)
    print(machine(), flush=True)
    print("| | search: " + " | ".join(plan.searches) + " |\n|---" + "|---:" * len(plan.searches) + "|", flush=True)
    for row in rows(plan):
        print("| " + " | ".join(row) + " |", flush=True)
    print(f"{time.process_time():.0f} s of this process", file=sys.stderr)


if __name__ == "__main__":
    from benchmarks import search  # by its name, so that processes find what they are sent

    search.main()
