"""The trained agents in the box: known by their names everywhere, with cards, and offered for their games."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from errors import complaint, mentions
from holdem_agents import shipped
from holdem_agents.cli.play import default_opponent
from holdem_agents.runs.config import load_config
from holdem_agents.shipped import fitting
from holdem_agents.web.offered_agents import named_agents
from holdem_env import Rules
from holdem_env.agents import agent_names, make_agent
from holdem_env.agents.config_files import config_of
from holdem_env.arena import play_match
from holdem_env.arena.isolation.making import is_isolated
from holdem_env.arena.tournaments.entrants import Entry

GAMES = {
    "ppo_100bb": Rules.preset("heads-up-no-limit"),
    "ppo_20bb": Rules.preset("heads-up-no-limit", stacks=40),
    "ppo_limit": Rules.preset("heads-up-limit"),
    "ppo_sixmax": Rules.preset("pluribus-6max"),
}


def test_there_is_a_small_file_and_a_card_for_each_name() -> None:
    assert set(GAMES) == set(shipped.NAMES) <= set(agent_names())
    for name in shipped.NAMES:
        assert shipped.shipped_path(name).stat().st_size < 1_000_000
        card = shipped.card_path(name).read_text(encoding="utf-8")
        assert card.startswith(f"# {name}\n")
        assert fitting.card_of(name) == card


@pytest.mark.fast_cases(1)
@pytest.mark.parametrize("name", shipped.NAMES)
def test_it_plays_its_game_by_its_name(name: str) -> None:
    agent = make_agent(name)
    assert agent.name == name
    assert agent.trained_on == GAMES[name] == fitting.game_of(name)
    assert config_of(agent) == {"agent": name, "deterministic": False, "seed": 0}
    again = make_agent(config_of(agent))
    result = play_match(agent, again, GAMES[name], hands=64, num_tables=8)
    assert (result.agent, result.opponent, result.mean) == (name, name, 0.0) or GAMES[name].seats > 2


def test_a_missing_file_is_a_clear_error(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(shipped, "FOLDER", tmp_path)
    mentions(complaint(make_agent, "ppo_limit", kind=FileNotFoundError), "ppo_limit", "ppo_limit.safetensors")
    assert fitting.fitting(GAMES["ppo_limit"]) == ["blueprint_limit"]


def test_configurations_and_tournaments_know_the_names() -> None:
    config = load_config("headsup_limit", ["opponents={latest_self: 0.9, ppo_limit: 0.1}"])
    assert config.opponents["ppo_limit"] == 0.1
    one = Entry.model_validate("ppo_limit").entrant()
    assert shipped.shipped_path("ppo_limit").name not in one.made_of
    assert "a file with the digest" in one.make_fingerprint()  # another file is another agent
    assert not is_isolated({"agent": "ppo_limit"})


def test_it_saves_itself_as_a_config_and_as_a_model(tmp_path: Path) -> None:
    agent = make_agent("ppo_limit")
    for file in ("mine.json", "mine.safetensors"):
        agent.save(tmp_path / file)
        assert make_agent(tmp_path / file).trained_on == agent.trained_on


@pytest.mark.parametrize(
    ("rules", "names"),
    [
        (GAMES["ppo_100bb"], ["ppo_100bb", "blueprint_100bb"]),
        (GAMES["ppo_20bb"], ["ppo_20bb", "blueprint_20bb"]),
        (GAMES["ppo_limit"], ["ppo_limit", "blueprint_limit"]),
        (GAMES["ppo_sixmax"], ["ppo_sixmax"]),
        (Rules.preset("heads-up-no-limit", stacks=50), ["ppo_20bb", "blueprint_20bb"]),  # 25 big blinds
        (Rules.preset("heads-up-no-limit", stacks=800), ["ppo_100bb", "blueprint_100bb"]),
        (Rules.preset("six-max-no-limit"), ["ppo_sixmax"]),
        (Rules.preset("six-max-no-limit", seats=5), []),
        (Rules.preset("omaha"), []),
    ],
)
def test_the_agents_for_a_game(rules: Rules, names: list[str]) -> None:
    assert fitting.fitting(rules) == names
    assert default_opponent(rules) == (names[0] if names else "tight_aggressive")


def test_who_has_no_learner_is_offered_blueprints(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(fitting, "find_spec", lambda name: None)
    assert default_opponent(GAMES["ppo_100bb"]) == "blueprint_100bb"
    assert default_opponent(GAMES["ppo_sixmax"]) == "tight_aggressive"
    assert not set(shipped.NAMES) & set(named_agents())


@pytest.mark.slow
def test_listing_them_imports_no_learner() -> None:
    code = (
        "import sys\n"
        "from holdem_agents.cli.listing import agents_table\n"
        "from holdem_agents.shipped.fitting import fitting\n"
        "from holdem_env import Rules\n"
        "agents_table()\n"
        "assert fitting(Rules.preset('heads-up-no-limit'))[0] == 'ppo_100bb'\n"
        "assert not {'torch', 'stable_baselines3'} & set(sys.modules)\n"
    )
    subprocess.run([sys.executable, "-c", code], check=True)
