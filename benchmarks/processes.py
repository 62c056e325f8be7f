"""What a second process brings: the decisions of one learner that enter an update, and the turns of a league, by 1 and
2 workers. Wall time, so on a quiet machine with two idle cores. Whole short trainings, in turns; starting the workers
does not count."""

from __future__ import annotations

import statistics
import tempfile
from collections.abc import Callable, Sequence
from pathlib import Path
from time import perf_counter
from typing import Any

from .measure import Options, Spread

JOBS = (1, 2)
DECISIONS = 400_000
"""Of the learner, and of each turn in the league."""
RULES = "heads-up-no-limit"
OPPONENTS = {"latest_self": 0.7, "past_selves": 0.3}
LEAGUE_OPPONENTS = {"latest_self": 0.4, "latest_others": 0.3, "past_selves": 0.3}
ONE_THREAD = {"threads": 1}


def main(options: Options) -> None:
    """Print the tables."""
    for title, measure in (("Processes, one learner", learner_speed), ("Processes, a league", league_speed)):
        if options.wants(title):
            _table(title, measure, max(1, options.repeats // 2))


def _table(title: str, measure: Callable[[int, int], float], repeats: int) -> None:
    rates: dict[int, list[float]] = {jobs: [] for jobs in JOBS}
    for _ in range(repeats):
        for jobs in JOBS:
            rates[jobs].append(measure(jobs, DECISIONS))
    print(f"\n{title}, decisions a second of wall time")
    for jobs, found in rates.items():
        print(f"  {jobs} process{'es' * (jobs > 1)}: {_spread(found)}")
    ratios = [two / one for one, two in zip(*(rates[jobs] for jobs in JOBS), strict=True)]
    print(f"  ratio: {statistics.median(ratios):.2f} ({min(ratios):.2f} to {max(ratios):.2f})", flush=True)


def _spread(found: Sequence[float]) -> Spread:
    return Spread(statistics.median(found), min(found), max(found))


class Watch:
    """The time and the decisions between the end of the first rollout and the end of training."""

    def __init__(self) -> None:
        self.marks: list[tuple[float, int]] = []

    def callback(self) -> Any:
        from stable_baselines3.common.callbacks import BaseCallback

        marks = self.marks

        class Marks(BaseCallback):
            def _on_rollout_end(self) -> None:
                marks.append((perf_counter(), self.model.num_timesteps))

            def _on_step(self) -> bool:
                return True

        return Marks()

    def rate(self) -> float:
        """Decisions a second. The first rollout, with compiled code to load, does not count."""
        (begun, before), (ended, after) = self.marks[0], self.marks[-1]
        return (after - before) / (ended - begun)


def learner_speed(jobs: int, decisions: int, **changes: Any) -> float:
    """Decisions that one learner over so many processes learns from in a second."""
    from holdem_agents.parallel.data_parallel import Workers
    from holdem_agents.parallel.machines import Machines
    from holdem_agents.training.config import Training
    from holdem_agents.training.ppo_learner import PPOLearner
    from holdem_agents.training.run import train_until

    watch, callbacks = Watch(), PPOLearner.callbacks
    settings: dict[str, Any] = {
        "rules": RULES,
        "budget": {"decisions": decisions},
        "opponents": OPPONENTS,
        "learner": ONE_THREAD,
        "evaluation": {"opponents": ["random"], "hands": 1, "past_selves": 0},
        "checkpoint_minutes": 1000,
    }
    config, machines = Training(**settings | changes), Machines(jobs)
    with tempfile.TemporaryDirectory() as folder:
        run = Path(folder) / "run"
        PPOLearner.callbacks = lambda self: [*callbacks(self), watch.callback()]  # type: ignore[method-assign]
        try:
            with machines.place() as place:
                team = None if jobs == 1 else Workers(config, run, machines, place)
                train_until(config, run, show=False, team=team)
        finally:
            PPOLearner.callbacks = callbacks  # type: ignore[method-assign]
    return watch.rate()


def league_speed(jobs: int, turn: int, **changes: Any) -> float:
    """Decisions in a second of the turns of a league with two learners in so many workers; without its matches."""
    from holdem_agents.parallel.league_run import ParallelLeague
    from holdem_agents.parallel.machines import Machines
    from holdem_agents.parallel.processes import ProcessPlace
    from holdem_agents.training.config import League

    settings: dict[str, Any] = {
        "rules": RULES,
        "learners": {"one": {"learner": ONE_THREAD}, "two": {"learner": ONE_THREAD}},
        "rounds": 2,
        "turn": turn,
        "match_hands": 1,
        "opponents": LEAGUE_OPPONENTS,
    }
    league, machines = League(**settings | changes), Machines(jobs)
    with tempfile.TemporaryDirectory() as folder, ProcessPlace(jobs) as place:
        run = ParallelLeague(league, Path(folder), place, machines.limit)
        found: list[tuple[float, int]] = []
        play = run._play_round

        def timed(bar: Any) -> bool:
            begun, before = perf_counter(), run.decisions
            is_whole = play(bar)
            found.append((perf_counter() - begun, run.decisions - before))
            return is_whole

        run._play_round = timed  # type: ignore[method-assign]
        run.run(show=False)
        run.close()
    seconds, decisions = found[-1]  # in the first round the workers start
    return decisions / seconds
