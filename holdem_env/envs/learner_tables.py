"""LearnerTables: tables with one learner's seat and agents in the others, for the single-learner environments."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ..encoders import ActionEncoder, BoxActionEncoder, ObservationEncoder
from ..encoders.decoding import action_text, checked_indices, decoded_moves, offered_text
from ..engine import batch, record
from ..equities.all_in_value import all_in_values
from ..equities.run_outs import new_workspace
from ..game.rules_input import RulesLike
from ..utils.suggestions import known_keywords
from . import learner_turns
from .hand_rewards import RewardFunction, checked_reward_function, own_rewards
from .opponents import Opponent as Opponent
from .opponents import OpponentsLike
from .seated_tables import Levels as Levels
from .seated_tables import Reward as Reward
from .seated_tables import SeatedTables, Seating, check_state
from .seated_tables import check_all_in_value as check_all_in_value

OnIllegal = Literal["raise", "check_fold"]


class LearnerTables(SeatedTables):
    """`num_tables` tables, each waiting for a decision of the learner. At table i the learner has seat
    (first_table + i) % seats.

    Between two decisions of the learner its opponents play, and finished hands are followed by new ones: the button
    moves one seat on, and stacks are the rules' starting stacks. A hand's result belongs to the learner's last decision
    in it. Hands in which the learner has no decision are skipped. Every hand stands alone: of a session only the phases
    of mixed hold'em are played, in turn (R19), and an orbit is as many hands as there are seats.

    rules: the game: Rules, a preset's name, a dict of fields, or the path of a YAML file.
    opponents: an agent, its name or an (agent, weight) pair, or a list of them. The agent in each opponent's seat is
        drawn for every hand.
    observation, actions: the learner's encoders, by name or as objects.
    on_illegal: what to do with an action that is not offered: "raise" an error, or play "check_fold" instead.
    first_table: the id of table 0, for decks and seats.
    keep_finished: whether to keep the final records of hands, for `final_observation`.
    reward: what `value` is for a hand that ended: its "result", or its "all_in_value", the mean result over the board
        cards that came when nobody could bet any more (not if the dealer errs).
    levels: which of a session's blind levels are played: the "first", or "all", each at an equal share of the tables.
        With "all", single hands are as deep and as shallow as in a freezeout.
    one_opponent: in this share of the hands, 0 to 1, one agent is drawn to play all other seats; in the rest, each
        seat's agent is drawn separately.
    reward_function: what `paid` pays instead of `value`.

    Arrays, updated in place by `reset` and `play`:
    records: (N,) TABLE records.
    mask: (N, A) int8, 1 where an action is offered; every row offers at least one.
    done: (N,) bool, whether a hand of the learner ended in this step.
    reward: (N,) int64, the chips that the learner won in that hand.
    value: (N,) float64, the same, or the hand's all-in value.
    played_by: (N, seats) int64, who had each seat in the hand of the learner's last action: indices into `agents`, -1
        for the learner.
    """

    @known_keywords("LearnerTables")
    def __init__(
        self,
        rules: RulesLike | None,
        num_tables: int,
        opponents: OpponentsLike,
        observation: str | ObservationEncoder = "flat",
        actions: str | ActionEncoder | None = None,
        on_illegal: OnIllegal = "raise",
        first_table: int = 0,
        keep_finished: bool = False,
        reward: Reward = "result",
        levels: Levels = "first",
        one_opponent: float = 0.0,
        reward_function: RewardFunction | None = None,
    ) -> None:
        super().__init__(
            Seating(rules, num_tables, opponents, observation, actions, first_table, reward, levels, one_opponent)
        )
        if on_illegal not in ("raise", "check_fold"):
            raise ValueError(f"on_illegal: {on_illegal!r} is not one of 'raise', 'check_fold'")
        if self.plays_sessions:
            raise ValueError("levels: 'sessions' is for SelfPlayTables; give 'first' or 'all'")
        rules = self.rules
        self.on_illegal = on_illegal
        self._reward_function = checked_reward_function(reward_function)
        self._workspace = new_workspace() if self._by_all_in_value else None
        keeps = keep_finished or self._by_all_in_value or reward_function is not None
        self.finished = record.new_records(record.TABLE, num_tables if keeps else 0)
        self.mask: NDArray[np.int8] = np.zeros((num_tables, self.action_encoder.size(rules)), np.int8)
        self.reward: NDArray[np.int64] = np.zeros(num_tables, np.int64)
        self.done: NDArray[np.bool_] = np.zeros(num_tables, np.bool_)
        self.value: NDArray[np.float64] = np.zeros(num_tables, np.float64)
        self._choices: NDArray[np.int64] = np.full(self.mask.shape, batch.NO_MOVE, np.int64)
        self._actor: NDArray[np.int64] = np.zeros(num_tables, np.int64)
        self._acted: NDArray[np.bool_] = np.zeros(num_tables, np.bool_)
        self._waited: NDArray[np.int64] = np.zeros(num_tables, np.int64)
        self.played_by: NDArray[np.int64] = self._owners.copy()
        self._size, self._shape = self.observation_encoder.size(rules), self.observation_encoder.shape(rules)

    def reset(self, seed: int | None = None) -> None:
        """Abandon the running hands and deal the next ones. With a seed, start again with hand 0 of every table under
        that seed, with the button at seat 0.
        """
        self._acted[:] = False
        self._waited[:] = 0
        self._clear_results()
        self._deal(seed)
        self._play_opponents()

    def checked_moves(self, actions: ArrayLike) -> NDArray[np.int64]:
        """The moves that the learner's actions mean. actions: (N,) ints, or (N, *shape) numbers if continuous.

        Raises ValueError, naming the table and the offered actions, for an action outside the space or the mask. With
        on_illegal="check_fold" such an action is a check if that is free, otherwise a fold. All numbers are legal
        continuous actions; NaN and infinity are always errors.
        """
        if not self._begun:
            raise ValueError("step: no hand has been dealt yet; call reset() first")
        if isinstance(self.action_encoder, BoxActionEncoder):
            return decoded_moves(self.action_encoder, self.rules, self.records, self._all, actions)
        chosen = checked_indices(actions, self._all.size)
        bad = batch.first_not_offered(self._choices, chosen)
        if bad < 0:
            moves: NDArray[np.int64] = self._choices[self._all, chosen]
            return moves
        if self.on_illegal == "raise":
            raise ValueError(self._why_not(bad, int(chosen[bad])))
        return self._check_or_fold(chosen)

    def _check_or_fold(self, chosen: NDArray[np.int64]) -> NDArray[np.int64]:
        inside = (chosen >= 0) & (chosen < self._choices.shape[1])
        moves = np.where(inside, self._choices[self._all, np.where(inside, chosen, 0)], batch.NO_MOVE)
        free = self.records["bet_to_match"] <= self.records["seats"]["bet"][self._all, self.learner_seats]
        passive = np.where(free, record.CHECK_CALL, record.FOLD)
        return np.where(moves == batch.NO_MOVE, passive, moves)

    def _why_not(self, row: int, action: int) -> str:
        what = action_text(self.action_encoder, self.rules, action)
        offered = offered_text(self.action_encoder, self.rules, self.mask[row])
        return f"actions: {what} is not offered at table {row}; offered are {offered}"

    def play(self, moves: NDArray[np.int64]) -> None:
        """Play the learner's moves, then its opponents' moves until every table waits for the learner again."""
        self._clear_results()
        self._acted[:] = True
        self._waited[:] = 0
        self.played_by[:] = self._owners
        batch.play_moves(self.records, self.rules.record, self._log, self._all, moves)
        self._play_opponents()
        self.value[:] = self.reward
        if self._by_all_in_value:
            rows = np.flatnonzero(self.done)
            all_in_values(self.finished, self.rules, rows, self.learner_seats, self.value, self._workspace)

    def paid(self, unit: float) -> NDArray[np.float64]:
        """(N,) the learner's rewards in this step: `value` in units of `unit` chips, or what the reward function pays
        (whose usual rewards are in these units). Raises ValueError for what the function returns, as own_rewards does.
        """
        paid = self.value / unit
        if self._reward_function is not None and self.done.any():
            rows = np.flatnonzero(self.done)
            ended, mine = self.finished[rows], (np.arange(rows.size), self.learner_seats[rows])
            usual = (ended["seats"]["stack"] - ended["start_stack"])[:, : self.rules.seats] / unit
            usual[mine] = paid[rows]
            paid[rows] = own_rewards(self._reward_function, self.rules, ended, usual)[mine]
        return paid

    def observation(self) -> NDArray[np.float32]:
        """The learner's observation at each table: a new float32 array, (N, D) or (N, *shape)."""
        return self._observe(self.records, self._all)

    def final_observation(self) -> NDArray[np.float32]:
        """The learner's observation at the end of the hands that ended in this step: a new (N, D) float32 array, zeros
        where `done` is False.
        """
        if not self.finished.size:
            raise ValueError("final_observation: give keep_finished=True when the tables are made")
        out = np.zeros((self._all.size, *self._shape), np.float32)
        rows = np.flatnonzero(self.done)
        out[rows] = self._observe(self.finished, rows)
        return out

    def _observe(self, tables: record.Records, rows: NDArray[np.int64]) -> NDArray[np.float32]:
        out = np.empty((rows.size, self._size), np.float32)
        self.observation_encoder.observe(tables, self.rules.record, rows, self.learner_seats[rows], out)
        return out.reshape(rows.size, *self._shape)

    def _clear_results(self) -> None:
        self.reward[:] = 0
        self.value[:] = 0
        self.done[:] = False

    def _play_opponents(self) -> None:
        rows = self._all
        while rows.size:
            self._find_turns(rows)
            for agent, first, last in zip(self._sealed, self._starts, self._starts[1:], strict=False):
                if last > first:
                    agent.play(self.records, self.rules, self._log, self._queue[first:last])
            rows = self._queue[: self._starts[-1]].copy()
        self._offer()

    def _offer(self) -> None:
        """Update the learner's offered actions at each table."""
        self.action_encoder.choose(self.records, self.rules.record, self._all, self._choices)
        batch.look(self.records, self._choices, self.mask, self._actor, 0, self._all.size)
        without = np.flatnonzero(~self.mask.any(axis=1))
        if without.size:
            raise RuntimeError(f"action encoder {self.action_encoder.name!r} offers nothing at table {without[0]}")

    def state_dict(self) -> dict[str, NDArray[Any]]:
        """Everything needed to continue between two steps, as new arrays. The opponents are not part of it."""
        return {
            "records": self._records_as_bytes(),
            "owners": self._owners.copy(),
            "acted": self._acted.copy(),
        }

    def load_state_dict(self, state: Mapping[str, NDArray[Any]]) -> None:
        """Continue where `state_dict` was taken, with the same rules, number of tables and opponents.

        Raises ValueError, and changes nothing, for a state of other tables.
        """
        check_state(self.state_dict(), state)
        self.records[:] = np.ascontiguousarray(state["records"]).view(record.TABLE)[:, 0]
        self._owners[:] = state["owners"]
        self._acted[:] = state["acted"]
        self._begun = True
        self._waited[:] = 0
        self._clear_results()
        self._offer()

    def _find_turns(self, rows: NDArray[np.int64]) -> None:
        """Sort the tables of `rows` into the queue, by the agent whose turn it is."""
        stuck = learner_turns.next_turns(
            self.records,
            self.rules.record,
            self._log,
            rows,
            self.learner_seats,
            self._thresholds,
            self._one_opponent,
            self._owners,
            self._acted,
            self.reward,
            self.done,
            self.finished,
            self._waited,
            self._queue,
            self._starts,
        )
        if stuck != record.NOBODY:
            raise RuntimeError(
                f"the learner at table {stuck}, seat {self.learner_seats[stuck]}, had no decision in "
                f"{learner_turns.MAX_HANDS} hands: under these rules it is always all-in before it can act, or all "
                "others have folded"
            )
