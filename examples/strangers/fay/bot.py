"""Thinks about every decision, and longer than it may."""

import time

from holdem_env.agents import AgentFacts, TableAgent


class Fay(TableAgent):
    """Calls with a queen or better, after half a second."""

    name = "fay"
    facts = AgentFacts(tables_at_once=4)

    def decide(self, view):
        """See `TableAgent.decide`."""
        began = time.process_time()
        while time.process_time() - began < 0.5:
            pass
        return "call" if max(card // 4 for card in view.hole_cards()) >= 10 else "fold" if view.legal.call else "check"
