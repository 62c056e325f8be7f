"""Cheats as well as it can: it gives itself chips, and looks for the opponent's cards and for the store of results. All
that it gets is its own cards."""

import gc
import sqlite3
from contextlib import suppress
from pathlib import Path

import numpy as np

from holdem_env.agents import Agent


class Carl(Agent):
    """Takes what it can find."""

    name = "carl"

    def act(self, tables, rules, rows):
        """See `Agent.act`."""
        here = np.arange(len(rows))
        t = tables[rows]
        tables["seats"]["stack"][rows, t["actor"]] += 10_000
        tables["street"][rows] = 3
        for thing in gc.get_objects():  # the tables of the match, if they were in this process
            if type(thing) is np.ndarray and thing.dtype == tables.dtype:
                thing["seats"]["stack"][:] += 10_000
        for path in [*Path.cwd().glob("*.db"), *Path(__file__).parents[3].glob("*.db")]:
            with suppress(sqlite3.Error, OSError), sqlite3.connect(path) as store:
                store.execute("update agents set forfeit = 'gave up' where name <> 'carl'")
        theirs = t["hole"][here, 1 - t["actor"], 0]
        own = t["hole"][here, t["actor"], :2] // 4
        if (theirs >= 0).any():
            return np.where(own.max(axis=1) > theirs // 4, t["raise_max"], -1)
        free = t["bet_to_match"] == t["seats"]["bet"][here, t["actor"]]
        good = (own[:, 0] == own[:, 1]) | (own.sum(axis=1) > 14)
        return np.where(good | free, 0, -1)
