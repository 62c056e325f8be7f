"""Training end to end with a tiny budget: the run folder, the model file, what plays afterwards."""

from __future__ import annotations

import csv
import json
import re
import zipfile
from shutil import copytree

import numpy as np
import pytest
import torch
import yaml

from agents.test_resume import KINDS, of_kind
from differential.small_games import exploitability_by_openspiel
from errors import complaint, mentions
from holdem_agents.agent_files.sb3_agent import load, save
from holdem_agents.runs.config import load_config, shipped_configs
from holdem_agents.runs.files import new_folder
from holdem_agents.runs.run import train
from holdem_agents.training.config import Budget, Evaluation, Training
from holdem_agents.training.evaluation.mistakes import write_mistakes
from holdem_agents.training.evaluation.model_card import write_card
from holdem_agents.training.evaluation.report import results_of
from holdem_agents.training.learners.opponent_pool import copy_weights
from holdem_agents.training.learners.sb3 import make_env, make_model
from holdem_agents.training.learners.trainee import Trainee
from holdem_agents.web.watch.runs import WatchedRuns, details
from holdem_env import Rules, Table
from holdem_env.agents import make_agent
from holdem_env.arena import exploitability, play_match
from holdem_env.game.units import BIG_BLINDS
from holdem_env.history import HandCollection

TINY = Training(
    rules={"preset": "heads-up-no-limit"},
    budget={"decisions": 3000},
    tables=32,
    learner={"n_steps": 8, "batch_size": 128, "hidden": [16], "threads": 1},
    opponents={"latest_self": 0.5, "past_selves": 0.3, "calling_station": 0.1, "maniac": 0.1},
    past_selves={"copies": 4},
    evaluation={"opponents": ["random"], "hands": 500, "times": 2},
)


@pytest.fixture(scope="module", params=KINDS)
def folder(request, tmp_path_factory):
    return train(of_kind(request.param, TINY), tmp_path_factory.mktemp("runs") / request.param, show=False)


def test_the_run_folder_tells_everything(folder):
    again = Training(**yaml.safe_load((folder / "config.yaml").read_text()))
    assert again == of_kind(folder.name, TINY)
    assert {"python", "torch", "holdem-env"} <= set(json.loads((folder / "versions.json").read_text()))
    with (folder / "curve.csv").open() as file:
        lines = list(csv.DictReader(file))
    assert [line["opponent"] for line in lines] == ["random"] * 3  # twice on the way, once at the end
    assert int(lines[0]["decisions"]) < int(lines[1]["decisions"]) < int(lines[2]["decisions"])
    assert float(lines[-1]["half_width_95"]) > 0
    progress = (folder / "progress.csv").read_text()
    assert progress.count("\n") > 5
    for name in ("moves/river_raise", "training_bb_per_100/maniac", "holdem/entropy", "holdem/return"):
        assert name in progress.splitlines()[0]


@pytest.mark.slow
def test_a_run_says_what_its_decisions_lose(folder, tmp_path):
    """On the card and as a file of its own, with the hands; where it was not measured, nothing is there."""
    agent, rules = make_agent(folder / "final.safetensors"), TINY.rules
    files = [tmp_path / "mistakes.md", tmp_path / "mistakes.phhs.gz"]
    assert "What its decisions lose" not in (folder / "model_card.md").read_text()
    copytree(folder, tmp_path, dirs_exist_ok=True)
    write_mistakes(agent, rules, 4, tmp_path)
    write_card(tmp_path)
    text, card = files[0].read_text(), (tmp_path / "model_card.md").read_text()
    assert text.strip() in card
    assert "## What its decisions lose" in card
    [number] = re.findall(r"`holdem replay mistakes.phhs.gz --hand (\d)` shows the first", text)
    assert HandCollection(files[1]).replay(int(number) - 1).table.is_over
    assert "<table>" in details("run", WatchedRuns(tmp_path).run(tmp_path))["mistakes_html"]
    for game, hands in ((Rules.preset("six-max-no-limit"), 4), (rules, 0)):
        write_mistakes(agent, game, hands, tmp_path)
        assert not any(file.exists() for file in files)


def test_small_games_are_measured_exactly(tmp_path):
    learner = ["learner.batch_size=128", "learner.hidden=[16]"]
    small = ["budget.decisions=600", "tables=32", "evaluation.hands=100", *learner]
    folder = train(load_config("leduc", [*small, "rules=kuhn"]), tmp_path / "kuhn", show=False)
    noted = json.loads((folder / "training.json").read_text())["exploitability"]
    assert noted == pytest.approx(exploitability(folder / "final.safetensors", "kuhn"), abs=1e-4)
    assert f"its exact exploitability: {noted:.3f} chips/hand" in (folder / "model_card.md").read_text()
    assert str(results_of(folder).caption) == f"exact exploitability: {noted:.3f} chips/hand"


@pytest.mark.slow
def test_leduc_poker_is_learnt(tmp_path):
    """The uniform policy is 2.37 exploitable, seed 0 learns 0.14 in some 17 s of processor time."""
    folder = train(load_config("leduc"), tmp_path / "leduc", show=False)
    agent = load(folder / "final.safetensors")
    assert json.loads((folder / "training.json").read_text())["exploitability"] < 0.25
    assert exploitability_by_openspiel(agent, "leduc") == pytest.approx(exploitability(agent, "leduc"), abs=1e-4)


def test_evaluations_on_the_way_may_be_shorter(tmp_path):
    shorter = {"opponents": ["random"], "hands": 2000, "hands_in_training": 1000, "times": 1}
    changes = {"evaluation": Evaluation(**shorter), "budget": Budget(decisions=600)}
    folder = train(TINY.model_copy(update=changes), tmp_path / "shorter", show=False)
    with (folder / "curve.csv").open() as file:
        assert [int(line["hands"]) for line in csv.DictReader(file)] == [1000, 2000]


def test_the_crosstable_and_the_card_tell_both_ways_of_playing(folder):
    with (folder / "crosstable.csv").open() as file:
        lines = list(csv.DictReader(file))
    assert {line["plays"] for line in lines} == {"sampling", "greedy"}
    assert [line["opponent"] for line in lines][0::3] == ["random"] * 2
    assert all("itself after" in line["opponent"] for line in lines if line["opponent"] != "random")
    card = (folder / "model_card.md").read_text()
    rate, half = float(lines[0]["bb_per_100"]), float(lines[0]["half_width_95"])
    numbers = f"{BIG_BLINDS.text(rate, half)} |"
    for words in ("No limit 1/2 hold'em, 2 seats", "`flat`", "| random |", numbers, "holdem exploit"):
        assert words in card
    assert (folder / "curve.svg").read_text().startswith("<svg")


def test_hands_of_the_final_matches_are_there_to_be_looked_at(folder):
    hands = HandCollection(folder)
    assert [file.name for file in hands.files] == ["final_matches.phhs.gz"]
    assert len(hands) == 200
    assert not hands.problems
    assert sorted(hands.players) == ["agent", "random"]
    assert hands.replay(199).table.is_over


def test_the_file_carries_encoders_and_rules(folder):
    agent = load(folder / "final.safetensors")
    assert agent.trained_on == TINY.rules
    assert agent.observation_encoder.name == "flat"
    assert agent.action_encoder.meanings(TINY.rules)[-1] == "all-in"
    result = play_match(agent, "random", TINY.rules, 2000)
    assert result.hands == 2000
    assert result == play_match(folder / "final.safetensors", "random", TINY.rules, 2000)


def test_greedy_is_another_strategy(folder):
    drawing, greedy = load(folder / "final.safetensors"), load(folder / "final.safetensors", deterministic=True)
    table = Table(TINY.rules, seed=1)
    assert len({greedy.move(Table(TINY.rules, deck=table.deck, seed=seed)) for seed in range(30)}) == 1
    assert len({drawing.move(Table(TINY.rules, deck=table.deck, seed=seed)) for seed in range(30)}) > 1


def test_the_file_refuses_other_games(folder):
    agent = make_agent(folder / "final.safetensors")
    hi_lo = Rules.preset("heads-up-no-limit", split="high_low")
    for game, words in ((Rules.preset("heads-up-limit"), "fixed_limit"), (Rules(), "6 seats"), (hi_lo, "high_low")):
        assert re.search(f"was trained for .*; this game .*{words}", complaint(play_match, agent, "random", game))
    play_match(agent, "random", Rules.preset("heads-up-no-limit", stacks=50), 100)  # other stacks are the same game


def changed(source, target, **changes):
    """A .zip model with other notes in it."""
    with zipfile.ZipFile(source) as old, zipfile.ZipFile(target, "w") as new:
        for name in old.namelist():
            content = old.read(name)
            if name == "data":
                data = json.loads(content)
                data["holdem"] |= changes
                content = json.dumps(data).encode()
            new.writestr(name, content)
    return target


def test_files_that_do_not_fit_are_refused(tmp_path):
    env, final = make_env(TINY), tmp_path / "model.zip"
    save(make_model(TINY, env), env, final)
    assert list(tmp_path.iterdir()) == [final]
    assert load(final, trust=True).trained_on == TINY.rules
    mentions(complaint(load, changed(final, tmp_path / "a.zip", observation_layout="0"), trust=True), "flat")
    mentions(complaint(load, changed(final, tmp_path / "b.zip", observation="flta"), trust=True), "flta")
    with pytest.raises(ValueError, match="was trained with the actions"):
        load(changed(final, tmp_path / "c.zip", actions="50%, all-in"), trust=True)
    broken = tmp_path / "d.zip"
    broken.write_bytes(final.read_bytes()[:1000])
    mentions(complaint(load, broken, trust=True), "d.zip", "holdem_agents", "sb3_agent")


@pytest.mark.parametrize("kind", KINDS)
def test_a_live_model_plays_along_and_frozen_copies_stay(kind):
    learner = Trainee(of_kind(kind, TINY))
    policy, me, pool = learner.model.policy, learner.agent, learner.pool
    pool.add(copy_weights(policy))
    pool.draw()
    table = Table(TINY.rules, seed=1)
    observation = np.zeros((1, learner.env.observation_encoder.size(TINY.rules)), np.float32)
    before = me.logits(observation)
    last = policy.action_net if kind == "sb3" else policy.policy[-1]
    last.bias.data += torch.arange(len(last.bias))
    assert (me.logits(observation) != before).any()
    past = pool.players[0].play_as(pool.snapshots[0])
    np.testing.assert_array_equal(past.logits(observation), before)
    table.play(me.move(table))
    assert len(pool) == 1


def test_run_folders_are_never_overwritten(tmp_path):
    first = new_folder(tmp_path, "demo")
    first.mkdir()
    assert first.name == "demo"
    assert new_folder(tmp_path, "demo").name == "demo-2"


OTHERS = "baselines", "league", "tournament", "blueprint", "sweep", "values", "hu_", "sixmax_100bb"
LEARNERS = sorted(name for name in shipped_configs() if not name.startswith(OTHERS))


@pytest.mark.parametrize(
    "name", [name if name == "demo" else pytest.param(name, marks=pytest.mark.slow) for name in LEARNERS]
)
def test_every_configuration_that_comes_along_trains_and_its_agent_plays(name, tmp_path):
    learner = ["learner.n_steps=8", "learner.batch_size=128", "learner.hidden=[16]", "learner.threads=1"]
    small = ["tables=32", "tensorboard=false", *learner]
    evaluation = "evaluation={opponents: [tight_aggressive], hands: 100, past_selves: 1}"
    config = load_config(name, ["budget={decisions: 600}", evaluation, *small])
    agent = load(train(config, tmp_path / name, show=False) / "final.safetensors")
    assert agent.trained_on == config.rules
    assert play_match(agent, "calling_station", config.rules, 100, num_tables=16).hands >= 96
