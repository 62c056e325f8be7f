"""The kind "sb3" of learner: MaskablePPO of SB3-Contrib, which has one seat at each table."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import torch
from sb3_contrib import MaskablePPO

from ...sb3_agent import SB3Agent, save
from ...tensors import as_arrays, as_tensors
from ..config import Training
from .sb3_kl_penalty import KLRegularizedPolicy
from .sb3_network import Trunk, card_places
from .training_env import TrainingEnv


class SB3PPO:
    """Model and environment of one learner. model: MaskablePPO. env: its environment."""

    def __init__(self, config: Training) -> None:
        self.config = config
        self.env = make_env(config)
        self.model = make_model(config, self.env)

    def regularize_toward(self, reference: Any) -> None:
        """Add the KL penalty toward this policy to the loss."""
        policy: Any = self.model.policy
        policy.regularize_toward(reference)

    def agent(self, policy: Any, name: str) -> SB3Agent:
        """An agent that plays this policy with its weights at any time."""
        return SB3Agent(policy, self.env.observation_encoder, self.env.action_encoder, name=name)

    def set_up(self) -> None:
        """Deal the first hands, and create what SB3 creates when `learn` begins."""
        model: Any = self.model
        model._setup_learn(1, None)

    def state(self) -> dict[str, Any]:
        """The model's state between two rollouts, for a checkpoint."""
        model: Any = self.model
        return {
            "policy": model.policy.state_dict(),
            "optimizer": model.policy.optimizer.state_dict(),
            "decisions": model.num_timesteps,
            "updates": model._n_updates,
            "episode_starts": torch.from_numpy(model._last_episode_starts),
            "tables": as_tensors(self.env.tables.state_dict()),
        }

    def load_state(self, state: Mapping[str, Any]) -> None:
        """Restore a state that `state` returned."""
        self.set_up()
        model: Any = self.model
        model.policy.load_state_dict(state["policy"])
        model.policy.optimizer.load_state_dict(state["optimizer"])
        model.num_timesteps, model._n_updates = state["decisions"], state["updates"]
        self.env.tables.load_state_dict(as_arrays(state["tables"]))
        model._last_obs = self.env.tables.observation()
        model._last_episode_starts = state["episode_starts"].numpy()

    def save(self, path: Path, policy: Any) -> None:
        """Write a model file with the weights of this policy."""
        save(self.model, self.env, path, policy)


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
        KLRegularizedPolicy if settings.kl_coef else "MlpPolicy",
        env,
        **settings.ppo_arguments(),
        policy_kwargs={
            "net_arch": [],
            "features_extractor_class": Trunk,
            "features_extractor_kwargs": {"hidden": settings.hidden, "cards": cards},
        },
        seed=config.seed,
        device="cpu",  # a GPU is slower for networks as small as these
    )
