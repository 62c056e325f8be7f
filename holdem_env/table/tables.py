"""Tables: thousands of tables stepped together, in arrays that are updated in place."""

from __future__ import annotations

from collections.abc import Mapping
from copy import copy
from pathlib import Path
from typing import Any, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ..encoders import ActionEncoder, BoxActionEncoder, ObservationEncoder, get_actions, get_observation
from ..encoders.decoding import action_text, checked_indices, decoded_moves, offered_text
from ..encoders.describing import one_line
from ..encoders.one_pass import addresses, step_and_look
from ..engine import batch, record, stepping
from ..game.rule_checks import check_automatic_showing
from ..game.rules_input import RulesLike, as_rules
from ..utils.hooks import hook
from ..utils.plain_data import untrusted
from ..utils.sharing import Threads
from ..utils.suggestions import known_keywords
from ..utils.validation import whole_number
from .random_actions import draw_offered
from .saving import RESULTS, State, make_state, read_state, records_of, rules_of, write_state

# Tables per block when stepping and observing take several passes: a block fits into the processor's caches.
MAX_AT_ONCE = 1024


class Tables:
    """`num_tables` tables of one game. Each always waits for a decision of the seat in `actor`.

    Every hand begins with the rules' starting stacks, and the button moves one seat on. Rules with a session are played
    as sessions: stacks carry over, blinds rise, players leave, and a new session begins when one is over. `step` and
    `reset` update the arrays in place.

    Args:
        rules: The game: Rules, a preset's name, a dict of fields, or the path of a YAML file.
        num_tables: The number of tables, N.
        observation, actions: Encoders, by name or as objects.
        seed: The seed of all decks. Hand h of table t under a seed always has the same deck.
        threads: How many threads share the batch, unless an encoder is not `thread_safe`. The results do not depend on
            it.

    Attributes:
        observation: (N, D) float32, for the seat to act; `(N, *shape)` if the encoder's observation has several axes.
        mask: (N, A) int8, 1 where an action is offered; every row offers at least one. Continuous actions are never
            masked: their mask shows which kinds of moves (the encoder's `meanings`) are legal.
        actor: (N,) int64, the seat to act.
        done: (N,) bool, whether a hand ended in this step.
        reward: (N, seats) int64, the chips that each seat won in the hand that ended in this step; 0 where none ended.
        session_over: (N,) bool, whether a session ended in this step. Always False without a session.
        place: (N, seats) int8, the finishing places in the latest session that ended: 1 is the winner, 0 a seat that
            still had chips. The next session begins in the same step.

    >>> import numpy as np
    >>> from holdem_env import Rules, Tables
    >>> tables = Tables(Rules.preset("heads-up-limit"), num_tables=4, seed=1)
    >>> tables.step(np.ones(4, int))  # everybody calls
    >>> tables.observation.shape, tables.mask[0].tolist(), tables.actor.tolist()
    ((4, 149), [0, 1, 1], [1, 1, 1, 1])
    """

    @known_keywords("Tables")
    def __init__(
        self,
        rules: RulesLike,
        num_tables: int = 1024,
        observation: str | ObservationEncoder = "flat",
        actions: str | ActionEncoder | None = None,
        seed: int = 0,
        threads: int = 1,
    ) -> None:
        if whole_number("num_tables", num_tables, "a whole number") < 1:
            raise ValueError(f"num_tables: {num_tables}; give 1 or more")
        rules = self.rules = as_rules(rules)
        check_automatic_showing(rules, "Tables")
        self.num_tables = num_tables
        self.observation_encoder = get_observation(observation)
        self.action_encoder = get_actions(actions, rules)
        self._threads = Threads(threads)
        if not (self.observation_encoder.thread_safe and self.action_encoder.thread_safe):
            self._threads = Threads(1)
        self.records = record.new_records(record.TABLE, num_tables)
        self.observation: NDArray[np.float32] = np.zeros(
            (num_tables, *self.observation_encoder.shape(rules)), np.float32
        )
        self.mask: NDArray[np.int8] = np.zeros((num_tables, self.action_encoder.size(rules)), np.int8)
        self.choices: NDArray[np.int64] = np.full(self.mask.shape, batch.NO_MOVE, np.int64)
        self.actor: NDArray[np.int64] = np.zeros(num_tables, np.int64)
        self.done: NDArray[np.bool_] = np.zeros(num_tables, np.bool_)
        self.reward: NDArray[np.int64] = np.zeros((num_tables, rules.seats), np.int64)
        self.session_over: NDArray[np.bool_] = np.zeros(num_tables, np.bool_)
        self.place: NDArray[np.int8] = np.zeros((num_tables, rules.seats), np.int8)
        self._rows = np.arange(num_tables)
        self._first = np.zeros(num_tables, np.int64)
        self._log = record.new_log(listening=False)
        self._prepare()
        self.reset(seed)

    def _prepare(self) -> None:
        """Make what cannot be pickled: a view, addresses of machine code."""
        self._seen = self.observation.reshape(self.num_tables, -1)
        self._kernels = addresses(self.observation_encoder, self.action_encoder)

    def __repr__(self) -> str:
        return one_line(self, f"{self.num_tables:,} tables", self.rules, self.observation_encoder, self.action_encoder)

    def _repr_html_(self) -> str:
        page: str = hook("tables_html")(self)
        return page

    def reset(self, seed: int = 0) -> None:
        """Start again with hand 0 of every table under this seed, with the button at seat 0. Hands without a decision
        are played out, and the next hand is dealt."""
        seed = whole_number("seed", seed, "an integer in 0..2**63-1")
        if not 0 <= seed < 2**63:
            raise ValueError(f"seed: {seed} is not in 0..2**63-1")
        self.seed = seed
        batch.number_tables(self.records, seed, 0, self.rules.seats - 1)
        self.done[:] = False
        self.session_over[:] = False
        self.place[:] = 0
        self._threads.share(self._deal, self.num_tables)
        if (self.records["actor"] == record.NOBODY).any():
            raise ValueError(
                "rules: no hand has a decision, the blinds and antes put everybody all-in; use larger stacks"
            )
        self._threads.share(self._look, self.num_tables)

    def step(self, actions: ArrayLike) -> None:
        """Play one action at each table.

        Where a hand ends, `reward` has its result and the next hand is dealt in the same step.

        Args:
            actions: (N,) ints, or `(N, *shape)` numbers if the actions are continuous.

        Raises:
            ValueError: If an action is not a number, outside the space or masked; nothing changes. The message names
                the table and the offered actions.
        """
        choices, chosen = self._checked(actions)
        self._threads.share(lambda first, last: self._play(choices, chosen, first, last), self.num_tables)

    def random_actions(self, salt: int = 0) -> NDArray[np.int64]:
        """Return one of the offered actions at each table, all equally likely: (N,) ints, for `step`.

        They are a hash of the deal, the number of moves made in it, and the salt, so the same tables draw the same
        actions.

        Raises:
            TypeError: If the actions are continuous. They need no mask: draw numbers in -1..1.
        """
        if isinstance(self.action_encoder, BoxActionEncoder):
            raise TypeError(
                f"random_actions: {self.action_encoder.name!r} has continuous actions; draw numbers in -1..1"
            )
        actions = np.empty(self.num_tables, np.int64)
        draw_offered(self.records, self.mask, salt, actions)  # faster than waking another thread
        return actions

    def _checked(self, actions: ArrayLike) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """The moves to choose from at each table, and the index of the chosen one."""
        if isinstance(self.action_encoder, BoxActionEncoder):
            moves = decoded_moves(self.action_encoder, self.rules, self.records, self._rows, actions)
            return moves[:, None], self._first
        chosen = checked_indices(actions, self.num_tables)
        bad = batch.first_not_offered(self.choices, chosen)
        if bad >= 0:
            raise ValueError(self._why_not(bad, int(np.asarray(actions)[bad])))
        return self.choices, chosen

    def _why_not(self, row: int, action: int) -> str:
        what = action_text(self.action_encoder, self.rules, action)
        offered = offered_text(self.action_encoder, self.rules, self.mask[row])
        return f"actions: {what} is not offered at table {row} to seat {self.actor[row]}; offered are {offered}"

    def _results(self) -> tuple[NDArray[Any], ...]:
        """The arrays to which the engine writes the results of a step."""
        return self.reward, self.done, self.session_over, self.place

    def _deal(self, first: int, last: int) -> None:
        stepping.deal_tables(self.records, self.rules.record, self._log, self._results(), first, last)

    def _play(self, choices: NDArray[np.int64], chosen: NDArray[np.int64], first: int, last: int) -> None:
        """Play and observe a range of tables, in one pass if both encoders are pure kernels."""
        game, results = (self.records, self.rules.record, self._log), self._results()
        if self._kernels and choices is self.choices:
            seen = self.mask, self.actor, self._rows, self._seen
            parameters = self.action_encoder.parameters
            step_and_look(*self._kernels, *game, chosen, parameters, choices, results, *seen, first, last)
            return
        for begin in range(first, last, MAX_AT_ONCE):
            end = min(begin + MAX_AT_ONCE, last)
            stepping.step_tables(*game, choices, chosen, results, begin, end)
            self._look(begin, end)

    def _look(self, first: int, last: int) -> None:
        rules = self.rules.record
        rows, actor = self._rows[first:last], self.actor[first:last]
        self.action_encoder.choose(self.records, rules, rows, self.choices[first:last])
        batch.look(self.records, self.choices, self.mask, self.actor, first, last)
        self.observation_encoder.observe(self.records, rules, rows, actor, self._seen[first:last])

    def take(self, rows: ArrayLike) -> Self:
        """Return new tables at the same points of the same hands as some of these, for searches that branch.

        Hand by hand, both go on with the same decks; encoders and threads are shared.

        Args:
            rows: (M,) ints, tables of this batch, in any order and with repeats.

        Raises:
            ValueError: If `rows` is empty, or has another shape or type, or a table that does not exist.
        """
        chosen = np.asarray(rows)
        if chosen.ndim != 1 or chosen.dtype.kind not in "iu" or not len(chosen):
            raise ValueError(f"rows: must be (M,) whole numbers, got {chosen.dtype.name} of shape {chosen.shape}")
        if chosen.min() < 0 or chosen.max() >= self.num_tables:
            raise ValueError(f"rows: must be 0 to {self.num_tables - 1}, got {chosen.min()} to {chosen.max()}")
        taken = copy(self)
        taken.num_tables, taken._log = len(chosen), record.new_log(listening=False)
        for name in ("records", "observation", "mask", "choices", "actor", *RESULTS):
            setattr(taken, name, getattr(self, name)[chosen])
        taken._rows, taken._first = np.arange(len(chosen)), np.zeros(len(chosen), np.int64)
        taken._prepare()
        return taken

    def copy(self) -> Self:
        """All of these tables again, to go on from here independently."""
        return self.take(self._rows)

    def state_dict(self) -> State:
        """Everything needed to continue later or elsewhere, in new arrays of plain types: the tables, their decks and
        histories, the results of the last step, the seed and the rules. Encoders and threads are not part of it."""
        results = {name: getattr(self, name) for name in RESULTS}
        return make_state(self.rules, self.seed, self.records, results)

    def load_state_dict(self, state: Mapping[str, Any]) -> None:
        """Load a state of as many tables with the same rules. The arrays are updated in place.

        Raises:
            ValueError: If the state has another game, another number of tables or an incompatible version, or is
                damaged; nothing changes.
        """
        self.records[:] = records_of(state, self.rules, self.num_tables)
        for name in RESULTS:
            getattr(self, name)[:] = state[name]
        self.seed = int(state["seed"])
        self._threads.share(self._look, self.num_tables)

    def save(self, path: Path | str) -> None:
        """Write the whole state to a file (NumPy's .npz)."""
        write_state(self.state_dict(), path)

    @classmethod
    def restore(
        cls,
        path: Path | str,
        observation: str | ObservationEncoder = "flat",
        actions: str | ActionEncoder | None = None,
        threads: int = 1,
    ) -> Self:
        """Return the tables in a file that `save` has written, as they were.

        Args:
            path: The file.
            observation, actions, threads: As in `Tables`; encoders are not saved.

        Raises:
            ValueError: If `save` did not write the file, or it has an incompatible version.
        """

        def failure(why: str) -> ValueError:
            return ValueError(f"{path}: {why}")

        state = read_state(path)
        with untrusted(failure):
            rules = rules_of(state)
        tables = cls(rules, len(state["records"]), observation, actions, threads=threads)
        with untrusted(failure):
            tables.load_state_dict(state)
        return tables

    def __getstate__(self) -> dict[str, Any]:
        return {name: value for name, value in self.__dict__.items() if name not in ("_seen", "_kernels")}

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__.update(state)
        self._prepare()
