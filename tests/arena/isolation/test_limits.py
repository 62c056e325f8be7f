"""What a jail may take: memory, threads, files and time, limited by control groups of the kernel, or by looking."""

from __future__ import annotations

from pathlib import Path

import pytest

from arena.isolation.bots import bot, needs_jail
from arena.isolation.test_isolated_agent import ask, isolated  # noqa: F401 - a fixture
from holdem_env.arena.isolation import agent_process, control_groups
from holdem_env.arena.isolation.control_groups import ControlGroup, Parents
from holdem_env.arena.isolation.isolated_agent import AgentError
from holdem_env.arena.isolation.limits import AgentProcessError, Limits


@pytest.fixture(params=["control groups", "looks"])
def limited_by(request, monkeypatch) -> str:
    """Both ways to limit a jail."""
    if request.param == "looks":
        monkeypatch.setattr(control_groups, "parents", lambda: None)
    elif control_groups.parents() is None:
        pytest.skip("this process may make no control groups")
    return request.param


MEMORY = r"it used (more memory than the limit of 500 MB|\d{3} MB of memory, the limit is 500)"
THREADS = r"it started \d+ threads, the limit is 128|can't start new thread|Resource temporarily unavailable"
SPACE = r"No space left"
HOARD = "hoard = b'x' * 700_000_000; input()"
ATTACKS = {
    "bytes": ("hoard = b'x' * 700_000_000\ntime.sleep(9)", MEMORY),
    "bytes of a child": (f"subprocess.run([sys.executable, '-c', {HOARD!r}])\nos.kill(1, 0)\nos._exit(0)", MEMORY),
    "bytes of many": (
        """
        for _ in range(20):
            if os.fork() == 0: hoard = bytearray(os.urandom(2**20)) * 40; time.sleep(9)
        time.sleep(9)
        """,
        MEMORY,
    ),
    "shared memory that is dropped": (
        """
        import mmap
        for _ in range(9):
            held = mmap.mmap(-1, 10**8)
            held.write(bytes(10**8))
        """,
        "Function not implemented",
    ),
    "shared memory of /dev/zero": (
        "import mmap\nwith open('/dev/zero', 'r+b') as file: mmap.mmap(file.fileno(), 10**8)",
        "No such device",
    ),
    "full pipes and sockets": (
        """
        def fill():
            held = [socket.socketpair() for _ in range(110)]
            for one, _ in held:
                one.setblocking(False)
                try:
                    while True: one.send(bytes(4096))
                except BlockingIOError: pass
            time.sleep(9)
        for _ in range(90):
            if os.fork() == 0: fill()
        time.sleep(9)
        """,
        MEMORY,
    ),
    "empty files": ("for k in range(700_000): open(f'/tmp/{k}', 'w').close()", f"{MEMORY}|it made .* files, the limit"),
    "files": ("for k in range(9): open(f'/tmp/{k}', 'wb').write(bytes(10**7))", SPACE),
    "files in memory": ("for k in range(9): open(f'/dev/shm/{k}', 'wb').write(bytes(10**7))", SPACE),
    "processes": ("while True: subprocess.Popen(['sleep', '99'])", THREADS),
    "threads": (
        """
        import threading
        threading.stack_size(2**16)
        while True: threading.Thread(target=time.sleep, args=[9], daemon=True).start()
        """,
        THREADS,
    ),
}


@needs_jail
@pytest.mark.fast_cases("shared memory that is dropped")
@pytest.mark.parametrize("attack", ATTACKS)
def test_it_may_not_take_all_there_is(isolated, tmp_path, limited_by, attack):  # noqa: F811
    act, reason = ATTACKS[attack]
    with pytest.raises((AgentProcessError, AgentError), match=reason):
        ask(isolated(bot(tmp_path, act), Limits(memory_mb=500), programs="sleep"))


TRICKLE = """
import stat
wire = next(fd for fd in range(3, 99) if os.path.exists(f'/proc/self/fd/{fd}') and stat.S_ISSOCK(os.fstat(fd).st_mode))
os.write(wire, (2**20).to_bytes(4, 'little'))
while True:
    os.write(wire, b' ')
    time.sleep(0.01)
"""


@needs_jail
@pytest.mark.parametrize("act", ["while True: pass", TRICKLE], ids=["nothing", "a byte now and then"])
def test_it_may_not_take_for_ever(isolated, tmp_path, act):  # noqa: F811
    agent = isolated(bot(tmp_path, act), Limits(seconds_per_call=0.3))
    with pytest.raises(AgentProcessError, match=r"no answer within 0.3 s"):
        ask(agent)


@needs_jail
def test_a_group_ends_with_its_jail(isolated, tmp_path):  # noqa: F811
    if control_groups.parents() is None:
        pytest.skip("this process may make no control groups")
    agent = isolated(bot(tmp_path))
    ask(agent)
    folders = agent._process._group._folders
    assert all((folder / "cgroup.procs").read_text().split() for folder in folders)
    agent.close()
    assert not any(folder.exists() for folder in folders)


def test_no_more_processes_are_an_error_of_the_arena(isolated, tmp_path, monkeypatch):  # noqa: F811
    def refuse(*_, **__):
        raise BlockingIOError(11, "Resource temporarily unavailable")

    monkeypatch.setattr(agent_process.jail, "check_available", lambda: None)
    monkeypatch.setattr(agent_process.jail, "command", lambda *_: ["bwrap"])
    monkeypatch.setattr(agent_process.subprocess, "Popen", refuse)
    with pytest.raises(agent_process.IsolationUnavailable, match="the system starts no more processes"):
        ask(isolated(bot(tmp_path)))


# The two versions of the kernel's interface, as files


def group_files(folder: Path, **files: str) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    for name, text in {"cgroup.procs": "", **files}.items():
        (folder / name.replace("__", ".")).write_text(text)


def test_version_2_takes_the_nearest_group_that_was_delegated(tmp_path, monkeypatch):
    monkeypatch.setattr(control_groups, "ROOT", tmp_path)
    app = tmp_path / "user.slice/user@1000.service/app.slice"
    group_files(tmp_path / "user.slice", cgroup__subtree_control="cpu memory pids")
    group_files(app.parent, cgroup__subtree_control="memory pids")
    group_files(app, cgroup__subtree_control="memory pids")
    group_files(app / "run.scope", cgroup__subtree_control="")
    own = str((app / "run.scope").relative_to(tmp_path))
    assert control_groups._version_2(own) == Parents(2, app, app, app, app)
    (app / "cgroup.subtree_control").write_text("pids")
    assert control_groups._version_2(own).memory == app.parent
    assert control_groups._version_2("../../elsewhere") is None
    assert control_groups._version_2("") is None
    group_files(tmp_path, cgroup__subtree_control="memory pids")
    assert control_groups._version_2("").memory == tmp_path


def test_in_a_container_with_groups_of_its_own_its_processes_make_room(tmp_path, monkeypatch):
    monkeypatch.setattr(control_groups, "ROOT", tmp_path)
    group_files(tmp_path, cgroup__type="domain", cgroup__subtree_control="")
    (tmp_path / "cgroup.procs").write_text("3\n")
    control_groups._version_2("")
    assert (tmp_path / "holdem" / "cgroup.procs").read_text() == "3"
    assert (tmp_path / "cgroup.subtree_control").read_text() == "+memory +pids"


def test_version_2_is_written_and_read(tmp_path):
    group = ControlGroup(Parents(2, *4 * [tmp_path]), 500, 128)
    (folder,) = group._folders
    group.add(7)
    written = {path.name: path.read_text() for path in folder.iterdir()}
    assert written == {"pids.max": "128", "memory.max": "500", "memory.oom.group": "1", "cgroup.procs": "7"}
    for frozen in (True, False):
        group.freeze(frozen)
        assert (folder / "cgroup.freeze").read_text() == str(int(frozen))
    (folder / "cpu.stat").write_text("usage_usec 1500000\nuser_usec 1\n")
    assert group.processor_seconds() == 1.5
    for killed in (0, 2):
        (folder / "memory.events").write_text(f"low 0\noom 3\noom_kill {killed}\noom_group_kill 0\n")
        assert group.ran_out_of_memory() == (killed > 0)
