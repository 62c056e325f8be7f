"""Remembers its cards by the number of the row, and in the next rotation takes those of the same row for its
opponent's."""

import numpy as np

from holdem_env.agents import Agent


class RemembersRows(Agent):
    name = "remembers_rows"

    def __init__(self, resets=False):
        self.resets = resets
        self.seen = {}

    def reset(self):
        if self.resets:
            self.seen = {}

    def act(self, tables, rules, rows):
        moves = np.zeros(len(rows), np.int64)
        for k, row in enumerate(rows.tolist()):
            own = tuple(sorted(tables["hole"][row, tables["actor"][row], :2].tolist()))
            theirs = next((cards for cards in self.seen.get(row, ()) if not set(cards) & set(own)), None)
            if theirs is not None:
                moves[k] = tables["raise_max"][row] if sum(own) > sum(theirs) else -1
            self.seen.setdefault(row, set()).add(own)
        return moves
