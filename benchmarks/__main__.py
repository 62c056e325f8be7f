"""Run the benchmarks: `python -m benchmarks [name ...]`; without a name all but `tricks`, which only concerns those who
change the compiled code."""

import sys

from . import arena, environments, equity, evaluator, training, tricks

BENCHMARKS = {
    "environments": environments.main,
    "evaluator": evaluator.main,
    "equity": equity.main,
    "training": training.main,
    "arena": arena.main,
    "tricks": tricks.main,
}


def main(names: list[str]) -> int:
    unknown = set(names) - set(BENCHMARKS)
    if unknown:
        print(f"there is no benchmark {', '.join(sorted(unknown))}; there are {', '.join(BENCHMARKS)}", file=sys.stderr)
        return 2
    for name in names or [name for name in BENCHMARKS if name != "tricks"]:
        BENCHMARKS[name]()
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
