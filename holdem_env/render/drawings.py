"""Registering the drawings: `print(table)` and `table.svg()` find theirs here without importing this room."""

from __future__ import annotations

from ..utils.hooks import register_hook

DRAWINGS = {
    "table_text": "table_text:table_text",
    "table_svg": "table_svg:table_svg",
    "rules_html": "games_html:rules_html",
    "session_html": "games_html:session_html",
    "tables_html": "games_html:tables_html",
    "equity_html": "games_html:equity_html",
    "range_svg": "hand_chart:range_svg",
}


def register_drawings() -> None:
    """Register every drawing under its hook. Nothing is imported until something is drawn."""
    for name, home in DRAWINGS.items():
        register_hook(name, f"{__package__}.{home}")
