"""Hands as arrays, some twenty bytes each: cards, moves and results of Texas hold'em, one compressed .npz file. What an
agent saw is not in it; `decisions` plays the hands again, thousands together, and gives the tables before each move.

    hands = load_hands("hands.npz")
    for tables, rows, numbers, moves in hands.decisions():
        ...                                 # observe tables[rows]; moves are what was played there
    seen = hands.examples("flat", "fcpa")   # or all of it, as encoders give it
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, fields
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ..cards.text import CARDS, UNKNOWN
from ..compiled.records import Records
from ..encoders import ActionEncoder, BoxActionEncoder, ObservationEncoder, get_actions, get_observation
from ..encoders.decoding import nearest_action
from ..engine import batch, record
from ..engine.batch import NO_MOVE
from ..engine.record import MAX_MOVES
from ..game.rules import Rules
from ..utils.array_files import check_range, load_arrays, save_arrays

SUFFIX = ".npz"
KIND = "hands 1"
HOLE, BOARD = 2, 5
BOARD_AT = (1, 2, 3, 5, 7)
"""Where the board's cards lie in the deck behind the hole cards; a card is burnt before each street (R4)."""
AT_ONCE = 4096
FIELDS = {
    "deal": "number of the deal: hands of the same number have the same deck",
    "seating": "which agent sat in each seat, a number in `agents`",
    "button": "the seat with the button",
    "hole": "two cards of each seat; a card is 4 x rank + suit, from 0 (2c) to 51 (As)",
    "board": "the cards that were dealt, -1 behind them",
    "payoff": "what each seat won net, in chips",
    "first_move": "where the hand's moves begin in `move`; one more than hands",
    "move": "all moves in order: -1 folds, 0 checks or calls, a positive number is the street total in chips to raise "
    "to",
}
"""What each array holds."""
FORMS = {
    "deal": "int64 N",
    "seating": "int16 N S",
    "button": "int8 N",
    "hole": f"int8 N S {HOLE}",
    "board": f"int8 N {BOARD}",
    "payoff": "int32 N S",
    "first_move": "int64 N+1",
    "move": "int32 M",
}
MOST_CHIPS = 2**31  # at a table


class Decisions(NamedTuple):
    """Decisions at the same time in several hands.

    Attributes:
        tables: TABLE records before the moves.
        rows: (K,) int64, rows of `tables`.
        hands: (K,) int64, numbers of the hands.
        moves: (K,) int64, the engine moves that were made.
    """

    tables: Records
    rows: NDArray[np.int64]
    hands: NDArray[np.int64]
    moves: NDArray[np.int64]


class Examples(NamedTuple):
    """K decisions as learners take them.

    Attributes:
        observation: `(K, *shape)` float32.
        mask: (K, A) bool, the actions that were offered.
        action: (K,) int64, the action that was made, or the nearest.
        hand: (K,) int64, numbers of the hands.
    """

    observation: NDArray[np.float32]
    mask: NDArray[np.bool_]
    action: NDArray[np.int64]
    hand: NDArray[np.int64]


@dataclass(frozen=True)
class HandArrays:
    """N hands at tables of S seats, with M moves in all; stacks are fresh in each hand.

    FIELDS says what each array holds.

    Attributes:
        deal: (N,) int64.
        seating: (N, S) int16.
        button: (N,) int8.
        hole: (N, S, 2) int8.
        board: (N, 5) int8.
        payoff: (N, S) int32, chips.
        first_move: (N + 1,) int64.
        move: (M,) int32, chips.
        rules: The game.
        agents: Names of the agents.
        about: Further facts, plain data.
    """

    deal: NDArray[np.int64]
    seating: NDArray[np.int16]
    button: NDArray[np.int8]
    hole: NDArray[np.int8]
    board: NDArray[np.int8]
    payoff: NDArray[np.int32]
    first_move: NDArray[np.int64]
    move: NDArray[np.int32]
    rules: Rules
    agents: tuple[str, ...]
    about: dict[str, Any] = field(default_factory=dict)

    @classmethod
    def of(cls, tables: Records, rules: Rules, seating: NDArray[np.int64], agents: Sequence[str]) -> HandArrays:
        """Of tables whose hands are over. Hands of more moves than a record remembers are left out."""
        known = tables["moves"] <= MAX_MOVES
        tables, seating = tables[known], seating[known]
        moves, seats = tables["moves"].astype(np.int64), rules.seats
        dealt = np.arange(BOARD) < tables["board_count"][:, None]
        return cls(
            tables["table_id"].astype(np.int64),
            seating.astype(np.int16),
            tables["button"].astype(np.int8),
            tables["hole"][:, :seats, :HOLE].astype(np.int8),
            np.where(dealt, tables["board"][:, :BOARD], UNKNOWN).astype(np.int8),
            (tables["seats"]["stack"] - tables["start_stack"])[:, :seats].astype(np.int32),
            np.concatenate([[0], np.cumsum(moves)]),
            tables["made"]["move"][np.arange(MAX_MOVES) < moves[:, None]].astype(np.int32),
            rules,
            tuple(agents),
        )

    def __len__(self) -> int:
        return len(self.deal)

    @property
    def arrays(self) -> dict[str, NDArray[Any]]:
        return {each.name: getattr(self, each.name) for each in fields(self) if each.name in FIELDS}

    def decisions(self, hands: NDArray[np.int64] | None = None, at_once: int = AT_ONCE) -> Iterator[Decisions]:
        """Play hands again, by default all, and give the decisions: the first of `at_once` hands, their second, and so
        on. The tables are used again: copy what is to be kept. Raises ValueError for an illegal move."""
        numbers = np.arange(len(self)) if hands is None else np.asarray(hands, np.int64)
        log = record.new_log(listening=False)
        for first in range(0, len(numbers), at_once):
            some = numbers[first : first + at_once]
            tables, counts = self.dealt(some), np.diff(self.first_move)[some]
            for step in range(int(counts.max(initial=0))):
                rows = np.flatnonzero(counts > step)
                moves = self.move[self.first_move[some[rows]] + step].astype(np.int64)
                if (k := batch.first_illegal(tables, self.rules.record, rows, moves)) >= 0:
                    raise ValueError(f"hand {some[rows[k]]}: move {step + 1}, {moves[k]}, is illegal")
                yield Decisions(tables, rows, some[rows], moves)
                batch.play_moves(tables, self.rules.record, log, rows, moves)

    def examples(
        self,
        observation: str | ObservationEncoder = "flat",
        actions: str | ActionEncoder | None = None,
        hands: NDArray[np.int64] | None = None,
        agent: int | None = None,
    ) -> Examples:
        """Return what was seen and done in hands.

        Args:
            observation: The observation encoder.
            actions: The action encoder; None for the game's default.
            hands: Numbers of the hands. By default all.
            agent: Only this agent's decisions, a number in `agents`.

        Raises:
            ValueError: If the actions are continuous.
        """
        observe, encoder, record_of = get_observation(observation), get_actions(actions, self.rules), self.rules.record
        if isinstance(encoder, BoxActionEncoder):
            raise ValueError("examples: actions must have an index, such as those of 'fcpa'")
        found = []
        for tables, rows, numbers, moves in self.decisions(hands):
            seats = tables["actor"][rows].astype(np.int64)
            own = slice(None) if agent is None else self.seating[numbers, seats] == agent
            rows, seats, numbers, moves = rows[own], seats[own], numbers[own], moves[own]
            seen = np.empty((len(rows), *observe.shape(self.rules)), np.float32)
            observe.observe(tables, record_of, rows, seats, seen)
            offered = np.empty((len(rows), encoder.size(self.rules)), np.int64)
            encoder.choose(tables, record_of, rows, offered)
            made = [nearest_action(*each) for each in zip(offered, moves.tolist(), strict=True)]
            found.append(Examples(seen, offered != NO_MOVE, np.array(made, np.int64), numbers))
        return Examples(*(np.concatenate(arrays) for arrays in zip(*found, strict=True)))

    def dealt(self, hands: NDArray[np.int64]) -> Records:
        """(K,): tables at which hands begin, posted and dealt. Cards that nobody saw are others than then."""
        tables = record.new_records(record.TABLE, len(hands))
        batch.number_tables(tables, 0, 0, 0)
        tables["hand"] = 0
        tables["button"] = self.button[hands]
        tables["seats"]["stack"][:, : self.rules.seats] = self.rules.starting_stacks
        tables["deck"][:, :CARDS] = self._decks(hands)
        batch.start_hands(tables, self.rules.record, record.new_log(listening=False))
        return tables

    def _decks(self, hands: NDArray[np.int64]) -> NDArray[np.int64]:
        """(K, 52): decks that deal the hands: one card at a time, the button last, then the board."""
        seats = self.rules.seats
        order = (self.button[hands, None] + 1 + np.arange(seats)) % seats
        hole = self.hole[hands[:, None], order].swapaxes(1, 2).reshape(len(hands), -1)
        front = np.full((len(hands), CARDS), UNKNOWN, np.int64)
        front[:, : HOLE * seats] = hole
        front[:, HOLE * seats + np.array(BOARD_AT)] = self.board[hands]
        used = np.zeros((len(hands), CARDS + 1), np.bool_)  # the last column takes what is unknown
        np.put_along_axis(used, front, True, axis=1)
        places, cards = front == UNKNOWN, ~used[:, :CARDS]
        front[places] = np.nonzero(cards)[1]
        return front


def check_arrays(rules: Rules) -> None:
    """Raise ValueError for games whose hands these arrays do not hold."""
    if not rules.is_texas_holdem or rules.session is not None or rules.dealer_errors is not None:
        raise ValueError("hands as arrays: the game must be single hands of Texas hold'em without dealer's errors")
    check_chips(sum(rules.starting_stacks))


def check_chips(chips: int) -> None:
    """Raise ValueError unless all stacks of a table together fit the arrays' 32 bits."""
    if chips >= MOST_CHIPS:
        raise ValueError(f"arrays: all stacks together must be below {MOST_CHIPS:,} chips, got {chips:,}")


def joined(parts: Sequence[HandArrays], about: dict[str, Any] | None = None) -> HandArrays:
    """Hands of the same game and agents, one after the other."""
    arrays = {name: np.concatenate([part.arrays[name] for part in parts]) for name in FIELDS if name != "first_move"}
    counts = np.concatenate([np.diff(part.first_move) for part in parts])
    first = np.concatenate([[0], np.cumsum(counts)])
    return HandArrays(**arrays, first_move=first, rules=parts[0].rules, agents=parts[0].agents, about=about or {})


def save_hands(hands: HandArrays, path: str | Path) -> None:
    """Write hands to a compressed .npz file.

    Raises:
        OSError: If the file cannot be written.
    """
    rules = hands.rules.model_dump(mode="json", exclude_unset=True)
    save_arrays(path, KIND, {"rules": rules, "agents": list(hands.agents), "about": hands.about}, hands.arrays)


def load_hands(path: str | Path) -> HandArrays:
    """Read hands from a file written by `holdem data hands`.

    Raises:
        FileNotFoundError: If the file does not exist.
        ValueError: If the file holds no hands. That moves are legal is checked when they are played (`decisions`).
    """
    return load_arrays(path, KIND, FORMS, _read)


def _read(header: dict[str, Any], arrays: dict[str, NDArray[Any]]) -> HandArrays:
    """The hands of a file. Raises for what they cannot be."""
    rules, agents, about = Rules(**header["rules"]), tuple(header["agents"]), dict(header["about"])
    check_arrays(rules)
    if not all(isinstance(name, str) for name in agents):
        raise ValueError(f"`agents` must be names, got {header['agents']}")
    first, button, cards = arrays["first_move"], arrays["button"], _cards_of(arrays)
    if arrays["seating"].shape[1] != rules.seats:
        raise ValueError(f"`seating` must be of {rules.seats} seats, got {arrays['seating'].shape[1]}")
    check_range("seating", arrays["seating"], 0, len(agents) - 1)
    check_range("button", button, 0, rules.seats - 1)
    check_range("hole and board", cards, UNKNOWN, CARDS - 1)
    cards = np.sort(cards, axis=1)
    if ((cards[:, 1:] == cards[:, :-1]) & (cards[:, 1:] != UNKNOWN)).any():
        raise ValueError("`hole` and `board` must be different cards")
    if len(first) != len(button) + 1 or first[0] != 0 or first[-1] != len(arrays["move"]):
        raise ValueError(f"`first_move` must be of {len(button) + 1} numbers, 0 to {len(arrays['move'])}")
    check_range("moves of a hand", np.diff(first), 0, MAX_MOVES)
    return HandArrays(**arrays, rules=rules, agents=agents, about=about)


def _cards_of(arrays: dict[str, NDArray[Any]]) -> NDArray[np.int8]:
    """(N, cards): all cards of each hand."""
    hole = arrays["hole"]
    return np.concatenate((hole.reshape(len(hole), -1), arrays["board"]), axis=1)
