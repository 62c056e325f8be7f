"""Hand histories: reading and writing PHH files and ACPC logs. The engine checks every move of a replayed hand."""

from __future__ import annotations

from . import acpc, phh
from .errors import HistoryError, HistoryWarning
from .hand_record import HandRecord

__all__ = ["HandRecord", "HistoryError", "HistoryWarning", "acpc", "phh"]
