"""Agents that tell their probabilities, for tests of what asks for them."""

from __future__ import annotations

import numpy as np

from holdem_env.agents import Agent
from holdem_env.encoders import get_actions, get_observation
from holdem_env.engine.batch import NO_MOVE


class OpenBookAgent(Agent):
    """Plays what it tells, drawn from a generator of its own."""

    name = "open_book"

    def __init__(self, seed=0):
        self.generator = np.random.default_rng(seed)

    def act(self, tables, rules, rows):
        moves, probabilities = self.probabilities(tables, rules, rows)
        drawn = (probabilities.cumsum(axis=1) < self.generator.random(len(rows))[:, None]).sum(axis=1)
        drawn = np.minimum(drawn, probabilities.shape[1] - 1)
        return moves[np.arange(len(rows)), drawn]


class Silent(Agent):
    """Checks and calls, and does not tell it."""

    name = "silent"

    def act(self, tables, rules, rows):
        return np.zeros(len(rows), np.int64)


class Fixed(OpenBookAgent):
    """Always the same move."""

    def __init__(self, move, name):
        super().__init__()
        self.only, self.name = move, name

    def probabilities(self, tables, rules, rows):
        return np.full((len(rows), 1), self.only), np.ones((len(rows), 1))


def caller():
    return Fixed(0, "caller")


def folder():
    """Folds even where checking is free (R14)."""
    return Fixed(-1, "folder")


class Uniform(OpenBookAgent):
    """All offered actions alike."""

    name = "uniform"

    def __init__(self, actions=None, seed=0):
        super().__init__(seed)
        self.actions = actions

    def probabilities(self, tables, rules, rows):
        encoder = get_actions(self.actions, rules)
        moves = np.empty((len(rows), encoder.size(rules)), np.int64)
        encoder.choose(tables, rules.record, rows, moves)
        weights = self.weights(tables, rules, rows, moves) * (moves != NO_MOVE)
        return moves, weights / weights.sum(axis=1, keepdims=True)

    def weights(self, tables, rules, rows, moves):
        return np.ones(moves.shape)


class Linear(Uniform):
    """Softmax of a random linear function of what the seat sees: a strategy as good as any other."""

    name = "linear"

    def __init__(self, seed, actions=None, scale=2.0):
        super().__init__(actions, seed)
        self.seed, self.scale = seed, scale

    def weights(self, tables, rules, rows, moves):
        encoder = get_observation("flat")
        seen = np.empty((len(rows), encoder.size(rules)), np.float32)
        encoder.observe(tables, rules.record, rows, tables["actor"][rows].astype(np.int64), seen)
        slopes = np.random.default_rng(self.seed).normal(size=(seen.shape[1], moves.shape[1]))
        # Summed in one order whatever the batch, so that the same is reported of the same.
        return np.exp(self.scale * (seen[:, :, None].astype(float) * slopes).sum(axis=1))
