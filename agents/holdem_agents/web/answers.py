"""What the server answers: JSON, and errors as one sentence each."""

from __future__ import annotations

import re
from typing import Any

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import JSONResponse, Response

from holdem_env.utils.plain_data import json_of

ID = re.compile(r"[A-Za-z0-9_][A-Za-z0-9_.-]{0,79}")
"""What names a table, an agent, a game or a history in an address: never a path."""
UNEXPECTED = "The server failed, through no fault of yours; its terminal shows the error."


def with_minus(text: str | None) -> str | None:
    """A rate with the minus sign that pages have."""
    return None if text is None else text.replace("-", "−")


class ApiError(Exception):
    """Raised by a route for what the browser asked wrongly: 400, 404 or 409, and a sentence for the person.

    more: further fields of the answer, such as the state as it is now.
    """

    def __init__(self, status: int, sentence: str, **more: Any) -> None:
        super().__init__(sentence)
        self.status, self.sentence, self.more = status, sentence, more


def checked_id(given: object, what: str) -> str:
    """An id as it came in an address or a body. Raises ApiError (400) for what cannot be one."""
    if not isinstance(given, str) or not ID.fullmatch(given):
        raise ApiError(400, f"This is not the id of {what}: give one that the server lists.")
    return given


async def body_of(request: Request) -> dict[str, Any]:
    """The JSON object that a request brings; {} for an empty body. Raises ApiError (400) for anything else."""
    text = await request.body()
    if not text:
        return {}
    if request.headers.get("content-type", "").split(";")[0].strip() != "application/json":
        raise ApiError(400, "Send JSON, with the content type application/json.")
    try:
        given = json_of(text)
    except ValueError:
        raise ApiError(400, "The body of the request is not JSON.") from None
    if not isinstance(given, dict):
        raise ApiError(400, "The body of the request must be a JSON object.")
    return given


def error_answer(status: int, sentence: str, **more: Any) -> JSONResponse:
    """An error as JSON: {"error": sentence}."""
    return JSONResponse({"error": sentence, **more}, status)


async def api_error(_: Request, error: Exception) -> Response:
    """The answer to an ApiError."""
    assert isinstance(error, ApiError)
    return error_answer(error.status, error.sentence, **error.more)


async def http_error(request: Request, error: Exception) -> Response:
    """The answer where Starlette itself says no: nothing is at an address, or it takes other requests."""
    assert isinstance(error, HTTPException)
    sentence = {
        404: "There is nothing at this address.",
        405: f"This address does not take {request.method} requests.",
        413: "The request is too big.",
    }.get(error.status_code, str(error.detail))
    return error_answer(error.status_code, sentence)
