"""A match: agents at thousands of tables at once, among trusted ones on the same decks from every seat."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from ...agents.config_files import config_of
from ...agents.protocol import Agent
from ...agents.registry import make_agent
from ...compiled.records import Records
from ...game.rules import Rules
from ...game.rules_input import RulesLike, as_rules
from ...game.units import BIG_BLINDS, Unit, unit_of
from ...utils.shown_names import shown_name
from ..statistics.deals import Deals
from ..statistics.intervals import fixed_interval
from ..statistics.results import DuplicateResult
from .batches import Batches, Columns, Finished, Rows, in_batches
from .dealer import Dealer
from .players import AgentFailed, Players
from .seating import one_against_all, plays_duplicates, seated
from .stopwatch import Stopwatch

TABLES = 2048  # how many hands are played at once: enough that calls cost little, few enough for the processor's cache


class Column(Protocol):
    """Something that estimates the value of finished hands: a column of the deals.

    One that has a method `take_moves(played)` is handed all moves of the hands before it is asked for their values, in
    order: (rows, moves) pairs of int64 arrays. One that learns from earlier deals has a property `next_block`: how many
    deals may be dealt before it is asked again.
    """

    name: str

    def why_not(self, rules: Rules) -> str | None:
        """Why it cannot be had in a game; None if it can."""

    def values(self, tables: Records, rules: Rules, seating: Rows, agents: list[Agent]) -> NDArray[np.float64]:
        """Net chips, (N, seats) float64, of N tables whose hands are over. seating: (N, seats), who sits where."""


@dataclass(frozen=True)
class MatchResult(DuplicateResult):
    """What a match has shown of the first agent, in `unit`; fields as in `DuplicateResult`."""

    agent: str
    opponent: str
    mean: float
    half_width: float
    hands: int
    deals: int
    unit: Unit = BIG_BLINDS

    @property
    def pairing(self) -> str:
        """The agent against the opponent."""
        return f"{shown_name(self.agent, None)} against {shown_name(self.opponent, None)}"


def play_match(
    agent: str | Agent,
    opponent: str | Agent,
    rules: RulesLike,
    hands: int = 20_000,
    seed: int = 0,
    num_tables: int = 512,
    progress: Callable[[int], None] | None = None,
    finished: Finished | None = None,
) -> MatchResult:
    """Play `agent` in one seat against `opponent` in all others, and report the win rate of `agent`.

    Deals are duplicate: each is played once with the agent in each seat, with the same cards and button, so that card
    luck cancels. A deal's result is the mean over its seats. The interval counts deals, which are independent. With an
    untrusted agent each deal is played once, as by `play_deals`.

    Args:
        agent: The agent, by name, file or object.
        opponent: The opponent, by name, file or object.
        rules: Rules, a preset's name, a dict of fields, or the path of a YAML file.
        hands: Hands to play, rounded up to a multiple of the seats.
        seed: Seed of the decks.
        num_tables: Deals played at once.
        progress: Called with the number of hands after each batch.
        finished: Called when hands are over, as in `play_deals`; SavedHands writes them to a file.

    Raises:
        AgentFailed: If an agent fails.
    """
    rules = as_rules(rules)
    first, second = make_agent(agent), make_agent(opponent)
    both, lineup, same = [first, second], one_against_all(rules.seats), are_same(first, second)
    deals = range(number_of_deals(hands, rules.seats, plays_duplicates(both)))
    played = play_deals(rules, both, lineup, deals, seed, tables=num_tables, progress=progress, finished=finished)
    return summarize(first.name, second.name, played.per_deal(0), played.hands, same, played.unit)


def play_deals(
    rules: RulesLike,
    agents: Sequence[Agent],
    lineup: Sequence[int] | Rows,
    numbers: range,
    seed: int = 0,
    columns: Sequence[Column] = (),
    tables: int = TABLES,
    stopwatch: Stopwatch | None = None,
    progress: Callable[[int], None] | None = None,
    finished: Finished | None = None,
    players: Players | None = None,
    duplicate: bool | None = None,
    turns: Sequence[int] | None = None,
) -> Deals:
    """Play deals, many at once; hands stand alone, with fresh stacks.

    Agents get copies of what their seats may see. Each rotation is played by clones of its own (`Agent.clone`), so that
    an honest agent's memory of a deal never meets the same cards.

    Args:
        rules: Rules, a preset's name, a dict of fields, or the path of a YAML file.
        agents: The agents.
        lineup: (seats,) or (D, seats), which of `agents` sits in each seat.
        numbers: Numbers of the deals. Deal d has the cards of hand 0 of table d under this seed, and the button at seat
            d % seats. So it does not depend on `tables` or on the other deals.
        seed: An integer of 63 bits, or a key of 128, such as `secrets.randbits(128)`. With a key nobody can compute a
            deck from others (`dealer.give_decks`).
        columns: Values of the hands to record in addition to chips.
        tables: Hands played at once.
        stopwatch: Time limits of the agents.
        progress: Called with the number of hands after each batch.
        finished: Called with the tables of each batch and rotation, (N,) TABLE records whose hands are over, and their
            seating, (N, seats).
        players: Players of these agents in an earlier match, to play on.
        duplicate: Play each deal from all rotations of its line-up, with the same cards; otherwise once, and the
            rotations take turns. By default True if all agents are trusted (`AgentFacts.is_trusted`). An agent that
            remembered a deal would know its opponents' cards.
        turns: Rotations of its line-up from which a duplicate deal is played. By default all.

    Raises:
        AgentFailed: If an agent fails or changes the tables.
        ValueError: If the line-up names no agent, or the game does not have a column.
    """
    rules = as_rules(rules)
    seats = rules.seats
    lineups = np.broadcast_to(np.asarray(lineup, np.int64), (len(numbers), seats))
    if lineups.size and not 0 <= lineups.min() <= lineups.max() < len(agents):
        raise ValueError(f"lineup: there are agents 0..{len(agents) - 1}, the line-up has {lineups.max()}")
    for column in columns:
        if why := column.why_not(rules):
            raise ValueError(why)
    names = tuple(agent.name for agent in agents)
    all_deals = np.arange(numbers.start, numbers.stop, numbers.step, dtype=np.int64)
    is_duplicate = plays_duplicates(agents) if duplicate is None else duplicate
    seating = seated(lineups, all_deals // seats, is_duplicate)  # the button moves from deal to deal
    if is_duplicate and turns is not None:
        seating = seating[:, list(turns)]
    if not len(numbers):
        raise ValueError("numbers: no deals")
    with _Deals(rules, list(agents), seed, stopwatch, finished, players, columns) as batches:
        blocks = [each for column in columns if (each := getattr(column, "next_block", None)) is not None]
        won = batches.play(all_deals, seating, in_batches(len(all_deals), max(1, tables), blocks), progress)
    return Deals(names, unit_of(rules), seed, all_deals, seating.astype(np.int8), won)


def number_of_deals(hands: int, seats: int, duplicate: bool) -> int:
    """How many deals make at least this number of hands, a multiple of the seats."""
    return -(-hands // seats) * (1 if duplicate else seats)


@dataclass
class _Deals(Batches):
    columns: Sequence[Column] = ()

    def play_rotation(self, dealer: Dealer, numbers: Rows) -> Columns:
        phase, hands = _phases(self.rules)
        which = numbers % len(phase)
        # The button moves before the hand.
        dealer.write(button=(numbers - 1) % self.rules.seats, phase=phase[which], phase_hands=hands[which])
        values = {"chips": dealer.play_hand().astype(np.float64)}
        for column in self.columns:
            if callable(take_moves := getattr(column, "take_moves", None)):
                take_moves(dealer.played)
            values[column.name] = column.values(dealer.records, self.rules, dealer.seating, self.agents)
        self.report_finished(dealer)
        return values


def _phases(rules: Rules) -> tuple[Rows, Rows]:
    """Of mixed hold'em, for each hand of a whole round of phases: which phase it is in, and the hands before it."""
    phases = rules.session.phases if rules.session else ()
    lengths = [phase.hands or (phase.orbits or 1) * rules.seats for phase in phases] or [1]
    return np.repeat(np.arange(len(lengths)), lengths), np.concatenate([np.arange(length) for length in lengths])


def summarize(
    agent: str, opponent: str, won: NDArray[np.float64], hands: int, constant: bool = False, unit: Unit = BIG_BLINDS
) -> MatchResult:
    """The win rate and its interval from independent results in `unit.amount`. constant: see `fixed_interval`."""
    found = fixed_interval(won, constant=constant)
    return MatchResult(agent, opponent, *found.times(unit.per), hands, found.samples, unit)


def are_same(one: Agent, two: Agent) -> bool:
    """Whether an agent plays itself: one object, or two that were made alike."""
    if one is two:
        return True
    try:
        return type(one) is type(two) and config_of(one) == config_of(two)
    except ValueError:  # it cannot be written down
        return False


__all__ = ["AgentFailed", "Column", "MatchResult", "play_deals", "play_match", "summarize"]
