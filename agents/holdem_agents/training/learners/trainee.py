"""A learner in training: with its opponent pool, averages and clock; their state, and what is compiled first."""

from __future__ import annotations

from hashlib import sha256
from pathlib import Path
from typing import Any

from holdem_env.envs.learner_tables import Opponent
from holdem_env.table.saving import layout_text

from ...agent_files.model_files import digest
from ...agent_files.network_agent import NetworkAgent
from ...runs.checkpoint import random_state, set_random_state
from ...world import ALONE, World
from ..config import AVERAGE_SELF, BEST_RESPONSE, LATEST_SELF, PAST_SELVES, Training
from .best_response import BestResponseHook, BestResponsePlayer
from .hooks import Hook
from .learner import learner_of
from .loop import train
from .opponent_pool import SELF, OpponentPool, OpponentPoolHook
from .run_hooks import BudgetClock, BudgetHook, RanksHook, RolloutPace, StatisticsHook
from .starting_weights import check_start, copy_network
from .torch_settings import ThreadCountHook, torch_settings
from .weight_averaging import WeightAverage


class Trainee:
    """A learner in training, with everything that it trains with.

    kind: the learner that the configuration names. model, env: its algorithm and its tables. agent: the learner as an
    agent, with its current weights. final_agent: the agent that training delivers; it has the averaged weights if the
    configuration asks for an average, else it is `agent`. adds_snapshots: whether it adds snapshots to its own pool;
    in a league the league adds them.

    is_resumed: whether the learner is going to get the state of a checkpoint; it then does not read the weights of
    `config.start`. Raises ConfigError if they do not fit.
    """

    adds_snapshots = True

    def __init__(self, config: Training, is_resumed: bool = False, world: World = ALONE) -> None:
        started = None if is_resumed else check_start(config)
        self.config, self.world = config, world
        self.clock = BudgetClock(config.budget, world)
        self.kind = learner_of(config, world)
        self.env, self.model = self.kind.env, self.kind.model
        self.pace = self.model.pace = RolloutPace(self.clock, config.learner.n_steps)
        policy: Any = self.model.policy
        if started:
            copy_network(started.policy, policy)
        self.agent: NetworkAgent = self.kind.agent(policy, "self")
        self.pool = OpponentPool.of({SELF: self.agent}, config.past_selves, config.seed)
        settings = config.learner
        self.average = WeightAverage(policy, settings.average) if settings.average else None
        self.reference = WeightAverage(policy, settings.reference_decay, warm_up=False) if settings.kl_coef else None
        if self.reference:
            self.kind.regularize_toward(self.reference.policy)
        self.final_agent: NetworkAgent = self.agent
        if self.average:
            self.final_agent = self.kind.agent(self.average.policy, "average self")
        self.best_response: BestResponsePlayer | None = None
        if BEST_RESPONSE in config.opponents:
            self.best_response = BestResponsePlayer(self.final_agent, config.rules)
        self.env.set_opponents(self.opponents())

    def opponents(self) -> list[Opponent]:
        weighted: list[Opponent] = []
        selves: dict[str, Any] = {
            LATEST_SELF: self.agent,
            AVERAGE_SELF: self.final_agent,
            BEST_RESPONSE: self.best_response,
        }
        for name, weight in self.config.opponents.items():
            if name == PAST_SELVES:
                weighted += [(player, weight / len(self.pool.players)) for player in self.pool.players]
            else:
                weighted.append((selves.get(name, name), weight))
        return weighted

    def hooks(self) -> list[Hook]:
        """The hooks that make the model train as the configuration says, in their order."""
        best, every = self.best_response, self.config.best_response_every
        wanted: list[Hook | None] = [
            RanksHook(self.env, self.clock, self.world) if self.world.size > 1 else None,
            OpponentPoolHook(self.pool, self.env, self.clock if self.adds_snapshots else None),
            self.average,
            self.reference,
            BestResponseHook(best, every) if best else None,
            BudgetHook(self.clock, self.config.learner),
            StatisticsHook(self.env, self.config.rules),
            ThreadCountHook() if self.config.learner.threads == "auto" else None,
        ]
        return [hook for hook in wanted if hook]

    def set_up(self) -> None:
        self.kind.set_up()

    def save(self, path: Path) -> None:
        """Write the agent that training delivers to a model file, with its weights as they are now."""
        self.kind.save(path, self.final_agent.policy)

    def state(self) -> dict[str, Any]:
        """The state between two rollouts, for a checkpoint: everything except the global random generators."""
        return {
            "made_with": self._versions(),
            **self.kind.state(),
            "pool": self.pool.state(),
            "seconds": self.clock.elapsed(),
            "cpu_seconds": self.clock.cpu_elapsed(),
            "average": self.average.policy.state_dict() if self.average else None,
            "reference": self.reference.policy.state_dict() if self.reference else None,
            "best_response": self.best_response.state() if self.best_response else None,
        }

    def _versions(self) -> dict[str, str]:
        """Digests of what else than the configuration a checkpoint depends on. The keys appear in error messages."""
        observation, actions, rules = self.env.observation_encoder, self.env.action_encoder, self.config.rules
        return {
            f"the observation {observation.name!r}": digest(observation, rules),
            f"the actions {actions.name!r}": ", ".join(actions.meanings(rules)),
            "holdem_env's tables": sha256(layout_text().encode()).hexdigest(),
        }

    def _check_versions(self, before: dict[str, str]) -> None:
        for what, now in self._versions().items():
            if before.get(what) != now:
                raise ValueError(f"the checkpoint was made with another version of {what}; the run cannot be resumed")

    def load_state(self, state: dict[str, Any]) -> None:
        """Restore a state that `state` returned under the same configuration.

        Raises ValueError if an encoder or the tables have changed since then; the message names them.
        """
        self._check_versions(state["made_with"])
        self.kind.load_state(state)
        self.pool.load_state(state["pool"])
        self.clock.set_elapsed(state["seconds"], state["cpu_seconds"])
        for average, name in ((self.average, "average"), (self.reference, "reference")):
            if average:
                average.policy.load_state_dict(state[name])
        if self.best_response:
            self.best_response.load_state(state["best_response"])


def run_state(learner: Trainee) -> dict[str, Any]:
    """The state of a run with one learner, for a checkpoint."""
    return {"random": random_state(), "trainee": learner.state()}


def load_run_state(learner: Trainee, state: dict[str, Any]) -> None:
    """Restore a state that `run_state` returned."""
    learner.load_state(state["trainee"])
    set_random_state(state["random"])
    learner.world.random_apart(learner.config.seed, learner.model.decisions)


SMALL_TABLES, NARROW = 8, 8
SMALL_LEARNER = {"n_steps": 2, "batch_size": 16}


def load_code(config: Training, world: World = ALONE) -> None:
    """Train another learner of this configuration for a moment, at a few tables, with narrow layers. The global random
    generators are afterwards elsewhere."""
    narrow = {"hidden": (NARROW,) * len(config.learner.hidden)}
    learner = config.learner.model_copy(update=SMALL_LEARNER | narrow)
    tables = SMALL_TABLES * world.size
    small = Trainee(config.model_copy(update={"tables": tables, "start": None, "learner": learner}), world=world)
    with torch_settings(precision=learner.matmul_precision):
        train(small.model, small.hooks(), decisions=tables * SMALL_LEARNER["n_steps"])
