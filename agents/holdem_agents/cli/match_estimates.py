"""A match by every estimator that its game allows, for `holdem match --estimators`."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from holdem_env.agents.protocol import Agent
from holdem_env.arena import (
    Aivat,
    AllInValue,
    Estimate,
    ImaginaryAivat,
    estimates,
    one_against_all,
    play_deals,
)
from holdem_env.arena.matches.batches import Finished
from holdem_env.arena.matches.match import Column, number_of_deals, plays_duplicates
from holdem_env.game.rules import Rules


def all_estimates(
    agents: Sequence[Agent],
    rules: Rules,
    hands: int,
    seed: int,
    progress: Callable[[int], None],
    imaginary: bool = False,
    finished: Finished | None = None,
) -> list[Estimate]:
    """Estimates of the first agent's win rate against the second, which has all the other seats.

    imaginary: also AIVAT with imaginary observations. finished: is shown all hands. Raises ValueError where imaginary
    observations cannot be had.
    """
    if imaginary and (why := ImaginaryAivat().why_not(rules)):
        raise ValueError(why)
    columns: list[Column] = [] if AllInValue().why_not(rules) else [AllInValue()]
    if Aivat().why_not(rules) is None:
        columns.append(aivat := Aivat.learned(rules, agents))
        if imaginary:
            columns.append(ImaginaryAivat(aivat.weights))
    deals = range(number_of_deals(hands, rules.seats, plays_duplicates(agents)))
    lineup = one_against_all(rules.seats)
    return estimates(play_deals(rules, agents, lineup, deals, seed, columns, progress=progress, finished=finished))
