"""Independent tasks in this process and in others: outcomes, errors, killed workers, ctrl-C. On Ray: test_on_ray.py."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import Future
from pathlib import Path
from typing import Any

import pytest

from errors import complaint, mentions
from holdem_agents.runs.interrupts import Interrupts
from holdem_env.utils.runner import (
    LATER,
    Interrupted,
    Outcome,
    Runner,
    WorkerLost,
    in_order,
    number_of_workers,
    scheduling,
)
from holdem_env.utils.runner.outcomes import answer_of
from processes import default_handler, is_running, wait_until  # noqa: F401 - a fixture
from utils import runner_tasks as tasks


@pytest.fixture(scope="module")
def two_processes() -> Iterator[Runner]:
    with Runner(2) as runner:
        yield runner


def by_task(outcomes: Iterator[Outcome[Any]]) -> dict[Any, Any]:
    return {each.task: each.value if each.error is None else each.error for each in outcomes}


def press_when(condition: Callable[[], bool]) -> None:
    """Ctrl-C as soon as this is so."""

    def press() -> None:
        wait_until(condition)
        os.kill(os.getpid(), signal.SIGINT)

    threading.Thread(target=press, daemon=True).start()


def interrupted(outcomes: Iterator[Outcome[Any]]) -> dict[Any, Any]:
    """Outcomes until Interrupted, which must come."""
    found: dict[Any, Any] = {}
    complaint(found.update, ((each.task, each.result()) for each in outcomes), kind=Interrupted)
    return found


def test_in_this_process_tasks_run_one_after_the_other() -> None:
    with Runner() as runner:
        done = list(runner.run(tasks.raise_at_2, [1, 2, 3]))
    assert [(each.index, each.value) for each in done] == [(0, 1), (1, None), (2, 3)]
    mentions(complaint(done[1].result), "two is too many")


def test_a_task_that_raises_or_is_killed_does_not_disturb_the_others(two_processes: Runner) -> None:
    found = by_task(two_processes.run(tasks.misbehave, [1, 2, 3, 4, 5, 6]))
    assert [found[each] for each in (4, 5, 6)] == [4, 5, 6]
    assert str(found[1]) == "Odd: 1 and 1"
    assert isinstance(found[2], ValueError)
    assert "raise_at_2" in found[2].__notes__[0]
    assert isinstance(found[3], WorkerLost)
    assert str(found[3]) == "worker 2 was lost: killed by signal 9"


def test_workers_have_one_thread_and_are_used_again(two_processes: Runner) -> None:
    runs = [by_task(two_processes.run(tasks.threads_and_pid, range(3))).values() for _ in range(2)]
    answers = [answer for run in runs for answer in run]
    assert {threads for threads, _ in answers} == {"1"}
    pids = {pid for _, pid in answers}
    assert os.getpid() not in pids
    assert len(pids) <= 2


def test_a_worker_that_is_lost_between_two_runs_is_replaced(two_processes: Runner) -> None:
    for _, pid in by_task(two_processes.run(tasks.threads_and_pid, range(2))).values():
        os.kill(pid, signal.SIGKILL)
        wait_until(lambda pid=pid: not is_running(pid))  # type: ignore[misc]
    assert by_task(two_processes.run(tasks.double, [5, 6], retries=1)) == {5: 10, 6: 12}


def test_a_task_whose_worker_is_lost_may_begin_again(two_processes: Runner, tmp_path: Path) -> None:
    assert by_task(two_processes.run(tasks.be_killed_the_first_time, [tmp_path / "a"], retries=1)) == {
        tmp_path / "a": "done"
    }


def test_a_task_that_cannot_be_sent_is_an_outcome(two_processes: Runner) -> None:
    lock: Any = threading.Lock()
    [one, two] = in_order(two_processes.run(tasks.double, [lock, 2]))
    assert isinstance(one.error, Exception)
    assert two.value == 4


def test_tasks_may_react_to_outcomes_which_come_in_order(two_processes: Runner) -> None:
    seen: list[int] = []

    def given() -> Iterator[int]:
        while len(seen) < 4:
            yield len(seen)

    for outcome in in_order(two_processes.run(tasks.double, given())):
        assert outcome.index == len(seen)
        seen.append(outcome.result())
    assert len(seen) >= 4


@pytest.mark.parametrize("jobs", [1, 2])
def test_tasks_may_come_later(jobs: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(scheduling, "LOOK_EVERY", 0.01)
    with Runner(jobs) as runner:
        found = list(in_order(runner.run(tasks.double, [LATER, 1, LATER, LATER, 2, 3, LATER])))
    assert [(each.index, each.result()) for each in found] == [(0, 2), (1, 4), (2, 6)]


@pytest.mark.fast_cases(1)
@pytest.mark.parametrize("jobs", [1, 2])
def test_ctrl_c_lets_training_end_in_order_and_begins_nothing_else(jobs: int, tmp_path: Path) -> None:
    press_when(lambda: len(list(tmp_path.glob("*-begun"))) == jobs)
    with Runner(jobs, interrupts=Interrupts) as runner:
        places = [tmp_path / name for name in "abc"]
        assert interrupted(runner.run(tasks.train_until_asked, places)) == dict.fromkeys(
            places[:jobs], "ended in order"
        )
    assert len(list(tmp_path.iterdir())) == jobs


@pytest.mark.parametrize("hears", [True, False])
def test_a_last_ctrl_c_kills_the_workers(hears: bool, tmp_path: Path) -> None:
    """The second one where tasks hear the first, otherwise the first."""
    path = tmp_path / "pid"

    def press() -> None:
        wait_until(path.exists)
        if hears:
            Interrupts.ask_all()
        os.kill(os.getpid(), signal.SIGINT)

    threading.Thread(target=press, daemon=True).start()
    with pytest.raises(KeyboardInterrupt), Runner(2, interrupts=Interrupts if hears else None) as runner:
        list(runner.run(tasks.note_pid_and_wait, [path]))
    wait_until(lambda: not is_running(int(path.read_text())))


@pytest.mark.slow
@pytest.mark.parametrize("task", ["note_pid_and_wait", "note_pid_and_wait_guarded"])
def test_workers_end_with_the_process_that_started_them(tmp_path: Path, task: str) -> None:
    """Even if it is killed and can tell them nothing; a script needs no `if __name__ == "__main__"`."""
    path = tmp_path / "pid"
    program = tmp_path / "program.py"
    program.write_text(
        f"import sys\nsys.path.insert(0, {str(Path(tasks.__file__).parents[1])!r})\n"
        "from pathlib import Path\nfrom utils import runner_tasks\nfrom holdem_env.utils.runner import Runner\n"
        f"list(Runner(2).run(runner_tasks.{task}, [Path({str(path)!r})]))\n"
    )
    parent = subprocess.Popen([sys.executable, str(program)])
    try:
        wait_until(path.exists)
    finally:
        parent.kill()
        parent.wait()
    wait_until(lambda: not is_running(int(path.read_text())))


def test_a_number_of_jobs_that_is_none(monkeypatch: pytest.MonkeyPatch) -> None:
    for jobs in (0, -2):
        assert re.search(f"jobs: {jobs}; give a whole number from 1 on", complaint(Runner, jobs))
    assert number_of_workers(-1) >= 1
    monkeypatch.setitem(sys.modules, "loky", None)  # threads share the processors without it, too
    assert number_of_workers(-1) == len(os.sched_getaffinity(0))


@pytest.mark.parametrize(
    ("address", "words"),
    [
        ("127.0.0.1:1", "there is no Ray cluster at '127.0.0.1:1': .*refused"),
        ("ray://127.0.0.1:1", "there is no Ray cluster at 'ray://127.0.0.1:1': .*refused"),
        ("nowhere", "'nowhere' is no address of a Ray cluster: give auto, local, HOST:PORT"),
        ("127.0.0.1:70000000000", "there is no Ray cluster"),
    ],
)
def test_an_address_that_does_not_answer_is_named(address: str, words: str) -> None:
    pytest.importorskip("ray")
    assert re.search(words, complaint(Runner, ray=address, kind=ConnectionError))


class Machine:
    """A worker of a cluster that has run out of processors (`has_room=False`), or works at once."""

    lost = ChildProcessError

    def __init__(self, has_room: bool) -> None:
        self.has_room = has_room

    def submit(self, function: Callable[[Any], Any], task: Any) -> Future[Any]:
        future: Future[Any] = Future()
        if self.has_room:
            future.set_result(answer_of(function, task))
        return future

    def is_waiting(self) -> bool:
        return not self.has_room

    def close(self) -> None:
        pass


class Shrinking:
    """A cluster that says it has two processors, and has one; later it knows."""

    def __init__(self) -> None:
        self.started, self.asked = 0, 0

    def start(self, interrupts: object) -> Machine:
        self.started += 1
        return Machine(has_room=self.started == 1)

    def room(self) -> int:
        self.asked += 1
        return 2 if self.asked == 1 else 1

    def close(self) -> None:
        pass


def test_a_task_does_not_wait_for_a_machine_that_is_gone() -> None:
    runner = Runner()
    runner._backend = Shrinking()  # type: ignore[assignment]
    assert by_task(runner.run(tasks.double, range(4))) == {task: 2 * task for task in range(4)}
