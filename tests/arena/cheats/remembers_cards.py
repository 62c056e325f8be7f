"""Remembers by `table_id`, in a variable of its module, which cards it held at a table, and takes the others that it
once held there for its opponent's. With `resets` it has a method `reset`, and still does not forget."""

import numpy as np

from holdem_env.agents import Agent

SEEN = {}


class RemembersCards(Agent):
    name = "remembers_cards"

    def act(self, tables, rules, rows):
        moves = np.zeros(len(rows), np.int64)
        for k, row in enumerate(rows.tolist()):
            own = tuple(sorted(tables["hole"][row, tables["actor"][row], :2].tolist()))
            theirs = next((cards for cards in SEEN.get(int(tables["table_id"][row]), ()) if cards != own), None)
            if theirs is not None:
                moves[k] = tables["raise_max"][row] if sum(own) > sum(theirs) else -1
            SEEN.setdefault(int(tables["table_id"][row]), set()).add(own)
        return moves


class WithReset(RemembersCards):
    """The same, with a `reset` that does nothing."""

    def reset(self):
        pass


def make_agent(resets=False):
    return WithReset() if resets else RemembersCards()
