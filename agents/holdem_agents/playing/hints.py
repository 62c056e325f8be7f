"""Hints for a person: the odds, and what an agent would do with which probabilities."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from holdem_env.agents.asking import asked_probabilities
from holdem_env.agents.protocol import Agent, StrategyUnknown
from holdem_env.table.table import Table

from ..scripted.amounts import call_and_winnable
from ..scripted.strengths import live_opponents, sampled_shares
from .moves import ONE_ROW, move_label
from .opponents import failure_text

SAMPLES = 20_000


class Odds(NamedTuple):
    """A seat's odds against random hands, and the price of a call."""

    opponents: int
    """How many are in the hand."""
    share: float
    """Of the pot, 0 to 1, at a showdown against random hands, by 20,000 samples; in hi-lo, of the high half."""
    call: int
    """Chips to call, 0 if checking is free."""
    to_win: int
    """The chips in the middle that a call can win."""
    needs: float | None
    """The share that a call needs to be worth its price; None if checking is free."""

    def __str__(self) -> str:
        hands = "1 random hand" if self.opponents == 1 else f"{self.opponents} random hands"
        text = f"Against {hands} your share of the pot is {self.share:.1%}."
        if self.needs is None:
            return text
        return f"{text} A call of {self.call} to win {self.to_win} needs {self.needs:.1%}."


class Advised(NamedTuple):
    """A move that an agent would make with some probability."""

    move: int
    """The engine move: -1 folds, 0 checks or calls, a positive number is the street total to raise to."""
    label: str
    """The move in words."""
    probability: float
    """Above 0, at most 1."""


def odds(table: Table, seat: int) -> Odds:
    """The odds of a seat that is still in the hand, by what it may see."""
    records = table.view(seat).records.copy()
    records["actor"] = seat
    opponents = live_opponents(records, ONE_ROW)
    share = sampled_shares(records, table.rules, ONE_ROW, opponents.astype(np.int64), SAMPLES)[0]
    call, pot = (int(chips[0]) for chips in call_and_winnable(records, ONE_ROW))
    return Odds(int(opponents.sum()), float(share), call, pot, call / (call + pot) if call else None)


def advice(agent: Agent, table: Table) -> list[Advised]:
    """What an agent would do for the seat to act, by what that seat may see: the likeliest move first.

    Raises ValueError, a sentence for the person, for an agent that does not know its probabilities, that does not know
    this game, or that raises an error.
    """
    try:
        moves, chances = asked_probabilities(agent, table.records, table.rules, ONE_ROW)
    except StrategyUnknown:
        raise ValueError(
            f"{agent.name!r} does not know with which probabilities it plays; ask an agent that does, such as "
            "'tight_aggressive', a blueprint, or a trained model"
        ) from None
    except Exception as error:
        raise ValueError(failure_text(agent, error)) from error
    pairs = zip(moves[0].tolist(), chances[0].tolist(), strict=True)
    found = [Advised(move, move_label(table, move), chance) for move, chance in pairs if chance > 0]
    return sorted(found, key=lambda each: -each.probability)
