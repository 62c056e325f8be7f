"""MaskablePPO policies as agents: an agent and its file carry the encoders that the policy was trained with.

From Python:

    agent = SB3Agent(model.policy, env.observation_encoder, env.action_encoder)  # a model in memory
    save(model, env, "mine.zip")                                                 # model and encoders in one file
    agent = load("mine.zip", deterministic=True)                                 # or make_agent("mine.zip", ...)
"""

from __future__ import annotations

import io
import json
import zipfile
from collections.abc import Iterator
from contextlib import contextmanager
from hashlib import sha256
from pathlib import Path
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from sb3_contrib import MaskablePPO
from sb3_contrib.common.maskable.policies import MaskableActorCriticPolicy

from holdem_env.agents.protocol import Agent
from holdem_env.compiled.compiler import kernel
from holdem_env.compiled.records import Records
from holdem_env.encoders import ActionEncoder, ObservationEncoder, get_actions, get_observation
from holdem_env.encoders.actions import PotFractions
from holdem_env.engine.batch import NO_MOVE
from holdem_env.engine.random_numbers import decision_number
from holdem_env.envs.sb3 import HoldemVecEnv
from holdem_env.game.rules import Rules
from holdem_env.utils.atomic import write_whole

from .same_game import check_same_game

SALT = 0x50504F
S11 = np.uint64(11)
TO_UNIT = 2.0**-53
METADATA = "holdem"  # the attribute of a saved model that holds its encoders and rules


@kernel
def pick(tables, rows, choices, logits, greedy, salt, moves):  # type: ignore[no-untyped-def]
    """Choose an offered move for each row: the most likely one (greedy), or one sampled from the softmax."""
    for k in range(rows.size):
        best = -1
        for action in range(choices.shape[1]):
            if choices[k, action] != NO_MOVE and (best < 0 or logits[k, action] > logits[k, best]):
                best = action
        moves[k] = choices[k, best]
        if greedy:
            continue
        total = 0.0
        for action in range(choices.shape[1]):
            if choices[k, action] != NO_MOVE:
                total += np.exp(logits[k, action] - logits[k, best])
        left = (decision_number(tables[rows[k]], salt) >> S11) * TO_UNIT * total
        for action in range(choices.shape[1]):
            if choices[k, action] != NO_MOVE:
                left -= np.exp(logits[k, action] - logits[k, best])
                if left < 0:
                    moves[k] = choices[k, action]
                    break


class SB3Agent(Agent):
    """Plays a MaskablePPO policy with its current weights, so a model in training can play along.

    observation, actions: the encoders that the policy was trained with. deterministic: play the most likely action
    (greedy) instead of sampling one; this is another strategy, and often a weaker one. seed: with the same seed the
    agent plays the same at the same hand of the same table. trained_on: the rules of training, if known; the agent then
    refuses other structures and numbers of seats.
    """

    def __init__(
        self,
        policy: MaskableActorCriticPolicy,
        observation: ObservationEncoder,
        actions: ActionEncoder,
        deterministic: bool = False,
        seed: int = 0,
        name: str = "self",
        trained_on: Rules | None = None,
    ) -> None:
        self.policy = policy
        self.observation_encoder = observation
        self.action_encoder = actions
        self.deterministic = deterministic
        self.name = name
        self.trained_on = trained_on
        self._salt = seed ^ SALT
        self._checked: Rules | None = None

    def act(self, tables: Records, rules: Rules, rows: NDArray[np.int64]) -> NDArray[np.int64]:
        choices, logits = self._choices_and_logits(tables, rules, rows)
        moves = np.empty(len(rows), np.int64)
        pick(tables, rows, choices, logits, self.deterministic, self._salt, moves)  # type: ignore[no-untyped-call]
        return moves

    def probabilities(
        self, tables: Records, rules: Rules, rows: NDArray[np.int64]
    ) -> tuple[NDArray[np.int64], NDArray[np.float64]]:
        choices, logits = self._choices_and_logits(tables, rules, rows)
        offered = choices != NO_MOVE
        heights = np.where(offered, logits.astype(np.float64), -np.inf)
        if self.deterministic:
            chosen = choices[np.arange(len(rows)), heights.argmax(axis=1)]
            return chosen[:, None], np.ones((len(rows), 1))
        weights = np.exp(heights - heights.max(axis=1, keepdims=True))
        return choices, weights / weights.sum(axis=1, keepdims=True)

    def _choices_and_logits(
        self, tables: Records, rules: Rules, rows: NDArray[np.int64]
    ) -> tuple[NDArray[np.int64], NDArray[np.float32]]:
        """(K, actions) each: the move of each action, NO_MOVE if it is not offered, and the policy's logits."""
        if rules is not self._checked:
            self._check(rules)
        observation = np.empty((len(rows), self._numbers), np.float32)
        seats = tables["actor"][rows].astype(np.int64)
        self.observation_encoder.observe(tables, rules.record, rows, seats, observation)
        choices = np.empty((len(rows), self._actions), np.int64)
        self.action_encoder.choose(tables, rules.record, rows, choices)
        return choices, self.logits(observation.reshape(len(rows), *self._shape))

    def config(self) -> dict[str, Any]:
        if not Path(self.name).is_file():
            raise ValueError(
                f"agent {self.name!r} plays a model that has no file: holdem_agents.sb3_agent.save(model, env, "
                "'mine.zip') writes one"
            )
        return {"agent": self.name, "deterministic": self.deterministic, "seed": self._salt ^ SALT}

    def save(self, path: str | Path) -> None:
        """Save an agent that was loaded from a file: as a copy (.zip), or as a config that names the file."""
        if Path(path).suffix == ".zip":
            write_whole(path, Path(self.config()["agent"]).read_bytes())
        else:
            super().save(path)

    def logits(self, observation: NDArray[np.float32]) -> NDArray[np.float32]:
        """The policy's logits, (K, actions), for a batch of observations; masks are not applied."""
        with torch.no_grad():
            batch = torch.from_numpy(observation).to(self.policy.device)
            distribution: Any = self.policy.get_distribution(batch).distribution
            logits: NDArray[np.float32] = distribution.logits.cpu().numpy()
        return logits

    def _check(self, rules: Rules) -> None:
        """Raise ValueError for a game that the policy cannot play."""
        if self.trained_on:
            check_same_game(self.name, self.trained_on, rules)
        sizes = self.observation_encoder.size(rules), self.action_encoder.size(rules)
        spaces: tuple[Any, Any] = self.policy.observation_space, self.policy.action_space
        expected = int(np.prod(spaces[0].shape)), int(spaces[1].n)
        if sizes != expected:
            raise ValueError(
                f"agent {self.name!r} expects {expected[0]} observed numbers and {expected[1]} actions; this game has "
                f"{sizes[0]} and {sizes[1]}"
            )
        (self._numbers, self._actions), self._shape = sizes, self.observation_encoder.shape(rules)
        self._checked = rules


def save(
    model: MaskablePPO, env: HoldemVecEnv, path: Path | str, policy: MaskableActorCriticPolicy | None = None
) -> None:
    """Save a model together with the names of its encoders and the rules, which `load` needs.

    policy: save the weights of this policy instead of the model's. The file appears only when it is whole. Raises
    OSError if it cannot be written.
    """
    observation, actions = env.observation_encoder, env.action_encoder
    metadata = {
        "rules": env.rules.model_dump(mode="json"),
        "observation": observation.name,
        "observation_layout": digest(observation, env.rules),
        "actions": ", ".join(actions.sizes) if isinstance(actions, PotFractions) else actions.name,
        "action_meanings": actions.meanings(env.rules),
    }
    setattr(model, METADATA, metadata)  # SB3 writes a model's attributes to its file
    content = io.BytesIO()
    with weights_of(model.policy, policy):
        model.save(content, exclude=["_last_obs", "_last_episode_starts"])
    write_whole(path, content.getvalue())


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
) -> SB3Agent:
    """The agent in a file that `save` wrote. Loading such a file can run code in it: load only files that you trust.

    observation, actions: encoders of your own that have no registered name. Raises ValueError if the file is not such a
    model, or if its encoders have changed since it was saved.
    """
    path = Path(path)
    metadata = _metadata(path)
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
    return SB3Agent(model.policy, observation_encoder, action_encoder, deterministic, seed, str(path), rules)


def _metadata(path: Path) -> dict[str, Any]:
    """The encoders and rules that `save` wrote to the file."""
    try:
        with zipfile.ZipFile(path) as file:
            metadata: dict[str, Any] = json.loads(file.read("data"))[METADATA]
    except (zipfile.BadZipFile, KeyError, json.JSONDecodeError) as error:
        raise ValueError(f"{path}: not a model that holdem_agents.sb3_agent.save has written ({error!r})") from None
    return metadata


def digest(encoder: ObservationEncoder, rules: Rules) -> str:
    """A digest of the layout of an encoder's observations, which differs between versions of the encoder."""
    return sha256(repr(encoder.layout(rules)).encode()).hexdigest()[:16]
