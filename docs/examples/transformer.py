"""A transformer that reads the hand as a sequence of events, about a million parameters.

    holdem train headsup_nolimit_100bb --set learner.policy=docs/examples/transformer.py:Transformer \\
        --set observation=tokens --set learner.suits=plain --set sampling_temperature=1 --set exploiters=null

Layers of attention as in Vaswani et al. 2017, normalized before each part (Xiong et al. 2020).
"""

from __future__ import annotations

from collections.abc import Sequence

import torch
from torch import nn

SIZES = 10, 11, 5, 53
"""The values of columns 0 to 3 of `tokens`: kinds of events, players, streets, cards (0 for none)."""
SUITS = 4


def sorted_suits(cards: torch.Tensor) -> torch.Tensor:
    """(B, rows) cards of `tokens`, with suits renamed in the order in which they appear: hands that differ by the names
    of suits only become the same."""
    suit = torch.where(cards > 0, (cards - 1) % SUITS, -1)
    is_suit = suit[:, None, :] == torch.arange(SUITS, device=cards.device)[:, None]
    rows = cards.shape[1]
    places = torch.arange(rows, device=cards.device)
    first = torch.where(is_suit, places, rows).amin(dim=2)  # (B, suits)
    names = first.argsort(dim=1, stable=True).argsort(dim=1)
    return torch.where(cards > 0, cards - suit + names.gather(1, suit.clamp(min=0)), 0)


class Transformer(nn.Module):
    """shape: of `tokens`, (rows, 8). The event "who is to act", which comes last, becomes logits and value."""

    def __init__(self, shape: Sequence[int], actions: int, width: int = 128, layers: int = 5, heads: int = 4) -> None:
        super().__init__()
        self.tables = nn.ModuleList(nn.Embedding(size, width) for size in SIZES)
        self.places = nn.Embedding(shape[0], width)
        self.numbers = nn.Linear(shape[1] - len(SIZES), width)
        layer = nn.TransformerEncoderLayer(width, heads, 4 * width, dropout=0.0, batch_first=True, norm_first=True)
        self.layers = nn.TransformerEncoder(layer, layers, nn.LayerNorm(width), enable_nested_tensor=False)
        self.policy, self.value = nn.Linear(width, actions), nn.Linear(width, 1)
        nn.init.normal_(self.policy.weight, std=0.001)  # at first all moves are about equally likely
        nn.init.zeros_(self.policy.bias)

    def logits_and_values(self, observations: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
        """(B, rows, 8) float32 to (B, actions) and (B,). Hands of about the same length are read together: the rows
        after the longest are padding, and cost as much as events."""
        counts = (observations[..., 0] > 0).sum(dim=1)
        order = counts.argsort()
        parts = order.split(max(64, len(order) // 8))
        x = torch.cat([self.read(observations[part], counts[part]) for part in parts])[order.argsort()]
        return self.policy(x), self.value(x)[:, 0]

    def read(self, observations: torch.Tensor, counts: torch.Tensor) -> torch.Tensor:
        """Features of the last events, (B, width). counts: the events of each row, (B,)."""
        events = observations[:, : int(counts.max())]
        columns = list(events[..., : len(SIZES)].long().unbind(dim=-1))
        columns[-1] = sorted_suits(columns[-1])
        places = torch.arange(events.shape[1], device=events.device)
        x = self.places(places) + self.numbers(events[..., len(SIZES) :])
        for table, column in zip(self.tables, columns, strict=True):
            x = x + table(column)
        x = self.layers(x, src_key_padding_mask=places >= counts[:, None])
        return x[torch.arange(len(x), device=x.device), counts - 1]
