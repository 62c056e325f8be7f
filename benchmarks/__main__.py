"""Run the benchmarks: `python -m benchmarks [name ...]`; without a name all but `tricks`, which concerns
only those who change compiled code, and `luck`, `tournaments` and `remote_bots`, which take minutes."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from . import (
    against,
    arena,
    environments,
    equity,
    evaluator,
    learners,
    luck,
    remote_bots,
    solvers,
    tournaments,
    training,
    tricks,
)
from .measure import Options, machine

BENCHMARKS = {
    "environments": environments.main,
    "evaluator": evaluator.main,
    "equity": equity.main,
    "training": training.main,
    "learners": learners.main,
    "arena": arena.main,
    "luck": luck.main,
    "solvers": solvers.main,
    "tournaments": tournaments.main,
    "remote_bots": remote_bots.main,
    "tricks": tricks.main,
}
ASKED_FOR = {"tricks", "luck", "tournaments", "remote_bots"}
"""What runs only if it is named."""


def arguments(given: list[str] | None) -> argparse.Namespace:
    """The command line, or an exit that says what is wrong with it."""
    default, plan = Options(), against.Plan()
    parser = argparse.ArgumentParser(prog="python -m benchmarks", description=__doc__)
    parser.add_argument("names", nargs="*", metavar="name", help=", ".join(BENCHMARKS))
    parser.add_argument("--repeats", type=int, default=default.repeats, help="turns of each contestant (%(default)s)")
    parser.add_argument("--seconds", type=float, default=default.seconds, help="of each turn, at least (%(default)s)")
    parser.add_argument("--only", default="", metavar="TEXT", help="only what has this text in its title")
    other = parser.add_argument_group(
        "comparing with another checkout of this project: " + ", ".join(against.COMPARABLE)
    )
    other.add_argument("--against", type=Path, metavar="PATH", help="the other checkout, a folder with holdem_env")
    other.add_argument("--launches", type=int, default=plan.launches, help="pairs of fresh processes (%(default)s)")
    other.add_argument("--compilations", type=int, default=plan.compilations, help="of each side (%(default)s)")
    other.add_argument("--tolerance", type=float, default=plan.tolerance, help="a slowdown that passes (%(default)s)")
    chosen = parser.parse_args(given)
    if unknown := sorted(set(chosen.names) - set(BENCHMARKS)):
        parser.error(f"there is no benchmark {', '.join(unknown)}; there are {', '.join(BENCHMARKS)}")
    if min(chosen.repeats, chosen.launches, chosen.compilations) < 1:
        parser.error("--repeats, --launches, --compilations: give 1 or more")
    if chosen.against and (unable := [name for name in chosen.names if name not in against.COMPARABLE]):
        parser.error(f"--against compares {', '.join(against.COMPARABLE)}, not {', '.join(unable)}")
    if chosen.against and not (chosen.against / "holdem_env").is_dir():
        parser.error(f"--against: there is no holdem_env in {chosen.against}")
    return chosen


def main(given: list[str] | None = None) -> int:
    """Run what the command line asks for. Returns 1 if something is slower than in the other checkout, else 0."""
    chosen = arguments(given)
    options = Options(chosen.repeats, chosen.seconds, chosen.only)
    print(machine(), flush=True)
    if chosen.against:
        here = Path(__file__).resolve().parent.parent
        plan = against.Plan(chosen.launches, chosen.compilations, chosen.tolerance)
        return int(against.compare(chosen.names or ["environments"], here, chosen.against.resolve(), options, plan))
    for name in chosen.names or [name for name in BENCHMARKS if name not in ASKED_FOR]:
        BENCHMARKS[name](options)
    return 0


if __name__ == "__main__":
    sys.exit(main())
