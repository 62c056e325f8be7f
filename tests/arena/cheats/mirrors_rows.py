"""Takes its own cards at the row beside, 2k+1 beside 2k, for those of its opponent: where the rotations of a deal stand
side by side, they are. `random` takes those of any row, for comparison."""

import numpy as np

from holdem_env.agents import Agent


class MirrorsRows(Agent):
    name = "mirrors_rows"

    def __init__(self, random=False):
        self.random = random

    def act(self, tables, rules, rows):
        here = np.arange(len(rows))
        t = tables[rows]
        own = (t["hole"][here, t["actor"], :2] // 4).sum(axis=1)
        beside = np.roll(here, len(rows) // 3 + 1) if self.random else np.minimum(here ^ 1, len(rows) - 1)
        return np.where(own > own[beside], t["raise_max"], -1)
