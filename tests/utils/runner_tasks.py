"""What the tests let workers do: workers import this module."""

from __future__ import annotations

import os
import signal
import threading
from pathlib import Path

from holdem_agents.runs.interrupts import Interrupts
from holdem_env.arena.tournaments.shards import exits_raise

FOREVER = 60.0


class Odd(Exception):
    """An error that cannot be unpickled."""

    def __init__(self, one: int, two: int) -> None:
        super().__init__(f"{one} and {two}")


def double(number: int) -> int:
    return 2 * number


def raise_at_2(number: int) -> int:
    if number == 2:
        raise ValueError("two is too many")
    return number


def misbehave(number: int) -> int:
    """1 raises what cannot be sent, 2 raises, 3 is killed; others give their number and their process."""
    if number == 1:
        raise Odd(number, number)
    if number == 3:
        os.kill(os.getpid(), signal.SIGKILL)
    return raise_at_2(number)


def threads_and_pid(number: int) -> tuple[str, int]:
    return os.environ["OMP_NUM_THREADS"], os.getpid()


def torch_threads(number: int) -> int:
    import torch

    return torch.get_num_threads()


def be_killed_the_first_time(place: Path) -> str:
    if not place.exists():
        place.touch()
        os.kill(os.getpid(), signal.SIGKILL)
    return "done"


def train_until_asked(place: Path) -> str:
    """Stands for training: it ends in order when it is asked to."""
    with Interrupts() as interrupts:
        (place.parent / f"{place.name}-begun").touch()
        for _ in range(600):
            if interrupts.asked:
                return "ended in order"
            threading.Event().wait(0.1)
    return "nobody asked"


def note_pid_and_wait(path: Path) -> None:
    path.with_suffix(".new").write_text(str(os.getpid()))
    path.with_suffix(".new").rename(path)
    threading.Event().wait(FOREVER)


def note_pid_and_wait_guarded(path: Path) -> None:
    """As where agents play in this process, whose exits are no ends."""
    with exits_raise():
        note_pid_and_wait(path)
