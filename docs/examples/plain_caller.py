"""The smallest agent in a file: it calls, or checks, whatever it holds."""

import numpy as np

from holdem_env.agents import KnownStrategy


class PlainCaller(KnownStrategy):
    """Always checks or calls."""

    name = "plain_caller"

    def probabilities(self, tables, rules, rows):
        """One move for each row, 0 (check or call), with probability 1."""
        return np.zeros((len(rows), 1), np.int64), np.ones((len(rows), 1))
