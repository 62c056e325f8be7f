"""Searches by Optuna: trials are kept, go on after an interruption, and their means are what Optuna sees."""

from __future__ import annotations

import optuna
import pytest

from holdem_agents.runs.config import ConfigError
from holdem_agents.sweeps.objective import RunTask
from holdem_env.utils.runner import Interrupted, Outcome
from sweeps.test_sweeping import whole

SEARCH = """
base:
  rules: heads-up-limit
  tables: 32
  learner: {n_steps: 8, batch_size: 128, hidden: [16]}
budget: {decisions: 256}
seeds: [0, 1]
search:
  trials: 3
  parameters:
    learner.learning_rate.0: {low: 0.0001, high: 0.01, log: true}
    learner.epochs: {low: 1, high: 3}
    learner.hidden: [[8], [8, 8]]
measures: {matches: [random], hands: 100}
"""
ALL = [name for name in ("base", "trial-0000", "trial-0001", "trial-0002") for _ in "01"]


class FakeRunner:
    """Runs are finished as soon as they are given to it. after: how many of them until ctrl-C, or until one fails."""

    def __init__(self, ended, after=10**9, fails=False):
        self.ended, self.after, self.fails = ended, after, fails
        self.seen = []

    def __enter__(self):
        return self

    def __exit__(self, *error):
        pass

    def run(self, function, tasks):
        for index, task in enumerate(tasks):
            self.seen.append(task)
            if index == self.after and self.fails:
                yield Outcome(index, task, error=RuntimeError("the moon is full"))
            elif index == self.after:
                raise Interrupted
            else:
                self.ended.add(task.name)
                yield Outcome(index, task, True)

    @property
    def settings(self):
        return [task.setting for task in self.seen]


@pytest.fixture
def ended(monkeypatch):
    """The names of runs that are finished. The more epochs, the better; seed 1 is better by 1."""
    names = set()
    monkeypatch.setattr(RunTask, "is_finished", property(lambda task: task.name in names))
    monkeypatch.setattr(RunTask, "rate", lambda task, measure: task.config.learner.epochs + task.config.seed)
    monkeypatch.setattr(RunTask, "result", lambda task: "done")
    monkeypatch.setattr("holdem_agents.sweeps.study.write_report", lambda *given: [])  # no run has files
    return names


@pytest.mark.slow
def test_trials_are_asked_for_run_and_told(tmp_path, ended):
    study, runner = whole(tmp_path, SEARCH), FakeRunner(ended)
    assert study.run(runner=runner).are_complete
    assert runner.settings == ALL
    for setting in [*study.settings.values()][1:]:
        learner = setting.config.learner
        assert 0.0001 <= learner.learning_rate[0] <= 0.01
        assert learner.learning_rate[1] == 5e-5
        assert learner.hidden in ((8,), (8, 8))
        assert 1 <= learner.epochs <= 3
    trials = study._search.trials
    assert [trial.value for trial in trials] == [trial.params["learner.epochs"] + 0.5 for trial in trials]


@pytest.mark.slow
@pytest.mark.parametrize("sampler", ["tpe", "gp", "random"])
def test_an_interrupted_search_goes_on_with_its_trials(tmp_path, ended, sampler):
    changes = (f"search.sampler={sampler}",)
    first, again, longer = FakeRunner(ended, after=5), FakeRunner(ended), FakeRunner(ended)
    outcomes = whole(tmp_path, SEARCH, changes).run(runner=first)
    assert [task.name for task in outcomes.left] == ["trial-0001, seed 1"]
    assert whole(tmp_path, SEARCH, changes).run(runner=again).are_complete
    assert first.settings[:5] + again.settings == ALL
    assert again.seen[0].config == first.seen[5].config
    assert whole(tmp_path, SEARCH, (*changes, "search.trials=4")).run(runner=longer).are_complete
    assert longer.settings == ["trial-0003"] * 2


@pytest.mark.slow
def test_after_a_failed_run_no_trial_begins(tmp_path, ended):
    runner, again = FakeRunner(ended, after=3, fails=True), FakeRunner(ended)
    study = whole(tmp_path, SEARCH)
    outcomes = study.run(runner=runner)
    assert len(study._search.trials) == 1
    assert outcomes.failed == {"trial-0000, seed 1": "the moon is full"}
    assert len(runner.seen) == 4
    assert whole(tmp_path, SEARCH).run(runner=again).are_complete
    assert again.settings == ALL[3:]


@pytest.mark.slow
def test_a_trial_without_all_its_values_is_replaced(tmp_path, ended):
    """As a command leaves it that is killed while it asks Optuna."""
    whole(tmp_path, SEARCH)._search.ask({"learner.epochs": optuna.distributions.IntDistribution(1, 3)})
    study = whole(tmp_path, SEARCH, ("search.trials=2",))
    assert study.run(runner=FakeRunner(ended)).are_complete
    assert [trial.state.name for trial in study._search.trials] == ["FAIL", "COMPLETE"]


@pytest.mark.slow
def test_a_search_for_something_else_is_an_error(tmp_path, ended):
    whole(tmp_path, SEARCH)
    with pytest.raises(ConfigError, match="has the trials of another search"):
        whole(tmp_path, SEARCH, ("search.parameters.tables=[32, 64]",))


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ("search.parameters={tables: {low: 1, hihg: 2}}", "search.parameters.tables.Range: Range has no field 'hihg'"),
        ("search.parameters={learner.epoch: [1]}", "search.parameters.learner.epoch: "),
        ("search.parameters={learner.epochs: {low: 0, high: 2}}", "greater than 0, not 0"),
        ("search.parameters={seed: [1, 2]}", "seed must be the same for all settings of a sweep"),
        ("search.parameters={tables: {low: 96, high: 64}}", "search.parameters.tables: `low <= high` must hold"),
        ("search.parameters={tables: []}", "search.parameters.tables: The `choices` must contain one or more"),
        ("search.sampler=cma", "search.sampler: Input should be 'tpe', 'gp' or 'random', not 'cma'"),
    ],
)
def test_wrong_parameters_are_named_before_anything_runs(tmp_path, change, message):
    with pytest.raises(ConfigError) as error:
        whole(tmp_path, SEARCH, (change,))
    assert message in str(error.value)
