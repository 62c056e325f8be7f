"""The cache of machine code: an edit in any module is noticed, nothing is compiled twice, a read-only place is
reported.

Each test runs processes of its own on a copy of the package, to which two small modules are added: a kernel, and a
helper of it in another file. Numba's own cache would go on with the old helper.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import holdem_env
from holdem_env.compiled.sources import imported_modules

pytestmark = pytest.mark.stands_on(
    "holdem_env/cards", "holdem_env/compiled", "holdem_env/encoders", "holdem_env/engine", "holdem_env/game"
)

HELPER = """
from ..compiled.compiler import inline

@inline
def answer(x):
    return x + 1
"""
KERNEL = """
from ..compiled.compiler import kernel
from .toy_helper import answer

@kernel
def ask(numbers):
    return answer(numbers[0])
"""
ASK = """
import sys
import numpy as np
from numba.core import event
with event.install_recorder("numba:compile") as compilations:
    import holdem_env
    from {module} import ask
    print(ask(np.array([41])), len(compilations.buffer), sum(ask.stats.cache_hits.values()))
assert holdem_env.__file__.startswith(sys.argv[1])
"""
SCRIPT = ASK.format(module="holdem_env.engine.toy_kernel")


class Copy:
    """A copy of the package in which files may be edited and which keeps its machine code to itself."""

    def __init__(self, folder: Path) -> None:
        self.folder, self.cache = folder, folder / "cache"
        package = Path(holdem_env.__file__).parent
        shutil.copytree(package, folder / "holdem_env", ignore=shutil.ignore_patterns("__pycache__"))
        self.helper = folder / "holdem_env" / "engine" / "toy_helper.py"
        self.helper.write_text(HELPER)
        self.helper.with_name("toy_kernel.py").write_text(KERNEL)

    def run(self, script: str = SCRIPT, **environment: str) -> subprocess.CompletedProcess[str]:
        """Run a script in a fresh process."""
        kept = {name: value for name, value in os.environ.items() if not name.startswith(("NUMBA_", "PYTHONWARN"))}
        kept |= {"PYTHONPATH": str(self.folder), "HOLDEM_CACHE_DIR": str(self.cache), **environment}
        kept["PYTHONDONTWRITEBYTECODE"] = "1"  # Python does not see an edit of the same second and length
        command = [sys.executable, "-c", script, str(self.folder)]
        done = subprocess.run(command, env=kept, cwd=self.folder, capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stderr
        return done

    def answer(self, script: str = SCRIPT, **environment: str) -> tuple[int, bool, bool]:
        """What the kernel says, whether anything was compiled, and whether it came from the cache."""
        number, compilations, hits = self.run(script, **environment).stdout.split()
        return int(number), int(compilations) > 0, int(hits) > 0


@pytest.fixture
def package(tmp_path):
    return Copy(tmp_path)


def test_an_edit_in_another_module_is_noticed_and_nothing_is_compiled_twice(package):
    first = package.run()
    number, compilations, hits = map(int, first.stdout.split())
    assert (number, compilations > 0, hits) == (42, True, 0)
    assert first.stderr.count("this once") == 1
    again = package.run()
    assert (again.stdout.split()[:2], again.stderr) == (["42", "0"], "")
    package.helper.write_text(HELPER.replace("x + 1", "x + 2"))
    assert package.answer() == (43, True, False)
    package.helper.write_text(HELPER)
    assert package.answer() == (42, False, True)  # the machine code of these sources is still there


def test_a_place_that_cannot_be_written_is_reported_and_does_no_harm(package):
    package.cache.write_text("a file, not a folder: nobody can write into it, whatever the user's rights")
    done = package.run()
    assert done.stdout.split()[0] == "42"
    assert "CompileCacheWarning" in done.stderr
    assert str(package.cache) in done.stderr
    assert "HOLDEM_CACHE_DIR" in done.stderr
    assert done.stderr.count("cannot be written") == 1


@pytest.mark.slow
@pytest.mark.parametrize("kind", ["nbi", "nbc"])
@pytest.mark.parametrize("kept", [1 / 2, 0])
def test_a_broken_file_is_compiled_again(package, kind, kept):
    assert package.answer() == (42, True, False)
    files = [*package.cache.rglob(f"*ask*.{kind}"), *package.cache.rglob(f"*answer*.{kind}")]
    assert files
    for file in files:
        whole = file.read_bytes()
        file.write_bytes(whole[: int(len(whole) * kept)])
    assert package.answer() == (42, True, False)
    assert package.answer() == (42, False, True)


def test_two_processes_that_compile_one_function_for_other_types_at_once_keep_both_codes_apart(tmp_path, monkeypatch):
    from holdem_env.compiled.insides.sturdy_cache import FilesBySignature

    one, other = (FilesBySignature(str(tmp_path), "module.f-1.py311", (1.0, 2)) for _ in range(2))
    one.save(("floats",), "code for floats")
    monkeypatch.setattr(other, "_load_index", dict)  # it had read the index before
    monkeypatch.setattr(other, "_save_data", lambda name, data: None)  # and is just about to write
    other.save(("integers",), "code for integers")
    assert one.load(("integers",)) is None
    one.save(("floats",), "code for floats")
    assert [one.load((kind,)) for kind in ("floats", "integers")] == ["code for floats", None]


NO_LARGE_FILES = """
import resource
resource.setrlimit(resource.RLIMIT_FSIZE, (4096, 4096))
"""


@pytest.mark.slow
@pytest.mark.skipif(os.name != "posix", reason="limits of processes are POSIX")
def test_files_that_cannot_be_written_to_their_end_do_no_harm(package):
    assert package.run("import holdem_env.compiled.cache").stdout == ""  # the folder is there
    done = package.run(NO_LARGE_FILES + SCRIPT)
    assert done.stdout.split()[0] == "42"
    assert done.stderr.count("CompileCacheWarning") == 1
    assert "File too large" in done.stderr
    assert package.answer() == (42, True, False)
    assert package.answer() == (42, False, True)


@pytest.mark.slow
def test_without_the_trick_the_cache_is_numbas(package):
    """The fallback keeps and finds machine code; a broken file is Numba's error."""
    none = {"HOLDEM_COMPILER_TRICKS": "none"}
    assert package.answer(**none) == (42, True, False)
    assert package.answer(**none) == (42, False, True)


@pytest.mark.slow
def test_a_bounds_checked_engine_is_another_engine(package):
    assert package.answer() == (42, True, False)
    assert package.answer(NUMBA_BOUNDSCHECK="1") == (42, True, False)
    assert package.answer() == (42, False, True)


NOINLINE = """
from ..compiled import types
from ..compiled.compiler import compiled, noinline
from .record import TABLE_TYPE
from .toy_helper import answer

@noinline(TABLE_TYPE, types.int64)
def give(t, x):
    t.pot = answer(x)

@compiled
def give_more(t, x):
    give(t, x + 1)
"""
ASK_NOINLINE = """
from ..compiled.compiler import kernel
from .toy_noinline import give_more

@kernel
def ask(tables, x):
    give_more(tables[0], x)
    return tables[0].pot

@kernel
def ask_again(tables, x):
    give_more(tables[0], x)
    return tables[0].pot
"""
NOINLINE_SCRIPT = """
from numba.core import event
with event.install_recorder("numba:compile") as compilations:
    from holdem_env.engine.record import TABLE, new_records
    from holdem_env.engine.toy_kernel import ask, ask_again
    tables = new_records(TABLE, 1)
    print(ask(tables, 40), ask_again(tables, 50), end=" ")
print(*sorted(entry.data["dispatcher"].py_func.__name__ for _, entry in compilations.buffer if entry.is_start))
"""


@pytest.fixture
def noinline(package):
    package.helper.with_name("toy_noinline.py").write_text(NOINLINE)
    package.helper.with_name("toy_kernel.py").write_text(ASK_NOINLINE)
    return package


@pytest.mark.slow
@pytest.mark.parametrize("mode", [{"NUMBA_BOUNDSCHECK": "1"}, {"NUMBA_DISABLE_JIT": "1"}], ids=str)
def test_what_is_compiled_separately_gives_the_same_in_other_modes(noinline, mode):
    assert noinline.run(NOINLINE_SCRIPT, **mode).stdout.split()[:2] == ["42", "52"]


@pytest.mark.slow
def test_what_is_compiled_separately_is_compiled_once_and_found_again(noinline):
    found = noinline.run(NOINLINE_SCRIPT).stdout.split()
    assert found == ["42", "52", "answer", "ask", "ask_again", "give", "give_more"]
    assert noinline.run(NOINLINE_SCRIPT).stdout.split() == ["42", "52"]  # the code is there, and is linked again
    noinline.helper.write_text(HELPER.replace("x + 1", "x + 2"))
    assert noinline.run(NOINLINE_SCRIPT).stdout.split()[:2] == ["43", "53"]


@pytest.mark.slow
def test_a_second_run_of_the_whole_engine_compiles_nothing():
    """The first one compiles what the other tests have not."""
    script = """
from numba.core import event
with event.install_recorder("numba:compile") as compilations:
    import numpy as np
    from holdem_env import Rules, Table, Tables, evaluate, holdem_v0
    table = Table(Rules(), seed=1)
    while not table.is_over:
        table.check_call()
    tables = Tables(Rules(structure="fixed_limit"), num_tables=4)
    tables.step(np.ones(4, int))
    evaluate("AsKsQsJsTs")
    env = holdem_v0.env(num_hands=2)
    env.reset(seed=1)
    while env.agents:
        env.step(None if env.terminations[env.agent_selection] else 1)
print(len(compilations.buffer))
"""
    command = [sys.executable, "-c", script]
    runs = [subprocess.run(command, capture_output=True, text=True, check=True) for _ in range(2)]
    assert int(runs[1].stdout) == 0


def replace(path: Path, old: str, new: str) -> None:
    """Edit a file."""
    text = path.read_text()
    assert old in text
    path.write_text(text.replace(old, new))


OUTSIDE_HELPER = HELPER.replace("..compiled", "holdem_env.compiled") + "\nMORE = 0\n"
OUTSIDE_KERNEL = """
from holdem_env.compiled.compiler import kernel
{imports}

@kernel
def ask(numbers):
    return answer(numbers[0]) + MORE
"""
PLACES = {
    # where the kernel is, where its helper, and how it imports it
    "arena": ("holdem_env.arena.toy_kernel", "holdem_env.arena.reports.toy_helper", "from .reports import toy_helper"),
    "agents": ("holdem_agents.toy_kernel", "holdem_agents.scripted.toy_helper", "from .scripted import toy_helper"),
    "agents of the library": (
        "holdem_agents.toy_kernel",
        "holdem_env.agents.toy_helper",
        "from holdem_env.agents import toy_helper",
    ),
    "a user's": ("my_kernel", "my_helper", "import my_helper as toy_helper"),
}


@pytest.mark.slow
@pytest.mark.parametrize("place", PLACES)
def test_an_edit_outside_the_core_is_noticed(package, place):
    kernel, helper, imports = PLACES[place]
    for name in ("holdem_agents", "holdem_agents.scripted"):
        folder = package.folder / name.replace(".", "/")
        folder.mkdir(exist_ok=True)
        (folder / "__init__.py").touch()
    kernel_file, helper_file = (package.folder / (name.replace(".", "/") + ".py") for name in (kernel, helper))
    helper_file.write_text(OUTSIDE_HELPER)
    names = "answer, MORE = toy_helper.answer, toy_helper.MORE"
    kernel_file.write_text(OUTSIDE_KERNEL.format(imports=f"{imports}\n{names}"))

    def answer() -> tuple[int, bool, bool]:
        return package.answer(ASK.format(module=kernel))

    assert answer() == (42, True, False)
    replace(helper_file, "x + 1", "x + 2")
    assert answer() == (43, True, False)
    replace(helper_file, "MORE = 0", "MORE = 7")  # a constant is part of the machine code, too
    assert answer() == (50, True, False)
    replace(package.helper, "x + 1", "x + 3")  # an edit of the core is an edit of everything
    assert answer() == (50, True, False)
    assert answer() == (50, False, True)


def test_imports_are_found_however_they_are_written(tmp_path):
    file = tmp_path / "kernels.py"
    file.write_text(
        "from . import near\nfrom .. import further\nfrom ..other.room import (  # why\n"
        "    one,  # comment\n    two as alias,\n)\n"
        "import numpy as np, my.helpers\ndef late():\n    from later import three; import last\n"
    )
    found = set(imported_modules(file, "package.room"))
    assert {"package.room.near", "package.further", "package.other.room.one", "package.other.room.two"} <= found
    assert {"package.other.room", "numpy", "my.helpers", "later", "later.three"} <= found
