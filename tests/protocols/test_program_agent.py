"""The agent `program`: matches, sessions, config files, fingerprints and the command line."""

from __future__ import annotations

import copy
import json
import os
import pickle
import sys
from pathlib import Path

import numpy as np
import pytest

from arena.isolation.bots import needs_jail
from command_line import good, refused
from holdem_env import Rules, Session, Table
from holdem_env.agents import agent_names, make_agent
from holdem_env.agents.commands import beside, name_of, words_of
from holdem_env.agents.config_files import config_of, save_agent
from holdem_env.agents.fingerprints import difference, fingerprint_of
from holdem_env.agents.named_files import named_files
from holdem_env.arena import play_deals, play_match
from holdem_env.arena.isolation.agent_files import own_files
from holdem_env.arena.isolation.making import make_isolated
from holdem_env.arena.tournaments.entrants import digest_of
from holdem_env.arena.tournaments.store import Store
from holdem_env.arena.tournaments.tournament import Tournament, run
from holdem_env.protocols.json_lines import ProgramAgent
from holdem_env.testing.sampled_tables import random_positions
from protocols.programs import RAISER, program

HEADS_UP = Rules.preset("heads-up-no-limit")
POSTED = {"blinds": (50, 100), "ante": 10, "straddle": 200, "smallest_chip": 5}
SIX = Rules(seats=6, stacks=(300, 1_000, 150, 20_000, 700, 90), rake=5, **POSTED)
GAMES = {
    "heads-up": HEADS_UP,
    "uneven stacks, antes, straddle": SIX,
    "big-blind ante": Rules(seats=9, blinds=(50, 100), big_blind_ante=100, stacks=2_000),
    "fixed limit": Rules.preset("heads-up-limit"),
    **{name: Rules.preset(name) for name in ("omaha-hi-lo", "short-deck", "leduc", "kuhn")},
}


@pytest.fixture
def bot(tmp_path):
    """An agent that plays by its cards, ended after the test."""
    agent = ProgramAgent(program(tmp_path, RAISER.replace('m["hole_cards"][1]', 'm["hole_cards"][-1]')))
    yield agent
    agent.close()


@pytest.mark.fast_cases(2)
@pytest.mark.parametrize("rules", GAMES.values(), ids=list(GAMES))
def test_a_match_in_any_game(bot, rules):
    result = play_match(bot, "calling_station", rules, hands=120, num_tables=20)
    assert result.agent == "bot"
    assert result.hands >= 120


@pytest.mark.parametrize("rules", [HEADS_UP, SIX, GAMES["omaha-hi-lo"]], ids=["heads-up", "six", "omaha"])
def test_one_by_one_it_plays_as_in_a_batch(bot, rules):
    tables = random_positions(rules, 60, seed=2)
    rows = np.flatnonzero(tables["actor"] >= 0)
    together = bot.act(tables, rules, rows)
    assert len(set(together.tolist())) > 2
    alone = [int(bot.act(tables, rules, rows[k : k + 1])[0]) for k in range(len(rows))]
    assert together.tolist() == alone


def test_sessions_with_levels(bot, tmp_path):
    """A freezeout in which the blinds rise: every message says in which level it is, and how hands end is reported."""
    notes = tmp_path / "notes"
    changes = f"""
def on_hello(m):
    say({{"name": "me", "hand_over": True}})

def on_other(m):
    open({str(notes)!r}, "a").write(json.dumps([m["type"], m.get("payoffs"), m.get("seat")]) + "\\n")

def decide(m):
    assert m["session"]["kind"] == "tournament" and m["game"]["blinds"][1] in (100, 200, 400)
    return {{"move": "raise", "to": m["legal"]["raise_max"]}} if m["legal"]["raise_max"] else {{"move": "call"}}
"""
    levels = [{"hands": 2}, {"times": 2, "hands": 2}, {"times": 4}]
    rules = Rules(seats=4, blinds=(50, 100), stacks=3_000, session={"levels": levels, "prizes": (0.6, 0.4)})
    agents = [ProgramAgent(program(tmp_path, changes, "notified")), bot, *map(make_agent, ("nit", "calling_station"))]
    session = Session(rules, seed=3)
    for table in session:
        while not table.is_over:
            table.play(agents[table.actor].move(table))
        view = table.view(0).records
        view["actor"] = 0
        agents[0].hand_over(view, rules, np.zeros(1, np.int64))
    agents[0].close()
    assert sorted(session.places) == [1, 2, 3, 4]
    messages = [json.loads(line) for line in notes.read_text().splitlines()]
    assert [kind for kind, *_ in messages] == ["hand_over"] * session.hands_played + ["bye"]
    assert sum(payoffs[0] for _, payoffs, _ in messages[:-1]) == session.stacks[0] - 3_000


def test_who_does_not_ask_is_not_told_how_hands_end(tmp_path):
    note = tmp_path / "note"
    agent = ProgramAgent(program(tmp_path, f"def on_other(m): open({str(note)!r}, 'a').write(m['type'])"))
    table = Table(HEADS_UP, seed=1)
    table.fold()
    view = table.view(0).records
    view["actor"] = 0
    agent.hand_over(view, HEADS_UP, np.zeros(1, np.int64))
    agent.close()
    assert note.read_text() == "bye"


NOTES = """
def on_hello(m):
    say({"hand_over": True})

def note(m):
    with open(NOTE, "a") as file:
        file.write(json.dumps([os.getpid(), m["type"], m.get("hand"), m.get("payoffs"), m.get("seat")]) + "\\n")

on_other = note

def decide(m):
    note(m)
    return {"move": "call"}
"""


def test_in_a_match_each_rotation_has_a_program_and_none_is_left(tmp_path):
    notes = tmp_path / "notes"
    agent = ProgramAgent(program(tmp_path, NOTES.replace("NOTE,", f"{str(notes)!r},")))
    result = play_match(agent, "maniac", HEADS_UP, hands=64, num_tables=16)
    agent.close()  # it has played itself in the first rotation
    messages = [json.loads(line) for line in notes.read_text().splitlines()]
    assert len({pid for pid, *_ in messages}) == 2
    ends = [line for line in messages if line[1] == "hand_over"]
    assert len(ends) == result.hands
    assert result.mean == pytest.approx(100 * sum(payoffs[seat] for *_, payoffs, seat in ends) / 2 / result.hands)
    asked = {hand for _, kind, hand, *_ in messages if kind == "decision"}
    assert asked <= {hand for _, _, hand, *_ in ends}
    assert len({hand for _, _, hand, *_ in ends}) == result.hands  # a name for each seat at each table
    assert [kind for _, kind, *_ in messages].count("bye") == 2
    for pid in {pid for pid, *_ in messages}:
        with pytest.raises(ProcessLookupError):
            os.kill(pid, 0)


def test_copies_have_programs_of_their_own(bot):
    table = Table(HEADS_UP, seed=1)
    bot.move(table)
    for make in (copy.deepcopy, lambda agent: pickle.loads(pickle.dumps(agent)), copy.copy):
        twin = make(bot)
        assert twin._program is None
        assert config_of(twin) == config_of(bot)
        assert twin.move(table) == bot.move(table)
        assert twin._program.pid != bot._program.pid
        twin.close()


def test_how_it_is_made(tmp_path):
    command = program(tmp_path)
    short = make_agent(f"program:{command[0]} '{command[1]}'")
    assert isinstance(short, ProgramAgent)
    assert "program" in agent_names()
    assert (short.command, short.name) == (command, "bot")
    config = {"agent": "program", "command": " ".join(command), "max_seconds": 3, "name": "mine", "tables_at_once": 1}
    agent = make_agent(config)
    assert (agent.command, agent.name, agent.max_seconds, agent.facts.tables_at_once) == (command, "mine", 3.0, 1)
    for suffix in ("json", "yaml"):
        save_agent(agent, tmp_path / f"saved.{suffix}")
        assert config_of(make_agent(tmp_path / f"saved.{suffix}")) == config_of(agent)
    with pytest.raises(TypeError, match="it has no parameter 'comand'"):
        make_agent({"agent": "program", "command": "x", "comand": "y"})
    with pytest.raises(TypeError, match="missing a required argument: 'command'"):
        make_agent("program")
    with pytest.raises(ValueError, match="command: give a program"):
        make_agent("program:")
    with pytest.raises(ValueError, match="there is no agent 'programm:x'"):
        make_agent("programm:x")


def test_in_a_config_file_paths_are_relative_to_it(tmp_path, monkeypatch):
    folder = tmp_path / "bots"
    (folder / "data").mkdir(parents=True)
    program(folder)
    for name, text in (
        ("mine.json", json.dumps({"agent": "program", "command": f"{sys.executable} bot.py --data data --level 3"})),
        ("mine.yaml", f"agent: program\ncommand: [{sys.executable}, bot.py, --data, data, --level, '3']\n"),
    ):
        (folder / name).write_text(text)
        monkeypatch.chdir(tmp_path)
        agent = make_agent(f"bots/{name}")
        words = [sys.executable, str(folder / "bot.py"), "--data", str(folder / "data"), "--level", "3"]
        assert agent.command == words
        monkeypatch.chdir("/")
        assert agent.move(Table(HEADS_UP)) == 0
        agent.close()


def test_the_words_of_a_command(tmp_path, monkeypatch):
    (tmp_path / "bot").write_text("x")
    (tmp_path / "python3").write_text("x")
    assert words_of(("a", "b c")) == ["a", "b c"]
    assert beside("bot --slow", tmp_path) == [str(tmp_path / "bot"), "--slow"]
    assert beside("python3 bot", tmp_path) == ["python3", str(tmp_path / "bot")]  # the program is one in PATH
    assert beside("./python3 /bin/x", tmp_path) == [str(tmp_path / "python3"), "/bin/x"]
    assert beside(7, tmp_path) == 7
    monkeypatch.chdir(tmp_path)
    assert name_of(["python3.11", "-u", "bot"]) == "bot"
    assert name_of(["/usr/bin/mybot.exe"]) == "mybot"


def test_the_files_of_a_command_tell_agents_apart(tmp_path, monkeypatch):
    """A program that has changed is another agent, whatever names it: a config, text, a config file."""
    monkeypatch.chdir(tmp_path)
    file = tmp_path / "compiled"  # a program has no suffix
    config = tmp_path / "configs" / "mine.json"
    config.parent.mkdir()
    config.write_text(json.dumps({"agent": "program", "command": "./beside --x 1"}))
    (config.parent / "beside").write_text("one")
    ways = {
        "text": {"agent": "program:./compiled --x 1"},
        "config": {"agent": "program", "command": "./compiled --x 1"},
        "words": {"agent": "program", "command": ["./compiled", "--x", "1"]},
        "file": {"agent": str(config)},
    }
    for made_of in ways.values():
        file.write_text("one")
        (config.parent / "beside").write_text("one")
        text = json.dumps(made_of)
        digest, fingerprint = digest_of(text), fingerprint_of(make_agent(made_of), text)
        file.write_text("two")
        (config.parent / "beside").write_text("two")
        assert digest_of(text) != digest
        now = fingerprint_of(make_agent(made_of), text)
        assert difference(fingerprint, now).startswith("command ['a file with the digest ")
        assert "class" not in difference(fingerprint, now)
    assert named_files({"agent": str(config)}) == [config, config.parent / "beside"]


def test_where_a_program_lies_does_not_matter_to_its_fingerprint(tmp_path):
    found = []
    for folder in ("here", "there"):
        (tmp_path / folder / "data").mkdir(parents=True)
        command = [*program(tmp_path / folder), str(tmp_path / folder / "data")]
        made_of = {"agent": "program", "command": command}
        found.append(json.loads(fingerprint_of(make_agent(made_of), json.dumps(made_of))))
    assert found[0] == found[1]


def test_config_files_that_name_each_other_have_an_end(tmp_path):
    for one, other in (("a", "b"), ("b", "a")):
        (tmp_path / f"{one}.json").write_text(json.dumps({"agent": f"{other}.json", "more": [f"{other}.json"] * 3}))
    assert [path.name for path in named_files(str(tmp_path / "a.json"))] == ["a.json", "b.json"]


def test_a_tournament_with_a_program(tmp_path):
    wrong = program(tmp_path, "def decide(m): return {'move': 'jump'}", "broken")
    agents = (
        {"agent": "program", "command": program(tmp_path, RAISER), "name": "mine"},
        {"agent": "program", "command": wrong, "name": "broken"},
        "calling_station",
    )
    tournament = Tournament(rules=HEADS_UP, agents=agents, hands=40, shard=20, estimators=[], isolation="none")
    with Store(tmp_path / "x.db", create=True) as store:
        run(tournament, store)
        assert store.hands() == 40
        forfeits = store.forfeits()
    assert list(forfeits) == ["broken"]
    assert "\"move\" is one of 'fold', 'check', 'call', 'raise'" in forfeits["broken"]


def test_the_files_of_a_program_in_a_process_of_its_own(tmp_path, monkeypatch):
    monkeypatch.chdir("/")
    folder, data = tmp_path / "bots", tmp_path / "data"
    for each in (folder, data):
        each.mkdir()
    (data / "x").touch()
    command = [*program(folder), str(data)]
    (folder / "other").touch()
    for made_of in ({"agent": "program", "command": command}, {"agent": f"program:sh {folder / 'bot.py'} {data}"}):
        assert {*own_files(made_of)} == {folder / "bot.py", data / "x"}


@pytest.mark.slow
@needs_jail
def test_it_plays_in_a_process_of_its_own(tmp_path):
    bot = tmp_path / "bot"  # a program without a suffix, with a file beside it
    source = Path(program(tmp_path, RAISER + "\nopen(os.path.dirname(__file__) + '/data').read()\n")[1]).read_text()
    bot.write_text(f"#!{sys.executable}\n{source}")
    bot.chmod(0o755)
    (tmp_path / "data").write_text("x")
    made_of = {"agent": "program", "command": str(bot)}
    agent, plain = make_isolated({**made_of, "files": [str(tmp_path / "data")]}), make_agent(made_of)
    assert (agent.name, agent.facts.clock, agent.facts.tables_at_once) == (plain.name, plain.facts.clock, None)
    isolated, here = (
        play_deals(HEADS_UP, [each, make_agent("maniac")], [0, 1], range(32), duplicate=True).per_deal()
        for each in (agent, plain)
    )
    assert isolated.tolist() == here.tolist()


def test_the_commands_match_and_play(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    program(tmp_path, RAISER)
    bot, rest = f"program:{sys.executable} bot.py", ("calling_station", "--hands", 64)
    assert good("match", bot, *rest).startswith("bot against calling_station: ")
    said = good("play", bot, "--seed", 1, typed="c\nc\nc\nc\nf\nq\n")
    assert said.startswith("You play bot. f folds, c checks or calls")
    assert "The end: " in said
    (tmp_path / "mine.yaml").write_text(f"agent: program\ncommand: {sys.executable} bot.py\nname: me\n")
    assert good("match", "mine.yaml", *rest).startswith("me against calling_station: ")
    program(tmp_path, "def decide(m): return {'move': 'jump'}")
    said = refused("match", bot, *rest)
    assert "agent 'bot'" in said
    assert "one of 'fold', 'check', 'call', 'raise'" in said
