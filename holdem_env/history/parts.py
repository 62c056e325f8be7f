"""What a format of hand histories of your own is made of: pieces of files, moves, and what is to be written."""

from __future__ import annotations

from ..cards.text import UNKNOWN
from .files import Piece, StrPath, kind_of, open_text
from .format import Format
from .hand_record import BOARD, CALL, FOLD, RAISE, HandRecord, Move
from .reading import Parse, Split
from .summary import HandSummary
from .writing import HandOptions, HandToWrite, check_dealing

__all__ = [
    "BOARD",
    "CALL",
    "FOLD",
    "RAISE",
    "UNKNOWN",
    "Format",
    "HandOptions",
    "HandRecord",
    "HandSummary",
    "HandToWrite",
    "Move",
    "Parse",
    "Piece",
    "Split",
    "StrPath",
    "check_dealing",
    "kind_of",
    "open_text",
]
