"""The clock of a training run, and its hooks: statistics, schedules, the end of the budget, progress."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from time import monotonic, process_time
from typing import Any

from rich.progress import TextColumn

from holdem_env.game.rules import Rules
from holdem_env.game.street_names import STREETS
from holdem_env.game.units import unit_of

from ...progress import VisibleProgress
from ...runs.interrupts import report
from ...world import ALONE, World
from ..config import Budget, Learner
from .counts import KINDS, Counts
from .hooks import Hook, Stats

LONGEST_IDLE = 5.0
"""Seconds between two looks at the clock that count whatever the processor did."""
SLOWEST = 25.0
"""A process that runs gets at least one part in SLOWEST of a core."""


class BudgetClock:
    """Measures the spent fraction of a budget, from 0 to 1. Time runs from the first call of any method.

    Processor time is that of this process, with all its threads and without its child processes. Time in which the
    process was stopped (SIGSTOP) counts little: between two calls at most LONGEST_IDLE seconds pass, and SLOWEST times
    the processor time in between. Time in which the machine sleeps is not in `monotonic`.
    paused_seconds: the time spent in `paused`.
    """

    def __init__(self, budget: Budget, world: World = ALONE) -> None:
        self.budget, self._world = budget, world
        self.paused_seconds = 0.0
        self._elapsed = 0.0
        self._last: tuple[float, float] | None = None  # when it was read last, by `monotonic` and in processor time
        self._cpu_start = 0.0
        self._agreed: float | None = None

    def elapsed(self) -> float:
        self._begin()
        assert self._last is not None
        now, (last, cpu_last) = (monotonic(), process_time()), self._last
        self._elapsed += min(now[0] - last, LONGEST_IDLE + SLOWEST * (now[1] - cpu_last))
        self._last = now
        return self._elapsed

    def cpu_elapsed(self) -> float:
        self._begin()
        return process_time() - self._cpu_start

    def _begin(self) -> None:
        if self._last is None:
            self.set_elapsed(0.0, 0.0)

    def set_elapsed(self, seconds: float, cpu_seconds: float) -> None:
        """Continue as if this much time, and this much processor time, had passed since the start."""
        self._elapsed, self._last = seconds, (monotonic(), process_time())
        self._cpu_start = process_time() - cpu_seconds

    def agree(self) -> None:
        """With several ranks and a budget in time, `ratio` is from now on what it is now in rank 0."""
        if self._world.size > 1 and self.budget.decisions is None:
            self._agreed = None
            self._agreed = self._world.agreed(self.ratio(0))

    @contextmanager
    def paused(self) -> Iterator[None]:
        """Work inside this context, such as an evaluation, takes no time of the budget."""
        before = self.elapsed(), self.cpu_elapsed()
        try:
            yield
        finally:
            self.paused_seconds += self.elapsed() - before[0]
            self.set_elapsed(*before)

    def spent(self, decisions: int) -> float:
        """The fraction of the budget that is spent after this many decisions, at most 1."""
        return min(self.ratio(decisions), 1.0)

    def ratio(self, decisions: int) -> float:
        """What is used after this many decisions in parts of the budget; above 1 if it is overdrawn."""
        elapsed, cpu_elapsed = self.elapsed(), self.cpu_elapsed()
        if self._agreed is not None:
            done = self._agreed
        elif self.budget.decisions is not None:
            done = decisions / self.budget.decisions
        elif self.budget.cpu_seconds is not None:
            done = cpu_elapsed / self.budget.cpu_seconds
        else:
            done = elapsed / (self.budget.seconds or 1)
        return done


class BetweenSteps(Hook):
    """Calls `between` before each step, where the state is whole; training ends when that is False. It must come first
    among the hooks: a resumed run then finds the others as this one left them."""

    def __init__(self, between: Callable[[], bool]) -> None:
        self._between, self._goes_on = between, True

    def before_step(self, stats: Stats) -> None:
        self._goes_on = self._between()

    def goes_on(self) -> bool:
        return self._goes_on


class RanksHook(Hook):
    """Lets several ranks count and time as one: they draw the same opponents and end together."""

    def __init__(self, env: Any, clock: BudgetClock, world: World) -> None:
        self._env, self._clock, self._world = env, clock, world

    def before_step(self, stats: Stats) -> None:
        self._clock.agree()

    def after_step(self, stats: Stats) -> None:
        self._clock.agree()
        self._env.sum_counts(self._world)


class StatisticsHook(Hook):
    """Logs for each step: returns, entropy, win rates against each opponent, frequencies of moves by street.

    The win rate over all hands, `..._in_training`, leaves out hands that the own PPO plays with itself alone: in
    those, it wins what it loses.

    It resets the environment's counts, so it must come after all hooks that read them.
    """

    def __init__(self, env: Counts, rules: Rules) -> None:
        self._env, self._unit = env, unit_of(rules)
        self._rate = self._unit.per * rules.unit / self._unit.chips  # counts are in units of the reward

    def after_step(self, stats: Stats) -> None:
        buffer, env = self.model.rollout_buffer, self._env
        won, hands = env.won_in_all()
        if hands:
            stats[f"holdem/{self._unit.key}_in_training"] = self._rate * won / hands
        if len(buffer.returns):  # no hand may be over yet
            stats["holdem/return"] = float(buffer.returns.mean())
            # The mean of -log p over the sampled actions is an estimate of the entropy.
            stats["holdem/entropy"] = -float(buffer.log_probs.mean())
        for agent, won, count in zip(env.tables.agents, env.won, env.hands, strict=True):
            if count:
                name = f"training_{self._unit.key}/{agent.name.replace(' ', '_')}"
                stats[name] = self._rate * won / count
        for street, made in zip(STREETS, env.moves_made, strict=True):
            for kind, count in zip(KINDS, made, strict=True):
                stats[f"moves/{street}_{kind}"] = count / max(made.sum(), 1)
        env.reset_counts()


class RolloutPace:
    """How many steps the rollouts have.

    Under a budget in decisions all have `most`, so that a run can be repeated. Under a budget in time a rollout and its
    update take at most a tenth of the budget, and no more than is left of it, judged by the rollout before. The first
    one has a single step, and none has more than four times the steps of the one before.

    whole: the fraction of the budget that a rollout of `most` steps would take, if that is more than a fifth; else 0.
    """

    LARGEST, NOTABLE, GROWTH = 0.1, 0.2, 4

    def __init__(self, clock: BudgetClock, most: int) -> None:
        self._clock, self.most, self.steps, self.whole = clock, most, 0, 0.0
        self._begun = 0.0

    def __call__(self) -> int:
        """The steps of the rollout that begins now."""
        if self._clock.budget.decisions is not None:
            return self.most
        now = self._clock.ratio(0)
        if self.steps:
            cost = max((now - self._begun) / self.steps, 1e-12)
            self.whole = cost * self.most if cost * self.most > self.NOTABLE else 0.0
            fitting = int(min(self.LARGEST, 1 - now) / cost)
            self.steps = min(self.most, self.GROWTH * self.steps, fitting)
        self.steps, self._begun = max(self.steps, 1), now
        return self.steps


class BudgetHook(Hook):
    """Anneals learning rate and entropy coefficient over the budget, and ends training when the budget is spent, but
    never before the first update."""

    def __init__(self, clock: BudgetClock, settings: Learner) -> None:
        self._clock, self._settings, self._is_over = clock, settings, False

    def before_step(self, stats: Stats) -> None:
        spent = self._clock.spent(self.model.decisions)
        self._is_over = spent >= 1 and self.model.updates > 0
        self.model.learning_rate = interpolate(self._settings.learning_rate, spent)
        self.model.ent_coef = interpolate(self._settings.entropy, spent)

    def goes_on(self) -> bool:
        return not self._is_over

    def after_step(self, stats: Stats) -> None:
        stats["holdem/budget_spent"] = self._clock.spent(self.model.decisions)


def interpolate(ends: tuple[float, float], fraction: float) -> float:
    """The value at this fraction of the way from the first end to the second."""
    return ends[0] + (ends[1] - ends[0]) * fraction


class ProgressBar(Hook):
    """A progress bar over the budget, with what runs, the time left and decisions per second.

    pace: if rollouts are shortened to fit into the budget, the user hears it once.
    """

    ALMOST = 0.99
    """What is shown of a spent budget until training has ended."""

    def __init__(self, clock: BudgetClock, pace: RolloutPace, tables: int) -> None:
        self._clock, self._start_seconds, self._start_decisions = clock, 0.0, 0
        self._pace, self._tables, self._has_said, self._speed = pace, tables, False, ""
        self.bar = VisibleProgress(*VisibleProgress.get_default_columns(), TextColumn("{task.fields[note]}"))
        self._task = self.bar.add_task("training", total=1.0, note="")

    def begin(self, model: Any) -> None:
        super().begin(model)
        self._start_seconds, self._start_decisions = self._clock.elapsed(), model.decisions
        self.bar.start()

    def goes_on(self) -> bool:
        self._show()
        return True

    def after_step(self, stats: Stats) -> None:
        seconds = max(self._clock.elapsed() - self._start_seconds, 1e-9)
        speed = (self.model.decisions - self._start_decisions) / seconds
        self._speed = f"{self.model.decisions:,} decisions, {speed:,.0f}/s"
        self._show()
        self._say_why_short()

    def _say_why_short(self) -> None:
        if not self._pace.whole or self._has_said:
            return
        self._has_said = True
        budget = self._clock.budget
        seconds = self._pace.whole * (budget.seconds or budget.cpu_seconds or 0)
        whole, short = (steps * self._tables for steps in (self._pace.most, self._pace.steps))
        report(
            f"a rollout of {whole:,} decisions and its update would take {seconds:,.0f} s; "
            f"to keep to the budget, rollouts have about {short:,}"
        )

    def end(self) -> None:
        self._pace()  # judges the last rollout, which may have been the only one
        self._say_why_short()
        if self._clock.spent(self.model.decisions) >= 1:
            self.bar.finish(self._task, note=self._speed)

    def _show(self) -> None:
        spent = min(self._clock.spent(self.model.decisions), self.ALMOST)
        self.bar.update(self._task, completed=spent, note=self._speed)

    def close(self) -> None:
        self.bar.stop()
