"""The README's pictures are those that `python docs/draw_tables.py` draws."""

from __future__ import annotations

import re

import pytest

from holdem_env.render.pictures import hand_svgs
from pages import DOCS, REPOSITORY, example

pytestmark = pytest.mark.stands_on("docs", "README.md", "holdem_env", "agents")

STATIC = DOCS / "_static"
PAGES = REPOSITORY / "agents" / "holdem_agents" / "web" / "static"


def test_the_readmes_pictures_are_up_to_date():
    draw = example("../draw_tables")
    pictures = hand_svgs(draw.played(), names=draw.NAMES)
    assert (STATIC / "table.svg").read_text().rstrip() == pictures[draw.PICTURE], "run python docs/draw_tables.py"
    image = pytest.importorskip("PIL.Image")
    film = image.open(STATIC / "hand.gif")
    assert film.n_frames == len(pictures), "run python docs/draw_tables.py"
    assert (STATIC / "hand.gif").stat().st_size < 500_000


def test_the_screenshots_have_the_tabs_of_the_pages():
    image = pytest.importorskip("PIL.Image")
    listed = re.search(r"PAGES = \{(.*?)\}", (PAGES / "app.js").read_text(), re.DOTALL)
    tabs = ", ".join(re.findall(r'"(\w+)"', listed[1]))
    for picture in STATIC.glob("web-*.png"):
        assert image.open(picture).info["tabs"] == tabs, "run python docs/take_screenshots.py"
