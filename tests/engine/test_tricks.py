"""Compiler tricks and their fallbacks compute the same, and a trick that does not work is replaced, with a warning.

Which tricks are in use is settled when the library is imported, so most tests run processes of their own.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from ctypes import CFUNCTYPE, c_void_p
from pathlib import Path

import numba
import numpy as np
import pytest
from llvmlite import binding, ir

import holdem_env
from holdem_env.compiled import tricks
from holdem_env.compiled.tricks import TRICKS, VARIABLE

TESTS = Path(__file__).resolve().parent.parent
PACKAGE = Path(holdem_env.__file__).resolve().parent
BUDGET = 580  # seconds with every trick off; a test that takes longer than 600 would be ended


def run(command: list[str], folder: Path = PACKAGE.parent, **environment: str) -> subprocess.CompletedProcess[str]:
    """Run Python in a fresh process that finds the package in a folder."""
    left_out = ("NUMBA_", "PYTHONWARN", "HOLDEM_COMPILER")
    kept = {name: value for name, value in os.environ.items() if not name.startswith(left_out)}
    kept |= {"PYTHONPATH": str(folder), **environment}
    return subprocess.run(
        [sys.executable, *command], env=kept, cwd=folder, capture_output=True, text=True, check=False, timeout=BUDGET
    )


TRY_ALL = """
import holdem_env.engine.record  # whose records have columns of the same names
from holdem_env.compiled.toys import TOYS
from holdem_env.compiled.tricks import IN_USE
print(*sorted(IN_USE))
print(*(name for name, works in TOYS.items() if (name != "calls" or name in IN_USE) and not works()))
"""


@pytest.mark.slow
@pytest.mark.parametrize("chosen", ["all", "none", pytest.param("columns, bet_sizes", marks=pytest.mark.slow)])
def test_toys_come_out_the_same_with_tricks_and_without(tmp_path, chosen):
    done = run(["-c", TRY_ALL], **{VARIABLE: chosen, "HOLDEM_CACHE_DIR": str(tmp_path)})
    in_use, wrong = done.stdout.split("\n")[:2]
    expected = {"all": set(TRICKS), "none": set()}.get(chosen, {"columns", "bet_sizes"})
    assert set(in_use.split()) == expected, done.stderr
    assert wrong == ""


def test_every_trick_has_a_toy():
    from holdem_env.compiled.toys import TOYS

    assert TOYS.keys() == TRICKS.keys()


def test_a_trick_that_there_is_not():
    with pytest.raises(ValueError, match="no trick columms; there are all, none, columns"):
        tricks._chosen("columms")


def test_the_default_is_every_trick_that_can_be():
    if not os.environ.get(VARIABLE) and tricks.versions() in tricks.TESTED and not numba.config.DISABLE_JIT:
        expected = TRICKS.keys() - ({"noinline", "calls"} if numba.config.BOUNDSCHECK else set())
        assert expected == tricks.IN_USE


class Untested:
    """A copy of the package that was tested with no version at all, in which tricks can be broken.

    tried: the one trick that is tried, to save time; None tries all.
    """

    def __init__(self, folder: Path, tried: str | None = None) -> None:
        self.folder = folder
        shutil.copytree(PACKAGE, folder / "holdem_env", ignore=shutil.ignore_patterns("__pycache__"))
        installed = f'("{tricks.versions()[0]}", "{tricks.versions()[1]}")'
        self.edit("tricks.py", installed, '("0", "0")')
        if tried:
            self.edit("tricks.py", "failing_tricks(TRICKS,", f"failing_tricks(({tried!r},),")

    def edit(self, name: str, old: str, new: str) -> None:
        """Edit a file of compiled/."""
        file = self.folder / "holdem_env" / "compiled" / name
        text = file.read_text()
        assert old in text
        file.write_text(text.replace(old, new))

    def start(self, script: str = "") -> tuple[set[str], str]:
        """Import the library, run a script: the tricks in use, and what the process wrote to stderr."""
        says = "from holdem_env.compiled.tricks import IN_USE\nprint(*IN_USE)\n"
        done = run(["-c", says + script], self.folder, HOLDEM_CACHE_DIR=str(self.folder / "cache"))
        assert done.returncode == 0, done.stderr
        return set(done.stdout.split()), done.stderr


USE = """
from holdem_env.compiled.toys import try_fractions
assert try_fractions()
"""
BROKEN = {
    "raises": ("insides/fractions.py", "builder.sitofp(", "builder.no_such_thing("),
    "is wrong": ("insides/fractions.py", "builder.fadd(part", "builder.fsub(part"),
    "is gone from Numba": ("insides/fractions.py", "from numba.core.errors import", "from numba.core.gone import"),
    "crashes": ("insides/fractions.py", "INT64(first))", "INT64(1 << 60))"),
}


@pytest.mark.slow
@pytest.mark.parametrize(
    "how",
    ["is wrong", "crashes", *(pytest.param(how, marks=pytest.mark.slow) for how in ("raises", "is gone from Numba"))],
)
def test_a_trick_that_fails_is_replaced_with_one_warning(tmp_path, how):
    package = Untested(tmp_path, tried="fractions")
    package.edit(*BROKEN[how])
    in_use, warned = package.start(USE)
    assert in_use == TRICKS.keys() - {"fractions"}
    assert warned.count("CompilerTrickWarning") == 1
    assert "its compiler trick fractions will not do" in warned
    assert numba.__version__ in warned
    answers = list((tmp_path / "cache").glob("holdem-tricks-*.json"))
    assert len(answers) == 1
    asked = answers[0].stat().st_mtime_ns
    in_use, warned = package.start()
    assert in_use == TRICKS.keys() - {"fractions"}
    assert "CompilerTrickWarning" not in warned
    assert answers[0].stat().st_mtime_ns == asked


@pytest.mark.slow
def test_untested_versions_that_work_are_used_in_silence(tmp_path):
    in_use, warned = Untested(tmp_path).start()
    assert in_use == TRICKS.keys()
    assert warned == ""


@pytest.mark.skipif(binding.llvm_version_info < (17,), reason="this LLVM has typed pointers")
def test_opaque_pointers_will_do_as_well(monkeypatch):
    """The day llvmlite has no typed pointers any more: a function that copies two numbers, 8 bytes behind pointers."""
    from holdem_env.compiled.insides import llvm

    monkeypatch.setattr(llvm, "POINTERS_ARE_OPAQUE", True)
    pair, pointer = ir.VectorType(llvm.INT64, 2), llvm.pointer_to(llvm.INT64)
    module = ir.Module()
    function = ir.Function(module, ir.FunctionType(llvm.VOID, [pointer, pointer]), "copy")
    builder = ir.IRBuilder(function.append_basic_block())
    source, target = (llvm.byte_at(builder, argument, llvm.INT64(8)) for argument in function.args)
    llvm.store(builder, llvm.load(builder, source, pair, 8), target, 8)
    builder.ret_void()
    binding.initialize_native_target()
    binding.initialize_native_asmprinter()
    machine = binding.Target.from_default_triple().create_target_machine()
    with binding.create_mcjit_compiler(binding.parse_assembly(str(module)), machine) as engine:
        copy = CFUNCTYPE(None, c_void_p, c_void_p)(engine.get_function_address("copy"))
        numbers, copied = np.arange(4), np.zeros(4, np.int64)
        copy(numbers.ctypes.data, copied.ctypes.data)
    assert copied.tolist() == [0, 1, 2, 0]


@pytest.mark.slow
def test_whole_hands_and_encoders_without_tricks(tmp_path):
    """BUDGET seconds at most, most of them to compile."""
    encoders = [TESTS / "encoders" / f"test_{name}.py" for name in ("flat", "one_pass", "bet_sizes")]
    tests = [TESTS / "golden", TESTS / "engine" / "test_columns.py", TESTS / "engine" / "test_drawing.py", *encoders]
    done = run(
        [
            "-m",
            "pytest",
            "-q",
            "-p",
            "no:cacheprovider",
            "--hypothesis-profile=quick",
            "-m",
            "not slow",
            *map(str, tests),
        ],
        TESTS.parent,
        **{VARIABLE: "none", "HOLDEM_CACHE_DIR": str(tmp_path)},
    )
    assert done.returncode == 0, done.stdout + done.stderr
