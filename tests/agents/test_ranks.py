"""Several processes that train one learner: they learn what one does, and go on as any number of them."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
import torch

from agents import rank_program
from agents.run_files import rows_of
from errors import complaint, mentions
from holdem_agents.ppo.buffer import joined, share_of
from holdem_agents.runs.checkpoint import load_checkpoint
from holdem_agents.runs.config import differences
from holdem_agents.training.config import Training
from holdem_agents.training.learners import loop
from holdem_agents.training.learners.learner import check_capabilities
from holdem_agents.training.learners.trainee import Trainee
from holdem_agents.world import World
from processes import wait_until

TRAIN = """
rules: heads-up-limit
budget: {decisions: 6000}
tables: 33
checkpoint_minutes: 0
opponents: {latest_self: 1, past_selves: 1, maniac: 0.3}
learner: {n_steps: 8, batch_size: 128, hidden: [16], threads: 1}
evaluation: {opponents: [random], hands: 100, times: 1}
"""
TESTS = str(Path(__file__).parents[1])
ENVIRONMENT = {**os.environ, "PYTHONPATH": f"{TESTS}{os.pathsep}{os.environ.get('PYTHONPATH', '')}".rstrip(os.pathsep)}
TORCHRUN = [sys.executable, "-m", "torch.distributed.run", "--standalone", "--nproc-per-node", "2"]
HOLDEM = [sys.executable, "-m", "holdem_agents.cli"]
TWO = [*TORCHRUN, "-m", "holdem_agents.cli"]


def run(command: list[str], home: Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run(command, cwd=home, env=ENVIRONMENT, capture_output=True, text=True, timeout=120)


def tiny(**changes: object) -> Training:
    learner = {"n_steps": 8, "batch_size": 64, "hidden": [8], "threads": 1}
    return Training(
        **{"rules": "heads-up-limit", "budget": {"decisions": 600}, "tables": 20, "learner": learner} | changes
    )


@pytest.mark.parametrize(("total", "size"), [(24, 2), (33, 2), (7, 3), (5, 5), (1024, 7)])
def test_every_table_is_of_one_rank(total, size):
    parts = []
    for rank in range(size):
        parts.append(World(rank, size).part_of(total))
    ends = [first + count for first, count in parts]
    assert [first for first, _ in parts] == [0, *ends[:-1]]
    assert ends[-1] == total
    assert max(count for _, count in parts) - min(count for _, count in parts) <= 1


def test_waiting_decisions_go_to_the_rank_that_has_their_tables():
    learner = Trainee(tiny())
    loop.train(learner.model, learner.hooks(), decisions=600)
    whole = learner.model.rollout_buffer.state()
    whole["value"] = np.arange(len(whole["value"]), dtype=np.float32)  # names
    parts = [share_of(whole, slice(*ends)) for ends in ((0, 6), (6, 7), (7, 20))]
    found = joined(parts)
    assert len(whole["value"]) > 20
    assert sorted(found["value"]) == whole["value"].tolist()
    for one, other in ((whole, found), (found, whole)):
        place = {name: row for row, name in enumerate(other["value"])}
        for row, name in enumerate(one["value"]):
            assert (one["observation"][row] == other["observation"][place[name]]).all()
            mine, its = one["following"][row], other["following"][place[name]]
            assert (mine < 0) == (its < 0)
            assert mine < 0 or one["value"][mine] == other["value"][its]
    names = [np.where(each["last"] < 0, -1, each["value"][each["last"]]) for each in (whole, found)]
    assert (names[0] == names[1]).all()


@pytest.mark.parametrize(
    ("changes", "word"),
    [
        ({"learner": {"kind": "sb3", "n_steps": 8, "batch_size": 64}}, "capable of ranks"),
        ({"learner": {"memory": {"width": 4}, "n_steps": 8, "batch_size": 64}, "sitting": 2}, r"learner\.memory"),
        ({"exploiters": {}, "opponents": {"past_selves": 1}}, "exploiters"),
        ({"tables": 8}, "tables"),
    ],
)
def test_what_one_process_alone_trains(changes, word):
    check_capabilities(tiny(**changes))
    assert re.search(word, complaint(check_capabilities, tiny(**changes), World(0, 9)))


def test_ranks_with_different_configurations():
    first, other = ({"learner": {"entropy": entropy}, "seed": 0} for entropy in (0.1, 0.2))

    class Three(World):
        def gathered(self, mine):
            return [first, first, other]

    mentions(complaint(Three(0, 3).check_same, first, differences), 2, "0.2", "0.1")
    complaint(Three(1, 3).check_same, first, differences, kind=SystemExit)


@pytest.mark.slow
def test_two_ranks_learn_what_one_learns(tmp_path):
    for command in ([sys.executable], TORCHRUN):
        result = run([*command, rank_program.__file__, "20", str(tmp_path)], tmp_path)
        assert not result.returncode, result.stderr
    one, *two = (torch.load(tmp_path / f"{name}.pt") for name in ("1-0", "2-0", "2-1"))
    for name, weights in one.items():
        assert torch.equal(two[0][name], two[1][name])
        assert (two[0][name] - weights).abs().max() < 1e-5


@pytest.mark.slow
def test_ranks_train_a_run_that_goes_on_with_another_number(tmp_path):
    (tmp_path / "mine.yaml").write_text(TRAIN)
    result = run([*TWO, "train", "mine.yaml"], tmp_path)
    assert not result.returncode, result.stderr
    assert [path.name for path in (tmp_path / "runs").iterdir()] == ["mine"]
    for number, command in ((9000, HOLDEM), (12000, TWO)):
        result = run([*command, "train", "--resume", "runs/mine", "--decisions", str(number)], tmp_path)
        assert not result.returncode, result.stderr
    rows = rows_of(tmp_path / "runs/mine/progress.csv")
    done = [int(row["time/total_timesteps"]) for row in rows]
    assert done == sorted(done)
    assert 12000 <= done[-1] < 12000 + 2 * 33 * 8
    assert min(np.diff(done)) >= 33 * 8


@pytest.mark.slow
@pytest.mark.parametrize("killed", [0, 1])
def test_a_killed_rank_ends_the_run_and_it_goes_on(killed, tmp_path):
    (tmp_path / "mine.yaml").write_text(TRAIN.replace("6000", "100_000_000"))
    with (tmp_path / "said.txt").open("w") as said:
        command = [*TWO, "train", "mine.yaml"]
        torchrun = subprocess.Popen(command, cwd=tmp_path, env=ENVIRONMENT, stderr=said, stdout=subprocess.DEVNULL)
        checkpoint = tmp_path / "runs/mine/checkpoint-previous.pt"
        wait_until(lambda: torchrun.poll() is not None or checkpoint.exists(), 120)
        assert torchrun.poll() is None
        os.kill(pid_of_rank(torchrun.pid, killed), signal.SIGKILL)
        assert torchrun.wait(60)
    text = (tmp_path / "said.txt").read_text()
    assert len(re.findall(r"^holdem: .*", text, re.MULTILINE)) == 1, text
    assert f"holdem: rank {1 - killed} ends because another process" in text
    state = load_checkpoint(tmp_path / "runs/mine")
    decisions = state["trainee"]["decisions"]
    result = run([*TWO, "train", "--resume", "runs/mine", "--decisions", str(decisions + 2000)], tmp_path)
    assert not result.returncode, result.stderr
    assert load_checkpoint(tmp_path / "runs/mine")["trainee"]["decisions"] >= decisions + 2000


def pid_of_rank(torchrun: int, rank: int) -> int:
    """The process of a rank, a child of torchrun."""
    for child in Path(f"/proc/{torchrun}/task/{torchrun}/children").read_text().split():
        if f"\0RANK={rank}\0".encode() in b"\0" + Path(f"/proc/{child}/environ").read_bytes():
            return int(child)
    raise LookupError(rank)


@pytest.mark.slow
def test_a_rank_with_another_configuration_ends_all_in_one_sentence(tmp_path):
    (tmp_path / "mine.yaml").write_text(TRAIN)
    words = f"{sys.executable} -m holdem_agents.cli train mine.yaml --set learner.gamma=0.$((RANK + 8))"
    result = run([*TORCHRUN, "--no-python", "bash", "-c", words], tmp_path)
    assert result.returncode
    assert [line for line in result.stderr.splitlines() if line.startswith("holdem: ")] == [
        "holdem: the processes must have one configuration; rank 1 differs from rank 0: learner.gamma is 0.9, was 0.8"
    ]
    assert not (tmp_path / "runs").exists()
