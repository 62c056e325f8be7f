"""Runs of blueprints: what they write, how they go on, and what is refused."""

import numpy as np
import pytest

from command_line import holdem
from errors import complaint, mentions
from holdem_agents.runs.checkpoint import load_checkpoint
from holdem_agents.runs.config import load_config
from holdem_agents.runs.reading import RunFolder
from holdem_agents.runs.run import resume, train
from holdem_agents.training.blueprints import run as blueprints
from holdem_agents.training.blueprints.run import BlueprintRun
from holdem_env.solvers.blueprints.strategy_file import load_strategy
from holdem_env.solvers.card_tables import abstraction
from holdem_env.solvers.trees.betting_tree import BettingTree
from solvers.blueprints.one_bucket import no_tables

TINY = """
rules: {preset: heads-up-no-limit, stacks: 20}
sizes: {preflop: all-in, all: none}
cards: {flop: 1, turn: 1, river: 2}
budget: {deals: 1000}
threads: 1
matches: {opponents: [calling_station], hands: 20}
"""


@pytest.fixture(autouse=True)
def one_bucket(monkeypatch):
    monkeypatch.setattr(abstraction.CardAbstraction, "deal_tables", no_tables)


@pytest.fixture
def tiny(tmp_path):
    path = tmp_path / "tiny.yaml"
    path.write_text(TINY)
    return path


def train_by(*words):
    return holdem("train", *words)


@pytest.mark.slow
def test_a_run_writes_a_strategy_a_checkpoint_a_curve_and_a_card(tiny, tmp_path):
    result = train_by(tiny, "--runs", tmp_path / "runs")
    assert result.exit_code == 0, result.output
    assert "holdem match" in result.output
    folder = tmp_path / "runs" / "tiny"
    strategy = load_strategy(folder / "final.strategy")
    assert strategy.training["deals"] == 1_000
    assert strategy.training["name"] == "tiny"
    assert strategy.training["date"]
    rows = (folder / "curve.csv").read_text().splitlines()
    assert rows[0].startswith("decisions,seconds,opponent,bb_per_100")
    assert [rows[1].split(",")[k] for k in (0, 2)] == ["1000", "calling_station"]
    assert load_checkpoint(folder)["deals"] == 1_000
    run = RunFolder(folder)
    assert (run.summary.state, run.progress, run.decisions) == ("finished", 1.0, 1_000)
    card = (folder / "model_card.md").read_text()
    assert card.startswith("# tiny\n")
    assert "1,000 deals" in card
    assert "preflop: all-in" in card
    assert "| calling\\_station |" in card or "| calling_station |" in card
    assert "stacks 20" in card


@pytest.mark.slow
def test_a_larger_budget_goes_on_where_the_run_ended(tiny, tmp_path):
    whole = train(load_config(tiny, ["budget={deals: 5000}"]), tmp_path / "whole", show=False)
    part = train(load_config(tiny), tmp_path / "part", show=False)
    config = part / "config.yaml"
    config.write_text(config.read_text().replace("1000", "5000"))
    assert train_by("--resume", part).exit_code == 0
    one, two = (load_strategy(folder / "final.strategy") for folder in (whole, part))
    assert np.array_equal(one.probability, two.probability)
    assert len((part / "curve.csv").read_text().splitlines()) == 3


@pytest.mark.slow
def test_ctrl_c_ends_a_run_after_a_checkpoint(tiny, tmp_path, monkeypatch, capsys):
    asked = []

    def interrupt(self):
        asked.append(self)
        self.run.interrupts.asked = True
        return "a note"

    monkeypatch.setattr(BlueprintRun, "_note", interrupt)
    folder = train(load_config(tiny, ["budget={seconds: 3600}"]), tmp_path / "run")
    assert len(asked) == 1
    assert "deals, and this goes on from there:" in (said := capsys.readouterr().err)
    assert "holdem train --resume" in said
    assert (folder / "final.strategy").exists()
    assert load_checkpoint(folder)["deals"] > 0


@pytest.mark.slow
def test_an_opponent_that_fails_does_no_harm(tiny, tmp_path, capsys):
    (tmp_path / "bad.py").write_text("raise RuntimeError('oh no')")
    config = load_config(tiny, [f"matches={{opponents: [{tmp_path / 'bad.py'}]}}"])
    folder = train(config, tmp_path / "run")
    assert "no matches this time" in capsys.readouterr().err
    assert load_strategy(folder / "final.strategy").training["deals"] == 1_000


@pytest.mark.slow
def test_snapshots_are_taken_on_the_way(tiny, tmp_path, monkeypatch):
    monkeypatch.setattr(blueprints, "ROUND_SECONDS", 0.001)
    config = load_config(tiny, ["budget={deals: 40000}", "snapshots=2"])
    folder = train(config, tmp_path / "run", show=False)
    found = [load_strategy(path).training["deals"] for path in sorted((folder / "snapshots").iterdir())]
    assert len(found) in (1, 2)  # a quick machine may be past both in one round
    assert all(10_000 <= deals <= 40_000 for deals in found)


@pytest.mark.slow
def test_a_run_is_not_overwritten_unasked(tiny, tmp_path):
    train(load_config(tiny), tmp_path / "tiny", show=False)
    mentions(complaint(train, load_config(tiny), tmp_path / "tiny", show=False, kind=FileExistsError), "final.strategy")
    train_by(tiny, "--runs", tmp_path)
    assert (tmp_path / "tiny-2" / "final.strategy").exists()
    assert train_by(tiny, "--runs", tmp_path, "--overwrite").exit_code == 0
    assert load_strategy(tmp_path / "tiny" / "final.strategy").training["deals"] == 1_000


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["blueprint_20bb", "--decisions", "1"], "has no field 'decisions'"),
        (["blueprint_20bb", "--set", "cards.kind=magic"], "there is no kind 'magic'"),
        (["blueprint_20bb", "--set", "kind=blueprin"], "did you mean 'blueprint'"),
        (["blueprint_20bb", "--jobs", "2"], "a blueprint trains in one process"),
    ],
)
def test_what_cannot_be_is_told(words, message):
    result = train_by(*words)
    assert result.exit_code == 2
    assert message in " ".join(result.output.split())


@pytest.mark.parametrize("name", ["blueprint_100bb", "blueprint_20bb", "blueprint_limit"])
def test_the_blueprints_that_come_along_are_valid(name):
    config = load_config(name)
    tree = BettingTree.from_rules(config.rules, config.bet_sizes)
    assert 1_000 < tree.decisions < 100_000


def test_a_strategy_without_its_checkpoint_is_not_overwritten(tiny, tmp_path):
    (tmp_path / "config.yaml").write_text(TINY)
    (tmp_path / "final.strategy").touch()
    mentions(complaint(resume, tmp_path, kind=FileExistsError), "final.strategy")
