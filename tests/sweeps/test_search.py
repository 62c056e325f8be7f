"""Searches by Optuna: trials are kept, go on after an interruption, and their means are what Optuna sees."""

from __future__ import annotations

import sys

import pytest

from holdem_agents.sweeps import runs as runs_module
from holdem_agents.sweeps import search as search_module
from holdem_agents.sweeps.sweeping import Outcomes
from holdem_agents.training.config import ConfigError
from sweeps.test_sweeping import whole

SEARCH = """
base:
  rules: heads-up-limit
  tables: 32
  learner: {n_steps: 8, batch_size: 128, hidden: [16]}
budget: {decisions: 256}
seeds: [0]
search:
  trials: 3
  parameters:
    learner.learning_rate.0: {low: 0.0001, high: 0.01, log: true}
    learner.epochs: {low: 1, high: 3}
    learner.hidden: [[8], [8, 8]]
measures: {matches: [random], hands: 100}
"""


class AllAtOnce:
    """Stands for a runner whose runs are done at once; `gives` says what becomes of each."""

    def __init__(self, gives: str = "finished") -> None:
        self.gives, self.seen = gives, []

    def run(self, function, tasks, done, failed=None) -> bool:
        for index, task in enumerate(tasks):
            self.seen.append(task)
            if self.gives == "finished":
                done(index, "finished")
        return self.gives == "finished"


@pytest.fixture
def measured(monkeypatch):
    """Runs that are finished as soon as they were given to the runner; the more epochs, the better."""
    pytest.importorskip("optuna", reason="Optuna is not installed; pip install optuna")
    ended = set()
    monkeypatch.setattr(runs_module.RunTask, "is_finished", property(lambda task: task.name in ended))

    def rows(tasks, measures):
        return [
            {"setting": task.setting, "seed": "0", "measure": "random", "plays": "sampling"}
            | {"bb_per_100": str(task.config.learner.epochs), "decisions": "256"}
            for task in tasks
            if task.is_finished
        ]

    def run_tasks(tasks, runner, show=True):
        outcomes = Outcomes()
        is_whole = runner.run(None, tasks, lambda index, _: ended.add(tasks[index].name))
        (outcomes.finished if is_whole else outcomes.left).extend(tasks)
        return outcomes

    monkeypatch.setattr(search_module, "rows_of_runs", rows)
    monkeypatch.setattr(search_module, "run_tasks", run_tasks)
    return ended


def test_trials_are_asked_for_run_and_told(tmp_path, measured):
    sweep, runner = whole(tmp_path, SEARCH), AllAtOnce()
    assert sweep._trials.run(runner, at_once=2).are_complete
    assert [task.setting for task in runner.seen] == ["trial-0000", "trial-0001", "trial-0002"]
    for setting in sweep._trials.settings():
        learner = setting.config.learner
        assert 0.0001 <= learner.learning_rate[0] <= 0.01
        assert learner.learning_rate[1] == 5e-5
        assert learner.hidden in ((8,), (8, 8))
        assert 1 <= learner.epochs <= 3
        assert search_module.described(setting.changes).startswith("learner.learning_rate.0=0.0")
    values = {trial.number: trial.value for trial in sweep._trials._study.trials}
    assert values == {k: task.config.learner.epochs for k, task in enumerate(runner.seen)}


def test_an_interrupted_search_goes_on_with_its_trials(tmp_path, measured):
    runner = AllAtOnce("interrupted")
    assert not whole(tmp_path, SEARCH)._trials.run(runner, at_once=2).are_complete
    again = AllAtOnce()
    assert whole(tmp_path, SEARCH)._trials.run(again, at_once=2).are_complete
    assert [task.setting for task in again.seen] == ["trial-0000", "trial-0001", "trial-0002"]
    assert again.seen[0].config == runner.seen[0].config
    longer = AllAtOnce()
    assert whole(tmp_path, SEARCH, ("search.trials=4",))._trials.run(longer, at_once=2).are_complete
    assert [task.setting for task in longer.seen] == ["trial-0003"]


def test_a_search_for_something_else_is_an_error(tmp_path, measured):
    whole(tmp_path, SEARCH)
    with pytest.raises(ConfigError, match="has the trials of another search"):
        whole(tmp_path, SEARCH, ("search.parameters.tables=[32, 64]",))


@pytest.mark.parametrize(
    ("change", "told"),
    [
        (
            "search.parameters={tables: {low: 1, hihg: 2}}",
            "search.parameters: tables: Range has no field 'hihg': did you mean",
        ),
        (
            "search.parameters={learner.epoch: [1]}",
            "search.parameters.learner.epoch: learner: Learner has no field 'epoch'",
        ),
        ("search.parameters={learner.epochs: {low: 0, high: 2}}", "Input should be greater than 0, not 0"),
        ("search.parameters={seed: [1, 2]}", "is the same for all settings of a sweep"),
    ],
)
def test_wrong_parameters_are_named_before_anything_runs(tmp_path, change, told):
    with pytest.raises(ConfigError) as error:
        whole(tmp_path, SEARCH, (change,))
    assert told in str(error.value)


def test_without_optuna_the_error_says_how_to_install_it(tmp_path, monkeypatch):
    monkeypatch.setitem(sys.modules, "optuna", None)
    with pytest.raises(ModuleNotFoundError, match=r"a search needs the package 'optuna'; install it with: pip install"):
        whole(tmp_path, SEARCH)
