"""One member of a league, in whatever process its turns are played: it trains against the others as they were after
their last turns."""

from __future__ import annotations

from collections.abc import Mapping
from copy import deepcopy
from dataclasses import dataclass, field
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from ...runs.checkpoint import random_state, set_random_state
from ...runs.interrupts import Interrupts
from ...runs.logs import Log
from ..config import LATEST_OTHERS, League
from ..learners.hooks import Hook
from ..learners.loop import train
from ..learners.opponent_pool import OpponentPool, Weights, copy_weights
from ..learners.run_hooks import BetweenSteps
from ..learners.torch_settings import ThreadCountHook, torch_settings
from ..learners.trainee import Trainee

State = dict[str, Any]
Row = tuple[dict[str, Any], int]
MODEL = "snapshot.safetensors"


class LeagueLearner(Trainee):
    """A learner in a league. It trains against the others only after `meet`."""

    adds_snapshots = False

    def __init__(self, league: League, name: str) -> None:
        self.others: list[Trainee] = []
        self.name = name
        super().__init__(league.training(name))

    def meet(self, learners: Mapping[str, Trainee]) -> None:
        """Train against these learners from now on, and against their snapshots."""
        kinds = {name: learner.agent for name, learner in learners.items()}
        self.pool = OpponentPool.of(kinds, self.config.past_selves, self.config.seed)
        self.others = [learner for learner in learners.values() if learner is not self]
        self.env.set_opponents(self.opponents())

    def opponents(self) -> list[Any]:
        """The weighted opponents of the configuration; the other learners share the weight of latest_others."""
        if not self.others:  # the others do not exist yet
            return [self.agent]
        weighted: list[Any] = []
        configured: list[Any] = super().opponents()
        for opponent, weight in configured:
            if opponent == LATEST_OTHERS:
                weighted += [(other.agent, weight / len(self.others)) for other in self.others]
            else:
                weighted.append((opponent, weight))
        return weighted


@dataclass
class News:
    """What the others learn of a member after its turn.

    snapshot: the weights that go into the pools. latest: its current weights, which differ if it keeps an average.
    """

    name: str
    decisions: int
    snapshot: Weights
    latest: Weights


@dataclass
class RoundEnd:
    """What all members hear after a round. removed: the places of snapshots that leave the pools, one after another."""

    news: list[News]
    removed: list[int]


@dataclass
class TurnTask:
    """A turn to be played: everything that it depends on. state: of the member; None for a new one. heard: the end of
    the round before, if the member has not heard of it yet."""

    league: League
    name: str
    state: State | None
    heard: RoundEnd | None


@dataclass
class Turn:
    """What a member did in its turn.

    is_over: whether the turn is over; False after ctrl-C. state: of the member, for a checkpoint. rows: for its log.
    news, model: what the others learn and the content of a model file, if the turn is over.
    """

    is_over: bool
    state: State
    rows: list[Row] = field(default_factory=list)
    news: News | None = None
    model: bytes = b""


def play_turn(task: TurnTask) -> Turn:
    """Play what is left of a turn. The result depends on the task alone, wherever and however often it is played."""
    member = LeagueMember(task.league, task.name, task.state)
    if task.heard is not None:
        member.hear(task.heard)
    return member.train()


class LeagueMember:
    """A learner of a league, and stand-ins that play as the others.

    league: its configuration. name: which learner it is. state: what `state` returned, to go on from there.
    """

    def __init__(self, league: League, name: str, state: State | None = None) -> None:
        self.name, self._turn = name, league.turn
        self._rows = _Rows()
        self._began: int | None = None
        self._is_played = False
        self._precision = league.learners[name].learner.matmul_precision
        with torch_settings(precision=self._precision):
            self._stand_ins = {other: stand_in(league, other) for other in league.learners if other != name}
            # The learner comes last: making one sets the global random generators to its seed.
            self.learner = LeagueLearner(league, name)
            self.learner.meet({each: self._stand_ins.get(each, self.learner) for each in league.learners})
            self.learner.final_agent.name = name
            self.learner.set_up()
            self._random = random_state()
            if state is not None:
                self._load_state(state)

    def state(self) -> State:
        """The state between two rollouts, with tensors, numbers and text only; training on does not change it."""
        others = {name: copy_weights(other.agent.policy) for name, other in self._stand_ins.items()}
        return {
            "learner": deepcopy(self.learner.state()),
            "random": self._random,
            "began": self._began,
            "is_played": self._is_played,
            "others": others,
        }

    def _load_state(self, state: State) -> None:
        self.learner.load_state(state["learner"])
        self._random, self._began, self._is_played = state["random"], state["began"], state["is_played"]
        for name, weights in state["others"].items():
            self._stand_ins[name].agent.policy.load_state_dict(weights)

    def hear(self, end: RoundEnd) -> None:
        """Take the news of a round: snapshots for the pool, weights for the stand-ins; then remove some snapshots.

        The next turn can begin then.
        """
        pool = self.learner.pool
        for each in end.news:
            pool.add(each.snapshot, each.decisions, each.name)
            if each.name != self.name:
                self._stand_ins[each.name].agent.policy.load_state_dict(each.latest)
        for index in end.removed:
            pool.remove(index)
        self._is_played = False

    def train(self) -> Turn:
        """Train what is left of the turn; nothing if it is over already. Ctrl-C ends it after the rollout."""
        interrupted = None if self._is_played else self._train()
        if interrupted is not None:
            return Turn(False, interrupted, list(self._rows.rows))
        latest, snapshot = (copy_weights(each.policy) for each in (self.learner.agent, self.learner.final_agent))
        news = News(self.name, self.learner.model.decisions, snapshot, latest)
        return Turn(True, self.state(), list(self._rows.rows), news, self._model())

    def _train(self) -> State | None:
        """Train until the turn is over. After ctrl-C this returns the state before the rollout that was to begin."""
        states: list[State] = []
        model = self.learner.model

        def between() -> bool:
            ends = interrupts.asked
            if ends:
                self._random = random_state()
                states.append(self.state())
            return not ends

        if self._began is None:
            self._began = model.decisions
        left = self._turn - (model.decisions - self._began)
        with torch_settings(precision=self._precision), Interrupts() as interrupts:
            set_random_state(self._random)
            train(model, [BetweenSteps(between), *self._hooks()], self._rows, decisions=left)
            self._random = random_state()
        if interrupts.stopped_at_once:
            raise KeyboardInterrupt
        if states:
            return states[0]
        self._began, self._is_played = None, True
        return None

    def _hooks(self) -> list[Hook]:
        """The learner's hooks. A member has one thread, whatever the configuration says, so that its turns are the same
        everywhere."""
        return [hook for hook in self.learner.hooks() if not isinstance(hook, ThreadCountHook)]

    def _model(self) -> bytes:
        with TemporaryDirectory() as folder:
            path = Path(folder) / MODEL
            self.learner.save(path)
            return path.read_bytes()


def stand_in(league: League, name: str) -> Trainee:
    """A learner with the encoders and the initial weights of this one that has one table and never trains."""
    config = league.training(name)
    settings = config.learner.model_copy(update={"batch_size": config.learner.n_steps})
    alone = {"tables": 1, "opponents": {"latest_self": 1.0}, "learner": settings}
    return Trainee(config.model_copy(update=alone))


class _Rows(Log):
    """A log that keeps its rows, to be written elsewhere."""

    def __init__(self) -> None:
        super().__init__()
        self.rows: list[Row] = []

    def write(self, stats: Mapping[str, Any], step: int) -> None:
        self.rows.append((dict(stats), step))
