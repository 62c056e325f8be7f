"""The scripted agents against each other, as in docs/agents.md: `python -m benchmarks.opponents [hands [seed]]`.

Heads-up no-limit with 100 big blinds; every deal is played from both seats.
"""

import sys
from itertools import combinations

from rich.console import Console
from rich.progress import track

from holdem_env import Rules
from holdem_env.arena import MatchResult, play_match

AGENTS = (
    "tight_aggressive",
    "pot_odds",
    "loose_aggressive",
    "nit",
    "loose_passive",
    "calling_station",
    "maniac",
    "random",
    "always_fold",
)
HANDS = 20_000
GAME = "heads-up-no-limit"


def play_all(hands: int, seed: int) -> dict[tuple[str, str], MatchResult]:
    """The result of each pair, from the first one's side."""
    pairs = list(combinations(AGENTS, 2))
    rules = Rules.preset(GAME)
    console = Console(stderr=True)
    shown = track(pairs, "matches", console=console, disable=not console.is_terminal)
    return {(one, two): play_match(one, two, rules, hands, seed) for one, two in shown}


def cell(results: dict[tuple[str, str], MatchResult], row: str, column: str) -> str:
    """A win rate of the row's agent against the column's, with half the width of its 95 % interval."""
    if row == column:
        return "0"
    one, sign = ((row, column), 1) if (row, column) in results else ((column, row), -1)
    return f"{sign * results[one].mean:+.0f} ± {results[one].half_width:.0f}"


def main(hands: int = HANDS, seed: int = 0) -> None:
    """Play and print."""
    results = play_all(hands, seed)
    print(f"bb/100 of the row against the column, {GAME}, {hands:,} hands a pair, seed {seed}\n")
    print("| | " + " | ".join(name.replace("_", " ") for name in AGENTS) + " |")
    print("|---" * (len(AGENTS) + 1) + "|")
    for row in AGENTS:
        print(f"| `{row}` | " + " | ".join(cell(results, row, column) for column in AGENTS) + " |")


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
