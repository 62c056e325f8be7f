"""Registering the drawings: `print(table)` and `table.svg()` find theirs here without importing this room."""

from __future__ import annotations

from ..utils.hooks import register_hook

DRAWINGS = {
    "table_text": "table_text:table_text",
    "table_svg": "table_svg:table_svg",
}


def register_drawings() -> None:
    """Register every drawing under its hook. Nothing is imported until something is drawn."""
    for name, home in DRAWINGS.items():
        register_hook(name, f"{__package__}.{home}")
