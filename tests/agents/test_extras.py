"""Without an extra: what needs it says how to get it, and nothing else needs it."""

from __future__ import annotations

import re
import subprocess
import sys

import pytest

from holdem_env.agents import make_agent, names
from holdem_env.utils.extras import extra_of, install_command

INSTALL = {extra: re.escape(f"install it with: {install_command(extra)}") for extra in ("arena", "train", "sb3")}


@pytest.mark.slow
def test_the_arena_and_every_measure_are_imported_without_it():
    missing = "loky", "choix", "torch", "scipy", "jinja2"
    code = f"import sys; sys.modules.update(dict.fromkeys({missing})); import holdem_env, holdem_env.arena\n"
    code += "from holdem_env.arena.scoring.measures import MEASURES\nfor name in MEASURES.names(): MEASURES.get(name)"
    subprocess.run([sys.executable, "-c", code], check=True)


@pytest.mark.slow
def test_the_card_says_what_an_exploiter_needs(tmp_path):
    task = tmp_path / "tiny-v1.yaml"
    some = "{quick: 1, standard: 1, long: 1}"
    measure = f"{{kind: exploiter, start: fresh, seconds: {some}, hands: {some}}}"
    task.write_text(f"name: tiny-v1\nabout: ''\nrules: kuhn\nseed: 1\nmeasures: [{measure}]\n")
    code = f"print(score('random', {str(task)!r}, folder={str(tmp_path)!r}).found[0].why_not)"
    code = f"import sys; sys.modules['torch'] = None; from holdem_env.arena import score; {code}"
    done = subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True)
    assert re.match(f"measure 'exploiter' needs the package 'torch'; {INSTALL['train']}", done.stdout)


@pytest.mark.slow
def test_our_ppo_trains_without_stable_baselines3(tmp_path):
    code = """
import importlib.metadata
import sys
from pathlib import Path
there = importlib.metadata.distribution
def distribution(name):
    return there("no-such-package" if name in ("stable-baselines3", "sb3-contrib") else name)
importlib.metadata.distribution = distribution
sys.modules.update(dict.fromkeys(("stable_baselines3", "sb3_contrib", "optuna")))
from holdem_agents.runs import train
from holdem_agents.runs.config import load_config
changes = ["budget.decisions=2000", "budget.seconds=null", "evaluation.hands=200", "tensorboard=false"]
train(load_config("leduc", changes), Path(sys.argv[1]), show=False)
"""
    subprocess.run([sys.executable, "-c", code, str(tmp_path / "run")], check=True)
    assert (tmp_path / "run" / "final.safetensors").is_file()


def test_agents_say_what_they_need(tmp_path, monkeypatch):
    for name in [name for name in sys.modules if name.startswith(("holdem_agents.agent_files", "holdem_agents.net"))]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.setitem(sys.modules, "torch", None)
    for name in ("a.zip", "a.safetensors"):
        (tmp_path / name).write_bytes(b"")
        with pytest.raises(ModuleNotFoundError, match=f"'torch'; {INSTALL['train']}") as raised:
            make_agent(tmp_path / name)
        assert raised.value.name == "torch"


def test_what_is_missing_of_others_is_not_ours_to_install(monkeypatch):
    def theirs():
        import their_own_package  # noqa: F401

    class Point:
        name = "theirs"

        def load(self):
            theirs()

    monkeypatch.setattr(names.AGENTS, "declared", lambda: {"theirs": Point()})
    with pytest.raises(ModuleNotFoundError, match="No module named 'their_own_package'"):
        make_agent("theirs")


EXTRAS = [("torch", "train"), ("sb3_contrib", "sb3"), ("optuna", "train"), ("choix", "arena"), ("PIL", "pictures")]
EXTRAS += [("pyspiel", "open-spiel"), ("numpy", None), ("x", None)]


@pytest.mark.parametrize(("module", "extra"), EXTRAS)
def test_an_extra_is_named_as_in_pyproject(module, extra):
    assert extra_of(module) == extra
