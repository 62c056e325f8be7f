"""Budgets in processor time: what they count, what pauses them, and that a resumed run goes on with what is left."""

from __future__ import annotations

import json
import re

import pytest

from agents.test_interrupts import default_handler, press_in_rollout  # noqa: F401
from agents.test_resume import TINY, of_kind
from holdem_agents import progress
from holdem_agents.runs.checkpoint import load_checkpoint
from holdem_agents.runs.config import set_field
from holdem_agents.runs.files import rows_of
from holdem_agents.runs.run import Run, resume, train
from holdem_agents.training.config import Budget
from holdem_agents.training.evaluation import matches
from holdem_agents.training.learners import run_hooks
from holdem_agents.training.learners.run_hooks import BudgetClock, RolloutPace
from holdem_agents.training.learners.trainee import Trainee


class Time:
    """Stands for the two clocks of a process."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.seconds = self.cpu = 100.0
        monkeypatch.setattr(run_hooks, "monotonic", lambda: self.seconds)
        monkeypatch.setattr(run_hooks, "process_time", lambda: self.cpu)

    def pass_by(self, seconds: float, cpu: float) -> None:
        self.seconds += seconds
        self.cpu += cpu


def test_a_budget_in_processor_time_counts_that_and_nothing_else(monkeypatch):
    now, clock = Time(monkeypatch), BudgetClock(Budget(cpu_seconds=10))
    assert clock.spent(0) == 0.0
    now.pass_by(seconds=100, cpu=4)  # a busy machine: the process waits
    assert clock.spent(1_000_000) == 0.4
    with clock.paused():
        now.pass_by(seconds=7, cpu=9)
    assert clock.spent(0) == 0.4
    assert (clock.elapsed(), clock.paused_seconds) == (100, 7)
    now.pass_by(seconds=1, cpu=20)
    assert clock.spent(0) == 1.0


def test_time_in_which_the_process_was_stopped_does_not_count(monkeypatch):
    now, clock = Time(monkeypatch), BudgetClock(Budget(seconds=100))
    for _ in range(10):
        assert clock.spent(0) == clock.elapsed() / 100
        now.pass_by(seconds=1, cpu=1)
    assert clock.elapsed() == 10
    now.pass_by(seconds=7200, cpu=0.2)  # SIGSTOP, in the middle of a step
    assert clock.elapsed() < 21
    now.pass_by(seconds=60, cpu=60)  # a long step counts as a whole
    assert clock.elapsed() < 81
    assert clock.elapsed() >= 70


def test_a_clock_goes_on_where_another_ended(monkeypatch):
    now, clock = Time(monkeypatch), BudgetClock(Budget(cpu_seconds=10))
    clock.set_elapsed(30, 6)
    now.pass_by(seconds=5, cpu=1)
    assert (clock.elapsed(), clock.cpu_elapsed(), clock.spent(0)) == (35, 7, 0.7)


@pytest.mark.parametrize("seconds_of_a_step", [0.001, 0.05, 0.2, 3.0])
def test_rollouts_fit_into_a_budget_in_time(monkeypatch, seconds_of_a_step):
    """Whatever a step and its update take, the overrun is at most one step, and large rollouts stay possible."""
    now, clock = Time(monkeypatch), BudgetClock(Budget(seconds=10))
    pace, steps = RolloutPace(clock, most=32), []
    while clock.spent(0) < 1:
        steps.append(pace())
        now.pass_by(seconds=steps[-1] * seconds_of_a_step, cpu=0)
    assert steps[0] == 1
    assert clock.elapsed() <= 10 + seconds_of_a_step + 1e-9
    assert max(steps) == max(1, min(32, int(1 / seconds_of_a_step)))
    assert pace.whole == pytest.approx(3.2 * seconds_of_a_step if seconds_of_a_step > 2 / 32 else 0)


def test_with_a_budget_in_decisions_no_rollout_is_shortened(monkeypatch):
    now, pace = Time(monkeypatch), RolloutPace(BudgetClock(Budget(decisions=10)), most=32)
    for _ in range(3):
        assert pace() == 32
        now.pass_by(seconds=1e6, cpu=1e6)


@pytest.mark.parametrize("kind", ["ppo", "sb3"])
def test_progress_has_a_row_though_the_budget_is_spent_at_once(tmp_path, monkeypatch, capsys, kind):
    monkeypatch.setattr(progress, "SECONDS", 0.0)
    config = of_kind(kind).model_copy(update={"budget": Budget(seconds=1e-9)})
    train(config, tmp_path / "run")
    [row] = rows_of(tmp_path / "run" / "progress.csv")
    assert int(row["time/total_timesteps"]) >= TINY.tables
    said = capsys.readouterr().err
    assert re.search(r"a rollout of [\d,]+ decisions and its update would take [\d,]+ s; to keep to the budget", said)
    lines = [line for line in said.splitlines() if line.startswith("training: ") and "%" in line]
    assert ["100 %" in line for line in lines] == [False] * (len(lines) - 1) + [True]


@pytest.mark.parametrize(
    ("seconds_of_a_hand", "seconds", "played"),
    [
        (0.001, 60, [2_000, 40_000]),  # the most
        (0.001, 20, [2_000, 18_000]),  # what is left after the first
        (0.001, 5.9, [2_000]),  # too little for twice as many
        (0.1, 5, [2_000]),  # the least
    ],
)
def test_evaluation_takes_the_time_that_it_has(monkeypatch, seconds_of_a_hand, seconds, played):
    now, asked = [0.0], []
    monkeypatch.setattr(matches, "monotonic", lambda: now[0])

    def play_all(hands):
        asked.append(hands)
        now[0] += hands * seconds_of_a_hand
        return hands

    assert matches.fitting(play_all, None, seconds) == played[-1]
    assert asked == played
    assert matches.fitting(play_all, 700, seconds) == 700


@pytest.mark.slow
def test_an_interrupted_run_goes_on_with_what_is_left_of_its_processor_time(tmp_path, monkeypatch):
    config = TINY.model_copy(update={"budget": Budget(cpu_seconds=1.5), "checkpoint_minutes": 60.0})
    with monkeypatch.context() as patch:
        press_in_rollout(patch, 3)  # the first one only loads code
        assert Run(config, tmp_path / "run", show=False, report_interrupted=False).begin().interrupts.asked
    assert not (tmp_path / "run" / "crosstable.csv").exists()
    before = load_checkpoint(tmp_path / "run")["trainee"]["cpu_seconds"]
    assert 0 < before < 1.5
    resume(tmp_path / "run", show=False)
    facts = json.loads((tmp_path / "run" / "training.json").read_text())
    assert facts["budget_spent"] == 1.0
    assert 1.5 <= facts["cpu_seconds"] < 1.5 + 1.0


@pytest.mark.slow
@pytest.mark.parametrize(("budget", "first"), [(Budget(seconds=0.1), 8), (Budget(decisions=1), TINY.tables)])
def test_code_is_loaded_at_a_few_tables_before_a_budget_in_time_begins(tmp_path, monkeypatch, budget, first):
    tables, set_up = [], Trainee.hooks

    def noted(learner):
        tables.append(learner.env.tables.num_tables)
        return set_up(learner)

    monkeypatch.setattr(Trainee, "hooks", noted)
    train(TINY.model_copy(update={"budget": budget}), tmp_path / "run", show=False)
    assert (tables[0], tables[-1]) == (first, TINY.tables)


@pytest.mark.parametrize(
    ("path", "message"),
    [
        ("learner.entropy.2", "[0.02, 0.01] has no place '2'; its places are 0 to 1"),
        ("learner.entropy.first", "has no place 'first'"),
        ("seed.x", "seed is 3, which has no 'x'"),
    ],
)
def test_a_path_to_nowhere_is_an_error(path, message):
    with pytest.raises(ValueError, match=re.escape(message)):
        set_field({"seed": 3, "learner": {"entropy": [0.02, 0.01]}}, path, 1)
