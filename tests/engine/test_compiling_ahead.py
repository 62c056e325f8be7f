"""The first compilation by two processes: one at a time compiles a function, and nobody waits in vain."""

from __future__ import annotations

import os
import subprocess
import sys
import threading
import time
from pathlib import Path
from typing import Any

import pytest

from holdem_env.compiled import ahead
from holdem_env.compiled.tricks import uses

pytestmark = pytest.mark.stands_on(
    "holdem_env/cards", "holdem_env/compiled", "holdem_env/encoders", "holdem_env/engine", "holdem_env/game"
)


class Other:
    """Stands for the other process."""

    def __init__(self, has_ended: bool) -> None:
        self.has_ended = has_ended

    def poll(self) -> int | None:
        return 0 if self.has_ended else None


@pytest.fixture
def begun(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr(ahead, "_folder", tmp_path)
    monkeypatch.setattr(ahead, "_other", Other(has_ended=False))
    return tmp_path


def test_one_at_a_time_compiles_a_function(begun: Path) -> None:
    mark = begun / "f.compiling"
    mark.touch()
    assert ahead.is_taken("f")
    threading.Timer(0.1, mark.unlink).start()
    before = time.monotonic()
    with ahead.alone("f"):
        assert time.monotonic() - before >= 0.09
        assert mark.exists()
        assert not ahead.is_taken("g")
    assert not ahead.is_taken("f")


@pytest.mark.parametrize("change", ["it ends", "it takes too long"])
def test_nobody_waits_in_vain(begun: Path, monkeypatch: pytest.MonkeyPatch, change: str) -> None:
    (begun / "f.compiling").touch()
    if change == "it ends":
        monkeypatch.setattr(ahead, "_other", Other(has_ended=True))
    else:
        monkeypatch.setattr(ahead, "LONGEST", 0.01)
    before = time.monotonic()
    with ahead.alone("f"):
        pass
    assert time.monotonic() - before < 1
    assert (begun / "f.compiling").exists()  # it is somebody else's


@pytest.mark.parametrize("reason", ["one processor", "this is the other process", "no process may be started"])
def test_where_this_process_compiles_alone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, reason: str) -> None:
    started: list[Any] = []

    def popen(*given: Any, **more: Any) -> Other:
        started.append(given)
        raise PermissionError

    folder = tmp_path if reason == "this is the other process" else None
    monkeypatch.setattr(ahead, "_folder", folder)
    monkeypatch.setattr(ahead, "_other", None)
    monkeypatch.setattr(ahead.subprocess, "Popen", popen)
    monkeypatch.setattr(ahead, "_processors", lambda: 1 if reason == "one processor" else 2)
    ahead.begin_ahead(tmp_path)
    assert len(started) == (reason == "no process may be started")
    assert ahead._folder == folder
    assert ahead._other is None


@pytest.mark.slow
@pytest.mark.skipif(not uses("noinline"), reason="without the trick, kernels hold all that they call")
def test_an_empty_cache_is_filled_by_two(tmp_path: Path) -> None:
    program = (
        "from holdem_env.compiled import ahead\n"
        "ahead._processors = lambda: 2\n"
        "from holdem_env import Table\n"
        "table = Table('heads-up-no-limit', seed=1)\n"
        "while not table.is_over: table.play(0)\n"
        "print(sum(table.payoffs), ahead._other.wait())\n"
    )
    settings = {**os.environ, "HOLDEM_CACHE_DIR": str(tmp_path)}
    for said in ("0 0", "AttributeError"):  # the second time nothing is compiled, and nobody else is asked
        done = subprocess.run(
            [sys.executable, "-c", program], env=settings, capture_output=True, text=True, timeout=300
        )
        assert said in done.stdout + done.stderr
    assert not list(tmp_path.rglob("*.compiling"))
