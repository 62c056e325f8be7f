"""Rules, sessions, batches of tables and equities, as notebooks show them."""

from __future__ import annotations

from html import escape

from ..equities.methods import Equity
from ..game.differences import nearest_preset, value_text
from ..game.rules import Rules
from ..game.title import game_title
from ..table.session import Session
from ..table.tables import Tables
from .html_tables import Html, bar, cell_html, data_table, folded
from .table_svg import records_svg

DRAWN = 4
"""How many tables of a batch are drawn."""


def rules_html(rules: Rules) -> str:
    """The game's title, the preset that it is or is nearest to, and every field; those that differ stand in front."""
    preset, differing = nearest_preset(rules)
    other = Rules.preset(preset)
    title = f"{rules.seats} seats, {game_title(rules)}"
    if differing:
        rows = [[name, value_text(rules, name), value_text(other, name)] for name in differing]
        first = data_table(["field", "value", f"preset {preset}"], rows, title, words=(0, 1, 2))
    else:
        first = Html(f'<div style="padding:.3em 0"><b>{escape(title)}</b>: the preset {escape(preset)}</div>')
    fields = [[name, value_text(rules, name)] for name in type(rules).model_fields]
    return first + folded("all fields", data_table(["field", "value"], fields, words=(0, 1)))


def session_html(session: Session) -> str:
    """Who has how much, and the running or latest hand."""
    hands = f"{session.hands_played:,} {'hand' if session.hands_played == 1 else 'hands'} played"
    state = "over" if session.is_over else hands and f"level {session.level + 1}"
    title = f"{game_title(session.stage)} · {hands} · {state}"
    places, payouts = session.places, session.payouts
    rows = [
        [f"Seat {seat}", f"{chips:,}", places[seat] or "", f"{payouts[seat]:+,.10g}"]
        for seat, chips in enumerate(session.stacks)
    ]
    table = data_table(["seat", "stack", "place", "won"], rows, title)
    return table + (session.table.svg() if session.table is not None else "")


def tables_html(tables: Tables) -> str:
    """What the batch is, and the first of its tables."""
    drawn = "".join(
        f'<div style="flex:1 1 300px;max-width:420px">{records_svg(tables.records[row : row + 1], tables.rules)}</div>'
        for row in range(min(DRAWN, tables.num_tables))
    )
    left = tables.num_tables - DRAWN
    more = f"<div>and {left:,} more</div>" if left > 0 else ""
    return f'<div>{cell_html(repr(tables))}</div><div style="display:flex;flex-wrap:wrap;gap:6px">{drawn}</div>{more}'


def equity_html(found: Equity) -> str:
    """A row for each player."""
    error = [] if found.exact else ["± (standard error)"]
    headings = ["player", "equity", *error, "wins", "ties", ""]
    rows = [
        [
            number + 1,
            f"{100 * share:.2f} %",
            *([] if found.exact else [f"{100 * found.standard_error[number]:.2f}"]),
            f"{100 * found.win[number]:.2f} %",
            f"{100 * found.tie[number]:.2f} %",
            bar(share),
        ]
        for number, share in enumerate(found.equity)
    ]
    how = f"Exact, {found.boards:,} showdowns" if found.exact else f"{found.samples:,} sampled showdowns"
    return data_table(headings, rows, how)
