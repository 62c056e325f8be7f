"""Hand histories: PHH files, ACPC logs and PokerStars' text. The engine checks every move of a replayed hand."""

from __future__ import annotations

from . import acpc, phh, pokerstars
from .collection import HandCollection, PlayedHands, ReplayedHand
from .errors import HistoryError, HistoryWarning
from .format import Format
from .formats import read_hands, register_format, written_format
from .hand_arrays import Decisions, Examples, HandArrays, load_hands, save_hands
from .hand_record import HandRecord
from .hand_writer import HandWriter
from .steps import HandStep, hand_steps, step_shares, street_steps
from .summary import HandSummary

__all__ = [
    "Decisions",
    "Examples",
    "Format",
    "HandArrays",
    "HandCollection",
    "HandRecord",
    "HandStep",
    "HandSummary",
    "HandWriter",
    "HistoryError",
    "HistoryWarning",
    "PlayedHands",
    "ReplayedHand",
    "acpc",
    "hand_steps",
    "load_hands",
    "phh",
    "pokerstars",
    "read_hands",
    "register_format",
    "save_hands",
    "step_shares",
    "street_steps",
    "written_format",
]
