"""Modules that moved are found under their old names, and are the very modules of the new ones."""

from __future__ import annotations

import sys
from importlib import import_module

import pytest

from holdem_env.utils.moved_modules import MOVED


@pytest.mark.parametrize(("old", "new"), MOVED.items())
def test_the_old_name_gives_the_new_module(old, new, monkeypatch):
    monkeypatch.delitem(sys.modules, old, raising=False)
    with pytest.warns(DeprecationWarning, match=f"{old} is now {new}"):
        found = import_module(old)
    module = import_module(new)
    assert found is module
    assert (module.__name__, module.__spec__.name) == (new, new)  # relative imports in it still work
    monkeypatch.delitem(sys.modules, old)


@pytest.mark.parametrize("new", MOVED.values())
def test_none_of_them_stands_under_an_old_name(new):
    assert new not in MOVED


def test_what_never_was_is_not_found():
    with pytest.raises(ModuleNotFoundError, match=r"holdem_env.arena.reports.nothing"):
        import_module("holdem_env.arena.reports.nothing")
