"""Agents of files, for tables where something goes wrong."""

from __future__ import annotations

import threading

import numpy as np

from holdem_env.agents.protocol import Agent


class Failing(Agent):
    """Checks and calls, and raises an error when it is asked to; its message names the cards that it holds."""

    name = "failing"

    def __init__(self) -> None:
        self.fails = threading.Event()

    def act(self, tables, rules, rows):
        if self.fails.is_set():
            cards = [int(card) for card in tables["hole"][rows[0], tables["actor"][rows[0]], :2]]
            from holdem_env.cards.text import Cards

            raise RuntimeError(f"I cannot play {Cards(cards)} at {tables['pot'][rows[0]]}")
        return np.zeros(rows.size, np.int64)

    def clone(self):
        return self


class Slow(Failing):
    """Checks and calls, when it is let."""

    name = "slow"

    def __init__(self) -> None:
        super().__init__()
        self.may_play = threading.Event()

    def act(self, tables, rules, rows):
        assert self.may_play.wait(60)
        return np.zeros(rows.size, np.int64)


class Quitting(Failing):
    """Ends the program instead of playing."""

    name = "quitting"

    def act(self, tables, rules, rows):
        if self.fails.is_set():
            raise SystemExit(3)
        return np.zeros(rows.size, np.int64)
