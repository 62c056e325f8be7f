"""YAML and JSON of strangers: nested without end, or with names that are not text."""

from __future__ import annotations

import pytest

from errors import complaint, mentions
from holdem_agents.cli.tournament_file import load_tournament
from holdem_agents.runs.config import load_config
from holdem_env import Table
from holdem_env.agents.config_files import read_config
from holdem_env.agents.registry import make_agent
from holdem_env.game.rules_input import as_rules
from holdem_env.protocols.text import AnswerError, read_answer
from holdem_env.utils import yaml_files
from holdem_env.utils.plain_data import DEEPEST, json_of

DEEP = {
    "lists": "[" * 5000 + "]" * 5000,
    "objects": '{"a":' * 5000 + "1" + "}" * 5000,
    "not closed": "[" * 5000,
    "less deep": "[" * 300 + "]" * 300,
    "as text": '"' + "[" * 5000 + '"',
}


@pytest.mark.fast_cases(2)
@pytest.mark.parametrize("read", [json_of, yaml_files.loads])
@pytest.mark.parametrize("kind", ["lists", "objects", "less deep"])
def test_nested_data_is_an_error(read, kind):
    mentions(complaint(read, DEEP[kind]), "nested")


def test_what_is_nested_less_is_read():
    deepest = "[" * (DEEPEST + 1) + "]" * (DEEPEST + 1)
    assert json_of(deepest) == yaml_files.loads(deepest)
    assert json_of(DEEP["as text"]) == yaml_files.loads(DEEP["as text"]) == "[" * 5000


@pytest.mark.parametrize(
    "text",
    ["&a [*a]", "&a {b: *a}", "!!bool maybe", "!!timestamp x", "!!int ''", "!!float ''", "9" * 4500, "2020-13-45"],
)
def test_yaml_that_holds_itself_or_no_values(text):
    mentions(complaint(yaml_files.loads, text), "not YAML")


FILES = {"config.json": read_config, "config.yaml": read_config, "rules.yaml": as_rules, "agent.yaml": make_agent}
FILES |= {"training.yaml": load_config, "tournament.yaml": load_tournament}


@pytest.mark.parametrize("name", FILES)
def test_files_that_are_nested_say_so_in_a_sentence(tmp_path, name):
    path = tmp_path / name
    path.write_text(DEEP["less deep"])
    with pytest.raises(ValueError, match=r"nested more than 100 deep\)?$") as error:
        FILES[name](path)
    assert str(path) in str(error.value)


@pytest.mark.parametrize(
    ("name", "text"),
    [(name, "1: 2") for name in FILES if name != "config.json"]
    + [("training.yaml", "yes: 2"), ("tournament.yaml", "agents: [{agent: maniac, 2: 1}, random]\nrules: kuhn")],
)
def test_names_that_are_no_text(tmp_path, name, text):
    path = tmp_path / name
    path.write_text(text)
    with pytest.raises(ValueError, match=r"(1|2|True) is no name of a field; names are text, in quotes if need be"):
        FILES[name](path)


def test_rules_with_a_name_that_is_no_text():
    mentions(complaint(as_rules, {1: 2}), 1)


def test_json_in_a_models_answer():
    complaint(read_answer, DEEP["objects"], Table("heads-up-no-limit", seed=1).view(), kind=AnswerError)
