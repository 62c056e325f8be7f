"""`holdem` as a user types it: `holdem` runs a command, `good` and `refused` give what it said, in which no figure has
more than five significant digits."""

from __future__ import annotations

import re
from html import unescape
from typing import Any

from typer.testing import CliRunner, Result

from holdem_agents.cli.commands import app

DECIMAL = re.compile(r"(?<![\d.])\d[\d,]*\.\d+(?!\.?\d)")
TAG = re.compile(r"<style.*?</style>|<[^>]*>", re.DOTALL)


def raw_numbers(text: str) -> list[str]:
    """Numbers with decimals that have more than five significant digits, outside of tags."""
    words = unescape(TAG.sub(" ", text))
    return [
        number for number in DECIMAL.findall(words) if len(number.replace(",", "").replace(".", "").lstrip("0")) > 5
    ]


def holdem(*words: object, typed: str | None = None, **options: Any) -> Result:
    """A command's result. typed: what the user types while it runs."""
    return CliRunner().invoke(app, [str(word) for word in words], input=typed, **options)


def good(*words: object, **options: Any) -> str:
    """The output of a command that must end well."""
    return ended(0, *words, **options)


def refused(*words: object, **options: Any) -> str:
    """The output of a command that must be refused, with exit status 2."""
    return ended(2, *words, **options)


def ended(code: int, *words: object, **options: Any) -> str:
    """The output of a command that must end with this exit status."""
    result = holdem(*words, **options)
    assert result.exit_code == code, result.output
    assert not [number for number in raw_numbers(result.output) if number[-3] != "."], result.output  # cents are money
    return result.output
