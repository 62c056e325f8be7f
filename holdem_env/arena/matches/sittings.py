"""Sittings: many hands in a row with the same players, so that what an agent remembers of earlier hands can count."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from ...agents.protocol import Agent
from ...agents.registry import make_agent
from ...game.rules_input import RulesLike, as_rules
from ...game.units import unit_of
from ..statistics.deals import Deals, join
from .batches import Batches, Columns, Finished, Rows
from .dealer import Dealer
from .match import MatchResult, summarize
from .seating import one_against_all, plays_duplicates, seated

TABLES = 512
SITTING = 20


def play_sittings(
    agent: str | Agent,
    opponent: str | Agent,
    rules: RulesLike,
    hands: int = 20_000,
    sitting: int = SITTING,
    seed: int = 0,
    num_tables: int = TABLES,
    progress: Callable[[int], None] | None = None,
    finished: Finished | None = None,
) -> MatchResult:
    """Play a match in sittings of several hands, for agents that remember.

    `agent` plays in one seat, `opponent` in all others. Stacks are fresh in every hand and the button moves on, as in
    `play_match`. The same players stay at a table for `sitting` hands, and the views' `session_hands` counts the hands
    before this one. If both are trusted, sittings are duplicate: each is played once with the agent in each seat, by
    clones, with the same decks. The interval counts sittings, whose hands are not independent of each other.

    Args:
        agent: The agent, by name, file or object.
        opponent: The opponent, by name, file or object.
        rules: The game.
        hands: Hands to play, rounded up to whole rounds of num_tables sittings from every seat.
        sitting: Hands of a sitting.
        seed: Seed of the decks.
        num_tables: Sittings played at once.
        progress, finished: As in `play_match`.

    Raises:
        AgentFailed: If an agent fails.
        ValueError: If a sitting has no hands, or the rules have a session, whose hands are in a row anyway
            (`play_sessions`).
    """
    rules = as_rules(rules)
    if sitting < 1:
        raise ValueError(f"sitting: {sitting} hands; give 1 or more")
    if rules.session is not None:
        raise ValueError("rules: hands of a sitting stand alone; a session is played by play_sessions")
    agents = [make_agent(agent), make_agent(opponent)]
    names, is_duplicate = tuple(each.name for each in agents), plays_duplicates(agents)
    rounds = -(-hands // (num_tables * sitting * (rules.seats if is_duplicate else 1)))
    lineups, parts = np.broadcast_to(one_against_all(rules.seats), (num_tables, rules.seats)), []
    with _Sittings(rules, agents, seed, finished=finished, sitting=sitting) as batches:
        for number in range(rounds):
            some = np.arange(number * num_tables, (number + 1) * num_tables, dtype=np.int64)
            seating = seated(lineups, some // rules.seats, is_duplicate)
            columns = batches.play(some, seating)
            parts.append(Deals(names, unit_of(rules), seed, some, seating.astype(np.int8), columns))
            if progress:
                progress(parts[-1].hands * sitting)
    played = join(parts)
    return summarize(agents[0].name, agents[1].name, played.per_deal(0), played.hands * sitting, unit=played.unit)


@dataclass
class _Sittings(Batches):
    """Plays sittings of `sitting` hands; a sitting's result is the mean of its hands'."""

    sitting: int = SITTING

    def play_rotation(self, dealer: Dealer, numbers: Rows) -> Columns:
        seats = self.rules.seats
        chips = np.zeros((len(numbers), seats))
        dealer.write(button=(numbers - 1) % seats)  # it moves before the hand
        for hand in range(self.sitting):
            dealer.write(session_hands=hand)
            chips += dealer.play_hand()
            self.report_finished(dealer)
        return {"chips": chips / self.sitting}
