"""Tournaments: what fifty agents cost, and how many hands the order of eight takes by each schedule."""

from __future__ import annotations

import resource
import sys
from pathlib import Path
from tempfile import TemporaryDirectory

from holdem_env import Rules
from holdem_env.arena.reports.html_report import write_report
from holdem_env.arena.tournaments.shards import Played
from holdem_env.arena.tournaments.standings import standings
from holdem_env.arena.tournaments.store import Store
from holdem_env.arena.tournaments.tournament import Tournament, run

from .measure import Options, Stopwatch, figure, print_columns

RULES = Rules.preset("heads-up-no-limit")
AGENTS, HANDS = 50, 200
EIGHT = (
    *("tight_aggressive", "loose_aggressive", "nit", "loose_passive"),
    *("calling_station", "maniac", "random", "always_fold"),
)
SEEDS, MOST = range(3), 400_000
"""Hands of a pair at most."""


def profiles(count: int) -> list[dict[str, object]]:
    """Profiles of different styles, ten of tightness by five of aggression."""
    styles = [(0.1 + 0.08 * (k // 5), 0.1 + 0.2 * (k % 5)) for k in range(count)]
    return [
        {"agent": "profile", "name": f"profile {k:02}", "tightness": round(tight, 2), "aggression": round(wild, 2)}
        for k, (tight, wild) in enumerate(styles)
    ]


class _Interrupt:
    """Stops a run after so many shards."""

    def __init__(self, shards: int) -> None:
        self.left = shards

    def __call__(self, played: Played, done: int, total: int) -> None:
        self.left -= 1
        if not self.left:
            raise KeyboardInterrupt


def large(options: Options) -> None:
    """A tournament of many agents: interrupted, continued and told."""
    pairs = AGENTS * (AGENTS - 1) // 2
    title = f"{AGENTS} agents, {pairs:,} pairs, {HANDS} hands of each"
    if not options.wants(title):
        return
    print(f"\n{title}")
    tournament = Tournament(rules=RULES, agents=profiles(AGENTS), hands=HANDS, seed=0, nash=True)
    with TemporaryDirectory() as folder, Store(Path(folder) / "large.db", create=True) as store:
        watches = {name: Stopwatch() for name in ("playing", "planning what is left: nothing", "opening")}
        with watches["playing"]:
            try:
                run(tournament, store, _Interrupt(pairs // 3))
            except KeyboardInterrupt:
                run(tournament, store)
        with watches["planning what is left: nothing"]:
            run(tournament, store)
        with watches["opening"]:
            Store(store.path).close()
        for name, tell in (("standings", standings), ("report", write_report)):
            watches[name] = Stopwatch()
            with watches[name]:
                tell(store, Path(folder) / "report", nash=True) if tell is write_report else tell(store, nash=True)
        size = store.path.stat().st_size
    rows = [(name, f"{watch.seconds:.1f} s") for name, watch in watches.items()]
    print_columns([*rows, ("store", f"{size / 2**20:.1f} MiB"), ("memory at most", _memory())])


def _memory() -> str:
    unit = 2**20 if sys.platform == "darwin" else 2**10
    return f"{resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / unit:,.0f} MiB"


def schedules(options: Options) -> None:
    """Hands until everybody's rank is decided, by schedule. The cards are seeded: the same in every run."""
    title = f"{len(EIGHT)} agents, hands until all ranks are decided at 95 %"
    if not options.wants(title):
        return
    print(f"\n{title}")
    ratios = []
    for seed in SEEDS:
        hands, ranked = {}, {}
        for schedule in ("even", "adaptive"):
            hands[schedule], ranked[schedule] = _ranked(schedule, seed)
        ratios.append(hands["even"] / hands["adaptive"])
        told = [
            f"{schedule} {figure(count)}{'' if ranked[schedule] else ' (not all)'}" for schedule, count in hands.items()
        ]
        print(f"  seed {seed}: {', '.join(told)}, {ratios[-1]:.2f} times fewer", flush=True)


def _ranked(schedule: str, seed: int) -> tuple[int, bool]:
    """How many hands were played, and whether all ranks are decided."""
    tournament = Tournament(
        rules=RULES, agents=EIGHT, hands=MOST, seed=seed, watched=True, schedule=schedule, stop_when="ranked"
    )
    with TemporaryDirectory() as folder, Store(Path(folder) / "ranked.db", create=True) as store:
        run(tournament, store)
        return store.hands(), bool(standings(store, watched=True).are_ranks_decided)


def main(options: Options) -> None:
    """What many agents cost, then the schedules."""
    large(options)
    schedules(options)
