"""The numbers of hold'em that equities are counted by: its deck, its hands, its boards."""

from __future__ import annotations

from ..cards.combos import COMBOS as COMBOS
from ..cards.text import CARDS

DECK = CARDS
HOLE, BOARD = 2, 5
FLOP, TURN, RIVER = 3, 4, 5
BOARD_SIZES = (0, FLOP, TURN, RIVER)
FLUSH = 5
"""Cards of a suit that make one."""
MIN_PLAYERS, MAX_PLAYERS = 2, 10
