"""Which hands are taken for the same: `CardAbstraction`, buckets of hands on every street of Texas hold'em."""

from __future__ import annotations

from hashlib import sha256
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...cards.combos import COMBO_OF, COMBOS
from ...cards.text import CARDS, Cards
from ...compiled.scalars import Ints
from ...equities.holdem import BOARD_SIZES
from ...game.rules import Rules
from ...game.street_names import STREETS
from ...utils.suggestions import suggestion
from ...utils.validation import whole_number
from .boundaries import KINDS, limits_of
from .dealing import FLOP, LAST, PREFLOP, TURN, DealTables, river_buckets, rivers_buckets
from .filling import NO_BUCKET, BucketTable, Progress, load_rows, path_of, save_rows
from .isomorphism import PREFLOP_CLASS, PREFLOP_CLASSES, RENAMED_COMBOS, board_numbers, boards, canonical_board

SIZES = BOARD_SIZES  # cards on the board, by street
MAX_BUCKETS = 4096
FILL_FROM = 1 / 3  # the part of a table that is filled board by board; after that it is filled whole
FORMAT = 1  # goes up when buckets of the same configuration become others


class CardAbstraction:
    """Buckets of hands: before the flop the 169 classes, without loss; then this many buckets on each street.

    Buckets are numbered from the weakest up. Renaming the suits of the board and the hand leaves a bucket as it is. The
    tables of flop and turn are filled board by board on demand, or whole by `fill_all`, which keeps them on disk.

    Args:
        kind: "strength": quantiles of the mean share against a random hand. "potential": k-means over the distributions
            of that share over the run-outs, by the earth mover's distance. "ranges": the same, and on the river also
            the share against a typical range.
        flop, turn, river: Number of buckets, 1 to 4,096.

    Raises:
        ValueError: If the kind is unknown, or a number of buckets is outside 1 to 4,096.
        TypeError: If a number of buckets is not an integer.
    """

    def __init__(self, kind: str = "potential", flop: int = 200, turn: int = 200, river: int = 200) -> None:
        if kind not in KINDS:
            raise ValueError(f"cards: there is no kind {kind!r}: {suggestion(str(kind), list(KINDS))}")
        self.kind = kind
        self.flop, self.turn, self.river = (
            _bucket_count(name, given) for name, given in zip(STREETS[1:], (flop, turn, river))
        )
        self._tables: dict[int, BucketTable] = {}

    @classmethod
    def from_config(cls, config: dict[str, Any]) -> CardAbstraction:
        """Make the abstraction of plain data, as `config` gives it and YAML files have it."""
        return cls(**config)

    @staticmethod
    def check_rules(rules: Rules) -> None:
        """Raise ValueError for a game whose cards are not Texas hold'em's: another deck, board, ranking, hi-lo."""
        if differences := rules.hand_differences():
            raise ValueError(
                "cards: buckets of hands are for Texas hold'em with its 52 cards; this game differs from it in "
                f"{', '.join(differences)}"
            )

    def config(self) -> dict[str, Any]:
        """The arguments as plain data: `CardAbstraction.from_config` takes it."""
        return {"kind": self.kind, "flop": self.flop, "turn": self.turn, "river": self.river}

    @property
    def bucket_counts(self) -> NDArray[np.int64]:
        """(4,) number of buckets of each street."""
        return np.array([PREFLOP_CLASSES, self.flop, self.turn, self.river])

    @property
    def digest(self) -> str:
        """16 hex digits that tell these buckets from others."""
        return _digest(" ".join(self._street_digest(street) for street in (FLOP, TURN, LAST)).encode())

    def __eq__(self, other: object) -> bool:
        return isinstance(other, CardAbstraction) and self.config() == other.config()

    def __hash__(self) -> int:
        return hash(tuple(self.config().values()))

    def __repr__(self) -> str:
        return f"CardAbstraction({self.kind!r}, flop={self.flop}, turn={self.turn}, river={self.river})"

    def buckets(self, street: int, board: Any = ()) -> NDArray[np.int16]:
        """Return the bucket of each hand, (1326,) int16, -1 where it holds a card of the board.

        A new flop takes some 20 ms, a turn one, a river 15 µs.

        Args:
            street: 0 (preflop) to 3 (river).
            board: The 0, 3, 4 or 5 cards on it, in any order, as numbers or text.

        Raises:
            ValueError: If street and board do not fit, or cards are invalid or repeated.
        """
        cards = _board_cards(street, board)
        if street == PREFLOP:
            return PREFLOP_CLASS.astype(np.int16)
        if street == LAST:
            buckets = np.empty(COMBOS, np.int16)
            river_buckets(np.array(cards, np.int64), self._limits(LAST), buckets)
            return buckets
        row, renamed = canonical_board(cards)
        found = self._table(street).row(row)[renamed].astype(np.int32)
        return np.where(found == NO_BUCKET, -1, found).astype(np.int16)

    def hand_buckets(self, holes: Ints, board: Ints, dealt: Ints) -> NDArray[np.int16]:
        """Return the buckets of hands at many tables on the streets so far, (K, 4) int16; -1 on later streets. Once a
        third of a table is filled, the rest follows, and it is kept on disk.

        holes: (K, 2) cards. board: (K, 5), of which the first dealt[k], 0, 3, 4 or 5, lie on the table.
        """
        found = np.full((len(holes), len(SIZES)), -1, np.int16)
        holes, board = holes.astype(np.int64), board.astype(np.int64)
        combos = COMBO_OF[holes[:, 0], holes[:, 1]]
        found[:, PREFLOP] = PREFLOP_CLASS[combos]
        for street in (FLOP, TURN):
            on = np.flatnonzero(dealt >= SIZES[street])
            if not on.size:
                continue
            table = self._table(street)
            numbers = board_numbers(np.sort(board[on, : SIZES[street]], axis=1))
            rows, renamings = table.boards.row[numbers], table.boards.renaming[numbers]
            if not table.filled[rows].all():
                for row in np.unique(rows[~table.filled[rows]]).tolist():
                    table.row(row)
                if table.filled.mean() > FILL_FROM:
                    self._fill(street, 1, None)
            found[on, street] = table.rows[rows, RENAMED_COMBOS[renamings, combos[on]]]
        rivers = np.flatnonzero(dealt >= SIZES[LAST])
        values = np.empty(len(rivers), np.int16)
        rivers_buckets(self._limits(LAST), holes[rivers], board[rivers], values)
        found[rivers, LAST] = values
        return found

    def fill_all(self, threads: int = 1, progress: Progress | None = None) -> None:
        """Fill the tables of flop and turn, or read them from the disk, where they are kept from now on.

        It takes about 50 s on one core.

        Args:
            threads: How many fill them side by side.
            progress: Called with (boards done, boards in all) of the current street.
        """
        for street in (FLOP, TURN):
            self._fill(street, threads, progress)

    def _fill(self, street: int, threads: int, progress: Progress | None) -> None:
        table = self._table(street)
        if not table.is_whole:
            table.fill(threads, progress)
            save_rows(table.rows, path_of(self._street_digest(street)))

    def deal_tables(self, threads: int = 1, progress: Progress | None = None) -> DealTables:
        """What `deal_buckets` reads; fills the tables first (`fill_all`)."""
        self.fill_all(threads, progress)
        flops, turns = boards(SIZES[FLOP]), boards(SIZES[TURN])
        rows = [self._table(street).rows.view(np.ndarray) for street in (FLOP, TURN)]
        arrays = (*rows, flops.row, flops.renaming, turns.row, turns.renaming, self._limits(LAST))
        views = [array.view() for array in arrays]
        for view in views:
            view.flags.writeable = False
        return DealTables(*views)

    def _table(self, street: int) -> BucketTable:
        """The table of the flop or the turn: from the disk if it is there, or with nothing in it yet."""
        if street not in self._tables:
            size = SIZES[street]
            rows = load_rows(path_of(self._street_digest(street)), len(boards(size).cards))
            self._tables[street] = BucketTable(size, self._limits(street), rows)
        return self._tables[street]

    def _limits(self, street: int) -> NDArray[np.int32]:
        return limits_of(self.kind, SIZES[street], int(self.bucket_counts[street]))

    def _street_digest(self, street: int) -> str:
        limits = self._limits(street)
        return _digest(f"{FORMAT} {self.kind} {street} {limits.shape}".encode() + limits.astype("<i4").tobytes())


def _digest(content: bytes) -> str:
    return sha256(content).hexdigest()[:16]


def _bucket_count(name: str, given: Any) -> int:
    count = whole_number(name, given, f"the number of buckets, 1 to {MAX_BUCKETS:,}")
    if not 1 <= count <= MAX_BUCKETS:
        raise ValueError(f"{name}: {count:,} buckets cannot be; give 1 to {MAX_BUCKETS:,}")
    return count


def _board_cards(street: int, board: Any) -> tuple[int, ...]:
    if street not in range(len(SIZES)):
        raise ValueError(f"street: {street!r} is none of 0 (preflop), 1 (flop), 2 (turn), 3 (river)")
    cards = tuple(Cards(board))
    if len(cards) != SIZES[street]:
        raise ValueError(f"board: the {STREETS[street]} has {SIZES[street]} cards, not {len(cards)}")
    if len(set(cards)) < len(cards) or min(cards, default=0) < 0 or max(cards, default=0) >= CARDS:
        raise ValueError(f"board: {cards} must be different cards, all known")
    return cards
