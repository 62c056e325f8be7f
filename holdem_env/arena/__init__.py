"""Matches and tournaments between agents: the same deals for everybody, and intervals that say how sure one can be."""

from .all_in import AllInValue
from .dealer import AgentFailed
from .deals import Deals, join
from .estimators import Estimate, best_estimate, estimates
from .intervals import Interval, fixed_interval, sequence, watched_interval
from .match import MatchResult, play_deals, play_match
from .seating import balanced_lineups, one_against_all, rotations
from .sessions import play_sessions

__all__ = [
    "AgentFailed",
    "AllInValue",
    "Deals",
    "Estimate",
    "Interval",
    "MatchResult",
    "balanced_lineups",
    "best_estimate",
    "estimates",
    "fixed_interval",
    "join",
    "one_against_all",
    "play_deals",
    "play_match",
    "play_sessions",
    "rotations",
    "sequence",
    "watched_interval",
]
