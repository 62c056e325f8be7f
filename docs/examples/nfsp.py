"""Neural fictitious self-play (Heinrich and Silver 2016) as a learner of `holdem train`:

    holdem train leduc --set learner.kind=docs/examples/nfsp.py:NFSP --set 'opponents={latest_self: 1}' \\
        --set learner.kl_coef=0 --set learner.average=null --set 'learner.entropy=[0, 0]'

The network that the run delivers plays the average of all best responses so far, which converges to an equilibrium in
two-player zero-sum games. A second network, Q, learns a best response to it.
"""

from copy import deepcopy

import numpy as np
import torch
from torch import nn

from holdem_agents.learning import RowMemory
from holdem_agents.ppo import PPO, RolloutBuffer, log_probabilities
from holdem_env.engine.batch import NO_MOVE

ROWS = "observation", "offered", "action", "reward", "next_observation", "next_offered", "is_last"


class Buffer(RolloutBuffer):
    """Knows of each decision whether it was one of a best response."""

    COLUMNS = (*RolloutBuffer.COLUMNS, "is_best")

    def __init__(self, *sizes, **options):
        super().__init__(*sizes, **options)
        self.is_best = np.zeros(len(self.action), np.bool_)


class NFSP(PPO):
    """eta: how often a seat plays a hand by its best response. epsilon: how often that moves at random. replay,
    reservoir: how many decisions are kept for Q and for the average. target_every: steps between two copies of Q to
    its target. passes: how often a step's decisions are learnt from."""

    def __init__(self, policy, tables, *, eta=0.1, epsilon=0.06, replay=200_000, reservoir=1_000_000,
                 q_learning_rate=1e-3, target_every=20, passes=2, **settings):  # fmt: skip
        super().__init__(policy, tables, **settings)
        self.eta, self.epsilon, self.target_every, self.passes = eta, epsilon, target_every, passes
        self.q, self.target = deepcopy(policy).requires_grad_(True), deepcopy(policy)
        self.q_optimizer = torch.optim.Adam(self.q.parameters(), q_learning_rate)
        self.replay = RowMemory(replay, is_reservoir=False, seed=self.seed)
        self.best_moves = RowMemory(reservoir, is_reservoir=True, seed=self.seed)
        self.plays_best = self._drawn(tables.num_tables)

    def _drawn(self, hands):
        """Which seats play the next hands by their best response."""
        return torch.rand(hands, self.tables.rules.seats).numpy() < self.eta

    def _logits(self, network, observations):
        return network.logits_and_values(self.shaped(observations))[0]

    def new_buffer(self):
        tables = self.tables
        sizes = tables.num_tables, tables.rules.seats, self.n_steps, tables.observation_size, tables.num_actions
        return Buffer(*sizes, device=self.device)

    def evaluate_new(self, where, rows):
        """Logits of the average policy, or of the epsilon-greedy best response where the seat plays that."""
        logits, values = super().evaluate_new(where, rows)
        is_best = self.plays_best[rows, self.tables.seats_to_act]
        self.rollout_buffer.is_best[where] = is_best
        if is_best.any():
            offered = torch.from_numpy(self.rollout_buffer.choices[where] != NO_MOVE).to(self.device)
            seen = torch.from_numpy(self.rollout_buffer.observation[where]).to(self.device)
            worth = self._logits(self.q, seen).masked_fill(~offered, -torch.inf)
            greedy = nn.functional.one_hot(worth.argmax(dim=1), worth.shape[1])
            best = (1 - self.epsilon) * greedy + self.epsilon * offered / offered.sum(dim=1, keepdim=True)
            logits = torch.where(torch.from_numpy(is_best).to(self.device)[:, None], best.clamp_min(1e-9).log(), logits)
        return logits, values

    def play(self, moves):
        super().play(moves)
        self.plays_best[self.tables.ended] = self._drawn(len(self.tables.ended))

    def train(self):
        """Remember the decisions of finished hands; learn Q from recent ones, and the average from best responses."""
        buffer, rows = self.rollout_buffer, self.rollout_buffer.complete
        behind, offered = buffer.following[rows], buffer.choices != NO_MOVE
        found = buffer.observation[rows], offered[rows], buffer.action[rows], buffer.reward[rows]
        found += buffer.observation[behind], offered[behind], behind < 0
        seen = dict(zip(ROWS, found, strict=True))
        self.replay.add(**seen)
        self.best_moves.add(**{name: seen[name][buffer.is_best[rows]] for name in ROWS[:3]})
        for group in self.optimizer.param_groups:
            group["lr"] = self.learning_rate
        stats = {"train/q_loss": [], "train/average_loss": []}
        for _ in range(max(1, self.passes * len(rows) // self.batch_size)):
            stats["train/q_loss"].append(self._learn(self.q_optimizer, self._q_loss, self.replay))
            stats["train/average_loss"].append(self._learn(self.optimizer, self._average_loss, self.best_moves))
        self.updates += self.n_epochs
        if self.updates // self.n_epochs % self.target_every == 0:
            self.target.load_state_dict(self.q.state_dict())
        return {name: float(np.mean(losses)) for name, losses in stats.items()}

    def _learn(self, optimizer, loss_of, memory):
        if not len(memory):
            return 0.0
        loss = loss_of(memory.sample(self.batch_size, self.device))
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        return loss.item()

    def _q_loss(self, batch):
        with torch.no_grad():  # the best move of the same seat's next decision
            worth = self._logits(self.target, batch["next_observation"]).masked_fill(~batch["next_offered"], -torch.inf)
            wanted = batch["reward"] + torch.where(batch["is_last"], 0.0, worth.max(dim=1).values)
        worth = self._logits(self.q, batch["observation"]).gather(1, batch["action"][:, None])[:, 0]
        return nn.functional.mse_loss(worth, wanted)

    def _average_loss(self, batch):
        logits = log_probabilities(self._logits(self.policy, batch["observation"]), batch["offered"])
        return nn.functional.nll_loss(logits, batch["action"])

    def state(self):
        mine = {"q": self.q.state_dict(), "target": self.target.state_dict(), "best": torch.from_numpy(self.plays_best)}
        mine |= {"q_optimizer": self.q_optimizer.state_dict(), "replay": self.replay.state()}
        return super().state() | mine | {"best_moves": self.best_moves.state()}

    def load_state(self, state):
        super().load_state(state)
        for each in ("q", "target", "q_optimizer"):
            getattr(self, each).load_state_dict(state[each])
        self.replay.load_state(state["replay"])
        self.best_moves.load_state(state["best_moves"])
        self.plays_best[:] = state["best"].numpy()
