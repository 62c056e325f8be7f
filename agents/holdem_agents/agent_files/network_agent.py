"""Networks as agents: observe, ask the network for logits, and choose one of the offered moves."""

from __future__ import annotations

import copy
from abc import abstractmethod
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from holdem_env.agents.config_files import save_config
from holdem_env.agents.facts import AgentFacts
from holdem_env.agents.protocol import Agent
from holdem_env.compiled.compiler import kernel
from holdem_env.compiled.records import Records
from holdem_env.encoders import ActionEncoder, ObservationEncoder
from holdem_env.engine.batch import NO_MOVE
from holdem_env.engine.random_numbers import decision_fraction
from holdem_env.engine.record import CHECK_CALL, FOLD
from holdem_env.game.rules import Rules
from holdem_env.utils.atomic import write_atomically

from .game_check import check_same_game

SALT = 0x50504F


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
        left = decision_fraction(tables[rows[k]], salt) * total
        for action in range(choices.shape[1]):
            if choices[k, action] != NO_MOVE:
                left -= np.exp(logits[k, action] - logits[k, best])
                if left < 0:
                    moves[k] = choices[k, action]
                    break


class NetworkAgent(Agent):
    """Plays a network: the base of agents whose network is in memory (SB3Agent) or comes from a model file.

    A policy that was trained without masks may choose an action that is not offered. It is then played as in an
    environment with on_illegal="check_fold": as a check if that is free, otherwise as a fold.

    observation, actions: the encoders that the policy was trained with. deterministic: play the most likely action
    (greedy) instead of sampling one; this is another strategy, and often a weaker one. seed: with the same seed the
    agent plays the same at the same hand of the same table. trained_on: the rules of training, if known; the agent then
    refuses other structures and numbers of seats. is_masked: whether the policy was trained with masks.
    """

    policy: Any

    def __init__(
        self,
        observation: ObservationEncoder,
        actions: ActionEncoder,
        deterministic: bool = False,
        seed: int = 0,
        name: str = "self",
        trained_on: Rules | None = None,
        is_masked: bool = True,
    ) -> None:
        self.is_masked = is_masked
        self.observation_encoder = observation
        self.action_encoder = actions
        self.deterministic = deterministic
        self.name = name
        self.trained_on, self.facts = trained_on, AgentFacts(trained_on=trained_on)
        self._salt = seed ^ SALT
        self._checked: Rules | None = None

    @abstractmethod
    def logits(self, observation: NDArray[np.float32]) -> NDArray[np.float32]:
        """The policy's logits, (K, actions), for a batch of observations; masks are not applied."""

    @abstractmethod
    def _expected(self) -> tuple[int, int]:
        """The network's numbers of inputs and of actions."""

    def act(self, tables: Records, rules: Rules, rows: NDArray[np.int64]) -> NDArray[np.int64]:
        choices, logits = self._choices_and_logits(tables, rules, rows)
        if not self.is_masked:
            choices = np.where(choices == NO_MOVE, check_or_fold(tables, rows)[:, None], choices)
        moves = np.empty(len(rows), np.int64)
        pick(tables, rows, choices, logits, self.deterministic, self._salt, moves)  # type: ignore[no-untyped-call]
        return moves

    def probabilities(
        self, tables: Records, rules: Rules, rows: NDArray[np.int64]
    ) -> tuple[NDArray[np.int64], NDArray[np.float64]]:
        choices, logits = self._choices_and_logits(tables, rules, rows)
        if not self.is_masked:
            return self._unmasked(choices, logits, check_or_fold(tables, rows))
        offered = choices != NO_MOVE
        masked = np.where(offered, logits.astype(np.float64), -np.inf)
        if self.deterministic:
            chosen = choices[np.arange(len(rows)), masked.argmax(axis=1)]
            return chosen[:, None], np.ones((len(rows), 1))
        weights = np.exp(masked - masked.max(axis=1, keepdims=True))
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
        probabilities = np.where(offered, weights, 0.0) + same * spare[:, None]
        moves = np.column_stack([choices, np.where(is_offered, NO_MOVE, instead)])
        return moves, np.column_stack([probabilities, np.where(is_offered, 0.0, spare)])

    def _choices_and_logits(
        self, tables: Records, rules: Rules, rows: NDArray[np.int64]
    ) -> tuple[NDArray[np.int64], NDArray[np.float32]]:
        """(K, actions) each: the move of each action, NO_MOVE if it is not offered, and the policy's logits."""
        observation = self._observed(tables, rules, rows, tables["actor"][rows].astype(np.int64))
        return self._choices(tables, rules, rows), self.logits(observation)

    def _observed(
        self, tables: Records, rules: Rules, rows: NDArray[np.int64], seats: NDArray[np.int64]
    ) -> NDArray[np.float32]:
        """(K, *shape): what these seats see of the tables, (K,) each."""
        if rules is not self._checked:
            self.check_rules(rules)
        observation = np.empty((len(rows), self._numbers), np.float32)
        self.observation_encoder.observe(tables, rules.record, rows, seats, observation)
        return observation.reshape(len(rows), *self._shape)

    def _choices(self, tables: Records, rules: Rules, rows: NDArray[np.int64]) -> NDArray[np.int64]:
        """(K, actions): the move of each action."""
        choices = np.empty((len(rows), self._actions), np.int64)
        self.action_encoder.choose(tables, rules.record, rows, choices)
        return choices

    def clone(self) -> NetworkAgent:
        """An agent that plays the same network: it remembers nothing, so both may share it."""
        return copy.copy(self)

    def playing(self, policy: Any, name: str, deterministic: bool = False) -> NetworkAgent:
        """An agent with the same encoders that plays another policy of the same kind."""
        agent = self.clone()
        agent.policy, agent.name, agent.deterministic = policy, name, deterministic
        return agent

    def config(self) -> dict[str, Any]:
        if not self.facts.files and not Path(self.name).is_file():
            raise ValueError(
                f"agent {self.name!r} plays a model that has no file: "
                "holdem_agents.agent_files.sb3_agent.save(model, env, 'mine.safetensors') writes one"
            )
        return {"agent": self.name, "deterministic": self.deterministic, "seed": self._salt ^ SALT}

    def save(self, path: str | Path) -> None:
        """Save an agent that was loaded from a file: as a copy with the same suffix, or as a config that names it."""
        if Path(path).suffix == Path(self.name).suffix:
            write_atomically(path, Path(self.config()["agent"]).read_bytes())
        else:
            save_config(self, path)

    def check_rules(self, rules: Rules) -> None:
        """See `Agent.check_rules`: the game of the training, with as many observed numbers and actions."""
        if self.trained_on:
            check_same_game(self.name, self.trained_on, rules)
        sizes = self.observation_encoder.size(rules), self.action_encoder.size(rules)
        expected = self._expected()
        if sizes != expected:
            raise ValueError(
                f"agent {self.name!r} expects {expected[0]} observed numbers and {expected[1]} actions; this game has "
                f"{sizes[0]} and {sizes[1]}"
            )
        (self._numbers, self._actions), self._shape = sizes, self.observation_encoder.shape(rules)
        self._checked = rules


def check_or_fold(tables: Records, rows: NDArray[np.int64]) -> NDArray[np.int64]:
    """(K,) int64: for the seat to act at tables[rows], a check if that is free, otherwise a fold."""
    is_free = tables["seats"]["bet"][rows, tables["actor"][rows]] >= tables["bet_to_match"][rows]
    return np.where(is_free, CHECK_CALL, FOLD)
