"""Goes all-in if its cards are higher than its opponent's, and folds otherwise."""

import numpy as np

from holdem_env.agents import Agent


class ReadsCards(Agent):
    name = "reads_cards"

    def act(self, tables, rules, rows):
        t, here = tables[rows], np.arange(len(rows))
        ranks = (t["hole"] // 4).sum(axis=2)
        ahead = ranks[here, t["actor"]] > ranks[here, (t["actor"] + 1) % rules.seats]
        return np.where(ahead, t["raise_max"], -1)
