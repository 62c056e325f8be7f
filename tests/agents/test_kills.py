"""`kill -9`, full disks and folders that cannot be written to: nothing that was there is lost, and the run goes on to
the same end. Of `holdem train`, test_resume has more."""

from __future__ import annotations

import errno
import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from agents import small_cli
from agents.run_files import rows_of
from command_line import holdem, refused
from holdem_agents.agent_files.sb3_agent import load
from holdem_agents.training.blueprints import run as blueprints
from holdem_env.solvers.blueprints.strategy_file import load_strategy
from holdem_env.solvers.card_tables import abstraction
from holdem_env.utils import atomic
from processes import wait_until
from solvers.blueprints.one_bucket import no_tables

TRAIN = """
rules: heads-up-limit
budget: {decisions: 1500}
tables: 32
checkpoint_minutes: 0
learner: {n_steps: 8, batch_size: 128, hidden: [16], threads: 1}
evaluation: {opponents: [random], hands: 100, times: 1}
"""
BLUEPRINT = """
rules: {preset: heads-up-no-limit, stacks: 20}
sizes: {preflop: all-in, all: none}
cards: {flop: 1, turn: 1, river: 2}
budget: {deals: 3000}
threads: 1
checkpoint_minutes: 0
matches: {opponents: [calling_station], hands: 20}
"""
SWEEP = """
base:
  rules: heads-up-limit
  tables: 32
  checkpoint_minutes: 0
  learner: {n_steps: 8, batch_size: 128, hidden: [16], threads: 1}
budget: {decisions: 1500}
seeds: [0]
one_at_a_time:
  size: {small: {learner.hidden: [8]}}
measures: {matches: [random], hands: 100, times: 1, exploiter: {decisions: 800, hands: 100}}
"""
EXPLOIT = [
    *("exploit", "maniac", "--fresh", "--seeds", "0,1", "--decisions", "2000", "--hands", "100"),
    *("--rules", "heads-up-limit", "--name", "mine"),
]
COMMANDS = {
    "train": (TRAIN, ["train", "mine.yaml"], ["train", "--resume", "runs/mine"]),
    "blueprint": (BLUEPRINT, ["train", "mine.yaml"], ["train", "--resume", "runs/mine"]),
    "sweep": (SWEEP, ["train", "mine.yaml"], ["train", "--resume", "runs/mine"]),
    "exploit": ("", EXPLOIT, [*EXPLOIT, "--resume"]),
}
"""A configuration, the command that begins a run with it, and the one that goes on."""
TESTS = str(Path(__file__).parents[1])
ENVIRONMENT = {
    **os.environ,
    "PYTHONPATH": os.pathsep.join([TESTS, os.environ.get("PYTHONPATH", "")]).rstrip(os.pathsep),
}


@pytest.fixture
def home(tmp_path, monkeypatch) -> Path:
    """The working directory, with a folder for runs."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(abstraction.CardAbstraction, "deal_tables", no_tables)
    return tmp_path


def checkpoints(home: Path) -> dict[str, int]:
    """When each checkpoint in the folder of runs was written."""
    return {str(path): path.stat().st_mtime_ns for path in home.glob("runs/**/checkpoint.[pn]*") if path.exists()}


def killed_after_a_checkpoint(home: Path, words: list[str]) -> None:
    before = checkpoints(home)
    command, quiet = [sys.executable, small_cli.__file__, *words], subprocess.DEVNULL
    process = subprocess.Popen(command, cwd=home, env=ENVIRONMENT, stdout=quiet, start_new_session=True)
    wait_until(lambda: process.poll() is not None or checkpoints(home) != before, 900)
    assert process.poll() is None, "it ended before it could be killed"
    os.killpg(process.pid, signal.SIGKILL)
    process.wait()


def run(home: Path, words: list[str]) -> None:
    command = [sys.executable, small_cli.__file__, *words]
    subprocess.run(command, cwd=home, env=ENVIRONMENT, check=True, stdout=subprocess.DEVNULL, timeout=900)


def what_is_there(runs: Path) -> dict[str, object]:
    """The agents, strategies and results of all runs."""
    found: dict[str, object] = {}
    for path in sorted(runs.rglob("*")):
        name = str(path.relative_to(runs))
        if path.name == "final.safetensors":
            found[name] = [weights.tolist() for weights in load(path).policy.state_dict().values()]
        elif path.suffix == ".strategy":
            found[name] = load_strategy(path).probability.tolist()
        elif path.name in ("crosstable.csv", "sweep.csv"):
            found[name] = [{**row, "cpu_seconds": None, "opponent": None} for row in rows_of(path)]  # it may be a path
    return found


@pytest.mark.slow
@pytest.mark.parametrize("command", ["blueprint", "sweep"])  # test_training_exploiters kills `holdem exploit`
def test_a_run_that_is_killed_twice_comes_to_the_same_end(command, home):
    text, begin, go_on = COMMANDS[command]
    for name in ("whole", "killed"):
        (home / name).mkdir()
        (home / name / "mine.yaml").write_text(text.replace("deals: 3000", "deals: 300000"))
    run(home / "whole", begin)
    killed_after_a_checkpoint(home / "killed", begin)
    killed_after_a_checkpoint(home / "killed", go_on)
    run(home / "killed", go_on)
    whole, killed = (what_is_there(home / name / "runs") for name in ("whole", "killed"))
    assert len(whole) >= 1
    assert killed == whole


@pytest.mark.fast_cases(2)
@pytest.mark.parametrize("command", COMMANDS)
@pytest.mark.parametrize("number", [errno.ENOSPC, errno.EROFS])
def test_where_nothing_can_be_written_it_says_so_at_once(command, number, home, monkeypatch):
    text, begin, _ = COMMANDS[command]
    (home / "mine.yaml").write_text(text)

    def fails(path):
        raise OSError(number, os.strerror(number))

    monkeypatch.setattr(atomic.os, "fsync", fails)
    result = holdem(*begin)
    assert result.exit_code == 2, result.output
    reason = "the disk is full" if number == errno.ENOSPC else "Read-only file system"
    assert f"could not be written, {reason}; what was there before is still there" in result.output
    assert not [path for path in home.glob("runs/**/*") if path.is_file() and path.name != "study.db"]


@pytest.mark.slow
def test_a_blueprint_on_a_full_disk_goes_on_when_there_is_room(home, monkeypatch):
    (home / "mine.yaml").write_text(BLUEPRINT.replace("threads: 1", "threads: 1\nsnapshots: 2"))
    monkeypatch.setattr(blueprints, "ROUND_SECONDS", 0.001)
    count = 0

    def full(handle):
        nonlocal count
        count += 1
        if count > 4:
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    with monkeypatch.context() as patch:
        patch.setattr(atomic.os, "fsync", full)
        result = holdem("train", "mine.yaml", "--set", "budget={deals: 20000}")
    assert result.exit_code == 2
    assert "the disk is full; what was there before is still there" in result.output
    assert holdem("train", "--resume", "runs/mine").exit_code == 0
    assert holdem("train", "mine.yaml", "--set", "budget={deals: 20000}", "--name", "whole").exit_code == 0
    one, two = (load_strategy(home / "runs" / name / "final.strategy") for name in ("mine", "whole"))
    assert (one.probability == two.probability).all()


@pytest.mark.slow
def test_a_blueprint_killed_before_its_first_checkpoint_begins_again(home):
    (home / "runs" / "mine").mkdir(parents=True)
    (home / "runs" / "mine" / "config.yaml").write_text(BLUEPRINT)
    rows = "decisions,seconds,opponent,bb_per_100,half_width_95,hands,seed\n2000,6,calling_station,1,2,20,0\n"
    (home / "runs" / "mine" / "curve.csv").write_text(rows)
    assert holdem("train", "--resume", "runs/mine").exit_code == 0
    assert [row["decisions"] for row in rows_of(home / "runs" / "mine" / "curve.csv")] == [3000]
    assert holdem("train", "--resume", "runs/mine").exit_code == 0
    assert [row["decisions"] for row in rows_of(home / "runs" / "mine" / "curve.csv")] == [3000]


def test_only_the_same_exploiters_go_on(home):
    assert "runs/mine-seed-0: no run to resume; leave out --resume" in refused(*EXPLOIT, "--resume")
    (home / "runs" / "mine-seed-0").mkdir(parents=True)
    (home / "runs" / "mine-seed-0" / "config.yaml").write_text(TRAIN)
    result = holdem(*EXPLOIT, "--resume")
    assert result.exit_code == 2
    assert "runs/mine-seed-0 holds another exploiter: " in result.output
