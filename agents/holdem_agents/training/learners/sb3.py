"""The kind "sb3" of learner: MaskablePPO of SB3-Contrib, which has one seat at each table."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import torch
from sb3_contrib import MaskablePPO

from ...model_files import write
from ...sb3_agent import SB3Agent, about_model, save
from ...tensors import as_arrays, as_tensors
from ..config import Training, reward_of
from .sb3_kl_penalty import KLRegularizedPolicy
from .sb3_network import Trunk, card_places
from .sb3_own_network import OwnNetworkExtractor, OwnNetworkPolicy
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
        if self.config.learner.policy:
            agent = SB3Agent(policy, self.env.observation_encoder, self.env.action_encoder, trained_on=self.env.rules)
            write(path, agent, policy.features_extractor.network, *about_model(self.model))
        else:
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
        **reward_of(config),
        levels=config.levels,
        one_opponent=config.one_opponent,
    )


def make_model(config: Training, env: TrainingEnv) -> MaskablePPO:
    """An untrained model."""
    settings = config.learner
    policy: Any
    extractor: Any
    if settings.policy:
        policy, extractor, extra = OwnNetworkPolicy, OwnNetworkExtractor, {"ortho_init": False}
        given = {"text": settings.policy, "actions": env.action_encoder.size(config.rules)}
    else:
        policy, extractor, extra = (KLRegularizedPolicy if settings.kl_coef else "MlpPolicy"), Trunk, {}
        cards = card_places(env.observation_encoder, config.rules) if settings.suits == "canonical" else None
        given = {"hidden": settings.hidden, "cards": cards}
    return MaskablePPO(
        policy,
        env,
        **settings.ppo_arguments(),
        policy_kwargs={
            "net_arch": [],
            "features_extractor_class": extractor,
            "features_extractor_kwargs": given,
            **extra,
        },
        seed=config.seed,
        device="cpu",  # a GPU is slower for networks as small as these
    )
