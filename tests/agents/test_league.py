"""The league with tiny budgets: who meets whom, ratings, what is kept, and that it ends the same in one process, in
several, killed and interrupted."""

from __future__ import annotations

import os
import re
import signal
import threading
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch
import yaml

from agents.test_interrupts import press_in_rollout
from agents.test_resume import Killed
from errors import complaint, mentions
from holdem_agents.runs import run as run_module
from holdem_agents.runs.checkpoint import load_checkpoint, save_checkpoint
from holdem_agents.runs.config import ConfigError, load_config
from holdem_agents.runs.files import rows_of
from holdem_agents.runs.run import resume, train
from holdem_agents.training.config import League
from holdem_agents.training.league.member import LeagueMember, RoundEnd, TurnTask, play_turn
from holdem_agents.training.league.run import LeagueRun
from holdem_env.agents import make_agent
from holdem_env.arena import MatchResult
from holdem_env.arena.tournaments.ratings import rate
from processes import default_handler  # noqa: F401 - a fixture

SMALL = {"n_steps": 8, "batch_size": 128, "hidden": [16], "threads": 1}
TINY = League(
    rules={"preset": "heads-up-no-limit", "stacks": 40},
    learners={
        "one": {
            "observation": "flat",
            "actions": "fcpa",
            "learner": SMALL | {"kind": "ppo", "suits": "canonical", "average": 0.5},
        },
        "two": {"observation": "planes", "learner": SMALL | {"kind": "sb3", "epochs": 1}},
    },
    rounds=2,
    turn=512,
    match_hands=400,
    keep=2,
    pool=3,
    tables=32,
    reward="all_in_value",
    opponents={"latest_self": 0.4, "latest_others": 0.2, "past_selves": 0.3, "maniac": 0.1},
    evaluation={"opponents": ["random"], "hands": 400},
)


def same_tensors(one: Any, two: Any) -> bool:
    return all(torch.equal(one[name], two[name]) for name in one)


@pytest.mark.slow
def test_members_meet_each_other_with_their_own_encoders_and_weights():
    one, two = (LeagueMember(TINY, name) for name in TINY.learners)
    (other,) = one.learner.others
    assert other.agent in one.learner.env.tables.agents
    for mine, its in ((one, two), (two, one)):
        assert same_tensors(mine.learner.agent.policy.state_dict(), its.state()["others"][mine.name])
    assert two.learner.pool.players[0]._agents["one"].observation_encoder.name == "flat"


def test_a_turn_depends_on_its_task_alone_and_its_news_are_heard_once():
    first = play_turn(TurnTask(TINY, "one", None, RoundEnd([], [])))
    assert first.is_over
    assert first.rows
    decisions = first.state["learner"]["decisions"]
    assert 512 <= decisions < 512 + 2 * 32
    again = play_turn(TurnTask(TINY, "one", first.state, None))  # the league was interrupted in another turn
    assert not again.rows
    assert again.state["learner"]["decisions"] == decisions
    assert same_tensors(again.news.snapshot, first.news.snapshot)
    member = LeagueMember(TINY, "two")
    member.hear(RoundEnd([first.news], []))
    state = member.state()
    assert same_tensors(state["others"]["one"], first.news.latest)
    (snapshot,) = state["learner"]["pool"]["copies"]
    assert (snapshot["kind"], snapshot["decisions"]) == ("one", decisions)
    # The pool has the averaged weights, which `one` delivers.
    assert same_tensors(snapshot["weights"], first.state["learner"]["average"])
    member.hear(RoundEnd([], [0]))
    assert not member.state()["learner"]["pool"]["copies"]


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    return train(TINY, tmp_path_factory.mktemp("runs") / "league", show=False)


def assert_the_same(one: Path, two: Path) -> None:
    for name in ("ratings.csv", "crosstable.csv"):
        assert rows_of(one / name) == rows_of(two / name), name
    assert (one / "final.safetensors").read_bytes() == (two / "final.safetensors").read_bytes()


@pytest.mark.slow
def test_every_round_is_rated_and_the_best_are_kept(folder):
    ratings = rows_of(folder / "ratings.csv")
    assert {int(row["round"]) for row in ratings} == {1, 2}
    last = [row for row in ratings if row["round"] == "2"]
    assert [float(row["bb_per_100"]) for row in last] == sorted(
        (float(row["bb_per_100"]) for row in last), reverse=True
    )
    kept = [row["snapshot"] for row in last if row["kept"] == "1"]
    assert kept == [row["snapshot"] for row in last[:2]]
    assert sorted(path.stem for path in (folder / "snapshots").glob("*")) == sorted(kept)
    assert (folder / "final.safetensors").read_bytes() == (folder / "snapshots" / f"{kept[0]}.safetensors").read_bytes()


@pytest.mark.slow
def test_the_best_one_plays_and_has_a_card(folder):
    agent = make_agent(folder / "final.safetensors")
    assert agent.trained_on == TINY.rules
    best = next(row["snapshot"] for row in rows_of(folder / "ratings.csv") if row["round"] == "2")
    members = load_checkpoint(folder)["members"]
    others = [name for name in TINY.learners if best != f"{name}-{members[name]['learner']['decisions']}"]
    assert [row["opponent"] for row in rows_of(folder / "crosstable.csv")] == ["random", *others] * 2
    assert "| random |" in (folder / "model_card.md").read_text()
    for name in TINY.learners:
        counts = [int(row["time/total_timesteps"]) for row in rows_of(folder / name / "progress.csv")]
        assert counts == sorted(counts)
        assert counts[-1] == members[name]["learner"]["decisions"] >= 1024


@pytest.mark.slow
def test_the_pools_hold_past_selves_of_all_up_to_their_size(folder):
    state = load_checkpoint(folder)
    assert len(state["pool"]) == TINY.pool
    assert len(state["removed"]) == 1
    assert not state["heard"]
    for member in state["members"].values():  # as they were in the second round
        assert {copy["kind"] for copy in member["learner"]["pool"]["copies"]} == {"one", "two"}
    assert state["members"]["two"]["learner"]["decisions"] == 2 * 512


@pytest.mark.slow
def test_a_killed_league_goes_on_as_if_nothing_had_happened(folder, tmp_path, monkeypatch):
    """Killed behind the first round."""

    def saving(where, state):
        save_checkpoint(where, state)
        raise Killed

    with monkeypatch.context() as patch:
        patch.setattr(run_module, "save_checkpoint", saving)
        complaint(train, TINY, tmp_path / "killed", show=False, kind=Killed)
    torch.manual_seed(99)
    np.random.seed(99)  # noqa: NPY002
    assert_the_same(resume(tmp_path / "killed", show=False), folder)


@pytest.mark.fast_cases(1)
@pytest.mark.parametrize("rollout", [1, 7])
def test_an_interrupted_league_goes_on_as_if_nothing_had_happened(folder, tmp_path, monkeypatch, capsys, rollout):
    """Turns have two rollouts: the first is before any rating, the seventh in the second turn of the second round."""
    there = tmp_path / "interrupted"
    with monkeypatch.context() as patch:
        press_in_rollout(patch, rollout)
        if rollout == 1:
            complaint(train, TINY, there, show=False, kind=KeyboardInterrupt)
        else:
            train(TINY, there, show=False)
    assert (there / "final.safetensors").exists() == (rollout == 7)
    made = sum(member["learner"]["decisions"] for member in load_checkpoint(there)["members"].values())
    assert rollout * 256 <= made < rollout * (256 + 32)
    assert f"the checkpoint has {made:,} decisions, and this goes on from there" in capsys.readouterr().err
    assert_the_same(resume(there, show=False), folder)
    for name in TINY.learners:  # the interruption has a row of its own, with what the last update logged
        mine, its = (rows_of(place / name / "progress.csv") for place in (there, folder))
        assert {row["time/total_timesteps"] for row in mine} == {row["time/total_timesteps"] for row in its}


def test_a_league_goes_on_with_the_kinds_that_its_learners_have(folder):
    text = (folder / "config.yaml").read_text()
    config = yaml.safe_load(text)
    assert [member["learner"]["kind"] for member in config["learners"].values()] == ["ppo", "sb3"]
    config["learners"]["one"]["learner"]["kind"] = "sb3"
    try:
        (folder / "config.yaml").write_text(yaml.safe_dump(config))
        mentions(complaint(resume, folder, show=False, kind=ConfigError), "sb3", "ppo")
    finally:
        (folder / "config.yaml").write_text(text)


def with_a_kill(monkeypatch, folder: Path, kill: Any, **where: Any) -> Path:
    """A league one of whose workers is killed a moment after the turns of its last round have begun."""
    play_round = LeagueRun._play_round

    def killing(league: LeagueRun, bar: Any) -> Any:
        if league.turns:
            threading.Timer(0.1, kill, (next(iter(league.run.runner._workers)),)).start()
        return play_round(league, bar)

    monkeypatch.setattr(LeagueRun, "_play_round", killing)
    return train(TINY, folder, show=False, **where)


@pytest.mark.slow
def test_in_processes_it_is_the_same_with_one_of_them_killed(folder, tmp_path, monkeypatch):
    kill = lambda worker: os.kill(worker._pid.result(), signal.SIGKILL)  # noqa: E731
    assert_the_same(with_a_kill(monkeypatch, tmp_path / "there", kill, jobs=2), folder)


def test_ratings_fit_the_matches():
    def match(one, two, mean, half=10.0):
        return MatchResult(one, two, mean, half, 1000, 500)

    ratings = rate([match("a", "b", 100), match("b", "c", 50), match("a", "c", 150, 20)])
    rates = {rating.player: rating.rate for rating in ratings}
    assert [rating.player for rating in ratings] == ["a", "b", "c"]
    assert rates["a"] - rates["b"] == pytest.approx(100, abs=0.5)
    assert rates["b"] - rates["c"] == pytest.approx(50, abs=0.5)
    assert sum(rates.values()) == pytest.approx(0)
    assert all(3 < rating.half_width < 10 for rating in ratings)
    surer = rate([match("a", "b", 100), match("b", "c", 50, 1.0), match("a", "c", 150, 20)])
    assert surer[1].half_width < ratings[1].half_width


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("learners: {a: {}}", "learners: .*at least 2"),
        ("learners: {a: {observation: flatt}, b: {}}", "learners.a: .*did you mean 'flat'"),
        ("learners: {a: {hidden: [1]}, b: {}}", "learners.a: Member has no field 'hidden'"),
        ("learners: {a: {}, b: {}}\nopponents: {latest_other: 1}", "did you mean 'latest_others'"),
        ("budget: {decisions: 1}\nopponents: {latest_others: 1}", "latest_others is for leagues"),
    ],
)
def test_what_is_wrong_with_a_league_is_named(tmp_path, text, words):
    path = tmp_path / "mine.yaml"
    path.write_text("rules: heads-up-no-limit\n" + text)
    assert re.search(rf"(.|\n)*{words}", complaint(load_config, path, kind=ConfigError))


def test_its_learners_have_one_opponent_as_often_as_it_says():
    league = load_config("league", ["one_opponent=0.25"])
    assert [league.training(name).one_opponent for name in league.learners] == [0.25] * len(league.learners)
