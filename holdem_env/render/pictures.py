"""Pictures as pixels: PNG, arrays and films (GIF) of what is drawn as SVG. They need the extra `pictures`.

>>> from holdem_env import Rules, Table
>>> table = Table(Rules(seats=2), seed=1)
>>> table.check_call()
>>> [text.startswith("<svg") for text in hand_svgs(table)]  # the hand from its beginning, move by move
[True, True]
"""

from __future__ import annotations

import io
from collections.abc import Sequence
from functools import cache
from importlib.util import find_spec
from pathlib import Path
from typing import Any, SupportsIndex

import numpy as np
from numpy.typing import NDArray

from ..table.table import Table
from ..utils.extras import explain_missing_extra
from .theme import COLOURS

WIDTH = 720
SHORTEST = 0.02
PROBE = (
    '<svg xmlns="http://www.w3.org/2000/svg" width="40" height="40">'
    '<text x="2" y="34" font-size="40" font-family="sans-serif">8</text></svg>'
)


def check_pictures(what: str) -> None:
    """Raises ModuleNotFoundError, which names the extra to install, if `what` cannot be had: to be called early."""
    with explain_missing_extra(what):
        import resvg_py  # noqa: F401


def png(svg: str, width: int = WIDTH, theme: str = "light", height: int | None = None) -> bytes:
    """Return an SVG as a PNG.

    Args:
        svg: The picture. With theme="auto" it is drawn in its light colours; for dark ones, draw it with theme="dark".
        width: The width in pixels.
        theme: "light" or "dark", for what lies behind round corners.
        height: The height in pixels, instead of the width.

    Raises:
        ModuleNotFoundError: If the extra `pictures` is not installed.
        RuntimeError: If the machine has no font.
    """
    size = {"width": width} if height is None else {"height": height}
    return _drawn(svg, **size, background=COLOURS["page"][2 if theme == "dark" else 1])


def rgb_array(svg: str, width: int = WIDTH, theme: str = "light", height: int | None = None) -> NDArray[np.uint8]:
    """An SVG as pixels, (height, width, 3) uint8; arguments and errors as of `png`."""
    return np.asarray(_image(png(svg, width, theme, height)))


def gif(svgs: Sequence[str], seconds: float = 1.5, width: int = WIDTH, theme: str = "light") -> bytes:
    """Return a looping film of pictures of one size, as a GIF.

    Args:
        svgs: The pictures.
        seconds: How long each picture stays; the last one stays twice as long.
        width: The width in pixels.
        theme: As in `png`.

    Raises:
        ValueError: If there is no picture, or less than 0.02 seconds for each.
        ModuleNotFoundError: If the extra `pictures` is not installed.
        RuntimeError: If the machine has no font.
    """
    if not svgs:
        raise ValueError("svgs: a film needs one picture at least; this list is empty")
    if not seconds >= SHORTEST:
        raise ValueError(f"seconds: {seconds} for each picture; give {SHORTEST} or more")
    first, *others = (_image(png(svg, width, theme)).quantize(64) for svg in svgs)
    times, film = [round(1000 * seconds)] * len(svgs), io.BytesIO()
    times[-1] *= 2
    first.save(film, "GIF", save_all=True, append_images=others, duration=times, loop=0, optimize=True)
    return film.getvalue()


def hand_svgs(
    table: Table, seat: SupportsIndex | None = None, names: Sequence[str] = (), theme: str = "auto"
) -> list[str]:
    """The pictures of a hand from its beginning to where the table is now, one for each move; arguments and errors as
    of `Table.svg`. The table stays as it is."""
    return [each.svg(seat, names, theme) for each in table.states()]


def _drawn(svg: str, **options: Any) -> bytes:
    with explain_missing_extra("a picture in pixels"):
        import resvg_py
    return bytes(resvg_py.svg_to_bytes(svg_string=svg, **_fonts(), **options))


def _image(picture: bytes) -> Any:
    with explain_missing_extra("a picture in pixels"):
        from PIL import Image
    return Image.open(io.BytesIO(picture)).convert("RGB")


@cache
def _fonts() -> dict[str, Any]:
    """Which fonts to write with: the system's, else those that come with Matplotlib."""
    found: list[dict[str, Any]] = [{"sans_serif_family": "DejaVu Sans"}]
    spec = find_spec("matplotlib")
    if spec is not None and spec.origin is not None:
        folder = Path(spec.origin).parent / "mpl-data" / "fonts" / "ttf"
        found.append({"sans_serif_family": "DejaVu Sans", "font_dirs": [str(folder)]})
    for fonts in found:
        if _can_write(fonts):
            return fonts
    raise RuntimeError("a picture in pixels needs a font: install one for the system (DejaVu Sans), or Matplotlib")


def _can_write(fonts: dict[str, Any]) -> bool:
    import resvg_py

    written = resvg_py.svg_to_bytes(svg_string=PROBE, background="#ffffff", **fonts)
    return int(np.asarray(_image(bytes(written))).min()) < 128
