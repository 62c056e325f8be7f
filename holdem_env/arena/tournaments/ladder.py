"""Ladders: tournaments with anchors, in which ratings are relative to the anchors."""

from __future__ import annotations

import json
import os
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, replace
from itertools import count
from math import isfinite
from typing import Any, Literal

from ...game.rules import Rules
from ...game.title import game_title
from ...render.charts import Line, intervals_svg
from ..matches.match import MatchResult
from ..statistics.estimates import best_estimate
from .entrants import digest_of
from .plan import Contender, Tournament
from .ratings import rate
from .store import Entered, Store
from .store_file import reads

LEAST_HALF_WIDTH = 0.1
"""bb/100: a match that always ends alike weighs no more than this."""
EXPLANATION = (
    "A rating is one number for each agent, in bb/100, fitted to all its win rates; 0 is the mean of the anchors. "
    "Poker is not transitive: the 95 % interval holds the luck of the matches and how far they are from fitting one "
    "number each."
)
ANCHOR, CHANGED = "anchor", "changed since"


@dataclass(frozen=True)
class Ladder:
    """What a ladder's table is made for. anchors: the names of whom everybody plays. aivat: whether matches are
    estimated by AIVAT, otherwise by all-in values. published: what the anchors have won from each other."""

    name: str
    rules: Rules
    anchors: tuple[str, ...]
    aivat: bool = False
    published: tuple[MatchResult, ...] = ()

    @property
    def title(self) -> str:
        """The game in words: "headsup_limit: Fixed limit 1/2, 2 seats, 100 big blinds"."""
        stacks, blind = max(self.rules.starting_stacks), self.rules.big_blind
        depth = f"{stacks / blind:,.4g} big blinds" if blind else f"{stacks:,} chips"
        return f"{self.name}: {game_title(self.rules)}, {self.rules.seats} seats, {depth}"

    @property
    def estimate(self) -> str:
        """How the matches are estimated."""
        return f"duplicate deals and {'AIVAT' if self.aivat else 'all-in values'}"


@dataclass(frozen=True)
class LadderRow:
    """One agent. rank: 1 the best. rate, half_width: its rating, bb/100. against: by anchor, its win rate and half the
    width of the 95 % interval; of an anchor, what it won from the others. hands: played in all. added: the date. note:
    "anchor", "changed since", or nothing."""

    rank: int
    name: str
    rate: float
    half_width: float
    against: dict[str, tuple[float, float]]
    hands: int
    added: str
    note: str


@dataclass(frozen=True)
class LadderTable:
    """A ladder with its rows, best first. anchors: the columns."""

    ladder: Ladder
    anchors: tuple[str, ...]
    rows: list[LadderRow]

    def svg(self, theme: str = "auto", layout: Literal["wide", "narrow"] = "wide") -> str:
        """The ratings with their intervals: SVG text."""
        lines = [Line(row.name, row.rate, row.half_width) for row in self.rows]
        return intervals_svg(lines, self.ladder.name, "bb/100", "95 % intervals", theme, layout)


@reads
def ladder_of(store: Store) -> Ladder:
    """The ladder of a store of one's own, called like its file. Raises StoreError where nothing was entered."""
    about = {"anchors": (), "aivat": False, **store.about()}
    return Ladder(store.path.stem, store.rules, tuple(about["anchors"]), bool(about["aivat"]))


def with_newcomer(ladder: Tournament, made_of: Mapping[str, Any], name: str, store: Store) -> Tournament:
    """The tournament of an agent against the anchors of a ladder.

    made_of: what `make_agent` makes the agent of, {"agent": name or file, ...}. name: its row's. If that is another
    agent's in the store, or the agent's file, code or parameters have changed since, it gets a number: a new row.
    Raises ValueError for an anchor and for an anchor's name.
    """
    agent, anchors = str(made_of["agent"]), set(ladder.anchors)
    if agent in anchors:
        raise ValueError(f"{agent!r} is an anchor, which everybody plays already; name another agent")
    if name in anchors:
        raise ValueError(f"the name {name!r} is an anchor's; give the agent another one with --name")
    parameters = {key: value for key, value in made_of.items() if key != "agent"}
    rows = (name if number == 1 else f"{name} {number}" for number in count(1))
    newcomers = (Contender(agent=agent, name=row, parameters=parameters) for row in rows)
    plans = (ladder.model_copy(update={"agents": (*ladder.agents, each)}) for each in newcomers)
    return next(plan for plan in plans if plan.names[-1] not in store.changed(plan))


def ladder_table(ladder: Ladder, store: Store | None = None) -> LadderTable:
    """The table of a ladder: what is published of its anchors, and what a store adds to it."""
    results = {(each.agent, each.opponent): each for each in ladder.published}
    entered = store.entered() if store else {}
    if store is not None:
        out = set(store.forfeits())
        results |= {(one, two): _result(store, one, two) for one, two in store.matches() if not out & {one, two}}
    won = list(results.values())
    hands, against = Counter[str](), dict[tuple[str, str], tuple[float, float]]()
    for each in won:
        hands.update({each.agent: each.hands, each.opponent: each.hands})
        if ladder.rules.seats == 2:  # with more, one seat against all others is another match than the reverse
            against.setdefault((each.opponent, each.agent), (-each.mean, each.half_width))
        against[each.agent, each.opponent] = each.mean, each.half_width
    fitted = [replace(each, half_width=max(each.half_width, LEAST_HALF_WIDTH)) for each in won]
    fitted = [each for each in fitted if isfinite(each.half_width)]
    anchors = tuple(name for name in ladder.anchors if name in hands)
    rows = []
    for rank, rating in enumerate(rate(fitted, anchors, misfit=True) if fitted else [], 1):
        name, there = rating.player, entered.get(rating.player)
        rates = {anchor: against[name, anchor] for anchor in anchors if (name, anchor) in against}
        added = there.added if there else ""
        note = ANCHOR if name in anchors else CHANGED if there and _has_changed(there) else ""
        rows.append(LadderRow(rank, name, rating.rate, rating.half_width, rates, hands[name], added, note))
    return LadderTable(ladder, anchors, rows)


def _result(store: Store, one: str, two: str) -> MatchResult:
    """What the first of a match has won from the second, by the best estimate."""
    deals = store.deals((one, two))
    return MatchResult(one, two, *best_estimate(deals, 0).bb100, deals.hands, len(deals.numbers))


def _has_changed(entered: Entered) -> bool:
    """Whether an agent's files are other ones now. Where there are no such files from here, nobody can tell."""
    if not os.path.isfile(json.loads(entered.made_of)["agent"]):
        return False
    try:
        return digest_of(entered.made_of) != entered.digest
    except OSError:
        return False
