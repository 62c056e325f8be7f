"""The random agent: any offered action, each as likely as the others."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from holdem_env.encoders import ActionEncoder, get_actions
from holdem_env.engine.batch import NO_MOVE
from holdem_env.engine.compiling import kernel
from holdem_env.engine.dealing import decision_number, random_below
from holdem_env.engine.record import Records
from holdem_env.players import Agent
from holdem_env.rules import Rules

SALT = 0x52414E44


@kernel
def pick_any(tables, rows, choices, salt, moves):
    """One of the offered moves, each as likely as the others."""
    for k in range(rows.size):
        offered = 0
        for action in range(choices.shape[1]):
            offered += choices[k, action] != NO_MOVE
        left = random_below(decision_number(tables[rows[k]], salt), offered)
        for action in range(choices.shape[1]):
            if choices[k, action] != NO_MOVE:
                if left == 0:
                    moves[k] = choices[k, action]
                left -= 1


class Random(Agent):
    """Plays a uniformly random offered action of an action encoder, by default the game's usual one.

    actions: the encoder. seed: with the same seed it plays the same at the same hand of the same table.
    """

    name = "random"

    def __init__(self, actions: str | ActionEncoder | None = None, seed: int = 0) -> None:
        self._actions = actions
        self._salt = seed ^ SALT

    def act(self, tables: Records, rules: Rules, rows: NDArray[np.int64]) -> NDArray[np.int64]:
        encoder = get_actions(self._actions, rules)
        choices = np.empty((len(rows), encoder.size(rules)), np.int64)
        encoder.choose(tables, rules.record, rows, choices)
        moves = np.empty(len(rows), np.int64)
        pick_any(tables, rows, choices, self._salt, moves)
        return moves
