"""Playing at tables: /api/play."""

from __future__ import annotations

from starlette.routing import Route

from .site import Site


def routes(site: Site) -> list[Route]:
    """The routes of a site."""
    return []
