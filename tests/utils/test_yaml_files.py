"""YAML as plain data, and what is said where it is none."""

from __future__ import annotations

import re
from itertools import pairwise

import pytest

from errors import complaint, mentions
from holdem_env.utils import yaml_files


def test_there_and_back(tmp_path):
    data = {"rules": {"preset": "leduc", "stacks": [200, 100]}, "name": "Moravčík", "aggression": 0.5, "nash": None}
    path = tmp_path / "a.yaml"
    path.write_text(yaml_files.dumps(data), encoding="utf-8")
    assert yaml_files.load(path) == data
    assert list(yaml_files.load(str(path))) == list(data)
    assert yaml_files.loads("[0.02, 0.01]") == [0.02, 0.01]


@pytest.mark.parametrize("text", ["rules: [", "!!python/object:os.system {}", "2020-13-45"])
def test_what_is_no_yaml_is_told_with_its_file(tmp_path, text):
    path = tmp_path / "a.yaml"
    path.write_text(text)
    mentions(complaint(yaml_files.load, path), "a.yaml")
    assert re.search(r"^not YAML: ", complaint(yaml_files.loads, text))


LAUGHS = "a: &a [1, 2, 3, 4, 5, 6, 7, 8, 9]\n" + "".join(
    f"{name}: &{name} [{', '.join([f'*{before}'] * 9)}]\n" for before, name in pairwise("abcdefgh")
)
MERGES = "a: &a {x: 1}\n" + "".join(
    f"{name}: &{name} {{<<: [{', '.join([f'*{before}'] * 9)}], {name}: 1}}\n" for before, name in pairwise("abcdefgh")
)


HOURS = [(LAUGHS, "more than 20,000 values"), (MERGES, "merge key"), (f"[{'1, ' * 20_000}]", "more than 20,000 values")]
HOURS += [("# " * 2**20, "more than 1,048,576 characters"), ("a: &a [*a]", "deep")]
HOURS += [(f"a: 1{':1' * 300_000}", "a number has more than 100 characters")]


@pytest.mark.parametrize(("text", "why"), HOURS)
def test_what_is_made_to_take_hours_is_refused_at_once(text, why):
    assert re.search(why, complaint(yaml_files.loads, text))


def test_aliases_are_read():
    assert yaml_files.loads("a: &x [1, 2]\nb: *x") == {"a": [1, 2], "b": [1, 2]}


def test_bytes_that_are_no_text(tmp_path):
    path = tmp_path / "a.yaml"
    path.write_bytes(b"\xff\xfe\x00")
    mentions(complaint(yaml_files.load, path), "a.yaml")
