"""Rewrite the tables in docs/games/*.md: `python docs/make_games.py`. A test says when they are out of date.

A section about games has `<!-- game: PRESET ... -->` and `<!-- end -->`, with the presets' fields between them;
index.md has the table of all presets between `<!-- presets: all -->` and `<!-- end -->`.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from holdem_env import Cards, Rules
from holdem_env.game.presets import PRESETS
from holdem_env.game.title import game_title

GAMES = Path(__file__).resolve().parent / "games"
MARKED = re.compile(r"(<!-- (\w+): ([^>]+?) -->\n).*?(<!-- end -->)", re.DOTALL)
HEADING_OR_GAMES = re.compile(r"^#+ (.*)$|^<!-- game: (.*?) -->$", re.MULTILINE)


def rules_code(presets: list[str]) -> str:
    """The presets as calls of `Rules`, with the fields that differ from those of `Rules()`."""
    return "\n".join(["```py", *map(_call, presets), "```"])


def _call(name: str) -> str:
    given = Rules.preset(name).model_dump(exclude_defaults=True)
    fields = [f"{field}={_value(field, value)}" for field, value in given.items()]
    line = f"Rules({', '.join(fields)})  # {name}"
    if len(line) <= 118:
        return line
    return "\n".join([f"Rules(  # {name}", *(f"    {field}," for field in fields), ")"])


def _value(name: str, value: Any) -> str:
    return f'"{Cards(value)}"' if name == "deck" else repr(value).replace("'", '"')


def index_table(_: list[str]) -> str:
    """All presets, with links to their sections."""
    sections = {name: link for path in sorted(GAMES.glob("*.md")) for name, link in _links(path)}
    rows = [
        [
            f"[`{name}`]({sections[name]})" if name in sections else f"`{name}`",
            game_title(Rules.preset(name)),
            preset.description,
            f"{Rules.preset(name).seats}, at most {Rules.preset(name).max_seats}",
        ]
        for name, preset in PRESETS.items()
    ]
    return _table(["preset", "title", "game", "players"], rows)


def _links(path: Path) -> Iterator[tuple[str, str]]:
    """The presets of a page, each with a link to the heading above it."""
    section = ""
    for heading, names in HEADING_OR_GAMES.findall(path.read_text(encoding="utf-8")):
        if heading:
            section = re.sub(r"[^\w\s-]", "", heading.lower()).replace(" ", "-")
        for name in names.split():
            yield name, f"{path.name}#{section}"


def _table(head: list[str], rows: list[list[str]]) -> str:
    lines = [f"| {' | '.join(cells)} |" for cells in (head, *rows)]
    return "\n".join([lines[0], "|---" * len(head) + "|", *lines[1:]])


TABLES: dict[str, Callable[[list[str]], str]] = {"game": rules_code, "presets": index_table}


def presets_on(page: str) -> list[str]:
    """The presets whose fields a page has."""
    return [name for names in re.findall(r"<!-- game: (.*?) -->", page) for name in names.split()]


def renewed(page: str) -> str:
    """A page with its tables rewritten."""
    return MARKED.sub(lambda mark: f"{mark[1]}\n{TABLES[mark[2]](mark[3].split())}\n\n{mark[4]}", page)


if __name__ == "__main__":
    for path in sorted(GAMES.glob("*.md")):
        path.write_text(renewed(path.read_text()))
