"""The process in which `checked_apart` has an agent checked."""

from __future__ import annotations

import faulthandler
import json
import os
import sys
from pathlib import Path
from typing import Any

from ..agents.error_places import own_modules
from ..agents.registry import make_agent
from ..game.rules import Rules
from .agent_checks import run_checks
from .agent_errors import described_error
from .audit_events import Watch
from .checked_apart import FAULTS, LOADING, REACHING


def main() -> None:
    """Read the job from its input, and write lines of JSON to what the output was at the beginning."""
    job = json.loads(sys.stdin.read())
    word, folder = job.pop("word"), Path(job["folder"])
    out = os.dup(1)
    os.dup2(2, 1)  # what the agent prints is no result

    def say(**what: Any) -> None:
        os.write(out, (json.dumps({"word": word, **what}) + "\n").encode())

    faults = (folder / FAULTS).open("w")
    faulthandler.enable(faults)
    if job["timeout"]:
        faulthandler.dump_traceback_later(job["timeout"], exit=True, file=faults)
    say(step=LOADING)
    watch = Watch(lambda kind, message: say(check=REACHING, message=message), job["allow"], folder)
    watch.begin()
    try:
        agent = make_agent(job["agent"])
    except Exception as error:
        say(not_made=described_error(error))
        return
    watch.own |= {file for module in own_modules(agent) if (file := getattr(module, "__file__", None))}
    games = None if job["games"] is None else [Rules.model_validate(each) for each in job["games"]]
    for finding in run_checks(agent, games, job["positions"], job["seed"], lambda check: say(step=check)):
        say(check=finding.check, message=finding.message)
    say(done=True)


if __name__ == "__main__":
    main()
