"""Draws from the system's random numbers, which cannot be repeated; folds more often if the opponent's card is high."""

import os

import numpy as np

from holdem_env.agents import Agent


class ReadsCardsAtRandom(Agent):
    name = "reads_cards_at_random"

    def act(self, tables, rules, rows):
        t = tables[rows]
        theirs = t["hole"][np.arange(len(rows)), (t["actor"] + 1) % rules.seats, 0]
        dice = np.frombuffer(os.urandom(len(rows)), np.uint8)
        return np.where(dice < np.where(theirs > 26, 160, 80), -1, 0)
