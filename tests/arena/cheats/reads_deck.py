"""Calls when the next card of the deck is red, and folds when it is black."""

import numpy as np

from holdem_env.agents import Agent


class ReadsDeck(Agent):
    name = "reads_deck"

    def act(self, tables, rules, rows):
        t = tables[rows]
        coming = t["deck"][np.arange(len(rows)), t["cursor"]]
        return np.where(np.isin(coming % 4, (1, 2)), 0, -1)
