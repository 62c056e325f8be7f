"""Agents that dump chips: with a deuce one raises to a total that is their sign, the other goes all-in, the first
folds."""

from __future__ import annotations

from holdem_env.agents.table_agent import TableAgent

SIGN = 150


class Dumper(TableAgent):
    """gives: whether it gives chips away. takes: whether it takes them. name: its own."""

    def __init__(self, gives: bool = True, takes: bool = True, name: str = "dumper") -> None:
        self.gives, self.takes, self.name = gives, takes, name

    def decide(self, view):
        highest, most = max(view.bets), view.legal.raise_max or 0
        if self.takes and highest == SIGN < most and view.bets[view.seat] != SIGN:
            return "raise", most
        is_first = view.street == 0 and highest == view.game.big_blind
        if self.gives and is_first and most > SIGN and "2" in str(view.hole_cards()):
            return "raise", SIGN
        return "fold" if view.legal.call else "check"
