"""PPO in one file, in the manner of CleanRL: copy it, and change what you like. It needs holdem_env and PyTorch.

    python docs/examples/ppo_single_file.py --seconds 15      # trains, writes ppo.pt, plays two matches
    python docs/examples/ppo_single_file.py --help            # all settings: the fields of `Args`
    holdem match docs/examples/ppo_single_file.py random      # this file is an agent, too: it reads ppo.pt

The learner has one seat at each of many tables. An episode is one hand; its reward, in big blinds, follows the
learner's last decision in it. The mask says which actions are legal. With `--tensorboard runs/mine` the curves that
CleanRL draws go there, under the same names.
"""

from __future__ import annotations

import argparse
import time
from dataclasses import dataclass, field, fields
from pathlib import Path

import gymnasium
import numpy as np
import torch
from torch import nn

import holdem_env  # registers the environments with Gymnasium
from holdem_env.agents import KnownStrategy
from holdem_env.arena import play_match
from holdem_env.encoders import get_actions, get_observation

GAME, OBSERVATION, ACTIONS = "heads-up-no-limit", "flat", "min, 50%, 100%, all-in"
NOT_OFFERED = -1e9
NO_MOVE = -2


@dataclass
class Args:
    """The settings. Each field is an option of the command line, with its `help`."""

    seconds: float = field(default=15, metadata={"help": "training time"})
    decisions: float = field(default=float("inf"), metadata={"help": "or the number of decisions to train on"})
    seed: int = field(default=0, metadata={"help": "of the decks, the network and what is sampled"})
    opponents: tuple[str, ...] = field(
        default=("calling_station", "always_fold", "maniac", "random"),
        metadata={"help": "agents in the other seat, drawn for each hand"},
    )
    tables: int = field(default=512, metadata={"help": "played at once"})
    steps: int = field(default=32, metadata={"help": "decisions at each table between two updates"})
    batch: int = field(default=2048, metadata={"help": "decisions of a gradient step"})
    epochs: int = field(default=3, metadata={"help": "how often an update goes over its decisions"})
    hidden: int = field(default=128, metadata={"help": "width of the two layers"})
    learning_rate: float = field(default=1e-3, metadata={"help": "Adam's"})
    anneal: bool = field(default=False, metadata={"help": "let the learning rate fall to 0; needs --decisions"})
    gae_lambda: float = field(default=0.95, metadata={"help": "of the advantages; nothing is discounted"})
    clip: float = field(default=0.2, metadata={"help": "how far from 1 PPO's ratio counts"})
    entropy: float = field(default=0.02, metadata={"help": "weight of the policy's entropy"})
    value: float = field(default=0.5, metadata={"help": "weight of the value's loss"})
    max_grad_norm: float = field(default=0.5, metadata={"help": "longer gradients are shortened"})
    target_kl: float = field(default=float("inf"), metadata={"help": "the KL divergence that ends an update"})
    reward_unit: float = field(default=20, metadata={"help": "big blinds that are a reward of 1"})
    tensorboard: str = field(default="", metadata={"help": "a folder for TensorBoard's curves; needs tensorboard"})
    save: str = field(default="ppo.pt", metadata={"help": "where the weights go"})


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
        probabilities = log_probs.double().exp().numpy() * (moves != NO_MOVE)
        return moves, probabilities / probabilities.sum(axis=1, keepdims=True)


def make_agent(weights: str = "ppo.pt") -> SingleFileAgent:
    """What `holdem match docs/examples/ppo_single_file.py ...` calls."""
    state = torch.load(weights, weights_only=True)
    actions, hidden = state["actor.weight"].shape
    network = Network(state["trunk.0.weight"].shape[1], actions, hidden)
    network.load_state_dict(state)
    return SingleFileAgent(network)


def ppo_loss(
    log_probs: torch.Tensor,
    values: torch.Tensor,
    chosen: torch.Tensor,
    old_log_probs: torch.Tensor,
    advantages: torch.Tensor,
    returns: torch.Tensor,
    args: Args,
) -> tuple[torch.Tensor, dict[str, torch.Tensor]]:
    """The loss of a minibatch (Schulman et al. 2017), and its parts under CleanRL's names.

    log_probs: (B, A), with the log-probabilities of actions that are not offered far below 0. The others: (B,).
    """
    log_ratio = log_probs.gather(1, chosen[:, None]).squeeze(1) - old_log_probs
    ratio = log_ratio.exp()
    clipped = ratio.clamp(1 - args.clip, 1 + args.clip)
    policy_loss = -torch.minimum(ratio * advantages, clipped * advantages).mean()  # equation 7
    value_loss = (values - returns).square().mean()
    entropy = -(log_probs.exp() * log_probs).sum(dim=1).mean()
    loss = policy_loss + args.value * value_loss - args.entropy * entropy  # equation 9, with the other sign
    return loss, {
        "policy_loss": policy_loss,
        "value_loss": value_loss,
        "entropy": entropy,
        "approx_kl": (ratio - 1 - log_ratio).mean(),  # Schulman 2020, "Approximating KL divergence": never negative
        "clipfrac": ((ratio - 1).abs() > args.clip).float().mean(),
    }


def open_curves(args: Args):
    """A function that notes numbers at a step; it writes them for TensorBoard if `args` want that."""
    if not args.tensorboard:
        return lambda numbers, step: None
    from torch.utils.tensorboard import SummaryWriter

    writer = SummaryWriter(args.tensorboard)
    writer.add_text("settings", "  \n".join(f"{name}: {value}" for name, value in vars(args).items()))

    def note(numbers: dict[str, float], step: int) -> None:
        for name, number in numbers.items():
            writer.add_scalar(name, number, step)
        writer.flush()

    return note


def train(args: Args) -> Network:
    """PPO until the time or the decisions are used up."""
    torch.manual_seed(args.seed)  # of the network and of what is sampled; `envs.reset` below seeds the decks
    note = open_curves(args)
    envs = gymnasium.make_vec(
        "holdem_env/HoldemSeat-v0",
        num_envs=args.tables,
        rules=GAME,
        opponents=[(name, 1.0) for name in args.opponents],
        observation=OBSERVATION,
        actions=ACTIONS,
    )
    steps, tables = args.steps, args.tables
    observation, infos = envs.reset(seed=args.seed)
    inputs, actions = observation.shape[1], infos["action_mask"].shape[1]
    network = Network(inputs, actions, args.hidden)
    optimizer = torch.optim.Adam(network.parameters(), lr=args.learning_rate, eps=1e-5)

    # Storage of one rollout: (steps, tables, ...).
    seen, masks = torch.zeros(steps, tables, inputs), torch.zeros(steps, tables, actions, dtype=torch.int8)
    chosen = torch.zeros(steps, tables, dtype=torch.int64)
    old_log_probs, rewards, dones, values = (torch.zeros(steps, tables) for _ in range(4))

    begun, decisions = time.perf_counter(), 0
    while time.perf_counter() - begun < args.seconds and decisions < args.decisions:
        if args.anneal:
            optimizer.param_groups[0]["lr"] = args.learning_rate * (1 - decisions / args.decisions)

        # Rollout.
        for step in range(steps):
            seen[step], masks[step] = torch.from_numpy(observation), torch.from_numpy(infos["action_mask"])
            with torch.no_grad():
                log_probs, values[step] = network(seen[step], masks[step])
            chosen[step] = torch.multinomial(log_probs.exp(), 1).squeeze(1)
            old_log_probs[step] = log_probs.gather(1, chosen[step][:, None]).squeeze(1)
            observation, reward, terminated, _, infos = envs.step(chosen[step].numpy())
            rewards[step], dones[step] = torch.from_numpy(reward) / args.reward_unit, torch.from_numpy(terminated)
        decisions += steps * tables

        # Generalized advantage estimation (Schulman et al. 2017, equations 11 and 12). After the end of a hand comes
        # the next hand, whose value does not count.
        with torch.no_grad():
            _, next_value = network(torch.from_numpy(observation), torch.from_numpy(infos["action_mask"]))
        advantages, last = torch.zeros(steps, tables), torch.zeros(tables)
        for step in reversed(range(steps)):
            goes_on = 1.0 - dones[step]
            error = rewards[step] + next_value * goes_on - values[step]  # no discount: only the result counts
            advantages[step] = last = error + args.gae_lambda * goes_on * last
            next_value = values[step]
        returns = advantages + values

        # Update. The masks of the rollout count here, too: they are part of the policy whose ratio this is.
        flat = [array.flatten(0, 1) for array in (seen, masks, chosen, old_log_probs, advantages, returns)]
        moved = 0.0
        for _ in range(args.epochs):
            if moved > args.target_kl:
                break
            for rows in torch.randperm(steps * tables).split(args.batch):
                b_seen, b_masks, b_chosen, b_old, b_advantages, b_returns = (array[rows] for array in flat)
                log_probs, value = network(b_seen, b_masks)
                b_advantages = (b_advantages - b_advantages.mean()) / (b_advantages.std() + 1e-8)
                loss, losses = ppo_loss(log_probs, value, b_chosen, b_old, b_advantages, b_returns, args)
                optimizer.zero_grad()
                loss.backward()
                nn.utils.clip_grad_norm_(network.parameters(), args.max_grad_norm)
                optimizer.step()
            moved = losses["approx_kl"].item()  # of the last minibatch, as everything in `losses`

        won = float(100 * args.reward_unit * rewards.sum() / dones.sum())
        curves = {
            "charts/bb_per_100": won,
            "charts/decisions_per_second": decisions / (time.perf_counter() - begun),
            "charts/learning_rate": optimizer.param_groups[0]["lr"],
            **{f"losses/{name}": part.item() for name, part in losses.items()},
            "losses/explained_variance": float(1 - (returns - values).var() / (returns.var() + 1e-8)),
        }
        note(curves, decisions)
        print(
            f"{decisions:10,} decisions  {won:+7.0f} bb/100 in training  entropy {losses['entropy'].item():.2f}",
            flush=True,
        )
    envs.close()
    return network


def arguments(given: list[str] | None = None) -> Args:
    """The command line: one option for each field of Args."""
    parser = argparse.ArgumentParser(description="PPO in one file against scripted agents, heads-up no-limit.")
    for each in fields(Args):
        option, settings = f"--{each.name.replace('_', '-')}", {"default": each.default, "help": each.metadata["help"]}
        if isinstance(each.default, bool):
            parser.add_argument(option, action=argparse.BooleanOptionalAction, **settings)
        elif isinstance(each.default, tuple):
            parser.add_argument(option, nargs="+", **settings)
        else:
            kind = float if each.type == "float" else type(each.default)
            parser.add_argument(option, type=kind, **settings)
    args = Args(**vars(parser.parse_args(given)))
    if args.anneal and args.decisions == float("inf"):
        parser.error("--anneal needs --decisions, to know when the learning rate is to be 0")
    return args


if __name__ == "__main__":
    args = arguments()
    torch.set_num_threads(1)
    trained = train(args)
    torch.save(trained.state_dict(), args.save)
    for opponent in ("calling_station", "always_fold"):
        print(play_match(make_agent(args.save), opponent, holdem_env.Rules.preset(GAME), hands=20_000))
    print(f"Written to {args.save}. Try: holdem match {Path(__file__)} random")
