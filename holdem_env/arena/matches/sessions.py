"""Sessions in batch: freezeouts and cash games played to their end."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np
from numpy.typing import NDArray

from ...agents.protocol import Agent
from ...engine import batch, record
from ...engine.session_kernels import SCHEDULE, arrange_hands, begin_sessions, close_hands
from ...game.rules import Rules
from ...game.rules_input import RulesLike, as_rules
from ...game.units import PRIZES
from ...table.prizes import prizes_of
from ..statistics.deals import Deals
from .batches import Batches, Columns, Finished, Rows, in_batches
from .dealer import Dealer, give_decks
from .players import Players
from .seating import plays_duplicates, seated
from .stopwatch import Stopwatch

TABLES = 1024
MAX_HANDS = 20_000
"""A session that is not over after this number of hands ends there, and chips decide about the places."""


def play_sessions(
    rules: RulesLike,
    agents: Sequence[Agent],
    lineup: Sequence[int] | NDArray[np.int64],
    numbers: range,
    seed: int = 0,
    tables: int = TABLES,
    stopwatch: Stopwatch | None = None,
    progress: Callable[[int], None] | None = None,
    finished: Finished | None = None,
    players: Players | None = None,
    duplicate: bool | None = None,
) -> Deals:
    """Play whole sessions, the unit of statistics: session d is that of table d under this seed.

    Args:
        rules: A game with `session`.
        agents: The agents.
        lineup: (seats,) or (D, seats), which of `agents` sits in each seat.
        numbers: Numbers of the sessions.
        seed: Seed of the decks.
        tables: Sessions played at once.
        stopwatch: Time limits of the agents.
        progress: Called with the number of sessions after each batch.
        finished: Called after each hand, as in `play_deals`.
        players: Players of these agents in an earlier match, as in `play_deals`.
        duplicate: Play each session from all rotations of its line-up with the same decks; otherwise once, and the
            rotations take turns. The default is that of `play_deals`.

    Returns:
        Deals in PRIZES, with four columns. "prizes" is a seat's prize minus an equal part of the prize pool; the winner
        takes one pool if the rules name no prizes. "chips" is what a seat won or lost, with rebuys counted. "places" is
        1 for the winner. "hands" is how many the session had.

    Raises:
        ValueError: If the rules have no session.
        AgentFailed: If an agent fails.
    """
    rules = as_rules(rules)
    if rules.session is None:
        raise ValueError("rules: no session; give Rules(session={...}), or play deals (play_deals)")
    lineups = np.broadcast_to(np.asarray(lineup, np.int64), (len(numbers), rules.seats))
    ids, joined = np.array(numbers, np.int64), {}
    seating = seated(lineups, ids, plays_duplicates(agents) if duplicate is None else duplicate)
    with _Sessions(rules, list(agents), seed, stopwatch, finished, players) as batches:
        if len(numbers):
            joined = batches.play(ids, seating, in_batches(len(ids), max(1, tables)), progress)
    names = tuple(agent.name for agent in agents)
    return Deals(names, PRIZES, seed, ids, seating.astype(np.int8), joined)


class _Sessions(Batches):
    def play_rotation(self, dealer: Dealer, numbers: Rows) -> Columns:
        rules, seats, log = self.rules, self.rules.seats, record.new_log(listening=False)
        dealer.change(lambda tables: begin_sessions(tables, rules.record, 0, 0))
        dealer.change(lambda tables: give_decks(tables, numbers, self.seed))
        count = len(numbers)
        started, brought = dealer.records["seats"]["stack"][:, :seats].copy(), np.zeros((count, seats), np.int64)
        ended, still = record.new_records(record.TABLE, count), np.arange(count)
        while still.size:
            before = dealer.records["hand"].copy()
            dealer.change(lambda tables: arrange_hands(tables, rules.record, log, SCHEDULE))
            going = (dealer.records["hand"] > before) & (dealer.records["session_hands"] < MAX_HANDS)
            ended[still[~going]] = dealer.records[~going]
            still = still[going]
            dealer.keep(going)
            dealer.change(lambda tables: batch.start_hands(tables, rules.record, log))
            dealer.play_out()
            self.report_finished(dealer)
            chips = dealer.records["seats"]["stack"][:, :seats].copy()
            dealer.change(lambda tables: close_hands(tables, rules.record))
            brought[still] += dealer.records["seats"]["stack"][:, :seats] - chips
        return _results(rules, ended, started + brought)


def _results(rules: Rules, ended: record.Records, brought: NDArray[np.int64]) -> dict[str, NDArray[np.float64]]:
    seats = rules.seats
    prizes = (rules.session.prizes if rules.session else ()) or (1.0,)
    stacks, places = ended["seats"]["stack"][:, :seats], ended["place"][:, :seats].astype(np.int64)
    by_chips = 1 + (stacks[:, None, :] > stacks[:, :, None]).sum(axis=2)  # for those who are still in
    places = np.where(places == 0, by_chips, places)
    hands = np.broadcast_to(ended["session_hands"][:, None], places.shape)
    return {
        "chips": (stacks - brought).astype(np.float64),
        "prizes": prizes_of(places, prizes) - sum(prizes[:seats]) / seats,
        "places": places.astype(np.float64),
        "hands": hands.astype(np.float64),
    }
