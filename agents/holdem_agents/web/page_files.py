"""The pages' files: static/, and the style sheet made from the colours of the pictures."""

from __future__ import annotations

import os
from pathlib import Path

from starlette.requests import Request
from starlette.responses import Response
from starlette.staticfiles import StaticFiles

from holdem_env.render.theme import COLOURS, FONT, SUIT_COLOURS, prefix_of

STATIC = Path(__file__).parent / "static"
TYPES = {".css": "text/css", ".html": "text/html", ".js": "text/javascript", ".png": "image/png"} | {
    ".svg": "image/svg+xml",
    ".webmanifest": "application/manifest+json",
}
"""The files that are served, by suffix. Machines may have other ideas of the types, so they are set here."""


class PageFiles(StaticFiles):
    """The files in static/ that belong to the pages; others that lie there, such as Python's, are not served."""

    def __init__(self) -> None:
        super().__init__(directory=STATIC, html=True)

    def lookup_path(self, path: str) -> tuple[str, os.stat_result | None]:
        found, stat = super().lookup_path(path)
        is_served = stat is not None and (Path(found).is_dir() or Path(found).suffix in TYPES)
        return (found, stat) if is_served else ("", None)

    def file_response(self, full_path: str | os.PathLike[str], *args: object, **named: object) -> Response:
        answer: Response = super().file_response(full_path, *args, **named)  # type: ignore[arg-type]
        kind = TYPES.get(Path(full_path).suffix)
        if kind and "content-type" in answer.headers:
            is_text = kind.startswith(("text/", "application/"))
            answer.headers["content-type"] = f"{kind}; charset=utf-8" if is_text else kind
        return answer


def theme_css() -> str:
    """The colours of `render.theme` as variables (--page, --ink, --suit-h ...) on :root, light and dark.

    Without data-theme on <html> they follow the reader's settings; data-theme="light" or "dark" chooses, for pictures
    in the page, too.
    """
    light, dark = (";".join(f"--{name}:{each[column]}" for name, each in COLOURS.items()) for column in (1, 2))
    suits = ";".join(f"--suit-{suit}:{colour}" for suit, colour in SUIT_COLOURS.items())
    chosen = "".join(
        f":root[data-theme={theme}] .{prefix_of('auto')}-{name}{{{each[0]}:{each[column]}}}"
        for theme, column in (("light", 1), ("dark", 2))
        for name, each in COLOURS.items()
    )
    return (
        f":root{{color-scheme:light;--font:{FONT};{light};{suits}}}\n"
        f"@media (prefers-color-scheme:dark){{:root:not([data-theme=light]){{color-scheme:dark;{dark}}}}}\n"
        f":root[data-theme=dark]{{color-scheme:dark;{dark}}}\n{chosen}\n"
    )


async def theme_route(_: Request) -> Response:
    """GET /theme.css"""
    return Response(theme_css(), media_type="text/css")
