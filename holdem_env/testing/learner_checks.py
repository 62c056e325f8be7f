"""`check_learner`: whether a learner keeps what `holdem train` counts on (docs/own_learner.md)."""

from __future__ import annotations

import math
import random
from collections.abc import Callable
from io import BytesIO
from pathlib import Path
from tempfile import TemporaryDirectory
from time import monotonic
from typing import Any

import numpy as np

from ..agents.protocol import Agent
from ..agents.registry import make_agent
from ..game.rules import Rules
from ..table.table import Table
from .sampled_tables import ConformanceError

HAS = {
    "learner": ("env", "model", "agent", "regularize_toward", "set_up", "state", "load_state", "save"),
    "model": ("policy", "decisions", "updates", "n_epochs", "batch_size", "rollout_buffer", "pace", "set_up", "step"),
    "env": ("set_opponents", "tables", "won", "hands", "moves_made", "won_in_all", "reset_counts"),
}
LEAST_STEPS, HANDS = 2, 20


def check_learner(make: Callable[[], Any], seconds: float = 1.0) -> None:
    """Check that a learner trains, counts honestly, stops when asked, goes on from its state to the bit, and delivers
    an agent that plays.

    Args:
        make: Makes the learner, untrained, of a small game; called twice, with the same weights each time.
        seconds: How long it trains.

    Raises:
        ConformanceError: If it does not; the message says what is wrong.
    """
    import torch

    learner = _made(make)
    model, weights = learner.model, learner.model.policy.state_dict
    before = {name: value.clone() for name, value in weights().items()}
    end, steps = monotonic() + seconds, 0
    while steps < LEAST_STEPS or monotonic() < end:
        _step(learner)
        steps += 1
    _require(
        any(not torch.equal(before[name], value) for name, value in weights().items()),
        f"`model.policy` must change while it trains, got the same weights after {steps} steps",
    )
    decisions = model.decisions
    _require(model.step(lambda: False) is None, "`step` must return None if `goes_on` is False from the beginning")
    _require(model.decisions == decisions, "`decisions` must stay as it is in a step that does not begin")
    other = _made(make)
    torch.save(learner.state(), file := BytesIO())
    other.load_state(torch.load(BytesIO(file.getvalue()), weights_only=True))
    for each in (learner, other):
        random.seed(1)
        np.random.seed(1)  # noqa: NPY002 - PyTorch's kin: learners may draw from any of them
        torch.manual_seed(1)
        _step(each)
    _require(
        all(torch.equal(value, other.model.policy.state_dict()[name]) for name, value in weights().items()),
        "`load_state` must go on to the bit from `state`, got other weights after one more step",
    )
    _check_agent(learner)


def _made(make: Callable[[], Any]) -> Any:
    learner = make()
    for what, names in HAS.items():
        of = learner if what == "learner" else getattr(learner, what)
        if missing := [name for name in names if not hasattr(of, name)]:
            raise ConformanceError(f"`{what}` must have {', '.join(names)}; it lacks {', '.join(missing)}")
    learner.env.set_opponents([learner.agent(learner.model.policy, "self")])
    learner.set_up()
    return learner


def _step(learner: Any) -> None:
    """One step, whose counts are honest."""
    model, env = learner.model, learner.env
    env.reset_counts()
    decisions, updates = model.decisions, model.updates
    stats = model.step()
    _require(isinstance(stats, dict), f"`step` must return a dict of statistics, got {stats!r}")
    wrong = {name: value for name, value in (stats or {}).items() if not math.isfinite(value)}
    _require(not wrong, f"statistics must be finite numbers, got {wrong}")
    made, counted = int(env.moves_made.sum()), model.decisions - decisions
    _require(0 < counted == made, f"`decisions` must count the learner's moves, got {counted} more after {made} moves")
    more = model.updates - updates
    _require(more == model.n_epochs, f"`updates` must grow by n_epochs in a step, {model.n_epochs}, got {more}")


def _check_agent(learner: Any) -> None:
    """The agents that it gives and saves play the same."""
    agent = learner.agent(learner.model.policy, "mine")
    rules: Rules = learner.env.tables.rules
    with TemporaryDirectory() as folder:
        learner.save(path := Path(folder) / "mine.safetensors", learner.model.policy)
        saved = make_agent(path)
    for hand in range(HANDS):
        table = Table(rules, seed=1, hand=hand)
        while table.actor is not None:
            own, its = (_probabilities(each, table) for each in (agent, saved))
            _require(own == its, f"a saved agent must play as its learner, got {its} and {own}")
            table.play(agent.move(table))


def _probabilities(agent: Agent, table: Table) -> dict[int, float]:
    moves, probabilities = agent.probabilities(table.records, table.rules, np.zeros(1, np.int64))
    pairs = zip(moves[0].tolist(), probabilities[0].round(4).tolist(), strict=True)
    return {move: share for move, share in pairs if share}


def _require(is_so: bool, sentence: str) -> None:
    if not is_so:
        raise ConformanceError(sentence)
