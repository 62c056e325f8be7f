"""PokerStars' text as a format."""

from __future__ import annotations

from . import pokerstars, pokerstars_quick_summary
from .format import Format
from .pokerstars_text import raw_hands
from .pokerstars_writing import framed, text_of

POKERSTARS = Format(
    name="pokerstars",
    title="PokerStars",
    suffixes=(".txt",),
    about="a PokerStars file has hands that begin with PokerStars Hand #",
    is_one=pokerstars.is_history,
    cannot="games but hold'em and Omaha, unusual bets; unknown board cards, hands that are not over, dealer's errors",
    split=raw_hands,
    parser=lambda path, game: pokerstars.parser(path),
    quick_summary=pokerstars_quick_summary.quick_summary,
    text=text_of,
    framed=framed,
)
