"""Running a tournament: what its store does not hold yet is played, shard by shard."""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Collection, Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import replace
from itertools import zip_longest
from pathlib import Path
from tempfile import TemporaryDirectory
from threading import Event, Thread
from time import monotonic
from typing import NamedTuple, Protocol

from ...history import HandWriter
from ...utils.runner import LATER, number_of_workers
from ..isolation.agent_files import check_hidden_from
from ..matches.stopwatch import SPARE, STRANGERS_SPARE, Spent, TimeLimit
from ..observed.saved_hands import check_writable
from ..statistics.estimates import best_estimate, column_of
from ..statistics.ranking import Scores
from .entrants import Entrant, Entry, clear_failures
from .hand_files import suffix_of
from .plan import Tournament
from .shards import Played, Shard, ShardRunner, hands_under_way
from .store import Store

__all__ = ["Entry", "Thinking", "Tournament", "run"]

Progress = Callable[[Played, int, int], None]
POLL_SECONDS = 0.5  # seconds between two looks at what is being played


class Listening(Protocol):
    """The server that remote bots join, as a run sees it."""

    @property
    def address(self) -> str:
        """The Unix socket by which the processes that play reach it."""

    def who_is_here(self) -> frozenset[str]:
        """The names of the bots that are connected now."""

    def is_changed(self) -> bool:
        """Whether the tournament has other agents now: then no new shard of this run begins."""

    def new_tournament(self, wait: bool = False) -> Tournament | None:
        """Return the tournament with its agents as they are now; None if they are the same. wait: until they change."""

    def say(self, words: str) -> None:
        """Tell the organiser."""

    def say_waiting(self, names: Collection[str], seconds: float, matches: int) -> None:
        """Say how many matches wait, for which bots and how long. Called again and again."""

    def was_here(self, name: str) -> bool:
        """Whether a bot has ever been connected."""


class Thinking:
    """How long each agent has thought in a run. A Stopwatch in each shard leaves some seconds free, again and again."""

    def __init__(self, tournament: Tournament) -> None:
        self._workers = number_of_workers(tournament.jobs)
        self.spent = dict.fromkeys(tournament.names, Spent())

    def add(self, played: Played) -> list[tuple[str, str]]:
        """Count a shard; returns who was too slow, and how."""
        slow = []
        for entrant, spent, clock in zip(played.shard.entrants, played.spent, played.clocks, strict=False):
            limit = TimeLimit(played.shard.limits[played.shard.entrants.index(entrant)].ms_per_decision)
            spare = self._workers * (STRANGERS_SPARE if entrant.is_stranger else SPARE)
            self.spent[entrant.name] = self.spent[entrant.name].plus(spent)
            if why := limit.why_not(self.spent[entrant.name], clock, spare):
                slow.append((entrant.name, why))
        return slow


class TournamentRun(NamedTuple):
    """One run of a tournament into a store, until all is played or its agents change.

    number: of the run in its store. entrants: by name. counts: a folder in which processes note the hands that they
    have played; hands: one in which they write them; "" for none.
    """

    tournament: Tournament
    store: Store
    number: int
    entrants: Mapping[str, Entrant]
    thinking: Thinking
    counts: str
    hands: str
    listening: Listening | None


def run(
    tournament: Tournament,
    store: Store,
    progress: Progress | None = None,
    accept_changed: bool = False,
    retry: bool = False,
    under_way: Callable[[int], object] | None = None,
    listening: Listening | None = None,
    hands: Path | None = None,
    keep_open: bool = False,
) -> None:
    """Play what the store does not hold yet. Every shard is stored as soon as it is over, so that an interrupt
    loses little; running it again goes on.

    progress: called after each shard with what came of it, the deals that are over and those there are in all.
    under_way: called every POLL_SECONDS, in a thread of its own, with the finished hands of shards being played.
    accept_changed: agents whose code or parameters have changed go on; retry: those who have forfeited play again; see
    `Store.enter`. listening: where remote bots join; a match begins when those of it are connected, and agents that
    come or go meanwhile are taken in or out. keep_open: wait for others when all is played. hands: a folder, on this
    machine, in which each shard's hands are written while it is played.
    An agent that fails forfeits: the reason is stored, the others go on.
    Raises ValueError if a folder that an agent declares holds the store, and for remote bots that can join nowhere;
    HistoryError for a game whose hands no file can express.
    """
    if listening is None and (remote := [each.name for each in tournament.agents if each.is_remote]):
        raise ValueError(f"{remote[0]}: a remote bot needs an address to join: --listen HOST:PORT")
    if hands is not None:
        suffix = suffix_of(tournament.rules, tournament.format == "freezeout")
        check_writable(HandWriter(hands / f"hands{suffix}"), tournament.rules)
    if retry:
        clear_failures()
    while True:
        tournament = under_known_names(tournament, store)
        if tournament.isolation == "process":
            check_hidden_from([json.loads(each.made_of) for each in tournament.entrants().values()], store.path)
        entrants, thinking = store.enter(tournament, accept_changed, retry), Thinking(tournament)
        if listening is not None:
            here = {name: replace(each, address=listening.address) for name, each in entrants.items() if each.remote}
            entrants |= here
        number, folder = store.runs - 1, str(hands or "")
        try:
            with _looking(under_way) as counts:
                one_run = TournamentRun(tournament, store, number, entrants, thinking, counts, folder, listening)
                with ShardRunner(tournament.jobs, tournament.backend, tournament.ray_address) as shard_runner:
                    while _Pass(one_run).play(shard_runner, progress):
                        pass
        finally:
            store.end_run(number)
        other = listening.new_tournament() if listening else None
        if listening and other is None and keep_open:
            listening.say("All is played. Waiting for other agents; Ctrl-C ends.")
            other = listening.new_tournament(wait=True)
        if other is None:
            return
        tournament, retry = other, False


@contextmanager
def _looking(under_way: Callable[[int], object] | None) -> Iterator[str]:
    """A folder in which processes note the hands that they have played, looked at now and then; "" if nobody asks."""
    if under_way is None:
        yield ""
        return
    over = Event()

    def look(counts: str) -> None:
        while not over.wait(POLL_SECONDS):
            with suppress(OSError, ValueError):  # a count that is being written
                under_way(hands_under_way(counts))

    with TemporaryDirectory() as counts:
        thread = Thread(target=look, args=(counts,), daemon=True)
        thread.start()
        try:
            yield counts
        finally:
            over.set()
            thread.join()


def under_known_names(tournament: Tournament, store: Store) -> Tournament:
    """The tournament in which an agent that is named by its file has the name under which the store has that file,
    if that is another path to it, such as an absolute one."""
    known = {os.path.realpath(name): name for name in store.agents if os.path.exists(name)}
    names = [
        known.get(os.path.realpath(each.agent), each.name) if each.name == each.agent else each.name
        for each in tournament.agents
    ]
    if len(set(names)) < len(names):  # the same file twice, on purpose
        return tournament
    agents = (each.model_copy(update={"name": name}) for each, name in zip(tournament.agents, names, strict=True))
    return tournament.model_copy(update={"agents": tuple(agents)})


class _Pass:
    """All that the store does not hold yet, played once by those who have not forfeited."""

    def __init__(self, of: TournamentRun) -> None:
        self._run, self.tournament, self.store = of, of.tournament, of.store
        self._listening, self.is_changed = of.listening, False
        tournament, store = of.tournament, of.store
        self.forfeited = frozenset(store.forfeits())
        self.overlapped = False  # another run has stored some of the same deals: then there may be something left
        self._out = set(self.forfeited)
        self._matches = tournament.matches(self.forfeited)
        deals = tournament.deals_each()
        missing = [store.missing(names, deals, tournament.in_a_shard) for names in self._matches]
        # What was played with those who have forfeited stays in both, so that progress never goes back.
        gone = store.deals_with(self.forfeited)
        self._total = gone + deals * len(self._matches)
        self._done = self._total - sum(len(numbers) for runs in missing for numbers in runs)
        self._decided = {names: store.deals_played(names) > 0 and self._is_decided(names) for names in self._matches}
        self._agents = sorted({name for names in self._matches for name in names})
        self._scores = self._known_scores() if tournament.is_ranking else None
        self._waits_since: float | None = None

    def play(self, shard_runner: ShardRunner, progress: Progress | None) -> bool:
        """Returns whether there may be more to play: at tables, if somebody forfeits, those who are left start over."""
        for goals in self._rounds():
            for played in shard_runner.play(self._shards(goals)):
                self._waits_since = None
                if played.dropped or self._is_out(played.shard.names):
                    continue  # it was already on its way
                self._keep(played)
                if progress:
                    progress(played, self._done, self._total)
            if self.is_changed:
                return False
        return self.overlapped or frozenset(self.store.forfeits()) != self.forfeited

    def _rounds(self) -> Iterator[list[int]]:
        """The deals of each match after each round. There is one round, unless the results decide who plays on."""
        if self._scores is None or len(self._agents) < 2:
            yield [self.tournament.deals_each()] * len(self._matches)
            return
        places = {name: place for place, name in enumerate(self._agents)}
        schedule = self.tournament.ranking_schedule(len(self._agents))
        while schedule.next_round(self._scores):
            yield [int(schedule.goals[places[one], places[two]]) for one, two in self._matches]
            if self.overlapped or self._out != self.forfeited:
                return  # the next pass begins with all that is there then, and without those who forfeited

    def _known_scores(self) -> Scores:
        scores = Scores(self._agents)
        for names in self._matches:
            if self.store.deals_played(names):
                deals = self.store.deals(names)
                scores.add(deals, column_of(deals))
        return scores

    def _shards(self, goals: list[int]) -> Iterator[Shard]:
        """Every match in turn, so that all are equally far at an interrupt; LATER if no other bots are here."""
        most, entrants = self.tournament.in_a_shard, self._run.entrants
        key = self.store.key(self._run.number)
        missing = [self.store.missing(names, goal, most) for names, goal in zip(self._matches, goals, strict=True)]
        turns = (zip(self._matches, runs, strict=True) for runs in zip_longest(*missing))
        left = [(names, numbers) for turn in turns for names, numbers in turn if numbers]
        while left:
            self.is_changed = self._listening is not None and self._listening.is_changed()
            if self.is_changed:
                return
            here = self._listening.who_is_here() if self._listening else frozenset()
            away = {name for name, entrant in entrants.items() if entrant.remote and entrant.remote not in here}
            ready = (k for k, (names, _) in enumerate(left) if away.isdisjoint(names) or self._is_out(names))
            if (place := next(ready, None)) is None:
                self._wait_for(away & {name for names, _ in left for name in names}, len(left))
                yield LATER
                continue
            self._waits_since = None
            names, numbers = left.pop(place)
            if not self._is_out(names):
                players = tuple(entrants[name] for name in names)
                shard = self.tournament.shard_of(players, numbers, self._run.number, key)
                yield replace(shard, counts=self._run.counts, hands=self._run.hands)

    def _wait_for(self, away: set[str], shards: int) -> None:
        """Nothing can be played but with bots that are away. Who stays away for too long has left the tournament."""
        assert self._listening is not None
        self._waits_since = self._waits_since or monotonic()
        waited, limit = monotonic() - self._waits_since, self.tournament.absent_limit
        if waited > self.tournament.reconnect:
            self._listening.say_waiting(sorted(away), waited, shards)
        if limit and waited > limit:
            for name in (each for each in away if self._listening.was_here(self._run.entrants[each].remote)):
                self._drop(name)
                self.store.leave(name)

    def _keep(self, played: Played) -> None:
        if played.failed:
            self._forfeit(*played.failed)
        elif self.store.add(played):
            self._done += played.shard.count
            self._decided[played.shard.names] = self._is_decided(played.shard.names)
            if self._scores is not None and played.deals is not None:
                self._scores.add(played.deals, column_of(played.deals))
        else:
            self.overlapped = True
        for name, reason in self._run.thinking.add(played):
            played.failed = played.failed or (name, reason)
            self._forfeit(name, reason)

    def _forfeit(self, name: str, reason: str) -> None:
        self._drop(name)
        self.store.forfeit(name, reason)

    def _drop(self, name: str) -> None:
        theirs = [names for names in self._matches if name in names and not self._out & set(names)]
        self._total -= sum(self.tournament.deals_each() - self.store.deals_played(names) for names in theirs)
        self._out.add(name)

    def _is_out(self, names: tuple[str, ...]) -> bool:
        return bool(self._out & set(names)) or self._decided[names]

    def _is_decided(self, names: tuple[str, ...]) -> bool:
        tournament = self.tournament
        if tournament.stop_at is None or tournament.format != "round_robin":
            return False
        estimate = best_estimate(self.store.deals(names), 0, tournament.confidence, watched=True)
        return estimate.rate[1] <= tournament.stop_at
