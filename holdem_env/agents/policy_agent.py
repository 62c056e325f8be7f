"""PolicyAgent: a policy function, such as one written for PettingZoo, as an agent."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..compiled.records import Records
from ..encoders import ActionEncoder, BoxActionEncoder, ObservationEncoder, get_actions, get_observation
from ..encoders.decoding import decoded_moves, offered_text
from ..engine.batch import NO_MOVE
from ..game.rules import Rules
from .names import agent_names
from .protocol import Agent

Policy = Callable[[dict[str, NDArray[Any]]], Any]


class PolicyAgent(Agent):
    """An agent that plays the action which a policy function returns for the observation of the seat to act.

    Args:
        policy: Called for one table at a time with {"observation": float32, "action_mask": int8 (A,)}, as the AEC
            environment gives it. It returns an integer that the mask allows. With continuous actions there is no mask,
            and it returns an array of numbers.
        observation, actions: The encoders that the policy was written for, by name or as objects.
        name: The agent's name.

    Raises:
        ValueError: If the policy returns an action that is not offered. The message lists the offered ones.

    >>> from holdem_env import Rules, Table
    >>> agent = PolicyAgent(lambda observation: int(observation["action_mask"].nonzero()[0][-1]))
    >>> agent.move(Table(Rules.preset("heads-up-no-limit")))  # the last action of pot_fractions is all-in
    200
    """

    def __init__(
        self,
        policy: Policy,
        observation: str | ObservationEncoder = "flat",
        actions: str | ActionEncoder | None = None,
        name: str = "policy",
    ) -> None:
        self.policy = policy
        self.observation_encoder = get_observation(observation)
        self.actions = actions
        self.name = name

    def act(self, tables: Records, rules: Rules, rows: NDArray[np.int64]) -> NDArray[np.int64]:
        encoder = get_actions(self.actions, rules)
        seen = np.empty((len(rows), self.observation_encoder.size(rules)), np.float32)
        self.observation_encoder.observe(tables, rules.record, rows, tables["actor"][rows].astype(np.int64), seen)
        seen = seen.reshape(len(rows), *self.observation_encoder.shape(rules))
        if isinstance(encoder, BoxActionEncoder):
            numbers = [np.asarray(self.policy({"observation": row}), np.float32) for row in seen]
            actions = np.array(numbers, np.float32).reshape(len(rows), *encoder.shape(rules))
            return decoded_moves(encoder, rules, tables, rows, actions)
        choices = np.empty((len(rows), encoder.size(rules)), np.int64)
        encoder.choose(tables, rules.record, rows, choices)
        moves = [self._move(rules, encoder, row, offered) for row, offered in zip(seen, choices, strict=True)]
        return np.array(moves, np.int64)

    def _move(self, rules: Rules, encoder: ActionEncoder, seen: NDArray[np.float32], choices: NDArray[np.int64]) -> int:
        mask = (choices != NO_MOVE).astype(np.int8)
        action = self.policy({"observation": seen, "action_mask": mask})
        if not 0 <= int(action) < len(mask) or not mask[int(action)]:
            offered = offered_text(encoder, rules, mask)
            raise ValueError(f"agent {self.name!r}: action {action!r} is not offered; offered are {offered}")
        return int(choices[int(action)])

    def config(self) -> dict[str, Any]:
        """Return the config of a registered agent, which is its name.

        Raises:
            ValueError: If the name is not registered, because a function cannot be saved. The message says what to do.
        """
        if self.name in agent_names():
            return {"agent": self.name}
        module = inspect.getmodule(self.policy)
        raise ValueError(
            f"agent {self.name!r} plays a function{f' of {module.__name__}' if module else ''}, which cannot be saved: "
            "register it with register_agent('mine', lambda: PolicyAgent(policy, name='mine')), or use an entry point"
        )
