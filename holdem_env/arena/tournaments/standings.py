"""Standings: what a store of results says about everybody."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import reduce
from html import escape
from itertools import permutations
from math import nan
from statistics import NormalDist
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from ...agents.short_names import short_names
from ...game.units import BIG_BLINDS, PRIZES, Unit, unit_of
from ...render.charts import Line, intervals_svg
from ...render.html_tables import data_table
from ...utils.counting import counted
from ...utils.shown_names import shown_name, shown_reason
from ..estimators.registry import summary_of
from ..statistics.deals import Deals
from ..statistics.estimates import Estimate, column_of, estimates
from ..statistics.intervals import CONFIDENCE, Interval, check_confidence, fixed_interval, watched_interval
from ..statistics.ranking import Scores, orders_of
from ..statistics.tables import Tabled
from .columns import Column, Row, columns_of
from .plan import RankBy, check_known_results
from .ratings import block_wins, elo, instant_runoff, nash_average
from .store import Store
from .store_file import reads

Pair = tuple[str, str]
TITLES = {"round_robin": "Round robin", "tables": "Tables, all at once", "freezeout": "Freezeouts"}
PLACES: dict[RankBy, str] = {
    "rate": "Places go by the rate.",
    "elo": "Places go by Elo's rating.",
    "nash": "Places go by what an agent wins against the Nash average.",
    "runoff": "Places are those of the instant run-off, not of the rates: the last is dropped, the rates against those "
    "who are left are computed again, and so on.",
    "bankroll": "Places go by the bankroll.",
}
"""What the order of the standings means."""
KNOWN = (
    "What anchors won from each other comes from the tournament's results, and the intervals of their rates are upper "
    "bounds. "
)
NASH = " Nash: what an agent wins against the Nash average, as the rate."
ABSENT = " * not entered in the latest run; ranked by earlier results."
BLOCK = 50  # deals in a block, which the agent ahead at its end wins, for Elo's ratings


@dataclass
class Standings(Tabled):
    """Everybody who has not forfeited, the best first, by `rank_by`.

    cross: of a round robin, the best estimate of each agent against each other. all_estimates: for each match and
    agent, every estimator. forfeits: who failed, and why. common: deals that all matches have, on which the rates
    over all opponents stand. paths: by short name the path of an agent that was given by its file, if `shortened`.
    schedule: "even" or "adaptive". estimator: the column of the deals that rates are made of. ranked: whether the
    schedule has looked at the ranks (`Tournament.is_ranking`). anchors: over whom alone the rates are, where there are
    any. are_known: what they won from each other is of a file, not of deals. values: what each agent won in each deal
    of its rate (`deal_values`). unit: of the rates. left: who is entered no more, and what it won. alone: without any
    match that counts, those who have not forfeited.
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
    schedule: str = "even"
    rank_by: RankBy = "rate"
    estimator: str = "chips"
    ranked: bool = False
    anchors: tuple[str, ...] = ()
    are_known: bool = False
    left: dict[str, str] = field(default_factory=dict)
    alone: list[str] = field(default_factory=list)
    unit: Unit = BIG_BLINDS
    values: dict[str, NDArray[np.float64]] = field(default_factory=dict, repr=False, compare=False)

    def shortened(self) -> Standings:
        """The same to be shown: short names for agents that were given by their files, and reasons on one line."""
        short = short_names([*self.names, *self.forfeits, *self.left, *self.alone])
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
            left={short.get(name, name): won for name, won in self.left.items()},
            alone=[short[name] for name in self.alone],
            forfeits={short[name]: shown_reason(reason) for name, reason in self.forfeits.items()},
            paths={new: name for name, new in short.items() if new != name},
            values={short.get(name, name): values for name, values in self.values.items()},
        )

    @property
    def names(self) -> list[str]:
        return [row.name for row in self.rows]

    @property
    def interval(self) -> Callable[[NDArray[np.float64], float], Interval]:
        return watched_interval if self.watched else fixed_interval

    @property
    def hands_of_pairs(self) -> tuple[int, int]:
        hands = [next(iter(agents.values()))[-1].hands for agents in self.all_estimates.values()]
        return min(hands, default=0), max(hands, default=0)

    @property
    def have_all_met(self) -> bool:
        """Whether each agent of a round robin has a result against each other; true of other formats."""
        return self.format != "round_robin" or len(self.cross) == len(self.rows) * (len(self.rows) - 1)

    @property
    def are_ranks_decided(self) -> bool | None:
        """Whether everybody's rank is; None where no schedule has looked at that."""
        ranks = [row.ranks for row in self.rows if row.ranks is not None] if self.ranked else []
        return all(best == worst for best, worst in ranks) if ranks else None

    @property
    def columns(self) -> list[Column]:
        """What every rendering says of each agent, in this order."""
        return columns_of(self.unit, self.rows)

    def cells(self) -> list[list[str]]:
        return [[column.cell(row, self) for column in self.columns] for row in self.rows]

    def values_by_key(self) -> list[dict[str, Any]]:
        return [
            {
                key: value
                for column in self.columns
                for key, value in zip(column.keys, column.values(row, self), strict=True)
            }
            for row in self.rows
        ]

    def _table(self) -> list[dict[str, Any]]:
        unit, played = self.unit, "sessions" if self.format == "freezeout" else "hands"
        rates = [dict(zip(("rate", "half_width"), row.rate.times(unit.per), strict=True)) for row in self.rows]
        return [
            {"place": row.place, "agent": row.name, **rate, "unit": unit.name, played: row.hands}
            for row, rate in zip(self.rows, rates, strict=True)
        ]

    def svg(self, theme: str = "auto", layout: Literal["wide", "narrow"] = "wide") -> str:
        """Everybody's rate with its interval, in the order of the places: SVG text.

        theme: "light", "dark", or "auto", which follows the reader's settings. layout: "narrow" is for phones. Raises
        ValueError for another theme or layout.
        """
        found = self.shortened()
        lines = [Line(f"{row.place}  {row.name}", *row.rate.times(self.unit.per)) for row in found.rows]
        note = f"{counted(self.hands, 'hand')}, {100 * self.confidence:.4g} % intervals"
        return intervals_svg(lines, TITLES[self.format], self.unit.name, note, theme, layout)

    def _repr_html_(self) -> str:
        found = self.shortened()
        words = [k for k, column in enumerate(found.columns) if column.is_words]
        table = data_table([column.heading for column in found.columns], found.cells(), words=words)
        rates = {pair: each.unit.text(*each.rate) for pair, each in found.cross.items()}
        pairs = [[one, *(rates.get((one, two), "") for two in found.names)] for one in found.names]
        cross = data_table([f"{self.unit.name} of the row's agent", *found.names], pairs) if found.cross else ""
        failed = [f"{name} forfeited: {reason}" for name, reason in found.forfeits.items()]
        return self.svg() + table + cross + "".join(f"<p>{escape(each)}</p>" for each in [*failed, found.explanation])

    @property
    def explanation(self) -> str:
        """How places, rates, bankrolls and ratings come about, in sentences."""
        if not self.rows:
            if not self.forfeits:
                return "No match is finished yet."
            alone = f": {', '.join(map(shown_name, self.alone))} met nobody else" if self.alone else ""
            return f"No match has two agents that have not forfeited, so there are no standings{alone}."
        deal = "session" if self.format == "freezeout" else "deal"
        ranked = self.are_ranks_decided is not None
        places = PLACES[self.rank_by]
        if any("–" in row.place for row in self.rows):
            places += " Agents whose order is not decided, all comparisons together, share their places."
        basis = f"the {self.common:,} {deal}{'s' if self.common != 1 else ''} that all matches have"
        over = "all opponents" if self.have_all_met else "the opponents that an agent has met"
        if self.anchors:
            over, basis = (
                "the anchors (what an agent wins from itself is 0)",
                "the deals that an agent has played against each of them",
            )
        elif ranked:
            basis = f"the {deal}s that an agent has played against everybody, at least {self.common:,}"
        blocks = "each session" if self.format == "freezeout" else "blocks of deals"
        return (
            f"{places} The rate over {over} stands on {basis}; it is made of {summary_of(self.estimator)}. "
            f"{KNOWN if self.are_known else ''}Bankroll: {self.unit.amount} won in all, with all the luck in "
            f"them. Elo: Bradley and Terry's model of who is ahead after {blocks}."
            f"{NASH if any(row.nash is not None for row in self.rows) else ''}"
            f"{ABSENT if any(row.is_absent for row in self.rows) else ''}"
            + "".join(f" Left: {shown_name(name)}, {won}." for name, won in self.left.items())
        )


def standings(
    store: Store,
    confidence: float | None = None,
    watched: bool | None = None,
    nash: bool | None = None,
    rank_by: RankBy | None = None,
    leavers: Literal["show", "count"] | None = None,
) -> Standings:
    """Work out the standings. Agents that have forfeited are named, and nothing that was played with them counts.

    Args:
        store: The results.
        confidence: Of the intervals.
        watched: Whether they are those of a confidence sequence.
        nash: Whether to work out the Nash average.
        rank_by: What places go by.
        leavers: As of a Tournament. Of all these, None is what the latest run wanted.

    Raises:
        StoreError: If nothing was played.
    """
    given = {"confidence": confidence, "watched": watched, "nash": nash, "rank_by": rank_by, "leavers": leavers}
    usual: dict[str, Any] = {"confidence": CONFIDENCE, "watched": False, "nash": False, "rank_by": "rate"}
    chosen = usual | store.reporting() | {name: value for name, value in given.items() if value is not None}
    check_confidence(chosen["confidence"])
    by_nash, counts = chosen["nash"] or chosen["rank_by"] == "nash", chosen.get("leavers") == "count"
    return _standings(store, chosen["confidence"], chosen["watched"], by_nash, chosen["rank_by"], counts)


@reads
def _standings(
    store: Store, confidence: float, watched: bool, nash: bool, rank_by: RankBy, all_count: bool
) -> Standings:
    forfeits, form, about = store.forfeits(), store.format, store.about()
    found = Standings(form, [], forfeits=forfeits, confidence=confidence, watched=watched)
    found.unit = PRIZES if form == "freezeout" else unit_of(store.rules)
    found.schedule, found.rank_by = str(about.get("schedule", "even")), rank_by
    matches = _counting(store, form, forfeits)
    if form == "round_robin" and not (all_count or about["anchors"]):
        matches, found.left = _without_leavers(store, matches, about["entered"], found.unit)
    found.hands = store.hands(matches)
    agents = [name for name in store.agents if any(name in names for names in matches)]
    if not agents:
        found.alone = [name for name in about["entered"] if name not in forfeits]
        return found
    field = [name for name in agents if name in about["entered"]]
    check_known_results(about["results"], store.rules.seats)
    if not set(about["anchors"]) <= {*store.agents, *about["entered"]}:
        raise store.damaged("an anchor was never entered")
    found.anchors, known = tuple(about["anchors"]), [each for each in about["results"] if {*each[:2]} <= {*agents}]
    found.are_known = any({(one, two), (two, one)}.isdisjoint(matches) for one, two, *_ in known)
    chosen = field if about.get("ranking") else None
    sums = _Sums(agents, matches, store.numbers(matches), chosen, found.anchors, store.rules.seats)
    for names in matches:
        deals = store.deals(names)  # one match at a time: all together may be more than the memory holds
        found.all_estimates[names] = {name: estimates(deals, name, confidence, watched) for name in names}
        found.estimator = column_of(deals)
        sums.add(deals, 1 if form == "freezeout" else min(BLOCK, max(1, len(sums.axis) // 10)))
    found.common = sums.common
    found.rows = _rows(store, agents, sums, found)
    found.values = {name: sums.means(name) for name in agents}
    if len(sums.axis):
        for row, *rating in zip(found.rows, *elo(_wins(agents, sums.wins), confidence), strict=True):
            row.elo = (float(rating[0]), float(rating[1]), float(rating[2]))
    if form == "round_robin":
        found.cross = {(one, two): _known(found, one, *rest) for one, two, *rest in known}
        _compare(found, agents, nash)
        _rate_by_known(found)
    if sums.scores is not None and form == "round_robin":
        _rank(found, sums.scores)
    elif rank_by == "rate":
        _bracket(found)
    found.rows.sort(key=_order(found))
    for place, row in enumerate(found.rows, 1):
        row.place, row.is_absent = ranks_in_words(row.ranks) or str(place), row.name not in field
    return found


def _order(found: Standings) -> Callable[[Row], tuple[Any, ...]]:
    """What the rows are sorted by. A run-off or a Nash average that is not to be had leaves the order of the rates."""
    by: dict[RankBy, Callable[[Row], float]] = {
        "rate": lambda row: -row.rate.mean,
        "elo": lambda row: -row.elo[0],
        "nash": lambda row: -(row.nash or 0.0),
        "runoff": lambda row: row.runoff or 0,
        "bankroll": lambda row: -row.bankroll,
    }
    return lambda row: (found.ranked and row.ranks is None, by[found.rank_by](row), -row.rate.mean)


def _bracket(found: Standings) -> None:
    """Which ranks the rates decide: two agents are in order if the interval of the difference of their results, deal by
    deal, is on one side of 0, all pairs together (Bonferroni); without deals in common, if their intervals part."""
    agents = len(found.rows)
    confidence = 1 - (1 - found.confidence) / max(1, agents * (agents - 1) // 2)
    behind = np.zeros((agents, agents), np.bool_)
    for i, one in enumerate(found.rows):
        for j, two in enumerate(found.rows[:i]):
            apart = found.values[one.name] - found.values[two.name]
            apart = apart[~np.isnan(apart)]
            if len(apart):
                interval = found.interval(apart, confidence)
                behind[i, j], behind[j, i] = interval.high < 0, interval.low > 0
            else:
                behind[i, j], behind[j, i] = one.rate.high < two.rate.low, one.rate.low > two.rate.high
    for i, row in enumerate(found.rows):
        row.ranks = 1 + int(behind[i].sum()), agents - int(behind[:, i].sum())


def ranks_in_words(ranks: tuple[int, int] | None) -> str:
    """The ranks that an agent may have: "3", or "3–5" while they are not decided; nothing for None."""
    if ranks is None:
        return ""
    best, worst = ranks
    return str(best) if best == worst else f"{best}–{worst}"


def deal_values(found: Standings) -> dict[str, NDArray[np.float64]]:
    """What each agent of the standings won a hand in each of the deals that count for its rate, the mean over its
    matches; nan where it did not play. Agents without such deals are left out."""
    return {name: found.values[name] for name in found.names if not np.isnan(found.values[name]).all()}


def _counting(store: Store, form: str, forfeits: Mapping[str, str]) -> list[tuple[str, ...]]:
    """The matches that count: without forfeits, and at tables of the latest field, as a later entrant starts over."""
    played = [names for names in store.matches() if not set(names) & set(forfeits)]
    if form != "round_robin" and played:
        played = [store.latest(played)]
    return played


def _without_leavers(
    store: Store, matches: list[tuple[str, ...]], entered: Sequence[str], unit: Unit
) -> tuple[list[tuple[str, ...]], dict[str, str]]:
    """The matches of those who are entered, and what the others have won. If none of them is left, all count."""
    counting = [names for names in matches if {*names} <= {*entered}]
    if not counting:
        return matches, {}
    won: dict[str, float] = defaultdict(float)
    hands = Counter[str]()
    for names in (names for names in matches if names not in counting):
        deals = store.deals(names)
        for name in set(names) - {*entered}:
            theirs = deals.seating == deals.number_of(name)
            won[name] += float(deals.columns["chips"][theirs].sum()) / deals.unit.chips
            hands[name] += int(theirs.sum())
    return counting, {
        name: f"{won[name]:+,.0f} {unit.amount} in {counted(hands[name], 'hand')}, which do not count" for name in hands
    }


class _Sums:
    """What is added up over the matches, one after the other.

    axis: the deals that any rate stands on. common: how many of them all matches have. With a schedule that chose who
    plays on (`field`: those that it chose among), an agent's rate stands on the deals that it has played against
    everybody in the field, with anchors on those against each of them, otherwise on those that all matches have.
    """

    def __init__(
        self,
        agents: Sequence[str],
        matches: Sequence[tuple[str, ...]],
        numbers: Sequence[NDArray[np.int64]],
        field: Sequence[str] | None,
        anchors: Sequence[str],
        seats: int,
    ) -> None:
        common = reduce(np.intersect1d, numbers)
        self.common, self._places = len(common), {name: place for place, name in enumerate(agents)}
        self.scores = Scores(field) if field is not None and len(field) > 1 else None
        self._field, self._own = set(field or agents), [common] * len(agents)
        self._anchors, self._seats = set(anchors), seats
        if field is not None or anchors:
            for name, place in self._places.items():
                theirs = [each for names, each in zip(matches, numbers, strict=True) if self._counts(name, names)]
                is_measure = set(anchors) == {name}  # the only anchor: all that counts is what it wins from itself
                self._own[place] = reduce(np.intersect1d, theirs) if theirs else common if is_measure else common[:0]
        self.axis = reduce(np.union1d, self._own)
        self._totals = np.zeros((len(agents), len(self.axis)))
        self._matches = np.isin(agents, anchors).astype(np.int64)  # an anchor against itself, where nobody wins
        self.bankrolls, self.hands = np.zeros(len(agents)), np.zeros(len(agents), np.int64)
        self.wins: list[tuple[tuple[str, ...], NDArray[np.float64]]] = []

    def _counts(self, name: str, names: Sequence[str]) -> bool:
        """Whether a match counts for an agent's rate: those of the field are compared within it, and where there are
        anchors, all by what they win from anchors; in a match of one against all others, that one."""
        if name not in names or not self._anchors:
            return name in names and (name not in self._field or set(names) <= self._field)
        return {*names} - {name} <= self._anchors and (self._seats == 2 or name == names[0])

    def add(self, deals: Deals, block: int) -> None:
        """Count a match. block: deals in a block of wins."""
        each = [deals.means(name, column_of(deals)) for name in deals.agents]
        values = [np.where(played, means, nan) for means, played in each]
        column = "prizes" if "prizes" in deals.columns else "chips"
        for name, own in zip(deals.agents, values, strict=True):
            place, theirs = self._places[name], deals.seating == deals.number_of(name)
            self.bankrolls[place] += float(deals.columns[column][theirs].sum()) / deals.unit.chips
            self.hands[place] += int(theirs.sum())
            if self._counts(name, deals.agents):
                wanted = np.isin(deals.numbers, self._own[place])
                self._totals[place, np.searchsorted(self.axis, deals.numbers[wanted])] += own[wanted]
                self._matches[place] += 1
        self.wins.append((deals.agents, _wins_of(np.stack(values, axis=1), block)))
        if self.scores is not None:
            self.scores.add(deals, column_of(deals))

    def means(self, name: str) -> NDArray[np.float64]:
        """(axis,) an agent's mean over its matches, deal by deal; nan where it has none."""
        place = self._places[name]
        means = np.full(len(self.axis), nan)
        own = np.searchsorted(self.axis, self._own[place])
        means[own] = self._totals[place, own] / max(1, self._matches[place])
        return means


def _rows(store: Store, agents: Sequence[str], sums: _Sums, found: Standings) -> list[Row]:
    thinking, clocks, rows = store.thinking(), store.clocks(), []
    for place, name in enumerate(agents):
        values = sums.means(name)
        own = values[~np.isnan(values)]
        rate = found.interval(own, found.confidence)
        seconds, away, decisions = thinking.get(name, (0.0, 0.0, 0))
        bankroll, hands = float(sums.bankrolls[place]), int(sums.hands[place])
        rows.append(
            Row(name, rate, bankroll, hands, seconds=seconds, decisions=decisions, clock=clocks[name], away=away)
        )
    return rows


def _wins(agents: Sequence[str], parts: Sequence[tuple[tuple[str, ...], NDArray[np.float64]]]) -> NDArray[np.float64]:
    """(blocks, n, n): pair by pair in a round robin, all at once at tables."""
    places = {name: place for place, name in enumerate(agents)}
    whole = np.full((max(len(wins) for _, wins in parts), len(agents), len(agents)), nan)
    for names, wins in parts:
        which = [places[name] for name in names]
        here = np.ix_(range(len(wins)), which, which)
        both = np.isnan(whole[here])  # at tables of more than two seats a pair may have two matches
        whole[here] = np.where(both, wins, (whole[here] + wins) / 2)
    return whole


def _wins_of(values: NDArray[np.float64], block: int) -> NDArray[np.float64]:
    """As `block_wins`, also where not everybody plays every deal: by the mean of those each has played."""
    agents = values.shape[1]
    if agents == 2 or not np.isnan(values).any():
        return block_wins(values, block)
    blocks = max(1, len(values) // (block * agents))
    means = np.stack([np.nanmean(part, axis=0) for part in np.array_split(values, blocks)])
    ahead: NDArray[np.float64] = (1 + np.sign(means[:, :, None] - means[:, None, :])) / 2
    return ahead


def _compare(found: Standings, agents: list[str], nash: bool) -> None:
    """Crosstable, instant run-off and Nash average of a round robin."""
    pairs = [*permutations(agents, 2)]
    for one, two in pairs:
        names = (one, two) if (one, two) in found.all_estimates else (two, one)
        if names in found.all_estimates:
            found.cross[one, two] = found.all_estimates[names][one][-1]  # that of `best_estimate`
    if not found.cross.keys() >= {*pairs}:
        return
    rates = np.zeros((len(agents), len(agents)))
    for one, two in pairs:
        rates[agents.index(one), agents.index(two)] = found.cross[one, two].interval.mean
    for row, place in zip(found.rows, instant_runoff(rates).tolist(), strict=True):
        row.runoff = place
    if nash:
        for row, value in zip(found.rows, nash_average(rates)[1].tolist(), strict=True):
            row.nash = value


def _known(found: Standings, agent: str, mean: float, half_width: float, confidence: float, hands: int) -> Estimate:
    """What an anchor won from another, by a file of results; another confidence is that of a normal distribution."""
    unit, quantile = found.unit, NormalDist().inv_cdf
    half_width *= quantile((1 + found.confidence) / 2) / quantile((1 + confidence) / 2)
    interval = Interval(mean / unit.per, half_width / unit.per, hands, found.confidence, "fixed")
    return Estimate("known", agent, interval, hands, nan, nan, unit)


def _rate_by_known(found: Standings) -> None:
    """Rate the anchors by what is known of them. Their matches were of the same deals, so the widths are not taken for
    independent: their mean is the most that the width of a mean can be."""
    for row in found.rows if found.are_known else ():
        if row.name in found.anchors:
            pairs = [found.cross.get((row.name, other)) for other in found.anchors]
            against = [each.interval for each in pairs if each]
            mean, half = sum(each.mean for each in against), sum(each.half_width for each in against)
            row.rate = replace(row.rate, mean=mean / (1 + len(against)), half_width=half / (1 + len(against)))


def _rank(found: Standings, scores: Scores) -> None:
    """Which ranks are decided, where a schedule has looked at that: the order is then that of the rates."""
    found.ranked, found.rank_by = True, "rate"
    ranks = dict(zip(scores.agents, orders_of(scores, found.confidence).ranks.tolist(), strict=True))
    for row in found.rows:
        best, worst = ranks.get(row.name, (0, 0))
        row.ranks = (best, worst) if best else None
