"""Training and exploiting, as a user types it."""

from __future__ import annotations

import shutil
import statistics
from pathlib import Path

import pytest
import yaml

from command_line import good, holdem, refused
from errors import mentions
from holdem_agents.runs.config import load_config
from holdem_agents.runs.files import facts_of, rows_of
from holdem_agents.training import exploit as exploiting
from holdem_agents.training.config import Budget, Evaluation, Learner
from holdem_agents.training.exploit import exploiter
from holdem_env import Rules
from holdem_env.agents import make_agent
from holdem_env.agents.config_files import save_agent
from holdem_env.game.units import BIG_BLINDS

TINY = """
rules: heads-up-limit
budget: {decisions: 2000}
tables: 32
learner: {n_steps: 8, batch_size: 128, hidden: [16], threads: 1}
evaluation: {opponents: [random], hands: 200}
"""


@pytest.fixture(scope="module")
def home(tmp_path_factory) -> Path:
    """A folder with a configuration and a run of it."""
    home = tmp_path_factory.mktemp("home")
    (home / "tiny.yaml").write_text(TINY)
    words = ["--decisions", 1000, "--set", "learner.entropy=[0.05,0.05]", "--set", "tables=16", "--runs", home / "runs"]
    good("train", home / "tiny.yaml", *words)
    return home


def test_settings_can_be_changed_on_the_command_line(home):
    used = yaml.safe_load((home / "runs" / "tiny" / "config.yaml").read_text())
    assert used["budget"] == {"decisions": 1000}
    assert used["learner"]["entropy"] == [0.05, 0.05]
    assert used["learner"]["hidden"] == [16]
    assert used["tables"] == 16


@pytest.fixture
def finished(home, tmp_path) -> Path:
    """A copy of a finished run."""
    return Path(shutil.copytree(home / "runs" / "tiny", tmp_path / "tiny"))


def contents(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in folder.iterdir() if path.is_file()}


def test_a_finished_run_is_left_as_it_is(finished):
    before = contents(finished)
    said = " ".join(holdem("train", "--resume", finished).stderr.split())
    assert "is spent, and the final matches are played; to train on, raise it: " in said
    assert f"train --resume {finished} --decisions N" in said
    assert contents(finished) == before


def test_its_budget_is_raised_on_the_command_line(finished):
    before = len(rows_of(finished / "progress.csv"))
    decisions = facts_of(finished)["decisions"]
    good("train", "--resume", finished, "--decisions", 2 * decisions)
    assert facts_of(finished)["decisions"] >= 2 * decisions
    assert len(rows_of(finished / "progress.csv")) > before
    assert load_config(finished / "config.yaml").budget.decisions == 2 * decisions


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["--set", "tables=64"], "config.yaml has changed since this run began: tables is 64, was"),
        (["--set", "no_such=8"], "no_such"),
        (["--decisions", 9, "--seconds", 9], "give either --decisions or --seconds"),
    ],
)
def test_what_a_run_cannot_go_on_with_changes_nothing(finished, options, message):
    before = contents(finished)
    assert message in refused("train", "--resume", finished, *options)
    assert contents(finished) == before


def test_the_folder_of_a_run_is_its_agent(home):
    folder = home / "runs" / "tiny"
    agents = f"{folder}/", folder / "final.safetensors"
    results = [holdem("match", agent, "random", "--hands", 100) for agent in agents]
    assert results[0].exit_code == 0
    assert len({result.output for result in results}) == 1


@pytest.fixture
def small_exploiters(monkeypatch):
    def small(agent: str, rules: Rules, budget: Budget, seed: int = 0, hands: int = 0):
        learner = Learner(n_steps=8, batch_size=128, hidden=(16,), threads=1)
        evaluation = Evaluation(opponents=(agent,), hands=hands, past_selves=0)
        changes = {"tables": 32, "learner": learner, "evaluation": evaluation}
        return exploiter(agent, rules, budget, seed, hands).model_copy(update=changes)

    monkeypatch.setattr(exploiting, "exploiter", small)


BOT = """
import numpy as np
from holdem_env.agents.known_strategy import KnownStrategy

class Mixes(KnownStrategy):
    name = "mixes"

    def probabilities(self, tables, rules, rows):
        return np.tile([0, -1], (len(rows), 1)), np.full((len(rows), 2), 0.5)
"""


@pytest.mark.slow
@pytest.mark.parametrize(
    ("victim", "name"), [("pot_odds", "pot_odds"), ("mixes.py", "mixes"), ("tight.json", "tight_aggressive")]
)
def test_any_agent_can_be_exploited(victim, name, small_exploiters, tmp_path, monkeypatch):
    """By name, as a file of code or as a config, with actions of one's own."""
    monkeypatch.chdir(tmp_path)
    Path("mixes.py").write_text(BOT)
    save_agent(make_agent("tight_aggressive"), "tight.json")
    words = ("--decisions", 600, "--hands", 400, "--rules", "heads-up-no-limit", "--actions", "fcpa")
    said = good("exploit", victim, *words)
    assert said.count(f" against {name}: ") == 2
    (run,) = Path("runs").iterdir()
    assert yaml.safe_load((run / "config.yaml").read_text())["actions"] == "fcpa"


def exploiters_of(victim: Path) -> list[dict[str, str]]:
    return rows_of(victim.parent / "exploiters.csv")


@pytest.fixture
def victim(home, tmp_path) -> Path:
    """A run of one's own to exploit."""
    shutil.copytree(home / "runs" / "tiny", tmp_path / "victim")
    return tmp_path / "victim" / "final.safetensors"


@pytest.mark.slow
def test_fresh_and_warm_exploiters_are_both_trained_with_every_seed(victim, small_exploiters, tmp_path):
    earlier = (
        "kind,decisions,seconds,seed,plays,bb_per_100,half_width_95,hands\nfresh,5000,12.0,3,sampling,812.0,90.5,1000\n"
    )
    (victim.parent / "exploiters.csv").write_text(earlier)
    words = ("--decisions", 600, "--hands", 400, "--runs", tmp_path / "runs", "--seeds", "1,2", "--name", "e")
    said = good("exploit", victim, *words)
    names = [f"e-{kind}-seed-{seed}" for seed in (1, 2) for kind in ("fresh", "warm")]
    assert sorted(path.name for path in (tmp_path / "runs").iterdir()) == sorted(names)
    rows = exploiters_of(victim)
    kinds = [(row["kind"], row["seed"], row["plays"]) for row in rows]
    each = [(kind, seed, plays) for seed in "12" for kind in ("fresh", "warm") for plays in ("sampling", "greedy")]
    assert kinds == [("fresh", "3", "sampling"), *each]
    for kind, seed, plays in each:
        assert f"{kind}, seed {seed}: exploiter, {plays} against {victim}: " in said
    best = max(rows[1:], key=lambda row: float(row["bb_per_100"]))
    rate = BIG_BLINDS.with_name(float(best["bb_per_100"]), float(best["half_width_95"]))
    assert f"at least {rate} can be won from {victim}" in said
    assert f"({best['kind']}, seed {best['seed']}, {best['plays']})" in said
    card = (victim.parent / "model_card.md").read_text()
    assert "A fresh exploiter, which began with random weights and trained against this agent alone for 5,000" in card
    for kind in ("Fresh", "Warm"):
        (line,) = [line for line in card.splitlines() if line.startswith(f"- {kind} exploiters")]
        some = [row for row in rows[1:] if row["kind"] == kind.lower() and row["plays"] == "sampling"]
        rates = sorted((float(row["bb_per_100"]), float(row["half_width_95"])) for row in some)
        lowest, highest = (BIG_BLINDS.text(*rate) for rate in rates)
        average = BIG_BLINDS.with_name((rates[0][0] + rates[1][0]) / 2)
        assert f"take {average} from it on average (sampling; lowest {lowest}" in line
        mentions(line, f"highest {highest}", "seeds 1, 2")


@pytest.mark.slow
def test_a_warm_exploiter_begins_with_the_agents_weights_and_a_fresh_one_does_not(victim, small_exploiters, tmp_path):
    words = ("--decisions", 600, "--hands", 400, "--runs", tmp_path / "runs")
    good("exploit", victim, *words, "--warm")
    (folder,) = (tmp_path / "runs").iterdir()
    assert folder.name == "exploit-victim"
    used = yaml.safe_load((folder / "config.yaml").read_text())
    assert (used["start"], used["observation"]) == (str(victim), "flat")
    assert used["learner"]["learning_rate"] == [5e-4, 5e-5]
    assert used["reward"] == "all_in_value"
    assert {row["kind"] for row in exploiters_of(victim)} == {"warm"}
    assert "is not measured" not in (victim.parent / "model_card.md").read_text()
    assert f"exploiter, greedy against {victim}: " in good("exploit", victim, *words, "--fresh", "--seed", 5)
    assert [(row["kind"], row["seed"]) for row in exploiters_of(victim)[2:]] == [("fresh", "5")] * 2


@pytest.mark.slow
def test_agents_without_weights_get_the_fresh_exploiter_only(small_exploiters, tmp_path):
    words = ("--decisions", 300, "--hands", 200, "--runs", tmp_path)
    said = good("exploit", "maniac", *words)
    assert "only a fresh exploiter trains, no warm one: agent 'maniac' comes from no model file" in said
    assert [path.name for path in tmp_path.iterdir()] == ["exploit-maniac"]
    assert said.count("fresh, seed 0: exploiter, ") == 2
    said = refused("exploit", "maniac", "--warm", *words)
    assert "there is no warm exploiter of maniac: agent 'maniac' comes from no model file" in said


@pytest.mark.parametrize(
    ("preset", "observation", "reward", "actions"),
    [
        ("pluribus-6max", "flat+equity", "all_in_value", "min, 50%, 100%, 200%, all-in"),
        ("heads-up-limit", "flat+equity", "all_in_value", None),
        ("leduc", "flat", "all_in_value", None),
    ],
)
def test_an_exploiter_gets_the_best_that_the_game_has(preset, observation, reward, actions):
    config = exploiter("random", Rules.preset(preset), Budget(decisions=1))
    assert (config.observation, config.reward, config.actions) == (observation, reward, actions)
    assert config.opponents == {"random": 1.0}


@pytest.mark.slow
def test_several_seeds_give_a_folder_each_and_one_curve(home):
    evaluation = "evaluation: {opponents: [random, maniac], hands: 200, times: 2}"
    (home / "seeds.yaml").write_text(TINY.replace("evaluation: {opponents: [random], hands: 200}", evaluation))
    said = good("train", home / "seeds.yaml", "--seeds", "3,4,5", "--runs", home / "runs")
    assert "bb/100 at the end of training, 3 seeds" in said
    folder = home / "runs" / "seeds"
    runs = [folder / f"seed-{seed}" for seed in (3, 4, 5)]
    assert [yaml.safe_load((run / "config.yaml").read_text())["seed"] for run in runs] == [3, 4, 5]
    rows = rows_of(folder / "seeds.csv")
    assert [row["opponent"] for row in rows] == ["random"] * 3 + ["maniac"] * 3
    curves = [[row for row in rows_of(run / "curve.csv") if row["opponent"] == "random"] for run in runs]
    rates = [float(curve[-1]["bb_per_100"]) for curve in curves]
    assert float(rows[2]["mean_bb_per_100"]) == pytest.approx(sum(rates) / 3, abs=0.1)
    assert float(rows[2]["standard_deviation"]) == pytest.approx(statistics.stdev(rates), abs=0.1)
    assert (float(rows[2]["lowest"]), float(rows[2]["highest"])) == (min(rates), max(rates))
    assert (folder / "curve.svg").read_text().startswith("<svg")
    before = (folder / "seeds.csv").stat().st_mtime_ns
    assert holdem("train", "--resume", runs[0]).exit_code == 0
    assert (folder / "seeds.csv").stat().st_mtime_ns > before
