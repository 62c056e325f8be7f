"""SelfPlayTables: tables where a learner plays many seats at once, and learns in all of them.

    tables = SelfPlayTables("heads-up-no-limit", 1024, [me, ("maniac", 0.2)], itself=me)
    tables.reset(seed=0)
    while learning:
        moves = choose(tables)          # for the tables in `turn`
        tables.step(moves)              # every table makes one decision; agents make theirs
        credit(tables.ended, tables.value[: len(tables.ended)])

An environment with one learner's seat discards what the learner's copies decide in the other seats. Here those
decisions are the learner's too, and every table goes on in each step, so that batches stay large.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..agents.protocol import Agent
from ..compiled.records import Records
from ..encoders import ActionEncoder, BoxActionEncoder, ObservationEncoder
from ..engine import batch, record, stepping
from ..equities.all_in_value import all_in_values_of_seats
from ..equities.run_outs import new_workspace
from ..game.rules_input import RulesLike
from ..utils.sharing import Threads
from ..utils.suggestions import known_keywords
from . import learner_turns
from .hand_rewards import RewardFunction, checked_reward_function, own_rewards
from .opponents import OpponentsLike
from .seated_tables import Levels, Reward, SeatedTables, Seating, check_state


class SelfPlayTables(SeatedTables):
    """`num_tables` tables; at each, one decision is made in every step.

    The learner has seat (first_table + i) % seats of table i, and every other seat for which the agent `itself` is
    drawn for the hand; the other opponents have the rest. Hands follow each other as in `LearnerTables`, whose
    parameters these are, unless levels is "sessions": then whole sessions of the rules are played, in which stacks
    carry over and become uneven, blinds rise and players leave; a new one begins when one is over.

    sitting: the number of hands in a row in which the same agents have the seats of a table. In sittings of several
    hands the records' `session_hands` counts the hands before this one, as everybody at a table may. Agents whose
    class defines `hand_over` are called at the ends of their hands.

    threads: how many threads share the tables, but for what agents do. The results do not depend on it.

    turn: (K,) int64, the tables where the learner is to act, from none to all; updated by `reset` and `step`.
    ended: (M,) int64, the tables where a hand ended in the last step.
    value: (N, seats) float64; row m has what each seat of the learner won in the hand that ended at table ended[m], in
        chips: the result or the all-in value. A hand is not played out once all of these seats have folded, unless it
        is part of a sitting.
    paid: as `value`, what the seats are paid in chips: `value`, or what the reward function pays.
    played_by: (N, seats) int64; row m has who had each seat in it: -1 for the learner, an index into `agents`, or -2
        where nobody was dealt in.
    finished: (M,) TABLE records; row m is the table ended[m] as the hand ended there.
    sitting_over: (M,) bool; whether that hand was the last of its sitting.
    """

    @known_keywords("SelfPlayTables")
    def __init__(
        self,
        rules: RulesLike | None,
        num_tables: int,
        opponents: OpponentsLike,
        observation: str | ObservationEncoder = "flat",
        actions: str | ActionEncoder | None = None,
        first_table: int = 0,
        reward: Reward = "result",
        levels: Levels = "first",
        one_opponent: float = 0.0,
        itself: Agent | None = None,
        sitting: int = 1,
        reward_function: RewardFunction | None = None,
        threads: int = 1,
    ) -> None:
        self.threads = Threads(threads)
        self._reward_function = checked_reward_function(reward_function)
        super().__init__(
            Seating(rules, num_tables, opponents, observation, actions, first_table, reward, levels, one_opponent),
            itself,
            sitting,
        )
        if isinstance(self.action_encoder, BoxActionEncoder):
            raise ValueError(f"actions: {self.action_encoder.name!r} is continuous; this learner chooses among actions")
        is_safe = self.observation_encoder.thread_safe and self.action_encoder.thread_safe
        self._looking = self.threads if is_safe else Threads(1)
        self._finished = record.new_records(record.TABLE, num_tables)
        self._workspaces = [new_workspace() for _ in range(threads)]
        self._ended: NDArray[np.int64] = np.zeros(num_tables, np.int64)
        self.played_by: NDArray[np.int64] = np.zeros((num_tables, self.rules.seats), np.int64)
        self.value: NDArray[np.float64] = np.zeros((num_tables, self.rules.seats))
        self.paid = self.value
        self.turn = self._ended[:0]
        self._none_ended()
        self.observation_size = self.observation_encoder.size(self.rules)
        self.num_actions = self.action_encoder.size(self.rules)

    def set_opponents(self, opponents: OpponentsLike) -> None:
        super().set_opponents(opponents)
        self._parts: NDArray[np.int64] = np.zeros(len(self.agents) + 2, np.int64)
        if self._begun:
            self._find_turns()

    def reset(self, seed: int | None = None) -> None:
        """Abandon the running hands and deal the next ones. With a seed, start again with hand 0 of every table under
        that seed, with the button at seat 0."""
        self._deal(seed)
        if self.plays_sessions:
            results = (np.zeros(self.value.shape, np.int64), None, None, np.zeros(self.value.shape, np.int8))
            stepping.deal_tables(self.records, self.rules.record, self._log, results, 0, self.num_tables)
            self._seat_agents()
        self._finish_hands()
        self._none_ended()
        self._find_turns()

    def observe(self, observation: NDArray[np.float32], choices: NDArray[np.int64]) -> None:
        """Write what the learner sees and may do at the tables in `turn`.

        observation: (K, observation_size) float32. choices: (K, num_actions) int64, the engine move of each action,
        `NO_MOVE` (-2) where it is not offered.
        """
        seats = self.seats_to_act

        def look(first: int, last: int) -> None:
            part, game = slice(first, last), (self.records, self.rules.record, self.turn[first:last])
            self.observation_encoder.observe(*game, seats[part], observation[part])
            self.action_encoder.choose(*game, choices[part])

        self._looking.share(look, len(self.turn))

    @property
    def seats_to_act(self) -> NDArray[np.int64]:
        """(K,) int64: the learner's seat at each table in `turn`."""
        seats: NDArray[np.int64] = self.records["actor"][self.turn].astype(np.int64)
        return seats

    def step(self, moves: NDArray[np.int64]) -> None:
        """Play one decision at every table: the learner's moves, (K,) int64, at those in `turn`, the agents' at the
        others. The learner's moves must be legal: `observe` gives legal ones. Hands that end are followed by new ones.
        """
        if not self._begun:
            raise ValueError("step: no hand has been dealt yet; call reset() first")
        if len(moves) != len(self.turn):
            raise ValueError(f"step: {len(moves)} moves are given; the learner is to act at {len(self.turn)} tables")
        game, turn = (self.records, self.rules.record, self._log), self.turn
        self.threads.share(lambda first, last: batch.play_moves(*game, turn[first:last], moves[first:last]), len(turn))
        for agent, first, last in zip(self._sealed, self._parts[1:], self._parts[2:], strict=False):
            if last > first:
                agent.play(self.records, self.rules, self._log, self._queue[first:last])
        self._finish_hands()
        self._find_turns()

    def state_dict(self) -> dict[str, NDArray[Any]]:
        """Everything needed to continue between two steps, as new arrays. The opponents are not part of it."""
        return {"records": self._records_as_bytes(), "owners": self._owners.copy()}

    def load_state_dict(self, state: Mapping[str, NDArray[Any]]) -> None:
        """Continue where `state_dict` was taken, with the same rules, number of tables and opponents.

        Raises ValueError, and changes nothing, for a state of other tables.
        """
        check_state(self.state_dict(), state)
        self.records[:] = np.ascontiguousarray(state["records"]).view(record.TABLE)[:, 0]
        self._owners[:] = state["owners"]
        self._begun = True
        self._none_ended()
        self._find_turns()

    def _finish_hands(self) -> None:
        """Keep the values of ended hands, and deal the next ones."""
        count = learner_turns.finish_hands(
            self.records,
            self.rules.record,
            self._log,
            self.learner_seats,
            self._thresholds,
            self._itself,
            self._one_opponent,
            self.sitting,
            self._owners,
            self.plays_sessions,
            self._ended,
            self._finished,
            self.played_by,
        )
        self.ended = self._ended[:count]
        finished, value = self._finished[:count], self.value[:count]
        self.finished = finished
        value[:] = (finished["seats"]["stack"] - finished["start_stack"])[:, : self.rules.seats]
        if self._by_all_in_value:
            self._pay_all_in_values(finished, value)
        if self._reward_function is not None and count:
            usual, unit = value / self.rules.unit, self.rules.unit
            self.paid = own_rewards(self._reward_function, self.rules, finished.copy(), usual) * unit
        self._count_hands()

    def _pay_all_in_values(self, finished: Records, value: NDArray[np.float64]) -> None:
        is_mine = self.played_by[: len(finished)] == learner_turns.LEARNER
        free = list(self._workspaces)

        def pay(first: int, last: int) -> None:
            part = slice(first, last)
            all_in_values_of_seats(finished[part], self.rules, is_mine[part], value[part], free.pop())

        self.threads.share(pay, len(finished))

    def _none_ended(self) -> None:
        self.ended, self.finished = self._ended[:0], self._finished[:0]
        self.sitting_over: NDArray[np.bool_] = np.zeros(0, np.bool_)

    def _count_hands(self) -> None:
        """Number the hands of sittings, and call `hand_over` of the agents that have it."""
        hands, before = self.records["hand"], self.finished["hand"]
        self.sitting_over = hands[self.ended] // self.sitting != before // self.sitting
        if self.sitting > 1:
            self.records["session_hands"] = hands % self.sitting
        for number, agent in enumerate(self._sealed):
            if agent.agent.wants_hand_over and number != self._itself:
                rows, seats = np.nonzero(self.played_by[: len(self.ended)] == number)
                if rows.size:
                    agent.report_finished_hands(self.finished, self.rules, rows, seats)

    def _find_turns(self) -> None:
        stuck = learner_turns.sort_turns(self.records, self._owners, self._queue, self._parts)
        if stuck != record.NOBODY:
            raise RuntimeError(
                f"nobody had a decision in {learner_turns.MAX_HANDS} hands at table {stuck}: under these rules all "
                "are always all-in before they can act"
            )
        self.turn = self._queue[: self._parts[1]]
