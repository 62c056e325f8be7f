"""Configurations: those that come along are valid, and what is wrong is named."""

from __future__ import annotations

import pytest

from holdem_agents.runs.config import KINDS, ConfigError, find_config, load_config, shipped_configs
from holdem_agents.training.config import League, Learner, Training
from holdem_env import Rules

PROMISED = {"demo", "headsup_limit", "headsup_nolimit_20bb", "headsup_nolimit_100bb", "pot_limit", "sixmax_nolimit"}
PROMISED |= {"mixed", "freezeout", "league"}
GOOD = "rules: heads-up-no-limit\nbudget: {decisions: 1000}\n"


def is_of_a_run(name: str) -> bool:
    return "tournament" not in name and not name.startswith(("baselines", "sweep", "hu_", "sixmax_100bb"))


@pytest.mark.fast_cases(4)
@pytest.mark.parametrize("name", sorted(filter(is_of_a_run, shipped_configs())))
def test_configurations_that_come_along_are_valid(name):
    config = load_config(name)
    assert config.kind in KINDS
    assert load_config(f"configs/{name}.yaml") == config


def test_there_are_the_ones_that_are_promised():
    assert set(shipped_configs()) >= PROMISED
    assert load_config("demo").budget.seconds == 60


def load(tmp_path, text: str) -> Training:
    path = tmp_path / "mine.yaml"
    path.write_text(text)
    return load_config(path)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        (GOOD.replace("heads-up-no-limit", "heads-up-nolimit"), r"rules: .*did you mean 'heads-up-no-limit'"),
        (GOOD + "tabels: 7", "has no field 'tabels': did you mean 'tables'"),
        (GOOD + "learner: {learning_rat: [1, 2]}", "learner: .*did you mean 'learning_rate'"),
        (GOOD + "learner: {kind: sb}", r"learner.kind: there is no learner 'sb': did you mean 'sb3'"),
        (GOOD + "learner: {kind: 3}", "learner.kind: "),
        (GOOD + "levels: sessions", "levels: 'sessions' is for rules with a session"),
        (GOOD + "tables: 0", "tables: Input should be greater than 0, not 0"),
        (GOOD + "learner: {gamma: 1.5}", "learner.gamma: .*less than or equal to 1, not 1.5"),
        (GOOD.replace("heads-up-no-limit", "{preset: leaflet, seats: 11}"), "rules.seats: .*10, not 11"),
        (GOOD.replace("heads-up-no-limit", "{preset: leaflet, blinds: [5, 8]}"), "rules: .*smallest chip"),
        (GOOD + "opponents: {calling_staton: 1}", "opponents: .*did you mean 'calling_station'"),
        (GOOD + "opponents: {latest_self: 0}", "opponents: all weights are 0"),
        (GOOD + "opponents: {random: -1}", "opponents.random: .*greater than or equal to 0, not -1"),
        (GOOD + "one_opponent: -0.5", "one_opponent: .*greater than or equal to 0, not -0.5"),
        (GOOD + "evaluation: {opponents: [maniak]}", "evaluation.opponents: .*did you mean 'maniac'"),
        (GOOD + "observation: flatt", "no observation encoder 'flatt': did you mean 'flat'"),
        (GOOD + "actions: '50%, 12y'", "bet size ' ?12y'"),
        (GOOD + "tables: 4", "batch_size: more than n_steps . tables, which is 128"),
        ("rules: heads-up-no-limit", "budget: Field required"),
        ("rules: heads-up-no-limit\nbudget: {}", "budget: give either decisions or seconds"),
        ("rules: [", "not YAML"),
        ("- 1", "this is list"),
        ("", "this is NoneType"),
    ],
)
def test_what_is_wrong_is_named_with_the_file(tmp_path, text, words):
    with pytest.raises(ConfigError, match=rf"mine.yaml: (.|\n)*{words}"):
        load(tmp_path, text)


def test_a_missing_file_lists_what_there_is():
    with pytest.raises(FileNotFoundError, match=r"nothing.yaml: .*demo, freezeout, .*headsup_limit"):
        find_config("nothing.yaml")


def test_a_change_of_rules_keeps_the_preset():
    assert load_config("headsup_limit", ["rules.stacks=50"]).rules == Rules.preset("heads-up-limit", stacks=50)


def test_epochs_are_one_for_the_own_ppo_and_three_for_sb3():
    def epochs(**learner):
        return Learner(**learner).epochs

    assert (epochs(), epochs(kind="ppo"), epochs(kind="sb3")) == (1, 1, 3)
    assert (epochs(kind="sb3", epochs=2), epochs(epochs=4)) == (2, 4)
    league = {"a": {"learner": {"kind": "sb3"}}, "b": {}}
    made = League(rules="heads-up-no-limit", learners=league)
    assert [made.training(name).learner.epochs for name in league] == [3, 1]
