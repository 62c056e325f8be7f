"""A person at a table with agents, whatever shows it: the terminal and the browser play through this room."""

from .game import HumanGame
from .hints import Advised, Odds, advice, odds
from .log_lines import LogLine, hand_log
from .moves import move_label, move_of
from .opponents import SEARCH, AgentFailure, searching_from
from .results import FinishedHand, Results
from .review import ReviewedDecision, cards_of, review

__all__ = [
    "SEARCH",
    "Advised",
    "AgentFailure",
    "FinishedHand",
    "HumanGame",
    "LogLine",
    "Odds",
    "Results",
    "ReviewedDecision",
    "advice",
    "cards_of",
    "hand_log",
    "move_label",
    "move_of",
    "odds",
    "review",
    "searching_from",
]
