"""What a second process brings to a league: its turns by 1 and 2 workers. Wall time, so on a quiet machine with two
idle cores. Starting the workers does not count."""

from __future__ import annotations

import statistics
import tempfile
from collections.abc import Sequence
from pathlib import Path
from time import perf_counter
from typing import Any

from .measure import Options, Spread

JOBS = (1, 2)
DECISIONS = 400_000
"""Of each turn."""
RULES = "heads-up-no-limit"
OPPONENTS = {"latest_self": 0.4, "latest_others": 0.3, "past_selves": 0.3}
ONE_THREAD = {"threads": 1}


def main(options: Options) -> None:
    """Print the table."""
    title = "Processes, a league"
    if not options.wants(title):
        return
    rates: dict[int, list[float]] = {jobs: [] for jobs in JOBS}
    for _ in range(max(1, options.repeats // 2)):
        for jobs in JOBS:
            rates[jobs].append(league_speed(jobs, DECISIONS))
    print(f"\n{title}, decisions a second of wall time")
    for jobs, found in rates.items():
        print(f"  {jobs} process{'es' * (jobs > 1)}: {_spread(found)}")
    ratios = [two / one for one, two in zip(*(rates[jobs] for jobs in JOBS), strict=True)]
    print(f"  ratio: {statistics.median(ratios):.2f} ({min(ratios):.2f} to {max(ratios):.2f})", flush=True)


def _spread(found: Sequence[float]) -> Spread:
    return Spread(statistics.median(found), min(found), max(found))


def league_speed(jobs: int, turn: int, **changes: Any) -> float:
    """Decisions in a second of the turns of a league with two learners in `jobs` workers; without its matches."""
    from holdem_agents.runs.run import Run
    from holdem_agents.training.config import League
    from holdem_agents.training.league.run import LeagueRun

    settings: dict[str, Any] = {
        "rules": RULES,
        "learners": {"one": {"learner": ONE_THREAD}, "two": {"learner": ONE_THREAD}},
        "rounds": 2,
        "turn": turn,
        "match_hands": 1,
        "evaluation": {"opponents": ["random"], "hands": 1},
        "opponents": OPPONENTS,
    }
    league = League(**settings | changes)
    found: list[tuple[float, int]] = []

    class TimedLeague(LeagueRun):
        def _play_round(self, bar: Any) -> Any:
            begun, before = perf_counter(), self.done()
            turns = super()._play_round(bar)
            found.append((perf_counter() - begun, self.done() - before))
            return turns

    with tempfile.TemporaryDirectory() as folder:
        run = Run(league, Path(folder), show=False, jobs=jobs)
        run.kind = TimedLeague
        run.begin()
    seconds, decisions = found[-1]  # in the first round the workers start
    return decisions / seconds
