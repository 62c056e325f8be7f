"""SeatedTables: what all tables with learners have in common. They know the game, the encoders and the opponents, and
who has which seat."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from ..agents.protocol import Agent
from ..agents.queries import SealedAgent
from ..encoders import ActionEncoder, ObservationEncoder, get_actions, get_observation
from ..encoders.describing import one_line
from ..engine import batch, record
from ..equities.all_in_value import why_no_all_in_value
from ..game.rule_checks import check_automatic_showing
from ..game.rules import Rules
from ..game.rules_input import RulesLike, as_rules
from ..table.hand_setup import checked_seed
from ..utils.validation import whole_number
from . import learner_turns
from .opponents import OpponentsLike, weighted_agents

Reward = Literal["result", "all_in_value"]
Levels = Literal["first", "all", "sessions"]


def check_all_in_value(rules: Rules) -> None:
    """Raise ValueError for a game whose hands have no all-in value to pay a learner."""
    if why := why_no_all_in_value(rules):
        raise ValueError(f"reward 'all_in_value': {why}; take 'result' for this game")


@dataclass(frozen=True)
class Seating:
    """What tables with learners are made of; `LearnerTables` and `SelfPlayTables` describe the fields. Raises
    ValueError for what cannot be."""

    rules: RulesLike | None
    num_tables: int
    opponents: OpponentsLike
    observation: str | ObservationEncoder = "flat"
    actions: str | ActionEncoder | None = None
    first_table: int = 0
    reward: Reward = "result"
    levels: Levels = "first"
    one_opponent: float = 0.0

    def __post_init__(self) -> None:
        rules = as_rules(self.rules)
        object.__setattr__(self, "rules", rules)
        check_automatic_showing(rules, "an environment")
        if whole_number("number of tables", self.num_tables, "a whole number") < 1:
            raise ValueError(f"number of tables: {self.num_tables}; give 1 or more")
        if self.reward not in ("result", "all_in_value"):
            raise ValueError(f"reward: {self.reward!r} is not one of 'result', 'all_in_value'")
        if self.reward == "all_in_value":
            check_all_in_value(rules)
        if not 0 <= self.one_opponent <= 1:
            raise ValueError(f"one_opponent: {self.one_opponent!r} is not a share of the hands; give 0 to 1")
        if self.levels not in ("first", "all", "sessions"):
            raise ValueError(f"levels: {self.levels!r} is not one of 'first', 'all', 'sessions'")
        if self.levels == "sessions" and rules.session is None:
            raise ValueError("levels: 'sessions' is for rules with a session, and these have none")
        if self.levels == "all" and rules.record["phases"][0] > 1:
            raise ValueError("levels: 'all' is for sessions without phases")


class SeatedTables:
    """`num_tables` tables; the learner has seat (first_table + i) % seats of table i, agents have the others.

    itself: the agent among the opponents that stands for the learner; seats for which it is drawn learn, too. None:
    there is no such agent. sitting: the number of hands in a row in which the same agents have the seats of a table;
    1: they are drawn for each hand.

    records: (N,) TABLE records. learner_seats: (N,) int64. agents: the opponents.
    """

    def __init__(self, seating: Seating, itself: Agent | None = None, sitting: int = 1) -> None:
        rules, num_tables = as_rules(seating.rules), seating.num_tables
        self.rules = rules
        self.plays_sessions = seating.levels == "sessions"
        self._by_all_in_value = seating.reward == "all_in_value"
        levels_played = len(rules.stages) if seating.levels == "all" else 1
        self._levels: NDArray[np.int64] = np.arange(num_tables) // rules.seats % levels_played
        self.observation_encoder = get_observation(seating.observation)
        self.action_encoder = get_actions(seating.actions, rules)
        self.first_table = seating.first_table
        self.learner_seats: NDArray[np.int64] = (self.first_table + np.arange(num_tables)) % rules.seats
        self.records = record.new_records(record.TABLE, num_tables)
        self._queue: NDArray[np.int64] = np.zeros(num_tables, np.int64)
        self._owners: NDArray[np.int64] = np.zeros((num_tables, rules.seats), np.int64)
        self._all = np.arange(num_tables)
        self._log = record.new_log(listening=False)
        self._begun = False
        self._one_opponent = round(seating.one_opponent * learner_turns.WHOLE)
        self.itself = itself
        self.sitting = whole_number("sitting", sitting, "a whole number of hands")
        if self.sitting < 1:
            raise ValueError(f"sitting: {sitting} hands; give 1 or more")
        if self.sitting > 1 and rules.session is not None:
            raise ValueError("sitting: hands of a sitting stand alone, with fresh stacks; these rules have a session")
        self.set_opponents(seating.opponents)

    def __repr__(self) -> str:
        return one_line(self, f"{self._all.size:,} tables", self.rules, self.observation_encoder, self.action_encoder)

    @property
    def num_tables(self) -> int:
        return self._all.size

    def set_opponents(self, opponents: OpponentsLike) -> None:
        """Replace the opponents, from now on and in the running hands too.

        Raises ValueError, and changes nothing, for an unknown name, an empty list or invalid weights.
        """
        pairs = weighted_agents(opponents, self.rules)
        self.agents = [agent for agent, _ in pairs]
        self._sealed = [SealedAgent(agent) for agent in self.agents]
        self._itself = next((k for k, agent in enumerate(self.agents) if agent is self.itself), learner_turns.NO_AGENT)
        shares = np.array([share for _, share in pairs], np.float64)
        self._thresholds = np.round(np.cumsum(shares) * learner_turns.WHOLE).astype(np.int64)
        self._thresholds[-1] = learner_turns.WHOLE
        self._starts = np.zeros(len(pairs) + 1, np.int64)
        self._seat_agents()

    def _seat_agents(self) -> None:
        learner_turns.seat_agents(
            self.records,
            self.rules.record,
            self.learner_seats,
            self._thresholds,
            self._itself,
            self._one_opponent,
            self.sitting,
            self._owners,
        )

    def _deal(self, seed: int | None) -> None:
        """Abandon the running hands and deal the next ones; with a seed, from hand 0 of every table."""
        if seed is not None or not self._begun:
            batch.number_tables(self.records, checked_seed(seed), self.first_table, self.rules.seats - 1)
            self.records["stage"] = self.records["blind_level"] = self._levels
        self._begun = True
        batch.deal_hands(self.records, self.rules.record, self._log, self._all)
        self._seat_agents()

    def _records_as_bytes(self) -> NDArray[np.uint8]:
        return np.ascontiguousarray(self.records).view(np.uint8).reshape(self._all.size, -1).copy()


def check_state(ours: dict[str, Any], state: Any) -> None:
    """Raise ValueError if a state is of other tables than those whose state is `ours`."""
    for name, values in ours.items():
        if name not in state or state[name].shape != values.shape or state[name].dtype != values.dtype:
            raise ValueError(f"the state is of other tables: {name!r} does not fit {values.shape}")
