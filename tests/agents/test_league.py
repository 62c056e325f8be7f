"""The league with tiny budgets: who meets whom, ratings, what is kept, and that a killed one goes on."""

from __future__ import annotations

import csv
import shutil
from pathlib import Path

import numpy as np
import pytest
import torch
import yaml

from holdem_agents.sb3_agent import load
from holdem_agents.training import league_books
from holdem_agents.training.checkpoint import load_checkpoint, save_checkpoint
from holdem_agents.training.config import ConfigError, League, Learner, load_any_config, load_config
from holdem_agents.training.league import LeagueRun, resume_league, train_league
from holdem_agents.training.league_ratings import rate
from holdem_agents.training.run_config import check_resumable, with_kinds
from holdem_env.arena import MatchResult
from holdem_env.players import make_agent

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
    rounds=3,
    turn=512,
    match_hands=400,
    keep=2,
    pool=4,
    tables=32,
    reward="all_in_value",
    opponents={"latest_self": 0.4, "latest_others": 0.2, "past_selves": 0.3, "maniac": 0.1},
    evaluation={"opponents": ["random"], "hands": 400},
)


class Killed(BaseException):
    """Stands for a process that ends in the middle of what it does."""


def lines(path):
    with path.open(newline="") as file:
        return list(csv.DictReader(file))


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    return train_league(TINY, tmp_path_factory.mktemp("runs") / "league", show=False)


def test_every_round_is_rated_and_the_best_are_kept(folder):
    ratings = lines(folder / "ratings.csv")
    assert {int(row["round"]) for row in ratings} == {1, 2, 3}
    last = [row for row in ratings if row["round"] == "3"]
    assert [float(row["bb_per_100"]) for row in last] == sorted(
        (float(row["bb_per_100"]) for row in last), reverse=True
    )
    kept = [row["snapshot"] for row in last if row["kept"] == "1"]
    assert kept == [row["snapshot"] for row in last[:2]]
    assert sorted(path.stem for path in (folder / "snapshots").glob("*")) == sorted(kept)
    assert (folder / "final.safetensors").read_bytes() == (folder / "snapshots" / f"{kept[0]}.safetensors").read_bytes()


def test_the_best_one_plays_and_has_a_card(folder):
    agent = make_agent(folder / "final.safetensors")
    assert agent.trained_on == TINY.rules
    crosstable = lines(folder / "crosstable.csv")
    best = next(row["snapshot"] for row in lines(folder / "ratings.csv") if row["round"] == "3")
    learners = load_checkpoint(folder)["learners"]
    others = [name for name in TINY.learners if best != f"{name}-{learners[name]['decisions']}"]
    assert [row["opponent"] for row in crosstable] == ["random", *others] * 2
    assert "| random |" in (folder / "model_card.md").read_text()
    for name in TINY.learners:
        assert lines(folder / name / "progress.csv")


def test_the_pools_hold_past_selves_of_all_up_to_their_size(folder):
    state = load_checkpoint(folder)
    for learner in state["learners"].values():
        copies = learner["pool"]["copies"]
        assert len(copies) == 4
        assert {copy["kind"] for copy in copies} == {"one", "two"}
    assert state["learners"]["two"]["decisions"] == 3 * 512
    # Each of the own PPO's six rollouts ends with a step of at most one decision at each table.
    assert 3 * 512 <= state["learners"]["one"]["decisions"] < 3 * 512 + 6 * 32


def test_learners_with_different_encoders_meet_each_other(tmp_path):
    run = LeagueRun(TINY, tmp_path)
    one, two = run.learners.values()
    assert two.agent in one.env.tables.agents
    assert one.agent in two.env.tables.agents
    run.train_turn(one, league_books.LeagueProgressBar(run, show=False))
    snapshot = two.pool.snapshots[0]
    assert snapshot.kind == "one"
    player = two.pool.players[0]
    assert player.play_as(snapshot).observation_encoder.name == "flat"
    assert torch.equal(player.current.policy.policy[-1].bias, one.average.policy.policy[-1].bias)


def test_a_killed_league_goes_on_as_if_nothing_had_happened(folder, tmp_path, monkeypatch):
    """Killed in the fourth turn of six, after the first round was rated."""
    count = 0

    def saving(where, state):
        nonlocal count
        save_checkpoint(where, state)
        count += 1
        if count == 3:
            raise Killed

    killed = tmp_path / "killed"
    with monkeypatch.context() as patch:
        patch.setattr(league_books, "save_checkpoint", saving)
        with pytest.raises(Killed):
            train_league(TINY, killed, show=False)
    torch.manual_seed(99)
    np.random.seed(99)  # noqa: NPY002
    resume_league(killed, show=False)
    for name in ("ratings.csv", "crosstable.csv"):
        assert lines(killed / name) == lines(folder / name)
    mine, its = (load(place / "final.safetensors").policy.state_dict() for place in (killed, folder))
    assert all(torch.equal(mine[name], its[name]) for name in its)


def test_a_league_goes_on_with_the_kinds_that_its_learners_have(folder, tmp_path):
    killed = shutil.copytree(folder, tmp_path / "league")
    config = yaml.safe_load((killed / "config.yaml").read_text())
    assert [member["learner"]["kind"] for member in config["learners"].values()] == ["ppo", "sb3"]
    config["learners"]["one"]["learner"]["kind"] = "sb3"
    (killed / "config.yaml").write_text(yaml.safe_dump(config))
    with pytest.raises(ConfigError, match=r"learners.one.learner.kind is 'sb3', but the run trains with 'ppo'"):
        resume_league(killed, show=False)


def test_a_league_from_before_there_were_kinds_is_of_sb3():
    """Neither its config.yaml nor its checkpoint has a kind; epochs were 3."""
    members = {
        name: member.model_copy(update={"learner": Learner(**SMALL, kind="sb3")})
        for name, member in TINY.learners.items()
    }
    now = TINY.model_copy(update={"learners": members})
    before = now.model_dump(mode="json")
    given = now.model_dump(mode="json", exclude_unset=True)
    for member in (*before["learners"].values(), *given["learners"].values()):
        del member["learner"]["kind"]
    assert with_kinds(given, before)["learners"]["one"]["learner"]["kind"] == "sb3"
    assert League(**with_kinds(given, before)) == now
    check_resumable(now, before, Path("config.yaml"))


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
    with pytest.raises(ConfigError, match=rf"(.|\n)*{words}"):
        load_any_config(path)


def test_its_learners_have_one_opponent_as_often_as_it_says():
    league = load_any_config("league", ["one_opponent=0.25"])
    assert [league.training(name).one_opponent for name in league.learners] == [0.25] * len(league.learners)


def test_a_league_is_not_one_learner():
    with pytest.raises(ConfigError, match="this is a league; a configuration of one learner is needed here"):
        load_config("league")
