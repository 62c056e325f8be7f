"""Registering the drawings of a table: `print(table)` finds its text here without importing this room."""

from __future__ import annotations

from ..utils.hooks import register_hook


def register_drawings() -> None:
    """Register every drawing under its hook. Nothing is imported until a table is drawn."""
    register_hook("table_text", f"{__package__}.table_text:table_text")
