"""Matches and tournaments between agents: the same deals for everybody, and intervals that say how sure one can be."""

from .best_responses.exploitability import (
    best_response,
    best_response_values,
    exact_value,
    exploitability,
    sampled_exploitability,
    why_not_exact,
)
from .best_responses.lbr_table import local_best_responses
from .best_responses.local import LocalBestResponse, local_best_response
from .datasets.hands import make_hands
from .datasets.spots import SolvedSpots, load_solved_spots, make_spots
from .estimators.aivat import Aivat
from .estimators.all_in import AllInValue
from .estimators.imaginary import ImaginaryAivat
from .estimators.registry import register_estimator
from .matches.match import MatchResult, play_deals, play_match
from .matches.players import AgentFailed
from .matches.seating import balanced_lineups, one_against_all, rotations
from .matches.sessions import play_sessions
from .matches.sittings import play_sittings
from .observed.saved_hands import SavedHands
from .scoring.card import Card, load_card
from .scoring.findings import Figure, NotMeasured
from .scoring.measure import Amounts, Measure
from .scoring.measures import register_measure
from .scoring.scoring import score
from .scoring.task import Task, load_task
from .statistics.deals import Deals, join
from .statistics.estimates import Estimate, best_estimate, estimates
from .statistics.intervals import Interval, fixed_interval, sequence, watched_interval
from .statistics.results import DuplicateResult

__all__ = [
    "AgentFailed",
    "Aivat",
    "AllInValue",
    "Amounts",
    "Card",
    "Deals",
    "DuplicateResult",
    "Estimate",
    "Figure",
    "ImaginaryAivat",
    "Interval",
    "LocalBestResponse",
    "MatchResult",
    "Measure",
    "NotMeasured",
    "SavedHands",
    "SolvedSpots",
    "Task",
    "balanced_lineups",
    "best_estimate",
    "best_response",
    "best_response_values",
    "estimates",
    "exact_value",
    "exploitability",
    "fixed_interval",
    "join",
    "load_card",
    "load_solved_spots",
    "load_task",
    "local_best_response",
    "local_best_responses",
    "make_hands",
    "make_spots",
    "one_against_all",
    "play_deals",
    "play_match",
    "play_sessions",
    "play_sittings",
    "register_estimator",
    "register_measure",
    "rotations",
    "sampled_exploitability",
    "score",
    "sequence",
    "watched_interval",
    "why_not_exact",
]
