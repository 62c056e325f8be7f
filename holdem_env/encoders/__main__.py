"""What encoders mean, on the command line: `python -m holdem_env.encoders NAME [PRESET]` prints the table of an encoder
in a game, `python -m holdem_env.encoders docs/encoders.md` writes the tables of a page anew.

Such a page has, for each table, a line `<!-- encoder: NAME PRESET -->`, and `<!-- end -->` after it.
"""

from __future__ import annotations

import re
import sys
from pathlib import Path

from ..game.rules import Rules
from . import action_names, get_actions, get_observation, observation_names
from .describing import describe

PRESET = "heads-up-no-limit"
MARKED = re.compile(r"(<!-- encoder: (\S+) (\S+) -->\n).*?(<!-- end -->)", re.DOTALL)


def table_of(name: str, preset: str = PRESET) -> str:
    """The tables of the encoder of this name, in the game of this preset."""
    rules = Rules.preset(preset)
    actions = name in action_names()
    return describe(get_actions(name, rules) if actions else get_observation(name), rules)


def renewed(page: str) -> str:
    """A page with its tables written anew."""
    return MARKED.sub(lambda mark: f"{mark[1]}\n{table_of(mark[2], mark[3])}\n\n{mark[4]}", page)


def main(arguments: list[str]) -> None:
    """Print a table, or write those of a page."""
    if not arguments:
        names = f"observations: {', '.join(observation_names())}\nactions: {', '.join(action_names())}"
        sys.exit(f"{__doc__}\n{names}")
    if arguments[0].endswith(".md"):
        page = Path(arguments[0])
        page.write_text(renewed(page.read_text()))
    else:
        sys.stdout.write(table_of(*arguments[:2]) + "\n")


if __name__ == "__main__":
    main(sys.argv[1:])
