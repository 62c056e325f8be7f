"""What a player sees of a game of OpenSpiel's: information states, with the whole betting, and observations."""

from __future__ import annotations

from typing import Any

import numpy as np
import pyspiel
from numpy.typing import NDArray

from ...cards.text import Cards
from .positions import ONE_ROW, Made, Position
from .settings import Settings

ONE_HOT_ACTIONS = 16
"""With more actions, a move is written as one number."""
MAX_NUMBERS = 100_000
"""Games whose information state would be longer have none as a tensor."""
MAX_KEPT_NUMBERS = 500
"""Longer tensors are not kept with positions that are themselves kept (20,000 of a game)."""
Shape = tuple[int, ...]


def move_shape(settings: Settings) -> Shape:
    """The shape of the betting: a row for each move, with who made it and which action it was."""
    actions = len(settings.meanings)
    return settings.longest, settings.rules.seats + (actions if actions <= ONE_HOT_ACTIONS else 1)


def has_tensor(settings: Settings) -> bool:
    """Whether information states are short enough for a tensor."""
    rows, width = move_shape(settings)
    return rows * width <= MAX_NUMBERS


class HoldemObserver:
    """Observations in OpenSpiel's form: `tensor` is all numbers in a row (float32), `dict` its parts by name.

    - "player": the seat that sees it, one-hot
    - "observation": what our encoder shows of the table; zeros before the deal
    - "hand", "board" (a row for each street): one-hot over the deck, only with perfect recall
    - "moves": a row for each move with its player and its action, one-hot, only with perfect recall; with more than 16
      actions, (1 + action) / actions instead

    A public observation, which shows no private information, has "board" and "moves" only.

    Raises:
        ValueError: If `params` are given, or `kind` asks for the private information of all players.
    """

    def __init__(self, settings: Settings, kind: Any, params: Any) -> None:
        if params:
            raise ValueError(f"make_observer: there are no parameters here; given were {params}")
        if kind.private_info == pyspiel.PrivateInfoType.ALL_PLAYERS:
            raise ValueError("make_observer: private_info: give SINGLE_PLAYER or NONE; an observation is one player's")
        self.settings, self.kind = settings, kind
        self.private = kind.private_info == pyspiel.PrivateInfoType.SINGLE_PLAYER
        self.recalls = kind.perfect_recall or not self.private
        shapes = self._shapes() if has_tensor(settings) or not self.recalls else {}
        sizes = {name: int(np.prod(shape)) for name, shape in shapes.items()}
        self.tensor: NDArray[np.float32] | None = np.zeros(sum(sizes.values()), np.float32) if shapes else None
        self.dict: dict[str, NDArray[np.float32]] = {}
        at = 0
        for name, shape in shapes.items():
            assert self.tensor is not None
            self.dict[name] = self.tensor[at : at + sizes[name]].reshape(shape)
            at += sizes[name]
        self._keeps = not settings.explicit or at <= MAX_KEPT_NUMBERS
        self._places = {card: place for place, card in enumerate(settings.rules.deck)}
        self._players = [np.array([seat]) for seat in range(settings.rules.seats)]
        self._actions = len(settings.meanings)

    def _shapes(self) -> dict[str, Shape]:
        rules = self.settings.rules
        shapes: dict[str, Shape] = {}
        if self.private:
            shapes["player"] = (rules.seats,)
            shapes["observation"] = (self.settings.observation.size(rules),)
            if self.recalls:
                shapes["hand"] = (len(rules.deck),)
        if self.kind.public_info and self.recalls:
            shapes |= {"board": (rules.streets, len(rules.deck)), "moves": move_shape(self.settings)}
        return shapes

    def set_from(self, state: Any, player: int) -> None:
        """Write what a player sees of a state."""
        if self.tensor is None:
            return
        position: Position = state.position
        view = self.private, self.recalls, self.kind.public_info, player
        known = position.seen.get(view)
        if known is not None:
            self.tensor[:] = known
            return
        self._write(self.tensor, position, player)
        if self._keeps:  # OpenSpiel's C++ asks twice for each tensor: for its size, then for its numbers
            position.seen[view] = self.tensor.copy()

    def _write(self, tensor: NDArray[np.float32], position: Position, player: int) -> None:
        places = self._places
        tensor.fill(0.0)
        if "player" in self.dict:
            self.dict["player"][player] = 1.0
        if "observation" in self.dict and position.table is not None:
            self.settings.observation.observe(
                position.table.records,
                self.settings.rules.record,
                ONE_ROW,
                self._players[player],
                self.dict["observation"].reshape(1, -1),
            )
        if "hand" in self.dict:
            for card in position.hand(player):
                self.dict["hand"][places[card]] = 1.0
        if "board" in self.dict:
            for row, cards in zip(self.dict["board"], position.streets(), strict=True):
                for card in cards:
                    row[places[card]] = 1.0
            self._write_moves(position.made)

    def _write_moves(self, moves: tuple[Made, ...]) -> None:
        seats, actions = self.settings.rules.seats, self._actions
        for row, made in zip(self.dict["moves"], moves, strict=False):
            row[made.seat] = 1.0
            if actions <= ONE_HOT_ACTIONS:
                row[seats + made.action] = 1.0
            else:
                row[seats] = (1 + made.action) / actions

    def string_from(self, state: Any, player: int) -> str:
        """What a player sees of a state, as text."""
        position: Position = state.position
        parts = [f"p{player}", str(Cards(position.hand(player))) or "-"] if self.private else []
        if self.kind.public_info:
            parts.append(position.betting if self.recalls else table_text(position))
        return " ".join(parts)


def table_text(position: Position) -> str:
    """What everybody sees of the table now, without how it came about."""
    table = position.table
    if table is None:
        return "-"
    board = str(Cards([card for street in position.streets() for card in street])) or "-"
    return f"{board} pot {table.pot} bets {table.bets} stacks {table.stacks} to act {position.actor}"
