"""The server: `server --port 8000`, or `uvicorn server.app:app` in this folder."""

from __future__ import annotations

import argparse

import uvicorn
from fastapi import Request
from fastapi.responses import JSONResponse
from holdem_openenv.models import HoldemAction, HoldemObservation
from holdem_openenv.server.holdem_environment import HoldemEnvironment

from openenv.core.env_server.http_server import create_app

SESSIONS = 64
app = create_app(HoldemEnvironment, HoldemAction, HoldemObservation, env_name="holdem", max_concurrent_envs=SESSIONS)


@app.exception_handler(ValueError)
async def refuse(_: Request, error: ValueError) -> JSONResponse:
    """What a client may not give is a sentence by HTTP, too."""
    return JSONResponse({"detail": str(error)}, 400)


def main() -> None:
    """Serve until it is stopped."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--host", default="127.0.0.1")
    parser.add_argument("--port", type=int, default=8000)
    given = parser.parse_args()
    uvicorn.run(app, host=given.host, port=given.port)


if __name__ == "__main__":
    main()
