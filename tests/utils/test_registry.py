"""Registries of names of this library, of this process and of installed packages; hooks, functions of a higher room."""

from __future__ import annotations

from pathlib import Path

import pytest

from errors import complaint, mentions
from holdem_env import Rules, Table
from holdem_env.utils import hooks
from holdem_env.utils.registry import Registry


@pytest.fixture
def sauces(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Registry[object]:
    folder = tmp_path / "x-1.dist-info"
    folder.mkdir()
    (folder / "METADATA").write_text("Name: x\nVersion: 1\n")
    (folder / "entry_points.txt").write_text("[test.sauces]\npesto = json:dumps\nbroken = no_such_module:x\n")
    monkeypatch.syspath_prepend(str(tmp_path))
    return Registry("sauce", "test.sauces", {"mustard": 1})


def test_names_are_built_in_registered_or_declared(sauces: Registry[object]) -> None:
    sauces.register("ketchup", 2)
    assert sauces.names() == ["mustard", "ketchup", "pesto", "broken"]
    assert [sauces.get(name) for name in ("mustard", "ketchup")] == [1, 2]
    assert sauces.get("pesto").__name__ == "dumps"
    assert "broken" in sauces
    assert "mayonnaise" not in sauces


def test_what_is_registered_comes_before_what_is_declared(sauces: Registry[object]) -> None:
    sauces.register("pesto", 3)
    assert sauces.get("pesto") == 3


@pytest.mark.parametrize("name", ["mustart", "Ketchup", "pest"])
def test_the_nearest_of_all_names_is_suggested(sauces: Registry[object], name: str) -> None:
    sauces.register("ketchup", 2)
    with pytest.raises(ValueError, match=f"there is no sauce '{name}': did you mean '(mustard|ketchup|pesto)'"):
        sauces.get(name)


def test_packages_are_asked_only_for_names_that_are_not_here(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("holdem_env.utils.registry.declared_points", lambda group: pytest.fail("was read"))
    sauces = Registry("sauce", "test.sauces", {"mustard": 1})
    assert "mustard" in sauces
    assert sauces.get("mustard") == 1


def test_packages_are_read_once_a_process(sauces: Registry[object], monkeypatch: pytest.MonkeyPatch) -> None:
    assert "pesto" in sauces
    monkeypatch.setattr("holdem_env.utils.registry.entry_points", lambda: pytest.fail("was read again"))
    assert sauces.names() == ["mustard", "pesto", "broken"]
    assert "pesto" in Registry("sauce", "test.sauces")


def test_a_hook_is_the_function_that_was_registered_last(monkeypatch):
    monkeypatch.setattr(hooks, "_homes", {})
    hooks.register_hook("drawn", "json:dumps")
    assert hooks.hook("drawn")([1]) == "[1]"
    hooks.register_hook("drawn", "os.path:basename")
    assert hooks.hook("drawn")("a/b") == "b"


def test_what_nobody_registered_is_told(monkeypatch):
    monkeypatch.setattr(hooks, "_homes", {"table_text": "json:dumps"})
    mentions(complaint(hooks.hook, "table_svg", kind=LookupError), "table_svg", "table_text")


def test_a_table_is_printed_by_what_is_registered(monkeypatch):
    table = Table(Rules(), seed=1)
    assert "seat 0" in str(table)
    monkeypatch.setattr(hooks, "_homes", {})
    mentions(complaint(str, table, kind=LookupError), "table_text")
