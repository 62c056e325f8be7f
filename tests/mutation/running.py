"""Running the tests against mutants: a pytest plugin that collects once and forks for each mutant.

The engine runs as plain Python, where a decorated function is an ordinary one: the child gives it the code of the
mutant, which all its importers then call. Nothing is written to the tree, and nothing is compiled.
"""

from __future__ import annotations

import ast
import gc
import hashlib
import importlib
import os
import pickle
import resource
import signal
import sys
import tempfile
import time
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable
from pathlib import Path
from types import CodeType, FrameType
from typing import IO, Any, NamedTuple, TypeGuard

import pytest
from hypothesis import Phase, settings

from ..processor_time import processor_seconds
from .mutants import ENGINE, Mutant

Line = tuple[str, int]
# A test that takes this many times longer than without a mutant, and this many seconds more, is in an endless loop.
TIMES, SECONDS = 2, 1.0
# Tests that take together this many seconds more than twice what they do without a mutant are too slow.
SECONDS_OF_ALL = 20
MEMORY = 4 << 30
# So many seconds of a test tell which lines it runs.
TRACED = 2.0


class Known(NamedTuple):
    """What a test does without a mutant."""

    seconds: float
    """Of processor time."""
    lines: frozenset[Line]
    """Of the engine: those that it runs."""


class Limits(NamedTuple):
    """Of processor time, in seconds."""

    all: float
    """For all mutants, after which no further one is tried; what the tests take without a mutant is not counted."""
    each: float
    """For each mutant: tests that take so long together without it."""
    test: float
    """Tests that take longer are left out."""


class Result(NamedTuple):
    """What became of a mutant."""

    mutant: Mutant
    killer: str | None
    """The test that failed; "" for a crash outside of any; None: it survived."""
    tests: int
    """How many tests run its lines."""


class MutationRun:
    """The plugin: in place of pytest's loop over the tests, one over the mutants."""

    def __init__(
        self, mutants: Iterable[Mutant], limits: Limits, keep: Path | None, report: Callable[[Result], None]
    ) -> None:
        """keep: a file that keeps what tests do without a mutant, as long as neither their file nor the library
        changes."""
        self.mutants, self.limits, self.keep, self.report = list(mutants), limits, keep, report
        self.results: list[Result] = []
        self.failed: list[str] = []
        self._kills: Counter[tuple[str, str]] = Counter()
        self._has_stopped = False
        self._in_child: IO[bytes] | None = None

    @pytest.hookimpl(tryfirst=True)
    def pytest_collection(self) -> None:
        """A failing example is not made smaller, and the same ones come each time."""
        phases = (Phase.explicit, Phase.generate)
        settings.register_profile("mutants", deadline=None, derandomize=True, database=None, phases=phases)
        settings.load_profile("mutants")

    def pytest_runtestloop(self, session: pytest.Session) -> bool:
        """All mutants, until the time is up."""
        if session.testsfailed:
            raise session.Interrupted("the tests could not be collected")
        known = self._without_mutants(session.items)
        items = [item for item in session.items if item.nodeid in known]
        signal.signal(signal.SIGTERM, self._stop)
        gc.freeze()  # the children would else copy all memory as soon as they look for garbage
        end = processor_seconds() + self.limits.all
        for mutant in self.mutants:
            if self.failed or self._has_stopped or processor_seconds() > end:
                break
            result = self._try(mutant, items, known)
            if result.killer:
                self._kills[mutant.file, result.killer] += 1
                self._kills[mutant.function, result.killer] += 10
            self.results.append(result)
            self.report(result)
        return True

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """In a child: the first failure is all that its parent wants to know."""
        if self._in_child is not None and report.failed:
            self._end_child(report.nodeid)

    def _stop(self, *_: object) -> None:
        """Ended from outside: what was found so far is printed."""
        self._has_stopped = True

    def _without_mutants(self, items: list[pytest.Item]) -> dict[str, Known]:
        """What each test that is quick enough does without a mutant."""
        kept: dict[tuple[str, str], Known] = {}
        if self.keep is not None and self.keep.exists():
            kept = pickle.loads(self.keep.read_bytes())
        library = digest_of(ENGINE.parent)
        keys = {item: (item.nodeid, library + digest_of(item.path)) for item in items}
        found = self._fork(lambda: self._learn([item for item in items if keys[item] not in kept]))
        if not isinstance(found, dict):
            self.failed.append(found if isinstance(found, str) and found else "a test without a mutant")
            return {}
        kept |= {keys[item]: found[item.nodeid] for item in items if item.nodeid in found}
        if self.keep is not None:
            self.keep.write_bytes(pickle.dumps(kept))
        return {item.nodeid: kept[keys[item]] for item in items if kept[keys[item]].seconds <= self.limits.test}

    def _learn(self, items: list[pytest.Item]) -> dict[str, Known]:
        """What tests do. This happens in a child, because tests leave things behind."""
        known = {}
        for item in items:
            tracer, start = LineTracer(), time.process_time()
            signal.signal(signal.SIGPROF, lambda *_, tracer=tracer: self._is_long(tracer))
            signal.setitimer(signal.ITIMER_PROF, TRACED)
            sys.settrace(tracer)
            item.config.hook.pytest_runtest_protocol(item=item, nextitem=None)
            sys.settrace(None)
            signal.setitimer(signal.ITIMER_PROF, 0)
            known[item.nodeid] = Known(time.process_time() - start, tracer.lines)
        return known

    def _is_long(self, tracer: LineTracer) -> None:
        """Trace no further; the second time the test is too slow to be used."""
        sys.settrace(None)
        if tracer.has_stopped:
            pytest.skip("too slow as plain Python")
        tracer.has_stopped = True
        signal.setitimer(signal.ITIMER_PROF, self.limits.test)

    def _try(self, mutant: Mutant, items: list[pytest.Item], known: dict[str, Known]) -> Result:
        chosen = self._tests_for(mutant, items, known)
        following = [*chosen[1:], None]

        def run() -> None:
            together = SECONDS_OF_ALL + int(TIMES * sum(known[item.nodeid].seconds for item in chosen))
            resource.setrlimit(resource.RLIMIT_CPU, (together, together))
            put_in_place(mutant)
            for item, after in zip(chosen, following, strict=True):
                signal.setitimer(signal.ITIMER_PROF, SECONDS + TIMES * known[item.nodeid].seconds)
                item.config.hook.pytest_runtest_protocol(item=item, nextitem=after)

        killer = self._fork(run) if chosen else None
        assert killer is None or isinstance(killer, str)
        return Result(mutant, killer, len(chosen))

    def _tests_for(self, mutant: Mutant, items: list[pytest.Item], known: dict[str, Known]) -> list[pytest.Item]:
        """The tests that run the mutant's lines: first those that killed others of its function or file, for the time
        they take, then the quickest of each file of tests, then the second of each, and so on."""
        places = {(mutant.file, line) for line in mutant.lines}
        if calls_at_import(mutant.file, mutant.function):  # before any test: what it made may be used anywhere there
            places = {place for seen in known.values() for place in seen.lines if place[0] == mutant.file}
        chosen = [item for item in items if places & known[item.nodeid].lines]
        chosen.sort(key=lambda item: known[item.nodeid].seconds)
        before: Counter[Path] = Counter()
        order = {}
        for item in chosen:
            kills = self._kills[mutant.function, item.nodeid] + self._kills[mutant.file, item.nodeid]
            order[item] = -kills / (0.01 + known[item.nodeid].seconds), before[item.path]
            before[item.path] += 1
        left, fitting = self.limits.each, []
        for item in sorted(chosen, key=order.__getitem__):
            if known[item.nodeid].seconds <= left:
                fitting.append(item)
                left -= known[item.nodeid].seconds
        return fitting

    def _fork(self, work: Callable[[], object]) -> object:
        """Do the work in a child. Returns what it returns, or the name of a test that failed, or "" if it crashed."""
        with tempfile.TemporaryFile() as answer:
            child = os.fork()
            if child == 0:
                self._in_child = answer
                try:
                    signal.signal(signal.SIGTERM, signal.SIG_DFL)
                    quiet = os.open(os.devnull, os.O_WRONLY)
                    os.dup2(quiet, 1)
                    os.dup2(quiet, 2)
                    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
                    self._end_child(work())
                finally:
                    os._exit(1)
            _, status = os.waitpid(child, 0)
            answer.seek(0)
            return pickle.load(answer) if status == 0 else ""

    def _end_child(self, answer: object) -> None:
        assert self._in_child is not None
        pickle.dump(answer, self._in_child)
        self._in_child.flush()
        os._exit(0)


# By id: the hash of a code object is that of all it contains. Objects that are held here keep their id.
_lines: dict[int, tuple[CodeType, frozenset[int]]] = {}


def lines_of(code: CodeType) -> frozenset[int]:
    """The lines of a function of the engine; none of other functions."""
    found = _lines.get(id(code))
    if found is None:
        here = Path(code.co_filename).parent == ENGINE
        lines = {line for _, _, line in code.co_lines() if line not in (None, code.co_firstlineno)} if here else ()
        found = _lines[id(code)] = code, frozenset(lines)
    return found[1]


class LineTracer:
    """Which lines of the engine run. A function all of whose lines have run is no longer traced."""

    def __init__(self) -> None:
        self.has_stopped = False
        self._left: dict[int, set[int]] = {}

    @property
    def lines(self) -> frozenset[Line]:
        """What has run so far."""
        found: set[Line] = set()
        for key, left in self._left.items():
            code, lines = _lines[key]
            found |= {(os.path.basename(code.co_filename), line) for line in lines - left}
        return frozenset(found)

    def __call__(self, frame: FrameType, event: str, _: Any) -> Any:
        code = frame.f_code
        if self.has_stopped or not lines_of(code):
            return None
        left = self._left.get(id(code))
        if left is None:
            left = self._left[id(code)] = set(lines_of(code))
        if not left:
            return None

        def local(frame: FrameType, event: str, _: Any) -> Any:
            left.discard(frame.f_lineno)
            return local if left and not self.has_stopped else None

        return local


def put_in_place(mutant: Mutant) -> None:
    """Give the function the mutant's code, and recompute what its module computes with it on import."""
    module = importlib.import_module(f"holdem_env.engine.{Path(mutant.file).stem}")
    owner: Any = module
    *classes, name = mutant.function.split(".")
    for part in classes:
        owner = getattr(owner, part)
    getattr(owner, name).__code__ = mutant.code
    for statement in calls_at_import(mutant.file, name):
        exec(compile(ast.Module([statement], []), mutant.file, "exec"), vars(module))


def calls_at_import(file: str, function: str) -> list[ast.stmt]:
    """The assignments of a module that call one of its functions."""
    found: list[ast.stmt] = []
    for statement in ast.parse((ENGINE / file).read_text()).body:
        called = {node.func.id for node in ast.walk(statement) if isinstance(node, ast.Call) and _is_name(node.func)}
        if isinstance(statement, ast.Assign) and function in called:
            found.append(statement)
    return found


def _is_name(node: ast.expr) -> TypeGuard[ast.Name]:
    return isinstance(node, ast.Name)


def digest_of(path: Path) -> str:
    """Of a file, or of the Python files of a folder."""
    digest = hashlib.sha256()
    for file in sorted(path.rglob("*.py")) if path.is_dir() else [path]:
        digest.update(f"{file}\n".encode() + file.read_bytes())
    return digest.hexdigest()


def by_file(results: Iterable[Result]) -> dict[str, list[Result]]:
    """The results, file by file."""
    found: defaultdict[str, list[Result]] = defaultdict(list)
    for result in results:
        found[result.mutant.file].append(result)
    return dict(sorted(found.items()))
