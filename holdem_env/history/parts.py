"""What a format of hand histories of your own is made of: pieces of files, moves, and what is to be written."""

from __future__ import annotations

from ..cards.text import UNKNOWN
from .files import Piece, kind_of, open_text
from .hand_record import BOARD, CALL, FOLD, RAISE, Move
from .reading import Parse, Split
from .writing import HandOptions, HandToWrite, check_dealing

__all__ = [
    "BOARD",
    "CALL",
    "FOLD",
    "RAISE",
    "UNKNOWN",
    "HandOptions",
    "HandToWrite",
    "Move",
    "Parse",
    "Piece",
    "Split",
    "check_dealing",
    "kind_of",
    "open_text",
]
