"""One table through its encoders: the actions offered to the seat to act, and the observation of any seat."""

from __future__ import annotations

from functools import partial
from operator import index
from typing import Any, cast

import numpy as np
from numpy.typing import NDArray

from ..encoders import ActionEncoder, BoxActionEncoder, ObservationEncoder
from ..encoders.decoding import decoded_moves, offered_text
from ..encoders.one_pass import addresses
from ..engine import batch, record
from ..game.rules import Rules
from .aec_kernels import NO_SEED, OVER, deal_and_look, play_and_look
from .arguments import agent_at
from .shown_cards import ShownCards, by_player

ONE_ROW = np.zeros(1, np.int64)
NO_PARAMETERS = np.zeros((1, 0), np.int64)


class TableView:
    """A view of the table in an array of one record. One compiled call plays a move, or deals a hand, and updates the
    view; encoders that are more than a kernel are asked after it.

    actor: the seat to act, or NOBODY or OVER of aec_kernels, once the hand has been closed.
    moves: (A,) int64, the engine move of each action, NO_MOVE where none is offered.
    """

    def __init__(
        self,
        records: record.Records,
        rules: Rules,
        observation: ObservationEncoder,
        actions: ActionEncoder,
    ) -> None:
        self._game = records, rules.record
        self._rules, self._observation, self._actions = rules, observation, actions
        self._shape = rules.seats, *observation.shape(rules)
        size = actions.size(rules)
        self._choices: NDArray[np.int64] = np.full((1, size), batch.NO_MOVE, np.int64)
        self._mask: NDArray[np.int8] = np.zeros((1, size), np.int8)
        self._ended: NDArray[np.int64] = np.zeros((4, rules.seats), np.int64)
        self._rows: NDArray[np.float32] = np.zeros((rules.seats, observation.size(rules)), np.float32)
        self.actor = record.NOBODY
        self._prepare()

    def _prepare(self) -> None:
        """Make what cannot be pickled: addresses of machine code, and views of the arrays."""
        self.moves = self._choices[0]
        self._offered = self._mask[0]
        self._seen = list(self._rows.reshape(self._shape))
        records = self._game[0]
        self._shown_age, self._last_shown = records["shown_age"], records["last_shown"][0, : self._rules.seats]
        self._kernels = addresses(self._observation, self._actions)
        given = (*(self._kernels or (0, 0)), *self._game, self._choices, self._mask, self._rows, self._ended)
        self._play_and_look, self._deal_and_look = partial(play_and_look, *given), partial(deal_and_look, *given)

    def __getstate__(self) -> dict[str, Any]:
        remade = {"moves", "_offered", "_seen", "_shown_age", "_last_shown", "_kernels"}
        remade |= {"_play_and_look", "_deal_and_look"}
        return {name: value for name, value in self.__dict__.items() if name not in remade}

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__.update(state)
        self._prepare()

    def play(self, move: int) -> int:
        """Play a legal move and update the view. Returns the seat to act."""
        if self._kernels is None:
            return self._chosen_after(self._play_and_look(NO_PARAMETERS, move))
        self.actor = self._play_and_look(self._actions.parameters, move)
        return self.actor

    def deal(self, seed: int = NO_SEED, is_arranged: bool = False) -> int:
        """Deal the next hand and update the view. Returns the seat to act.

        seed: of a session that begins with this hand. is_arranged: whether the record has the hand's positions and
        deck.
        """
        if self._kernels is None:
            return self._chosen_after(self._deal_and_look(NO_PARAMETERS, seed, is_arranged))
        self.actor = self._deal_and_look(self._actions.parameters, seed, is_arranged)
        return self.actor

    def _chosen_after(self, actor: int) -> int:
        """Ask the action encoder after a call without kernels. Returns the seat to act."""
        self.actor = actor
        if actor >= 0:
            self._actions.choose(*self._game, ONE_ROW, self._choices)
            np.not_equal(self.moves, batch.NO_MOVE, out=self._offered, casting="unsafe")
        return actor

    def ended(self) -> list[list[int]]:
        """By seat, what the hand that is over brought: chips won, chips of rebuys, stacks, finishing places."""
        return self._ended.tolist()  # type: ignore[no-any-return]

    def offered(self) -> NDArray[np.int8]:
        """The mask of the seat to act: (A,), a new array."""
        mask: NDArray[np.int8] = self._offered.copy()
        return mask

    def seen(self, seat: int) -> NDArray[np.float32]:
        """The observation of a seat now: a new array of the encoder's shape."""
        if not self._kernels or seat != self.actor != OVER:
            self._observe(seat, seat + 1)
        observation: NDArray[np.float32] = self._seen[seat].copy()
        return observation

    def seen_by_all(self) -> NDArray[np.float32]:
        """The observations of all seats now: a new array, (seats, *shape)."""
        self._observe(0, len(self._seen))
        return self._rows.reshape(self._shape).copy()

    def _observe(self, first: int, last: int) -> None:
        """Update what these seats see."""
        seats = np.arange(first, last)
        self._observation.observe(*self._game, np.zeros_like(seats), seats, self._rows[first:last])

    def shown_cards(self) -> ShownCards:
        """The cards that were tabled in a hand that is over, by agent."""
        return {} if self._shown_age.item(0) else by_player(self._last_shown.tolist())

    def chosen(self, action: Any) -> int:
        """The engine move of a discrete action. Raises ValueError for an action that is not offered."""
        try:
            place = index(action)
            move = self.moves.item(place) if place >= 0 else batch.NO_MOVE
        except TypeError:
            raise ValueError(f"step: an action is an integer, not {action!r}") from None
        except IndexError:
            move = batch.NO_MOVE
        if move == batch.NO_MOVE:
            offered = offered_text(self._actions, self._rules, self._offered)
            raise ValueError(f"step: action {action!r} is not offered to {agent_at(self.actor)}; offered are {offered}")
        return move

    def decoded(self, action: Any) -> int:
        """The engine move of a continuous action. Raises ValueError for numbers of another shape, and for NaN and
        infinity."""
        encoder = cast(BoxActionEncoder, self._actions)
        shape = encoder.shape(self._rules)
        if np.shape(action) != shape:
            raise ValueError(f"step: an action of {agent_at(self.actor)} has shape {shape}, not {np.shape(action)}")
        return int(decoded_moves(encoder, self._rules, self._game[0], ONE_ROW, np.asarray(action)[None])[0])

    def check_or_fold(self) -> int:
        """A check if it is free, otherwise a fold."""
        records = self._game[0]
        free = records["bet_to_match"][0] <= records["seats"]["bet"][0, self.actor]
        return record.CHECK_CALL if free else record.FOLD
