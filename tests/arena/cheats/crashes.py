"""Reads where no memory is: a segmentation fault, as of a faulty extension in C."""

import faulthandler

from holdem_env.agents import Agent


class Crashes(Agent):
    name = "crashes"

    def act(self, tables, rules, rows):
        faulthandler._sigsegv()
