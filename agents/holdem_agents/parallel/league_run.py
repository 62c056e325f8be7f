"""The league in workers: all its learners train their turns at the same time, in processes or on a Ray cluster.

    train_league(load_any_config("league"), new_folder("runs", "league"), Machines(jobs=2))
    train_league(load_any_config("league"), new_folder("runs", "league"), Machines(ray="auto"))

After each round the learners exchange weights and snapshots, matches rate them, and a checkpoint holds every learner's
state. A worker that is lost costs its turn: it is started anew from the last state, and plays the turn again.
"""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from holdem_env.agents.protocol import Agent
from holdem_env.agents.registry import MODEL_SUFFIX
from holdem_env.utils.atomic import write_whole

from ..sb3_agent import load
from ..training.checkpoint import load_checkpoint, random_state
from ..training.config import ConfigError, League
from ..training.interrupts import outcome, tell
from ..training.league import log_folder
from ..training.league_books import LeagueBooks, LeagueProgressBar, report, snapshot_name, worst_rated
from ..training.run_config import check_resumable, load_run_config
from ..training.run_folder import (
    CONFIG,
    DECISIONS,
    PROGRESS,
    SNAPSHOTS,
    check_restart,
    prepare,
    truncate_csv,
    write_setup,
)
from ..training.run_logs import make_logger
from ..training.torch_settings import torch_settings
from .league_member import LeagueMember, State, Turn
from .machines import Machines
from .workers import Interrupted, Place, Worker, WorkerLost

RETRIES = 3
"""How often a turn is played again if its worker is lost each time."""
LOOK_EVERY = 0.5
"""Seconds after which a ctrl-C is noticed."""


class ParallelLeague(LeagueBooks):
    """A league whose learners train in workers.

    place: where the workers live. limit: how many of them train at a time at most; None for as many as there is room.
    started: called with a name and its worker whenever one is started. The rest is as in LeagueBooks.
    """

    def __init__(
        self,
        league: League,
        folder: Path,
        place: Place,
        limit: int | None = None,
        started: Callable[[str, Worker], None] | None = None,
    ) -> None:
        super().__init__(league, folder)
        self._place, self._limit, self._started = place, limit, started
        self._states: dict[str, State | None] = dict.fromkeys(league.learners)
        self._turns: dict[str, Turn] = {}  # of the round under way
        self._pool: list[tuple[str, int]] = []  # what all pools hold
        self._removed: list[int] = []  # what they are to remove after this round
        self._workers: dict[str, Worker] = {}
        self._loggers = {name: make_logger(log_folder(folder, name), league.tensorboard) for name in league.learners}

    @property
    def decisions(self) -> int:
        """The decisions of all learners so far."""
        done = {name: state["learner"]["decisions"] for name, state in self._states.items() if state}
        return sum(done.values())

    def state(self) -> State:
        """The state of the league with that of every member, for a checkpoint."""
        states = {name: state for name, state in self._states.items() if state}
        return {
            **self.books(),
            "random": random_state(),
            "learners": {name: state["learner"] for name, state in states.items()},
            "members": {name: {**state, "learner": None} for name, state in states.items()},
        }

    def load_state(self, state: State) -> None:
        """Restore a state that `state` returned, or that of a league in one process."""
        self.load_books(state)
        self._states = dict(member_states(self.league, state))
        self.turns -= self.turns % len(self._states)  # who has played in the round under way knows it
        pools = (each["learner"]["pool"]["copies"] for each in self._states.values() if each)
        self._pool = [(copy["kind"], copy["decisions"]) for copy in next(pools)]
        self.saved = self.decisions

    def run(self, show: bool) -> None:
        """Train the rounds that are left, or until the user interrupts."""
        with LeagueProgressBar(self, show) as bar, self.interrupts:
            while self.turns < self.total_turns and not self.interrupts.asked:
                with self._turn_clock():
                    is_whole = self._play_round(bar)
                if not is_whole:
                    self._keep_unfinished()
                    break
                self._end_round()
                if self.save_checkpoint():
                    self._remove_old_snapshots()

    def _play_round(self, bar: LeagueProgressBar) -> bool:
        """Let every member train its turn. Returns whether all turns are over, that is, whether nobody interrupted."""
        self._turns = {}
        bar.show_turn(*self._states)

        def over(name: str, turn: Turn) -> None:
            self._turns[name], self._states[name] = turn, turn.state
            for row in turn.rows:
                for log in self._loggers[name].output_formats:
                    log.write(*row)
            bar.show_turn(*(each for each in self._states if each not in self._turns), done=len(self._turns))

        self._ask("train", (), over, may_be_interrupted=True)
        return len(self._turns) == len(self._states) and all(turn.is_over for turn in self._turns.values())

    def _keep_unfinished(self) -> None:
        """Save a checkpoint in the middle of a round. Who has not begun to train has the state that it begins with."""
        missing = [name for name, state in self._states.items() if state is None]
        self._ask("state", (), self._states.__setitem__, missing)
        self.save_checkpoint()

    def _end_round(self) -> None:
        """Rate the members, and tell all of them the news of the round."""
        turns = [self._turns[name] for name in self._states]
        news = [turn.news for turn in turns if turn.news is not None]
        self._pool += [each for one in news if (each := (one.name, one.decisions)) not in self._pool]
        self.turns += len(self._states)
        self._rate()
        self._ask("hear", (news, self._removed), self._states.__setitem__)

    def _save_snapshots(self) -> dict[str, Agent]:
        folder = self.folder / SNAPSHOTS
        folder.mkdir(exist_ok=True)
        agents: dict[str, Agent] = {}
        for name, turn in self._turns.items():
            path = folder / f"{snapshot_name(name, turn.decisions)}{MODEL_SUFFIX}"
            write_whole(path, turn.model)
            agents[path.stem] = load(path)
        return agents

    def _limit_pools(self, rates: dict[str, float]) -> None:
        self._removed = []
        while len(self._pool) > self.league.pool:
            self._removed.append(worst_rated(self._pool, rates))
            del self._pool[self._removed[-1]]

    def learners_except(self, snapshot: str) -> list[Agent]:
        """The learners as they were after their last turn, except the one that is this snapshot."""
        models: dict[str, bytes] = {}
        self._ask("model", (), models.__setitem__)
        agents: list[Agent] = []
        with TemporaryDirectory() as folder:
            for name, state in self._states.items():
                if state and snapshot_name(name, state["learner"]["decisions"]) != snapshot:
                    path = Path(folder) / f"{len(agents)}{MODEL_SUFFIX}"
                    path.write_bytes(models[name])
                    agent = load(path)
                    agent.name = name
                    agents.append(agent)
        return agents

    def close(self) -> None:
        """Close the logs."""
        for logger in self._loggers.values():
            logger.close()

    def _ask(
        self,
        method: str,
        arguments: Sequence[Any],
        answered: Callable[[str, Any], None],
        names: Iterable[str] | None = None,
        may_be_interrupted: bool = False,
    ) -> None:
        """Call a method of members, as many at a time as may be, and hand on the answers with their names.

        A worker that is lost is started anew from the last state of its member, and asked again. After ctrl-C, calls
        that may be interrupted are, and others of them do not begin.
        """
        waiting, running, lost = deque(self._states if names is None else names), dict[Worker, str](), Counter[str]()
        is_told = False
        while running or waiting:
            is_ending = may_be_interrupted and self.interrupts.asked
            if is_ending:
                waiting.clear()
            while waiting and len(running) < (self._limit or self._place.room()):
                name = waiting.popleft()
                worker = self._worker(name)
                running[worker] = name
                worker.begin(method, *arguments)
            if is_ending and not is_told:
                is_told = True
                for worker in running:
                    worker.interrupt()
            for worker in self._place.wait(list(running), LOOK_EVERY):
                name = running.pop(worker)
                try:
                    answered(name, worker.answer())
                except Interrupted:
                    continue
                except WorkerLost as error:
                    self._workers.pop(name).close()
                    if is_ending:
                        continue
                    lost[name] += 1
                    if lost[name] > RETRIES:
                        raise WorkerLost(error.index, f"{error.how}, as {RETRIES} workers of {name} before") from None
                    tell(f"the worker of {name} was lost ({error.how}); {name} begins again where it was before")
                    waiting.append(name)

    def _worker(self, name: str) -> Worker:
        """The worker of a member, which is started if it has none."""
        if name not in self._workers:
            self._workers[name] = self._place.start(LeagueMember, self.league, name, self._states[name])
            if self._started:
                self._started(name, self._workers[name])
        return self._workers[name]


def member_states(league: League, state: State) -> Iterator[tuple[str, State]]:
    """The states of the members from the checkpoint of a league in workers, or of one in this process.

    In this process, members train one after the other: those before the one under way have played in the round.
    """
    learners, members = state["learners"], state.get("members")
    count = state["turns"] % len(learners)
    for place, name in enumerate(league.learners):
        if members:
            yield name, {**members[name], "learner": learners[name]}
            continue
        yield (
            name,
            {
                "learner": learners[name],
                "random": state["random"],
                "began": state.get("turn_began") if place == count else None,
                "is_played": place < count,
                "others": {other: learners[other]["policy"] for other in league.learners if other != name},
            },
        )


def train_league(league: League, folder: Path, machines: Machines, show: bool = True, overwrite: bool = False) -> Path:
    """Train a league in workers, write a run folder, and return it. As `training.league.train_league` otherwise.

    Raises ModuleNotFoundError if Ray is needed and not installed, ConnectionError if no cluster answers, both before
    anything is written; WorkerLost if a member's workers are lost again and again.
    """
    with machines.place() as place:
        prepare(folder, overwrite)
        write_setup(league, folder)
        return _run(league, folder, None, show, machines, place)


def resume_league(folder: Path, machines: Machines, show: bool = True, overwrite: bool = False) -> Path:
    """Continue a league in workers from the end of its last round, an interrupted one from where it was.

    It may have begun in this process or with other machines. Raises as `run.resume` and `train_league` do.
    """
    state = load_checkpoint(folder)
    league = load_run_config(folder / CONFIG, state and state["config"])
    if not isinstance(league, League):
        raise ConfigError(f"{folder / CONFIG}: not a league")
    if state:
        check_resumable(league, state["config"], folder / CONFIG)
    else:
        check_restart(folder, overwrite)
    with machines.place() as place:
        for name in league.learners:
            done = state["learners"][name]["decisions"] if state else -1
            truncate_csv(folder / name / PROGRESS, DECISIONS, done)
        return _run(league, folder, state, show, machines, place)


def _run(league: League, folder: Path, state: State | None, show: bool, machines: Machines, place: Place) -> Path:
    run = ParallelLeague(league, folder, place, machines.limit)
    with torch_settings():
        if state:
            run.load_state(state)
        try:
            run.run(show)
        finally:
            run.close()
        if run.interrupts.asked and run.turns < run.total_turns:
            tell(outcome(folder, run.saved, machines.options))
            if run.interrupts.stopped_at_once or not run.kept:
                raise KeyboardInterrupt
        report(run)
    return folder
