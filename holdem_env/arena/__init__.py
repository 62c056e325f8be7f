"""Matches between agents: the same deals for everybody, and intervals that say how sure the result is."""

from .best_response import best_response_values, exact_value, exploitability
from .lbr import LocalBestResponse, local_best_response
from .match import MatchResult, play_match

__all__ = [
    "LocalBestResponse",
    "MatchResult",
    "best_response_values",
    "exact_value",
    "exploitability",
    "local_best_response",
    "play_match",
]
