"""`Learner`, the interface of what learns in a run of one learner, and which one a configuration names."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from inspect import signature
from pathlib import Path
from pkgutil import resolve_name
from typing import Any, Protocol

from stable_baselines3.common.logger import Logger

from holdem_env.utils.suggestions import did_you_mean, keywords_of

from ... import ranks
from ...network_agent import NetworkAgent
from ...own_parts import part, parts_in
from ...ppo import PPO
from ..config import Training
from ..run_settings import LEARNERS
from .ppo import OwnPPO, TrainingTables
from .training_env import TrainingEnv


class Algorithm(Protocol):
    """The algorithm of a learner: the part of SB3's interface that its callbacks use.

    policy: the network that learns. num_timesteps: the decisions so far. _n_updates: how often the network was updated,
    n_epochs times after each rollout.
    rollout_buffer: with returns, log_probs, rewards and episode_starts of the latest rollout. logger: SB3's, for
    statistics. pace: says how many steps the next rollout has. lr_schedule, ent_coef: are set before each update.
    """

    policy: Any
    num_timesteps: int
    _n_updates: int
    n_epochs: int
    rollout_buffer: Any
    pace: Callable[[], int] | None
    lr_schedule: Any
    ent_coef: Any

    @property
    def logger(self) -> Logger: ...

    def set_logger(self, logger: Logger) -> None: ...

    def learn(self, total_timesteps: int, callback: Any = None, reset_num_timesteps: bool = True) -> Any:
        """Learn from this number of decisions, or until a callback's `on_step` is False. Calls the callbacks as SB3
        does: `on_rollout_start`, `on_step` for each step, `on_rollout_end`, then the update."""
        ...


class Learner(Protocol):
    """What learns in a run of one learner: an algorithm, where it plays, and its agents.

    It is made of the run's configuration, `Learner(config, **config.learner.own)`, with weights drawn from
    `config.seed`; the run gives it opponents by `env.set_opponents`. `ppo.OwnPPO`, with every algorithm that is a
    `holdem_agents.ppo.PPO`, and `sb3.SB3PPO` are the two that come along. For another algorithm on the same tables with
    the same network, be a subclass of `OwnPPO` that gives its constructor a class with PPO's arguments.

    env: where it plays, which counts what it wins from each opponent: `ppo.TrainingTables`, where it has many seats,
    or `training_env.TrainingEnv` for one. model: the algorithm.
    """

    @property
    def env(self) -> TrainingTables | TrainingEnv: ...

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
        """Deal the first hands, and make what `learn` needs."""
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


def check_ranks(config: Training) -> None:
    """Raise ValueError for what several processes cannot train together."""
    alone = {
        f"learner.kind: {config.learner.kind}": not issubclass(_named(config.learner.kind), PPO | OwnPPO),
        "learner.memory": config.learner.memory,
        "exploiters": config.exploiters,
        f"tables: fewer than {ranks.size()}": config.tables < ranks.size(),
    }
    if ranks.size() > 1 and (wrong := [what for what, is_given in alone.items() if is_given]):
        raise ValueError(f"{ranks.size()} processes cannot train this together, one can: {'; '.join(wrong)}")


def _named(kind: str) -> Any:
    """The class that `learner.kind` names."""
    made = part(kind) if parts_in(kind) else LEARNERS.get(kind)
    return resolve_name(made) if isinstance(made, str) else made


def learner_of(config: Training) -> Learner:
    """The learner that a configuration names by `learner.kind`, untrained."""
    made = _named(config.learner.kind)
    learner: Learner = OwnPPO(config, made) if issubclass(made, PPO) else made(config, **config.learner.own)
    return learner


def check_own(config: Training) -> None:
    """Raise ValueError for settings in `learner.own` that the learner's class does not take."""
    made = _named(config.learner.kind)
    known = keywords_of(signature(made))
    if known is not None and issubclass(made, PPO):
        known = [name for name in known if name not in signature(PPO).parameters]
    if wrong := [name for name in config.learner.own if known is not None and name not in known]:
        hint = did_you_mean(wrong[0], known or ())
        raise ValueError(f"learner.own: {made.__name__} takes no {wrong[0]!r}{f': {hint}' if hint else ''}")
