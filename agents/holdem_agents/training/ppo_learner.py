"""A learner in training: MaskablePPO with its environment, opponent pool, averages and clock, and their whole state."""

from __future__ import annotations

from hashlib import sha256
from typing import Any

import torch
from sb3_contrib import MaskablePPO
from stable_baselines3.common.callbacks import BaseCallback

from holdem_env.envs.learner_tables import Opponent
from holdem_env.table.saving import layout_text

from ..model_files import digest
from ..sb3_agent import SB3Agent
from .budget_clock import BudgetClock
from .callbacks import BudgetCallback, StatisticsCallback
from .checkpoint import as_arrays, as_tensors, random_state, set_random_state
from .config import AVERAGE_SELF, LATEST_SELF, PAST_SELVES, Training
from .network import Trunk, card_places
from .opponent_pool import SELF, OpponentPool, OpponentPoolCallback
from .regularization import KLRegularizedPolicy, WeightAverageCallback
from .threads import ThreadCountCallback
from .training_env import TrainingEnv


class PPOLearner:
    """Everything that one learner trains with.

    agent: the learner as an agent, with its current weights. final_agent: the agent that training delivers; it has the
    averaged weights if the configuration asks for an average, else it is `agent`. adds_snapshots: whether the learner
    adds snapshots of itself to its pool; in a league the league adds them.
    """

    adds_snapshots = True

    def __init__(self, config: Training) -> None:
        self.config = config
        self.clock = BudgetClock(config.budget)
        self.env = make_env(config)
        self.model = make_model(config, self.env)
        policy: Any = self.model.policy
        self.agent = self._agent(policy, "self")
        self.pool = OpponentPool.of({SELF: self.agent}, config.past_selves, config.seed)
        settings = config.learner
        self.average = WeightAverageCallback(policy, settings.average) if settings.average else None
        self.reference = WeightAverageCallback(policy, settings.pull_memory) if settings.pull else None
        if self.reference:
            policy.regularize_toward(self.reference.policy)
        self.final_agent = self._agent(self.average.policy, "average self") if self.average else self.agent
        self.env.set_opponents(self.opponents())

    def _agent(self, policy: Any, name: str) -> SB3Agent:
        return SB3Agent(policy, self.env.observation_encoder, self.env.action_encoder, name=name)

    def opponents(self) -> list[Opponent]:
        """The weighted opponents that the configuration names."""
        weighted: list[Opponent] = []
        selves = {LATEST_SELF: self.agent, AVERAGE_SELF: self.final_agent}
        for name, weight in self.config.opponents.items():
            if name == PAST_SELVES:
                weighted += [(player, weight / len(self.pool.players)) for player in self.pool.players]
            else:
                weighted.append((selves.get(name, name), weight))
        return weighted

    def callbacks(self) -> list[BaseCallback]:
        """The callbacks that make the model train as the configuration says, in their order."""
        wanted: list[BaseCallback | None] = [
            OpponentPoolCallback(self.pool, self.env, self.clock if self.adds_snapshots else None),
            self.average,
            self.reference,
            BudgetCallback(self.clock, self.config.learner),
            StatisticsCallback(self.env, self.config.reward_scale),
            ThreadCountCallback() if self.config.learner.threads == "auto" else None,
        ]
        return [callback for callback in wanted if callback]

    def set_up(self) -> None:
        """Deal the first hands, and create what SB3 creates when `learn` begins."""
        model: Any = self.model
        model._setup_learn(1, None)

    def state(self) -> dict[str, Any]:
        """The state between two rollouts, for a checkpoint: everything except the global random generators."""
        model: Any = self.model
        return {
            "made_with": self._versions(),
            "policy": model.policy.state_dict(),
            "optimizer": model.policy.optimizer.state_dict(),
            "decisions": model.num_timesteps,
            "updates": model._n_updates,
            "episode_starts": torch.from_numpy(model._last_episode_starts),
            "tables": as_tensors(self.env.tables.state_dict()),
            "pool": self.pool.state(),
            "seconds": self.clock.elapsed(),
            "cpu_seconds": self.clock.cpu_elapsed(),
            "average": self.average.policy.state_dict() if self.average else None,
            "slow": self.reference.policy.state_dict() if self.reference else None,
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
        self.set_up()
        model: Any = self.model
        model.policy.load_state_dict(state["policy"])
        model.policy.optimizer.load_state_dict(state["optimizer"])
        model.num_timesteps, model._n_updates = state["decisions"], state["updates"]
        self.env.tables.load_state_dict(as_arrays(state["tables"]))
        model._last_obs = self.env.tables.observation()
        model._last_episode_starts = state["episode_starts"].numpy()
        self.pool.load_state(state["pool"])
        self.clock.set_elapsed(state["seconds"], state.get("cpu_seconds", state["seconds"]))
        for average, name in ((self.average, "average"), (self.reference, "slow")):
            if average:
                average.policy.load_state_dict(state[name])


def run_state(learner: PPOLearner) -> dict[str, Any]:
    """The state of a run with one learner, for a checkpoint."""
    config = learner.config.model_dump(mode="json")
    logger = learner.model.logger
    pending = {name: [float(value), logger.name_to_excluded[name]] for name, value in logger.name_to_value.items()}
    return {"config": config, "random": random_state(), "trainee": learner.state(), "pending": pending}


def load_run_state(learner: PPOLearner, state: dict[str, Any]) -> None:
    """Restore a state that `run_state` returned. The learner must have its logger already."""
    learner.load_state(state["trainee"])
    for name, (value, excluded) in state["pending"].items():  # SB3 logs the last update after the next rollout
        learner.model.logger.record(name, value, excluded)
    set_random_state(state["random"])


def make_env(config: Training) -> TrainingEnv:
    """The training environment. Its opponents are set later, because they need the model."""
    return TrainingEnv(
        config.rules,
        config.tables,
        observation=config.observation,
        actions=config.actions,
        seed=config.seed,
        reward_scale=config.reward_scale,
        reward=config.reward,
        levels=config.levels,
        one_opponent=config.one_opponent,
    )


def make_model(config: Training, env: TrainingEnv) -> MaskablePPO:
    """An untrained model."""
    settings = config.learner
    cards = card_places(env.observation_encoder, config.rules) if settings.suits == "canonical" else None
    return MaskablePPO(
        KLRegularizedPolicy if settings.pull else "MlpPolicy",
        env,
        n_steps=settings.n_steps,
        n_epochs=settings.epochs,
        batch_size=settings.batch_size,
        gamma=settings.gamma,
        gae_lambda=settings.gae_lambda,
        clip_range=settings.clip_range,
        vf_coef=settings.value_weight,
        max_grad_norm=settings.max_grad_norm,
        learning_rate=settings.learning_rate[0],
        ent_coef=settings.entropy[0],
        policy_kwargs={
            "net_arch": [],
            "features_extractor_class": Trunk,
            "features_extractor_kwargs": {"hidden": settings.hidden, "cards": cards},
        },
        seed=config.seed,
        device="cpu",  # a GPU is slower for networks as small as these
    )
