"""Tournaments whose agents play in processes of their own: who fails forfeits, and the others go on."""

from __future__ import annotations

import os
import sys

import numpy as np
import pytest
from pydantic import ValidationError
from typer.testing import CliRunner

from arena.isolation.bots import bot
from holdem_agents.cli.commands import app
from holdem_env import Rules
from holdem_env.agents import names
from holdem_env.arena.isolation import nursery
from holdem_env.arena.isolation.limits import AgentProcessError, IsolationUnavailable
from holdem_env.arena.tournaments.processes import ProcessEndedWarning
from holdem_env.arena.tournaments.store import Store
from holdem_env.arena.tournaments.tournament import Tournament, run
from holdem_env.players import Agent

HEADS_UP = Rules.preset("heads-up-no-limit")
LATER = "self.calls = getattr(self, 'calls', 0) + 1\nif self.calls > 3:\n    {}"


def tournament(*agents, **changes) -> Tournament:
    return Tournament(**{"rules": HEADS_UP, "agents": agents, "hands": 200, "shard": 50, "seed": 3, **changes})


def play(settings: Tournament, path) -> Store:
    store = Store(path, create=True)
    run(settings, store)
    return store


def named(path: str, name: str, **more) -> dict:
    return {"agent": path, "name": name, **more}


def test_who_fails_forfeits_and_the_others_go_on(tmp_path):
    agents = [
        named(bot(tmp_path, name="good"), "good"),
        named(bot(tmp_path, LATER.format("os._exit(0)"), name="exits"), "exits"),
        named(bot(tmp_path, LATER.format("ctypes.string_at(0)"), name="crashes"), "crashes"),
        named(bot(tmp_path, LATER.format("while True: pass"), name="hangs"), "hangs"),
        named(bot(tmp_path, LATER.format("sys.exit(0)"), name="leaves"), "leaves"),
        named(bot(tmp_path, more="time.sleep(99)", name="never"), "never"),
        named(bot(tmp_path, more="os._exit(0)", name="gone"), "gone"),
    ]
    settings = tournament("maniac", *agents, seconds_per_call=1, seconds_to_start=2)
    settings.check_agents()
    with play(settings, tmp_path / "t.db") as store:
        reasons = {name: reason.removeprefix("AgentProcessError: ") for name, reason in store.forfeits().items()}
        assert reasons == {
            "exits": "its process ended with exit status 0 in the middle of the match",
            "crashes": "its process ended: segmentation fault (signal 11)",
            "hangs": "no answer within 1 s (an endless loop?)",
            "leaves": "SystemExit: 0",
            "never": "no answer within 2 s (an endless loop?)",
            "gone": "its process ended with exit status 0 while the agent was made",
        }
        assert store.deals_played(["good", "maniac"]) == 100


def test_no_code_of_an_agent_runs_in_this_process(tmp_path):
    code = f"if os.getpid() == {os.getpid()}:\n    open('{tmp_path}/it-ran', 'w').close()"
    settings = tournament("maniac", named(bot(tmp_path, code, code), "mine"))
    settings.check_agents()
    with play(settings, tmp_path / "t.db") as store:
        assert not store.forfeits()
        assert store.changed(settings) == {}
        assert store.deals_played(["maniac", "mine"]) == 100
    assert not (tmp_path / "it-ran").exists()


def test_a_change_of_its_code_is_noticed(tmp_path):
    settings = tournament("maniac", named(bot(tmp_path), "mine"))
    with play(settings, tmp_path / "t.db") as store:
        bot(tmp_path, "moves = moves * 1")
        assert store.changed(settings) == {"mine": "other code in bot.py"}


def test_what_killed_processes_have_left_is_swept_away(tmp_path):
    left, held, new = (tmp_path / f"{nursery.SCRATCH}{name}" for name in ("left", "held", "new"))
    for folder in (left, held, new):
        folder.mkdir()
        (folder / "x").touch()
    for folder in (left, held):
        os.utime(folder, (0, 0))
    fd = nursery._held(held)
    nursery._sweep(tmp_path)
    os.close(fd)
    assert not left.exists()
    assert held.exists()
    assert new.exists()


def test_settings_are_checked():
    with pytest.raises(ValidationError, match="isolation"):
        tournament("maniac", "random", isolation="thread")
    with pytest.raises(ValidationError, match="memory_mb"):
        tournament("maniac", "random", memory_mb=3)
    with pytest.raises(ValidationError, match="seconds_per_call"):
        tournament("maniac", "random", seconds_per_call=0)


def test_other_systems_are_told_what_to_do(tmp_path, monkeypatch):
    monkeypatch.setattr(sys, "platform", "darwin")
    tournament("maniac", "random").check_agents()
    settings = tournament("maniac", bot(tmp_path, "pass  # darwin"))
    with pytest.raises(IsolationUnavailable, match=r"need Linux, this is darwin; .* isolation: none"):
        settings.check_agents()
    settings.model_copy(update={"isolation": "none"}).check_agents()


# In the process that plays


def test_who_ends_the_process_that_plays_is_found(tmp_path):
    agents = [
        named(bot(tmp_path, LATER.format(how), name=name), name)
        for name, how in [("exits", "os._exit(0)"), ("leaves", "sys.exit(0)")]
    ]
    with play(tournament("maniac", "random", *agents, isolation="none"), tmp_path / "t.db") as store:
        assert store.forfeits() == {
            "exits": "AgentProcessError: its process ended with exit status 0 in the middle of the match",
            "leaves": "SystemExit: 0",
        }
        assert store.deals_played(["maniac", "random"]) == 100


class Leaver(Agent):
    name = "leaver"

    def act(self, tables, rules, rows):
        os._exit(0)


def test_who_is_registered_and_ends_the_process_is_an_error(tmp_path, monkeypatch):
    monkeypatch.setitem(names.registered, "leaver", Leaver)
    with pytest.raises(ValueError, match="'leaver' or 'maniac' ended the process in which they played"):
        play(tournament("maniac", "leaver"), tmp_path / "t.db")


@pytest.mark.slow
def test_who_crashes_a_process_of_the_tournament_is_found(tmp_path):
    crashes = bot(tmp_path, LATER.format("ctypes.string_at(0)"))
    settings = tournament("maniac", "random", "nit", named(crashes, "crashes"), isolation="none", jobs=2)
    with pytest.warns(ProcessEndedWarning, match="is played again, each agent in a process of its own"):
        store = play(settings, tmp_path / "t.db")
    with store:
        assert list(store.forfeits()) == ["crashes"]
        assert "segmentation fault" in store.forfeits()["crashes"]
        matches = [[each.name for each in match] for match in settings.matches(frozenset({"crashes"}))]
        assert [store.deals_played(match) for match in matches] == [100] * 3


def test_the_command_says_who_failed(tmp_path):
    exits = bot(tmp_path, "os._exit(0)")
    result = CliRunner().invoke(app, ["match", exits, "maniac", "--hands", "100", "--isolation", "process"])
    assert result.exit_code == 2
    assert "agent 'bot': AgentProcessError: its process ended with exit status 0" in " ".join(result.output.split())


# The same result everywhere


def results(path, *agents, **changes) -> list:
    with play(tournament(*agents, **changes), path) as store:
        assert not store.forfeits()
        return [store.deals(names).columns["chips"] for names in sorted(store.matches())]


def same_result(folder, **changes) -> bool:
    """Whether a tournament comes out the same with these changes."""
    (folder / "mine.json").write_text('{"agent": "loose_aggressive"}')
    agents = "maniac", named(str(folder / "mine.json"), "mine"), named(bot(folder), "calls")
    found = results(folder / "one.db", *agents), results(folder / "two.db", *agents, **changes)
    return all(np.array_equal(one, two) for one, two in zip(*found, strict=True))


def test_the_same_result_without_processes_of_their_own(tmp_path):
    assert same_result(tmp_path, isolation="none")


@pytest.mark.slow
def test_the_same_result_in_two_processes(tmp_path):
    assert same_result(tmp_path, jobs=2)


@pytest.mark.slow
def test_the_same_result_on_ray(tmp_path):
    ray = pytest.importorskip("ray")
    try:
        assert same_result(tmp_path, jobs=2, backend="ray")
    finally:
        ray.shutdown()


@pytest.mark.slow
@pytest.mark.parametrize("form", ["tables", "freezeout"])
def test_at_tables_those_who_are_left_begin_anew(tmp_path, form):
    rules = Rules.preset("six-max-no-limit").replace(seats=3)
    changes = {"format": form, "rules": rules, "hands": 120}
    if form == "freezeout":
        changes = {"format": form, "rules": rules.replace(session={"prizes": [1.0]}, stacks=20), "sessions": 6}
    crashes = named(bot(tmp_path, LATER.format("ctypes.string_at(0)"), name="crashes"), "crashes")
    settings = tournament("maniac", "random", "nit", named(bot(tmp_path), "calls"), crashes, **changes)
    with play(settings, tmp_path / "t.db") as store:
        assert store.forfeits() == {"crashes": "AgentProcessError: its process ended: segmentation fault (signal 11)"}
        assert store.matches() == [("calls", "maniac", "nit", "random")]


@pytest.mark.slow
def test_a_model_file_plays_as_in_this_process(tmp_path):
    from sb3_contrib import MaskablePPO

    from holdem_agents.sb3_agent import save
    from holdem_env.envs.sb3 import HoldemVecEnv

    env = HoldemVecEnv(HEADS_UP, num_envs=8, opponents=["random"], seed=0)
    model = MaskablePPO("MlpPolicy", env, policy_kwargs={"net_arch": [64, 64]}, seed=1, device="cpu")
    save(model, env, tmp_path / "net.safetensors")
    net, found = named(str(tmp_path / "net.safetensors"), "net"), []
    for isolation in ("process", "none"):
        with play(tournament("maniac", net, isolation=isolation), tmp_path / f"{isolation}.db") as store:
            found.append(store.deals(["maniac", "net"]).columns["chips"])
    assert np.array_equal(*found)


def test_errors_are_plain_when_they_travel():
    import pickle

    error = pickle.loads(pickle.dumps(AgentProcessError("it ended")))
    assert str(error) == "it ended"
