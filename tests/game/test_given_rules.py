"""Rules in every form that people give them, wherever a game is asked for."""

from __future__ import annotations

from pathlib import Path

import gymnasium
import pytest

from holdem_env import Rules, Session, Table, Tables, holdem_v0
from holdem_env.agents.registry import make_agent
from holdem_env.arena import play_deals, play_match
from holdem_env.arena.best_responses.exploitability import exploitability
from holdem_env.envs.learner_tables import LearnerTables
from holdem_env.envs.sb3 import HoldemVecEnv
from holdem_env.game.given_rules import as_rules

GAME = Rules.preset("heads-up-limit", stacks=40)
TEXT = "preset: heads-up-limit\nstacks: 40\n"


@pytest.fixture(params=["Rules", "preset and changes", "all fields", "path as text", "Path"])
def given(request, tmp_path) -> object:
    """One game, in one of the forms."""
    file = tmp_path / "mine.yaml"
    file.write_text(TEXT)
    return {
        "Rules": GAME,
        "preset and changes": {"preset": "heads-up-limit", "stacks": 40},
        "all fields": GAME.model_dump(),
        "path as text": str(file),
        "Path": file,
    }[request.param]


def test_tables_sessions_and_environments_take_every_form(given):
    assert Table(given).rules == GAME
    assert Table.from_position(given, [40, 40]).rules == GAME
    assert Tables(given, 2).rules == GAME
    assert Session(given).rules.replace(session=None) == GAME
    assert holdem_v0.env(given).unwrapped.rules.replace(session=None) == GAME
    assert LearnerTables(given, 2, ["random"]).rules == GAME
    assert HoldemVecEnv(given, 2).rules == GAME
    assert gymnasium.make("holdem_env/HoldemSeat-v0", rules=given).unwrapped.rules == GAME
    assert gymnasium.make_vec("holdem_env/HoldemSeat-v0", num_envs=2, rules=given).unwrapped.rules == GAME


def test_matches_take_every_form(given):
    expected = play_match("maniac", "calling_station", GAME, hands=64, num_tables=32)
    assert play_match("maniac", "calling_station", given, hands=64, num_tables=32) == expected
    agents = [make_agent("maniac"), make_agent("calling_station")]
    assert play_deals(given, agents, [0, 1], range(4)).hands == 8


def test_a_name_alone():
    assert Table("heads-up-limit").rules == as_rules("heads-up-limit") == Rules.preset("heads-up-limit")
    assert exploitability("random", "kuhn") == exploitability("random", Rules.preset("kuhn"))
    assert as_rules(None) == Rules()


@pytest.mark.parametrize("ask", [Table, Tables, Session, holdem_v0.env, HoldemVecEnv, as_rules])
def test_what_is_no_game_is_told(ask, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    with pytest.raises(ValueError, match="no preset 'heads-up-nolimit': did you mean 'heads-up-no-limit'"):
        ask("heads-up-nolimit")
    with pytest.raises(ValueError, match="no preset 'leduk': did you mean 'leduc'"):
        ask({"preset": "leduk"})
    with pytest.raises(ValueError, match="Rules has no field 'stack': did you mean 'stacks'"):
        ask({"preset": "leduc", "stack": 3})
    for missing in ("mine.yaml", "games/mine", Path("mine")):
        with pytest.raises(FileNotFoundError, match=r"rules: there is no file .*mine"):
            ask(missing)
    with pytest.raises(TypeError, match=r"a preset or a dict of fields.* not 6"):
        ask(6)
    Path("list.yaml").write_text("- 1\n")
    with pytest.raises(ValueError, match=r"list.yaml: give the fields of Rules .* this is list"):
        ask("list.yaml")
