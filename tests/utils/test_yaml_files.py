"""YAML as plain data, and what is said where it is none."""

from __future__ import annotations

import sys

import pytest

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
    with pytest.raises(ValueError, match=r"a.yaml: not YAML: "):
        yaml_files.load(path)
    with pytest.raises(ValueError, match=r"^not YAML: "):
        yaml_files.loads(text)


def test_bytes_that_are_no_text(tmp_path):
    path = tmp_path / "a.yaml"
    path.write_bytes(b"\xff\xfe\x00")
    with pytest.raises(ValueError, match=r"a.yaml: not YAML: .*utf-8"):
        yaml_files.load(path)


def test_without_the_package_it_says_how_to_get_it(monkeypatch):
    monkeypatch.setitem(sys.modules, "yaml", None)
    with pytest.raises(ModuleNotFoundError, match=r"YAML needs the package 'yaml'; install it with: pip install"):
        yaml_files.loads("a: 1")
    with pytest.raises(ModuleNotFoundError, match=r"YAML needs"):
        yaml_files.dumps({"a": 1})
