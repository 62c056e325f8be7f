"""What the decisions of a run's agent lose: mistakes.md in its folder, for the model card and the page of the run."""

from __future__ import annotations

from collections.abc import Iterator
from math import inf
from pathlib import Path
from time import monotonic

from holdem_env import Table
from holdem_env.agents.protocol import Agent
from holdem_env.game.rules import Rules
from holdem_env.history import HandWriter
from holdem_env.utils.atomic import write_atomically

from ...progress import VisibleProgress, counting
from ...runs.files import MISTAKES, MISTAKES_HANDS
from .matches import EVALUATION_SEED

ROLLOUTS, WORST = 1_000, 10
LEAST_SECONDS = 30.0
"""In less time there are too few hands to say anything."""


def write_mistakes(
    agent: Agent,
    rules: Rules,
    hands: int,
    folder: Path,
    seconds: float = inf,
    bar: VisibleProgress | None = None,
) -> None:
    """Judge the decisions of an agent that plays itself, and write the hands and what was found. Nothing is written,
    and what an earlier agent left is removed, for 0 hands, games other than heads-up hold'em of single hands, and
    agents without probabilities. A hand takes one to three seconds.

    seconds: the time for it, after which no other hand is judged; below LEAST_SECONDS none is.
    """
    for name in (MISTAKES, MISTAKES_HANDS):
        (folder / name).unlink(missing_ok=True)
    is_judged = rules.is_texas_holdem and rules.seats == 2 and rules.session is None and agent.gives_ranges
    if not hands or not is_judged or seconds < LEAST_SECONDS:
        return
    # Compiled code, which other runs do not need.
    from holdem_env.arena.best_responses.mistakes import Effort, judged_hands, played_hands
    from holdem_env.arena.best_responses.mistakes_table import markdown

    played = list(played_hands(agent, rules, hands, EVALUATION_SEED))
    begun = monotonic()
    with HandWriter(folder / MISTAKES_HANDS) as writer, counting(bar, "judging decisions", hands, "hands") as count:

        def in_time() -> Iterator[Table]:
            for table in played:
                if monotonic() - begun > seconds:
                    return
                writer.write(table)
                yield table
                count(1)

        judged = judged_hands(in_time(), (agent, agent), effort=Effort(rollouts=ROLLOUTS))
    names = [str(number) for number in range(1, judged.hands + 1)]
    write_atomically(folder / MISTAKES, markdown(judged, WORST, names, MISTAKES_HANDS) + "\n")
