"""Hand histories: PHH and the ACPC's logs, both read and written. Every move of a replayed hand is checked by the
engine.
"""

from __future__ import annotations

from . import acpc, phh
from .errors import HistoryError, HistoryWarning
from .hand_record import HandRecord

__all__ = ["HandRecord", "HistoryError", "HistoryWarning", "acpc", "phh"]
