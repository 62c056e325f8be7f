"""The entry point of the `holdem` command, which also works without the packages that the commands need."""

from __future__ import annotations

import os
import sys

from .exit_status import INTERRUPTED


def main() -> None:
    """Run `holdem`, or name the extra that installs a missing package."""
    # Idle threads of PyTorch must not spin: on a busy machine that is several times slower.
    os.environ.setdefault("OMP_WAIT_POLICY", "PASSIVE")
    try:
        from .commands import app

        app()
    except KeyboardInterrupt:  # while modules are imported; the commands have their own ways
        sys.stderr.write("holdem: interrupted\n")
        sys.exit(INTERRUPTED)
    except ModuleNotFoundError as error:
        from holdem_env.utils.extras import extra_of, install_command

        if (extra := extra_of(str(error.name).partition(".")[0])) is None:
            raise
        sys.exit(f"holdem: the package {error.name!r} is missing; install it with: {install_command(extra)}")
