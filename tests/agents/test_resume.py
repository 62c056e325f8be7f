"""Runs that are killed go on as if nothing had happened; files are whole or not there."""

from __future__ import annotations

import errno
import io
import os
import re
import shutil
from hashlib import sha256
from pathlib import Path

import numpy as np
import pytest
import torch
import yaml

from agents.run_files import rows_of
from errors import complaint, mentions
from holdem_agents.agent_files.sb3_agent import load
from holdem_agents.runs import run as run_module
from holdem_agents.runs.checkpoint import (
    LATEST,
    PREVIOUS,
    load_checkpoint,
    save_checkpoint,
)
from holdem_agents.runs.config import ConfigError
from holdem_agents.runs.files import exploitability_text, facts_of, is_trained, truncate_csv
from holdem_agents.runs.files import rows_of as read_rows
from holdem_agents.runs.logs import AppendingCSV
from holdem_agents.runs.reading import RunFolder
from holdem_agents.runs.run import resume, train
from holdem_agents.training.config import Training
from holdem_agents.training.evaluation.report import past_selves
from holdem_agents.training.learners import trainee as ppo_learner
from holdem_agents.training.learners.trainee import Trainee, run_state
from holdem_env.envs.learner_tables import LearnerTables
from holdem_env.game.rules import Rules

TINY = Training(
    rules={"preset": "heads-up-no-limit", "stacks": 40},
    budget={"decisions": 3000},
    tables=32,
    reward="all_in_value",
    learner={"n_steps": 8, "batch_size": 128, "hidden": [16], "threads": 1, "average": 0.9, "kl_coef": 0.01},
    opponents={"latest_self": 0.5, "past_selves": 0.3, "average_self": 0.1, "maniac": 0.1},
    past_selves={"copies": 6, "temperature": 5},
    evaluation={"opponents": ["random"], "hands": 500, "times": 3, "past_selves": 1},
    checkpoint_minutes=0,
)
KINDS = ("ppo", pytest.param("sb3", marks=pytest.mark.slow))


def of_kind(kind, config=TINY):
    """The configuration with a learner of this kind."""
    learner = config.learner.model_copy(update={"kind": kind, "epochs": 1})
    return config.model_copy(update={"learner": learner})


def full(*given):
    raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))


class Killed(BaseException):
    """Stands for a process that ends in the middle of what it does."""


def kill_after(monkeypatch, checkpoints: int) -> None:
    """End the run in the rollout after this many checkpoints."""
    count = 0

    def saving(folder, state):
        nonlocal count
        save_checkpoint(folder, state)
        count += 1
        if count == checkpoints:
            monkeypatch.setattr(Trainee, "state", killed)

    def killed(self):
        raise Killed

    monkeypatch.setattr(run_module, "save_checkpoint", saving)


@pytest.fixture(scope="module", params=KINDS)
def kind(request):
    return request.param


@pytest.fixture(scope="module")
def uninterrupted(kind, tmp_path_factory):
    return train(of_kind(kind), tmp_path_factory.mktemp("runs") / "whole", show=False)


@pytest.fixture(scope="module")
def killed_once(kind, tmp_path_factory):
    """A run that was killed after five of its twelve rollouts."""
    folder = tmp_path_factory.mktemp("runs") / "killed"
    with pytest.MonkeyPatch.context() as patch:
        kill_after(patch, 5)
        complaint(train, of_kind(kind), folder, show=False, kind=Killed)
    assert not (folder / "final.safetensors").exists()
    return folder


@pytest.fixture
def killed(killed_once, tmp_path):
    return Path(shutil.copytree(killed_once, tmp_path / "killed"))


def test_a_resumed_run_is_the_uninterrupted_run(uninterrupted, killed):
    torch.manual_seed(123)  # another process has other random numbers
    np.random.seed(123)  # noqa: NPY002
    resume(killed, show=False)
    for name in ("progress.csv", "curve.csv", "crosstable.csv"):
        assert rows_of(killed / name) == rows_of(uninterrupted / name), name
    one, two = (load(folder / "final.safetensors").policy.state_dict() for folder in (killed, uninterrupted))
    assert all(torch.equal(one[name], two[name]) for name in one)


def test_two_processes_cannot_resume_one_run(killed):
    """Another process holds the folder until it ends; nothing is written meanwhile."""
    fcntl = pytest.importorskip("fcntl")
    before = {path: path.stat().st_mtime_ns for path in killed.rglob("*")}
    other = os.open(killed, os.O_RDONLY)
    fcntl.flock(other, fcntl.LOCK_EX)
    mentions(complaint(resume, killed, show=False), killed, "another process trains")
    os.close(other)
    assert {path: path.stat().st_mtime_ns for path in killed.rglob("*")} == before


@pytest.mark.slow
def test_the_order_of_the_opponents_in_the_file_does_not_matter(uninterrupted, killed):
    config = yaml.safe_load((killed / "config.yaml").read_text())
    turned = dict(reversed(config["opponents"].items()))
    assert len(turned) > 1
    (killed / "config.yaml").write_text(yaml.safe_dump(config | {"opponents": turned}, sort_keys=False))
    resume(killed, show=False)
    assert rows_of(killed / "progress.csv") == rows_of(uninterrupted / "progress.csv")


def heads(folder):
    """The weights of the layer that gives the logits."""
    return load(folder / "final.safetensors").policy.policy[-1].weight.detach()


@pytest.mark.slow
def test_a_finished_run_is_sharpened_by_another_temperature(uninterrupted, tmp_path):
    folder = Path(shutil.copytree(uninterrupted, tmp_path / "finished"))
    for temperature in (0.5, 0.25, 1.0):
        config = yaml.safe_load((folder / "config.yaml").read_text()) | {"sampling_temperature": temperature}
        (folder / "config.yaml").write_text(yaml.safe_dump(config))
        resume(folder, show=False)
        torch.testing.assert_close(heads(folder), heads(uninterrupted) / temperature)
    assert rows_of(folder / "crosstable.csv") == rows_of(uninterrupted / "crosstable.csv")
    assert rows_of(folder / "curve.csv") == rows_of(uninterrupted / "curve.csv")


@pytest.mark.slow
def test_what_exploiters_won_is_forgotten_when_the_agent_changes(uninterrupted, tmp_path, capsys):
    folder = Path(shutil.copytree(uninterrupted, tmp_path / "finished"))
    rows = (
        "kind,decisions,seconds,seed,plays,bb_per_100,half_width_95,hands\nwarm,5000,12.0,3,sampling,812.0,90.5,1000\n"
    )
    (folder / "exploiters.csv").write_text(rows)
    resume(folder, show=False)
    assert (folder / "exploiters.csv").read_text() == rows  # nothing is left to do
    assert "sampling_temperature" not in (folder / "model_card.md").read_text()
    config = yaml.safe_load((folder / "config.yaml").read_text()) | {"sampling_temperature": 0.5}
    (folder / "config.yaml").write_text(yaml.safe_dump(config))
    capsys.readouterr()
    resume(folder, show=False)
    assert not (folder / "exploiters.csv").exists()
    card = (folder / "model_card.md").read_text()
    assert "812" not in card
    assert "- sampling_temperature 0.5: the agent's logits were divided by it" in card
    assert "exploiters.csv is removed: it says what exploiters won from the earlier" in "".join(capsys.readouterr())


@pytest.mark.slow
def test_training_is_the_same_at_any_temperature(kind, uninterrupted, tmp_path):
    settings = of_kind(kind).model_copy(update={"sampling_temperature": 0.5})
    folder = train(settings, tmp_path / "sharp", show=False)
    assert rows_of(folder / "progress.csv") == rows_of(uninterrupted / "progress.csv")
    torch.testing.assert_close(heads(folder), 2 * heads(uninterrupted))


def test_a_damaged_checkpoint_is_passed_over_for_the_one_before(uninterrupted, killed):
    later = load_checkpoint(killed)["trainee"]["decisions"]
    (killed / LATEST).write_bytes((killed / LATEST).read_bytes()[:-1000])
    assert 0 < load_checkpoint(killed)["trainee"]["decisions"] < later
    resume(killed, show=False)
    assert rows_of(killed / "curve.csv") == rows_of(uninterrupted / "curve.csv")


def test_without_any_whole_checkpoint_it_says_so(killed):
    for name in (LATEST, PREVIOUS):
        (killed / name).write_bytes(b"no")
    assert re.search(r"no checkpoint can be loaded: .*checkpoint.pt is damaged", complaint(resume, killed, show=False))


def test_a_run_killed_before_its_first_checkpoint_starts_over(uninterrupted, killed):
    for name in (LATEST, PREVIOUS):
        (killed / name).unlink()
    resume(killed, show=False)
    assert rows_of(killed / "progress.csv") == rows_of(uninterrupted / "progress.csv")


def test_the_budget_may_grow_but_the_learner_stays(killed, kind):
    changed = yaml.safe_load((killed / "config.yaml").read_text())
    assert changed["learner"]["kind"] == kind
    other = {"ppo": "sb3", "sb3": "ppo"}[kind]
    before = {path.name: path.read_bytes() for path in killed.iterdir() if path.name != "config.yaml"}
    learner = {"learner": changed["learner"] | {"kind": other}}
    for change, words in (({"tables": 64}, "tables is 64, was 32"), (learner, f"kind is '{other}', was '{kind}'")):
        (killed / "config.yaml").write_text(yaml.safe_dump(changed | change))
        assert re.search(words, complaint(resume, killed, show=False, kind=ConfigError))
        assert {path.name: path.read_bytes() for path in killed.iterdir() if path.name != "config.yaml"} == before
    (killed / "config.yaml").write_text(yaml.safe_dump(changed | {"budget": {"decisions": 1600}}))
    assert int(rows_of(resume(killed, show=False) / "curve.csv")[-1]["decisions"]) < 2000


def test_a_checkpoint_of_another_encoder_version_says_which(killed, monkeypatch):
    with monkeypatch.context() as patch:
        patch.setattr(ppo_learner, "digest", lambda encoder, rules: "of another time")
        mentions(complaint(resume, killed, show=False), "flat")
    monkeypatch.setattr(ppo_learner, "layout_text", lambda: "other fields")
    mentions(complaint(resume, killed, show=False), "holdem_env")


def test_a_full_disk_costs_a_checkpoint_not_the_run(kind, tmp_path, monkeypatch, capsys):
    """The disk is full from the fourth checkpoint to the sixth."""
    count = 0

    def sync(handle):
        nonlocal count
        count += 1
        if 8 <= count <= 12:
            full()

    monkeypatch.setattr(os, "fsync", sync)
    folder = train(of_kind(kind), tmp_path / "run", show=False)
    seen = capsys.readouterr().err
    assert "no checkpoint this time:" in seen
    assert "the disk is full; what was there before is still there" in seen
    assert load_checkpoint(folder)["trainee"]["decisions"] >= 3000
    assert not list(folder.glob("*.partial"))


def test_the_columns_of_the_log_stand_in_alphabetical_order(tmp_path):
    """Also columns that come later, and after the log was opened again; earlier rows have nothing there."""
    path = tmp_path / "progress.csv"
    log = AppendingCSV(path)
    log.write({"time/b": 1, "train/a": 2.5}, 1)
    log.write({"train/a": 3, "time/b": 4, "holdem/c": "x,y"}, 2)
    log.close()
    log = AppendingCSV(path)
    log.write({"eval/d": 5}, 3)
    log.close()
    comma = tmp_path / "comma.csv"
    for step in range(2):
        log = AppendingCSV(comma)
        log.write({"a,b": step}, step)
        log.close()
    assert comma.read_text().splitlines() == ['"a,b"', "0", "1"]
    assert path.read_text().splitlines() == ["eval/d,holdem/c,time/b,train/a", ",,1,2.5", ',"x,y",4,3', "5,,,"]


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="needs a device that is always full")
def test_a_full_disk_does_not_end_the_log_nor_the_run(tmp_path, capsys):
    """It is reported once; when there is room again the log goes on."""
    log = AppendingCSV(tmp_path / "progress.csv")
    log.write({"a": 1}, 1)
    there, log.file = log.file, open("/dev/full", "w")  # noqa: SIM115
    log.write({"a": 2}, 2)
    log.write({"a": 3}, 3)
    log.close()
    seen = capsys.readouterr().err
    assert seen.count("progress.csv could not be written, No space left on device; training goes on") == 1
    log.file = there
    log.write({"a": 4}, 4)
    log.close()
    assert [line["a"] for line in rows_of(tmp_path / "progress.csv")] == [1.0, 4.0]


def test_a_log_is_truncate_csv_whole_or_not_at_all(tmp_path, monkeypatch):
    path = tmp_path / "progress.csv"
    path.write_text("a,b\n1,x\n2,y\n3,z\n")
    with monkeypatch.context() as patch:
        patch.setattr(os, "fsync", full)
        mentions(complaint(truncate_csv, path, "a", 2, kind=OSError), "the disk is full")
    assert path.read_text() == "a,b\n1,x\n2,y\n3,z\n"
    truncate_csv(path, "a", 2)
    assert path.read_text() == "a,b\n1,x\n2,y\n"


def test_a_run_interrupted_before_its_first_rollout_has_no_past_selves():
    learner = Trainee(TINY)
    assert len(learner.pool) == 0
    assert list(past_selves(learner)) == []


def test_a_checkpoint_runs_no_code_and_tells_its_format(kind, tmp_path):
    learner = Trainee(of_kind(kind))
    learner.set_up()
    state = run_state(learner)
    save_checkpoint(tmp_path, state)
    assert load_checkpoint(tmp_path)["trainee"]["decisions"] == 0  # loaded with weights_only=True
    save_checkpoint(tmp_path, {**state, "format": 99})
    mentions(complaint(load_checkpoint, tmp_path), 99)


@pytest.mark.parametrize("state", [b"garbage", b"", [1], 5, {"a": 1}, {"format": 1, "config": None}])
def test_what_is_no_checkpoint_is_said_with_its_file(tmp_path, state):
    content = io.BytesIO()
    torch.save(state, content)
    written = state if isinstance(state, bytes) else content.getvalue()
    (tmp_path / LATEST).write_bytes(sha256(written).digest() + written)
    mentions(complaint(load_checkpoint, tmp_path), "checkpoint.pt is no checkpoint")


@pytest.mark.parametrize("trainee", [None, 5, [], {}])
def test_a_checkpoint_of_another_learner_is_refused(killed, trainee):
    state = load_checkpoint(killed)
    (killed / PREVIOUS).unlink()
    save_checkpoint(killed, state | {"trainee": trainee})
    mentions(complaint(resume, killed, show=False), "checkpoint is not of such a run")


@pytest.mark.parametrize("text", ["[]", "5", "null", 50_000 * "[", 5_000 * "9", "{", '{"decisions": NaN}'])
def test_damaged_facts_of_a_run_are_said_with_their_file(tmp_path, text):
    (tmp_path / "training.json").write_text(text)
    for reader in (facts_of, exploitability_text):
        mentions(complaint(reader, tmp_path), "training.json is damaged")
    assert not is_trained(tmp_path)


def test_logs_of_a_run_may_be_damaged(tmp_path):
    (tmp_path / "curve.csv").write_text("decisions,x\n1," + 200_000 * "9" + "\n")
    mentions(complaint(read_rows, tmp_path / "curve.csv"), "curve.csv is damaged")
    (tmp_path / "config.yaml").write_text("kind: training\n")
    (tmp_path / "progress.csv").write_text("decisions,budget_spent\n5,0.5\n1e999,0.5\n")
    assert RunFolder(tmp_path).decisions == 0


def test_learner_tables_go_on_where_they_were():
    rules = Rules(seats=3)
    agents = ["maniac", ("random", 2)]
    one, two = (LearnerTables(rules, 16, agents, reward="all_in_value", one_opponent=0.5) for _ in range(2))
    one.reset(seed=3)

    def play(tables):
        tables.play(tables.checked_moves(tables.mask.argmax(axis=1)))
        return tables.observation(), tables.value.copy(), tables.played_by.copy(), tables.mask.copy()

    for _ in range(20):
        play(one)
    two.load_state_dict(one.state_dict())
    np.testing.assert_array_equal(one.observation(), two.observation())
    for _ in range(20):
        for mine, its in zip(play(one), play(two), strict=True):
            np.testing.assert_array_equal(mine, its)
    with pytest.raises(ValueError, match="the state is of other tables"):
        LearnerTables(rules, 8, ["random"]).load_state_dict(one.state_dict())
