"""Never answers."""

from holdem_env.agents import Agent


class Loops(Agent):
    name = "loops"

    def act(self, tables, rules, rows):
        while True:
            pass
