"""Ends the process as if all was well."""

import os

from holdem_env.agents import Agent


class Exits(Agent):
    name = "exits"

    def act(self, tables, rules, rows):
        os._exit(0)
