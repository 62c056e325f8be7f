"""Plans of tournaments: what is played, by whom, and how much of it."""

from __future__ import annotations

import csv
import json
from collections.abc import Collection, Iterable, Sequence
from contextlib import suppress
from functools import cached_property
from hashlib import blake2b, sha256
from itertools import combinations, permutations
from math import isfinite
from pathlib import Path
from typing import Annotated, Any, Literal, Self

from pydantic import Field, field_validator, model_validator

from ...agents.facts import Clock
from ...game.rule_checks import check_automatic_showing
from ...game.rules import Rules
from ...game.units import unit_of
from ...utils.validation import Validated, suggestion
from ..estimators.registry import new_columns, why_no_estimator
from ..isolation.isolated_agent import AgentError
from ..isolation.limits import MEMORY_MB, SECONDS_TO_START, AgentProcessError, Limits
from ..isolation.making import Isolation
from ..matches.dealer import KEY_BITS, SEED_BITS
from ..matches.stopwatch import TimeLimit
from ..statistics.intervals import check_confidence
from ..statistics.ranking import RankingSchedule
from .entrants import Entrant, Entry, is_remote
from .shards import Backend, Shard

Positive = Annotated[int, Field(gt=0)]
Above0 = Annotated[float, Field(gt=0)]
MAX_HANDS = 1e15  # of a known result
BOTH_WIN = 0.001  # of a rate, and as many bb/100: how much two agents may both win from each other, by rounding
LEAST_MEMORY_MB = 256  # less than this, Python with this library hardly fits into
Format = Literal["round_robin", "tables", "freezeout"]
RankBy = Literal["rate", "elo", "nash", "runoff", "bankroll"]
DEALS, SESSIONS = 2048, 24
"""Deals, and sessions of a freezeout, in a shard, unless `shard` says otherwise. A session has a hundred times as many
hands as a deal, and an interrupt loses the shard that is being played."""
STRANGERS_MS, STRANGERS_SECONDS = 100.0, 600.0
"""What a stranger may take, a decision on average and in one shard, unless the tournament says otherwise."""
ISOLATED = 2
"""Shards are longer by this factor where agents play in processes of their own: each shard starts them again."""


KnownResult = tuple[str, str, float, float, float, int]
"""What an anchor has won from another: their names, the rate, half the width of its interval, hands."""


def check_known_results(results: Collection[Sequence[Any]], seats: int) -> None:
    """Raise ValueError for what no two agents can have won from each other. results: as of `KnownResult`. With
    more than two seats, one against copies of another, both may win."""
    for _, _, mean, half_width, confidence, hands in results:
        check_confidence(confidence)
        if not (isfinite(mean) and half_width >= 0 and 1 <= hands < MAX_HANDS):
            raise ValueError(f"no result: {mean} ± {half_width} after {hands} hands")
    means = {(one, two): mean for one, two, mean, *_ in results}
    for (one, two), mean in means.items():
        if seats == 2 and mean + means.get((two, one), -mean) > BOTH_WIN * (1 + abs(mean)):
            raise ValueError(f"{one} and {two} both win from each other")


def pairings(
    form: str,
    names: Iterable[str],
    anchors: Collection[str],
    seats: int,
    without: Collection[str] = (),
    are_known: bool = False,
) -> list[tuple[str, ...]]:
    """Who plays whom, by name, without those who have forfeited. are_known: what anchors win from each other is."""
    there = sorted(set(names) - set(without))
    if form != "round_robin":
        return [tuple(there)] if len(there) > 1 else []
    newcomers = [name for name in there if name not in anchors] if anchors else []
    fixed = [name for name in there if name not in newcomers]
    pairs: list[tuple[str, ...]] = [(one, two) for one in newcomers for two in fixed]
    if are_known and set(names) - set(anchors):
        return pairs
    return [*pairs, *(combinations(fixed, 2) if seats == 2 else permutations(fixed, 2))]


class GamePlan(Validated):
    """What is played.

    Attributes:
        rules: The game.
        format: "round_robin": every pair heads-up. "tables": all at tables of rules.seats, balanced seating.
            "freezeout": the same, playing sessions (rules.session) for prize shares.
        hands: Each pair plays, or with "tables" everybody together; rounded up to a multiple of the seats.
        sessions: A freezeout's, each played from every seat, or as many different ones as that makes.
        duplicate: Whether each deal (session) is played from every seat; under a given seed all pairs have the same
            decks then. Otherwise one pair plays it once: an agent that remembered it would know its opponents' cards.
            By default only without untrusted agents.
        seed: Of all decks. "random", the default with isolation and of remote bots: each run draws a key of 128 bits,
            public when it has ended. Nobody can compute a deck without it, and nothing is dealt twice.
    """

    rules: Rules
    format: Format = "round_robin"
    hands: Positive = 20_000
    sessions: Positive = 200
    duplicate: bool | None = None
    seed: Annotated[int, Field(ge=0, lt=2**SEED_BITS)] | Literal["random"] = 0


class FieldPlan(Validated):
    """Who plays.

    Attributes:
        agents: Two or more, each a name, a file, or {agent: ..., name: ..., parameter: ...}.
        anchors: In a round robin, the names of fixed opponents: all agents play each of them, and nobody else. With
            more than two seats the first has one seat, the anchor all others.
        results: The crosstable.csv of a report with what the anchors won from each other; where other agents are
            entered, they do not play it again.
        leavers: "show": agents of earlier runs that are not entered now are shown apart in a round robin without
            anchors, and nothing that was played with them counts. "count": it does, and they have places.
        reconnect: Seconds in which a remote bot that has lost its connection must be back; else it forfeits.
        absent_limit: Seconds for which matches wait for a remote bot that was there before, counted while nothing else
            can be played; then it has left. 0: without end.
    """

    agents: tuple[Entry, ...]
    anchors: tuple[str, ...] = ()
    results: str | None = None
    leavers: Literal["show", "count"] = "show"
    reconnect: Above0 = 60.0
    absent_limit: Annotated[float, Field(ge=0)] = 3600.0

    @field_validator("agents")
    @classmethod
    def _enough(cls, agents: tuple[Entry, ...]) -> tuple[Entry, ...]:
        if len(agents) < 2:
            raise ValueError(f"a tournament needs two agents or more, not {len(agents)}")
        names = [agent.name for agent in agents]
        if twice := sorted({name for name in names if names.count(name) > 1}):
            raise ValueError(f"{', '.join(twice)}: there twice; give each a name of its own: {{agent: ..., name: ...}}")
        return agents


class StatisticsPlan(Validated):
    """What is estimated, and when it is known well enough.

    Attributes:
        estimators: In addition to what was won (`holdem_env.arena.register_estimator`). AIVAT fits its weights in each
            shard to the shard's own earlier deals.
        confidence: Of the intervals.
        watched: Whether intervals hold at all times, for anyone watching the run.
        stop_at: Stop a pair as soon as its interval is within ± this much in the game's unit: bb/100, or chips a hand
            without blinds. Needs `watched`.
        schedule: "even": all pairs play as many hands. "adaptive" (round robin, watched): those play on whose order in
            the standings is in doubt, until everybody's rank is decided (`statistics.ranking`). `hands` is the most
            that a pair plays.
        stop_when: "ranked" also ends an even schedule then.
        budget: Hands of all pairs together at most.
        nash: Also rate by Nash averaging.
        rank_by: What places go by: the rate over all opponents, Elo's rating, the Nash average or the instant run-off
            (these two of round robins), or the bankroll.
    """

    estimators: tuple[str, ...] = ("all_in",)
    confidence: Annotated[float, Field(gt=0, le=1 - 1e-9)] = 0.95
    watched: bool = False
    stop_at: Above0 | None = None
    schedule: Literal["even", "adaptive"] = "even"
    stop_when: Literal["ranked"] | None = None
    budget: Positive | None = None
    nash: bool = False
    rank_by: RankBy = "rate"

    @field_validator("estimators")
    @classmethod
    def _known(cls, estimators: tuple[str, ...]) -> tuple[str, ...]:
        return tuple(column.name for column in new_columns(dict.fromkeys(estimators)))


class MachinesPlan(Validated):
    """Where it is played, and what agents may take there. No result depends on it, but for `shard` where agents have
    memory or AIVAT its weights, which start over in each.

    Attributes:
        shard: Deals (sessions) that are played and stored in one go; None for DEALS (SESSIONS), or ISOLATED times as
            many with jails.
        jobs: On how many processes; -1 for as many as there are cores.
        backend: Whose processes.
        ray_address: Of the Ray cluster.
        isolation: "process": agents are made and play in jails, all but this library's scripted ones, those that only
            connect to a service, and those whose names are registered in this process. "none": in the process that
            plays.
        clock: By which time limits count: "processor", and ten times the limit in wall time, or "wall"; of agents with
            the network it is the wall's. Waiting for a processor does not count; some seconds are free
            (`matches.stopwatch`).
        max_ms_per_decision: An agent that takes longer on average in this run forfeits. By default STRANGERS_MS for
            untrusted agents; None: no limit.
        max_seconds_per_shard: Also one that takes longer in one shard. By default STRANGERS_SECONDS for untrusted ones.
        memory_mb, seconds_per_call, seconds_to_start: What a jail may take, as in `Limits`; who takes more forfeits.
    """

    shard: Positive | None = None
    jobs: int = 1
    backend: Backend = "loky"
    ray_address: str | None = None
    isolation: Isolation = "process"
    clock: Clock = "processor"
    max_ms_per_decision: Above0 | None = None
    max_seconds_per_shard: Above0 | None = None
    memory_mb: Annotated[int, Field(ge=LEAST_MEMORY_MB)] = MEMORY_MB
    seconds_per_call: Above0 | None = None
    seconds_to_start: Above0 = SECONDS_TO_START


class Tournament(MachinesPlan, StatisticsPlan, FieldPlan, GamePlan):
    """One tournament: what is played, by whom, what is estimated, and where; its file has all fields side by side."""

    @model_validator(mode="before")
    @classmethod
    def _seed_unknown_to_strangers(cls, given: Any) -> Any:
        """Where agents may be untrusted, nobody knows the seed beforehand."""
        if not isinstance(given, dict):
            return given
        agents, may_be_jailed = given.get("agents"), given.get("isolation", "process") == "process"
        are_remote = isinstance(agents, list | tuple) and any(map(is_remote, agents))
        return {"seed": "random", **given} if are_remote or may_be_jailed else given

    @model_validator(mode="after")
    def _consistent(self) -> Self:
        check_automatic_showing(self.rules, "a tournament")
        self._check_anchors()
        if self.format == "round_robin" and self.rules.seats != 2 and not self.anchors:
            raise ValueError(f"format: round_robin is heads-up, the rules have {self.rules.seats} seats; use tables")
        if self.format == "freezeout" and self.rules.session is None:
            raise ValueError("format: a freezeout needs rules with a session, such as session: {prizes: [0.7, 0.3]}")
        if self.stop_at is not None and not self.watched:
            raise ValueError(
                "stop_at: needs watched: true; a fixed interval that decides when to stop is wrong too often"
            )
        if self.stop_at is not None and self.format != "round_robin":
            raise ValueError(f"stop_at: only in a round robin, not with format: {self.format}")
        self._check_ranking()
        if self.rank_by in ("nash", "runoff") and self.format != "round_robin":
            raise ValueError(f"rank_by: {self.rank_by} is for a round robin, not for format: {self.format}")
        if self.rank_by != "rate" and self.is_ranking:
            raise ValueError(f"rank_by: schedules that decide ranks go by the rate, got {self.rank_by}")
        for name in self.estimators:
            if why := why_no_estimator(name, self.rules, pairs=self.format == "round_robin"):
                raise ValueError(f"estimators: {why}")
        if self.backend == "ray" and any(agent.is_remote for agent in self.agents):
            raise ValueError("backend: must be loky with remote bots, which join the machine of the command, got ray")
        if self.jobs == 0 or self.jobs < -1:
            raise ValueError(f"jobs: {self.jobs}; give 1 or more, or -1 for all cores")
        return self

    def _check_anchors(self) -> None:
        if not self.anchors:
            if self.results is not None:
                raise ValueError("results: only with anchors, as it says what they won from each other")
            return
        if unknown := sorted({*self.anchors} - {*self.names}):
            raise ValueError(f"anchors: there is no agent {unknown[0]!r}: {suggestion(unknown[0], list(self.names))}")
        if self.format != "round_robin":
            raise ValueError(f"anchors: only in a round robin, not with format: {self.format}")
        if self.is_ranking:
            raise ValueError("anchors: not with schedule: adaptive or stop_when: ranked, where all agents meet")
        known = {each[:2] for each in self.known_results}
        for one, two in permutations(self.anchors, 2) if known else ():
            if (one, two) not in known:
                raise ValueError(f"results: {self.results} must say what {one!r} won from {two!r}")

    def _check_ranking(self) -> None:
        if not self.is_ranking:
            if self.budget is not None:
                raise ValueError(
                    "budget: only with schedule: adaptive or stop_when: ranked; hands says what a pair plays"
                )
            return
        what = "schedule: adaptive" if self.schedule == "adaptive" else "stop_when: ranked"
        if self.format != "round_robin":
            raise ValueError(f"{what}: only in a round robin, not with format: {self.format}")
        if not self.watched:
            raise ValueError(f"{what}: needs watched: true; who plays on is chosen by a look at the results")
        if self.stop_at is not None:
            raise ValueError(f"{what}: not together with stop_at, which leaves opponents with too few deals")
        least = len(self.agents) * (len(self.agents) - 1)
        if self.budget is not None and self.budget < least:
            raise ValueError(f"budget: {self.budget:,} hands; one deal of each pair are {least:,}")

    @property
    def is_ranking(self) -> bool:
        """Whether the results say when it is over, round by round."""
        return self.schedule == "adaptive" or self.stop_when == "ranked"

    @property
    def names(self) -> tuple[str, ...]:
        return tuple(agent.name for agent in self.agents)

    @cached_property
    def known_results(self) -> tuple[KnownResult, ...]:
        """What the anchors won from each other, by the file of results. Raises ValueError for another file."""
        if self.results is None:
            return ()
        try:
            with Path(self.results).open(encoding="utf-8", newline="") as file:
                rows = [row for row in csv.DictReader(file) if {row["agent"], row["opponent"]} <= {*self.anchors}]
            fields = unit_of(self.rules).key, "half_width", "confidence", "hands"
            numbers = [[float(row[field]) for field in fields] for row in rows]
            known = [
                (row["agent"], row["opponent"], mean, half_width, confidence, hands)
                for row, (mean, half_width, confidence, hands) in zip(rows, numbers, strict=True)
            ]
            check_known_results(known, self.rules.seats)
        except (KeyError, TypeError, ValueError, OSError, csv.Error) as error:
            raise ValueError(f"results: must be the crosstable.csv of a report, got {self.results} ({error})") from None
        return tuple((one, two, mean, width, level, int(hands)) for one, two, mean, width, level, hands in known)

    def check_agents(self) -> None:
        """Make every agent once, and raise what that raises. One that fails in its own process enters and forfeits."""
        for entrant in self.entrants().values():
            with suppress(AgentProcessError, AgentError):
                entrant.agent()

    def entrants(self) -> dict[str, Entrant]:
        return {agent.name: agent.entrant(self.limits) for agent in self.agents}

    @property
    def limits(self) -> Limits | None:
        return None if self.isolation == "none" else self.stranger_limits

    @property
    def stranger_limits(self) -> Limits:
        """What an untrusted agent may take, here or over the network."""
        limit = self.time_limit(is_stranger=True)
        times = limit.ms_per_decision, limit.seconds
        return Limits(self.memory_mb, self.seconds_per_call, self.seconds_to_start, *times, self.clock)

    def time_limit(self, is_stranger: bool) -> TimeLimit:
        """What an agent may take; is_stranger: as of `Entrant`."""
        given = self.model_fields_set
        default = (STRANGERS_MS, STRANGERS_SECONDS) if is_stranger else (None, None)
        return TimeLimit(
            self.max_ms_per_decision if "max_ms_per_decision" in given else default[0],
            self.max_seconds_per_shard if "max_seconds_per_shard" in given else default[1],
        )

    @property
    def in_a_shard(self) -> int:
        """Deals (sessions) that are played and stored in one go."""
        each = SESSIONS if self.format == "freezeout" else DEALS
        return self.shard or each * (ISOLATED if self.has_strangers else 1) * self._deals_for_one

    @property
    def is_duplicate(self) -> bool:
        return not self.has_strangers if self.duplicate is None else self.duplicate

    @property
    def _deals_for_one(self) -> int:
        """How many deals are as many hands as one from every seat."""
        return 1 if self.is_duplicate else self.rules.seats

    @cached_property
    def has_jails(self) -> bool:
        return self.isolation == "process" and any(agent.is_stranger for agent in self.agents)

    @property
    def has_strangers(self) -> bool:
        """Whether somebody plays in a process of its own, here or elsewhere."""
        return self.has_jails or any(agent.is_remote for agent in self.agents)

    def deals_each(self) -> int:
        deals = self.sessions if self.format == "freezeout" else -(-self.hands // self.rules.seats)
        deals *= self._deals_for_one
        in_a_round = 1 if self.format == "round_robin" else len(self.agents)  # whole rounds of the balanced seating
        return -(-deals // in_a_round) * in_a_round

    def matches(self, without: frozenset[str] = frozenset()) -> list[tuple[str, ...]]:
        """Who plays whom, without those who have forfeited; sorted by name, so the order of entry does not matter."""
        return pairings(
            self.format, self.names, self.anchors, self.rules.seats, without, are_known=bool(self.known_results)
        )

    def ranking_schedule(self, agents: int) -> RankingSchedule:
        """The rounds, from the first on, if this number of agents have not forfeited."""
        budget = None if self.budget is None else self.budget * self._deals_for_one // self.rules.seats
        return RankingSchedule(agents, self.confidence, self.deals_each(), self.schedule == "adaptive", budget)

    def shard_of(self, entrants: tuple[Entrant, ...], numbers: range, run: int, key: int) -> Shard:
        """Some deals of a match, as they are played in a run, which with `seed: random` has a key of its own."""
        return Shard(
            entrants,
            self.rules,
            numbers.start,
            len(numbers),
            self.seed_of([entrant.name for entrant in entrants], key),
            "sessions" if self.format == "freezeout" else "deals",
            "pair" if self.format == "round_robin" else "balanced",
            () if self.format == "freezeout" else self.estimators,
            tuple(self.time_limit(entrant.is_stranger) for entrant in entrants),
            self.is_duplicate,
            run,
        )

    def seed_of(self, names: Sequence[str], key: int) -> int:
        """The seed of a match as of `play_deals`. With `seed: random` it is a hash of its agents' names under the run's
        key, of KEY_BITS bits. Without duplicates each match has decks of its own."""
        if self.seed == "random":
            keyed = blake2b(json.dumps(list(names)).encode(), key=key.to_bytes(16), digest_size=KEY_BITS // 8)
            return int.from_bytes(keyed.digest())
        if self.is_duplicate:
            return self.seed
        digest = sha256(json.dumps([self.seed, *names]).encode()).digest()
        return int.from_bytes(digest[:8]) >> (64 - SEED_BITS)
