"""The JSON Schema of the messages, made from their types; the package has it as messages.schema.json."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from pydantic import TypeAdapter

from .messages import PROTOCOL, VERSION, Decision, HandOver, Situation, ToBot, ToDecision, ToHello

FILE = Path(__file__).resolve().parent / "messages.schema.json"


DIRECTIONS: dict[str, Any] = {"to_bot": ToBot, "answer_to_hello": ToHello, "answer_to_decision": ToDecision}


def schema() -> dict[str, Any]:
    """A JSON Schema (2020-12) whose $defs have a definition for each kind of message. `to_bot` is any message to a bot;
    `answer_to_hello` and `answer_to_decision` are what it may answer."""
    wanted: list[tuple[Any, Any, TypeAdapter[Any]]] = [
        (name, "validation", TypeAdapter(kind)) for name, kind in {**DIRECTIONS, "": Situation}.items()
    ]
    found, shared = TypeAdapter.json_schemas(wanted)
    messages = shared["$defs"]
    situation = messages.pop(Situation.__name__)["properties"]
    for kind in (Decision, HandOver):  # pydantic does not inherit the docstrings of fields
        messages[kind.__name__]["properties"] |= situation
    either = {name: found[name, "validation"] for name in DIRECTIONS}
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": f"{PROTOCOL}, version {VERSION}",
        "description": "The lines between a table and a bot. Every line is one JSON object.",
        "anyOf": [{"$ref": f"#/$defs/{name}"} for name in either],
        "$defs": _without_titles({**either, **messages}),
    }


def _without_titles(value: Any) -> Any:
    """Without the titles of fields, which only repeat their names."""
    if isinstance(value, dict):
        return {
            key: _without_titles(each) for key, each in value.items() if key != "title" or not isinstance(each, str)
        }
    return [_without_titles(each) for each in value] if isinstance(value, list) else value


def schema_text() -> str:
    """The schema as the text of its file."""
    return json.dumps(schema(), indent=2) + "\n"
