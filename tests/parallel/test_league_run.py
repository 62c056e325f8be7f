"""The league in workers: weights exchanged by the turn, checkpoints, lost workers, going on elsewhere."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest
import torch
from stable_baselines3.common.callbacks import BaseCallback

from holdem_agents.parallel.here import HerePlace
from holdem_agents.parallel.league_member import LeagueMember
from holdem_agents.parallel.league_run import RETRIES, ParallelLeague, resume_league, train_league
from holdem_agents.parallel.machines import Machines
from holdem_agents.parallel.workers import WorkerLost
from holdem_agents.training.checkpoint import load_checkpoint
from holdem_agents.training.config import ConfigError
from holdem_agents.training.interrupts import Interrupts
from holdem_agents.training.league import LeagueRun
from holdem_agents.training.league import resume_league as resume_here
from holdem_agents.training.league import train_league as train_here
from holdem_agents.training.ppo_learner import PPOLearner
from holdem_env.players import make_agent
from parallel.leagues import TINY, lines, same_tensors

HERE = Machines()


class LosingPlace(HerePlace):
    """Workers in this process, some of whose answers are lost. lost: methods, each of which is lost once."""

    def __init__(self, *lost: str) -> None:
        super().__init__()
        self.lost, self.started = list(lost), 0

    def start(self, make: Callable[..., Any], *arguments: Any) -> Any:
        self.started += 1
        worker, lost = super().start(make, *arguments), self.lost

        class Losing:
            index = worker.index

            def begin(self, method: str, *given: Any) -> None:
                self.method = method
                worker.begin(method, *given)

            def answer(self) -> Any:
                answer = worker.answer()
                if self.method in lost:
                    lost.remove(self.method)
                    raise WorkerLost(worker.index, "killed by signal 9")
                return answer

            def interrupt(self) -> None: ...

            def close(self) -> None: ...

        return Losing()


def trained(folder: Path, place: HerePlace) -> ParallelLeague:
    run = ParallelLeague(TINY, folder, place)
    run.run(show=False)
    return run


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return train_league(TINY, tmp_path_factory.mktemp("runs") / "league", HERE, show=False)


def test_every_round_is_rated_and_the_best_is_delivered(folder: Path) -> None:
    ratings = lines(folder / "ratings.csv")
    assert {row["round"] for row in ratings} == {"1", "2"}
    last = [row for row in ratings if row["round"] == "2"]
    kept = [row["snapshot"] for row in last if row["kept"] == "1"]
    assert kept == [row["snapshot"] for row in last[:2]]
    assert sorted(path.stem for path in (folder / "snapshots").glob("*")) == sorted(kept)
    assert make_agent(folder / "final.safetensors").trained_on == TINY.rules
    assert lines(folder / "crosstable.csv")[0]["opponent"] == "random"
    for name in TINY.learners:
        rows = lines(folder / name / "progress.csv")
        assert [int(row["time/total_timesteps"]) for row in rows] == sorted(
            int(row["time/total_timesteps"]) for row in rows
        )
        assert int(rows[-1]["time/total_timesteps"]) >= 1024
        assert rows[-1]["train/value_loss"]


def test_members_have_each_others_weights_of_the_last_turn(folder: Path) -> None:
    state = load_checkpoint(folder)
    assert state is not None
    for name, other in (("one", "two"), ("two", "one")):
        assert same_tensors(state["members"][name]["others"][other], state["learners"][other]["policy"])
        pool = state["learners"][name]["pool"]["copies"]
        assert len(pool) == TINY.pool
        assert {copy["kind"] for copy in pool} == {"one", "two"}
    one, two = (state["learners"][name]["pool"]["copies"] for name in ("one", "two"))
    for mine, its in zip(one, two, strict=True):
        assert (mine["kind"], mine["decisions"]) == (its["kind"], its["decisions"])
        assert same_tensors(mine["weights"], its["weights"])


def test_a_member_begins_with_the_weights_that_the_learner_has_in_one_process(tmp_path: Path) -> None:
    members = [LeagueMember(TINY, name) for name in TINY.learners]
    run = LeagueRun(TINY, tmp_path)
    for member in members:
        weights = member.learner.agent.policy.state_dict()
        assert same_tensors(weights, run.learners[member.name].agent.policy.state_dict())
        for other in members:
            if other is not member:
                assert same_tensors(weights, other.state()["others"][member.name])


def test_a_finished_turn_is_not_played_twice() -> None:
    member = LeagueMember(TINY, "one")
    first = member.train()
    assert first.is_over
    assert first.decisions >= 512
    again = LeagueMember(TINY, "one", first.state).train()
    assert again.is_over
    assert not again.rows
    assert again.decisions == first.decisions
    assert again.news is not None
    assert first.news is not None
    assert same_tensors(again.news.snapshot, first.news.snapshot)


@pytest.mark.parametrize("method", ["train", "hear"])
def test_a_lost_worker_costs_its_turn_and_nothing_else(
    folder: Path, tmp_path: Path, method: str, capsys: pytest.CaptureFixture[str]
) -> None:
    place = LosingPlace(method)
    run = trained(tmp_path, place)
    assert place.started == len(TINY.learners) + 1
    assert "the worker of one was lost (killed by signal 9); one begins again where it was" in capsys.readouterr().err
    there, here = run.state(), load_checkpoint(folder)
    assert here is not None
    for name in TINY.learners:
        assert same_tensors(there["learners"][name]["policy"], here["learners"][name]["policy"])
        assert there["learners"][name]["decisions"] == here["learners"][name]["decisions"]
    assert lines(tmp_path / "ratings.csv") == lines(folder / "ratings.csv")


def test_a_member_whose_workers_are_lost_again_and_again_ends_the_league(tmp_path: Path) -> None:
    with pytest.raises(WorkerLost, match=f"killed by signal 9, as {RETRIES} workers of one before"):
        trained(tmp_path, LosingPlace(*["train"] * (2 * RETRIES + 2)))


def test_an_error_of_a_member_is_raised(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def train(self: LeagueMember) -> None:
        raise ValueError("the observation is odd")

    monkeypatch.setattr(LeagueMember, "train", train)
    with pytest.raises(ValueError, match="the observation is odd"):
        trained(tmp_path, HerePlace())


class Pressing(BaseCallback):
    """Presses ctrl-C after a rollout, as far as training hears of it."""

    def _on_rollout_end(self) -> None:
        Interrupts.ask_all()

    def _on_step(self) -> bool:
        return True


def interrupted(folder: Path, turn: int) -> None:
    """Train a league in this process whose turn with this number is interrupted after its first rollout."""
    count, callbacks = 0, LeagueMember._callbacks

    def with_press(self: LeagueMember) -> list[BaseCallback]:
        nonlocal count
        count += 1
        return [*callbacks(self), *([Pressing()] if count == turn else [])]

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(LeagueMember, "_callbacks", with_press)
        with suppress(KeyboardInterrupt):
            train_league(TINY, folder, HERE, show=False)


@pytest.mark.parametrize("turn", [1, 2, 4])
def test_an_interrupted_league_goes_on_as_if_nothing_had_happened(folder: Path, tmp_path: Path, turn: int) -> None:
    there = tmp_path / "interrupted"
    interrupted(there, turn)
    state = load_checkpoint(there)
    assert state is not None
    assert 512 * turn - 256 <= sum(learner["decisions"] for learner in state["learners"].values()) < 512 * turn
    torch.manual_seed(99)
    resume_league(there, HERE, show=False)
    for name in ("ratings.csv", "crosstable.csv"):
        assert lines(there / name) == lines(folder / name)
    assert (there / "final.safetensors").read_bytes() == (folder / "final.safetensors").read_bytes()
    for name in TINY.learners:  # the interruption has a row of its own, with what the last update logged
        mine, its = (lines(place / name / "progress.csv") for place in (there, folder))
        assert {row["time/total_timesteps"] for row in mine} == {row["time/total_timesteps"] for row in its}


def test_what_was_interrupted_in_the_middle_of_a_round_says_how_to_go_on(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    interrupted(tmp_path, 2)
    assert f"goes on from there: holdem train --resume {tmp_path}" in capsys.readouterr().err
    with pytest.raises(ConfigError, match=r"in the middle of a round, so .* --jobs 2, or with --ray"):
        resume_here(tmp_path, show=False)


def longer(folder: Path) -> None:
    """Give the league in a folder one more round."""
    config = folder / "config.yaml"
    config.write_text(config.read_text().replace("rounds: 2", "rounds: 3"))


def test_a_league_that_ended_in_workers_goes_on_in_one_process(folder: Path, tmp_path: Path) -> None:
    shutil.copytree(folder, tmp_path / "league")
    longer(tmp_path / "league")
    resume_here(tmp_path / "league", show=False)
    assert {row["round"] for row in lines(tmp_path / "league" / "ratings.csv")} == {"1", "2", "3"}


def test_a_league_of_one_process_goes_on_in_workers_in_the_middle_of_a_round(tmp_path: Path) -> None:
    """One learner had played its turn, so its snapshot was in the pools already; the other was in its own."""
    count = 0

    def press(self: PPOLearner) -> list[BaseCallback]:
        nonlocal count
        count += 1
        return [*callbacks(self), *([Pressing()] if count == 2 else [])]

    callbacks = PPOLearner.callbacks
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(PPOLearner, "callbacks", press)
        with suppress(KeyboardInterrupt):
            train_here(TINY, tmp_path, show=False)
    state = load_checkpoint(tmp_path)
    assert state is not None
    assert (state["turns"], state["turn_began"]) == (1, 0)
    resume_league(tmp_path, HERE, show=False)
    state = load_checkpoint(tmp_path)
    assert state is not None
    assert all(1024 <= learner["decisions"] < 1200 for learner in state["learners"].values())
    for learner in state["learners"].values():
        copies = [(copy["kind"], copy["decisions"]) for copy in learner["pool"]["copies"]]
        assert len(copies) == len(set(copies)) == TINY.pool
