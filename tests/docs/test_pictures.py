"""The README's pictures are those that `python docs/draw_tables.py` draws."""

from __future__ import annotations

import importlib.util
from types import ModuleType

import pytest

from holdem_env.render.pictures import hand_svgs
from pages import DOCS

pytestmark = pytest.mark.stands_on("docs", "README.md", "holdem_env", "agents")

STATIC = DOCS / "_static"


def script() -> ModuleType:
    spec = importlib.util.spec_from_file_location("draw_tables", DOCS / "draw_tables.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_the_readmes_pictures_are_up_to_date():
    draw = script()
    pictures = hand_svgs(draw.played(), names=draw.NAMES)
    assert (STATIC / "table.svg").read_text().rstrip() == pictures[draw.PICTURE], "run python docs/draw_tables.py"
    image = pytest.importorskip("PIL.Image")
    film = image.open(STATIC / "hand.gif")
    assert film.n_frames == len(pictures), "run python docs/draw_tables.py"
    assert (STATIC / "hand.gif").stat().st_size < 500_000
