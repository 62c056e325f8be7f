"""PPO (Schulman et al. 2017): rollouts on self-play tables, and updates. `docs/examples/ppo_single_file.py` is the same
algorithm for one seat in one file."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

import numpy as np
import torch
from numpy.typing import NDArray
from torch import nn

from holdem_env.engine.batch import NO_MOVE
from holdem_env.envs.self_play import SelfPlayTables

from ..networks.suit_order import sort_suits
from ..networks.tensors import as_arrays, as_tensors, device_of, sent
from ..world import ALONE, World
from .buffer import RolloutBuffer, joined, sample, share_of
from .loss import Losses, log_probabilities, ppo_losses
from .network import ActorCritic

ADAM_EPSILON = 1e-5
MAX_IDLE_STEPS = 10_000
"""Steps without a decision of the learner after which the game is called unplayable."""
BATCH_MULTIPLE = 64
"""The sizes of the batches in which the learner decides are multiples of this."""


class Minibatch(NamedTuple):
    """B decisions to learn from.

    Attributes:
        rows: (B,) rows of the rollout buffer.
        offered: (B, A) bool, the actions that were offered.
        actions: (B,) int64.
        log_probs: (B,) log-probabilities of the actions when they were sampled.
        advantages, returns: (B,) float32, in the reward's scale.
    """

    rows: NDArray[np.int64]
    offered: torch.Tensor
    actions: torch.Tensor
    log_probs: torch.Tensor
    advantages: torch.Tensor
    returns: torch.Tensor


class PPO:
    """Proximal policy optimization over every seat that the learner plays.

    If several processes train together (`world`), each has some of the tables; `batch_size` and decisions count all.
    Parameters not listed here are those of SB3's PPO. A subclass overrides `losses` for another loss; for another
    algorithm `train`, `play`, `evaluate_new` and `new_buffer`, with `state` and `load_state` for what it adds.

    Args:
        policy: The network: an `ActorCritic`, or any `nn.Module` that is a `LearningNetwork`. It learns on its present
            device.
        tables: The tables to play at.
        n_steps: Decisions of a rollout for each table.
        kl_coef: Weight of the Kullback-Leibler penalty toward `reference_policy`, once that is set (the magnet of
            Sokota et al. 2023; Perolat et al. 2021). Toward the policy that played the rollout, it is the proximal term
            of their magnetic mirror descent. The magnet of that descent is the entropy's, the uniform policy.
        reward_scale: Reward of winning one unit of the game, usually a big blind.
        world: The processes that train together.

    Attributes:
        forward: A faster function with the results of `policy.logits_and_values`, such as its `torch.compile`; or None.
        pace: Returns the number of steps of the next rollout; None for n_steps.
        decisions: The learner's decisions so far.
        updates: Updates of the network so far, n_epochs in each step.
        learning_rate, ent_coef: Learning rate and entropy coefficient; hooks may set them before each step.
    """

    def __init__(
        self,
        policy: nn.Module,
        tables: SelfPlayTables,
        *,
        n_steps: int = 32,
        n_epochs: int = 1,
        batch_size: int = 2048,
        gamma: float = 1.0,
        gae_lambda: float = 0.95,
        clip_range: float = 0.2,
        ent_coef: float = 0.02,
        vf_coef: float = 0.5,
        kl_coef: float = 0.0,
        max_grad_norm: float = 0.5,
        learning_rate: float = 1e-3,
        reward_scale: float = 0.05,
        seed: int = 0,
        world: World = ALONE,
    ) -> None:
        self.policy: Any = policy
        self.forward: Callable[[torch.Tensor], tuple[torch.Tensor, torch.Tensor]] | None = None
        self.device = device_of(policy)
        self.tables, self.seed, self.world = tables, seed, world
        counts = world.gathered(tables.num_tables)
        self._first_table, self._all_tables = sum(counts[: world.rank]), sum(counts)
        self._moments: tuple[float, float] | None = None  # of a minibatch's advantages in all ranks
        self.n_steps, self.n_epochs, self.batch_size = n_steps, n_epochs, batch_size
        self.pace: Callable[[], int] | None = None
        self._steps = n_steps  # of the latest rollout
        self.gamma, self.gae_lambda, self.clip_range = gamma, gae_lambda, clip_range
        self.ent_coef, self.vf_coef, self.max_grad_norm = ent_coef, vf_coef, max_grad_norm
        self.kl_coef = kl_coef
        self.reference_policy: nn.Module | None = None
        self.learning_rate = learning_rate
        self.reward_per_chip = reward_scale / tables.rules.unit
        self.decisions = self.updates = 0
        policy.requires_grad_(True)
        self._parameters = list(policy.parameters())
        self.optimizer = torch.optim.Adam(self._parameters, learning_rate, eps=ADAM_EPSILON, fused=True)
        self.card_places = np.array(policy.cards if isinstance(policy, ActorCritic) else (), np.int64)
        self.rollout_buffer = self.new_buffer()
        self.observation_space = tables.observation_encoder.space(tables.rules)
        self._shape = tables.observation_encoder.shape(tables.rules)
        self._begun = False

    def new_buffer(self) -> RolloutBuffer:
        """Make the memory of a rollout, on the device of the policy."""
        tables = self.tables
        sizes = tables.num_tables, tables.rules.seats, self.n_steps, tables.observation_size, tables.num_actions
        return RolloutBuffer(*sizes, self.device)

    def set_up(self) -> None:
        """Deal the first hands, unless hands are in play."""
        if not self._begun:
            self._begun = True
            self.tables.reset(self.seed)

    def learn(self, decisions: int) -> PPO:
        """Learn from at least this many more decisions."""
        end = self.decisions + decisions
        while self.decisions < end:
            self.step()
        return self

    def step(self, goes_on: Callable[[], bool] | None = None) -> dict[str, float] | None:
        """Play a rollout and learn from it. Returns statistics; None if `goes_on`, asked before each move of the
        tables, has ended it: then its decisions wait for the next step."""
        self.set_up()
        return self.train() if self.collect_rollouts(goes_on) else None

    def collect_rollouts(self, goes_on: Callable[[], bool] | None = None) -> bool:
        """Play until there are n_steps new decisions for each table, or as many as `pace` says. Returns False if
        `goes_on` says to end.

        The decisions of hands that are over can be learnt from then; the others wait.
        """
        buffer, tables = self.rollout_buffer, self.tables
        buffer.discard()
        self._steps = self.pace() if self.pace else self.n_steps
        before, idle = self.decisions, 0
        goal = before + self._steps * tables.num_tables
        while self.decisions < goal:
            if goes_on is not None and not goes_on():
                return False
            moves = self._decide()
            idle = 0 if len(moves) else idle + 1
            if idle > MAX_IDLE_STEPS:
                raise RuntimeError(
                    f"the learner had no decision in {MAX_IDLE_STEPS:,} steps: under these rules it is always all-in "
                    "before it can act, or all others have folded"
                )
            self.play(moves)
            self.decisions += len(moves)
        self.decisions = before + int(self.world.summed([self.decisions - before])[0])
        buffer.finish(self.gamma, self.gae_lambda)
        return True

    def play(self, moves: NDArray[np.int64]) -> None:
        """Play the learner's moves and one decision at each other table, and reward the hands that end."""
        self.tables.step(moves)
        self.rollout_buffer.credit(self.tables.ended, self.tables.paid, self.reward_per_chip)

    @torch.inference_mode()
    def _decide(self) -> NDArray[np.int64]:
        """Choose a move at each table where the learner is to act, and note the decisions."""
        tables, buffer = self.tables, self.rollout_buffer
        rows = tables.turn.copy()
        where = buffer.room_for(len(rows))
        if not len(rows):
            return rows
        seen, choices = buffer.observation[where], buffer.choices[where]
        tables.observe(seen, choices)
        tables.threads.share(lambda first, last: sort_suits(seen[first:last], self.card_places), len(rows))
        logits, values = self.evaluate_new(where, rows)
        answer = torch.cat([logits, values[:, None]], dim=1).cpu().numpy()  # in one transfer
        buffer.value[where] = answer[:, -1]
        uniform, moves = torch.rand(len(rows), dtype=torch.float64).numpy(), np.empty(len(rows), np.int64)
        sample(answer[:, :-1].copy(), choices, uniform, buffer.action[where], buffer.log_prob[where], moves)
        buffer.add(rows, tables.seats_to_act)
        return moves

    def evaluate_new(self, where: slice, rows: NDArray[np.int64]) -> tuple[torch.Tensor, torch.Tensor]:
        """Logits and values of the decisions to make at tables `rows`, whose observations the buffer has there."""
        count = where.stop - where.start
        # oneDNN prepares its code again for every batch size that it has not seen lately: few sizes are faster.
        padded = slice(where.start, where.start + -(-count // BATCH_MULTIPLE) * BATCH_MULTIPLE)
        seen = self.rollout_buffer.observation
        seen[where.stop : padded.stop] = seen[where.start]  # networks see what tables show, and nothing else
        forward = self.forward or self.policy.logits_and_values
        logits, values = forward(self.shaped(sent(seen[padded], self.device)))
        return logits[:count], values[:count]

    def evaluate(self, policy: Any, rows: NDArray[np.int64]) -> tuple[torch.Tensor, torch.Tensor]:
        """Logits and values, by this policy, of the buffer's decisions `rows`."""
        forward = (self.forward if policy is self.policy else None) or policy.logits_and_values
        logits, values = forward(self.shaped(self.rollout_buffer.observations_of(rows)))
        return logits, values

    def shaped(self, observations: torch.Tensor) -> torch.Tensor:
        """Return (B, D) observations in the encoder's shape, as networks take them."""
        return observations.view(len(observations), *self._shape)

    def train(self) -> dict[str, float]:
        """Learn from the decisions of the hands that are over: n_epochs passes in batches of about `batch_size`.
        Returns statistics."""
        buffer = self.rollout_buffer
        for group in self.optimizer.param_groups:
            group["lr"] = self.learning_rate
        sums, total, returns = torch.zeros(len(Losses._fields), device=self.device), 0, buffer.returns
        for _ in range(self.n_epochs):
            for indices in self._minibatches(max(1, self._steps * self._all_tables // self.batch_size)):
                count = self._count_in_all(indices)
                if count:  # else no hand is over yet
                    total += len(indices)
                    sums += len(indices) * self._update(indices, returns, len(indices) / count)
        self.updates += self.n_epochs
        *added, everything = self.world.summed([*sums.tolist(), total])
        means = dict(zip(Losses._fields, (each / max(everything, 1) for each in added), strict=True))
        return self._statistics(means, total, returns)

    def _minibatches(self, count: int) -> list[NDArray[np.int64]]:
        """`count` random parts of the decisions to learn from: indices into the buffer's `complete`."""
        order = torch.randperm(len(self.rollout_buffer.complete))
        return [part.numpy() for part in torch.tensor_split(order, count)]

    def _count_in_all(self, indices: NDArray[np.int64]) -> int:
        """How many decisions a minibatch has in all ranks; finds the mean and deviation of their advantages."""
        if self.world.size == 1:
            return len(indices)
        mine = self.rollout_buffer.advantage[self.rollout_buffer.complete[indices]].astype(np.float64)
        count, total, squares = self.world.summed([len(mine), mine.sum(), np.square(mine).sum()])
        variance = max(squares - total**2 / max(count, 1), 0.0) / max(count - 1, 1)
        self._moments = (float(total / count), float(np.sqrt(variance))) if count > 1 else None
        return int(count)

    def _update(self, indices: NDArray[np.int64], returns: NDArray[np.float32], weight: float) -> torch.Tensor:
        """One step of the optimizer. indices: the minibatch, into the decisions to learn from, of this rank.
        weight: its part of the minibatch. Returns the losses, 0 for missing ones.

        Raises ValueError, and leaves the weights as they were, if the gradient is not finite.
        """
        found = torch.zeros(len(Losses._fields), device=self.device)
        self.optimizer.zero_grad()
        if len(indices):
            losses = self.losses(self._minibatch(self.rollout_buffer.complete[indices], returns[indices]))
            loss = losses.policy + self.vf_coef * losses.value - float(self.ent_coef) * losses.entropy  # equation 9
            if losses.reference_kl is not None:
                loss = loss + self.kl_coef * losses.reference_kl
            elif self.kl_coef and self.reference_policy is not None:
                raise ValueError(f"kl_coef: must be 0, as the losses of {type(self).__name__} have no reference_kl")
            (weight * loss).backward()  # type: ignore[no-untyped-call]
            found = torch.stack([found.new_zeros(()) if each is None else each.detach() for each in losses])
        self.world.add_gradients(self._parameters)
        norm = nn.utils.clip_grad_norm_(self._parameters, self.max_grad_norm)
        if not torch.isfinite(norm):
            raise ValueError(
                f"the gradient is {float(norm)} after {self.decisions:,} decisions: an observation or a weight is "
                "no finite number; a smaller learning_rate or reward_scale may help"
            )
        self.optimizer.step()
        return found

    def _minibatch(self, rows: NDArray[np.int64], returns: NDArray[np.float32]) -> Minibatch:
        buffer = self.rollout_buffer
        columns = buffer.choices[rows] != NO_MOVE, buffer.action[rows], buffer.log_prob[rows], buffer.advantage[rows]
        return Minibatch(rows, *(sent(column, self.device) for column in (*columns, returns)))

    def losses(self, batch: Minibatch) -> Losses:
        """The parts of the loss of a minibatch. A subclass with other ones is another learner (docs/own_learner.md)."""
        logits, values = self.evaluate(self.policy, batch.rows)
        return ppo_losses(
            log_probabilities(logits, batch.offered),
            values,
            batch.actions,
            batch.log_probs,
            self.normalized(batch.advantages),
            batch.returns,
            self.clip_range,
            self.reference_log_probs(batch),
        )

    def normalized(self, advantages: torch.Tensor) -> torch.Tensor:
        """Advantages with the mean 0 and the deviation 1, over the minibatch in all ranks."""
        if len(advantages) < 2 and not self._moments:
            return advantages
        mean, deviation = self._moments or (advantages.mean(), advantages.std())
        return (advantages - mean) / (deviation + 1e-8)

    @torch.no_grad()
    def reference_log_probs(self, batch: Minibatch) -> torch.Tensor | None:
        """(B, actions) log-probabilities of the reference policy; None without a penalty."""
        if self.reference_policy is None or not self.kl_coef:
            return None
        return log_probabilities(self.evaluate(self.reference_policy, batch.rows)[0], batch.offered)

    def _statistics(self, means: Mapping[str, float], total: int, returns: NDArray[np.float32]) -> dict[str, float]:
        buffer = self.rollout_buffer
        stats = {
            "train/entropy_loss": -means["entropy"],
            "train/policy_gradient_loss": means["policy"],
            "train/value_loss": means["value"],
            "train/approx_kl": means["approx_kl"],
            "train/clip_fraction": means["clip_fraction"],
            "train/n_updates": self.updates,
            "train/clip_range": self.clip_range,
            "train/learning_rate": self.learning_rate,
        }
        if total:  # no hand may be over yet
            unexplained = np.var(buffer.advantage[buffer.complete])
            stats["train/explained_variance"] = float(1 - unexplained / max(float(np.var(returns)), 1e-12))
            # The loss divides advantages by their deviation, so in chips the entropy bonus weighs as much as this.
            stats["train/temperature"] = float(self.ent_coef) * float(np.sqrt(unexplained)) / self.reward_per_chip
        if self.reference_policy is not None and self.kl_coef:
            stats["train/reference_kl"] = means["reference_kl"]
        return stats

    def state(self) -> dict[str, Any]:
        """Everything needed to continue between two rollouts, but for the global random generators; of all ranks."""
        mine = self.tables.state_dict(), self.rollout_buffer.state()
        tables, waiting = zip(*self.world.gathered(mine), strict=True)
        all_tables = {name: np.concatenate([each[name] for each in tables]) for name in tables[0]}
        return {
            "policy": self.policy.state_dict(),
            "optimizer": self.optimizer.state_dict(),
            "decisions": self.decisions,
            "updates": self.updates,
            "tables": as_tensors(all_tables),
            "waiting": as_tensors(joined(waiting)),
        }

    def load_state(self, state: Mapping[str, Any]) -> None:
        """Restore a state that `state` returned, with the same settings and any number of ranks."""
        tables, waiting = as_arrays(state["tables"]), as_arrays(state["waiting"])
        if self.world.size > 1:
            mine = slice(self._first_table, self._first_table + self.tables.num_tables)
            tables, waiting = {name: column[mine] for name, column in tables.items()}, share_of(waiting, mine)
        self.policy.load_state_dict(state["policy"])
        self.optimizer.load_state_dict(state["optimizer"])
        self.decisions, self.updates = state["decisions"], state["updates"]
        self.tables.load_state_dict(tables)
        self.rollout_buffer.load_state(waiting)
        self._begun = True
