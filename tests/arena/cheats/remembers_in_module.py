"""Remembers its cards by the flop in a variable of its module, where every copy of it finds them."""

import numpy as np

from holdem_env.agents import Agent

SEEN = {}


class RemembersInModule(Agent):
    name = "remembers_in_module"

    def act(self, tables, rules, rows):
        moves = np.zeros(len(rows), np.int64)
        for k, row in enumerate(rows.tolist()):
            if tables["board_count"][row] < 3:
                continue
            flop = tuple(tables["board"][row, :3].tolist())
            own = tuple(sorted(tables["hole"][row, tables["actor"][row], :2].tolist()))
            theirs = next((cards for cards in SEEN.get(flop, ()) if cards != own), None)
            if theirs is not None:
                moves[k] = tables["raise_max"][row] if sum(own) > sum(theirs) else -1
            SEEN.setdefault(flop, set()).add(own)
        return moves
