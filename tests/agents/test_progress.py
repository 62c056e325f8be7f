"""Progress where the output is no terminal: plain lines on stderr."""

from __future__ import annotations

import io

import pytest
from rich.console import Console

from command_line import holdem
from holdem_agents import progress
from holdem_agents.progress import VisibleProgress


class Time:
    now = 0.0

    def __call__(self) -> float:
        return self.now


def test_a_line_now_and_then_on_stderr(capsys):
    time, out = Time(), io.StringIO()
    with VisibleProgress(console=Console(file=out), seconds=10, get_time=time) as bar:
        task = bar.add_task("playing", total=40_000)
        for _ in range(30):
            time.now += 1
            bar.advance(task, 1_000)
    lines = capsys.readouterr().err.splitlines()
    assert len(lines) == 3
    assert lines[0].startswith("playing: 10,000 of 40,000 (25 %), about 0:00:3")
    assert lines[2].startswith("playing: 30,000 of 40,000 (75 %), about 0:00:10 left")
    assert out.getvalue().strip() == ""


def test_fractions_and_notes(capsys):
    time = Time()
    bar = VisibleProgress(console=Console(file=io.StringIO()), get_time=time)
    task = bar.add_task("training", total=1.0, note="")
    bar.update(task, note="1,234 decisions, 99/s")
    time.now = 11
    bar.update(task, completed=0.5)
    assert capsys.readouterr().err.startswith("training: 50 %, 1,234 decisions, 99/s")
    open_end = bar.add_task("waiting", total=None)
    time.now = 22
    bar.update(task_id=open_end, completed=1)
    assert capsys.readouterr().err == "waiting: 1\n"


def test_nothing_where_it_is_switched_off_and_no_lines_in_a_terminal(capsys):
    time = Time()
    for options in ({"console": Console(file=io.StringIO()), "disable": True}, {"console": terminal()}):
        with VisibleProgress(get_time=time, **options) as bar:
            task = bar.add_task("playing", total=10)
            time.now += 100
            bar.update(task, completed=5)
    assert capsys.readouterr().err == ""


def terminal() -> Console:
    return Console(file=io.StringIO(), force_terminal=True)


@pytest.mark.fast_cases(1)
@pytest.mark.parametrize("command", ["match", "tournament"])
def test_commands_in_a_pipe(command, tmp_path, monkeypatch):
    monkeypatch.setattr(progress, "SECONDS", 0.0)
    words = ["match", "calling_station", "always_fold", "--hands", "3000"]
    if command == "tournament":
        config = tmp_path / "t.yaml"
        config.write_text("rules: heads-up-no-limit\nagents: [calling_station, always_fold]\nhands: 100\nshard: 25\n")
        words = ["tournament", str(config), "--store", str(tmp_path / "t.db"), "--report", str(tmp_path / "report")]
    result = holdem(*words)
    assert result.exit_code == 0, result.output
    assert "playing: " in result.stderr
    assert "playing: " not in result.stdout
