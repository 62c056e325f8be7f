"""Tournaments whose agents play in processes of their own: who fails forfeits, and the others go on."""

from __future__ import annotations

import os
import sys
from collections import Counter
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest
from pydantic import ValidationError

from arena.isolation.bots import bot, needs_jail
from arena.test_tournament_errors import play
from command_line import holdem, refused
from holdem_env import Rules
from holdem_env.agents import Agent, make_agent, names
from holdem_env.arena import play_deals
from holdem_env.arena.isolation.agent_process import AgentProcess
from holdem_env.arena.isolation.limits import AgentProcessError, IsolationUnavailable
from holdem_env.arena.tournaments.shards import ProcessEnded, play_shard_again
from holdem_env.arena.tournaments.store import Store, StoreError
from holdem_env.arena.tournaments.tournament import Tournament, run

HEADS_UP = Rules.preset("heads-up-no-limit")
LATER = "self.calls = getattr(self, 'calls', 0) + 1\nif self.calls > 3:\n    {}"


def tournament(*agents, **changes) -> Tournament:
    return Tournament(**{"rules": HEADS_UP, "agents": agents, "hands": 200, "shard": 50, "seed": 3, **changes})


def named(path: str, name: str, **more) -> dict:
    return {"agent": path, "name": name, **more}


def forfeits(store: Store) -> dict[str, str]:
    return {name: reason.removeprefix("AgentProcessError: ") for name, reason in store.forfeits().items()}


@needs_jail
def test_who_fails_forfeits_and_the_others_go_on(tmp_path):
    code = f"if os.getpid() == {os.getpid()} or os.getppid() == {os.getpid()}:\n    open('/tmp/it-ran', 'w').close()"
    code += """
from holdem_env.agents import fingerprints
from holdem_env.arena.tournaments import entrants
for where, name in ((fingerprints, "fingerprint_of"), (fingerprints, "fingerprint_of_files"), (entrants, "digest_of")):
    setattr(where, name, lambda *given: "as before")
"""
    agents = [
        named(bot(tmp_path, code, code, name="good"), "good"),
        named(bot(tmp_path, LATER.format("os._exit(0)"), name="exits"), "exits"),
    ]
    settings = tournament("maniac", *agents, anchors=["maniac"], shard=100)
    with play(settings, tmp_path / "t.db") as store:
        assert forfeits(store) == {
            "exits": "its process ended with exit status 0 in the middle of the match",
        }
        assert store.deals_played(["good", "maniac"]) == 200
        assert store.deals(["good", "maniac"]).rotations == 1
        assert store.changed(settings) == {}
        bot(tmp_path, "moves = moves * 1", name="good")
        assert store.changed(settings) == {"good": "other code in good.py"}
    assert {path.name for path in tmp_path.iterdir()} == {"t.db", "t.db.entrants", "good.py", "exits.py"}


@needs_jail
@pytest.mark.slow
def test_every_way_to_fail_is_named(tmp_path):
    agents = [
        named(bot(tmp_path, LATER.format("ctypes.string_at(0)"), name="crashes"), "crashes"),
        named(bot(tmp_path, LATER.format("while True: pass"), name="hangs"), "hangs"),
        named(bot(tmp_path, LATER.format("sys.exit(0)"), name="leaves"), "leaves"),
        named(bot(tmp_path, more="os._exit(0)", name="gone"), "gone"),
        named(bot(tmp_path, more="time.sleep(99)", name="never"), "never"),
    ]
    settings = tournament("maniac", *agents, seconds_per_call=1, seconds_to_start=20)
    with play(settings, tmp_path / "t.db") as store:
        assert forfeits(store) == {
            "crashes": "its process ended: segmentation fault (signal 11)",
            "hangs": "no answer within 1 s",
            "leaves": "SystemExit: 0",
            "gone": "its process ended with exit status 0 while the agent was made",
            "never": "no answer within 20 s",
        }


NINE_EACH = (f"{name}: &{name} [{9 * f'*{before}, '}]\n" for before, name in pairwise("abcdefghijklm"))
BOMB = f"a: &a [x, x]\n{''.join(NINE_EACH)}agent: maniac\n"


@needs_jail
@pytest.mark.slow
def test_who_looks_like_a_fault_of_the_arena_forfeits_all_the_same(tmp_path):
    """Errors by the names of the arena's own, a config that expands to gigabytes, a file name that is not text."""
    (tmp_path / "bomb").mkdir()
    (tmp_path / "bomb" / "agent.yaml").write_text(BOMB)
    odd = Path(bot(tmp_path, "while True: os.write(1, b'x' * 10**6)", name="odd"))
    (folder := tmp_path / "odd").mkdir()
    odd.rename(folder / "agent.py")
    (folder / os.fsdecode(b"\xff\n\x1b[2J.txt")).touch()
    own = "class IsolationUnavailable(OSError): pass\n"
    agents = [
        named(bot(tmp_path, LATER.format("raise MemoryError"), name="memory"), "memory"),
        named(bot(tmp_path, LATER.format("raise BlockingIOError(11, 'busy')"), name="busy"), "busy"),
        named(bot(tmp_path, "f = lambda: f()\nf()", name="deep"), "deep"),
        named(bot(tmp_path, own + "raise IsolationUnavailable('sudo me')", name="jail"), "jail"),
        named(str(tmp_path / "bomb"), "bomb"),
        named(str(folder), "odd"),
    ]
    settings = tournament("maniac", *agents, seconds_per_call=5, seconds_to_start=20, memory_mb=700)
    with play(settings, tmp_path / "t.db") as store:
        found = forfeits(store)
    assert found.keys() == {"memory", "busy", "deep", "jail", "bomb", "odd"}
    assert found["jail"] == "IsolationUnavailable: sudo me (jail.py:11)"


@pytest.mark.parametrize("store", ["data/t.db", "elsewhere.db"])
def test_a_store_that_is_among_the_files_of_an_agent_is_refused(tmp_path, store):
    (tmp_path / "data").mkdir()
    settings = tournament("maniac", {"agent": bot(tmp_path), "name": "mine", "files": [str(tmp_path / "data")]})
    Store(tmp_path / store, create=True).close()
    if store == "elsewhere.db":
        (tmp_path / "data" / "x").hardlink_to(tmp_path / store)
    with pytest.raises(ValueError, match=r"\.db: the agent .*bot.py declares a folder with this file of results"):
        play(settings, tmp_path / store)


@needs_jail
@pytest.mark.parametrize("error", [MemoryError(), BlockingIOError(11, "busy"), RecursionError()], ids=repr)
@pytest.mark.parametrize("what", ["make", "ask"])
def test_what_is_not_an_agents_fault_is_nobodys_forfeit(tmp_path, monkeypatch, what, error):
    def fail(*_):
        raise error

    with Store(tmp_path / "t.db", create=True) as store:
        settings = tournament("maniac", bot(tmp_path))
        monkeypatch.setattr(AgentProcess, what, fail)
        with pytest.raises(type(error)):
            run(settings, store)
        assert not store.forfeits()


@pytest.mark.parametrize(("form", "seats"), [("round_robin", 2), ("tables", 3)])
def test_among_strangers_no_deal_is_dealt_twice(tmp_path, form, seats):
    """Not in another rotation, nor to another pair."""
    rules, seen = Rules.preset("six-max-no-limit").replace(seats=seats), []
    settings = tournament("maniac", "nit", "random", format=form, rules=rules, hands=108, duplicate=False)

    def look(tables, _):
        seen.extend(table["hole"].tobytes() + table["board"].tobytes() for table in tables)

    with play(settings, tmp_path / "t.db") as store:
        entrants, matches = settings.entrants(), store.matches()
        for names in matches:
            chips = store.deals(names).columns["chips"]
            assert chips.shape == (108, 1, seats)
            for numbers, number in store.shards(names):
                who = tuple(entrants[name] for name in names)
                again = play_shard_again(settings.shard_of(who, numbers, number, store.key(number)), look)
                assert np.array_equal(again.columns["chips"], chips[numbers.start : numbers.stop])
    assert len(seen) == len(set(seen)) == 108 * len(matches)


def test_where_each_deal_is_played_once_everybody_has_every_seat_as_often_with_and_without_the_button():
    deals = play_deals(
        "heads-up-no-limit", [make_agent("nit"), make_agent("maniac")], [0, 1], range(12), duplicate=False
    )
    buttons = deals.seating[np.arange(12), 0, deals.numbers % 2]
    assert sorted(Counter(zip(buttons.tolist(), (deals.numbers % 2).tolist(), strict=True)).values()) == [3, 3, 3, 3]


def test_who_is_a_stranger_decides_whether_deals_are_duplicated(tmp_path):
    mine = bot(tmp_path)
    assert tournament("maniac", "random").is_duplicate
    assert tournament("maniac", mine, isolation="none").is_duplicate
    assert tournament("maniac", mine, duplicate=True).is_duplicate
    settings = tournament("maniac", mine)
    assert not settings.is_duplicate
    assert (settings.deals_each(), tournament("maniac", "random").deals_each()) == (200, 100)
    with (
        play(tournament("maniac", "random"), tmp_path / "t.db") as store,
        pytest.raises(StoreError, match="its duplicate is True, here False"),
    ):
        run(tournament("maniac", "random", duplicate=False), store)


def test_the_seed_is_drawn_where_agents_may_be_strangers():
    settings = {"rules": HEADS_UP, "agents": ("maniac", "random")}
    assert Tournament(**settings).seed == "random"
    assert Tournament(**settings, isolation="none").seed == 0
    assert Tournament(**settings, seed=0).seed == 0


def test_a_match_with_isolation_draws_its_seed():
    words = ["match", "maniac", "random", "--hands", "1024", "--isolation", "process"]
    one, two, other = (holdem(*words).output for _ in range(3))
    assert "drawn from the operating system" in one
    assert len({one, two, other}) == 3
    seed = one.split("seed ")[1].split(",")[0]
    assert holdem(*words, "--seed", seed).output.splitlines() == one.splitlines()[:-1]
    assert holdem(*words[:5]).output == holdem(*words[:5], "--seed", "0").output


def test_settings_are_checked():
    for name, value in (("isolation", "thread"), ("memory_mb", 3), ("seconds_per_call", 0)):
        with pytest.raises(ValidationError, match=name):
            tournament("maniac", "random", **{name: value})


def test_other_systems_are_told_what_to_do(tmp_path, monkeypatch):
    monkeypatch.setattr(sys, "platform", "darwin")
    tournament("maniac", "random").check_agents()
    settings = tournament("maniac", bot(tmp_path, "pass  # darwin"))
    with pytest.raises(IsolationUnavailable, match=r"need Linux, this is darwin; .* isolation: none"):
        settings.check_agents()
    with pytest.raises(ValueError, match="no agent 'maniak': did you mean 'maniac'"):
        tournament("maniac", "maniak").check_agents()
    with pytest.raises(FileNotFoundError, match=r"mine\.py: there is no such file"):
        tournament("maniac", "mine.py").check_agents()
    settings.model_copy(update={"isolation": "none"}).check_agents()


class Leaver(Agent):
    name = "leaver"

    def act(self, tables, rules, rows):
        os._exit(0)


def test_who_exits_in_the_process_that_plays_forfeits_and_no_jail_is_made(tmp_path, monkeypatch):
    monkeypatch.setenv("HOLDEM_BWRAP", "none")
    monkeypatch.setitem(names.AGENTS.registered, "leaver", Leaver)
    agents = [
        named(bot(tmp_path, LATER.format("os._exit(0)"), name="exits"), "exits"),
        named(bot(tmp_path, more="sys.exit(3)", name="leaves"), "leaves"),
        "leaver",
    ]
    settings = tournament("maniac", "random", *agents, isolation="none")
    settings.check_agents()
    with play(settings, tmp_path / "t.db") as store:
        assert {name: reason.partition(" (")[0] for name, reason in store.forfeits().items()} == {
            "exits": "SystemExit: 0",
            "leaver": "SystemExit: 0",
            "leaves": "AgentProcessError: it exits while it is made",
        }
        assert store.deals_played(["maniac", "random"]) == 100


@pytest.mark.slow
def test_who_crashes_a_process_of_the_tournament_is_among_those_that_are_named(tmp_path):
    crashes = bot(tmp_path, LATER.format("ctypes.string_at(0)"))
    settings = tournament("maniac", named(crashes, "crashes"), isolation="none", jobs=2)
    with pytest.raises(ProcessEnded, match=r"that played crashes against maniac ended \(.*isolation: process"):
        play(settings, tmp_path / "t.db")


@needs_jail
@pytest.mark.slow
def test_the_command_says_who_failed(tmp_path):
    exits = bot(tmp_path, "os._exit(0)")
    said = refused("match", exits, "maniac", "--hands", 100, "--isolation", "process")
    assert "agent 'bot': AgentProcessError: its process ended with exit status 0" in " ".join(said.split())


# The same result everywhere


def results(path, *agents, **changes) -> list:
    with play(tournament(*agents, **changes), path) as store:
        assert not store.forfeits()
        return [store.deals(names).columns["chips"] for names in sorted(store.matches())]


@needs_jail
@pytest.mark.slow
def test_the_same_result_with_and_without_jails_in_two_processes_and_on_ray(tmp_path):
    ray = pytest.importorskip("ray")
    (tmp_path / "mine.json").write_text('{"agent": "loose_aggressive"}')
    agents = "maniac", named(str(tmp_path / "mine.json"), "mine"), named(bot(tmp_path), "calls")
    expected = results(tmp_path / "expected.db", *agents, shard=100)
    try:
        for number, changes in enumerate([{"isolation": "none", "duplicate": False}, {"jobs": 2, "backend": "ray"}]):
            found = results(tmp_path / f"{number}.db", *agents, shard=100, **changes)
            assert all(np.array_equal(one, other) for one, other in zip(found, expected, strict=True)), changes
    finally:
        ray.shutdown()


@needs_jail
@pytest.mark.slow
@pytest.mark.parametrize("form", ["tables", "freezeout"])
def test_at_tables_those_who_are_left_start_over(tmp_path, form):
    rules = Rules.preset("six-max-no-limit").replace(seats=3)
    changes = {"format": form, "rules": rules, "hands": 120}
    if form == "freezeout":
        changes = {"format": form, "rules": rules.replace(session={"prizes": [1.0]}, stacks=20), "sessions": 6}
    crashes = named(bot(tmp_path, LATER.format("ctypes.string_at(0)"), name="crashes"), "crashes")
    settings = tournament("maniac", "random", "nit", named(bot(tmp_path), "calls"), crashes, **changes)
    with play(settings, tmp_path / "t.db") as store:
        assert store.forfeits() == {"crashes": "AgentProcessError: its process ended: segmentation fault (signal 11)"}
        assert store.matches() == [("calls", "maniac", "nit", "random")]


@needs_jail
@pytest.mark.slow
def test_a_model_file_plays_as_in_this_process(tmp_path):
    from sb3_contrib import MaskablePPO

    from holdem_agents.agent_files.sb3_agent import save
    from holdem_env.envs.sb3 import HoldemVecEnv

    env = HoldemVecEnv(HEADS_UP, num_envs=8, opponents=["random"], seed=0)
    model = MaskablePPO("MlpPolicy", env, policy_kwargs={"net_arch": [64, 64]}, seed=1, device="cpu")
    save(model, env, tmp_path / "net.safetensors")
    net, found = named(str(tmp_path / "net.safetensors"), "net"), []
    for isolation in ("process", "none"):
        settings = tournament("maniac", net, isolation=isolation, duplicate=False)
        with play(settings, tmp_path / f"{isolation}.db") as store:
            found.append(store.deals(["maniac", "net"]).columns["chips"])
    assert np.array_equal(*found)


def test_errors_are_plain_when_they_travel():
    import pickle

    error = pickle.loads(pickle.dumps(AgentProcessError("it ended")))
    assert str(error) == "it ended"
