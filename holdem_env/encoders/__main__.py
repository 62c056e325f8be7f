"""Print what an encoder's numbers or actions mean in a game: `python -m holdem_env.encoders NAME [PRESET]`. Update the
tables in a page: `python -m holdem_env.encoders docs/encoders.md`.

In such a page, each table is between a line `<!-- encoder: NAME PRESET -->` and a line `<!-- end -->`.
"""

from __future__ import annotations

import re
import sys
from pathlib import Path

from . import action_names, describe, observation_names

PRESET = "heads-up-no-limit"
MARKED = re.compile(r"(<!-- encoder: (\S+) (\S+) -->\n).*?(<!-- end -->)", re.DOTALL)


def table_of(name: str, preset: str = PRESET) -> str:
    """The tables of the encoder with this name, in the game of this preset. Raises as `describe`."""
    return describe(name, preset)


def renewed(page: str) -> str:
    """The page with its tables updated."""
    return MARKED.sub(lambda mark: f"{mark[1]}\n{table_of(mark[2], mark[3])}\n\n{mark[4]}", page)


def main(arguments: list[str]) -> None:
    """Print an encoder's tables, or update those in a page. For a name that does not exist, and for a page that cannot
    be read, it prints a line and exits with 2."""
    if not arguments:
        names = f"observations: {', '.join(observation_names())}\nactions: {', '.join(action_names())}"
        sys.exit(f"{__doc__}\n{names}")
    try:
        if arguments[0].endswith(".md"):
            page = Path(arguments[0])
            page.write_text(renewed(page.read_text(encoding="utf-8")), encoding="utf-8")
        else:
            sys.stdout.write(table_of(*arguments[:2]) + "\n")
    except (ValueError, OSError) as error:
        sys.stderr.write(f"{error}\n")
        sys.exit(2)


if __name__ == "__main__":
    main(sys.argv[1:])
