"""The `holdem` command: starts the commands, or says what is missing."""

from __future__ import annotations

import os
import sys


def main() -> None:
    """Run `holdem`. Without the packages of the `train` extra it says how to install them."""
    # PyTorch's threads give the processor away while they wait: several times faster on a busy machine.
    os.environ.setdefault("OMP_WAIT_POLICY", "PASSIVE")
    try:
        from .commands import app

        app()
    except ModuleNotFoundError as error:
        if str(error.name).startswith("holdem"):
            raise
        from holdem_env.utils.extras import install_command

        sys.exit(f"holdem: the package {error.name!r} is missing; install it with: {install_command()}")
