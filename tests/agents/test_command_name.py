"""Hints name the command so that it works where they are read."""

from __future__ import annotations

import sys

import pytest

from holdem_agents.command_name import holdem_command


@pytest.mark.parametrize(
    ("has_script", "on_path", "words"),
    [
        (True, True, "holdem"),
        (True, False, ".venv/bin/holdem"),
        (False, False, "'{bin}/python' -m holdem_agents.cli"),
    ],
)
def test_the_command_works_from_here(tmp_path, monkeypatch, has_script, on_path, words):
    here = tmp_path / "a clone"
    scripts = here / ".venv" / "bin"
    scripts.mkdir(parents=True)
    if has_script:
        (scripts / "holdem").write_text("#!/bin/sh\n")
        (scripts / "holdem").chmod(0o755)
    monkeypatch.chdir(here)
    monkeypatch.setattr(sys, "executable", str(scripts / "python"))
    monkeypatch.setenv("PATH", str(scripts if on_path else tmp_path))
    assert holdem_command() == words.format(bin=scripts)
    (tmp_path / "elsewhere").mkdir()
    monkeypatch.chdir(tmp_path / "elsewhere")
    assert holdem_command() == (f"'{scripts}/holdem'" if has_script and not on_path else words.format(bin=scripts))
