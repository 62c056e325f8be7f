"""Push or fold heads-up with two big blinds, where the value of a match can be counted out: a known answer."""

from __future__ import annotations

import numpy as np

from holdem_env import Range, Rules, equity
from holdem_env.agents import Agent

RULES = Rules(seats=2, blinds=(50, 100), stacks=200)
DEALS, BOARDS = 1326 * 1225, 1_712_304


class PushFold(Agent):
    """Goes all-in on the button with one range, calls all-in with another, folds the rest."""

    def __init__(self, name: str, push: str, call: str) -> None:
        self.name, self.push, self.call = name, push, call
        self._plays = np.stack([in_range(call), in_range(push)])

    def act(self, tables, rules, rows):
        seat = tables["actor"][rows]
        hole = tables["hole"][rows, seat, :2].astype(np.int64)
        high, low = hole.max(axis=1), hole.min(axis=1)
        pushing = (seat == tables["button"][rows]).astype(int)
        plays = self._plays[pushing, high * (high - 1) // 2 + low]
        return np.where(plays, np.where(pushing, 200, 0), -1)


def in_range(text: str) -> np.ndarray:
    """(1326,) bool: which combos the range has."""
    held = np.zeros(1326, bool)
    high, low = Range(text).cards.T
    held[high * (high - 1) // 2 + low] = True
    return held


def value(one: PushFold, two: PushFold) -> float:
    """The first one's big blinds a hand, the mean over both positions, counted over all deals and boards."""
    return (on_button(one, two) - on_button(two, one)) / 2


def on_button(one: PushFold, two: PushFold) -> float:
    """What the player on the button wins: half a blind lost by folding, one won if the other folds."""
    pushes = 1225 * int(in_range(one.push).sum())
    called = equity([one.push, two.call])
    calls = called.boards // BOARDS  # deals in which both have such a hand
    return (-0.5 * (DEALS - pushes) + (pushes - calls) + calls * (4 * called.equity[0] - 2)) / DEALS
