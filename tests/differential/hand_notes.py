"""What the comparisons keep of a hand beside both engines: the wagers of a street, the pots as our table paid them."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import NamedTuple


class Game(NamedTuple):
    """Everything that fixes a hand but the moves."""

    rules: dict
    stacks: list[int]
    button: int
    deck: list[int]


class Style(NamedTuple):
    """How often the players of one hand fold, how often they raise, and whether only by the minimum."""

    fold: float
    raise_: float
    smallest: bool


class Wager(NamedTuple):
    """A bet or raise: what it added to the bet, and what a full one would have added at least."""

    added: int
    full: int

    @property
    def is_short(self):
        """An all-in for less than a full bet or raise; in fixed limit also the raise that completes one."""
        return self.added < self.full


@dataclass
class Street:
    """What the predicates need to know of one betting round."""

    fixed: bool
    level: int
    """The bet to match; at the start of the hand that of the blind or straddle."""
    full: int
    """The least full bet or raise."""
    unposted: int = 0
    """R9: how far the largest blind on the table is below the level, because nobody could post it in full."""
    wagers: list[Wager] = field(default_factory=list)
    acted: dict[int, int] = field(default_factory=dict)
    """Who has acted, and what the bet was then."""

    def __post_init__(self):
        self.full_level = self.level
        """R24: the level that a raise in fixed limit is counted from."""

    def note(self, seat, move):
        """Take a move down."""
        if move > 0:
            self.wagers.append(Wager(move - self.level, self.full))
            if 2 * (move - self.full_level) >= self.full:
                self.full_level = move
            if not self.fixed:
                self.full = max(self.full, move - self.level)
            self.level = move
        self.acted[seat] = self.level

    def least(self, all_in):
        """The least total of a raise, by who can go to `all_in` (R16, R22)."""
        return min(self.level + self.full, all_in)

    def has_risen_for(self, seat):
        """R23: whether the bet has risen by a full raise since the seat acted."""
        return self.level - self.acted[seat] >= self.full

    @property
    def shorts(self):
        """How many short all-ins there have been since the last full bet or raise."""
        full = [place for place, wager in enumerate(self.wagers, start=1) if not wager.is_short]
        return len(self.wagers) - max(full, default=0)


class PaidPot(NamedTuple):
    """A pot: all who put `level` chips into the hand played for it, and the winners have these shares."""

    level: int
    shares: dict[int, int]


def live_seats(table):
    """Who has not folded."""
    return [seat for seat in range(table.rules.seats) if not table.is_folded(seat)]


def paid_pots(table):
    """The pots, main pot first (R27)."""
    totals = table.records["seats"]["total"][0].tolist()
    pots = [PaidPot(level, {}) for level in sorted({totals[seat] for seat in live_seats(table)})]
    for operation in table.log:
        if operation.kind == "push_pot":
            shares = pots[operation.pot].shares
            shares[operation.seat] = shares.get(operation.seat, 0) + operation.amount
    return pots


def payoffs_before(table):
    """The payoffs as they were when nobody had been paid yet."""
    payoffs = table.payoffs
    for pot in paid_pots(table):
        for seat, share in pot.shares.items():
            payoffs[seat] -= share
    return payoffs
