"""`holdem play`: a person against agents in the terminal."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Annotated

import typer

from holdem_env.agents.protocol import Agent
from holdem_env.game.rules import Rules

from ..playing import SEARCH
from ..shipped.fitting import offered
from .console import flag, option, user_errors
from .exit_status import INTERRUPTED
from .model_commands import Trust, agent_of, game_of

PLAY_EXAMPLES = (
    "Example: holdem play; or holdem play runs/demo/final.safetensors; or against three: "
    "holdem play tight_aggressive maniac nit --stacks 50bb --hints tight_aggressive"
)
FOR_ANY_GAME = "tight_aggressive"  # who plays where no agent in the box was made for the game
SEVERAL = "six-max-no-limit"  # the game of several opponents, none of them trained for a game


def play_command(
    agents: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="AGENT",
            help="Your opponents, names or files: one, which has all the other seats, or one for each of them. "
            "Default: the agent in the box that was trained for the game.",
        ),
    ] = None,
    rules: Annotated[
        str | None,
        option(
            "GAME",
            "A preset, or a YAML file with the fields of Rules; with `session` it is a cash session or a tournament. "
            "Default: the game an agent was trained for.",
            "--rules",
        ),
    ] = None,
    stacks: Annotated[str | None, option("CHIPS|BB", "Starting stacks, in chips or in big blinds: 200, 50bb.")] = None,
    seed: Annotated[int | None, option("N", "Seed of the decks. Default: a new one every time.")] = None,
    greedy: Annotated[
        bool, flag("Models (.safetensors, .zip) play their most likely action instead of sampling one.", "--greedy")
    ] = False,
    hints: Annotated[
        str | None, option("AGENT", "Who says what it would do when you type h. Default: your opponents.", "--hints")
    ] = None,
    trust: Trust = False,
    save: Annotated[Path | None, option("FILE", "Save the hands to this new .phhs file.")] = None,
    search: Annotated[
        str, option("STREET", "From which street on a blueprint re-solves hands: river, turn, flop or none.")
    ] = SEARCH,
) -> None:
    """Play against agents in the terminal: any game, any number of seats, single hands or a session.

    The result at the end, also after Ctrl-C, has its 95 % interval, and the all-in value, which leaves luck out.
    """
    from ..playing.terminal.dialogue import play_hands, searching_from

    with user_errors():
        names = agents or [default_opponent(_game(rules, stacks, []))]
        opponents = [searching_from(search, agent_of(name, greedy, trust)) for name in names]
        advisers = [searching_from(search, agent_of(hints, trust=trust))] if hints is not None else []
        game = _game(rules, stacks, opponents)
        try:
            play_hands(opponents, game, seed, save=save, advisers=advisers)
        except KeyboardInterrupt:
            raise typer.Exit(INTERRUPTED) from None


def default_opponent(game: Rules) -> str:
    """Who plays a game against a person that names nobody: an agent in the box that was made for it, or a scripted
    one."""
    return next(iter(offered(game)), FOR_ANY_GAME)


def _game(rules: str | None, stacks: str | None, opponents: Sequence[Agent]) -> Rules:
    game = game_of(rules, opponents)
    is_given = rules is not None or any(agent.facts.trained_on for agent in opponents)
    if not is_given and len(opponents) > 1:
        game = Rules.preset(SEVERAL, seats=1 + len(opponents))
    return game if stacks is None else game.replace(stacks=stacks)
