"""Writes what it sees into a file in the folder of the user, and tells it to another machine."""

import socket
from pathlib import Path

import numpy as np

from holdem_env.agents import Agent


class WritesFiles(Agent):
    name = "writes_files"

    def __init__(self, folder="."):
        self.folder = folder

    def act(self, tables, rules, rows):
        (Path(self.folder) / "seen.txt").write_text(str(tables["hole"][rows].tolist()))
        with socket.socket() as to:
            to.settimeout(0.1)
            to.connect_ex(("127.0.0.1", 9))
        return np.zeros(len(rows), np.int64)
