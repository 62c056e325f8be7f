"""Running many tables at once with agents in the seats."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ...agents.protocol import Agent
from ...engine import batch, record
from ...game.rule_checks import check_automatic_showing
from ...game.rules import Rules
from .players import ANY, FAILURES, AgentFailed, Players, copies_each, copies_in, most_tables
from .stopwatch import Stopwatch, TimeLimit
from .witness import Witness

__all__ = ["AgentFailed", "Asked", "Dealer"]

Rows = NDArray[np.int64]
SEED_BITS, KEY_BITS = 63, 128
LARGEST_SEED = 2**SEED_BITS - 1


class Asked(NamedTuple):
    """A question to an agent that was answered: the tables, and the moves made there."""

    rows: Rows
    moves: Rows


class Dealer:
    """`num_tables` tables at which agents sit; each `play_hand` plays one whole hand at all of them.

    seating: (N, seats) int64, which of `agents` sits where. table_ids: (N,), which decks; tables with the same id get
        the same cards. Stacks are fresh every hand, the button moves one seat on.
    players, rotation: the clones that play for the agents, and in which rotation of the deals; by default new clones in
        rotation 0. is_careful: look after each question whether its agent has changed the tables.
    before: a dealer that is done, whose memory is used again.

    No agent is handed the tables: it gets copies of what its seat may see. When the hands are over they are dealt and
    played again from the moves alone, and must come out the same (`Witness`).
    """

    def __init__(
        self,
        rules: Rules,
        agents: Sequence[Agent],
        seating: Rows,
        table_ids: Rows,
        seed: int,
        stopwatch: Stopwatch | None = None,
        players: Players | None = None,
        rotation: int = 0,
        is_careful: bool = False,
        before: Dealer | None = None,
    ) -> None:
        check_automatic_showing(rules, "a match")
        self.rules = rules
        self.agents = list(agents)
        self.players, self.rotation = players or Players(agents), rotation
        self.seating = seating
        self.stopwatch = stopwatch or Stopwatch([TimeLimit()] * len(agents))
        again = before if before is not None and len(before.records) == len(seating) else None
        self.records: record.Records = again.records if again else record.new_records(record.TABLE, len(seating))
        self._log = record.new_log(listening=False)
        witness = again._witness if again else None
        self._witness: Witness = Witness(rules, self.agents, len(seating), is_careful, witness)
        self.change(lambda tables: batch.number_tables(tables, 0, 0, rules.seats - 1))
        self.change(lambda tables: give_decks(tables, table_ids, seed))
        self._copies, self._copies_each = copies_in(seating), copies_each(seating, len(self.agents))
        self._all = np.arange(len(seating))
        self.players.seat([rotation], self._copies_each)
        # What `play_out` played, in order. A record keeps only the last moves of a long hand.
        self.played: list[Asked] = []

    def change(self, change: Callable[[record.Records], object]) -> None:
        """Change the tables, the witness's as well: with `change(tables)`, which must do the same to both."""
        for tables in (self.records, self._witness.records):
            change(tables)

    def write(self, **fields: Rows | int) -> None:
        """Set fields of the tables, the witness's as well: one value for all, or one for each."""
        for tables in (self.records, self._witness.records):
            for name, values in fields.items():
                tables[name] = values

    def play_hand(self) -> Rows:
        """Deal and play one hand at every table; returns the payoffs in chips, (N, seats).

        Raises AgentFailed.
        """
        self.change(lambda tables: batch.deal_hands(tables, self.rules.record, self._log, self._all))
        self.play_out()
        seats = self.rules.seats
        payoffs: Rows = (self.records["seats"]["stack"] - self.records["start_stack"])[:, :seats]
        return payoffs

    def play_out(self) -> None:
        """Ask the agents to act, until nobody is to act at any table."""
        self.played = []
        rows = self._all
        while (rows := self._waiting(rows)).size:
            self._one_move_each(rows)
        self._witness.check(self.records, self.played)
        self._report_finished_hands()

    def keep(self, going: NDArray[np.bool_]) -> None:
        """Go on with some of the tables."""
        self.records, self.seating = self.records[going], self.seating[going]
        self._copies, self._all = self._copies[going], np.arange(int(going.sum()))
        self._witness.keep(going)

    def _waiting(self, rows: Rows) -> Rows:
        waiting: Rows = rows[self.records["actor"][rows] != record.NOBODY]
        return waiting

    def _one_move_each(self, rows: Rows) -> None:
        actors = self.records["actor"][rows]
        owners, copies = self.seating[rows, actors], self._copies[rows, actors]
        for number, most in enumerate(self._copies_each.tolist()):
            for copy in range(most):
                theirs = rows[(owners == number) & (copies == copy)] if most > 1 else rows[owners == number]
                if theirs.size:
                    moves = self._ask(number, copy, theirs)
                    self.played.append(Asked(theirs, moves))
                    batch.play_moves(self.records, self.rules.record, self._log, theirs, moves)
                    self._witness.look(number, self.records, self.played)

    def _ask(self, number: int, copy: int, rows: Rows) -> Rows:
        agent = self.agents[number]
        player = self.players.of(self.rotation, number, copy)
        began = self.stopwatch.read()
        try:
            moves = player.moves(self.records, self.rules, rows, self.rotation)
        except FAILURES as error:
            raise AgentFailed.by_error(number, agent, error) from error
        is_small = most_tables(self.agents) < (agent.facts.tables_at_once or ANY)
        if slow := self.stopwatch.stop(number, agent, began, rows.size, is_small):
            raise AgentFailed(number, agent.name, slow)
        return moves

    def _report_finished_hands(self) -> None:
        for number, agent in enumerate(self.agents):
            for copy in range(int(self._copies_each[number]) if agent.wants_hand_over else 0):
                rows, seats = np.nonzero((self.seating == number) & (self._copies == copy))
                player = self.players.of(self.rotation, number, copy)
                began = self.stopwatch.read()
                try:
                    player.report_finished_hands(self.records, self.rules, rows, seats, self.rotation)
                except FAILURES as error:
                    raise AgentFailed.by_error(number, agent, error, "hand_over: ") from error
                if slow := self.stopwatch.stop(number, agent, began, 0):
                    raise AgentFailed(number, agent.name, slow)


def give_decks(tables: record.Records, numbers: Rows, seed: int) -> None:
    """Give tables the decks of these deals. A seed beyond LARGEST_SEED is a key, under which each deal has its own."""
    tables["table_id"], tables["seed"] = numbers, min(seed, LARGEST_SEED)
    if seed > LARGEST_SEED:
        batch.seed_by_key(tables, *np.array([seed >> 64, seed % 2**64], np.uint64).view(np.int64).tolist())
