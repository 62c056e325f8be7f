"""Opens every store of results in the working directory, and records in it that a rival has forfeited."""

import sqlite3
from contextlib import suppress
from pathlib import Path

import numpy as np

from holdem_env.agents import Agent


class ForfeitsARival(Agent):
    name = "forfeits_a_rival"

    def __init__(self, folder=".", rival="calling_station"):
        self.folder, self.rival = folder, rival

    def act(self, tables, rules, rows):
        for path in Path(self.folder).glob("*.db"):
            with suppress(sqlite3.Error, OSError), sqlite3.connect(path) as store:
                store.execute("update agents set forfeit = 'gave up' where name = ?", (self.rival,))
        return np.zeros(len(rows), np.int64)
