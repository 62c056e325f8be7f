"""Policies of Stable-Baselines3 as agents: an agent and its file carry the encoders that the policy was trained with.

SB3's own files hold pickles, which can run any code when they are loaded, so loading one needs `trust`."""

from __future__ import annotations

import io
import json
import zipfile
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from sb3_contrib import MaskablePPO
from sb3_contrib.common.maskable.policies import MaskableActorCriticPolicy
from stable_baselines3 import A2C, PPO
from stable_baselines3.common.policies import ActorCriticPolicy
from stable_baselines3.common.save_util import load_from_zip_file
from stable_baselines3.common.torch_layers import FlattenExtractor, MlpExtractor
from torch import nn

from holdem_env.agents.registry import MODEL_SUFFIX, PICKLED
from holdem_env.encoders import ActionEncoder, ObservationEncoder, get_actions, get_observation
from holdem_env.envs.sb3 import HoldemVecEnv
from holdem_env.game.rules import Rules
from holdem_env.game.rules_input import RulesLike, as_rules
from holdem_env.utils.atomic import write_atomically

from ..networks.policy_network import PolicyNetwork
from . import model_files
from .fitting_encoders import fitting_actions, fitting_observation
from .model_files import digest, name_of, write
from .network_agent import NetworkAgent

Policy = ActorCriticPolicy | MaskableActorCriticPolicy
METADATA = "holdem"  # the attribute of a saved model that holds its encoders and rules
TOLERANCE = 1e-4
"""Of logits, between a policy and the network that is made of it."""
LIBRARIES = ("stable_baselines3.", "sb3_contrib.")


class SB3Agent(NetworkAgent):
    """Plays a policy of MaskablePPO, PPO or A2C with its current weights, so a model in training can play along.

    policy: the policy. Other parameters are as in NetworkAgent. about: the name of the algorithm and facts of the
    training, which a model file then says.
    """

    def __init__(
        self,
        policy: Policy,
        observation: ObservationEncoder,
        actions: ActionEncoder,
        deterministic: bool = False,
        seed: int = 0,
        name: str = "self",
        trained_on: Rules | None = None,
    ) -> None:
        is_masked = isinstance(policy, MaskableActorCriticPolicy)
        super().__init__(observation, actions, deterministic, seed, name, trained_on, is_masked)
        self.policy: Any = policy
        self.about: tuple[str, Mapping[str, int | None]] = type(policy).__name__, {}

    def logits(self, observation: NDArray[np.float32]) -> NDArray[np.float32]:
        with torch.no_grad():
            batch = torch.from_numpy(observation).to(self.policy.device)
            distribution: Any = self.policy.get_distribution(batch).distribution
            logits: NDArray[np.float32] = distribution.logits.cpu().numpy()
        return logits

    def config(self) -> dict[str, Any]:
        return super().config() | {"trust": True}

    def save(self, path: str | Path) -> None:
        """Save as a model file (.safetensors), which needs no trust. An agent from a file may also be saved as a copy
        of it (.zip), or as a config that names it.

        Raises ValueError if a model file cannot hold it: see `network_of`.
        """
        if Path(path).suffix == MODEL_SUFFIX:
            write(path, self, network_of(self.policy), *self.about)
        else:
            super().save(path)

    def _expected(self) -> tuple[int, int]:
        spaces: tuple[Any, Any] = self.policy.observation_space, self.policy.action_space
        return int(np.prod(spaces[0].shape)), int(spaces[1].n)


class PlainAgent(SB3Agent):
    """Plays a model whose file does not say with which encoders it was trained, such as one of `model.save()`.

    observation, actions: its encoders, as far as they are known; the others are found by the model's spaces, in each
    game that it plays. Other parameters are as in SB3Agent.
    """

    def __init__(
        self,
        policy: Policy,
        observation: str | ObservationEncoder | None,
        actions: str | ActionEncoder | None,
        deterministic: bool = False,
        seed: int = 0,
        name: str = "self",
        trained_on: Rules | None = None,
    ) -> None:
        self._given = observation, actions
        unknown: Any = None
        super().__init__(policy, unknown, unknown, deterministic, seed, name, trained_on)
        if trained_on is not None:
            self._find_encoders(trained_on)

    def config(self) -> dict[str, Any]:
        observation, actions = self._given
        given: dict[str, Any] = {"observation": observation, "actions": actions}
        if self.trained_on is not None:
            given["rules"] = self.trained_on.model_dump(mode="json", exclude_unset=True)
        return super().config() | {name: value for name, value in given.items() if value is not None}

    def check_rules(self, rules: Rules) -> None:
        if self.trained_on is None:
            self._find_encoders(rules)
        super().check_rules(rules)

    def _find_encoders(self, rules: Rules) -> None:
        observation, actions = self._given
        policy, who = self.policy, f"agent {self.name!r}"
        self.observation_encoder = (
            fitting_observation(policy.observation_space, rules, who)
            if observation is None
            else get_observation(observation)
        )
        self.action_encoder = (
            fitting_actions(policy.action_space, rules, who, self.observation_encoder)
            if actions is None
            else get_actions(actions, rules)
        )


def save(
    model: MaskablePPO | PPO | A2C,
    env: HoldemVecEnv,
    path: Path | str,
    policy: MaskableActorCriticPolicy | None = None,
) -> None:
    """Save a model together with its encoders and its game: as a model file (.safetensors), or as SB3's .zip.

    A .zip can be loaded by SB3 to train on, but it holds pickles, so loading it needs trust. policy: save the weights
    of this policy instead of the model's. The file appears only when it is whole. Raises ValueError for another suffix,
    or if a model file cannot hold the network (`network_of`); OSError if the file cannot be written.
    """
    observation, actions = env.observation_encoder, env.action_encoder
    if Path(path).suffix == PICKLED:
        _save_zip(model, env, path, policy)
    elif Path(path).suffix == MODEL_SUFFIX:
        known: Any = policy or model.policy
        agent = SB3Agent(known, observation, actions, trained_on=env.rules)
        agent.about = about_model(model)
        agent.save(path)
    else:
        raise ValueError(f"{path}: a model is saved as {MODEL_SUFFIX}, or as SB3's {PICKLED}")


def _save_zip(model: Any, env: HoldemVecEnv, path: Path | str, policy: Any) -> None:
    observation, actions = env.observation_encoder, env.action_encoder
    metadata = {
        "rules": env.rules.model_dump(mode="json"),
        "observation": observation.name,
        "observation_layout": digest(observation, env.rules),
        "actions": name_of(actions),
        "action_meanings": actions.meanings(env.rules),
    }
    setattr(model, METADATA, metadata)  # SB3 writes a model's attributes to its file
    content = io.BytesIO()
    with weights_of(model.policy, policy):
        model.save(content, exclude=["_last_obs", "_last_episode_starts"])
    write_atomically(path, content.getvalue())


def about_model(model: Any) -> tuple[str, dict[str, int | None]]:
    """The name of a model's algorithm, and the facts of its training that a model file holds."""
    algorithm = next(kind for kind in type(model).__mro__ if kind.__module__.startswith(LIBRARIES))
    return algorithm.__name__, {"decisions": int(model.num_timesteps), "seed": model.seed}


def network_of(policy: Any) -> PolicyNetwork:
    """A copy of the network of a policy of MaskablePPO, PPO or A2C, as plain layers.

    Raises ValueError for a policy whose network is no row of such layers. A features extractor of your own is one if
    its attribute `layers` is a torch.nn.Sequential that does all it does.
    """
    extractor: Any = policy.mlp_extractor
    if type(extractor) is not MlpExtractor:
        raise ValueError(
            f"a model file cannot hold a network with a {type(extractor).__name__}; it knows SB3's MlpPolicy"
        )
    policy_head = [*extractor.policy_net, policy.action_net]
    value_head = [*extractor.value_net, policy.value_net]
    trunk: Sequence[nn.Module] = ()
    if policy.share_features_extractor:
        trunk = _layers(policy.features_extractor)
    else:
        policy_head = [*_layers(policy.pi_features_extractor), *policy_head]
        value_head = [*_layers(policy.vf_features_extractor), *value_head]
    shape, actions = policy.observation_space.shape, int(policy.action_space.n)
    network = PolicyNetwork.of(trunk, policy_head, value_head, shape, actions).eval()
    _check_same(policy, network)
    return network


def _layers(extractor: Any) -> list[nn.Module]:
    if type(extractor) is FlattenExtractor:
        return [nn.Flatten()]
    layers = getattr(extractor, "layers", None)
    if not isinstance(layers, nn.Sequential):
        raise ValueError(
            f"a model file cannot hold the features extractor {type(extractor).__name__}; it knows layers in a row, as "
            "the attribute `layers`, a torch.nn.Sequential"
        )
    return list(layers)


@torch.no_grad()
def _check_same(policy: Any, network: PolicyNetwork) -> None:
    """Raise ValueError if a network does not play as the policy of which it was made: the policy may do more than its
    layers say."""
    random = torch.Generator().manual_seed(0)
    observations = torch.rand(16, *network.shape, generator=random)
    logits = policy.get_distribution(observations.to(policy.device)).distribution.logits.cpu()
    if not torch.allclose(logits, network(observations), atol=TOLERANCE, rtol=TOLERANCE, equal_nan=True):
        raise ValueError(
            f"a model file cannot hold the policy {type(policy).__name__}: it does more than its layers do"
        )


@contextmanager
def weights_of(policy: Any, other: MaskableActorCriticPolicy | None) -> Iterator[None]:
    """Inside this context a policy has the weights of another."""
    before = {name: weights.clone() for name, weights in policy.state_dict().items()}
    policy.load_state_dict((other or policy).state_dict())
    try:
        yield
    finally:
        policy.load_state_dict(before)


def load(
    path: Path | str,
    observation: str | ObservationEncoder | None = None,
    actions: str | ActionEncoder | None = None,
    deterministic: bool = False,
    seed: int = 0,
    rules: RulesLike | None = None,
    trust: bool = False,
) -> NetworkAgent:
    """The agent in a model file (.safetensors), or in a .zip that `save` or SB3's `model.save` of MaskablePPO, PPO or
    A2C wrote.

    trust: load a .zip although it may run code; true only for files of people that you trust. A model file needs none.
    observation, actions: encoders of your own that have no registered name; for a file of `model.save`, the encoders
    that the model was trained with. Without them, those that fit the model's spaces are taken.
    rules: for a file of `model.save`, the game that it was trained for; without them it is not known, and the agent
    tries to play any game.

    Raises ValueError for a .zip without trust, if the file is not such a model, if its encoders have changed since it
    was saved, or if it is not clear which encoders fit.
    """
    path = Path(path)
    if path.suffix == MODEL_SUFFIX:
        return model_files.load(path, observation, actions, deterministic, seed, rules)
    if trust is not True:
        raise ValueError(
            f"{path} is a model of SB3, which holds pickles, and loading a pickle can run any code. If you trust "
            f"its author, convert it once, `holdem convert {path} {path.with_suffix(MODEL_SUFFIX)} --trust`, "
            "or load it with trust=True (on the command line --trust, or a YAML file with `agent` and `trust: true`)"
        )
    metadata = _metadata(path)
    if metadata is None:
        known = None if rules is None else as_rules(rules)
        model = _plain_model(path)
        plain = PlainAgent(model.policy, observation, actions, deterministic, seed, str(path), known)
        plain.about = about_model(model)
        return plain
    if rules is not None:
        raise ValueError(f"{path} says for which game it was trained; give rules= only for a file that does not")
    return _load_saved(path, metadata, observation, actions, deterministic, seed)


def _load_saved(
    path: Path,
    metadata: dict[str, Any],
    observation: str | ObservationEncoder | None,
    actions: str | ActionEncoder | None,
    deterministic: bool,
    seed: int,
) -> SB3Agent:
    rules = Rules(**metadata["rules"])
    observation_encoder = get_observation(observation or metadata["observation"])
    action_encoder = get_actions(actions or metadata["actions"], rules)
    if digest(observation_encoder, rules) != metadata["observation_layout"]:
        raise ValueError(f"{path}: it was trained with another version of the observation {observation_encoder.name!r}")
    before, now = metadata["action_meanings"], action_encoder.meanings(rules)
    if now != before:
        raise ValueError(f"{path}: it was trained with the actions {before}, not {now}")
    model = MaskablePPO.load(path, device="cpu")
    model.policy.set_training_mode(False)
    agent = SB3Agent(model.policy, observation_encoder, action_encoder, deterministic, seed, str(path), rules)
    agent.about = about_model(model)
    return agent


def _metadata(path: Path) -> dict[str, Any] | None:
    """The encoders and rules that `save` wrote to the file; None for a file that SB3's `model.save` wrote."""
    try:
        with zipfile.ZipFile(path) as file:
            content: dict[str, Any] = json.loads(file.read("data"))
            file.getinfo("policy.pth")
    except (zipfile.BadZipFile, KeyError, json.JSONDecodeError) as error:
        raise ValueError(
            f"{path}: must be a model that holdem_agents.agent_files.sb3_agent.save or SB3's model.save has written "
            f"({error!r})"
        ) from None
    return content.get(METADATA)


def _plain_model(path: Path) -> Any:
    """The model in a file that SB3's `model.save` wrote, of MaskablePPO, PPO or A2C. Raises ValueError for others."""
    try:
        content, _, _ = load_from_zip_file(path, device="cpu")
    except Exception as error:  # what unpickling raises depends on what is missing
        raise ValueError(f"{path}: SB3 cannot read this model: {error!r}") from error
    kind = (content or {}).get("policy_class")
    bases = kind.__mro__ if isinstance(kind, type) else ()
    is_recurrent = any("recurrent" in base.__module__ for base in bases)
    if not set(bases) & {ActorCriticPolicy, MaskableActorCriticPolicy} or is_recurrent:
        name = kind.__name__ if isinstance(kind, type) else kind
        raise ValueError(f"{path}: a model with the policy {name}; models of MaskablePPO, PPO and A2C can play")
    algorithm: Any = A2C
    if MaskableActorCriticPolicy in bases:
        algorithm = MaskablePPO
    elif "clip_range" in (content or {}):
        algorithm = PPO
    model = algorithm.load(path, device="cpu")
    model.policy.set_training_mode(False)
    return model
