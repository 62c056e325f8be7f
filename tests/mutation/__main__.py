"""Would the tests notice? Change the engine in one place at a time, and see whether a test fails.

`python -m tests.mutation` tries every mutant of `holdem_env/engine/`, which takes hours;
`python -m tests.mutation pots.py button.py` those of two files, and `--sample 100` a hundred. It prints the survivors
and a table. Mutants that no test can kill are explained in `equivalent.toml` and left out.
"""

from __future__ import annotations

import argparse
import os
import random
import re
import sys
import tempfile
from pathlib import Path

os.environ |= {"NUMBA_DISABLE_JIT": "1", "CI": "true", "OMP_NUM_THREADS": "1"}

import pytest

from .explained import Explanation, read_explanations
from .mutants import ENGINE, Mutant, mutants_of
from .running import Limits, MutationRun, Result, by_file

TESTS = ("rules", "golden", "oracle", "differential/test_oracle.py", "properties", "table", "engine/test_legality.py")
TESTS += ("engine/test_between_hands.py", "engine/test_decision_words.py", "encoders/test_shown_cards.py")
TESTS += ("engine/test_replay.py", "encoders/test_actions.py", "encoders/test_bet_sizes.py")
CHECKS = "invariants.py"  # checks of the engine, which these tests do not run
OPTIONS = ("-o", "addopts=--import-mode=importlib", "-m", "not slow", "-W", "ignore::RuntimeWarning")
OPTIONS += tuple(f"-pno:{plugin}" for plugin in ("terminal", "cacheprovider", "xdist", "faulthandler"))


def options() -> argparse.Namespace:
    """What the command line says."""
    parser = argparse.ArgumentParser(
        prog="python -m tests.mutation", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("files", nargs="*", metavar="FILE", help="files of holdem_env/engine, such as pots.py")
    parser.add_argument("--sample", type=int, help="try this many mutants, drawn by the seed")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument(
        "--seconds", type=float, default=float("inf"), help="stop after so much processor time for mutants"
    )
    parser.add_argument(
        "--each", type=float, default=60.0, help="tests for a mutant: as many as take so long without it"
    )
    parser.add_argument("--slowest", type=float, default=3.0, help="leave out tests that take longer")
    parser.add_argument("--keep", type=Path, help="keep what the tests do without a mutant in this file, for next time")
    parser.add_argument("--least", type=float, default=0.95, help="the share to be killed (default: %(default)s)")
    parser.add_argument("--tests", nargs="+", default=TESTS, help="what to run, below tests/ (default: %(default)s)")
    parser.add_argument("--function", help="only mutants of this function")
    parser.add_argument("--again", type=Path, metavar="FILE", help="only the survivors of an earlier run, its output")
    parser.add_argument("--also-explained", action="store_true", help="try what is explained, too")
    parser.add_argument("--list", action="store_true", help="only list the mutants")
    return parser.parse_args()


def chosen_mutants(given: argparse.Namespace, explanations: list[Explanation]) -> list[Mutant]:
    """The mutants to try, in the order of the files and lines; samples in the order in which they were drawn."""
    files = given.files or sorted(path.name for path in ENGINE.glob("*.py") if path.name != CHECKS)
    mutants = [mutant for file in files for mutant in mutants_of(file)]
    for seen in explanations:
        if seen.file in files:
            for text in seen.unused(mutants):
                raise SystemExit(f"equivalent.toml explains a mutant that does not exist (any more): {text}")
    if not given.also_explained:
        mutants = [mutant for mutant in mutants if not any(seen.covers(mutant) for seen in explanations)]
    if given.function:
        mutants = [mutant for mutant in mutants if mutant.function == given.function]
    if given.again:
        lines = [re.sub(r":\d+:", ":", line, count=1) for line in given.again.read_text().splitlines()]
        seen = {line.rpartition("   [")[0] for line in lines}
        mutants = [mutant for mutant in mutants if re.sub(r":\d+:", ":", str(mutant), count=1) in seen]
    if given.sample is not None:
        mutants = random.Random(given.seed).sample(mutants, min(given.sample, len(mutants)))
    return mutants


def report(result: Result) -> None:
    """Print a survivor at once."""
    if result.killer is None:
        print(f"{result.mutant}   [{result.tests} tests run it]", flush=True)


def print_table(results: list[Result], explanations: list[Explanation]) -> None:
    """How many there were, file by file."""
    print(f"\n{'file':<22}{'tried':>8}{'killed':>8}{'survived':>10}{'explained':>11}")
    for file, own in by_file(results).items():
        killed = sum(result.killer is not None for result in own)
        all_of_file = mutants_of(file)
        explained = sum(any(seen.covers(mutant) for seen in explanations) for mutant in all_of_file)
        print(f"{file:<22}{len(own):>8}{killed:>8}{len(own) - killed:>10}{explained:>11}")


def main() -> int:
    """0 if enough mutants were killed."""
    given = options()
    explanations = read_explanations()
    mutants = chosen_mutants(given, explanations)
    if given.list:
        print(*mutants, f"{len(mutants)} mutants", sep="\n")
        return 0
    run = MutationRun(mutants, Limits(given.seconds, given.each, given.slowest), given.keep, report)
    tests = Path(__file__).resolve().parents[1]
    with tempfile.TemporaryDirectory() as folder:
        paths = [str(tests / path) for path in given.tests]
        ended = pytest.main([*paths, *OPTIONS, f"--basetemp={folder}/tests"], plugins=[run])
    if run.failed or not run.results or ended == pytest.ExitCode.INTERNAL_ERROR:
        print("without a mutant:", *(run.failed or [f"pytest ended with {ended!r}"]))
        return 2
    print_table(run.results, explanations)
    share = sum(result.killer is not None for result in run.results) / len(run.results)
    print(f"killed {share:.1%} of {len(run.results)} (of {len(mutants)} chosen); at least {given.least:.0%} is due")
    return int(share < given.least)


if __name__ == "__main__":
    sys.exit(main())
