"""A match of two agents as `holdem match` plays it: its result so far, its hands in a file, and what is left of it."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from hashlib import sha256
from itertools import groupby
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...agents.protocol import Agent
from ...compiled.records import Records
from ...game.rules import Rules
from ...game.units import unit_of
from ...history import HandRecord, HandWriter, phh
from ...history.decisions import SUFFIX
from ...history.files import kind_of
from ...history.formats import in_words, written_formats
from ..estimators.stopping import TO_THE_END, Stops, dollars_of, play_estimated
from ..matches.match import MatchResult, are_same, number_of_deals, play_deals, summarize
from ..matches.players import most_tables
from ..matches.seating import one_against_all, plays_duplicates, rotations
from ..statistics.estimates import Estimate
from .saved_hands import SavedHands

DEALS_AT_ONCE = 512


@dataclass
class MatchRun:
    """A match of the first agent against the second in all other seats.

    names: of both, in results and hands. hands: how many, rounded up to whole deals. file: of all hands. If it is a
    .phhs of the same match that was cut short, only what is left is played, but for a match by estimators. key: what
    two runs of the same match have in common (`match_id`). estimators: their names; with `stops` the usual ones by
    default, as in `play_estimated`.

    whole: how many hands it has. rotations: how often each deal is played. earlier: the hands that the file has.
    can_go_on: whether the same match can be gone on with if it is cut short. so_far: its result, while it is played.

    Raises ValueError if it is to stop at dollars that no agent counts.
    """

    agents: Sequence[Agent]
    names: Sequence[str]
    rules: Rules
    hands: int
    seed: int = 0
    file: Path | None = None
    key: str = ""
    estimators: Sequence[str] = ()
    stops: Stops = TO_THE_END

    def __post_init__(self) -> None:
        if self.stops.dollars is not None and all(dollars_of(agent) is None for agent in self.agents):
            raise ValueError("dollars: neither agent counts dollars; give a language model its `prices`")
        seats, (one, two) = self.rules.seats, self.names
        self.rotations = seats if plays_duplicates(self.agents) else 1
        self.whole = -(-self.hands // seats) * seats
        deals = number_of_deals(self.hands, seats, self.rotations > 1)
        is_phhs = self.file is not None and kind_of(self.file) == ".phhs"
        self.can_go_on = is_phhs and one != two and not self.is_estimated
        self.earlier = _earlier_hands(self.file, self.key) if self.can_go_on else []
        self._left = _left_to_play(self.earlier, one, seats, deals, self.rotations)
        self.so_far = SoFar(self.rules, self.rotations, None)
        if not self._left:  # it is over: its file is not touched, and it is not played again into it
            self.earlier, self._left = [], _left_to_play([], one, seats, deals, self.rotations)

    @property
    def is_estimated(self) -> bool:
        return bool(self.estimators or self.stops)

    def play(self, progress: Callable[[int], None]) -> MatchResult:
        """Play what is left, and give the result of all. progress: as in `play_deals`. Raises AgentFailed."""
        lineup = one_against_all(self.rules.seats)
        with self._written() as how:
            for deals, turns in self._left:
                play_deals(self.rules, self.agents, lineup, deals, self.seed, turns=turns, progress=progress, **how)
        won = self.result()
        assert won is not None  # every deal is played
        return won

    def play_estimated(self, progress: Callable[[int], None]) -> tuple[list[Estimate], str | None]:
        """Play all, by estimators; see `stopping.play_estimated`."""
        game = self.agents, self.rules, self.hands, self.seed, self.stops, self.estimators
        with self._written() as how:
            found, why = play_estimated(*game, progress=progress, **how)
        return [replace(each, agent=self.names[0]) for each in found], why

    def result(self) -> MatchResult | None:
        """The result of the deals that were played in all rotations; None if there are none."""
        one, two = self.names
        return self.so_far.result(one, two, constant=are_same(*self.agents))

    @contextmanager
    def _written(self) -> Iterator[dict[str, Any]]:
        with _saved_hands(self.file, self.names, self.rules, self.key, len(self.earlier)) as saved:
            self.so_far = SoFar(self.rules, self.rotations, saved)
            self.so_far.take(self.earlier, self.names[0])
            yield {"finished": self.so_far, "tables": min(DEALS_AT_ONCE, most_tables(self.agents))}


class SoFar:
    """Keeps the results of a match as they come (`finished` of `play_match`). saved: writes the hands, too; or None."""

    def __init__(self, rules: Rules, rotations: int, saved: SavedHands | None) -> None:
        self._rules, self._unit, self._rotations = rules, unit_of(rules), rotations
        self._won: list[tuple[NDArray[np.int64], NDArray[np.float64]]] = []
        if saved is not None:
            self.before = saved.before
        self._saved = saved

    def __call__(self, tables: Records, seating: NDArray[np.int64]) -> None:
        """Take hands that are over, (N,) TABLE records. seating: (N, seats), which agent sits where."""
        chips = (tables["seats"]["stack"] - tables["start_stack"])[:, : self._rules.seats]
        mine = np.where(seating == 0, chips, 0).sum(axis=1) / self._unit.chips
        self._won.append((tables["table_id"].astype(np.int64), mine))
        if self._saved is not None:
            self._saved(tables, seating)

    def take(self, earlier: Sequence[HandRecord], agent: str) -> None:
        """Take hands of a file. agent: the first one's name."""
        won = [(hand.metadata["_deal"], _payoff(hand, agent) / self._unit.chips) for hand in earlier]
        if won:
            deals, mine = zip(*won, strict=True)
            self._won.append((np.array(deals, np.int64), np.array(mine, np.float64)))

    def result(self, agent: str, opponent: str, constant: bool = False) -> MatchResult | None:
        """As of `MatchRun`. constant: see `fixed_interval`."""
        if not self._won:
            return None
        deals, won = (np.concatenate(each) for each in zip(*self._won, strict=True))
        numbers, places, counts = np.unique(deals, return_inverse=True, return_counts=True)
        sums = np.bincount(places, won, len(numbers))[counts == self._rotations]
        if not len(sums):
            return None
        return summarize(agent, opponent, sums / self._rotations, len(sums) * self._rotations, constant, self._unit)


def _payoff(hand: HandRecord, agent: str) -> int:
    assert hand.players is not None
    payoffs = hand.payoffs or hand.replay().payoffs
    return int(payoffs[hand.players.index(agent)])


def _seat_of(agent: str, hand: HandRecord) -> int:
    """PHH's players begin behind the button; its `seats` are counted from 1."""
    assert hand.players is not None
    return int(hand.metadata["seats"][hand.players.index(agent)]) - 1


@contextmanager
def _saved_hands(
    path: Path | None, names: Sequence[str], rules: Rules, match: str, earlier: int
) -> Iterator[SavedHands | None]:
    """What writes all hands of a match to a file, which has its name when the match is over or cut short; None without
    a path. match: its id. earlier: how many hands of it are in the file.

    Raises ValueError for a name that says no format of many hands, and a game that the format cannot express;
    FileExistsError if there is a file of that name without earlier hands.
    """
    if path is None:
        yield None
        return
    if path.suffix == SUFFIX:
        hands = path.with_suffix(".phhs")
        raise ValueError(f"{path}: save the hands as {hands}, then `holdem convert {hands} {path}`")
    cut_short: BaseException | None = None
    with HandWriter(path, goes_on=earlier) as writer:
        if writer.format.is_single_hand:
            others = in_words(written_formats(many=True))
            raise ValueError(f"{path}: a {writer.format.suffixes[0]} holds one hand; name a file of many: {others}")
        try:
            yield SavedHands(writer, names, rules, event=" against ".join(names), match=match)
        except BaseException as error:
            if not writer.hands:
                raise
            cut_short = error
    if cut_short is not None:
        raise cut_short


def match_id(agents: Sequence[str], greedy: bool, rules: Rules, seed: int) -> str:
    """What two runs of the same command have in common."""
    text = json.dumps([*agents, greedy, rules.model_dump(mode="json"), seed])
    return sha256(text.encode()).hexdigest()[:16]


def _earlier_hands(path: Path | None, match: str) -> list[HandRecord]:
    """The hands of a match that the same command has saved before it was cut short: those of a .phhs with this id."""
    if path is None or not path.is_file():
        return []
    hands = []
    for hand in phh.read(path):
        if hand.metadata.get("_match") != match:
            return []
        hands.append(hand)
    return hands


def _left_to_play(
    earlier: Sequence[HandRecord], agent: str, seats: int, deals: int, times: int
) -> list[tuple[range, list[int] | None]]:
    """Deals that are not in a file, with the rotations that are missing; None for all, or the only one of `times`."""
    if not earlier:
        return [(range(deals), None)]
    played = {(hand.metadata["_deal"], _seat_of(agent, hand)) for hand in earlier}
    seat_in = (rotations(one_against_all(seats), seats) == 0).argmax(axis=1).tolist()
    once = {deal for deal, _ in played}

    def missing(deal: int) -> tuple[int, ...]:
        if times == 1:
            return () if deal in once else (0,)
        return tuple(turn for turn, seat in enumerate(seat_in) if (deal, seat) not in played)

    found: list[tuple[range, list[int] | None]] = []
    for turns, group in groupby(range(deals), missing):
        numbers = list(group)
        if turns:
            found.append((range(numbers[0], numbers[-1] + 1), None if times == 1 else list(turns)))
    return found
