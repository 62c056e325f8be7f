"""Agents in processes of their own: they play as in this one, and whatever they do there harms nobody."""

from __future__ import annotations

import ctypes
import os
import re
import sys
import time
from pathlib import Path
from textwrap import dedent

import numpy as np
import pytest

from arena.isolation.bots import bot, tell
from holdem_env import Rules, Tables
from holdem_env.agents.asking import asked_moves, asked_probabilities, asked_range_probabilities
from holdem_env.arena import AgentFailed, play_deals
from holdem_env.arena.isolation import dumpable, landlock
from holdem_env.arena.isolation.isolated_agent import AgentError, IsolatedAgent
from holdem_env.arena.isolation.limits import AgentProcessError, Limits
from holdem_env.arena.isolation.making import is_isolated, make_isolated
from holdem_env.arena.matches.stopwatch import Stopwatch
from holdem_env.players import StrategyUnknown, make_agent, register_agent

HEADS_UP = Rules.preset("heads-up-no-limit")
needs_landlock = pytest.mark.skipif(landlock.version() < 6, reason="the kernel has no Landlock, or an old one")


@pytest.fixture
def isolated():
    """Makes isolated agents, whose processes end with the test."""
    made = []

    def make(what: str, limits: Limits | None = None, **parameters) -> IsolatedAgent:
        made.append(IsolatedAgent({"agent": what, **parameters}, limits))
        return made[-1]

    yield make
    for agent in made:
        agent.close()


def tables(count: int = 8) -> Tables:
    dealt = Tables(HEADS_UP, count)
    dealt.reset(seed=1)
    return dealt


def ask(agent, count: int = 8):
    return asked_moves(agent, tables(count).records, HEADS_UP, np.arange(count))


# The same as in this process


@pytest.mark.parametrize("name", ["tight_aggressive", "random"])
def test_it_plays_as_in_this_process(isolated, tmp_path, name):
    file = tmp_path / "mine.json"
    make_agent(name).save(file)
    there, here, other = isolated(str(file)), make_agent(name), make_agent("maniac")
    won = [play_deals(HEADS_UP, [agent, other], [0, 1], range(300), 3).columns["chips"] for agent in (there, here)]
    assert np.array_equal(*won)
    assert there.name == here.name
    assert there.tells_probabilities
    told = [asked_probabilities(agent, tables().records, HEADS_UP, np.arange(8)) for agent in (there, here)]
    assert all(np.array_equal(one, two) for one, two in zip(*told, strict=True))


def test_it_answers_range_queries_as_in_this_process(isolated, tmp_path):
    there, here = isolated("tight_aggressive"), make_agent("tight_aggressive")
    assert there.tells_ranges
    told = [asked_range_probabilities(agent, tables().records, HEADS_UP, np.arange(8)) for agent in (there, here)]
    assert all(np.array_equal(one, two) for one, two in zip(*told, strict=True))
    assert not isolated(bot(tmp_path)).tells_ranges


def test_a_wrong_answer_to_a_range_query_is_told(isolated, tmp_path):
    more = """
    def range_probabilities(self, tables, rules, rows):
        return np.zeros((len(rows), 1), np.int64), np.ones((len(rows), 7, 1))
    """
    with pytest.raises(ValueError, match=r"must give moves \(K, A\) and \(K, 1326, A\)"):
        asked_range_probabilities(isolated(bot(tmp_path, more=more)), tables().records, HEADS_UP, np.arange(8))


def test_every_process_begins_anew(isolated, tmp_path):
    more = """
    calls = 0

    def reset(self):
        self.calls = 100
    """
    agent = isolated(bot(tmp_path, "self.calls += 1\nif self.calls % 100 == 3: raise RuntimeError(self.calls)", more))
    twin = agent.clone()
    for each in (agent, twin):
        ask(each)
        ask(each)
    agent.close()
    ask(agent)
    with pytest.raises(AgentError, match=r"^3 \(bot.py:11\)$"):
        ask(twin)
    agent.reset()
    for _ in range(2):
        ask(agent)
    with pytest.raises(AgentError, match=r"^103 "):
        ask(agent)
    agent.close()
    twin.close()


def test_more_rows_than_before_get_more_memory(isolated, tmp_path):
    agent = isolated(bot(tmp_path))
    for count in (3, 500, 7):
        assert ask(agent, count).tolist() == [0] * count


@pytest.mark.slow
def test_its_own_functions_are_compiled_once_before_it_plays(isolated, tmp_path):
    code = """
    import numpy as np
    from holdem_env.compiled.compiler import kernel
    from holdem_env.players import Agent

    @kernel
    def checks(tables, rows, moves):
        for k in range(rows.size):
            moves[k] = 0

    class Bot(Agent):
        def act(self, tables, rules, rows):
            moves = np.ones(len(rows), np.int64)
            checks(tables, rows, moves)
            if len(rows) == 3:
                raise RuntimeError(sum(checks.stats.cache_hits.values()))
            return moves
    """
    (tmp_path / "bot.py").write_text(dedent(code))
    agent = isolated(str(tmp_path / "bot.py"))
    for each in (agent, agent.clone()):
        assert ask(each).tolist() == [0] * 8
        with pytest.raises(AgentError, match=r"^1 "):
            ask(each, 3)
        each.close()


def test_who_belongs_into_a_process_of_its_own(tmp_path, monkeypatch):
    file = tmp_path / "mine.json"
    make_agent("maniac").save(file)
    assert not is_isolated({"agent": "maniac", "aggression": 0.5})
    assert not is_isolated({"agent": "blueprint_100bb", "resolve": "river"})
    assert is_isolated({"agent": "mine.strategy"})
    assert is_isolated({"agent": str(file)})
    assert is_isolated({"agent": bot(tmp_path)})
    assert is_isolated({"agent": "program:./bot"})
    assert is_isolated({"agent": "acpc", "command": "./bot {host} {port}"})
    assert not is_isolated({"agent": "acpc:localhost:18000"})
    assert not is_isolated({"agent": "openai", "model": "any"})
    monkeypatch.setattr("holdem_env.agents.names.registered", {})
    register_agent("mine", lambda: make_agent("maniac"))
    file.write_text('{"agent": "mine"}')
    assert not is_isolated({"agent": "mine"})
    assert not is_isolated({"agent": str(file)})


def test_a_program_plays_there_too(isolated):
    file = Path(__file__).parents[3] / "examples" / "bots" / "bot.py"
    agent = isolated("program", command=[sys.executable, str(file)])
    assert agent.name == "bot"
    assert set(ask(agent).tolist()) <= {-1, 0, 1, 2, 4, 5, 6}


def test_each_has_a_network_of_its_own(isolated, tmp_path):
    here = "('127.0.0.1', 31017)"
    served = f"[setattr(self, 'held', socket.create_server({here})), socket.create_connection({here})][1]"
    for agent in (isolated(bot(tmp_path, tell(served))) for _ in range(2)):  # both keep the same port
        found = told(agent)
        assert re.search("<socket.socket|Permission", found), found


# How it fails


@pytest.mark.parametrize(
    ("act", "reason"),
    [
        ("os._exit(0)", r"its process ended with exit status 0 in the middle of the match"),
        ("print('so long'); os._exit(3)", r"its process ended with exit status 3 .*; it printed last: 'so long'"),
        ("ctypes.string_at(0)", r"its process ended: segmentation fault \(signal 11\)"),
        ("os.kill(os.getpid(), 9)", r"its process ended: killed, perhaps .* \(signal 9\)"),
        ("sys.exit(0)", r"0"),
        (r"raise ValueError('\x1b[2J')", r"^\\x1b\[2J "),
        ("raise ValueError('no idea')", r"no idea \(bot.py:10\)"),
        ("moves = moves[:-1]", r"act must give 8 integers, one a row; it gave shape \(7,\), dtype int64"),
        ("moves = moves * np.nan", r"act must give 8 integers, one a row; it gave shape \(8,\), dtype float64"),
        ("moves = np.full(8, 3)", r"table 0: .*3"),
        ("moves = None", r"act must give 8 integers, one a row; it gave shape \(\), dtype object"),
        ("os.write(3, b'x' * 100)", r"its process sent a message of 2,021,161,080 bytes"),
        ("os.write(3, bytes([2, 0, 0, 0]) + b'{}')", r"its process sent an answer to another question"),
        ("os.close(3)\nos._exit(1)", r"its process ended with exit status 1"),
    ],
)
def test_whatever_it_does_is_told(isolated, tmp_path, act, reason):
    agent = isolated(bot(tmp_path, act))
    with pytest.raises((AgentProcessError, AgentError, ValueError), match=reason):
        ask(agent)
    agent.close()
    with pytest.raises((AgentProcessError, AgentError, ValueError)):
        ask(agent)  # a new process, and the same again


def test_the_match_says_whose_error_it_was(isolated, tmp_path):
    agents = [isolated(bot(tmp_path, "{}['x']")), make_agent("maniac")]
    with pytest.raises(AgentFailed, match=re.escape("agent 'bot': KeyError: 'x' (bot.py:10)")):
        play_deals(HEADS_UP, agents, [0, 1], range(10))


def test_it_may_not_take_for_ever(isolated, tmp_path):
    agent = isolated(bot(tmp_path, "while True: pass"), Limits(seconds_per_call=0.3))
    with pytest.raises(AgentProcessError, match=r"no answer within 0.3 s \(an endless loop\?\)"):
        ask(agent)
    agent = isolated(bot(tmp_path, more="def reset(self):\n    time.sleep(99)"), Limits(seconds_per_call=0.3))
    ask(agent)
    with pytest.raises(AgentProcessError, match=r"no answer within 0.3 s"):
        agent.reset()


@pytest.mark.parametrize("how", ["hoard = b'x' * 700_000_000", "subprocess.run([sys.executable, '-c', HOARD])"])
def test_it_may_not_take_all_the_memory(isolated, tmp_path, how):
    act = f"HOARD = \"hoard = b'x' * 700_000_000; input()\"\n{how}\ntime.sleep(9)"
    agent = isolated(bot(tmp_path, act), Limits(memory_mb=500))
    with pytest.raises(AgentProcessError, match=r"it used \d{3} MB of memory, the limit is 500"):
        ask(agent)


@pytest.mark.parametrize("code", ["while True: pass", "import os; os._exit(0)", "raise RuntimeError('broken')"])
def test_it_may_fail_while_it_is_made(tmp_path, code):
    file = tmp_path / "bot.py"
    file.write_text(code)
    reasons = "no answer within 1 s|exit status 0 while the agent was made|broken"
    with pytest.raises((AgentProcessError, AgentError), match=reasons):
        make_isolated({"agent": str(file)}, Limits(seconds_to_start=1))


@pytest.mark.parametrize(
    ("made_of", "kind"),
    [
        ({"agent": "nobody"}, ValueError),
        ({"agent": "nowhere.py"}, FileNotFoundError),
        ({"agent": "{bot}", "size": 3}, TypeError),
    ],
)
def test_what_cannot_be_made_is_the_same_error_as_in_this_process(tmp_path, made_of, kind):
    made_of = {**made_of, "agent": made_of["agent"].format(bot=bot(tmp_path))}
    with pytest.raises(kind) as here:
        make_agent(made_of)
    with pytest.raises(kind) as there:
        make_isolated(made_of)
    assert str(here.value) == str(there.value)


def test_who_does_not_know_its_strategy_says_so(isolated, tmp_path):
    agent = isolated(bot(tmp_path))
    assert not agent.tells_probabilities
    with pytest.raises(StrategyUnknown):
        asked_probabilities(agent, tables().records, HEADS_UP, np.arange(8))
    more = "def probabilities(self, tables, rules, rows):\n    return {}"
    for gives, reason in [
        ("np.zeros((8, 1), np.int64), np.full((8, 1), 0.7)", "no distribution"),
        ("np.zeros((8, 1), np.int64), np.full((8, 1), np.nan)", "no distribution"),
        ("np.zeros((8, 2), np.int64), np.ones((8, 1))", r"both \(8, A\)"),
        ("np.zeros((8, 10**5), np.int64), np.ones((8, 10**5))", "too many"),
    ]:
        agent = isolated(bot(tmp_path, more=more.format(gives)))
        with pytest.raises((ValueError, AgentError), match=reason):
            asked_probabilities(agent, tables().records, HEADS_UP, np.arange(8))


# What it sees and reaches


def told(agent) -> str:
    with pytest.raises(AgentError) as raised:
        ask(agent)
    return str(raised.value)


def test_it_does_not_see_this_process(isolated, tmp_path, monkeypatch):
    monkeypatch.setenv("MY_SECRET", "swordfish")
    monkeypatch.setenv("AWS_SECRET_ACCESS_KEY", "swordfish")
    with open(tmp_path / "open.txt", "w") as file:
        os.set_inheritable(file.fileno(), True)
        files = "[os.readlink(each.path) for each in os.scandir('/proc/self/fd') if os.path.lexists(each.path)]"
        found = told(isolated(bot(tmp_path, tell(f"dict(os.environ), os.getcwd(), {files}"))))
    assert "swordfish" not in found
    folder, names = re.search(r"\}, '(.*)', \[(.*?)\]\)", found).groups()
    assert "holdem-agents-" in folder
    ours = ("/dev/null", "/memfd:output", "/memfd:views", "/memfd:answers", "socket:", "/proc/")
    assert all(name.startswith(ours) for name in re.findall(r"'(.*?)'", names)), names


@needs_landlock
@pytest.mark.parametrize(
    "deed",
    [
        "open('{here}/tournament.db', 'ab')",
        "open('{here}/other/secret.txt').read()",
        "os.mkdir('{here}/new')",
        "os.remove('{here}/tournament.db')",
        "os.truncate('{here}/tournament.db', 0)",
        "open('/proc/{pid}/mem', 'rb').read(1)",
        "open('/proc/{pid}/environ', 'rb').read(1)",
        "open('/proc/%d/mem' % os.getppid(), 'rb').read(1)",
        "os.kill({pid}, 0)",
        "os.kill(os.getppid(), 0)",
        "os.listdir('/root')",
        "open('/etc/shadow').read()",
        "socket.create_connection(('127.0.0.1', {port}), 1)",
        "open('{cache}/new', 'w')",
        "os.chown('{here}/tournament.db', 1, 1)",
    ],
)
def test_it_does_not_reach_what_is_not_its_own(isolated, tmp_path, deed):
    import socket

    from holdem_env.compiled.cache import CACHE_FOLDER

    (tmp_path / "tournament.db").write_text("results")
    (tmp_path / "other").mkdir()
    (tmp_path / "other" / "secret.txt").write_text("secret")
    (tmp_path / "bot").mkdir()
    with socket.create_server(("127.0.0.1", 0)) as server:
        deed = deed.format(here=tmp_path, pid=os.getpid(), port=server.getsockname()[1], cache=CACHE_FOLDER)
        found = told(isolated(bot(tmp_path / "bot", tell(deed))))
    assert re.search("PermissionError|Permission denied|ConnectionRefused|unreachable|not permitted", found), found
    assert (tmp_path / "tournament.db").read_text() == "results"


def test_it_may_write_to_its_own_folder_and_read_its_own_files(isolated, tmp_path):
    (tmp_path / "weights.txt").write_text("17")
    lines = f"open('x', 'w').write('y'), open('x').read(), open('{tmp_path}/weights.txt').read()"
    assert told(isolated(bot(tmp_path, tell(lines)))).startswith("(1, 'y', '17')")


def test_what_it_started_is_gone(isolated, tmp_path):
    act = """
    if os.fork() == 0:
        if os.fork() == 0:
            os.setsid()
            while True:
                time.sleep(0.01)
        os._exit(0)
    time.sleep(0.1)
    found = [int(pid) for pid in open(f"/proc/self/task/{os.getpid()}/children").read().split()]
    raise RuntimeError(found)
    """
    agent = isolated(bot(tmp_path, act))
    pids = [int(pid) for pid in re.search(r"\[(.*)\]", told(agent))[1].split(",")]
    assert pids
    assert all(Path(f"/proc/{pid}").exists() for pid in pids)
    agent.close()
    assert not any(Path(f"/proc/{pid}").exists() for pid in pids)


def test_what_it_prints_goes_nowhere(isolated, tmp_path, capfd):
    agent = isolated(bot(tmp_path, "print('noise ' * 1000)\nos.write(2, b'x' * 3_000_000)"))
    for _ in range(30):
        ask(agent)
    assert capfd.readouterr() == ("", "")


def test_the_memory_of_this_process_is_closed_while_they_live(tmp_path):
    libc = ctypes.CDLL(None)
    assert libc.prctl(dumpable.GET_DUMPABLE) == 1
    agent = IsolatedAgent({"agent": bot(tmp_path)})
    ask(agent)
    assert libc.prctl(dumpable.GET_DUMPABLE) == 0
    agent.close()
    assert libc.prctl(dumpable.GET_DUMPABLE) == 1


def test_the_processor_time_is_that_of_its_process(isolated, tmp_path):
    agent = isolated(bot(tmp_path, "began = time.process_time()\nwhile time.process_time() < began + 0.2: pass"))
    spent = []
    for _ in range(3):
        began = Stopwatch.read()
        ask(agent)
        now = Stopwatch.read()
        spent.append((now.processor - began.processor, now.wall - began.wall))
    assert spent[0][0] < 0.1  # the first call of a new process may compile things
    assert all(processor >= 0.19 for processor, _ in spent[1:])
    agent = isolated(bot(tmp_path, "time.sleep(0.2)"))
    ask(agent)
    began = Stopwatch.read()
    ask(agent)
    assert Stopwatch.read().processor - began.processor < 0.1


def test_thinking_between_the_calls_counts(isolated, tmp_path):
    act = """
    import threading
    def think():
        while True: pass
    threading.Thread(target=think, daemon=True).start()
    """
    agent = isolated(bot(tmp_path, act))
    ask(agent)
    began = Stopwatch.read()
    time.sleep(0.5)
    ask(agent)
    assert Stopwatch.read().processor - began.processor > 0.05
