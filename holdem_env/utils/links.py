"""Links in folders that came from somebody else."""

from __future__ import annotations

import os
from pathlib import Path


def leads_out(path: Path, folder: Path) -> bool:
    """Whether a path in a folder is, or goes through, a link to a place outside of it."""
    return not Path(os.path.realpath(path)).is_relative_to(os.path.realpath(folder))
