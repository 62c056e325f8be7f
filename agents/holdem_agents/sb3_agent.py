"""Policies of Stable-Baselines3 as agents: an agent and its file carry the encoders that the policy was trained with.

From Python:

    agent = SB3Agent(model.policy, env.observation_encoder, env.action_encoder)  # a model in memory
    save(model, env, "mine.zip")                                                 # model and encoders in one file
    agent = load("mine.zip", deterministic=True)                                 # or make_agent("mine.zip", ...)
    agent = load("plain.zip", rules="heads-up-limit", observation="flat")        # what model.save("plain.zip") wrote
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
from stable_baselines3 import A2C, PPO
from stable_baselines3.common.policies import ActorCriticPolicy
from stable_baselines3.common.save_util import load_from_zip_file

from holdem_env.agents.protocol import Agent
from holdem_env.compiled.compiler import kernel
from holdem_env.compiled.records import Records
from holdem_env.encoders import ActionEncoder, ObservationEncoder, get_actions, get_observation
from holdem_env.encoders.actions import PotFractions
from holdem_env.engine.batch import NO_MOVE
from holdem_env.engine.random_numbers import decision_number
from holdem_env.engine.record import CHECK_CALL, FOLD
from holdem_env.envs.sb3 import HoldemVecEnv
from holdem_env.game.given_rules import RulesLike, as_rules
from holdem_env.game.rules import Rules
from holdem_env.utils.atomic import write_whole

from .fitting_encoders import fitting_actions, fitting_observation
from .same_game import check_same_game

Policy = ActorCriticPolicy | MaskableActorCriticPolicy
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
    """Plays a policy of MaskablePPO, PPO or A2C with its current weights, so a model in training can play along.

    A policy that was trained without masks may choose an action that is not offered. It is then played as in an
    environment with on_illegal="check_fold": as a check if that is free, otherwise as a fold.

    observation, actions: the encoders that the policy was trained with. deterministic: play the most likely action
    (greedy) instead of sampling one; this is another strategy, and often a weaker one. seed: with the same seed the
    agent plays the same at the same hand of the same table. trained_on: the rules of training, if known; the agent then
    refuses other structures and numbers of seats.
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
        self.policy: Any = policy
        self._is_masked = isinstance(policy, MaskableActorCriticPolicy)
        self.observation_encoder = observation
        self.action_encoder = actions
        self.deterministic = deterministic
        self.name = name
        self.trained_on = trained_on
        self._salt = seed ^ SALT
        self._checked: Rules | None = None

    def act(self, tables: Records, rules: Rules, rows: NDArray[np.int64]) -> NDArray[np.int64]:
        choices, logits = self._choices_and_logits(tables, rules, rows)
        if not self._is_masked:
            choices = np.where(choices == NO_MOVE, check_or_fold(tables, rows)[:, None], choices)
        moves = np.empty(len(rows), np.int64)
        pick(tables, rows, choices, logits, self.deterministic, self._salt, moves)  # type: ignore[no-untyped-call]
        return moves

    def probabilities(
        self, tables: Records, rules: Rules, rows: NDArray[np.int64]
    ) -> tuple[NDArray[np.int64], NDArray[np.float64]]:
        choices, logits = self._choices_and_logits(tables, rules, rows)
        if not self._is_masked:
            return self._unmasked(choices, logits, check_or_fold(tables, rows))
        offered = choices != NO_MOVE
        heights = np.where(offered, logits.astype(np.float64), -np.inf)
        if self.deterministic:
            chosen = choices[np.arange(len(rows)), heights.argmax(axis=1)]
            return chosen[:, None], np.ones((len(rows), 1))
        weights = np.exp(heights - heights.max(axis=1, keepdims=True))
        return choices, weights / weights.sum(axis=1, keepdims=True)

    def _unmasked(
        self, choices: NDArray[np.int64], logits: NDArray[np.float32], instead: NDArray[np.int64]
    ) -> tuple[NDArray[np.int64], NDArray[np.float64]]:
        """The probabilities of a policy without masks. instead: what an action becomes if it is not offered."""
        rows = np.arange(len(choices))
        if self.deterministic:
            best = choices[rows, logits.argmax(axis=1)]
            return np.where(best == NO_MOVE, instead, best)[:, None], np.ones((len(rows), 1))
        weights = np.exp(logits.astype(np.float64) - logits.max(axis=1, keepdims=True))
        weights /= weights.sum(axis=1, keepdims=True)
        offered = choices != NO_MOVE
        spare = np.where(offered, 0.0, weights).sum(axis=1)
        # Each move may stand in a row only once: the spare probability goes to the same move if it is offered.
        same = choices == instead[:, None]
        is_offered = same.any(axis=1)
        chances = np.where(offered, weights, 0.0) + same * spare[:, None]
        moves = np.column_stack([choices, np.where(is_offered, NO_MOVE, instead)])
        return moves, np.column_stack([chances, np.where(is_offered, 0.0, spare)])

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

    def _check(self, rules: Rules) -> None:
        if self.trained_on is None:
            self._find_encoders(rules)
        super()._check(rules)

    def _find_encoders(self, rules: Rules) -> None:
        observation, actions = self._given
        policy, who = self.policy, f"agent {self.name!r}"
        self.observation_encoder = (
            fitting_observation(policy.observation_space, rules, who)
            if observation is None
            else get_observation(observation)
        )
        self.action_encoder = (
            fitting_actions(policy.action_space, rules, who) if actions is None else get_actions(actions, rules)
        )


def check_or_fold(tables: Records, rows: NDArray[np.int64]) -> NDArray[np.int64]:
    """(K,) int64: for the seat to act at tables[rows], a check if that is free, otherwise a fold."""
    is_free = tables["seats"]["bet"][rows, tables["actor"][rows]] >= tables["bet_to_match"][rows]
    return np.where(is_free, CHECK_CALL, FOLD)


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
    rules: RulesLike | None = None,
) -> SB3Agent:
    """The agent in a file that `save` wrote, or that `model.save` of MaskablePPO, PPO or A2C wrote. Loading such a file
    can run code in it: load only files that you trust.

    observation, actions: encoders of your own that have no registered name; for a file of `model.save`, the encoders
    that the model was trained with. Without them, those that fit the model's spaces are taken.
    rules: for a file of `model.save`, the game that it was trained for; without them it is not known, and the agent
    tries to play any game.

    Raises ValueError if the file is not such a model, if its encoders have changed since it was saved, or if it is not
    clear which encoders fit.
    """
    path = Path(path)
    metadata = _metadata(path)
    if metadata is None:
        known = None if rules is None else as_rules(rules)
        return PlainAgent(_plain_policy(path), observation, actions, deterministic, seed, str(path), known)
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
    return SB3Agent(model.policy, observation_encoder, action_encoder, deterministic, seed, str(path), rules)


def _metadata(path: Path) -> dict[str, Any] | None:
    """The encoders and rules that `save` wrote to the file; None for a file that SB3's `model.save` wrote."""
    try:
        with zipfile.ZipFile(path) as file:
            content: dict[str, Any] = json.loads(file.read("data"))
            file.getinfo("policy.pth")
    except (zipfile.BadZipFile, KeyError, json.JSONDecodeError) as error:
        raise ValueError(
            f"{path}: not a model that holdem_agents.sb3_agent.save has written, nor SB3's model.save ({error!r})"
        ) from None
    return content.get(METADATA)


def _plain_policy(path: Path) -> Policy:
    """The policy in a file that SB3's `model.save` wrote, of MaskablePPO, PPO or A2C. Raises ValueError for others."""
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
    policy: Policy = algorithm.load(path, device="cpu").policy
    policy.set_training_mode(False)
    return policy


def digest(encoder: ObservationEncoder, rules: Rules) -> str:
    """A digest of the layout of an encoder's observations, which differs between versions of the encoder."""
    return sha256(repr(encoder.layout(rules)).encode()).hexdigest()[:16]
