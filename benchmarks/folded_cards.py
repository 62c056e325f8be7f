"""What it is worth to be shown folded cards: `python -m benchmarks.folded_cards`, some minutes.

Some arenas show a language model what its opponents held in earlier hands, folded or not. Here a scripted reader of
such prompts plays Leduc: it counts what the opponent did with each hand that it was shown, takes the solution for what
it has not seen, and plays the best response to that. Once it sees all hands, once only those of showdowns, as at a
table. The opponents are solutions with an error: at each decision, a share of the play is that of another agent.
Printed is what the reader wins, exactly, in chips a hand, after reading a number of hands.
"""

from __future__ import annotations

import argparse
from collections import Counter, defaultdict

import numpy as np
from numpy.typing import NDArray

from holdem_env.agents.known_strategy import KnownStrategy
from holdem_env.agents.protocol import Agent
from holdem_env.agents.queries import asked_probabilities
from holdem_env.agents.registry import make_agent
from holdem_env.arena import best_response, exact_value
from holdem_env.arena.matches.match import play_deals
from holdem_env.cards.text import UNKNOWN
from holdem_env.engine.record import NO_CARD, Records
from holdem_env.engine.seat_view import new_views, view_rows
from holdem_env.game.rules import Rules
from holdem_env.solvers import solve

GAME = "leduc"
ERRORS = {"calls too much": ("calling_station", 0.3), "bets too much": ("maniac", 0.3), "any": ("random", 0.3)}
HANDS = (30, 100, 300, 1_000)
PRIOR = 2.0
"""How many hands of its own the reader believes to have seen the solution play at each decision."""
SUITS = 4
READER, OPPONENT = 0, 1
Key = tuple[int, ...]


class Mixed(KnownStrategy):
    """The solution, but for a share of the play."""

    def __init__(self, name: str, solution: Agent, other: Agent, share: float) -> None:
        super().__init__()
        self.name, self.solution, self.other, self.share = name, solution, other, share

    def probabilities(
        self, tables: Records, rules: Rules, rows: NDArray[np.int64]
    ) -> tuple[NDArray[np.int64], NDArray[np.float64]]:
        """See `Agent.probabilities`."""
        moves, likely = asked_probabilities(self.solution, tables, rules, rows)  # which lists every move
        wrong, often = asked_probabilities(self.other, tables, rules, rows)
        same = moves[:, :, None] == wrong[:, None, :]
        return moves, (1 - self.share) * likely + self.share * (same * often[:, None, :]).sum(axis=2)


class Read(KnownStrategy):
    """An opponent as a reader knows it. counts: by decision, how often each move was made there."""

    name = "read"

    def __init__(self, solution: Agent, counts: dict[Key, Counter[int]]) -> None:
        super().__init__()
        self.solution, self.counts = solution, counts

    def probabilities(
        self, tables: Records, rules: Rules, rows: NDArray[np.int64]
    ) -> tuple[NDArray[np.int64], NDArray[np.float64]]:
        """See `Agent.probabilities`."""
        moves, likely = asked_probabilities(self.solution, tables, rules, rows)
        for k, row in enumerate(rows.tolist()):
            t = tables[row]
            made = self.counts.get(decision(t, int(t["moves"]), t["hole"][int(t["actor"]), 0]), Counter())
            seen = np.array([made[move] for move in moves[k].tolist()])
            likely[k] = (PRIOR * likely[k] + seen) / (PRIOR + seen.sum())
        return moves, likely


def decision(t: np.void, moves: int, card: int) -> Key:
    """What a player knows at the decision after this number of moves: moves, board and card, by rank."""
    made = t["made"][: moves + 1]
    is_dealt = (made["street"][-1] if moves < int(t["moves"]) else t["street"]) > 0
    return (*made["move"][:moves].tolist(), -5, int(t["board"][0]) // SUITS if is_dealt else -5, int(card) // SUITS)


def read(shown: Records, seat: NDArray[np.int64], hands: int) -> dict[Key, Counter[int]]:
    """What the opponent did in the first hands, where its card is shown."""
    counts: dict[Key, Counter[int]] = defaultdict(Counter)
    for t, own in zip(shown[:hands], seat[:hands].tolist(), strict=True):
        if t["hole"][own, 0] == NO_CARD or t["hole"][own, 0] == UNKNOWN:
            continue
        for place in range(int(t["moves"])):
            made = t["made"][place]
            if made["seat"] == own:
                counts[decision(t, place, t["hole"][own, 0])][int(made["move"])] += 1
    return counts


def measure(name: str, repeats: int) -> None:
    """Play one opponent, and print its lines."""
    other, share = ERRORS[name]
    rules, solution = Rules.preset(GAME), solve(GAME, accuracy=0.01).agent()
    opponent, most = Mixed(name, solution, make_agent(other), share), max(HANDS)
    print(
        f"{name}: the solution wins {exact_value(solution, opponent, rules):.3f}, the best response "
        f"{exact_value(best_response(opponent, rules), opponent, rules):.3f} chips a hand"
    )
    won: dict[tuple[str, int], list[float]] = defaultdict(list)
    for seed in range(repeats):
        hands: list[tuple[Records, NDArray[np.int64]]] = []
        play_deals(
            rules,
            [solution, opponent],
            (READER, OPPONENT),
            range(most),
            seed,
            duplicate=False,
            finished=lambda tables, seating, hands=hands: hands.append((tables.copy(), seating.copy())),
        )
        tables = np.concatenate([each for each, _ in hands])
        seats = np.concatenate([np.argmax(seating == OPPONENT, axis=1) for _, seating in hands])
        seen = new_views(len(tables))
        for reader in (0, 1):
            rows = np.flatnonzero(seats != reader)
            views = new_views(len(rows))
            view_rows(tables, rules.record, rows, views, seats=np.full(len(rows), reader))
            seen[rows] = views
        for count in HANDS:
            for what, shown in (("showdowns", seen), ("all cards", tables)):
                believed = Read(solution, read(shown, seats, count))
                won[what, count].append(exact_value(best_response(believed, rules), opponent, rules))
    for count in HANDS:
        two = [np.mean(won[what, count]) for what in ("showdowns", "all cards")]
        error = np.std(np.subtract(won["all cards", count], won["showdowns", count]), ddof=1) / repeats**0.5
        print(
            f"  {count:5,} hands: with showdowns {two[0]:+.3f}, with all cards {two[1]:+.3f}; "
            f"the leak {two[1] - two[0]:+.3f} ± {1.96 * error:.3f}",
            flush=True,
        )


def main() -> None:
    """Measure each opponent."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.folded_cards", description=__doc__.splitlines()[0])
    parser.add_argument("--repeats", type=int, default=20, help="of each (%(default)s)")
    repeats = parser.parse_args().repeats
    for name in ERRORS:
        measure(name, repeats)


if __name__ == "__main__":
    main()
