"""The command `holdem check`: whether an agent plays by the rules and does not cheat."""

from __future__ import annotations

from typing import Annotated, Any

import typer

from holdem_env.game.rules_input import as_rules
from holdem_env.testing.agent_checks import SECONDS, report
from holdem_env.testing.sampled_tables import GAMES
from holdem_env.utils.shown_names import shown_text

from .console import option, say, user_errors
from .exit_status import FAILED
from .model_commands import Trust, needs_trust


def check_command(
    agent: Annotated[str, typer.Argument(help="The agent to check: a name or a file.")],
    rules: Annotated[
        str | None,
        option(
            "GAME",
            "A preset, or a YAML file with the fields of Rules. Default: the game that the agent was trained for, "
            f"else {len(GAMES)} games that differ.",
        ),
    ] = None,
    positions: Annotated[int, option("N", "Number of positions in each game.", min=1)] = 200,
    seconds: Annotated[
        float, option("N", "Time for the whole check: an agent that takes longer fails.", min=1)
    ] = SECONDS,
    allow: Annotated[
        list[str] | None,
        option("KIND", "What its own code may reach for: ctypes, files, memory, network or programs. May be repeated."),
    ] = None,
    trust: Trust = False,
) -> None:
    """Check that an agent plays by the rules and does not cheat, in a process of its own.

    Prints what was checked and what was found. The exit status is 0 if everything is well, and 1 if not.
    """
    with user_errors():
        made_of: Any = {"agent": agent, "trust": True} if trust and needs_trust(agent) else agent
        games = None if rules is None else [as_rules(rules)]
        found = report(made_of, games, positions, timeout=seconds, allow=allow or ())
    failed = [finding.check for finding in found.findings]
    for check in dict.fromkeys([*found.done, *failed]):
        say(f"{'FAILED' if check in failed else 'ok':<8}{check}")
    for finding in found.findings:
        say(f"\n{shown_text(finding.message)}", style="red")
    if failed:
        raise typer.Exit(FAILED)
