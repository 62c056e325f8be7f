"""Mistakes that were planted, and whether they are found: `python -m benchmarks.mistakes`.

In hands of a blueprint's own play, a player who has to call three big blinds or more folds a hand on the turn or river
that fewer than 1 % of the other hands beat, or on the river calls with one that all but 1 % beat. Printed is how many
of them are among the worst decisions of these hands, half as many again as were planted; and what the solution itself
loses: re-solving without a floor, so that it is judged with the ranges that it assumes.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Iterator
from itertools import islice
from typing import NamedTuple

import numpy as np

from holdem_env import Rules, Table
from holdem_env.agents import make_agent
from holdem_env.agents.protocol import Agent
from holdem_env.arena.best_responses.mistakes import Decision, Mistakes, judged_hands, played_hands
from holdem_env.cards.combos import COMBO_CARDS, combo_number, possible_combos
from holdem_env.cards.evaluation import evaluate

CALL = 3
"""Big blinds, at least."""
FEW = 0.01
RIVER = 3
MAX_HANDS = 1_000
"""Hands for each mistake that are looked through at most."""


class Planted(NamedTuple):
    """A hand that ends, or is all-in, with a mistake. kind: "fold" or "call"."""

    table: Table
    seat: int
    street: str
    kind: str


def planted(agent: Agent, rules: Rules, count: int, seed: int = 3) -> Iterator[Planted]:
    """Hands of an agent's own play, `count` at most, each with one mistake."""
    hands = played_hands(agent, rules, MAX_HANDS * count, seed)
    return islice((found for table in hands if (found := _planted_in(table)) is not None), count)


def _planted_in(table: Table) -> Planted | None:
    """The hand with a mistake at the first decision that allows it, and none after it: who made it faces no more."""
    for before in table.states():
        seat, t = before.actor, before.records[0]
        if seat is None or int(t["street"]) < RIVER - 1:
            continue
        if t["bet_to_match"] - t["seats"]["bet"][seat] < CALL * float(table.game.unit):
            continue
        better, worse = _ranked(before)
        is_river = int(t["street"]) == RIVER
        if better < FEW or (is_river and worse < FEW):
            kind, wrong = ("fold", before.copy()) if better < FEW else ("call", before.copy())
            wrong.play(-1 if kind == "fold" else 0)
            return Planted(wrong, seat, "river" if is_river else "turn", kind)
    return None


def _ranked(table: Table) -> tuple[float, float]:
    """The parts of the hands that an opponent may have that beat the hand of the seat to act now, and that do not."""
    board, own = np.array(table.board), combo_number(*map(int, table.hole_cards(table.actor)))
    combos = COMBO_CARDS[possible_combos(np.concatenate([board, COMBO_CARDS[own]]))]
    held = np.concatenate([COMBO_CARDS[[own]], combos])
    values = evaluate(np.concatenate([held, np.broadcast_to(board, (len(held), len(board)))], axis=1))
    better = float((values[1:] > values[0]).mean())
    return better, 1.0 - better


def found_among_worst(hands: list[Planted], judged: Mistakes) -> list[bool]:
    """For each planted mistake whether it is among the worst decisions: half as many again as were planted."""
    worst = judged.worst[: len(hands) * 3 // 2]
    return [any(_is(each, number, one) for each in worst) for number, one in enumerate(hands)]


def _is(decision: Decision, number: int, one: Planted) -> bool:
    what = decision.hand, decision.seat, decision.street, decision.kind
    return decision.loss > 0 and what == (number, one.seat, one.street, one.kind)


def main() -> None:
    """Plant, judge, and print what was found."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.mistakes", description=__doc__.splitlines()[0])
    parser.add_argument("--hands", type=int, default=100, help="with a mistake in each (%(default)s)")
    parser.add_argument("--agent", default="blueprint_20bb", help="whose play it is (%(default)s)")
    parser.add_argument("--solution", type=int, default=100, help="hands of re-solving (%(default)s)")
    chosen = parser.parse_args()
    started, agent = time.perf_counter(), make_agent(chosen.agent)
    rules: Rules = agent.facts.trained_on
    hands = list(planted(agent, rules, chosen.hands))
    judged = judged_hands([one.table for one in hands], (agent, agent))
    found = found_among_worst(hands, judged)
    kinds = ", ".join(f"{sum(one.kind == kind for one in hands)} {kind}s" for kind in ("fold", "call"))
    print(
        f"{chosen.agent}: {sum(found)} of {len(hands)} planted mistakes ({kinds}) are among the worst "
        f"{len(hands) * 3 // 2} of {len(judged.decisions)} decisions; {time.perf_counter() - started:.0f} s",
        flush=True,
    )
    for number, (one, is_found) in enumerate(zip(hands, found, strict=True)):
        if not is_found:
            here = [each for each in judged.decisions if _is(each._replace(loss=1.0), number, one)]
            print(f"  not found: {here[0] if here else one}")
    resolving = make_agent(chosen.agent, search="river", iterations=300, floor=0.0)
    mean, half, count = judged_hands(played_hands(resolving, rules, chosen.solution, 2), (agent, agent)).mean("river")
    print(f"the solution loses {mean:.4f} ± {half:.4f} big blinds a decision, of {count} on rivers", flush=True)


if __name__ == "__main__":
    main()
