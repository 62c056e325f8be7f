"""PPO in one file, in the manner of CleanRL: copy it, and change what you like. It needs holdem_env and PyTorch.

    python docs/examples/ppo_single_file.py --seconds 15      # trains, writes ppo.pt, plays two matches
    holdem match docs/examples/ppo_single_file.py random      # this file is an agent, too: it reads ppo.pt

The learner has one seat at each of many tables. An episode is one hand; its reward, in big blinds, follows the
learner's last decision in it. The mask says which actions are legal.
"""

from __future__ import annotations

import argparse
import time
from pathlib import Path

import gymnasium
import numpy as np
import torch
from torch import nn

import holdem_env  # registers the environments with Gymnasium
from holdem_env.arena import play_match
from holdem_env.encoders import get_actions, get_observation
from holdem_env.strategies import KnownStrategy

GAME, OBSERVATION, ACTIONS = "heads-up-no-limit", "flat", "min, 50%, 100%, all-in"
NOT_OFFERED = -1e9
NO_MOVE = -2


class Network(nn.Module):
    """A shared trunk with two heads: logits of the actions, and the value."""

    def __init__(self, inputs: int, actions: int, hidden: int = 128) -> None:
        super().__init__()
        self.trunk = nn.Sequential(nn.Linear(inputs, hidden), nn.ReLU(), nn.Linear(hidden, hidden), nn.ReLU())
        self.actor, self.critic = nn.Linear(hidden, actions), nn.Linear(hidden, 1)

    def forward(self, observation: torch.Tensor, mask: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
        """(B, D) observations and (B, A) masks to log-probabilities (B, A) and values (B,)."""
        features = self.trunk(observation)
        logits = self.actor(features).masked_fill(mask == 0, NOT_OFFERED)
        return torch.log_softmax(logits, dim=1), self.critic(features).squeeze(1)


class SingleFileAgent(KnownStrategy):
    """The network as an agent: for matches, tournaments, and as an opponent. It states its probabilities."""

    name = "ppo_single_file"

    def __init__(self, network: Network, seed: int = 0) -> None:
        super().__init__(seed)
        self.network, self.observation = network, get_observation(OBSERVATION)

    @torch.no_grad()
    def probabilities(self, tables, rules, rows):
        """The moves that are offered at tables[rows], (K, A), and how likely each is, (K, A)."""
        seen = np.empty((len(rows), self.observation.size(rules)), np.float32)
        self.observation.observe(tables, rules.record, rows, tables["actor"][rows].astype(np.int64), seen)
        actions = get_actions(ACTIONS, rules)
        moves = np.empty((len(rows), actions.size(rules)), np.int64)
        actions.choose(tables, rules.record, rows, moves)
        log_probs, _ = self.network(torch.from_numpy(seen), torch.from_numpy((moves != NO_MOVE).astype(np.int8)))
        chances = log_probs.double().exp().numpy() * (moves != NO_MOVE)
        return moves, chances / chances.sum(axis=1, keepdims=True)


def make_agent(weights: str = "ppo.pt") -> SingleFileAgent:
    """What `holdem match docs/examples/ppo_single_file.py ...` calls."""
    state = torch.load(weights, weights_only=True)
    network = Network(state["trunk.0.weight"].shape[1], len(state["actor.bias"]))
    network.load_state_dict(state)
    return SingleFileAgent(network)


def train(args: argparse.Namespace) -> Network:
    """PPO until the time is up, or so many decisions are made."""
    torch.manual_seed(args.seed)
    opponents = [(name, 1.0) for name in args.opponents]
    envs = gymnasium.make_vec(
        "holdem_env/HoldemSeat-v0",
        num_envs=args.tables,
        rules=GAME,
        opponents=opponents,
        observation=OBSERVATION,
        actions=ACTIONS,
    )
    steps, tables = args.steps, args.tables
    observation, infos = envs.reset(seed=args.seed)
    inputs, actions = observation.shape[1], infos["action_mask"].shape[1]
    network = Network(inputs, actions)
    optimizer = torch.optim.Adam(network.parameters(), lr=args.learning_rate, eps=1e-5)

    # Storage of one rollout: (steps, tables, ...).
    seen, masks = torch.zeros(steps, tables, inputs), torch.zeros(steps, tables, actions, dtype=torch.int8)
    chosen = torch.zeros(steps, tables, dtype=torch.int64)
    old_log_probs, rewards, dones, values = (torch.zeros(steps, tables) for _ in range(4))

    begun, decisions = time.perf_counter(), 0
    while time.perf_counter() - begun < args.seconds and decisions < args.decisions:
        for step in range(steps):
            seen[step], masks[step] = torch.from_numpy(observation), torch.from_numpy(infos["action_mask"])
            with torch.no_grad():
                log_probs, values[step] = network(seen[step], masks[step])
            chosen[step] = torch.multinomial(log_probs.exp(), 1).squeeze(1)
            old_log_probs[step] = log_probs.gather(1, chosen[step][:, None]).squeeze(1)
            observation, reward, terminated, _, infos = envs.step(chosen[step].numpy())
            rewards[step], dones[step] = torch.from_numpy(reward) / args.reward_unit, torch.from_numpy(terminated)
        decisions += steps * tables

        # Generalized advantage estimation. After the end of a hand comes the next hand, whose value does not count.
        with torch.no_grad():
            _, next_value = network(torch.from_numpy(observation), torch.from_numpy(infos["action_mask"]))
        advantages, last = torch.zeros(steps, tables), torch.zeros(tables)
        for step in reversed(range(steps)):
            goes_on = 1.0 - dones[step]
            error = rewards[step] + next_value * goes_on - values[step]  # no discount: only the result counts
            advantages[step] = last = error + args.gae_lambda * goes_on * last
            next_value = values[step]
        returns = advantages + values

        flat = [array.flatten(0, 1) for array in (seen, masks, chosen, old_log_probs, advantages, returns)]
        for _ in range(args.epochs):
            for rows in torch.randperm(steps * tables).split(args.batch):
                b_seen, b_masks, b_chosen, b_old, b_advantages, b_returns = (array[rows] for array in flat)
                log_probs, value = network(b_seen, b_masks)
                ratio = (log_probs.gather(1, b_chosen[:, None]).squeeze(1) - b_old).exp()
                b_advantages = (b_advantages - b_advantages.mean()) / (b_advantages.std() + 1e-8)
                clipped = ratio.clamp(1 - args.clip, 1 + args.clip)
                policy_loss = -torch.minimum(ratio * b_advantages, clipped * b_advantages).mean()
                entropy = -(log_probs.exp() * log_probs).sum(dim=1).mean()
                loss = policy_loss + 0.5 * (value - b_returns).square().mean() - args.entropy * entropy
                optimizer.zero_grad()
                loss.backward()
                nn.utils.clip_grad_norm_(network.parameters(), 0.5)
                optimizer.step()
        won = 100 * args.reward_unit * rewards.sum() / dones.sum()
        print(f"{decisions:10,} decisions  {won:+7.0f} bb/100 in training  entropy {entropy.item():.2f}", flush=True)
    envs.close()
    return network


def arguments(given: list[str] | None = None) -> argparse.Namespace:
    """The command line."""
    parser = argparse.ArgumentParser(description="PPO in one file against scripted agents, heads-up no-limit.")
    parser.add_argument("--seconds", type=float, default=15)
    parser.add_argument("--decisions", type=float, default=float("inf"))
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--opponents", nargs="+", default=["calling_station", "always_fold", "maniac", "random"])
    parser.add_argument("--tables", type=int, default=512)
    parser.add_argument("--steps", type=int, default=32, help="decisions at each table between two updates")
    parser.add_argument("--batch", type=int, default=2048)
    parser.add_argument("--epochs", type=int, default=3)
    parser.add_argument("--learning-rate", type=float, default=1e-3)
    parser.add_argument("--gae-lambda", type=float, default=0.95)
    parser.add_argument("--clip", type=float, default=0.2)
    parser.add_argument("--entropy", type=float, default=0.02)
    parser.add_argument("--reward-unit", type=float, default=20, help="big blinds that are a reward of 1")
    parser.add_argument("--save", default="ppo.pt")
    return parser.parse_args(given)


if __name__ == "__main__":
    args = arguments()
    torch.set_num_threads(1)
    trained = train(args)
    torch.save(trained.state_dict(), args.save)
    for opponent in ("calling_station", "always_fold"):
        print(play_match(make_agent(args.save), opponent, holdem_env.Rules.preset(GAME), hands=20_000))
    print(f"Written to {args.save}. Try: holdem match {Path(__file__)} random")
