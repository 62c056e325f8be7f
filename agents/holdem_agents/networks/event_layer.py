"""The layer that reads the observation `tokens`: events in rows become one list of features."""

from __future__ import annotations

import torch
from torch import nn

from holdem_env.engine.record import DECK, MAX_SEATS, MAX_STREETS

COUNTS = (10, 1 + MAX_SEATS, 1 + MAX_STREETS, 1 + DECK)
"""How many values each of the first four columns can have: kinds of events, players, streets, cards."""
NUMBERS = 4
"""The columns after those, between 0 and 1."""
COLUMNS = len(COUNTS) + NUMBERS
ENTRIES = sum(COUNTS)
SPREAD = 0.3


class Events(nn.Module):
    """(B, rows, 8) float32 observations to (B, outputs) features, each event by itself and then their sum.

    An event is the ReLU of what its kind, player, street, card and place in the hand stand for in a table, all learnt,
    plus a linear layer of its other numbers. Rows without an event count for nothing.
    """

    def __init__(self, rows: int, outputs: int, device: str | None = None) -> None:
        super().__init__()
        self.rows, self.outputs = rows, outputs
        self.table = nn.Embedding(ENTRIES + rows, outputs, device=device)
        self.numbers = nn.Linear(NUMBERS, outputs, device=device)

    def reset(self) -> None:
        """Random weights from PyTorch's random numbers."""
        nn.init.normal_(self.table.weight, std=SPREAD)
        nn.init.orthogonal_(self.numbers.weight)
        nn.init.zeros_(self.numbers.bias)

    def forward(self, observations: torch.Tensor) -> torch.Tensor:
        is_event = observations[..., :1] > 0
        used = int(is_event.sum(dim=1).max()) if len(observations) else 0
        seen, is_event = observations[:, :used], is_event[:, :used]
        first, places = 0, []
        for column, count in enumerate(COUNTS):
            places.append(seen[..., column].long() + first)
            first += count
        places.append((torch.arange(used) + first).expand(len(seen), used))
        known = self.table(torch.stack(places, dim=-1)).sum(dim=2) + self.numbers(seen[..., len(COUNTS) :])
        features: torch.Tensor = (known.relu() * is_event).sum(dim=1)
        return features
