"""A learner with all that belongs to it: tables, network, past selves, counters; and its state, to go on from later."""

from __future__ import annotations

from hashlib import sha256
from typing import Any

import torch
from sb3_contrib import MaskablePPO
from stable_baselines3.common.callbacks import BaseCallback

from holdem_env.envs.learner_tables import Opponent
from holdem_env.table.saving import layout_text

from ..sb3_agent import SB3Agent, digest
from .budget_clock import Clock
from .callbacks import KeepToBudget, Watch
from .checkpoint import as_arrays, as_tensors, random_state, set_random_state
from .config import AVERAGE_SELF, LATEST_SELF, PAST_SELVES, Training
from .network import Trunk, card_places
from .opponent_pool import SELF, GrowPool, Pool
from .regularization import PulledPolicy, SlowCopy
from .threads import PickThreads
from .training_env import TrainingEnv


class Trainee:
    """Everything that one learner learns with.

    me: it as an agent, as it is at the moment. delivered: the agent that the run is for, which is the average of its
    weights where the configuration asks for one.
    """

    def __init__(self, config: Training) -> None:
        self.config = config
        self.clock = Clock(config.budget)
        self.grows_its_pool = True
        self.env = make_env(config)
        self.model = make_model(config, self.env)
        policy: Any = self.model.policy
        self.me = self._agent(policy, "self")
        self.pool = Pool.of({SELF: self.me}, config.past_selves, config.seed)
        learner = config.learner
        self.average = SlowCopy(policy, learner.average) if learner.average else None
        self.slow = SlowCopy(policy, learner.pull_memory) if learner.pull else None
        if self.slow:
            policy.pull_toward(self.slow.policy)
        self.delivered = self._agent(self.average.policy, "average self") if self.average else self.me
        self.env.set_opponents(self.opponents())

    def _agent(self, policy: Any, name: str) -> SB3Agent:
        return SB3Agent(policy, self.env.observation_encoder, self.env.action_encoder, name=name)

    def opponents(self) -> list[Opponent]:
        """The weighted opponents that the configuration names."""
        weighted: list[Opponent] = []
        selves = {LATEST_SELF: self.me, AVERAGE_SELF: self.delivered}
        for name, weight in self.config.opponents.items():
            if name == PAST_SELVES:
                weighted += [(player, weight / len(self.pool.players)) for player in self.pool.players]
            else:
                weighted.append((selves.get(name, name), weight))
        return weighted

    def callbacks(self) -> list[BaseCallback]:
        """What has to happen between rollouts for it to learn as its configuration says."""
        wanted: list[BaseCallback | None] = [
            GrowPool(self.pool, self.env, self.clock if self.grows_its_pool else None),
            self.average,
            self.slow,
            KeepToBudget(self.clock, self.config.learner),
            Watch(self.env, self.config.reward_scale),
            PickThreads() if self.config.learner.threads == "auto" else None,
        ]
        return [callback for callback in wanted if callback]

    def begin(self) -> None:
        """Deal the first hands, and make what SB3 makes when it begins to learn."""
        model: Any = self.model
        model._setup_learn(1, None)

    def state(self) -> dict[str, Any]:
        """Everything that it needs to go on, between two rollouts, but for the global random numbers."""
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
            "average": self.average.policy.state_dict() if self.average else None,
            "slow": self.slow.policy.state_dict() if self.slow else None,
        }

    def _versions(self) -> dict[str, str]:
        """What a checkpoint depends on beyond the configuration, in words for an error."""
        watch, actions, rules = self.env.observation_encoder, self.env.action_encoder, self.config.rules
        return {
            f"the observation {watch.name!r}": digest(watch, rules),
            f"the actions {actions.name!r}": ", ".join(actions.meanings(rules)),
            "holdem_env's tables": sha256(layout_text().encode()).hexdigest(),
        }

    def _check_versions(self, before: dict[str, str]) -> None:
        """Raise ValueError if a checkpoint was made with something that is not what it was."""
        for what, now in self._versions().items():
            if before.get(what) != now:
                raise ValueError(f"the checkpoint was made with another version of {what}; a run cannot go on with it")

    def load_state(self, state: dict[str, Any]) -> None:
        """Go on where `state` was taken, under the same configuration.

        Raises ValueError, saying of what, if it was made with another version of an encoder or of the tables.
        """
        self._check_versions(state["made_with"])
        self.begin()
        model: Any = self.model
        model.policy.load_state_dict(state["policy"])
        model.policy.optimizer.load_state_dict(state["optimizer"])
        model.num_timesteps, model._n_updates = state["decisions"], state["updates"]
        self.env.tables.load_state_dict(as_arrays(state["tables"]))
        model._last_obs = self.env.tables.observation()
        model._last_episode_starts = state["episode_starts"].numpy()
        self.pool.load_state(state["pool"])
        self.clock.go_on_from(state["seconds"])
        for slow, name in ((self.average, "average"), (self.slow, "slow")):
            if slow:
                slow.policy.load_state_dict(state[name])


def whole_state(trainee: Trainee) -> dict[str, Any]:
    """A run's state with one learner, for a checkpoint."""
    config = trainee.config.model_dump(mode="json")
    logger = trainee.model.logger
    pending = {name: [float(value), logger.name_to_excluded[name]] for name, value in logger.name_to_value.items()}
    return {"config": config, "random": random_state(), "trainee": trainee.state(), "pending": pending}


def load_whole_state(trainee: Trainee, state: dict[str, Any]) -> None:
    """Go on where `whole_state` was taken; the learner has its logger already."""
    trainee.load_state(state["trainee"])
    for name, (value, excluded) in state["pending"].items():  # what the last update has told: it is logged later
        trainee.model.logger.record(name, value, excluded)
    set_random_state(state["random"])


def make_env(config: Training) -> TrainingEnv:
    """The tables; who plays the other seats is set when the model exists."""
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
    """A fresh learner."""
    learner = config.learner
    cards = card_places(env.observation_encoder, config.rules) if learner.suits == "canonical" else None
    return MaskablePPO(
        PulledPolicy if learner.pull else "MlpPolicy",
        env,
        n_steps=learner.n_steps,
        n_epochs=learner.epochs,
        batch_size=learner.batch_size,
        gamma=learner.gamma,
        gae_lambda=learner.gae_lambda,
        clip_range=learner.clip_range,
        vf_coef=learner.value_weight,
        max_grad_norm=learner.max_grad_norm,
        learning_rate=learner.learning_rate[0],
        ent_coef=learner.entropy[0],
        policy_kwargs={
            "net_arch": [],
            "features_extractor_class": Trunk,
            "features_extractor_kwargs": {"hidden": learner.hidden, "cards": cards},
        },
        seed=config.seed,
        device="cpu",  # so small a network is slower on a graphics card
    )
