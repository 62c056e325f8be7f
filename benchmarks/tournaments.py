"""Tournaments: what fifty agents cost, and how many hands the order of eight takes by each schedule."""

from __future__ import annotations

import resource
import sys
import time
from collections.abc import Callable
from contextlib import suppress
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
SEEDS, MAX_HANDS = 3, 400_000
"""Hands of a pair at most."""


def profiles(count: int) -> list[dict[str, object]]:
    """Profiles of different styles, ten of tightness by five of aggression."""
    styles = [(0.1 + 0.08 * (k // 5), 0.1 + 0.2 * (k % 5)) for k in range(count)]
    return [
        {"agent": "profile", "name": f"profile {k:02}", "tightness": round(tight, 2), "aggression": round(wild, 2)}
        for k, (tight, wild) in enumerate(styles)
    ]


def large(options: Options) -> None:
    """A tournament of many agents: interrupted, continued and reported."""
    pairs = AGENTS * (AGENTS - 1) // 2
    title = f"{AGENTS} agents, {pairs:,} pairs, {HANDS} hands of each"
    if not options.wants(title):
        return
    print(f"\n{title}")
    tournament = Tournament(rules=RULES, agents=profiles(AGENTS), hands=HANDS, seed=0, nash=True)
    with TemporaryDirectory() as folder, Store(Path(folder) / "large.db", create=True) as store:
        work = {
            "playing a third": lambda: _interrupted(tournament, store, pairs // 3),
            "playing the rest": lambda: run(tournament, store),
            "planning, with nothing left": lambda: run(tournament, store),
            "opening": lambda: Store(store.path).close(),
            "standings": lambda: standings(store, nash=True),
            "report": lambda: write_report(store, Path(folder) / "report", nash=True),
        }
        print_columns([("", "s", "s of processor time"), *(_timed(name, each) for name, each in work.items())])
        print(f"  store: {store.path.stat().st_size / 2**20:.1f} MiB; memory at most: {_memory()}")


def _timed(name: str, work: Callable[[], object]) -> tuple[str, str, str]:
    watch, before = Stopwatch(), time.process_time()
    with watch:
        work()
    return name, f"{watch.seconds:.1f}", f"{time.process_time() - before:.1f}"


def _interrupted(tournament: Tournament, store: Store, shards: int) -> None:
    """A run that Ctrl-C ends after this number of shards."""
    left = iter(range(shards))

    def on_shard(played: Played, done: int, total: int) -> None:
        if next(left, None) is None:
            raise KeyboardInterrupt

    with suppress(KeyboardInterrupt):
        run(tournament, store, on_shard)


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
    for seed in range(SEEDS):
        hands, ranked = {}, {}
        for schedule in ("even", "adaptive"):
            hands[schedule], ranked[schedule] = _ranked(schedule, seed)
        ratios.append(hands["even"] / hands["adaptive"])
        counts = [
            f"{schedule} {figure(count)}{'' if ranked[schedule] else ' (not all)'}" for schedule, count in hands.items()
        ]
        print(f"  seed {seed}: {', '.join(counts)}, {ratios[-1]:.2f} times fewer", flush=True)


def _ranked(schedule: str, seed: int) -> tuple[int, bool]:
    """How many hands were played, and whether all ranks are decided."""
    tournament = Tournament(
        rules=RULES, agents=EIGHT, hands=MAX_HANDS, seed=seed, watched=True, schedule=schedule, stop_when="ranked"
    )
    with TemporaryDirectory() as folder, Store(Path(folder) / "ranked.db", create=True) as store:
        run(tournament, store)
        return store.hands(), bool(standings(store, watched=True).are_ranks_decided)


def main(options: Options) -> None:
    """What many agents cost, then the schedules."""
    large(options)
    schedules(options)
