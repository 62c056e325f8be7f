"""How `holdem` is called from here, for hints that somebody pastes into a shell."""

from __future__ import annotations

import shlex
import shutil
import sys
from pathlib import Path

NAME = "holdem"


def holdem_command() -> str:
    """`holdem` if the shell finds this environment's; else its path, or the module if there is no script."""
    script = Path(sys.executable).parent / NAME
    found = shutil.which(NAME)
    if found is not None and Path(found) == script:
        return NAME
    if not script.exists():
        return f"{shlex.quote(sys.executable)} -m holdem_agents.cli"
    here = Path.cwd()
    return shlex.quote(str(script.relative_to(here) if script.is_relative_to(here) else script))
