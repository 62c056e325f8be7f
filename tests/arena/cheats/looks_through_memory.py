"""Looks for records of tables among all objects of the process."""

import gc

import numpy as np

from holdem_env.agents import Agent


class LooksThroughMemory(Agent):
    name = "looks_through_memory"

    def act(self, tables, rules, rows):
        found = [thing for thing in gc.get_objects() if type(thing) is np.ndarray]
        return np.zeros(len(rows), np.int64) - (len(found) < 0)
