"""Hooks: functions of a higher room, found by name."""

from __future__ import annotations

import subprocess
import sys

import pytest

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
    with pytest.raises(LookupError, match=r"no function is registered for the hook 'table_svg'; .* table_text"):
        hooks.hook("table_svg")


def test_a_table_is_printed_by_what_is_registered(monkeypatch):
    table = Table(Rules(), seed=1)
    assert "seat 0" in str(table)
    monkeypatch.setattr(hooks, "_homes", {})
    with pytest.raises(LookupError, match="'table_text'; registered are: none"):
        str(table)


@pytest.mark.slow
@pytest.mark.parametrize(("module", "draw"), [("table_text", "str(t)"), ("table_svg", "t.svg()")])
def test_drawings_are_not_imported_before_something_is_drawn(module, draw):
    loaded = f"print('holdem_env.render.{module}' in sys.modules)"
    script = f"import sys; from holdem_env import Rules, Table; t = Table(Rules(), seed=1); {loaded}; {draw}; {loaded}"
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert done.stdout.split() == ["False", "True"]
