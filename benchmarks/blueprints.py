"""How strong blueprints are, one line of a table each, and how strength grows with training:

    python -m benchmarks.blueprints blueprint_100bb runs/mine/snapshots/*.strategy --jobs 2

Each strategy, a name or a .strategy file, plays duplicate matches without re-solving, is played against by local best
response, and on rivers of its own play, plain and re-solved, against an exact best response. `--only` chooses among
matches, lbr, resolved, rivers, hands, buckets and exploiters. `resolved` is local best response against play with
re-solving, which takes long; `hands` compares ways of re-solving against opponents who come to the river with other
hands than assumed; `buckets` trains a best response that sees the strategy's buckets alone, and plays a match with it;
`exploiters` trains learners against it, with bets above the tree's, too: two processor minutes each. Every figure has
its 95 % interval.
"""

from __future__ import annotations

import argparse
import csv
import json
import sys
import time
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, NamedTuple

from holdem_agents.training import exploit
from holdem_agents.training.blueprints.card import write_blueprint_card
from holdem_agents.training.config import Budget
from holdem_env.agents.names import agent_names
from holdem_env.arena import local_best_responses, play_match
from holdem_env.solvers.blueprints.agent import BlueprintAgent, shipped_path

from .by_buckets import best_response_by_buckets
from .measure import machine
from .on_rivers import river_exploitability
from .other_hands import other_hands

OPPONENTS = ("tight_aggressive", "pot_odds")
TURN, RIVER = 2, 3
STREETS = ("the start", "the flop", "the turn", "the river")
PARTS = ("matches", "lbr", "resolved", "rivers", "hands", "buckets", "exploiters")
EXPLOITERS = (
    "30%, 70%, 100%, 150%, 300%, all-in",
    "min, 50%, 100%, 300%, all-in",
    "min, 15%, 45%, 85%, 300%, all-in",
    "20%, 40%, 60%, 110%, 250%, 500%, all-in",
)
"""The bets of exploiters in no-limit: sizes that blueprints have, others, and some above the largest of their trees."""


VARIANTS: dict[str, dict[str, Any]] = {
    "the blueprint": {"search": None},
    "re-solved, no floor": {"floor": 0.0},
    "floor 2 %": {"floor": 0.02},
    "floor 10 %": {"floor": 0.1},
    "floor 20 %": {"floor": 0.2},
    "floor 50 %": {"floor": 0.5},
    "gadget": {"safe": "gadget"},
}
"""Ways of re-solving rivers, as parameters of the agent."""


class Setting(NamedTuple):
    """Of local best response: its actions, the street from which on it bets, and the blueprint's search."""

    actions: str
    street: int
    search: str | None = None

    @property
    def title(self) -> str:
        solved = f", {self.search} re-solved" if self.search else ""
        return f"LBR {self.actions} from {STREETS[self.street]}{solved}"


NO_LIMIT = (Setting("fc", 0), Setting("fcpa", 0), Setting("fcpa", TURN))
LIMIT = (Setting("fc", 0), Setting("limit", 0))


class Figure(NamedTuple):
    """One result. samples: hands or rivers."""

    strategy: str
    minutes: float
    deals: int
    measure: str
    unit: str
    mean: float
    half_width: float
    samples: int


Plan = argparse.Namespace
Found = Callable[[str, str, float, float, int], Figure]


def path_of(name: str) -> Path:
    """The file of a strategy that is given by name or file."""
    return shipped_path(name) if name in agent_names() else Path(name)


def figures(name: str, plan: Plan) -> Iterator[Figure]:
    """All figures of one strategy, as they are known."""
    path = path_of(name)
    agent = BlueprintAgent(path, None, seed=plan.seed)
    facts = agent.strategy.training

    def figure(measure: str, unit: str, mean: float, half: float, samples: int) -> Figure:
        return Figure(agent.name, facts.get("minutes", 0.0), facts.get("deals", 0), measure, unit, mean, half, samples)

    if "matches" in plan.only:
        for opponent in OPPONENTS:
            won = play_match(agent, opponent, agent.strategy.rules, plan.hands, plan.seed)
            yield figure(opponent, "bb/100", won.mean, won.half_width, won.hands)
    yield from _local(agent, path, plan, figure)
    if "exploiters" in plan.only:
        yield from _exploiters(agent, path, plan, figure)
    if "rivers" in plan.only:
        found = river_exploitability(agent.strategy, plan.rivers, plan.seed)
        yield figure("river", "% of the pot", *found.plain, found.rivers)
        yield figure("river", "mbb/h", *found.per_hand(found.plain_chips), found.rivers)
        if found.resolved is not None:
            yield figure("river, re-solved", "% of the pot", *found.resolved, found.rivers)
            yield figure("river, re-solved", "mbb/h", *found.per_hand(found.resolved_chips), found.rivers)
    if "buckets" in plan.only:
        response = best_response_by_buckets(agent.strategy, plan.deals, max(plan.jobs, 1), plan.seed)
        won = play_match(
            BlueprintAgent(response, None, name="response"), agent, agent.strategy.rules, plan.hands, plan.seed
        )
        yield figure("best response by buckets", "bb/100", won.mean, won.half_width, won.hands)
    if "hands" in plan.only:
        variants = other_hands(agent.strategy, plan.rivers, list(VARIANTS.values()), plan.seed)
        for title, variant in zip(VARIANTS, variants, strict=True):
            for measure, mean in variant._asdict().items():
                yield figure(f"{title}: {measure.replace('_', ' ')}", "% of the pot", *mean, plan.rivers)


def _exploiters(agent: BlueprintAgent, path: Path, plan: Plan, figure: Found) -> Iterator[Figure]:
    """What fresh exploiters win from play without search, greedily: of each menu of bets the best of its seeds."""
    rules, budget = agent.strategy.rules, Budget(decisions=plan.decisions)
    seeds = range(plan.seed + 1, plan.seed + 1 + plan.exploiter_seeds)
    menus = ("limit",) if rules.structure == "fixed_limit" else EXPLOITERS
    config = exploit.exploiter(str(path), rules, budget, hands=plan.hands)
    with TemporaryDirectory() as folder:
        every = [config.model_copy(update={"actions": menu, "seed": seed}) for menu in menus for seed in seeds]
        folders = [Path(folder, str(number)) for number in range(len(every))]
        found = list(exploit.exploit_all(str(path), every, folders, show=False, jobs=max(plan.jobs, 1)))
    for menu in menus:
        of_menu = [one.results[-1] for one, each in zip(found, every, strict=True) if each.actions == menu]
        best = max(of_menu, key=lambda result: result.mean)
        title = f"exploiter with {menu}; the best of {len(of_menu)}"
        yield figure(title, "bb/100", best.mean, best.half_width, best.hands)


def _local(agent: BlueprintAgent, path: Path, plan: Plan, figure: Found) -> Iterator[Figure]:
    """Local best response in the settings of the plan."""
    rules, settings = agent.strategy.rules, []
    is_limit = rules.structure == "fixed_limit"
    if "lbr" in plan.only:
        settings += [(each, plan.lbr_hands) for each in (LIMIT if is_limit else NO_LIMIT)]
    if "resolved" in plan.only:
        actions = "limit" if is_limit else "fcpa"
        settings.append((Setting(actions, RIVER), plan.river_hands))
        settings.append((Setting(actions, RIVER, "river"), plan.river_hands))
        settings.append((Setting(actions, TURN, "turn"), plan.turn_hands))
    with TemporaryDirectory() as folder:
        for setting, hands in settings:
            # A config file, as processes make the agent themselves.
            config = Path(folder, "agent.json")
            config.write_text(json.dumps(_config(path, setting)), encoding="utf-8")
            menu, streets = (setting.actions,), (setting.street,)
            for won in local_best_responses(str(config), rules, hands, menu, streets, plan.seed, plan.jobs):
                yield figure(setting.title, "mbb/h", won.mean, won.half_width, won.hands)


def _config(path: Path, setting: Setting) -> dict[str, Any]:
    """Of the agent."""
    return {"agent": str(path.resolve()), "search": setting.search}


def table(found: Iterable[Figure]) -> str:
    """Measures down, strategies across, as Markdown."""
    found = list(found)
    strategies = list(dict.fromkeys((each.strategy, each.minutes, each.deals) for each in found))
    cells = {(each.measure, each.unit, (each.strategy, each.minutes, each.deals)): _interval(each) for each in found}
    lines = ["| | " + " | ".join(name for name, *_ in strategies) + " |", "|---" + "|---:" * len(strategies) + "|"]
    lines.append("| minutes | " + " | ".join(f"{minutes:g}" for _, minutes, _ in strategies) + " |")
    lines.append("| deals | " + " | ".join(f"{deals:,}" for *_, deals in strategies) + " |")
    for measure, unit in dict.fromkeys((each.measure, each.unit) for each in found):
        row = (cells.get((measure, unit, strategy), "") for strategy in strategies)
        lines.append(f"| {measure}, {unit} | " + " | ".join(row) + " |")
    return "\n".join(lines)


def _interval(figure: Figure) -> str:
    digits = 1 if "%" in figure.unit else 0
    return f"{figure.mean:+,.{digits}f} ± {figure.half_width:,.{digits}f}"


def arguments(given: list[str] | None) -> Plan:
    """The command line, or an exit that says what is wrong with it."""
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks.blueprints", description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument("strategies", nargs="+", metavar="strategy", help="a name or a .strategy file")
    parser.add_argument(
        "--only", nargs="+", choices=PARTS, default=["matches", "lbr", "rivers"], help="what to measure"
    )
    for option, hands, what in (
        ("--hands", 40_000, "hands of each match"),
        ("--lbr-hands", 10_000, "hands of local best response without re-solving"),
        ("--river-hands", 2_000, "hands from the river, plain and with river re-solving"),
        ("--turn-hands", 500, "hands with turn re-solving"),
        ("--rivers", 200, "rivers for the exact best response"),
        ("--deals", 4_000_000, "deals from which each seat of a best response by buckets learns"),
        ("--decisions", 4_000_000, "decisions that each exploiter trains for"),
        ("--exploiter-seeds", 3, "exploiters with each menu of bets"),
        ("--jobs", 1, "processes of local best response, threads of training; -1 uses all cores"),
        ("--seed", 0, "of decks and rivers"),
    ):
        parser.add_argument(option, type=int, default=hands, metavar="N", help=f"{what} (%(default)s)")
    parser.add_argument("--cards", action="store_true", help="write each strategy's model card (.md) beside its file")
    parser.add_argument("--save", type=Path, metavar="FILE", help="a .csv file for the figures, as they are known")
    return parser.parse_args(given)


def main(given: list[str] | None = None) -> None:
    """Measure and print."""
    plan = arguments(given)
    print(machine(), flush=True)
    found: list[Figure] = []
    for name in plan.strategies:
        begun = time.perf_counter()
        for figure in figures(name, plan):
            found.append(figure)
            seconds = time.perf_counter() - begun
            print(f"{figure.strategy}: {figure.measure} {_interval(figure)} {figure.unit}, {seconds:.0f} s", flush=True)
            if plan.save:
                _save(plan.save, found)
            begun = time.perf_counter()
        if plan.cards:
            write_card(path_of(name), [each for each in found if each.strategy == path_of(name).stem])
    print("\n" + table(found))


def write_card(path: Path, found: list[Figure]) -> None:
    """The model card of a strategy, with these figures of it."""
    fields = "opponent", "bb_per_100", "half_width_95", "hands"
    matches = [each for each in found if each.measure in OPPONENTS]
    rows = [(each.measure, str(each.mean), str(each.half_width), str(each.samples)) for each in matches]
    others = [(each.measure, f"{_interval(each)} {each.unit}") for each in found if each.measure not in OPPONENTS]
    write_blueprint_card(path, path.with_suffix(".md"), [dict(zip(fields, row, strict=True)) for row in rows], others)


def _save(path: Path, found: list[Figure]) -> None:
    with path.open("w", newline="", encoding="utf-8") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(Figure._fields)
        writer.writerows(found)


if __name__ == "__main__":
    sys.exit(main())
