"""Ladders as one HTML file, and as the data of a page."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape
from math import isfinite
from typing import Any

from ...utils.shown_names import shown_name
from ..tournaments.ladder_table import EXPLANATION, LadderRow, LadderTable

STYLE = """
body { font: 16px/1.5 system-ui, sans-serif; margin: 2rem auto; max-width: 75rem; padding: 0 1rem }
.scroll { overflow-x: auto }
table { border-collapse: collapse; font-variant-numeric: tabular-nums }
th, td { padding: .3rem .6rem; text-align: right; border-bottom: 1px solid #8884; white-space: nowrap }
th:nth-child(2), td:nth-child(2) { text-align: left }
:root { color-scheme: light dark }
"""


def ladder_page(tables: Sequence[LadderTable]) -> str:
    """Ladders as one HTML file without scripts."""
    parts = [
        '<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Ladder</title>',
        f'<meta name="viewport" content="width=device-width, initial-scale=1"><style>{STYLE}</style></head><body>',
        *(_section(table) for table in tables),
        f"<p>{escape(EXPLANATION)}</p></body></html>\n",
    ]
    return "\n".join(parts)


def _section(table: LadderTable) -> str:
    heads = ["", "agent", "bb/100", *table.anchors, "hands", "added", ""]
    head = "".join(f"<th>{escape(each)}</th>" for each in heads)
    rows = "".join(f"<tr>{''.join(f'<td>{escape(cell)}</td>' for cell in _row(table, row))}</tr>" for row in table.rows)
    return (
        f"<h2>{escape(table.title)}</h2>\n{table.svg()}\n"
        f"<p>Against each opponent: bb/100 by {escape(table.ladder.estimate)}.</p>\n"
        f'<div class="scroll"><table><thead><tr>{head}</tr></thead><tbody>{rows}</tbody></table></div>'
    )


def _row(table: LadderTable, row: LadderRow) -> list[str]:
    rates = [rate_text(*row.against[anchor]) if anchor in row.against else "" for anchor in table.anchors]
    name, rating = shown_name(row.name), rate_text(row.rate, row.half_width)
    return [str(row.rank), name, rating, *rates, f"{row.hands:,}", row.added, row.note]


def rate_text(mean: float, half: float) -> str:
    """A win rate for people: "+12 ± 3"."""
    return f"{mean:+.0f} ± {half:.0f}" if isfinite(half) else f"{mean:+.0f} ± ∞"


def ladder_view(table: LadderTable) -> dict[str, Any]:
    """A ladder as plain data for JSON: no number is infinite there, an unknown half width is null."""
    return {
        "name": table.ladder.name,
        "title": table.title,
        "estimate": table.ladder.estimate,
        "anchors": list(table.anchors),
        "svg": table.svg(),
        "svg_narrow": table.svg(layout="narrow"),
        "rows": [_row_view(row) for row in table.rows],
    }


def _row_view(row: LadderRow) -> dict[str, Any]:
    return {
        "rank": row.rank,
        "name": shown_name(row.name),
        "rate": _rate_view(row.rate, row.half_width),
        "against": {anchor: _rate_view(*rate) for anchor, rate in row.against.items()},
        "hands": row.hands,
        "added": row.added,
        "note": row.note,
        "version": row.version,
    }


def _rate_view(mean: float, half: float) -> dict[str, float | None]:
    return {"mean": mean if isfinite(mean) else None, "half_width": half if isfinite(half) else None}
