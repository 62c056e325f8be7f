"""Streams that tell a page when files have changed, so that it asks for what is new."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator, Callable
from typing import Any

from starlette.concurrency import run_in_threadpool
from starlette.responses import StreamingResponse

from .site import Site

PAUSE = 1.0
"""Seconds between two looks at the files."""
HEARTBEAT = 15.0
"""Seconds after which a silent stream says that it is there."""


def file_events(site: Site, look: Callable[[], Any], pause: float = PAUSE) -> StreamingResponse:
    """Server-sent events: {"change": n}, the first at once and then one whenever `look` returns something else."""
    return StreamingResponse(_lines(site, look, pause), media_type="text/event-stream")


async def _lines(site: Site, look: Callable[[], Any], pause: float) -> AsyncIterator[str]:
    seen: Any = None
    change, silent = 0, 0.0
    while not site.closing:
        now = await run_in_threadpool(look)
        if change == 0 or now != seen:
            change, seen, silent = change + 1, now, 0.0
            yield f"data: {json.dumps({'change': change})}\n\n"
        elif silent >= HEARTBEAT:
            silent = 0.0
            yield ": still here\n\n"
        await asyncio.sleep(pause)
        silent += pause
