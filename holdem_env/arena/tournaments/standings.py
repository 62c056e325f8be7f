"""Standings: what a store of results says about everybody."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from functools import reduce
from math import nan

import numpy as np
from numpy.typing import NDArray

from ...agents.short_names import short_names
from ...utils.shown_names import shown_name
from ..matches.stopwatch import FORMER
from ..statistics.deals import Deals
from ..statistics.estimates import Estimate, best_estimate, columns_of, estimates
from ..statistics.intervals import CONFIDENCE, Interval, fixed_interval, watched_interval
from .ratings import block_wins, elo, instant_runoff, nash_average
from .store import Store

Pair = tuple[str, str]
REASON = 500
"""Characters of the reason for a forfeit that are shown."""
BLOCK = 50
"""Deals in a block: who is ahead after so many has won it, for Elo's ratings."""


@dataclass
class Row:
    """One agent. rate: its win rate over all opponents, in big blinds a hand (of freezeouts: prize pools a session);
    bankroll: big blinds (prize pools) won in all. elo: rating and the ends of its interval. runoff: place by instant
    run-off. nash: what it wins against the Nash average, as rate. ms: milliseconds a
    decision, by which clock: "processor" or "wall" time."""

    name: str
    rate: Interval
    bankroll: float
    hands: int
    elo: tuple[float, float, float] = (nan, nan, nan)
    runoff: int | None = None
    nash: float | None = None
    ms: float = nan
    clock: str = FORMER


@dataclass
class Standings:
    """Everybody who has not forfeited, the best first (round robin: by instant run-off; otherwise by rate).

    cross: of a round robin, the best estimate of each agent against each other. all_estimates: for each match and
    agent, every estimator. forfeits: who failed, and why. common: deals that all matches have, on which the rates
    over all opponents stand. paths: by short name the path of an agent that was given by its file, if `shortened`.
    absent: who has a row by its results, but is not entered in the latest run.
    """

    format: str
    rows: list[Row]
    cross: dict[Pair, Estimate] = field(default_factory=dict)
    all_estimates: dict[tuple[str, ...], dict[str, list[Estimate]]] = field(default_factory=dict)
    forfeits: dict[str, str] = field(default_factory=dict)
    common: int = 0
    hands: int = 0
    confidence: float = CONFIDENCE
    watched: bool = False
    paths: dict[str, str] = field(default_factory=dict)
    absent: tuple[str, ...] = ()

    def shortened(self) -> Standings:
        """The same to be shown: short names for agents that were given by their files (`short_names`), and reasons on
        one line."""
        short = short_names([*self.names, *self.forfeits])
        return replace(
            self,
            rows=[replace(row, name=short[row.name]) for row in self.rows],
            cross={
                (short[one], short[two]): replace(each, agent=short[each.agent])
                for (one, two), each in self.cross.items()
            },
            all_estimates={
                tuple(short[name] for name in names): {
                    short[name]: [replace(each, agent=short[each.agent]) for each in several]
                    for name, several in agents.items()
                }
                for names, agents in self.all_estimates.items()
            },
            forfeits={short[name]: shown_name(reason, REASON) for name, reason in self.forfeits.items()},
            absent=tuple(short[name] for name in self.absent),
            paths={new: name for name, new in short.items() if new != name},
        )

    @property
    def names(self) -> list[str]:
        """In the order of the rows."""
        return [row.name for row in self.rows]

    @property
    def unit(self) -> str:
        """What the rates are told in, times 100."""
        return "% of a prize pool" if self.format == "freezeout" else "bb/100"


def standings(store: Store, confidence: float = CONFIDENCE, watched: bool = False, nash: bool = False) -> Standings:
    """Work out the standings. watched: the intervals of a confidence sequence. Agents that have forfeited are named,
    and nothing that was played with them counts.

    Raises StoreError if nothing was played.
    """
    forfeits, form = store.forfeits(), store.format
    played = _counting(store)
    found = Standings(form, [], forfeits=forfeits, confidence=confidence, watched=watched, hands=store.hands())
    for names, deals in played.items():
        found.all_estimates[names] = {name: estimates(deals, name, confidence, watched) for name in names}
    agents = [name for name in store.agents if any(name in names for names in played)]
    if not agents:
        return found
    values, found.common = _values(agents, played)
    found.rows = [_row(store, name, played, values[:, k], found) for k, name in enumerate(agents)]
    entered = store.about().get("entered", agents)  # older stores do not say
    found.absent = tuple(name for name in agents if name not in entered)
    block = 1 if form == "freezeout" else min(BLOCK, max(1, len(values) // 10))
    if len(values):
        for row, *rating in zip(found.rows, *elo(_wins(agents, played, block), confidence), strict=True):
            row.elo = (float(rating[0]), float(rating[1]), float(rating[2]))
    if form == "round_robin":
        _compare(found, agents, played, nash)
    else:
        found.rows.sort(key=lambda row: -row.rate.mean)
    return found


def deal_values(store: Store, found: Standings) -> dict[str, NDArray[np.float64]]:
    """For each agent of the standings what it won a hand in each of the common deals, the mean over its matches; nan
    where it did not play."""
    values, _ = _values(found.names, _counting(store))
    return {name: values[:, k] for k, name in enumerate(found.names)}


def _counting(store: Store) -> dict[tuple[str, ...], Deals]:
    """The matches that count: without those who have forfeited, and at tables those of the latest field, as whoever
    came later began anew with all the others."""
    forfeits = store.forfeits()
    played = [names for names in store.matches() if not set(names) & set(forfeits)]
    if store.format != "round_robin" and played:
        played = [store.latest(played)]
    return {names: store.deals(names) for names in played}


def column_of(deals: Deals) -> str:
    """The column that rates are made of: the last, which has the least luck in it."""
    return columns_of(deals)[-1]


def _by_number(deals: Deals, name: str) -> NDArray[np.float64]:
    """(D,) what an agent won a hand in each deal, nan where it did not play."""
    theirs = deals.seating == deals.number_of(name)
    sums = np.where(theirs, deals.columns[column_of(deals)], 0.0).sum(axis=(1, 2))
    counts = theirs.sum(axis=(1, 2))
    means: NDArray[np.float64] = np.where(counts > 0, sums / np.maximum(counts, 1), nan) / deals.unit
    return means


def _values(agents: Sequence[str], played: dict[tuple[str, ...], Deals]) -> tuple[NDArray[np.float64], int]:
    """(common deals, agents): each agent's mean over its matches, deal by deal; and how many deals are common."""
    common = reduce(np.intersect1d, [deals.numbers for deals in played.values()])
    columns = []
    for name in agents:
        theirs = [
            _by_number(deals, name)[np.isin(deals.numbers, common)] for names, deals in played.items() if name in names
        ]
        columns.append(np.mean(theirs, axis=0))
    return np.stack(columns, axis=1), len(common)


def _row(
    store: Store, name: str, played: dict[tuple[str, ...], Deals], values: NDArray[np.float64], found: Standings
) -> Row:
    own = values[~np.isnan(values)]
    rate = watched_interval(own, found.confidence) if found.watched else fixed_interval(own, found.confidence)
    bankroll, hands = 0.0, 0
    for names, deals in played.items():
        if name in names:
            theirs = deals.seating == deals.number_of(name)
            column = "prizes" if "prizes" in deals.columns else "chips"
            bankroll += float(deals.columns[column][theirs].sum()) / deals.unit
            hands += int(theirs.sum())
    seconds, decisions = store.thinking().get(name, (0.0, 0))
    clock = store.clocks().get(name, FORMER)
    return Row(name, rate, bankroll, hands, ms=1000 * seconds / decisions if decisions else nan, clock=clock)


def _wins(agents: Sequence[str], played: dict[tuple[str, ...], Deals], block: int) -> NDArray[np.float64]:
    """(blocks, n, n): pair by pair in a round robin, all at once at tables."""
    places = {name: place for place, name in enumerate(agents)}
    parts = []
    for names, deals in played.items():
        values = np.stack([_by_number(deals, name) for name in names], axis=1)
        if len(names) > 2 and np.isnan(values).any():
            parts.append((names, _wins_of_few(values, block * len(names))))
        else:
            parts.append((names, block_wins(values, block)))
    blocks = max(len(wins) for _, wins in parts)
    whole = np.full((blocks, len(agents), len(agents)), nan)
    for names, wins in parts:
        which = [places[name] for name in names]
        whole[np.ix_(range(len(wins)), which, which)] = wins
    return whole


def _wins_of_few(values: NDArray[np.float64], block: int) -> NDArray[np.float64]:
    """As `block_wins`, where not everybody plays every deal: by the mean of those each has played."""
    blocks = max(1, len(values) // block)
    means = np.stack([np.nanmean(part, axis=0) for part in np.array_split(values, blocks)])
    ahead: NDArray[np.float64] = (1 + np.sign(means[:, :, None] - means[:, None, :])) / 2
    return ahead


def _compare(found: Standings, agents: list[str], played: dict[tuple[str, ...], Deals], nash: bool) -> None:
    """Crosstable, instant run-off and Nash average of a round robin."""
    rates = np.zeros((len(agents), len(agents)))
    complete = True
    for i, one in enumerate(agents):
        for j, two in enumerate(agents):
            if i == j:
                continue
            names = (one, two) if (one, two) in played else (two, one)
            if names not in played:
                complete = False
                continue
            found.cross[one, two] = best_estimate(played[names], one, found.confidence, found.watched)
            rates[i, j] = found.cross[one, two].interval.mean
    if not complete:
        found.rows.sort(key=lambda row: -row.rate.mean)
        return
    for row, place in zip(found.rows, instant_runoff(rates).tolist(), strict=True):
        row.runoff = place
    if nash:
        for row, worth in zip(found.rows, nash_average(rates)[1].tolist(), strict=True):
            row.nash = worth
    found.rows.sort(key=lambda row: row.runoff or 0)
