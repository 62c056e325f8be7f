"""The README's pictures are those that `python docs/draw_tables.py` draws."""

from __future__ import annotations

import pytest

from holdem_env.render.pictures import hand_svgs
from pages import DOCS, example

pytestmark = pytest.mark.stands_on("docs", "README.md", "holdem_env", "agents")

STATIC = DOCS / "_static"


def test_the_readmes_pictures_are_up_to_date():
    draw = example("../draw_tables")
    pictures = hand_svgs(draw.played(), names=draw.NAMES)
    assert (STATIC / "table.svg").read_text().rstrip() == pictures[draw.PICTURE], "run python docs/draw_tables.py"
    image = pytest.importorskip("PIL.Image")
    film = image.open(STATIC / "hand.gif")
    assert film.n_frames == len(pictures), "run python docs/draw_tables.py"
    assert (STATIC / "hand.gif").stat().st_size < 500_000
