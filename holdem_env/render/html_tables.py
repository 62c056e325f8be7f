"""Tables of words and numbers as HTML: in the reader's own colours, so they fit every notebook and page."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape

NUMBER = "text-align:right;padding:.15em .7em;font-variant-numeric:tabular-nums;white-space:nowrap"
WORD = "text-align:left;padding:.15em .7em"
LINE = "border-bottom:1px solid rgba(128,128,128,.45)"


class Html(str):
    """Text that is HTML already: everything else is escaped."""

    __slots__ = ()


def cell_html(content: object) -> str:
    """What stands in a cell, escaped unless it is Html."""
    return content if isinstance(content, Html) else escape(str(content))


def data_table(
    headings: Sequence[object], rows: Sequence[Sequence[object]], caption: str = "", words: Sequence[int] = (0,)
) -> Html:
    """A table that scrolls by itself where a page is narrow. words: the columns that are not numbers."""
    head = "".join(
        f'<th scope="col" style="{WORD if k in words else NUMBER};{LINE}">{cell_html(each)}</th>'
        for k, each in enumerate(headings)
    )
    body = "".join(
        "<tr>"
        + "".join(f'<td style="{WORD if k in words else NUMBER}">{cell_html(each)}</td>' for k, each in enumerate(row))
        + "</tr>"
        for row in rows
    )
    top = f'<div style="padding:.3em 0;font-weight:bold">{escape(caption)}</div>' if caption else ""
    table = f'<table style="border-collapse:collapse"><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>'
    return Html(f'{top}<div style="overflow-x:auto;max-width:100%">{table}</div>')


def bar(share: float) -> Html:
    """A share of 0..1 as a bar."""
    inner = f'<div style="width:{100 * share:.1f}%;height:.8em;background:#4a90d9;border-radius:2px"></div>'
    return Html(f'<div style="width:9em;background:rgba(128,128,128,.25);border-radius:2px">{inner}</div>')


def folded(summary: str, content: str) -> Html:
    """Something that is opened by a click."""
    return Html(f"<details><summary>{escape(summary)}</summary>{content}</details>")
