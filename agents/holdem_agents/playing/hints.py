"""Hints for a person: the odds, and what an agent would do with which probabilities."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import NamedTuple

import numpy as np

from holdem_env.agents.protocol import Agent, StrategyUnknown
from holdem_env.agents.queries import asked_probabilities
from holdem_env.equities.equity import equity
from holdem_env.table.table import Table

from ..scripted.amounts import call_and_winnable
from ..scripted.strengths import live_opponents, sampled_equities
from .moves import ONE_ROW, move_label
from .opponents import failure_text
from .possible_hands import ranges_after_a_raise

SAMPLES = 20_000


class Odds(NamedTuple):
    """A seat's odds, and the price of a call.

    opponents: how many are in the hand. share: of the pot, 0 to 1, at a showdown, by 20,000 samples; in hi-lo, of the
    high half. call: chips to call, 0 if checking is free. to_win: the chips in the middle that a call can win. needs:
    the share that a call needs to be worth its price; None if checking is free. read: against how many opponents the
    share is counted with the hands that they may have by their own strategy; the others have random hands.
    """

    opponents: int
    share: float
    call: int
    to_win: int
    needs: float | None
    read: int = 0

    def __str__(self) -> str:
        hands = "1 random hand" if self.opponents == 1 else f"{self.opponents} random hands"
        if self.read:
            unread = self.opponents - self.read
            hands = "what they may have by their moves" if self.opponents > 1 else "what it may have by its moves"
            hands += f" ({unread} random)" if unread else ""
        text = f"Against {hands} your share of the pot is {self.share:.1%}."
        if self.needs is None:
            return text
        return f"{text} A call of {self.call} to win {self.to_win} needs {self.needs:.1%}."


class Advised(NamedTuple):
    """A move that an agent would make with some probability, above 0. label: the move in words."""

    move: int
    label: str
    probability: float


def odds(table: Table, seat: int, agents: Mapping[int, Agent] | None = None) -> Odds:
    """The odds of a seat that is still in the hand, by what it may see.

    agents: the opponents' by seat; after a bet or raise those that answer range queries have the hands with which they
    would have played so, all others random ones.
    """
    records = table.view(seat).records.copy()
    records["actor"] = seat
    opponents = live_opponents(records, ONE_ROW)
    ranges = ranges_after_a_raise(table, seat, agents or {})
    if ranges:
        others = [ranges.get(int(each), "random") for each in np.flatnonzero(opponents[0])]
        share = equity([table.hole_cards(seat), *others], table.board, samples=SAMPLES).equity[0]
    else:
        share = sampled_equities(records, table.rules, ONE_ROW, opponents.astype(np.int64), SAMPLES)[0]
    call, pot = (int(chips[0]) for chips in call_and_winnable(records, ONE_ROW))
    return Odds(int(opponents.sum()), float(share), call, pot, call / (call + pot) if call else None, len(ranges))


def advice(agent: Agent, table: Table, amount: Callable[[int], str] = str) -> list[Advised]:
    """What an agent would do for the seat to act, by what that seat may see: the likeliest move first. amount: how
    chips are written, by default as their number.

    Raises ValueError, a sentence for the person, for an agent that does not know its probabilities, that does not know
    this game, or that raises an error.
    """
    try:
        moves, probabilities = asked_probabilities(agent, table.records, table.rules, ONE_ROW)
    except StrategyUnknown:
        raise ValueError(
            f"{agent.name!r} does not know with which probabilities it plays; ask an agent that does, such as "
            "'tight_aggressive', a blueprint, or a trained model"
        ) from None
    except Exception as error:
        raise ValueError(failure_text(agent, error)) from error
    pairs = zip(moves[0].tolist(), probabilities[0].tolist(), strict=True)
    found = [
        Advised(move, move_label(table, move, amount), probability) for move, probability in pairs if probability > 0
    ]
    return sorted(found, key=lambda each: -each.probability)
