"""A function from observations to logits as an agent: from any library's network to a match, in one line."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from holdem_env.encoders import ActionEncoder, ObservationEncoder, get_actions, get_observation
from holdem_env.game.rules_input import RulesLike, as_rules

from .network_agent import NetworkAgent


class LogitsAgent(NetworkAgent):
    """An agent that plays the logits of a function, for networks trained with other libraries.

    Args:
        function: Maps observations, float32 (K, D) or the encoder's `(K, *shape)`, to logits or scores, (K, actions).
            The result may be anything that NumPy makes an array of. Actions that are not offered are masked afterwards.
        rules: The game of training: rules, a preset's name, a dict of fields, or a file. The agent refuses other games.
        observation: The observation encoder of training, by name or as an object.
        actions: The action encoder of training, by name or as an object. By default `limit` in fixed limit and
            `pot_fractions` otherwise.
        deterministic: Play the action with the highest logit instead of sampling. Use it for values (DQN).
        seed: With the same seed the agent plays the same at the same hand of the same table.
        name: The agent's name in results.

    Raises:
        ValueError: When the agent acts, if the game is not that of training or the logits have another shape.
    """

    def __init__(
        self,
        function: Callable[[NDArray[np.float32]], Any],
        rules: RulesLike,
        observation: str | ObservationEncoder = "flat",
        actions: str | ActionEncoder | None = None,
        deterministic: bool = False,
        seed: int = 0,
        name: str = "mine",
    ) -> None:
        game = as_rules(rules)
        super().__init__(
            get_observation(observation), get_actions(actions, game), deterministic, seed, name, trained_on=game
        )
        self.function = function
        self._sizes = self.observation_encoder.size(game), self.action_encoder.size(game)

    def logits(self, observation: NDArray[np.float32]) -> NDArray[np.float32]:
        logits = np.asarray(self.function(observation), np.float32)
        expected = (len(observation), self._sizes[1])
        if logits.shape != expected:
            raise ValueError(f"the function gives logits of shape {logits.shape}, not {expected}")
        return logits

    def _expected(self) -> tuple[int, int]:
        return self._sizes
