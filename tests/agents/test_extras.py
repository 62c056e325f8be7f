"""Without the extra `train`: what needs it says how to get it, and nothing else needs it."""

from __future__ import annotations

import re
import subprocess
import sys

import numpy as np
import pytest

from holdem_agents.scripted import CallingStation, Maniac
from holdem_env import Rules
from holdem_env.agents import registry
from holdem_env.arena import estimates, local_best_response, play_deals, play_match
from holdem_env.arena.tournaments.ratings import elo, nash_average
from holdem_env.players import make_agent
from holdem_env.utils.extras import install_command

HEADS_UP = Rules.preset("heads-up-no-limit")
INSTALL = re.escape(f"install it with: {install_command()}")


def test_the_arena_is_imported_without_it():
    missing = "scipy", "joblib", "choix", "torch", "matplotlib", "rich", "yaml"
    code = f"import sys; sys.modules.update(dict.fromkeys({missing})); import holdem_env, holdem_env.arena"
    subprocess.run([sys.executable, "-c", code], check=True)


def test_intervals_and_ratings_say_what_they_need(monkeypatch):
    deals = play_deals(HEADS_UP, [Maniac(), CallingStation()], [0, 1], range(4))
    for name in ("scipy", "scipy.stats", "scipy.special", "scipy.optimize", "choix"):
        monkeypatch.setitem(sys.modules, name, None)
    with pytest.raises(ModuleNotFoundError, match=f"an interval needs the package 'scipy.*{INSTALL}"):
        estimates(deals)
    with pytest.raises(ModuleNotFoundError, match=f"an Elo rating needs the package 'choix'; {INSTALL}"):
        elo(np.zeros((2, 2, 2)))
    with pytest.raises(ModuleNotFoundError, match=f"a Nash average .*{INSTALL}"):
        nash_average(np.zeros((2, 2)))


@pytest.mark.parametrize("play", [lambda agent: play_match(agent, agent, HEADS_UP), "lbr"])
def test_it_is_told_before_anything_is_played(play, monkeypatch):
    class Never(CallingStation):
        def act(self, tables, rules, rows):
            raise AssertionError("it was asked for a move")

    monkeypatch.setitem(sys.modules, "scipy", None)
    monkeypatch.setitem(sys.modules, "scipy.stats", None)
    monkeypatch.setitem(sys.modules, "scipy.special", None)
    with pytest.raises(ModuleNotFoundError, match=INSTALL):
        local_best_response(Never(), HEADS_UP) if play == "lbr" else play(Never())


def test_agents_say_what_they_need(tmp_path, monkeypatch):
    for name in ("sb3_agent", "model_files", "network_agent", "policy_network"):
        monkeypatch.delitem(sys.modules, f"holdem_agents.{name}", raising=False)
    monkeypatch.setitem(sys.modules, "torch", None)
    for name in ("a.zip", "a.safetensors"):
        (tmp_path / name).write_bytes(b"")
        with pytest.raises(ModuleNotFoundError, match=f"{name} needs the package 'torch'; {INSTALL}") as told:
            make_agent(tmp_path / name)
        assert told.value.name == "torch"


def test_what_is_missing_of_others_is_not_ours_to_install(monkeypatch):
    def theirs():
        import their_own_package  # noqa: F401

    class Point:
        name = "theirs"

        def load(self):
            theirs()

    monkeypatch.setattr(registry, "entry_points", lambda **_: [Point()])
    with pytest.raises(ModuleNotFoundError, match="No module named 'their_own_package'"):
        make_agent("theirs")
