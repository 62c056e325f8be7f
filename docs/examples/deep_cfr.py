"""Deep CFR (Brown et al. 2019) as a learner of `holdem train`:

    holdem train leduc --set learner.kind=docs/examples/deep_cfr.py:DeepCFR --set 'opponents={latest_self: 1}' \\
        --set learner.kl_coef=0 --set learner.average=null

A step is an iteration: for each player in turn, traversals of one hand at every table, and a network that learns the
player's regrets from all traversals so far. The network that the run delivers learns the average of all strategies,
which converges to an equilibrium in two-player zero-sum games. All hands are traversed at once, level by level.
Unlike in the paper, the networks of regrets start from their last weights and take few gradient steps an iteration.
"""

from copy import deepcopy

import numpy as np
import torch
from torch import nn

from holdem_agents.learning import RowMemory
from holdem_agents.networks.suit_order import sort_suits
from holdem_agents.ppo import PPO, log_probabilities
from holdem_agents.training.learners.counts import count_moves
from holdem_env.engine import batch, record
from holdem_env.engine.batch import NO_MOVE
from holdem_env.engine.record import NOBODY


def regret_loss(outputs, offered, targets):
    """Squared error of the offered moves' regrets: (B,)."""
    return ((outputs - targets) * offered).square().sum(dim=1)


def strategy_loss(outputs, offered, targets):
    """Cross-entropy in place of the paper's squared error: it has the same minimum."""
    return -(targets * log_probabilities(outputs, offered)).sum(dim=1)


class DeepCFR(PPO):
    """memory: how many decisions each reservoir keeps. gradient_steps: of each network in an iteration."""

    def __init__(self, policy, tables, *, memory=300_000, gradient_steps=60, **settings):
        super().__init__(policy, tables, **settings)
        self.gradient_steps, players = gradient_steps, range(tables.rules.seats)
        self.regrets = nn.ModuleList(deepcopy(policy).requires_grad_(True) for _ in players)
        self.optimizers = [torch.optim.Adam(network.parameters(), self.learning_rate) for network in self.regrets]
        self.memories = [RowMemory(memory, is_reservoir=True, seed=self.seed + player) for player in players]
        self.strategies = RowMemory(memory, is_reservoir=True, seed=self.seed + len(players))

    def step(self, goes_on=None):
        """One iteration. Returns statistics; None if `goes_on` says no before it."""
        if goes_on is not None and not goes_on():
            return None
        self.set_up()
        stats = {}
        for player, (network, optimizer) in enumerate(zip(self.regrets, self.optimizers, strict=True)):
            self._traverse(player)
            stats["train/regret_loss"] = self._learn(network, optimizer, self.memories[player], regret_loss)
        stats["train/strategy_loss"] = self._learn(self.policy, self.optimizer, self.strategies, strategy_loss)
        self.updates += self.n_epochs
        return stats

    def _traverse(self, player):
        """External sampling (algorithm 2): all moves of this player, one of each other, in one hand at every table."""
        tables, log = self.tables, record.new_log(listening=False)
        tables.reset()  # the next hands
        level, iteration = tables.records.copy(), self.updates // self.n_epochs + 1
        mine, levels, found = (level["button"] + player) % tables.rules.seats, [], []
        while True:
            rows = np.flatnonzero(level["actor"] != NOBODY)
            won = (level["seats"]["stack"] - level["start_stack"])[np.arange(len(level)), mine]
            levels.append(self.reward_per_chip * won)
            if not len(rows):
                break
            seen, choices, strategy = self._strategies_at(level, rows)
            is_mine = level["actor"][rows] == mine[rows]
            offered = choices != NO_MOVE
            drawn = torch.multinomial(torch.from_numpy(strategy), 1).numpy() == np.arange(offered.shape[1])
            at, action = np.nonzero(np.where(is_mine[:, None], offered, drawn))
            found.append((rows, is_mine, seen, offered, strategy, at, action))
            parents, moves = rows[at], choices[at, action]
            count_moves(tables.moves_made, level["street"][parents], moves)
            self.decisions += len(moves)
            level, mine = level[parents], mine[parents]
            batch.play_moves(level, tables.rules.record, log, np.arange(len(level)), moves)
        self._remember(player, levels, found, iteration)

    def _remember(self, player, levels, found, iteration):
        """From the last level back: the values of decisions, and what each action gains above them."""
        below = levels[-1]
        for values, (rows, is_mine, seen, offered, strategy, at, action) in zip(
            levels[-2::-1], found[::-1], strict=True
        ):
            worth = np.zeros(offered.shape, np.float32)
            worth[at, action] = below
            here = np.where(is_mine, (strategy * worth).sum(axis=1), worth.sum(axis=1))
            values[rows], below = here, values
            times = np.full(len(rows), iteration, np.float32)
            gains = np.where(offered, worth - here[:, None], 0).astype(np.float32)
            for memory, who, targets in (self.memories[player], is_mine, gains), (self.strategies, ~is_mine, strategy):
                memory.add(seen=seen[who], offered=offered[who], targets=targets[who], times=times[who])

    @torch.inference_mode()
    def _strategies_at(self, level, rows):
        """Observations, moves, and the acting players' strategies: regret matching, or the best action if no regret is
        positive."""
        tables, seats = self.tables, level["actor"][rows].astype(np.int64)
        seen = np.zeros((len(rows), tables.observation_size), np.float32)
        choices = np.empty((len(rows), tables.num_actions), np.int64)
        game = level, tables.rules.record, rows
        tables.observation_encoder.observe(*game, seats, seen)
        tables.action_encoder.choose(*game, choices)
        sort_suits(seen, self.card_places)
        players, regrets = (seats - level["button"][rows]) % tables.rules.seats, np.empty(choices.shape, np.float32)
        for player, network in enumerate(self.regrets):
            if (own := players == player).any():
                there = self.shaped(torch.from_numpy(seen[own]).to(self.device))
                regrets[own] = network.logits_and_values(there)[0].cpu().numpy()
        offered = choices != NO_MOVE
        positive = np.where(offered, np.maximum(regrets, 0), 0)
        best = np.eye(offered.shape[1], dtype=np.float32)[np.where(offered, regrets, -np.inf).argmax(axis=1)]
        total = positive.sum(axis=1, keepdims=True)
        return seen, choices, np.where(total > 0, positive / np.maximum(total, 1e-12), best)

    def _learn(self, network, optimizer, memory, loss_of):
        losses = []
        optimizer.param_groups[0]["lr"] = self.learning_rate
        for _ in range(self.gradient_steps):
            rows = memory.sample(self.batch_size, self.device)
            outputs = network.logits_and_values(self.shaped(rows["seen"]))[0]
            each, times = loss_of(outputs, rows["offered"], rows["targets"]), rows["times"]
            loss = (times * each).sum() / times.sum()  # linear CFR: iteration t weighs t
            optimizer.zero_grad()
            loss.backward()
            nn.utils.clip_grad_norm_(network.parameters(), self.max_grad_norm)
            optimizer.step()
            losses.append(loss.item())
        return float(np.mean(losses))

    def state(self):
        memories = [memory.state() for memory in (*self.memories, self.strategies)]
        optimizers = [optimizer.state_dict() for optimizer in self.optimizers]
        mine = {"regrets": self.regrets.state_dict(), "regret_optimizers": optimizers, "reservoirs": memories}
        return super().state() | mine

    def load_state(self, state):
        super().load_state(state)
        self.regrets.load_state_dict(state["regrets"])
        for each, before in zip(self.optimizers, state["regret_optimizers"], strict=True):
            each.load_state_dict(before)
        for memory, before in zip((*self.memories, self.strategies), state["reservoirs"], strict=True):
            memory.load_state(before)
