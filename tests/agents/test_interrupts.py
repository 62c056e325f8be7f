"""Ctrl-C: the run ends with a checkpoint and says how to go on; results are never overwritten unasked."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import sys

import numpy as np
import pytest
import torch
import yaml

from agents.run_files import rows_of
from agents.test_resume import KINDS, TINY, of_kind
from holdem_agents.agent_files.sb3_agent import load
from holdem_agents.runs.checkpoint import load_checkpoint
from holdem_agents.runs.interrupts import Interrupts, holdem_command
from holdem_agents.runs.run import Run, resume, train
from holdem_agents.training import run as run_module
from holdem_agents.training.evaluation import matches
from holdem_agents.training.learners.run_hooks import StatisticsHook
from holdem_env.arena import play_match
from processes import default_handler, wait_until  # noqa: F401 - a fixture

RARE = TINY.model_copy(update={"checkpoint_minutes": 60.0})


@pytest.fixture(scope="module", params=KINDS)
def kind(request):
    return request.param


def press(times: int = 1) -> None:
    for _ in range(times):
        signal.raise_signal(signal.SIGINT)


def press_in_rollout(monkeypatch, rollout: int, times: int = 1) -> None:
    """Press ctrl-C in the middle of the rollout with this number, of all rollouts in the process from now on."""
    count = steps = 0

    def start(self, stats):
        nonlocal count, steps
        count, steps = count + 1, 0

    def step(self):
        nonlocal steps
        steps += 1
        if (count, steps) == (rollout, 3):
            press(times)
        return True

    monkeypatch.setattr(StatisticsHook, "before_step", start)
    monkeypatch.setattr(StatisticsHook, "goes_on", step)


@pytest.fixture(scope="module")
def uninterrupted(kind, tmp_path_factory):
    return train(of_kind(kind, RARE), tmp_path_factory.mktemp("runs") / "whole", show=False)


def test_an_interrupted_run_goes_on_as_if_nothing_had_happened(uninterrupted, kind, tmp_path, monkeypatch, capsys):
    folder = tmp_path / "my run"
    with monkeypatch.context() as patch:
        press_in_rollout(patch, 5)
        train(of_kind(kind, RARE), folder, show=False)
    seen = capsys.readouterr().err
    assert "interrupted: training ends after this rollout" in seen
    made = load_checkpoint(folder)["trainee"]["decisions"]
    assert made == 5 * 256 if kind == "sb3" else 5 * 256 <= made < 5 * (256 + 32)
    words = f"the checkpoint has {made:,} decisions, and this goes on from there:\n{holdem_command()} train --resume "
    words += f"'{folder}'"
    assert words in seen
    assert load(folder / "final.safetensors").trained_on == RARE.rules
    assert len(rows_of(folder / "crosstable.csv")) >= 2
    resume(folder, show=False)
    for name in ("progress.csv", "curve.csv", "crosstable.csv"):
        assert rows_of(folder / name) == rows_of(uninterrupted / name), name
    one, two = (load(place / "final.safetensors").policy.state_dict() for place in (folder, uninterrupted))
    assert all(torch.equal(one[name], two[name]) for name in one)


def test_a_second_ctrl_c_ends_at_once_and_the_message_is_true(kind, tmp_path, monkeypatch, capsys):
    folder = tmp_path / "run"
    with monkeypatch.context() as patch:
        press_in_rollout(patch, 5, times=2)
        train(of_kind(kind, RARE), folder, show=False)
    command = f"{holdem_command()} train --resume {folder} --overwrite"
    assert f"interrupted before the first checkpoint; this begins the run again:\n{command}" in capsys.readouterr().err
    agent = (folder / "final.safetensors").read_bytes()
    assert load_checkpoint(folder) is None
    with pytest.raises(FileExistsError, match=r"no checkpoint to go on from; .* would overwrite final.safetensors"):
        resume(folder, show=False)
    assert (folder / "final.safetensors").read_bytes() == agent
    resume(folder, show=False, overwrite=True)
    assert load_checkpoint(folder)["trainee"]["decisions"] >= 3000


def test_two_ctrl_cs_on_a_resumed_run_leave_its_files_as_they_were(uninterrupted, tmp_path, monkeypatch):
    folder = tmp_path / "run"
    shutil.copytree(uninterrupted, folder)
    config = yaml.safe_load((folder / "config.yaml").read_text()) | {"budget": {"decisions": 30_000}}
    (folder / "config.yaml").write_text(yaml.safe_dump(config))
    before = {path.name: path.read_bytes() for path in folder.iterdir()}
    assert len(rows_of(folder / "curve.csv")) >= 1
    with monkeypatch.context() as patch:
        press_in_rollout(patch, 2, times=2)
        resume(folder, show=False)
    assert {path.name: path.read_bytes() for path in folder.iterdir()} == before


def test_ctrl_c_ends_an_evaluation_under_way(tmp_path, monkeypatch):
    hands = []

    def pressing(*given, progress, **settings):
        def more(count):
            hands.append(count)
            press()
            progress(count)

        return play_match(*given, progress=more, **settings)

    with monkeypatch.context() as patch:
        patch.setattr(matches, "play_match", pressing)
        folder = tmp_path / "run"
        assert Run(RARE, folder, show=False, report_interrupted=False).begin().interrupts.asked
    assert len(hands) == 1
    assert (folder / "final.safetensors").exists()
    assert not (folder / "curve.csv").exists()
    resume(folder, show=False)
    assert len(rows_of(folder / "curve.csv")) == TINY.evaluation.times + 1


def test_ctrl_c_in_the_final_matches_skips_them(tmp_path, monkeypatch, capsys):
    def interrupted(*given):
        press()

    monkeypatch.setattr(run_module, "write_report", interrupted)
    folder = train(RARE, tmp_path / "run", show=False)
    assert "final matches skipped; final.safetensors is there" in capsys.readouterr().err
    assert (folder / "final.safetensors").exists()


@pytest.mark.slow
def test_results_are_overwritten_only_when_asked(uninterrupted, kind, tmp_path):
    before = {path: path.read_bytes() for path in uninterrupted.iterdir()}
    with pytest.raises(FileExistsError, match=r"holds a run already \(final.safetensors, .*--overwrite"):
        train(of_kind(kind, RARE), uninterrupted, show=False)
    assert {path: path.read_bytes() for path in uninterrupted.iterdir()} == before
    folder = train(of_kind(kind, RARE), tmp_path / "run", show=False)
    (folder / "notes.txt").write_text("mine")
    train(of_kind(kind, RARE).model_copy(update={"seed": 1}), folder, show=False, overwrite=True)
    assert (folder / "notes.txt").read_text() == "mine"
    assert len(rows_of(folder / "progress.csv")) == len(rows_of(uninterrupted / "progress.csv"))
    assert yaml.safe_load((folder / "config.yaml").read_text())["seed"] == 1


def test_somebody_elses_handler_stays():
    def mine(number, frame):
        pass

    signal.signal(signal.SIGINT, mine)
    with Interrupts():
        assert signal.getsignal(signal.SIGINT) is mine


@pytest.mark.slow
@pytest.mark.skipif(os.name != "posix", reason="signals are sent as POSIX has them")
def test_sigint_to_a_process_and_resume(tmp_path):
    """What a user does: `holdem train`, ctrl-C before the first checkpoint, `holdem train --resume`."""
    content = of_kind("ppo", RARE).model_dump(mode="json", exclude_unset=True) | {"budget": {"decisions": 40_000}}
    (tmp_path / "run.yaml").write_text(yaml.safe_dump(content))
    folder = tmp_path / "run"
    command = [sys.executable, "-m", "holdem_agents.cli", "train"]
    begin = [*command, str(tmp_path / "run.yaml"), "--runs", str(tmp_path)]
    pipes = {"stdout": subprocess.DEVNULL, "stderr": subprocess.PIPE, "text": True}
    process = subprocess.Popen(begin, preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL), **pipes)
    progress = folder / "progress.csv"
    wait_until(lambda: process.poll() is not None or (progress.exists() and len(rows_of(progress)) >= 3), 200)
    assert process.poll() is None, process.communicate()
    process.send_signal(signal.SIGINT)
    _, seen = process.communicate(timeout=120)
    assert process.returncode == 130, seen
    decisions = load_checkpoint(folder)["trainee"]["decisions"]
    assert f"the checkpoint has {decisions:,} decisions" in seen
    assert 3 * 256 <= decisions < 40_000
    subprocess.run([*command, "--resume", str(folder)], check=True, stdout=subprocess.DEVNULL, timeout=300)
    made = [int(line["time/total_timesteps"]) for line in rows_of(folder / "progress.csv")]
    rollouts = np.diff([0, *made])
    assert (rollouts >= 256).all()
    assert (rollouts < 256 + 32).all()
    assert made[-1] >= 40_000
