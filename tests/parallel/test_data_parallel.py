"""One learner over several workers: equal weights, repeatable runs, going on, lost workers, clear errors."""

from __future__ import annotations

import os
import signal
import threading
import time
from pathlib import Path
from typing import Any

import pytest
import torch

from holdem_agents.parallel.data_parallel import Workers, resume, share_of, train
from holdem_agents.parallel.group import Group, new_store
from holdem_agents.parallel.machines import Machines
from holdem_agents.parallel.processes import ProcessWorker
from holdem_agents.parallel.workers import Worker, WorkerLost
from holdem_agents.training import run as run_module
from holdem_agents.training.checkpoint import load_checkpoint
from holdem_agents.training.config import ConfigError, Training
from holdem_agents.training.interrupts import Interrupts
from holdem_agents.training.run import resume as resume_alone
from holdem_env.players import make_agent
from parallel.leagues import ONE_LEARNER, SETTINGS, SMALL, lines, same_tensors

TWO = Machines(jobs=2)
SECONDS = 300.0
"""For the test that kills a worker, on a busy machine."""


def weights_of(folder: Path) -> dict[str, torch.Tensor]:
    return dict(make_agent(folder / "final.safetensors").policy.state_dict())  # type: ignore[attr-defined]


def with_workers(folder: Path, config: Training = ONE_LEARNER, started: Any = None) -> Workers:
    """Train with two processes, and return what is known of the other one."""
    with TWO.place() as place:
        workers = Workers(config, folder, TWO, place)
        workers.started = started
        run_module.train_until(config, folder, show=False, team=workers)
    return workers


@pytest.fixture(scope="module")
def trained(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Workers]:
    folder = tmp_path_factory.mktemp("runs") / "two"
    return folder, with_workers(folder)


def test_all_workers_end_with_equal_weights(trained: tuple[Path, Workers]) -> None:
    folder, workers = trained
    state = load_checkpoint(folder)
    assert state is not None
    assert same_tensors(workers.ended[0], state["trainee"]["policy"])
    (other,) = state["workers"]
    for name in ("policy", "average"):
        assert same_tensors(other["trainee"][name], state["trainee"][name])
    assert other["trainee"]["decisions"] == state["trainee"]["decisions"] >= 1500
    assert not same_tensors(other["trainee"]["tables"], state["trainee"]["tables"])


def test_the_budget_counts_the_decisions_of_all(trained: tuple[Path, Workers]) -> None:
    rows = lines(trained[0] / "progress.csv")
    counts = [int(row["time/total_timesteps"]) for row in rows]
    assert counts[0] >= ONE_LEARNER.tables * ONE_LEARNER.learner.n_steps
    assert 1500 <= counts[-1] < 1500 + 2 * counts[0]


def test_the_same_seed_gives_the_same_agent(trained: tuple[Path, Workers], tmp_path: Path) -> None:
    train(ONE_LEARNER, tmp_path / "again", TWO, show=False)
    assert same_tensors(weights_of(trained[0]), weights_of(tmp_path / "again"))


def test_an_interrupted_run_goes_on_as_if_nothing_had_happened(
    trained: tuple[Path, Workers], tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    folder, states = tmp_path / "interrupted", Workers.states
    count = 0

    def pressing(self: Workers) -> list[Any]:
        nonlocal count
        count += 1
        if count == 2:
            Interrupts.ask_all()
        return states(self)

    with monkeypatch.context() as patch:
        patch.setattr(Workers, "states", pressing)
        train(ONE_LEARNER, folder, TWO, show=False)
    assert f"goes on from there: holdem train --resume {folder} --jobs 2" in capsys.readouterr().err
    with pytest.raises(ConfigError, match=r"has 2 workers, not 1, and only as many can go on with it: .* --jobs 2"):
        resume_alone(folder, show=False)
    with pytest.raises(ConfigError, match="has 2 workers, not 4"):
        resume(folder, Machines(jobs=4), show=False)
    resume(folder, TWO, show=False)
    assert same_tensors(weights_of(trained[0]), weights_of(folder))
    mine, its = (lines(place / "progress.csv") for place in (folder, trained[0]))
    assert [row["time/total_timesteps"] for row in mine] == [row["time/total_timesteps"] for row in its]


def test_a_lost_worker_ends_the_run_with_the_last_checkpoint(tmp_path: Path) -> None:
    long = ONE_LEARNER.model_copy(update={"budget": ONE_LEARNER.budget.model_copy(update={"decisions": 10**7})})
    begun = time.monotonic()

    def started(workers: list[Worker]) -> None:
        (worker,) = workers
        assert isinstance(worker, ProcessWorker)

        def kill() -> None:
            while not (tmp_path / "checkpoint-previous.pt").exists():
                time.sleep(0.05)
            os.kill(worker.pid, signal.SIGKILL)

        threading.Thread(target=kill, daemon=True).start()

    words = f"worker 1 was lost: killed by signal 9, .*goes on from the last checkpoint: .*--resume {tmp_path} --jobs 2"
    with pytest.raises(WorkerLost, match=words):
        with_workers(tmp_path, long, started)
    state = load_checkpoint(tmp_path)
    assert state is not None
    assert len(state["workers"]) == 1
    assert time.monotonic() - begun < SECONDS


def test_workers_share_tables_and_minibatches() -> None:
    shares = [share_of(ONE_LEARNER, 4, rank) for rank in range(4)]
    assert {share.tables for share in shares} == {8}
    assert {share.learner.batch_size for share in shares} == {32}
    assert {share.learner.threads for share in shares} == {1}
    assert len({share.seed for share in shares}) == 4
    assert shares[0].seed == ONE_LEARNER.seed


@pytest.mark.parametrize(
    ("changes", "count", "words"),
    [
        ({"learner": SMALL | {"kind": "sb3"}}, 2, "only learner.kind: ppo trains with several workers"),
        ({}, 3, "tables: 32 cannot be shared by 3 workers; --set tables=30 can"),
        ({"tables": 33, "learner": SMALL}, 3, "learner.batch_size: 128 cannot be shared by 3 workers"),
        ({}, 1, "one learner needs the number of its workers, too, such as --jobs 4"),
    ],
)
def test_what_cannot_be_shared_is_named(changes: dict[str, Any], count: int, words: str, tmp_path: Path) -> None:
    config = Training(**SETTINGS | changes)
    with pytest.raises(ConfigError, match=words):
        train(config, tmp_path / "run", Machines(count, "auto"))
    assert not (tmp_path / "run").exists()


def test_a_group_averages_gradients_and_shares_numbers_and_states() -> None:
    store = new_store("127.0.0.1")
    found: dict[int, Any] = {}

    def take_part(rank: int) -> None:
        group = Group(store if rank == 0 else ("127.0.0.1", store.port), rank, 2)
        parameters = [torch.nn.Parameter(torch.zeros(2, 2)), torch.nn.Parameter(torch.zeros(3))]
        for parameter in parameters:
            parameter.grad = torch.full_like(parameter, float(rank))
        group.average_gradients(parameters)
        shared = torch.full((2,), float(rank))
        group.share([shared])
        numbers = group.numbers([rank + 5.0])
        states = group.receive_states() if rank == 0 else group.send_state({"rank": rank})
        found[rank] = [parameter.grad for parameter in parameters], shared, numbers, states

    threads = [threading.Thread(target=take_part, args=(rank,)) for rank in range(2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(60)
    for rank in range(2):
        gradients, shared, numbers, _ = found[rank]
        assert all(bool((gradient == 0.5).all()) for gradient in gradients)
        assert shared.tolist() == [0.0, 0.0]
        assert numbers == [5.0]
    assert found[0][3] == [{"rank": 1}]
