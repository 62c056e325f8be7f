"""Independent tasks in this process, in processes and on Ray: results, errors, killed workers, ctrl-C."""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from holdem_agents.parallel.processes import ProcessPlace
from holdem_agents.parallel.runner import Runner, WorkerLost, runner
from holdem_agents.training.interrupts import Interrupts
from holdem_env.arena.tournaments import ray_cluster
from parallel import tasks


def outcome_of(run: Runner, function: Callable[..., object], given: list[object]) -> tuple[dict, dict, bool]:
    done: dict[int, object] = {}
    failed: dict[int, Exception] = {}
    is_whole = run.run(function, given, done.__setitem__, failed.__setitem__)
    return done, failed, is_whole


def is_alive(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    return "Z" not in Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0]


def wait_for(condition: Callable[[], bool], seconds: float = 60.0) -> None:
    end = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < end
        time.sleep(0.05)


@pytest.mark.parametrize("jobs", [1, 2])
def test_every_task_is_run(jobs: int) -> None:
    assert outcome_of(runner(jobs), tasks.double, [5, 6, 7]) == ({0: 10, 1: 12, 2: 14}, {}, True)


@pytest.mark.parametrize("jobs", [1, 2])
def test_a_task_that_raises_does_not_disturb_the_others(jobs: int) -> None:
    done, failed, is_whole = outcome_of(runner(jobs), tasks.raise_at_2, [1, 2, 3])
    assert done == {0: 1, 2: 3}
    assert is_whole
    assert isinstance(failed[1], ValueError)
    assert str(failed[1]) == "two is too many"
    assert "raise_at_2" in failed[1].__notes__[0]


def test_without_failed_the_error_is_raised() -> None:
    with pytest.raises(ValueError, match="two is too many"):
        runner().run(tasks.raise_at_2, [1, 2, 3], lambda index, result: None)


def test_an_error_that_cannot_be_sent_comes_as_text() -> None:
    _, failed, _ = outcome_of(runner(2), tasks.raise_oddly, [4])
    assert str(failed[0]) == "Odd: 4 and 4"


def test_a_killed_worker_is_reported_and_the_others_go_on() -> None:
    done, failed, is_whole = outcome_of(runner(2), tasks.be_killed_at_2, [1, 2, 3])
    assert done == {0: 1, 2: 3}
    assert is_whole
    assert isinstance(failed[1], WorkerLost)
    assert failed[1].index == 1
    assert str(failed[1]) == "worker 1 was lost: killed by signal 9"


def test_each_task_has_a_process_with_one_thread() -> None:
    done, _, _ = outcome_of(runner(2), tasks.threads_and_pid, [0, 1])
    assert [threads for threads, _ in done.values()] == [1, 1]
    assert len({os.getpid(), *(pid for _, pid in done.values())}) == 3


def test_ctrl_c_lets_training_end_in_order_and_begins_nothing_else(tmp_path: Path) -> None:
    def press() -> None:
        wait_for(lambda: len(list(tmp_path.glob("*-begun"))) == 2)
        os.kill(os.getpid(), signal.SIGINT)

    threading.Thread(target=press).start()
    done, failed, is_whole = outcome_of(runner(2), tasks.train_until_asked, [tmp_path / name for name in "abc"])
    assert done == {0: "ended in order", 1: "ended in order"}
    assert not failed
    assert not is_whole
    assert not (tmp_path / "c-begun").exists()


def test_ctrl_c_in_this_process_begins_nothing_else(tmp_path: Path) -> None:
    def press() -> None:
        wait_for((tmp_path / "a-begun").exists)
        os.kill(os.getpid(), signal.SIGINT)

    threading.Thread(target=press).start()
    done, _, is_whole = outcome_of(runner(1), tasks.train_until_asked, [tmp_path / name for name in "ab"])
    assert done == {0: "ended in order"}
    assert not is_whole


def test_a_second_ctrl_c_kills_the_workers(tmp_path: Path) -> None:
    path = tmp_path / "pid"

    def press() -> None:
        wait_for(lambda: path.exists() and bool(path.read_text()))
        Interrupts.ask_all()
        os.kill(os.getpid(), signal.SIGINT)

    threading.Thread(target=press).start()
    with pytest.raises(KeyboardInterrupt):
        runner(2).run(tasks.note_pid_and_sleep, [path], lambda index, result: None)
    wait_for(lambda: not is_alive(int(path.read_text())))


def test_workers_end_with_the_process_that_started_them(tmp_path: Path) -> None:
    """Even if it is killed and can tell them nothing."""
    path = tmp_path / "pid"
    program = tmp_path / "program.py"
    program.write_text(
        f"import sys\nsys.path.insert(0, {str(Path(tasks.__file__).parents[1])!r})\n"
        "from pathlib import Path\nfrom parallel import tasks\nfrom holdem_agents.parallel.runner import runner\n"
        f"if __name__ == '__main__':\n    runner(2).run(tasks.note_pid_and_sleep, [Path({str(path)!r})], print)\n"
    )
    parent = subprocess.Popen([sys.executable, str(program)])
    try:
        wait_for(lambda: path.exists() and bool(path.read_text()))
    finally:
        parent.kill()
        parent.wait()
    wait_for(lambda: not is_alive(int(path.read_text())))


def test_a_worker_keeps_its_object_between_calls() -> None:
    with ProcessPlace(1) as place:
        worker = place.start(list, "ab")
        for method, arguments in (("append", ("c",)), ("__len__", ())):
            worker.begin(method, *arguments)
            assert place.wait([worker], 60.0) == [worker]
            answer = worker.answer()
        assert answer == 3
        assert not place.wait([worker], 0.0)


@pytest.mark.parametrize("jobs", [0, -2])
def test_a_number_of_jobs_that_is_none(jobs: int) -> None:
    with pytest.raises(ValueError, match=f"jobs: {jobs}; give a whole number from 1 on"):
        runner(jobs)


@pytest.fixture
def deaf_server() -> Iterator[int]:
    """The port of a server that accepts connections and says nothing."""
    with socket.create_server(("127.0.0.1", 0)) as server:
        yield server.getsockname()[1]


@pytest.mark.parametrize(
    ("address", "words"),
    [
        ("127.0.0.1:1", "there is no Ray cluster at '127.0.0.1:1': .*refused"),
        ("ray://127.0.0.1:1", "there is no Ray cluster at 'ray://127.0.0.1:1': .*refused"),
        ("nowhere", "'nowhere' is no address of a Ray cluster: give auto, local, HOST:PORT"),
        ("127.0.0.1:70000000000", "there is no Ray cluster"),
    ],
)
def test_an_address_that_does_not_answer_is_named_at_once(address: str, words: str) -> None:
    pytest.importorskip("ray")
    begun = time.monotonic()
    with pytest.raises(ConnectionError, match=words):
        runner(ray=address).run(tasks.double, [1], lambda index, result: None)
    assert time.monotonic() - begun < 15


def test_what_answers_may_be_something_else(deaf_server: int, monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("ray")
    monkeypatch.setattr(ray_cluster, "SECONDS_TO_ANSWER", 1.0)
    begun = time.monotonic()
    with pytest.raises(ConnectionError, match="is no Ray cluster"):
        runner(ray=f"127.0.0.1:{deaf_server}").run(tasks.double, [1], lambda index, result: None)
    assert time.monotonic() - begun < 15


def test_ray_that_is_not_installed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "ray", None)
    with pytest.raises(ModuleNotFoundError, match=r"needs the package 'ray'; install it with: pip install .*\[ray\]"):
        runner(ray="auto").run(tasks.double, [1], lambda index, result: None)
