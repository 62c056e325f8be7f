"""Draw docs/_static/rooms.svg: `python docs/draw_rooms.py`. A test says when the picture is out of date."""

from __future__ import annotations

from html import escape
from pathlib import Path

PICTURE = Path(__file__).resolve().parent / "_static" / "rooms.svg"
# From the top down: a room imports only from those below it. Rooms of one row do not know each other.
LAYERS: list[list[tuple[str, str]]] = [
    [("holdem_agents", "agents, runs, pages"), ("testing", "checks of yours"), ("text_env", "seats in words")],
    [("arena", "matches, tournaments, estimators, best responses")],
    [("envs", "PettingZoo, Gymnasium, Stable-Baselines3")],
    [("protocols", "programs and servers to play with"), ("solvers", "trees, subgames, blueprints")],
    [("agents", "protocol, registry"), ("history", "PHH, ACPC logs"), ("render", "tables as text and pictures")],
    [("table", "Table, Tables, Session: the faces of a record")],
    [("encoders", "what a learner sees and does")],
    [("equities", "equity of hands and ranges, strength")],
    [("engine", "the rules: compiled functions over one record")],
    [("game", "Rules and presets: data, no play")],
    [("cards", "text and numbers, ranges, hand evaluation")],
    [("compiled", "everything that knows Numba's insides")],
    [("utils", "validation, files, versions")],
]
WIDTH, MARGIN, HEIGHT, GAP = 560, 16, 46, 22
STYLE = """
  .paper { fill: #fbfbf9 }
  .room { fill: #ffffff; stroke: #9aa5b1; stroke-width: 1.2 }
  .core { fill: #e3f0e6; stroke: #3c7a4b; stroke-width: 1.6 }
  .arrow { stroke: #6b7785; stroke-width: 1.4; marker-end: url(#tip) }
  text { font-family: system-ui, "Segoe UI", "DejaVu Sans", sans-serif; text-anchor: middle; fill: #1f2933 }
  .name { font-size: 16px; font-weight: 600 }
  .what { font-size: 12.5px; fill: #4a5563 }
"""


def drawn() -> str:
    """The picture as SVG."""
    height = 2 * MARGIN + len(LAYERS) * HEIGHT + (len(LAYERS) - 1) * GAP
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {height}" width="{WIDTH}" height="{height}" '
        'role="img" aria-label="The rooms of the code, from the top down: each imports only from those below it">',
        f"<style>{STYLE}</style>",
        '<defs><marker id="tip" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="7" markerHeight="7" orient="auto">'
        '<path d="M0 0 L8 4 L0 8 z" fill="#6b7785"/></marker></defs>',
        f'<rect class="paper" width="{WIDTH}" height="{height}" rx="10"/>',
    ]
    for row, rooms in enumerate(LAYERS):
        top = MARGIN + row * (HEIGHT + GAP)
        width = (WIDTH - 2 * MARGIN - (len(rooms) - 1) * 12) / len(rooms)
        for place, (name, what) in enumerate(rooms):
            parts += _room(MARGIN + place * (width + 12), top, width, name, what)
        if row + 1 < len(LAYERS):
            start, end = top + HEIGHT + 3, top + HEIGHT + GAP - 2
            parts.append(f'<line class="arrow" x1="{WIDTH / 2:g}" y1="{start}" x2="{WIDTH / 2:g}" y2="{end}"/>')
    return "\n".join([*parts, "</svg>"]) + "\n"


def _room(left: float, top: int, width: float, name: str, what: str) -> list[str]:
    kind = "core" if name == "engine" else "room"
    middle = left + width / 2
    return [
        f'<rect class="{kind}" x="{left:g}" y="{top}" width="{width:g}" height="{HEIGHT}" rx="6"/>',
        f'<text class="name" x="{middle:g}" y="{top + 20}">{escape(name)}</text>',
        f'<text class="what" x="{middle:g}" y="{top + 37}">{escape(what)}</text>',
    ]


if __name__ == "__main__":
    PICTURE.write_text(drawn())
