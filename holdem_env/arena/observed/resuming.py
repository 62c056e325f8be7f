"""A match that was cut short: its result so far, its hands in a file, and which deals are left to play."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from hashlib import sha256
from itertools import groupby
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...agents.protocol import Agent
from ...compiled.records import Records
from ...game.rules import Rules
from ...history import HandRecord, HandWriter, phh
from ...history.decisions import SUFFIX
from ...history.formats import in_words, written_formats
from ..matches.match import MatchResult, play_deals, summarize
from ..matches.seating import one_against_all
from ..matches.seating import rotations as turned
from .saved_hands import SavedHands


class SoFar:
    """Keeps the results of a match as they come (`finished` of `play_match`). saved: writes the hands, too; or None.
    rotations: how often each deal is played."""

    def __init__(self, rules: Rules, rotations: int, saved: SavedHands | None) -> None:
        self._rules, self._rotations = rules, rotations
        self._won: list[tuple[NDArray[np.int64], NDArray[np.float64]]] = []
        if saved is not None:
            self.take_moves = saved.take_moves
        self._saved = saved

    def __call__(self, tables: Records, seating: NDArray[np.int64]) -> None:
        """Take hands that are over, (N,) TABLE records. seating: (N, seats), which agent sits where."""
        chips = (tables["seats"]["stack"] - tables["start_stack"])[:, : self._rules.seats]
        mine = np.where(seating == 0, chips, 0).sum(axis=1) / self._rules.unit
        self._won.append((tables["table_id"].astype(np.int64), mine))
        if self._saved is not None:
            self._saved(tables, seating)

    def take(self, earlier: Sequence[HandRecord], agent: str) -> None:
        """Take hands of a file. agent: the first one's name."""
        won = [(hand.metadata["_deal"], _payoff(hand, agent) / self._rules.unit) for hand in earlier]
        if won:
            deals, mine = zip(*won, strict=True)
            self._won.append((np.array(deals, np.int64), np.array(mine, np.float64)))

    def result(self, agent: str, opponent: str) -> MatchResult | None:
        """The result of the deals that were played in all rotations; None if there are none."""
        if not self._won:
            return None
        deals, won = (np.concatenate(each) for each in zip(*self._won, strict=True))
        numbers, places, counts = np.unique(deals, return_inverse=True, return_counts=True)
        sums = np.bincount(places, won, len(numbers))[counts == self._rotations]
        if not len(sums):
            return None
        return summarize(agent, opponent, sums / self._rotations, len(sums) * self._rotations)


def _payoff(hand: HandRecord, agent: str) -> int:
    assert hand.players is not None
    payoffs = hand.payoffs or hand.replay().payoffs
    return int(payoffs[hand.players.index(agent)])


def _seat_of(agent: str, hand: HandRecord) -> int:
    """PHH's players begin behind the button; its `seats` are counted from 1."""
    assert hand.players is not None
    return int(hand.metadata["seats"][hand.players.index(agent)]) - 1


@contextmanager
def saved_hands(
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
        if writer.format.holds_one:
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


def earlier_hands(path: Path | None, match: str) -> list[HandRecord]:
    """The hands of a match that the same command has saved before it was cut short: those of a .phhs with this id."""
    if path is None or not path.is_file():
        return []
    hands = []
    for hand in phh.read(path):
        if hand.metadata.get("_match") != match:
            return []
        hands.append(hand)
    return hands


def play_left(
    left: Sequence[tuple[range, list[int] | None]],
    agents: Sequence[Agent],
    rules: Rules,
    seed: int,
    tables: int,
    progress: Callable[[int], None],
    so_far: SoFar,
) -> None:
    """Play what `left_to_play` found, of a match of the first agent against the second in all other seats."""
    lineup = one_against_all(rules.seats)
    for deals, turns in left:
        how: dict[str, Any] = {"tables": tables, "progress": progress, "finished": so_far, "turns": turns}
        play_deals(rules, agents, lineup, deals, seed, **how)


def left_to_play(
    earlier: Sequence[HandRecord], agent: str, seats: int, deals: int, rotations: int
) -> list[tuple[range, list[int] | None]]:
    """Which deals are not in a file yet, with the rotations of `one_against_all` that are missing; None for each deal's
    own, where it is played once. agent: the first one's name."""
    played = {(hand.metadata["_deal"], _seat_of(agent, hand)) for hand in earlier}
    seat_in = (turned(one_against_all(seats), seats) == 0).argmax(axis=1).tolist()
    once = {deal for deal, _ in played}

    def missing(deal: int) -> tuple[int, ...]:
        if rotations == 1:
            return () if deal in once else (0,)
        return tuple(turn for turn, seat in enumerate(seat_in) if (deal, seat) not in played)

    found: list[tuple[range, list[int] | None]] = []
    for turns, group in groupby(range(deals), missing):
        numbers = list(group)
        if turns:
            found.append((range(numbers[0], numbers[-1] + 1), None if rotations == 1 else list(turns)))
    return found
