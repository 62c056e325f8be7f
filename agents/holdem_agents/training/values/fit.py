"""A value network fitted to examples, in PyTorch."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import pairwise
from typing import Any

import numpy as np
import torch
from torch import nn

from holdem_env.solvers.values.network import PLAYERS, STREETS, Seen, ValueNetwork, features, inputs_of

from .examples import CARDS, DEEPEST, Arrays

WIDTH, HIDDEN = 384, 3
BATCH, RATE = 512, 1e-3
LARGEST_GAIN = 4.0
"""In pots: what hands that hardly meet any other win is cut there."""
Said = Callable[[int, float, float], None]
"""Called after each epoch with its number, and how much of the variance of gains is explained: fitted, and held out."""


def fit(
    train: Arrays, test: Arrays, street: str, epochs: int, seed: int, said: Said, facts: dict[str, Any]
) -> ValueNetwork:
    """Fit a network by least squares: the mean is wanted, and examples are noisy, as their next card is drawn."""
    torch.manual_seed(seed)
    buckets = int(CARDS.bucket_counts[STREETS[street] - 2])
    widths = [inputs_of(buckets), *[WIDTH] * HIDDEN, PLAYERS * buckets]
    layers: list[nn.Module] = []
    for before, after in pairwise(widths):
        layers += [nn.Linear(before, after), nn.ReLU()]
    network = nn.Sequential(*layers[:-1])
    optimizer = torch.optim.AdamW(network.parameters(), lr=RATE, weight_decay=1e-4)
    steps = epochs * (len(train["depth"]) // BATCH)
    schedule = torch.optim.lr_scheduler.OneCycleLR(optimizer, RATE, total_steps=max(steps, 1))
    random = np.random.default_rng(seed)
    for epoch in range(epochs):
        fitted, order = [], random.permutation(len(train["depth"]))
        for at in range(0, len(order) - BATCH + 1, BATCH):
            loss, whole = _loss(network, train, np.sort(order[at : at + BATCH]))
            optimizer.zero_grad()
            loss.backward()  # type: ignore[no-untyped-call]
            optimizer.step()
            schedule.step()
            fitted.append((float(loss.detach()), whole))
        said(epoch + 1, _explained(fitted), held_out(network, test))
    linear = [layer for layer in network if isinstance(layer, nn.Linear)]
    weights = tuple((layer.weight.detach().numpy().T.copy(), layer.bias.detach().numpy().copy()) for layer in linear)
    return ValueNetwork(street, CARDS, DEEPEST, weights, facts)


@torch.no_grad()
def held_out(network: nn.Module, test: Arrays) -> float:
    """How much of the variance of other examples' gains is explained."""
    rows = np.arange(len(test["depth"]))
    losses = (_loss(network, test, rows[k : k + BATCH]) for k in range(0, len(rows), BATCH))
    return _explained([(float(loss), whole) for loss, whole in losses])


def _explained(losses: Sequence[tuple[float, float]]) -> float:
    return 1 - sum(loss for loss, _ in losses) / max(sum(whole for _, whole in losses), 1e-12)


def _loss(network: nn.Module, some: Arrays, rows: Any) -> tuple[torch.Tensor, float]:
    """The squared error of rows, and what it would be if nothing were gained beyond equities."""
    each = {name: array[rows].astype(np.float32) for name, array in some.items()}
    seen = Seen(each["weight"], each["equity"], each["hands"], each["depth"])
    weight = torch.from_numpy(seen.weight)
    values = network(torch.from_numpy(features(seen))).view(weight.shape)
    values = values - (values * weight).sum(dim=(1, 2), keepdim=True) / PLAYERS
    gain = torch.from_numpy(each["gain"].clip(-LARGEST_GAIN, LARGEST_GAIN))
    trust = torch.from_numpy(each["trust"] / (1 + each["depth"])[:, None, None])
    return (trust * (values - gain) ** 2).sum() / len(rows), float((trust * gain**2).sum()) / len(rows)
