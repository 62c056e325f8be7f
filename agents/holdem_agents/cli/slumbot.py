"""`holdem slumbot`: an agent against Slumbot, the public opponent."""

from __future__ import annotations

from contextlib import closing
from pathlib import Path
from typing import Annotated

import numpy as np
import typer

from holdem_env.agents.protocol import Agent
from holdem_env.arena.statistics.intervals import fixed_interval
from holdem_env.game.units import unit_of
from holdem_env.protocols.slumbot import GAME, SLUMBOT_URL, PlayedHand, SavedHands, SlumbotClient, play_slumbot
from holdem_env.utils.counting import counted

from .console import counting, fail, flag, option, say, user_errors
from .model_commands import Trust, agent_of


def slumbot_command(
    agent: Annotated[str, typer.Argument(help="An agent: a name or a file.")],
    hands: Annotated[int, option("N", "Number of hands.", min=1)] = 1000,
    url: Annotated[str, option("URL", "The server.")] = SLUMBOT_URL,
    seed: Annotated[int, option("N", "Seed of the agent's random choices; Slumbot deals the cards.", min=0)] = 0,
    save: Annotated[Path | None, option("FILE", "Save the hands to this new .phhs file.")] = None,
    timeout: Annotated[float, option("S", "Seconds to wait for an answer.", min=0.1)] = 30.0,
    retries: Annotated[int, option("N", "How often a request is sent again.", min=0)] = 4,
    greedy: Annotated[bool, flag("Models play their most likely action instead of sampling one.")] = False,
    trust: Trust = False,
) -> None:
    """Play an agent against Slumbot (slumbot.com) and print its win rate in bb/100 with its 95 % interval.

    Heads-up no-limit, blinds 50/100, 200 big blinds. After an error or Ctrl-C the hands played so far are summed up.
    """
    with user_errors():
        player, client = agent_of(agent, greedy, trust), SlumbotClient(url, timeout, retries)
        saved = SavedHands(save, player.name) if save else None
    with closing(client), closing(player):
        played, stopped = _play(player, client, hands, seed, saved)
    if played:
        say(summary(player.name, played))
    if saved and played:
        say(f"{counted(len(played), 'hand')} in {saved.path}")
    if stopped:
        fail(f"stopped after {len(played):,} of {counted(hands, 'hand')}: {stopped}")


def _play(
    agent: Agent, client: SlumbotClient, hands: int, seed: int, saved: SavedHands | None
) -> tuple[list[PlayedHand], str]:
    """The hands that were finished, and why there are no more."""
    played: list[PlayedHand] = []
    try:
        with counting("playing", hands, "hands") as advance:
            for hand in play_slumbot(agent, client, hands, seed):
                if saved:
                    saved.add(hand)
                played.append(hand)
                advance(1)
    except (ValueError, OSError) as error:
        return played, str(error)
    except KeyboardInterrupt:
        return played, "interrupted"
    return played, ""


def summary(name: str, played: list[PlayedHand]) -> str:
    """The win rate of an agent, and what there is to say about its hands."""
    lines = [f"{name} against Slumbot: {_rate([hand.winnings for hand in played])} ({counted(len(played), 'hand')})"]
    baselines = [hand.baseline for hand in played if hand.baseline is not None]
    if len(baselines) == len(played):
        lines.append(f"compared with Slumbot in its seat: {_rate(baselines)} (baseline)")
    if folds := sum(hand.free_folds for hand in played):
        lines.append(f"{folds:,} folds were played as checks: Slumbot takes no fold where checking is free")
    if wrong := [hand for hand in played if not hand.is_as_ruled]:
        first = wrong[0]
        lines.append(
            f"{len(wrong):,} results differ from the rules; the first is hand {first.number + 1}: {first.state.action} "
            f"with {first.state.hole_cards} against {first.state.bot_cards} on {first.state.board}, "
            f"{first.winnings:+d} by the server, {first.table.payoffs[0]:+d} by the rules"
        )
    return "\n".join(lines)


def _rate(chips: list[int]) -> str:
    unit = unit_of(GAME)
    return unit.with_name(*fixed_interval(np.array(chips, np.float64)).times(unit.per / unit.chips))
