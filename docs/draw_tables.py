"""Draw the README's pictures, docs/_static/table.svg and hand.gif: `python docs/draw_tables.py`.

It needs the extra `pictures`. The same hand is drawn each time, so a picture changes only where the drawing or the play
does.
"""

from __future__ import annotations

from pathlib import Path

from holdem_env import Rules, Table
from holdem_env.agents import make_agent
from holdem_env.render.pictures import gif, hand_svgs

FOLDER = Path(__file__).resolve().parent / "_static"
AGENTS = ("tight_aggressive", "loose_aggressive", "calling_station", "maniac", "nit", "pot_odds")
NAMES = ("tight", "loose", "station", "maniac", "nit", "pot odds")
STACKS = [200, 90, 160, 200, 200, 240]
SEED = 61
PICTURE = 18
"""Which position of the hand stands still in the README."""


def played() -> Table:
    """The hand: six scripted agents, a side pot, and cards on the table at the end."""
    table = Table(Rules(seats=6, blinds=(1, 2)), stacks=STACKS, seed=SEED)
    agents = [make_agent(name) for name in AGENTS]
    while not table.is_over:
        seat = table.actor
        assert seat is not None
        table.play(agents[seat].move(table))
    return table


def main() -> None:
    """Write both."""
    table = played()
    (FOLDER / "table.svg").write_text(hand_svgs(table, names=NAMES)[PICTURE] + "\n", encoding="utf-8")
    (FOLDER / "hand.gif").write_bytes(gif(hand_svgs(table, names=NAMES, theme="light"), seconds=1.2, width=420))


if __name__ == "__main__":
    main()
