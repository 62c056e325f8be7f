"""The kind "sb3" of learner: MaskablePPO of SB3-Contrib with one seat at each table, its networks and KL penalty."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import torch
from gymnasium.spaces import Box
from numpy.typing import NDArray
from sb3_contrib import MaskablePPO
from sb3_contrib.common.maskable.policies import MaskableActorCriticPolicy
from stable_baselines3.common.callbacks import BaseCallback
from stable_baselines3.common.logger import Logger
from stable_baselines3.common.torch_layers import BaseFeaturesExtractor
from stable_baselines3.common.utils import FloatSchedule
from torch import nn

from holdem_env.engine.record import NOBODY
from holdem_env.envs.learner_tables import Opponent
from holdem_env.envs.sb3 import HoldemVecEnv, StepReturn

from ...agent_files.model_files import write
from ...agent_files.sb3_agent import SB3Agent, about_model, save
from ...networks.own_network import first_observation, new_own_network
from ...networks.policy_network import CanonicalSuits
from ...networks.tensors import as_arrays, as_tensors
from ...ppo import card_places
from ..config import Training, reward_of
from .counts import count_moves, no_moves
from .devices import CPU, chosen_device, rollout_seconds


class Trunk(BaseFeaturesExtractor):
    """Fully connected layers of the given widths, each followed by a ReLU.

    With `net_arch=[]`, policy and value are one linear layer each on top of it, so the trunk runs once for both.
    cards: the indices where sets of cards begin, for canonical suits; None leaves the suits as they are.
    """

    def __init__(
        self, observation_space: Box, hidden: Sequence[int] = (256, 256), cards: Sequence[int] | None = None
    ) -> None:
        super().__init__(observation_space, hidden[-1])
        size = 1
        for length in observation_space.shape:
            size *= length
        widths = [size, *hidden]
        before: list[nn.Module] = [CanonicalSuits(cards)] if cards else []
        if len(observation_space.shape) > 1:
            before = [nn.Flatten()]
        self.layers = nn.Sequential(
            *before, *(layer for one, two in pairwise(widths) for layer in (nn.Linear(one, two), nn.ReLU()))
        )

    def forward(self, observations: torch.Tensor) -> torch.Tensor:
        features: torch.Tensor = self.layers(observations)
        return features


class OwnNetworkExtractor(BaseFeaturesExtractor):
    """Features that are the network's logits, and its value after them. text, examples: as in `new_own_network`."""

    def __init__(self, observation_space: Box, text: str, examples: NDArray[np.float32], actions: int) -> None:
        super().__init__(observation_space, actions + 1)
        self.network = new_own_network(text, examples, actions)

    def forward(self, observations: torch.Tensor) -> torch.Tensor:
        logits, values = self.network.logits_and_values(observations)
        return torch.cat([logits, values[:, None]], dim=1)


class _Columns(nn.Module):
    def __init__(self, first: int, last: int) -> None:
        super().__init__()
        self._first, self._last = first, last

    def forward(self, features: torch.Tensor) -> torch.Tensor:
        return features[:, self._first : self._last]


class OwnNetworkPolicy(MaskableActorCriticPolicy):
    """Without layers of SB3's. Needs OwnNetworkExtractor, net_arch=[] and ortho_init=False, which leaves the network's
    weights as its class has made them."""

    def _build(self, lr_schedule: Any) -> None:
        super()._build(lr_schedule)
        actions = self.features_dim - 1
        policy: Any = self
        policy.action_net, policy.value_net = _Columns(0, actions), _Columns(actions, actions + 1)
        optimizer: Any = self.optimizer_class
        self.optimizer = optimizer(self.parameters(), lr=lr_schedule(1), **self.optimizer_kwargs)


Evaluation = tuple[torch.Tensor, torch.Tensor, torch.Tensor | None]


class KLRegularizedPolicy(MaskableActorCriticPolicy):
    """A policy whose entropy bonus can include a KL penalty toward a reference policy.

    PPO adds entropy times its coefficient to the objective. The penalty is subtracted from that entropy, so its weight
    is given as a multiple of the coefficient: `kl_per_entropy`.
    """

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        # In a list, because PyTorch would make a module in an attribute part of this one, weights and file included.
        self._references: list[MaskableActorCriticPolicy] = []
        self.kl_per_entropy = 0.0

    def regularize_toward(self, reference: MaskableActorCriticPolicy) -> None:
        """Penalize divergence from this policy from now on, with the weight `kl_per_entropy`."""
        self._references = [reference]

    def evaluate_actions(
        self, obs: torch.Tensor, actions: torch.Tensor, action_masks: torch.Tensor | None = None
    ) -> Evaluation:
        """Values, log-probabilities, and the entropy minus the penalty."""
        if not self._references or not self.kl_per_entropy:
            evaluation: Evaluation = super().evaluate_actions(obs, actions, action_masks)
            return evaluation
        latent_pi, latent_vf = self.mlp_extractor(self.extract_features(obs))
        own: Any = self._get_action_dist_from_latent(latent_pi)
        own.apply_masking(action_masks)
        with torch.no_grad():
            reference: Any = self._references[0].get_distribution(obs, action_masks)  # type: ignore[arg-type]
        difference = own.distribution.logits - reference.distribution.logits
        divergence = (own.distribution.probs * difference).sum(dim=1)
        return self.value_net(latent_vf), own.log_prob(actions), own.entropy() - self.kl_per_entropy * divergence


class StatsLogger(Logger):
    """SB3's logger, which keeps what is recorded until it is taken."""

    def take(self) -> dict[str, Any]:
        stats = dict(self.name_to_value)
        self.name_to_value.clear()
        return stats


class _GoesOn(BaseCallback):
    """Ends a rollout of SB3's when `goes_on` says so, and notes that."""

    def __init__(self, goes_on: Callable[[], bool] | None) -> None:
        super().__init__()
        self._ask, self.is_ended = goes_on, False

    def _on_step(self) -> bool:
        self.is_ended = self._ask is not None and not self._ask()
        return not self.is_ended


class PacedPPO(MaskablePPO):
    """MaskablePPO with the names of `learner.Algorithm`, whose rollouts have as many steps as `pace` says."""

    pace: Callable[[], int] | None = None
    kl_coef = 0.0

    @property
    def decisions(self) -> int:
        return int(self.num_timesteps)

    @property
    def updates(self) -> int:
        return int(self._n_updates)

    def set_up(self) -> None:
        """Deal the first hands, unless hands are in play, and make what SB3 makes when `learn` begins."""
        if self._last_obs is None:
            self._setup_learn(1, None)

    def step(self, goes_on: Callable[[], bool] | None = None) -> dict[str, Any] | None:
        """Play one rollout and learn from it: `learn` for a single decision more."""
        if goes_on is not None and not goes_on():  # SB3 asks after the first move
            return None
        stats, callback = StatsLogger(None, []), _GoesOn(goes_on)
        self.set_logger(stats)
        self.lr_schedule = FloatSchedule(self.learning_rate)
        if isinstance(self.policy, KLRegularizedPolicy):
            self.policy.kl_per_entropy = self.kl_coef / self.ent_coef
        self.learn(1, callback, reset_num_timesteps=False, log_interval=None)  # type: ignore[arg-type]
        return None if callback.is_ended else stats.take()

    def collect_rollouts(
        self, env: Any, callback: Any, rollout_buffer: Any, n_rollout_steps: int, use_masking: bool = True
    ) -> bool:
        if self.pace:
            n_rollout_steps = rollout_buffer.buffer_size = self.pace()
        return super().collect_rollouts(env, callback, rollout_buffer, n_rollout_steps, use_masking)


class SB3PPO:
    """Model and environment of one learner. model: MaskablePPO. env: its environment."""

    capabilities = frozenset[str]()

    def __init__(self, config: Training) -> None:
        if config.learner.kl_coef and not min(config.learner.entropy):
            raise ValueError("learner.kl_coef: with 'sb3' it is a part of the entropy bonus; give an entropy above 0")
        self.config = config
        self.env = make_env(config)
        self.model = make_model(config, self.env)
        self.model.kl_coef = config.learner.kl_coef

    def regularize_toward(self, reference: Any) -> None:
        policy: Any = self.model.policy
        policy.regularize_toward(reference)

    def agent(self, policy: Any, name: str) -> SB3Agent:
        return SB3Agent(policy, self.env.observation_encoder, self.env.action_encoder, name=name)

    def set_up(self) -> None:
        self.model.set_up()

    def state(self) -> dict[str, Any]:
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
        self.set_up()
        model: Any = self.model
        model.policy.load_state_dict(state["policy"])
        model.policy.optimizer.load_state_dict(state["optimizer"])
        model.num_timesteps, model._n_updates = state["decisions"], state["updates"]
        self.env.tables.load_state_dict(as_arrays(state["tables"]))
        model._last_obs = self.env.tables.observation()
        model._last_episode_starts = state["episode_starts"].numpy()

    def save(self, path: Path, policy: Any) -> None:
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


def make_model(config: Training, env: TrainingEnv) -> PacedPPO:
    """An untrained model."""
    settings = config.learner
    policy: Any
    extractor: Any
    if settings.policy:
        policy, extractor, extra = OwnNetworkPolicy, OwnNetworkExtractor, {"ortho_init": False}
        examples = first_observation(env.observation_encoder, config.rules)
        given = {"text": settings.policy, "examples": examples, "actions": env.action_encoder.size(config.rules)}
    else:
        policy, extractor, extra = (KLRegularizedPolicy if settings.kl_coef else "MlpPolicy"), Trunk, {}
        cards = card_places(env.observation_encoder, config.rules) if settings.suits == "canonical" else None
        given = {"hidden": settings.hidden, "cards": cards}
    made = partial(
        PacedPPO,
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
    )
    shape = env.observation_encoder.shape(config.rules)
    device = chosen_device(
        settings.device, lambda device: rollout_seconds(made(device=CPU).policy, config, shape, device)
    )
    return made(device=device)


class TrainingEnv(HoldemVecEnv):
    """A HoldemVecEnv that counts the learner's results and moves until `reset_counts`.

    won: big blinds that the learner won in hands with each agent, in the order of `tables.agents`. hands: the number of
    those hands; an agent in two seats counts twice. moves_made: (streets, kinds) int64.
    """

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.reset_counts()

    def set_opponents(self, opponents: list[Opponent]) -> None:  # type: ignore[override]
        super().set_opponents(opponents)
        self.reset_counts()

    def reset_counts(self) -> None:
        self.won: NDArray[np.float64] = np.zeros(len(self.tables.agents))
        self.hands: NDArray[np.float64] = np.zeros(len(self.tables.agents))
        self.moves_made: NDArray[np.int64] = no_moves()
        self._rewards, self._episodes = 0.0, 0

    def won_in_all(self) -> tuple[float, float]:
        return self._rewards, float(max(self._episodes, 1))

    def step_async(self, actions: NDArray[Any]) -> None:
        super().step_async(actions)
        moves: Any = self._moves
        count_moves(self.moves_made, self.tables.records["street"], moves)

    def step_wait(self) -> StepReturn:
        result = super().step_wait()
        over = np.flatnonzero(self.tables.done)
        self._rewards += float(self.tables.value[over].sum()) / self.rules.unit
        self._episodes += len(over)
        opponents = self.tables.played_by[over]
        seated = opponents != NOBODY
        won = np.broadcast_to(self.tables.value[over, None] / self.rules.unit, opponents.shape)
        self.won += np.bincount(opponents[seated], won[seated], len(self.won))
        self.hands += np.bincount(opponents[seated], minlength=len(self.hands))
        return result
