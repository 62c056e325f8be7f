"""Hooks: functions of a higher room, found by name."""

from __future__ import annotations

from errors import complaint, mentions
from holdem_env import Rules, Table
from holdem_env.utils import hooks


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
