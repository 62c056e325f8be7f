"""Files of sweeps: the settings that they ask for, and what is wrong, named with file and field."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from holdem_agents.runs.config import ConfigError, load_config
from holdem_agents.sweeps.sweep_file import Plan, load_sweep

BASE = """
base:
  rules: heads-up-limit
  budget: {decisions: 1000}
  tables: 32
  learner: {n_steps: 8, batch_size: 128, hidden: [16], epochs: 3}
"""


def planned(tmp_path: Path, text: str, base: str = BASE, changes: tuple[str, ...] = ()) -> Plan:
    path = tmp_path / "mine.yaml"
    path.write_text(base + text)
    return load_sweep(path, changes)


def test_one_factor_at_a_time_in_both_forms(tmp_path):
    plan = planned(
        tmp_path, "one_at_a_time: {learner.epochs: [1, 3], size: {small: {learner.hidden: [8], tables: 16}}}"
    )
    assert plan.one_at_a_time == {
        "learner.epochs": {"1": "learner.epochs-1", "3": "base"},  # the base has 3 epochs: it is run once
        "size": {"small": "size-small"},
    }
    assert [*plan.settings] == ["base", "learner.epochs-1", "size-small"]
    small = plan.settings["size-small"].config
    assert (small.learner.hidden, small.tables, small.learner.epochs) == ((8,), 16, 3)


def test_crossed_factors_are_all_combinations_and_equal_settings_are_one(tmp_path):
    crossed = "crossed: {learner.epochs: [1, 3], size: {as is: {}, small: {tables: 16}}}"
    plan = planned(tmp_path, f"one_at_a_time: {{learner.epochs: [1]}}\n{crossed}")
    assert plan.cells == {
        ("1", "as is"): "learner.epochs-1",
        ("1", "small"): "learner.epochs-1_size-small",
        ("3", "as is"): "base",
        ("3", "small"): "learner.epochs-3_size-small",
    }
    assert len(plan.settings) == 4


def test_a_crossed_sweep_runs_no_base_that_is_not_one_of_its_cells(tmp_path):
    assert [*planned(tmp_path, "crossed: {learner.epochs: [1, 2]}").settings] == [
        "learner.epochs-1",
        "learner.epochs-2",
    ]


def test_what_is_the_same_for_all_settings(tmp_path):
    measures = "measures: {matches: [maniac], hands: 300, times: 2}"
    text = f"budget: {{cpu_seconds: 5}}\nseeds: [4]\ncrossed: {{size: {{a: {{}}}}}}\n{measures}"
    config = planned(tmp_path, text).settings["base"].config
    assert (config.budget.cpu_seconds, config.learner.threads, config.tensorboard) == (5, 1, False)
    assert (config.evaluation.opponents, config.evaluation.hands, config.evaluation.times) == (("maniac",), 300, 2)
    assert config.evaluation.past_selves == 0


def test_a_base_by_name_and_with_changes(tmp_path):
    text = "one_at_a_time: {learner.learning_rate.0: [0.0005], opponents.maniac: [0.2]}"
    plan = planned(tmp_path, text, "base: {config: headsup_nolimit_20bb, learner.epochs: 2, tables: 64}\n")
    base = plan.settings["base"].config
    shipped = load_config("headsup_nolimit_20bb")
    assert (base.rules, base.tables, base.learner.epochs) == (shipped.rules, 64, 2)
    rate = plan.settings["learner.learning_rate.0-0.0005"].config.learner.learning_rate
    assert rate == (0.0005, shipped.learner.learning_rate[1])
    weights = plan.settings["opponents.maniac-0.2"].config.opponents
    assert weights == {**shipped.opponents, "maniac": 0.2}


def test_another_base_on_the_command_line(tmp_path):
    text = "base: headsup_nolimit_20bb\none_at_a_time: {learner.epochs: [1, 3]}"
    plan = planned(tmp_path, text, "", ("base=sixmax_nolimit", "base.tables=64", "budget.cpu_seconds=7", "seeds=[5]"))
    base = plan.settings["base"].config
    assert (base.rules.seats, base.tables, base.budget.cpu_seconds) == (6, 64, 7)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("one_at_a_time: {learner.epoch: [1]}", "learner.epoch.1: learner: Learner has no field 'epoch': did you mean"),
        ("one_at_a_time: {learner.epochs: [x]}", "learner.epochs.x: learner.epochs: give a whole number, not 'x'"),
        ("crossed: {learner.epochs: [1, x]}", "mine.yaml: crossed.learner.epochs.x: learner.epochs: give a whole"),
        ("one_at_a_time: {seed.x: [1]}", "seed.x must be the same for all settings of a sweep: its `seeds` set it"),
        ("one_at_a_time: {learner.threads: [1]}", "learner.threads must be the same for all settings of a sweep"),
        ("one_at_a_time: {tables.x: [1]}", "tables is 32, which has no 'x'"),
        ("", "mine.yaml: the sweep is empty: give one_at_a_time, crossed or search"),
        ("one_at_a_time: {size: {}}", "size must be a list of values, or levels with what each of them sets, got {}"),
        ("one_at_a_time: {learner.epochs: [1, 1]}", "learner.epochs must have each value once, got [1, 1]"),
        ("one_at_a_time: {size: {small: 8}}", "one_at_a_time.size.small: Input should be a valid dictionary, not 8"),
        ("one_at_a_time: {seed: {1: {learner.epochs: 1}}}", "must have a name of its own, got 'seed-1'"),
        ("one_at_a_time: {a b: {c: {tables: 16}}, a-b: {c: {tables: 48}}}", "must have a name of its own, got 'a-b-c'"),
        ("crossed: {tables: [16]}\nseeds: []", "seeds: "),
        ("crossed: {tables: [16]}\nseeds: [1, 1]", "seeds: must have each entry once, got [1, 1]"),
        ("crossed: {tables: [16]}\nseeds: [-1]", "seeds.0: Input should be greater than or equal to 0, not -1"),
        ("crossed: {tables: [16]}\nbudget: {decisions: 1, cpu_seconds: 1}", "budget: give either decisions"),
        ("crossed: {tables: [16]}\nmeasures: {matches: [maniak]}", "measures.matches: there is no opponent 'maniak'"),
        ("crossed: {tables: [16]}\nmeasures: {rank_by: maniac}", "got 'maniac': known are 'tight_aggressive', 'pot"),
        ("crossed: {tables: [16]}\nmeasures: {rank_by: -exploiter}", "-exploiter with measures.exploiter, or -expl"),
        ("crossed: {tables: [16]}\nmeasure: {}", "Sweep has no field 'measure': did you mean 'measures'?"),
        ("search: {trials: 2, parameters: {tables: 5}}", "search.parameters.tables.list[any]: Input should be a valid"),
        ("search: {trials: 2, parameters: {tables: [1]}, maximize: nit}", "search.maximize must be one of measures."),
    ],
)
def test_what_is_wrong_is_named(tmp_path, text, message):
    with pytest.raises(ConfigError, match=re.escape(message)) as error:
        planned(tmp_path, text)
    assert str(tmp_path / "mine.yaml") in str(error.value)


@pytest.mark.parametrize(
    ("base", "message"),
    [
        ("base: headsup_nolimit_20b\n", "did you mean 'headsup_nolimit_20bb'"),
        ("base: league\n", "base: this is a league; a sweep trains configurations of one learner"),
        ("base: {config: demo, learner.epochs: x}\n", "mine.yaml: base: learner.epochs: give a whole number, not 'x'"),
        ("base: {rules: leduc}\n", "mine.yaml: base: budget: Field required"),
        ("rules: leduc\n", "this is no sweep, which has a `base`"),
    ],
)
def test_a_base_that_cannot_be_used(tmp_path, base, message):
    with pytest.raises((ConfigError, FileNotFoundError), match=re.escape(message)):
        planned(tmp_path, "one_at_a_time: {learner.gamma: [0.9]}", base)


def test_a_wrong_change_on_the_command_line_is_named(tmp_path):
    with pytest.raises(ConfigError, match=re.escape("--set measures.hands=few: measures.hands: give a whole number")):
        planned(tmp_path, "crossed: {tables: [16]}", BASE, ("measures.hands=few",))


def test_a_sweep_is_not_trained():
    with pytest.raises(ConfigError, match="this is a sweep"):
        load_config("sweep")


@pytest.mark.fast_cases(1)
@pytest.mark.parametrize("name", ["sweep", "sweep_crossed"])
@pytest.mark.parametrize("base", [None, "sixmax_nolimit"])
def test_sweeps_that_come_along_are_valid(name, base):
    plan = load_sweep(name, [f"base={base}"] if base and name == "sweep_crossed" else [])
    assert all(each.config.budget.cpu_seconds for each in plan.settings.values())
    assert len(plan.sweep.seeds) == 3
