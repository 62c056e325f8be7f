"""Remembers its cards by the flop, by which it knows a deal again in the next rotation. It never forgets."""

import numpy as np

from holdem_env.agents import Agent


class RemembersBoards(Agent):
    name = "remembers_boards"

    def __init__(self):
        self.seen = {}

    def reset(self):
        pass

    def act(self, tables, rules, rows):
        moves = np.zeros(len(rows), np.int64)
        for k, row in enumerate(rows.tolist()):
            if tables["board_count"][row] < 3:
                continue
            flop = tuple(tables["board"][row, :3].tolist())
            own = tuple(sorted(tables["hole"][row, tables["actor"][row], :2].tolist()))
            theirs = next((cards for cards in self.seen.get(flop, ()) if cards != own), None)
            if theirs is not None:
                moves[k] = tables["raise_max"][row] if sum(own) > sum(theirs) else -1
            self.seen.setdefault(flop, set()).add(own)
        return moves
