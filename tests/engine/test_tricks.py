"""Compiler tricks and their fallbacks compute the same; with untested versions no trick is in use."""

from __future__ import annotations

import os
from ctypes import CFUNCTYPE, c_void_p
from pathlib import Path

import numba
import numpy as np
import pytest
from llvmlite import binding, ir

from engine.test_plain_python import run
from holdem_env.compiled import tricks
from holdem_env.compiled.tricks import TRICKS, VARIABLE

pytestmark = pytest.mark.stands_on(
    "holdem_env/cards", "holdem_env/compiled", "holdem_env/encoders", "holdem_env/engine", "holdem_env/game",
    "tests/rules", "tests/encoders", "tests/engine", "tests/golden",
)  # fmt: skip

TESTS = Path(__file__).resolve().parent.parent
BUDGET = 580  # seconds with every trick off; a test that takes longer than 600 would be ended


def test_a_trick_that_there_is_not():
    with pytest.raises(ValueError, match="no trick columms; there are all, none, columns"):
        tricks._chosen("columms")


def test_the_default_is_every_trick_that_can_be():
    if not os.environ.get(VARIABLE) and tricks.versions() in tricks.TESTED and not numba.config.DISABLE_JIT:
        expected = TRICKS.keys() - ({"noinline", "calls", "lanes"} if numba.config.BOUNDSCHECK else set())
        assert expected == tricks.IN_USE


def test_untested_versions_use_no_trick_and_say_so(monkeypatch):
    monkeypatch.delenv(VARIABLE, raising=False)
    monkeypatch.setattr(numba.config, "DISABLE_JIT", 0)
    monkeypatch.setattr(tricks, "TESTED", {("0", "0")})
    with pytest.warns(tricks.CompilerTrickWarning, match="not tested with Numba") as warned:
        assert not tricks._in_use()
    assert len(warned) == 1
    monkeypatch.setenv(VARIABLE, "columns")
    assert tricks._in_use() == {"columns"}


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


@pytest.mark.modes
def test_whole_hands_and_encoders_without_tricks(tmp_path):
    """BUDGET seconds at most, most of them to compile."""
    encoders = [TESTS / "encoders" / f"test_{name}.py" for name in ("flat", "one_pass", "bet_sizes")]
    tests = [TESTS / "golden", TESTS / "engine" / "test_columns.py", TESTS / "engine" / "test_drawing.py", *encoders]
    options = ["-q", "-p", "no:cacheprovider", "--hypothesis-profile=quick", "-m", "not slow"]
    settings = {VARIABLE: "none", "HOLDEM_CACHE_DIR": str(tmp_path)}
    run(["-m", "pytest", *options, *map(str, tests)], BUDGET, **settings)
