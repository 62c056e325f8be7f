"""The compiler tricks: what uses Numba's or LLVM's insides, and which of it is in use.

Each trick has a fallback in ordinary Numba that computes the same. With versions of Numba and llvmlite that were tested
(`TESTED`), every trick is in use; with others none is, and a warning says so. `HOLDEM_COMPILER_TRICKS=all`, `none` or a
list of names chooses.
"""

from __future__ import annotations

import os
import warnings

import llvmlite
import numba
from numba import config

VARIABLE = "HOLDEM_COMPILER_TRICKS"
CHECKS_VARIABLE = "HOLDEM_CHECKS"
CHECKS = os.environ.get(CHECKS_VARIABLE, "") not in ("", "0")
"""Whether this process checks everything: bounds in compiled code, encoders' included, and what is true of every table
(engine/invariants.py) after every step."""
if CHECKS:
    config.BOUNDSCHECK = 1
TRICKS = {
    "columns": "types of records that name the fields of their lines (insides/record_fields.py)",
    "indexing": "indices that count from the front only (insides/indexing.py)",
    "borrowing": "functions that make no arrays count no references (insides/borrowing.py)",
    "noinline": "functions compiled once and linked by symbol (insides/linking.py)",
    "calls": "kernels called by address (insides/calls.py)",
    "general_types": "functions compiled once for integers, not for constants as well (insides/general_types.py)",
    "prefetch": "prefetch instructions (insides/prefetch.py)",
    "bet_sizes": "bet sizes eight at a time in masked vectors (insides/bet_sizes.py)",
    "lanes": "hands of a solver in registers, a cache line at a time (insides/lanes.py)",
    "sturdy_cache": "a cache whose broken files are compiled again (insides/sturdy_cache.py)",
}
TESTED = {("0.61.0", "0.44.0"), ("0.68.1", "0.50.0")}
"""Versions of Numba and llvmlite with which the tests of `make compat` passed, every trick in use."""


class CompilerTrickWarning(UserWarning):
    """The installed Numba and llvmlite were not tested; ordinary Numba replaces the compiler tricks, slower."""


def versions() -> tuple[str, str]:
    """Of Numba and llvmlite."""
    return numba.__version__, llvmlite.__version__


def _chosen(text: str) -> frozenset[str] | None:
    """The tricks that a text names; None for an empty one. Raises ValueError for an unknown name."""
    if text == "all":
        return frozenset(TRICKS)
    names = frozenset(name.strip() for name in text.split(",") if name.strip()) - {"none"}
    if unknown := names - TRICKS.keys():
        raise ValueError(f"{VARIABLE}: no trick {', '.join(sorted(unknown))}; there are all, none, {', '.join(TRICKS)}")
    return names if text.strip() else None


def _in_use() -> frozenset[str]:
    if config.DISABLE_JIT:
        return frozenset()
    chosen = _chosen(os.environ.get(VARIABLE, ""))
    if chosen is None:
        chosen = frozenset(TRICKS if versions() in TESTED else ())
        if not chosen:
            warnings.warn(
                "holdem_env was not tested with Numba {} and llvmlite {}: ordinary Numba replaces its compiler tricks, "
                "with the same results but slower. constraints.txt of holdem_env names versions that were tested; "
                "{}=all turns the tricks on.".format(*versions(), VARIABLE),
                CompilerTrickWarning,
                stacklevel=2,
            )
    # Functions that are linked by symbol or called by address lose Python's errors, and lanes are read without a check:
    # a bounds-checked engine has none of them.
    return chosen - {"noinline", "calls", "lanes"} if config.BOUNDSCHECK else chosen


def uses(trick: str) -> bool:
    """Whether a trick is in use."""
    assert trick in TRICKS, trick
    return trick in IN_USE


IN_USE = _in_use()
