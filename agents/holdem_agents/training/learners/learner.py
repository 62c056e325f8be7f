"""`Learner`, the interface of what learns in a run of one learner, and which one a configuration names."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from inspect import signature
from pathlib import Path
from pkgutil import resolve_name
from typing import Any, Protocol

from holdem_env.utils.suggestions import did_you_mean, keywords_of

from ...agent_files.network_agent import NetworkAgent
from ...custom_code import part, parts_in
from ...ppo import PPO, MemoryPPO
from ...world import ALONE, World
from ..config import LEARNERS, Training
from .ppo import OwnPPO


class Algorithm(Protocol):
    """The algorithm of a learner, as the loop of training and its hooks see it.

    Attributes:
        policy: The network that learns.
        decisions: How many it has made so far.
        updates: How often the network was updated, n_epochs times in each step.
        batch_size: Decisions of a minibatch.
        rollout_buffer: `observations`, `returns` and `log_probs` of the latest step's decisions.
        pace: Says how many decisions of each table the next step has; None for the algorithm's own number.
        learning_rate, ent_coef: Set before each step; an algorithm without them leaves them as they are.
    """

    policy: Any
    decisions: int
    updates: int
    n_epochs: int
    batch_size: int
    rollout_buffer: Any
    pace: Callable[[], int] | None
    learning_rate: float
    ent_coef: float

    def set_up(self) -> None:
        """Deal the first hands, unless hands are in play."""
        ...

    def step(self, goes_on: Callable[[], bool] | None = None) -> dict[str, float] | None:
        """Play a rollout and learn from it.

        Args:
            goes_on: Asked before each move of the tables; False ends the step.

        Returns:
            Statistics by name; None if the step was ended.
        """
        ...


class Learner(Protocol):
    """A learner of a run: an algorithm, its tables, and its agents.

    A class or a function makes it from the run's configuration, `Learner(config, **config.learner.own)`, with weights
    drawn from `config.seed`. The run gives it opponents by `env.set_opponents`. Two learners are included:
    `ppo.OwnPPO`, for every algorithm that is a `holdem_agents.ppo.PPO`, and `sb3.SB3PPO`. To train another algorithm on
    the same tables and network, subclass `OwnPPO` with a class that takes PPO's arguments.

    Attributes:
        env: The tables, which count what the learner wins from each opponent (`counts.Counts`).
        model: The algorithm.
        capabilities: The settings it honours: "memory" (`learner.memory`), "sittings" (`sitting`), "sessions" (`levels:
            sessions`), "ranks" (several processes, which it gets as `world=`, a `holdem_agents.world.World`),
            "compile" (`learner.compile`, `autocast`), "kl" (`kl_coef` with a network of your own). A learner without
            the attribute has none.
    """

    @property
    def env(self) -> Any: ...

    @property
    def model(self) -> Algorithm: ...

    def agent(self, policy: Any, name: str) -> NetworkAgent:
        """An agent that plays this policy, the algorithm's own or a copy, with its weights at any time
        (`model_files.agent_of`)."""
        ...

    def regularize_toward(self, reference: Any) -> None:
        """Add a KL penalty toward this policy to the loss, for `learner.kl_coef`."""
        ...

    def set_up(self) -> None:
        """Deal the first hands, and make what a step needs."""
        ...

    def state(self) -> dict[str, Any]:
        """The state between two rollouts: tensors, numbers and text, with "decisions" and "updates"."""
        ...

    def load_state(self, state: Mapping[str, Any]) -> None:
        """Go on from a state under the same configuration, as if nothing had happened."""
        ...

    def save(self, path: Path, policy: Any) -> None:
        """Write the model file of an agent that plays this policy (`model_files.write`)."""
        ...


def capabilities_of(kind: str) -> frozenset[str]:
    """Return what the learner that `learner.kind` names is capable of."""
    made = _named(kind)
    usual = frozenset[str]()
    if _is_ppo(made):
        usual = OwnPPO.capabilities if issubclass(made, MemoryPPO) else OwnPPO.capabilities - {"memory"}
    found: frozenset[str] = getattr(made, "capabilities", usual)
    return found


def check_capabilities(config: Training, world: World = ALONE) -> None:
    """Raise ValueError for settings that a learner is not capable of."""
    settings = config.learner
    wanted = {
        "memory": ("learner.memory", settings.memory),
        "sittings": ("sitting", config.sitting > 1),
        "sessions": ("levels: sessions", config.levels == "sessions"),
        "compile": ("learner.compile, learner.autocast", settings.compile or settings.autocast),
        "kl": ("learner.kl_coef", settings.kl_coef and settings.policy),
        "ranks": (f"training in {world.size} processes", world.size > 1),
    }
    there = capabilities_of(settings.kind)
    for name, (field, is_wanted) in wanted.items():
        if is_wanted and name not in there:
            raise ValueError(f"{field}: the learner {settings.kind!r} must be capable of {name}, got {sorted(there)}")
    alone = {
        "learner.memory": settings.memory,
        "exploiters": config.exploiters,
        f"tables: fewer than {world.size}": config.tables < world.size,
    }
    if world.size > 1 and (wrong := [what for what, is_given in alone.items() if is_given]):
        raise ValueError(f"{world.size} processes cannot train this together, one can: {'; '.join(wrong)}")


def _is_ppo(made: Any) -> bool:
    return isinstance(made, type) and issubclass(made, PPO)


def _named(kind: str) -> Any:
    made = part(kind) if parts_in(kind) else LEARNERS.get(kind)
    return resolve_name(made) if isinstance(made, str) else made


def learner_of(config: Training, world: World = ALONE) -> Learner:
    """The learner that a configuration names by `learner.kind`, untrained. Of several processes it gets the `world`."""
    made, learner = _named(config.learner.kind), config.learner
    shared = {"world": world} if world.size > 1 else {}
    found: Learner = OwnPPO(config, made, **shared) if _is_ppo(made) else made(config, **shared, **learner.own)
    if not (hasattr(found, "env") and hasattr(found, "model")):
        raise ValueError(f"learner.kind: {learner.kind} must make a learner with env and model, got {found!r}")
    return found


def check_own(config: Training) -> None:
    """Raise ValueError for settings in `learner.own` that the learner's class does not take."""
    made = _named(config.learner.kind)
    known = keywords_of(signature(made))
    if known is not None and _is_ppo(made):
        known = [name for name in known if name not in signature(PPO).parameters]
    if wrong := [name for name in config.learner.own if known is not None and name not in known]:
        hint = did_you_mean(wrong[0], known or ())
        raise ValueError(f"learner.own: {made.__name__} takes no {wrong[0]!r}{f': {hint}' if hint else ''}")
