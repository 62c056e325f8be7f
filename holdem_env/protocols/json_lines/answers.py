"""What bots answer: lines of JSON, checked and made moves. At `border` bytes of a bot become moves, or its forfeit."""

from __future__ import annotations

import json
from contextlib import AbstractContextManager
from typing import Any

from ...engine.bet_sizes import ALL_IN_WORDS
from ...engine.record import CHECK_CALL, FOLD, MAX_CHIPS
from ...utils.counting import counted
from ...utils.plain_data import json_of, untrusted
from .messages import Legal
from .programs import printable

MOVES = ("fold", "check", "call", "raise")
EXAMPLE = '{"id": 7, "move": "call"}'
LONGEST_SHOWN = 200


class WrongAnswer(ValueError):
    """A line that is not an answer. The message says what is wrong, and what would be right."""


def border() -> AbstractContextManager[None]:
    """Around all that reads, checks and quotes what a bot sent: whatever is raised inside is a WrongAnswer."""
    return untrusted(lambda why: WrongAnswer(f"sent what cannot be read ({why})"), WrongAnswer)


def answer_of(line: bytes) -> dict[str, Any]:
    """A line as an object. Raises WrongAnswer for invalid JSON, and for an error that the bot reports."""
    try:
        answer = json_of(line)
    except ValueError as error:
        why = "" if isinstance(error, json.JSONDecodeError | UnicodeDecodeError) else f" ({error})"
        raise WrongAnswer(
            f"answered {shown(line)}, which is not JSON{why}; an answer is one line such as {EXAMPLE}"
        ) from None
    if not isinstance(answer, dict):
        raise WrongAnswer(f"answered {shown(line)}; an answer is an object such as {EXAMPLE}")
    if "error" in answer:
        said = answer["error"]
        raise WrongAnswer(f"gave up: {shown(said.encode() if isinstance(said, str) else said) or 'it said nothing'}")
    return answer


def check_hello_answer(answer: dict[str, Any]) -> None:
    """Raises WrongAnswer if this does not answer `hello`."""
    if "protocol" in answer or "move" in answer:
        raise WrongAnswer(f'answered {shown(answer)} to hello; it should answer {{"name": "mybot"}}, or {{}}')
    if not isinstance(answer.get("hand_over", False), bool):
        raise WrongAnswer(f'answered {shown(answer)} to hello; "hand_over" is true or false')


def move_of(answer: dict[str, Any], legal: Legal) -> int:
    """The engine move of an answer, which may be illegal by its total. Raises WrongAnswer if it names no move."""
    move = answer.get("move")
    if move == "check" and legal["call"]:
        raise WrongAnswer(f"answered {shown(answer)}, but {counted(legal['call'], 'chip')} must be called")
    if move == "fold":
        return FOLD
    if move in ("check", "call"):
        return CHECK_CALL
    if move != "raise":
        hint = '; a bet is a "raise", too' if move in ("bet", *ALL_IN_WORDS) else ""
        raise WrongAnswer(f'answered {shown(answer)}; "move" is one of {", ".join(map(repr, MOVES))}{hint}')
    total = _whole(answer.get("to"))
    if total is None or total <= 0:
        raise WrongAnswer(f'answered {shown(answer)}; a raise needs "to", the total of the street in whole chips')
    if total > MAX_CHIPS:
        raise WrongAnswer(f"answered {shown(answer)}: there are not that many chips")
    return total


def id_of(answer: dict[str, Any]) -> int | None:
    """The id of the decision that an answer is for; None if it has none."""
    return _whole(answer.get("id"))


def _whole(number: Any) -> int | None:
    """A whole number; also 300.0, as some languages write it."""
    if isinstance(number, float) and number.is_integer():
        return int(number)
    return number if isinstance(number, int) and not isinstance(number, bool) else None


def shown(what: Any) -> str:
    """A bot's words for a message: short, and without control characters."""
    text = what[: 4 * LONGEST_SHOWN].decode(errors="replace") if isinstance(what, bytes) else json.dumps(what)
    text = printable(text).replace("\n", " ")
    return text if len(text) <= LONGEST_SHOWN else f"{text[:LONGEST_SHOWN]}..."
