"""The flop that three open solvers have published: `python -m benchmarks.flop`, about a quarter of an hour.

Board QsJh2h, pot 10, stacks 95, bets of the pot, raises of half the pot, all-in always. To 0.3 % of the pot WASM
Postflop takes 120 s and 1.50 GB, others 130 s and 1.44 GB, 239 s and 2.9 GB, each on six threads. Out of position wins
5.868 of the pot; after its bet of 10 and a raise to 25 it folds 40 to 43 %, calls 36 to 38, raises 5 to 6 and is all-in
15 to 17.

Each line is a process of its own: seconds, processor seconds and the largest memory of the whole process.
"""

from __future__ import annotations

import argparse
import resource
import subprocess
import sys
import time
from math import isnan

UNIT = 10
"""Chips in one of the spot's, so that half a pot is whole."""
BOARD, POT, STACKS = "QsJh2h", 10 * UNIT, 95 * UNIT
SIZES = "100%, a | 50%, a"
OUT_OF_POSITION = (
    "AA,KK,QQ,JJ,TT,99,88,AK,AQ,AJ,ATs,ATo:0.75,A9s,A8s,A5s:0.5,A4s:0.5,A3s:0.5,A2s:0.5,KQ,KJs,KJo:0.75,KTs,KTo:0.25,"
    "K9s,QJs,QJo:0.5,QTs,Q9s,JTs,JTo:0.25,J9s,J8s,T9s,T8s,T7s:0.45,98s,97s,96s:0.45,87s,86s:0.75,85s:0.45,76s:0.75,"
    "75s:0.75,74s:0.45,65s:0.75,64s:0.5,63s:0.45,54s:0.75,53s:0.5,52s:0.45,43s:0.5,42s:0.45,32s:0.45"
)
IN_POSITION = (
    "AA:0.25,99,88,77,66,55,44,33,22,AQo,AJ,AT,A9,A8,A7s,A6s,A5s,A4s,A3s,A2s,KQ,KJ,KT,K9,K8s,K7s,K6s,K5s,K4s,K3s,K2s,"
    "QJ,QT,Q9,Q8s,Q7s,Q6s,Q5s,Q4s,Q3s,Q2s,JT,J9,J8s,J7s,J6s,T9,T8s,T7s,T6s,98,97s,96s,95s:0.5,87s,86s,85s:0.5,76s,75s,"
    "74s:0.5,65s,64s,63s:0.5,54s,53s:0.5,43s"
)
RAISED = "bet 100, raise to 250"


def solve(threads: int, bits: int, accuracy: float, iterations: int | None) -> None:
    """Solve it in this process, and print its line."""
    from holdem_env.solvers import solve_subgame

    spot = {"pot": POT, "stacks": STACKS, "sizes": SIZES, "threads": threads, "bits": bits}
    solve_subgame("QsJh2h", ["99,AJ", "AA,KQ"], **spot, accuracy=None, iterations=1)  # which compiles
    started, spent = time.perf_counter(), time.process_time()

    shown: list[float] = []

    def progress(iterations: int, percent: float) -> None:
        if not isnan(percent) and percent not in shown:
            shown.append(percent)
            print(f"  {iterations} iterations, {percent:.2f} %", file=sys.stderr, flush=True)

    solution = solve_subgame(
        BOARD,
        [IN_POSITION, OUT_OF_POSITION],
        **spot,
        accuracy=accuracy if iterations is None else None,
        iterations=iterations,
        progress=progress,
    )
    seconds, processor = time.perf_counter() - started, time.process_time() - spent
    memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 2**20
    often = ", ".join(f"{move} {100 * share:.0f} %" for move, share in solution.frequencies(RAISED).items())
    print(
        f"{threads} thread{'s' if threads > 1 else ' '}, {bits} bits: {seconds:5.0f} s, {processor:5.0f} processor s, "
        f"{memory:.2f} GiB; {solution.iterations} iterations, {solution.exploitability_percent:.2f} % of the pot; "
        f"out of position wins {solution.values[1] / UNIT:.3f}; {RAISED}: {often}",
        flush=True,
    )


def representative(counts: list[int]) -> None:
    """By how much the equity out of position on a few flops differs from that on all, in percent of the pot."""
    from holdem_env.solvers.card_tables.isomorphism import ALL_FLOPS, representative_flops
    from holdem_env.solvers.games import PLAIN
    from holdem_env.solvers.public_game import PublicGame, RunOut
    from holdem_env.solvers.reading import read_ranges
    from holdem_env.solvers.solver import Solver

    equities = {}
    for cards, _ in representative_flops(ALL_FLOPS):
        ranges = read_ranges([IN_POSITION, OUT_OF_POSITION], cards)
        game = PublicGame(RunOut(street=[1]), PLAIN, cards, ranges)
        equities[cards] = Solver(game).winnings()[1], game.pair_weight

    def mean(count: int) -> float:
        chosen = [(*equities[cards], times) for cards, times in representative_flops(count)]
        return sum(e * w * times for e, w, times in chosen) / sum(w * times for _, w, times in chosen)

    for count in counts:
        print(f"{count} flops: {100 * (mean(count) - mean(ALL_FLOPS)):+.3f} % of the pot")


def main() -> None:
    """Solve it once with each number of threads and bits."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.flop", description=__doc__.splitlines()[0])
    parser.add_argument("--accuracy", type=float, default=0.3, metavar="PERCENT", help="of the pot (%(default)s)")
    parser.add_argument("--iterations", type=int, help="run this many instead")
    parser.add_argument("--threads", type=int, nargs="+", default=[1, 2])
    parser.add_argument("--bits", type=int, nargs="+", default=[32, 16])
    parser.add_argument("--flops", type=int, nargs="+", metavar="N", help="how well N flops stand for all, instead")
    parser.add_argument("--here", action="store_true", help="in this process")
    chosen = parser.parse_args()
    if chosen.flops:
        representative(chosen.flops)
        return
    if chosen.here:
        solve(chosen.threads[0], chosen.bits[0], chosen.accuracy, chosen.iterations)
        return
    more = [] if chosen.iterations is None else ["--iterations", str(chosen.iterations)]
    for bits in chosen.bits:
        for threads in chosen.threads:
            what = ["--threads", str(threads), "--bits", str(bits), "--accuracy", str(chosen.accuracy), *more]
            subprocess.run([sys.executable, "-m", "benchmarks.flop", "--here", *what], check=True)


if __name__ == "__main__":
    main()
