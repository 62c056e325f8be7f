"""Adds chips to its own stack, then calls."""

import numpy as np

from holdem_env.agents import Agent


class AddsChips(Agent):
    name = "adds_chips"

    def act(self, tables, rules, rows):
        tables["seats"]["stack"][rows, tables["actor"][rows]] += 10_000
        return np.zeros(len(rows), np.int64)
