"""The table of a ladder: ratings relative to the anchors, and what each agent won from every anchor."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from math import inf, isfinite
from typing import Literal

from ...game.title import game_title
from ...render.charts import Line, intervals_svg
from ...utils.version import __version__
from ..matches.match import MatchResult
from ..statistics.estimates import best_estimate
from .entrants import digest_of
from .ladder import Ladder, source_of
from .ratings import rate
from .store import Entered, Store

LEAST_HALF_WIDTH = 0.1
"""bb/100: a match that always ends alike weighs no more than this."""
EXPLANATION = (
    "A rating is one number for each agent, in bb/100, fitted to all its win rates; 0 is the mean of the opponents "
    "that everybody plays. Poker is not transitive: the 95 % interval holds the luck of the matches and how far they "
    "are from fitting one number each."
)
ANCHOR, CHANGED = "anchor", "changed since"


@dataclass(frozen=True)
class LadderRow:
    """One agent. rank: 1 the best. rate, half_width: its rating, bb/100. against: by anchor, its win rate and half the
    width of the 95 % interval; of an anchor itself, what it won from the others. hands: played in all. added: the date.
    note: "anchor", "changed since", or nothing."""

    rank: int
    name: str
    rate: float
    half_width: float
    against: dict[str, tuple[float, float]]
    hands: int
    added: str
    version: str
    note: str

    @property
    def is_anchor(self) -> bool:
        """Whether everybody plays it."""
        return self.note == ANCHOR


@dataclass(frozen=True)
class LadderTable:
    """A ladder with its rows, best first, and its anchors, which are the columns."""

    ladder: Ladder
    anchors: tuple[str, ...]
    rows: list[LadderRow] = field(default_factory=list)

    @property
    def title(self) -> str:
        """The game in words: "headsup_limit: Fixed limit 1/2, 2 seats, 100 big blinds"."""
        rules = self.ladder.rules
        stacks = max(rules.starting_stacks)
        depth = f"{stacks / rules.big_blind:,.4g} big blinds" if rules.big_blind else f"{stacks:,} chips"
        return f"{self.ladder.name}: {game_title(rules)}, {rules.seats} seats, {depth}"

    def svg(self, theme: str = "auto", layout: Literal["wide", "narrow"] = "wide") -> str:
        """The ratings with their intervals: SVG text."""
        lines = [Line(row.name, row.rate, row.half_width) for row in self.rows]
        return intervals_svg(lines, self.ladder.name, "bb/100", "95 % intervals", theme, layout)


def match_result(store: Store, one: str, two: str) -> MatchResult:
    """What the first of a match has won from the second, by the best estimate. Raises StoreError if it was never
    played."""
    deals = store.deals((one, two))
    mean, half = best_estimate(deals, 0).bb100
    return MatchResult(one, two, mean, half, deals.hands, len(deals.numbers))


def ladder_table(ladder: Ladder, store: Store | None = None) -> LadderTable:
    """The table of a ladder: what is published of its anchors, and what a store adds to it."""
    results = {(each.agent, each.opponent): each for each in ladder.results}
    entered = store.entered() if store else {}
    if store is not None:
        results |= {(one, two): match_result(store, one, two) for one, two in store.matches()}
    keys = dict.fromkeys([*(each.key for each in ladder.known), *entered])
    names = _names(ladder, keys, entered)
    ours = [replace(each, agent=names[each.agent], opponent=names[each.opponent]) for each in results.values()]
    order = tuple(each.name for each in ladder.anchors if each.key in keys)
    against, hands = _won(ours, is_symmetric=ladder.rules.seats == 2), _hands_played(ours)
    fitted = [replace(each, half_width=max(each.half_width, LEAST_HALF_WIDTH)) for each in ours]
    fitted = [each for each in fitted if isfinite(each.half_width)]
    key_of = {name: key for key, name in names.items()}
    rows = []
    for rank, rating in enumerate(rate(fitted, order, misfit=True) if fitted else [], 1):
        won = {anchor: against[rating.player, anchor] for anchor in order if (rating.player, anchor) in against}
        half = rating.half_width if isfinite(rating.half_width) else inf
        about = _about(ladder, key_of[rating.player], entered)
        rows.append(LadderRow(rank, rating.player, rating.rate, half, won, hands[rating.player], *about))
    return LadderTable(ladder, order, rows)


def _about(ladder: Ladder, key: str, entered: Mapping[str, Entered]) -> tuple[str, str, str]:
    """When an agent was added, by which version, and what there is to say of it."""
    there, anchor = entered.get(key), ladder.anchor_of(key)
    if anchor is not None:
        return anchor.added or (there.added if there else ""), there.version if there else __version__, ANCHOR
    assert there is not None
    return there.added, there.version, CHANGED if _has_changed(there) else ""


def _has_changed(entered: Entered) -> bool:
    """Whether an agent's files are other ones now. Where there are no such files from here, nobody can tell."""
    source = source_of(entered)
    if not os.path.isfile(source):
        return False
    try:
        return digest_of(entered.made_of) != entered.digest
    except OSError:
        return False


def _names(ladder: Ladder, keys: Iterable[str], entered: Mapping[str, Entered]) -> dict[str, str]:
    """By key how a row is called: an anchor whose file is another one now, by its date too."""
    present, found = {each.key for each in ladder.anchors}, dict[str, str]()
    for key in keys:
        anchor = ladder.anchor_of(key)
        name = key if anchor is None else anchor.name
        if anchor is not None and key not in present:
            name = f"{name} of {_about(ladder, key, entered)[0]}"
        while name in found.values():
            name += "'"
        found[key] = name
    return found


def _won(results: Iterable[MatchResult], is_symmetric: bool) -> dict[tuple[str, str], tuple[float, float]]:
    """What the first wins from the second. With two seats, what the second wins from the first is the opposite."""
    found = {}
    for each in results:
        if is_symmetric:
            found[each.opponent, each.agent] = -each.mean, each.half_width
    for each in results:
        found[each.agent, each.opponent] = each.mean, each.half_width
    return found


def _hands_played(results: Iterable[MatchResult]) -> dict[str, int]:
    found: dict[str, int] = {}
    for each in results:
        for name in (each.agent, each.opponent):
            found[name] = found.get(name, 0) + each.hands
    return found
