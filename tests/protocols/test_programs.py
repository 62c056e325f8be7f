"""Programs that misbehave: whatever they do, the match ends with a sentence that says what, and soon."""

from __future__ import annotations

import gc
import os
import signal
import sys

import numpy as np
import pytest

from holdem_env import Rules, Table
from holdem_env.arena import play_match
from holdem_env.arena.matches.dealer import AgentFailed
from holdem_env.arena.matches.stopwatch import Stopwatch
from holdem_env.protocols.json_lines import ProgramAgent, ProgramError, program_agent
from holdem_env.testing.sampled_tables import random_positions
from processes import is_running, wait_until
from protocols.programs import program

HEADS_UP = Rules.preset("heads-up-no-limit")


@pytest.fixture
def table() -> Table:
    return Table(HEADS_UP, seed=1)


@pytest.fixture
def agent(tmp_path):
    """Makes agents of bots with changes, and ends them."""
    made = []

    def make(changes: str = "", **parameters) -> ProgramAgent:
        made.append(ProgramAgent(program(tmp_path, changes), **parameters))
        return made[-1]

    yield make
    for each in made:
        each.close()


@pytest.mark.fast_cases(7)
@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ("def decide(m): return 1 // 0", r"ended with exit status 1\. .*ZeroDivisionError: integer"),
        ("def decide(m): sys.exit(7)", r"ended with exit status 7\.$"),
        ("def decide(m): os.kill(os.getpid(), 11)", r"was ended by SIGSEGV\.$"),
        ("def decide(m): sys.stdout.close(); os.close(1); time.sleep(9)", r"closed its standard output\.$"),
        ("def on_decision(m): say('call')", r"answered call, which is not JSON; an answer is one line such as"),
        ("def on_decision(m): say('\\x1b[2J')", r"answered �\[2J, which is not JSON"),
        ("def on_decision(m): say('x' * 9999)", r"answered x{200}\.\.\., which is not JSON"),
        ("def on_decision(m): say('[' * 100_000)", r"which is not JSON"),
        ("def on_decision(m): say([1])", r"answered \[1\]; an answer is an object such as"),
        ("def on_decision(m): say({'move': 'call'})", r'answered \{"move": "call"\}, and was asked no decision'),
        ("def on_decision(m): say({'id': m['id'] + 1, 'move': 'call'})", r"was asked no decision with this id"),
        ("def on_decision(m): say({'id': [], 'move': 'call'})", r"was asked no decision with this id"),
        ("def on_decision(m): say({'error': 'I know no such game'})", r"gave up: I know no such game\.$"),
        ("def decide(m): return {'move': 'jump'}", r"\"move\" is one of 'fold', 'check', 'call', 'raise'"),
        ("def decide(m): return {'move': ['call']}", r"\"move\" is one of"),
        ("def decide(m): return {'move': 'bet', 'to': 9}", r"a bet is a \"raise\", too"),
        ("def decide(m): return {'move': 'check'}", r"but 1 chip must be called"),
        ("def decide(m): return {'move': 'raise'}", r"a raise needs \"to\", the total of the street in whole chips"),
        ("def decide(m): return {'move': 'raise', 'to': True}", r"a raise needs \"to\""),
        ("def decide(m): return {'move': 'raise', 'to': -5}", r"a raise needs \"to\""),
        ("def decide(m): return {'move': 'raise', 'to': 10**30}", r"there are not that many chips"),
        (
            "def decide(m): return {'move': 'raise', 'to': 3}",
            r"answered a raise to 3: seat 0 may not raise to 3: the least it may raise to is 4. "
            r"Legal: fold, call 1, raise to 4..200\.$",
        ),
        ("def on_hello(m): say(m)", r"answered .* to hello; it should answer"),
        ("def on_hello(m): say({'hand_over': 'yes'})", r"\"hand_over\" is true or false"),
        ("def on_hello(m): sys.exit(3)", r"ended with exit status 3\.$"),
        ("def on_hello(m): say({'error': 'only heads-up'})", r"gave up: only heads-up\.$"),
    ],
)
def test_what_goes_wrong_is_said(agent, table, changes, words):
    bot = agent(changes)
    with pytest.raises(ProgramError, match=rf"(?s)^agent 'bot': the program .*{words}"):
        bot.move(table)
    assert bot._program is None
    assert isinstance(ProgramError("x"), ValueError)


@pytest.mark.parametrize(
    ("command", "words"),
    [
        (["no-such-program-here"], "there is no program 'no-such-program-here'; give a file, or a name in PATH"),
        (["./no/such/bot"], "there is no program './no/such/bot'"),
        ("{folder}", "cannot be run: make it executable"),
    ],
)
def test_a_program_that_cannot_be_started(command, words, table, tmp_path):
    (tmp_path / "bot").write_text("no program")
    command = [str(tmp_path / "bot")] if command == "{folder}" else command
    with pytest.raises(ProgramError, match=words):
        ProgramAgent(command).move(table)


def test_windows_plays_no_programs(agent, table, monkeypatch):
    bot = agent()
    monkeypatch.setattr(sys, "platform", "win32")
    with pytest.raises(ProgramError, match="Windows"):
        bot.move(table)


@pytest.mark.fast_cases(3)
@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ("def decide(m):\n    while True: pass", r"gave no answer within 0.3 s\.$"),
        ("def on_decision(m): pass", r"gave no answer within 0.3 s\.$"),
        ("def on_decision(m): time.sleep(0.9); say({'id': m['id'], 'move': 'call'})", r"gave no answer within 0.3 s"),
        ("def on_decision(m):\n    while True: sys.stderr.write('noise\\n')", r"(?s)gave no answer within .* noise"),
        ("def on_decision(m):\n    while True: say('')", r"gave no answer within 0.3 s"),
        (
            "def on_decision(m):\n    while True: sys.stdout.write('x' * 65536)",
            r"a line of more than 1,048,576 bytes",
        ),
        ("def on_decision(m):\n    while True: say({'id': m['id'], 'move': 'call'})", None),
        ("def on_decision(m):\n    while True: say('nonsense')", r"answered nonsense"),
    ],
)
def test_loops_and_floods_end_soon_and_leave_nothing(agent, table, changes, words):
    bot = agent(changes, max_seconds=0.3)
    if words is None:  # one answer was right; what comes behind it is an error of the next decision
        assert bot.move(table) == 0
        words = "was asked no decision with this id"
    pid = bot._running(HEADS_UP).pid
    with pytest.raises(ProgramError, match=words):
        bot.move(table)
    assert not is_running(pid)


def test_a_program_that_never_says_hello(agent, table):
    with pytest.raises(ProgramError, match=r"gave no answer within 0.2 s"):
        agent("def on_hello(m): time.sleep(60)", start_seconds=0.2).move(table)


def test_only_the_end_of_a_flood_of_errors_is_kept(agent, table):
    changes = "def decide(m):\n    [sys.stderr.write(f'line {k}\\n') for k in range(100_000)]\n    sys.exit(1)"
    with pytest.raises(ProgramError, match=r"(?s)ends with:\n    line 99995\n.*\n    line 99999$") as caught:
        agent(changes).move(table)
    assert len(str(caught.value)) < 1_000


def test_errors_beside_answers_do_no_harm(agent):
    """More than a pipe holds, while as much is written to the program and read from it."""
    changes = "def decide(m): sys.stderr.write('x' * 1_000 + '\\n'); return {'move': 'call', 'why': 'y' * 1_000}"
    tables = random_positions(HEADS_UP, 3_000, seed=1)
    rows = np.flatnonzero(tables["actor"] >= 0)
    assert not agent(changes).act(tables, HEADS_UP, rows).any()


def test_a_program_that_reads_everything_first(agent):
    """It answers when `more` says that nothing else will come, in any order: no deadlock when pipes are full."""
    changes = """
waiting = []
def on_decision(m):
    waiting.append(m["id"])
    if not m["more"]:
        for each in reversed(waiting):
            say({"id": each, "move": "fold", "padding": "x" * 500})
        waiting.clear()
"""
    tables = random_positions(HEADS_UP, 2_000, seed=1)
    rows = np.flatnonzero(tables["actor"] >= 0)
    bot = agent(changes)
    assert (bot.act(tables, HEADS_UP, rows) == -1).all()
    assert bot.act(tables, HEADS_UP, rows[:0]).shape == (0,)


def test_a_crash_in_the_middle_of_a_match_names_the_agent(agent):
    changes = "def decide(m):\n    if m['id'] > 100: raise OSError('the disk is full')\n    return {'move': 'call'}"
    words = r"agent 'bot': ProgramError: the program ended with exit status 1.*OSError: the disk is full"
    with pytest.raises(AgentFailed, match=rf"(?s){words}"):
        play_match(agent(changes), "calling_station", HEADS_UP, hands=256, num_tables=64)


def test_it_can_be_asked_again_after_an_error(agent, table):
    bot = agent("def decide(m): return {'move': 'call' if os.path.exists('/') and m['id'] else 'jump'}")
    with pytest.raises(ProgramError, match="jump"):
        bot.move(table)
    assert bot.move(table) == 0


def test_programs_end_with_their_agents(agent, table):
    ends = agent("")
    ends.move(table)
    pid = ends._program.pid
    assert is_running(pid)
    ends.close()
    assert not is_running(pid)
    ends.close()  # once is enough
    assert ends.move(table) == 0  # it starts again
    pid = ends._program.pid
    ends._program = None
    gc.collect()
    assert not is_running(pid)


@pytest.mark.slow
def test_a_program_that_stays_is_killed_with_its_children(agent, table, tmp_path):
    changes = f"""
import subprocess
signal = __import__("signal")
signal.signal(signal.SIGTERM, signal.SIG_IGN)
child = subprocess.Popen([sys.executable, "-c", "import time; time.sleep(100)"])
open({str(tmp_path / "child")!r}, "w").write(str(child.pid))
def on_other(m):
    while True: time.sleep(1)
"""
    bot = agent(changes)
    bot.move(table)
    pids = [bot._program.pid, int((tmp_path / "child").read_text())]
    assert all(map(is_running, pids))
    bot.close()
    wait_until(lambda: not any(map(is_running, pids)), 5)  # the child is nobody's now, and somebody else reaps it


def test_a_bye_comes_before_the_end(agent, table, tmp_path):
    note = tmp_path / "bye"
    bot = agent(f"def on_other(m): open({str(note)!r}, 'a').write(m['type'] + ' ')")
    bot.move(table)
    bot.reset()
    bot.close()
    assert note.read_text() == "reset bye "


def test_what_is_left_is_read_before_the_end(agent, tmp_path):
    """More than a pipe holds, and while the program talks more than a pipe holds."""
    note = tmp_path / "note"
    bot = agent(
        f"""
def on_hello(m): say({{"hand_over": True}})
def on_other(m):
    sys.stderr.write("x" * 3_000)
    say("y" * 3_000)
    open({str(note)!r}, "a").write(m["type"] + "\\n")
"""
    )
    tables = random_positions(HEADS_UP, 400, seed=1)
    bot.hand_over(tables, HEADS_UP, np.flatnonzero(tables["actor"] >= 0))
    bot.close()
    seen = note.read_text().split()
    assert seen[-1] == "bye"
    assert seen.count("hand_over") == len(seen) - 1 > 100


@pytest.mark.skipif(not hasattr(os, "fork"), reason="needs fork")
@pytest.mark.filterwarnings("ignore:.*fork:DeprecationWarning")
def test_a_fork_leaves_the_program_alone_and_starts_its_own(agent, table):
    bot = agent()
    bot.move(table)
    pid = bot._program.pid
    child = os.fork()
    if not child:
        ok = bot.move(table) == 0 and bot._program.pid != pid
        bot.close()
        gc.collect()
        os._exit(0 if ok else 1)
    assert os.waitpid(child, 0)[1] == 0
    assert is_running(pid)
    assert bot.move(table) == 0
    assert bot._program.pid == pid


def test_control_c_is_not_for_the_program(agent, table):
    """It is in a group of its own: what the terminal sends does not reach it."""
    bot = agent()
    bot.move(table)
    assert os.getpgid(bot._program.pid) == bot._program.pid != os.getpgid(0)
    os.kill(bot._program.pid, signal.SIGKILL)
    with pytest.raises(ProgramError, match="was ended by SIGKILL"):
        bot.move(table)


BUSY = """
def decide(m):
    end = time.process_time() + 0.2
    while time.process_time() < end: pass
    return {"move": "call"}
"""


def test_its_processor_time_is_known(agent, table):
    bot = agent(BUSY)
    assert bot.processor_time is None
    bot.move(table)
    assert bot.processor_time is None or bot.processor_time >= 0.2


def test_its_processor_time_counts_and_its_start_does_not(agent, table):
    agent().move(table)  # what this process does at first does not matter here
    bot = agent(BUSY + "\nend = time.process_time() + 1\nwhile time.process_time() < end: pass\n")
    began = Stopwatch.read()
    bot.move(table)
    now = Stopwatch.read()
    if bot.facts.clock == "processor":
        assert 0.2 <= now.processor - began.processor < 1


def test_after_an_interrupt_it_starts_over(agent, table, monkeypatch):
    bot = agent()
    bot.move(table)
    pid = bot._program.pid

    def interrupted(line):
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr(program_agent, "answer_of", interrupted)
        with pytest.raises(KeyboardInterrupt):
            bot.move(table)
    assert not is_running(pid)
    assert bot.move(table) == 0


def test_it_runs_where_the_agent_was_made(table, tmp_path, monkeypatch):
    program(tmp_path)
    monkeypatch.chdir(tmp_path)
    bot = ProgramAgent([sys.executable, "bot.py"])
    monkeypatch.chdir("/")
    try:
        assert bot.move(table) == 0
    finally:
        bot.close()


@pytest.mark.parametrize(
    ("parameters", "words"),
    [
        ({"command": ""}, "command: give a program and its arguments, such as 'node bot.js'"),
        ({"command": []}, "command: give a program"),
        ({"command": ["a", 3]}, "command: give a program"),
        ({"command": "node 'bot.js"}, "command: .*No closing quotation"),
        ({"command": "a", "max_seconds": 0}, "max_seconds: give seconds above zero, not 0"),
        ({"command": "a", "start_seconds": float("inf")}, "start_seconds: give seconds"),
        ({"command": "a", "max_seconds": True}, "max_seconds: give seconds"),
        ({"command": "a", "tables_at_once": 0}, "`tables_at_once` must be at least 1 or None, got 0"),
    ],
)
def test_wrong_parameters(parameters, words):
    with pytest.raises(ValueError, match=words):
        ProgramAgent(**parameters)
