"""The command `holdem compile`: everything is compiled now, so that nobody waits for it later."""

from __future__ import annotations

from importlib.util import find_spec
from time import perf_counter
from typing import Annotated

from holdem_env.compiled.cache import CACHE_FOLDER, remove_machine_code

from .console import console, flag, option, say, user_errors


def compile_command(
    jobs: Annotated[
        int | None,
        option("N", "Parts compiled at the same time; -1: one for each processor. Default: -1, or 1 without loky."),
    ] = None,
    remove: Annotated[bool, flag("Remove all compiled code instead.", "--remove")] = False,
) -> None:
    """Compile the engine, environments, arena and solvers at once: for images of containers, class rooms and CI.

    The machine code is kept in the user's cache folder (in a clone, beside the package), or in that of the variable
    HOLDEM_CACHE_DIR.
    """
    if remove:
        console.print(f"{remove_machine_code() / 1e6:.1f} MB of compiled code removed")
        return
    from .compiling import PARTS, compile_parts

    began = perf_counter()
    with user_errors():
        at_once = jobs if jobs is not None else -1 if find_spec("loky") else 1
        for done, (part, seconds) in enumerate(compile_parts(list(PARTS), at_once), 1):
            console.print(f"{done} of {len(PARTS)}: {part}, {seconds:.0f} s", highlight=False)
    say(f"compiled in {perf_counter() - began:.0f} s, kept in {CACHE_FOLDER}")
