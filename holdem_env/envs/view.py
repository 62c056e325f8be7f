"""One table through its encoders: the actions offered to the seat to act, and the observation of any seat."""

from __future__ import annotations

import operator
from typing import Any, cast

import numpy as np
from numpy.typing import NDArray

from ..encoders import ActionEncoder, BoxActionEncoder, ObservationEncoder
from ..encoders.decoding import decoded_moves, offered_text
from ..encoders.one_pass import addresses, look_at_one, play_and_look
from ..engine import batch, record
from ..game.rules import Rules

ONE_ROW = np.zeros(1, np.int64)


class TableView:
    """A view of the table in an array of one record. It is updated after every move: in one call if both encoders are
    pure kernels, because a call takes longer than applying a rule.

    actor: the seat to act, or NOBODY.
    moves: (A,) int64, the engine move of each action, NO_MOVE where none is offered.
    """

    def __init__(
        self,
        records: record.Records,
        rules: Rules,
        log: record.Records,
        observation: ObservationEncoder,
        actions: ActionEncoder,
    ) -> None:
        self._game = records, rules.record, log
        self._all_rules, self._observation, self._actions = rules, observation, actions
        self._shape = observation.shape(rules)
        size = actions.size(rules)
        self._choices: NDArray[np.int64] = np.full((1, size), batch.NO_MOVE, np.int64)
        self._mask: NDArray[np.int8] = np.zeros((1, size), np.int8)
        self._actor: NDArray[np.int64] = np.full(1, record.NOBODY, np.int64)
        self._row: NDArray[np.float32] = np.zeros((1, observation.size(rules)), np.float32)
        self._viewer = np.zeros(1, np.int64)
        self.actor = record.NOBODY
        self._prepare()

    def _prepare(self) -> None:
        """Make what cannot be pickled: addresses of machine code, and views of the arrays. The views are made once,
        because making one takes longer than applying a rule."""
        self.moves = self._choices[0]
        self._offered = self._mask[0]
        self._seen = self._row.reshape(self._shape)
        self._kernels = addresses(self._observation, self._actions)
        self._looks = self._choices, self._mask, self._actor, self._row

    def __getstate__(self) -> dict[str, Any]:
        remade = ("moves", "_offered", "_seen", "_kernels", "_looks")
        return {name: value for name, value in self.__dict__.items() if name not in remade}

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__.update(state)
        self._prepare()

    def play(self, move: int) -> int:
        """Play a legal move and update the view. Returns the seat to act."""
        if self._kernels is None:
            return self._look_in_passes(batch.play_one(*self._game, move))
        self.actor = play_and_look(*self._kernels, *self._game, move, self._actions.parameters, *self._looks)
        return self.actor

    def look(self) -> int:
        """Update the view after a deal. Returns the seat to act."""
        records, rules, _ = self._game
        if self._kernels is None:
            return self._look_in_passes(records["actor"][0])
        look_at_one(*self._kernels, records, rules, self._actions.parameters, *self._looks)
        self.actor = int(self._actor[0])
        return self.actor

    def _look_in_passes(self, actor: int) -> int:
        self.actor = int(actor)
        if self.actor != record.NOBODY:
            self._actions.choose(*self._game[:2], ONE_ROW, self._choices)
            np.not_equal(self.moves, batch.NO_MOVE, out=self._offered, casting="unsafe")
        return self.actor

    def offered(self) -> NDArray[np.int8]:
        """The mask of the seat to act: (A,), a new array."""
        mask: NDArray[np.int8] = self._offered.copy()
        return mask

    def seen(self, seat: int) -> NDArray[np.float32]:
        """The observation of a seat now: a new array of the encoder's shape."""
        if seat == self.actor and self._kernels:
            return self._seen.copy()
        row: NDArray[np.float32] = np.empty(self._row.shape, np.float32)
        self._viewer[0] = seat
        self._observation.observe(*self._game[:2], ONE_ROW, self._viewer, row)
        return row.reshape(self._shape)

    def chosen(self, action: Any) -> int:
        """The engine move of a discrete action. Raises ValueError for an action that is not offered."""
        try:
            move = int(self.moves[_index(action)])
        except IndexError:
            move = batch.NO_MOVE
        if move == batch.NO_MOVE:
            offered = offered_text(self._actions, self._all_rules, self._offered)
            raise ValueError(f"step: action {action!r} is not offered to player_{self.actor}; offered are {offered}")
        return move

    def decoded(self, action: Any) -> int:
        """The engine move of a continuous action. Raises ValueError for numbers of another shape, and for NaN and
        infinity."""
        encoder, rules = cast(BoxActionEncoder, self._actions), self._all_rules
        shape = encoder.shape(rules)
        if np.shape(action) != shape:
            raise ValueError(f"step: an action of player_{self.actor} has shape {shape}, not {np.shape(action)}")
        return int(decoded_moves(encoder, rules, self._game[0], ONE_ROW, np.asarray(action)[None])[0])

    def check_or_fold(self) -> int:
        """A check if it is free, otherwise a fold."""
        records = self._game[0]
        free = records["bet_to_match"][0] <= records["seats"]["bet"][0, self.actor]
        return record.CHECK_CALL if free else record.FOLD


def _index(action: Any) -> int:
    """A discrete action as an index. Raises ValueError if it is not an integer, IndexError if it is negative."""
    try:
        index = operator.index(action)
    except TypeError:
        raise ValueError(f"step: an action is an integer, not {action!r}") from None
    if index < 0:
        raise IndexError(index)
    return index
