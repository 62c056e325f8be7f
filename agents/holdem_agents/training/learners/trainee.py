"""A learner in training: with its opponent pool, averages and clock; their state, and what is compiled first."""

from __future__ import annotations

from hashlib import sha256
from pathlib import Path
from typing import Any

from stable_baselines3.common.callbacks import BaseCallback

from holdem_env.envs.learner_tables import Opponent
from holdem_env.table.saving import layout_text

from ... import ranks
from ...model_files import digest
from ...network_agent import NetworkAgent
from ...ppo import WeightAverageCallback
from ...runs.checkpoint import random_state, set_random_state
from ..config import AVERAGE_SELF, BEST_RESPONSE, LATEST_SELF, PAST_SELVES, Training
from .best_response import BestResponseCallback, BestResponsePlayer
from .callbacks import BudgetCallback, BudgetClock, RanksCallback, RolloutPace, StatisticsCallback
from .learner import learner_of
from .opponent_pool import SELF, OpponentPool, OpponentPoolCallback
from .ppo import TrainingTables
from .starting_weights import check_start, copy_network
from .torch_settings import ThreadCountCallback, torch_settings


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

    def __init__(self, config: Training, is_resumed: bool = False) -> None:
        started = None if is_resumed else check_start(config)
        self.config = config
        self.clock = BudgetClock(config.budget)
        self.kind = learner_of(config)
        self.env, self.model = self.kind.env, self.kind.model
        self.pace = self.model.pace = RolloutPace(self.clock, config.learner.n_steps)
        policy: Any = self.model.policy
        if started:
            copy_network(started.policy, policy)
        self.agent: NetworkAgent = self.kind.agent(policy, "self")
        self.pool = OpponentPool.of({SELF: self.agent}, config.past_selves, config.seed)
        settings = config.learner
        self.average = WeightAverageCallback(policy, settings.average) if settings.average else None
        self.reference = (
            WeightAverageCallback(policy, settings.reference_decay, warm_up=False) if settings.kl_coef else None
        )
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
        """The weighted opponents that the configuration names."""
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

    def callbacks(self) -> list[BaseCallback]:
        """The callbacks that make the model train as the configuration says, in their order."""
        best, every = self.best_response, self.config.best_response_every
        wanted: list[BaseCallback | None] = [
            RanksCallback(self.env, self.clock) if isinstance(self.env, TrainingTables) and ranks.size() > 1 else None,
            OpponentPoolCallback(self.pool, self.env, self.clock if self.adds_snapshots else None),
            self.average,
            self.reference,
            BestResponseCallback(best, every) if best else None,
            BudgetCallback(self.clock, self.config.learner),
            StatisticsCallback(self.env, self.config.reward_scale, self.config.rules),
            ThreadCountCallback() if self.config.learner.threads == "auto" else None,
        ]
        return [callback for callback in wanted if callback]

    def set_up(self) -> None:
        """Deal the first hands, and create what `learn` needs."""
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
        """Digests of what a checkpoint depends on besides the configuration. The keys appear in error messages."""
        observation, actions, rules = self.env.observation_encoder, self.env.action_encoder, self.config.rules
        return {
            f"the observation {observation.name!r}": digest(observation, rules),
            f"the actions {actions.name!r}": ", ".join(actions.meanings(rules)),
            "holdem_env's tables": sha256(layout_text().encode()).hexdigest(),
        }

    def _check_versions(self, before: dict[str, str]) -> None:
        """Raise ValueError if an encoder or the tables are not those that made the checkpoint."""
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
    logger = learner.model.logger
    pending = {name: [float(value), logger.name_to_excluded[name]] for name, value in logger.name_to_value.items()}
    return {"random": random_state(), "trainee": learner.state(), "pending": pending}


def load_run_state(learner: Trainee, state: dict[str, Any]) -> None:
    """Restore a state that `run_state` returned. The learner must have its logger already."""
    learner.load_state(state["trainee"])
    for name, (value, excluded) in state["pending"].items():  # SB3 logs the last update after the next rollout
        learner.model.logger.record(name, value, excluded)
    set_random_state(state["random"])
    ranks.random_apart(learner.config.seed, learner.model.num_timesteps)


SMALL_TABLES, NARROW = 8, 8
SMALL_LEARNER = {"n_steps": 2, "batch_size": 16}


def load_code(config: Training) -> None:
    """Train another learner of this configuration for a moment, at a few tables, with narrow layers."""
    narrow = {"hidden": (NARROW,) * len(config.learner.hidden)}
    learner = config.learner.model_copy(update=SMALL_LEARNER | narrow)
    tables = SMALL_TABLES * ranks.size()
    small = Trainee(config.model_copy(update={"tables": tables, "start": None, "learner": learner}))
    with torch_settings(precision=learner.matmul_precision):
        small.model.learn(tables * SMALL_LEARNER["n_steps"], small.callbacks())


def load_code_if_timed(config: Training) -> None:
    """`load_code`, unless the budget is in decisions. The global random generators are afterwards elsewhere."""
    if config.budget.decisions is None:
        load_code(config)
