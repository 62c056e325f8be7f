"""What the tests let workers do: workers import this module."""

from __future__ import annotations

import os
import signal
import time
from pathlib import Path

from holdem_agents.training.interrupts import Interrupts


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


def raise_oddly(number: int) -> int:
    raise Odd(number, number)


def be_killed_at_2(number: int) -> int:
    if number == 2:
        os.kill(os.getpid(), signal.SIGKILL)
    time.sleep(0.3)
    return number


def threads_and_pid(number: int) -> tuple[int, int]:
    import torch

    return torch.get_num_threads(), os.getpid()


def train_until_asked(place: Path) -> str:
    """Stands for training: it ends in order when it is asked to."""
    with Interrupts() as interrupts:
        (place.parent / f"{place.name}-begun").touch()
        for _ in range(600):
            if interrupts.asked:
                return "ended in order"
            time.sleep(0.1)
    return "nobody asked"


def note_pid_and_sleep(path: Path) -> None:
    path.write_text(str(os.getpid()))
    time.sleep(600)
