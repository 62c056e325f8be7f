"""What can be read from one table: its record, in the words of the game."""

from __future__ import annotations

from collections.abc import Sequence
from typing import SupportsIndex

import numpy as np

from ..cards.text import Cards
from ..engine import batch, record
from ..engine.legality import Legal, legal_moves
from ..game.position_names import Position, seat_positions
from ..game.rules import Rules
from ..game.title import game_title
from ..utils.hooks import hook
from .hand_setup import checked_seat
from .parts import Operation, Posting, Pot, posting_kinds


class TableState:
    """The state of one table: `Table`, all of it, or `SeatView`, what one seat may see.

    rules: the game of the table; `game` are the rules of its hand. log: what has happened, an Operation each.
    """

    rules: Rules
    log: list[Operation]
    _records: record.Records

    @property
    def game(self) -> Rules:
        """The rules of this hand: in a session those of the hand's stage (R19, R39), otherwise `rules`. A Table made by
        itself plays a session's first stage."""
        return self.rules.stages[int(self._records["stage"][0])]

    @property
    def actor(self) -> int | None:
        """The seat to act, or None when the hand is over. With showing="manual" it is, once the betting is over, the
        seat that chooses to `show` or to `muck` (`is_showing`)."""
        actor = int(self._records["actor"][0])
        if actor == record.NOBODY:
            actor = int(self._records["showing"][0]) - 1
        return None if actor == record.NOBODY else actor

    @property
    def is_showing(self) -> bool:
        """Whether `actor` chooses to show or to muck its cards: only with showing="manual" (R29, R30)."""
        return bool(self._records["showing"][0])

    @property
    def legal(self) -> Legal:
        """The moves of the seat to act; none once the betting is over."""
        return legal_moves(self._records)

    @property
    def is_over(self) -> bool:
        """Whether the hand has ended and all chips are back in the stacks."""
        return bool(self._records["over"][0])

    @property
    def street(self) -> int:
        """The betting round: 0 before the flop, 1 flop, 2 turn, 3 river; games with fewer streets stop earlier."""
        return int(self._records["street"][0])

    @property
    def button(self) -> int:
        """The seat with the button."""
        return int(self._records["button"][0])

    @property
    def positions(self) -> dict[int, Position]:
        """The position of each seat that was dealt in: BTN, SB, BB and so on (R11)."""
        t = self._records[0]
        small, big = int(t["small_blind_seat"]), int(t["big_blind_seat"])
        dealt = np.flatnonzero(t["was_dealt"]).tolist()
        return seat_positions(dealt, self.button, None if small == record.NOBODY else small, big)

    @property
    def starting_stacks(self) -> list[int]:
        """Chips per seat before anything was posted."""
        return self._seats("start_stack")

    @property
    def posted(self) -> list[Posting]:
        """What each seat posted before the deal (R6-R10); it stays until the end of the hand."""
        chips = np.empty((3, 1, self.rules.seats), np.int64)
        batch.posted_chips(self._records, self.rules.record, *chips)
        return [
            Posting(posting_kinds(int(self._records["posted"][0, seat])), *chips[:, 0, seat].tolist())
            for seat in range(self.rules.seats)
        ]

    @property
    def stacks(self) -> list[int]:
        """Chips per seat that are not bet: left from the start, returned or won."""
        return self._seats("stack")

    @property
    def bets(self) -> list[int]:
        """Chips per seat bet on this street and not yet collected."""
        return self._seats("bet")

    @property
    def pot(self) -> int:
        """All chips in the middle: the pots and the bets of this street. 0 when the hand is over."""
        return int(self._records["pot"][0])

    @property
    def pots(self) -> list[Pot]:
        """The pots collected on earlier streets, main pot first (R27). The sum of stacks, bets, pots and rake never
        changes (R40)."""
        if self.is_over:
            return []
        collected = self._records.copy()
        collected["seats"]["total"] -= collected["seats"]["bet"]
        contestants = np.zeros((self.rules.seats, self.rules.seats), np.bool_)
        batch.pots_of(collected, self.rules.record, contestants)
        pots = collected["pot_chips"][0, : collected["pots"][0]].tolist()
        return [
            Pot(chips, tuple(np.flatnonzero(seats).tolist()))
            for chips, seats in zip(pots, contestants, strict=False)
            if chips
        ]

    @property
    def rake(self) -> int:
        """Chips that the house took (R31)."""
        return int(self._records["rake"][0])

    @property
    def payoffs(self) -> list[int]:
        """Net chips per seat: the stack now minus the starting stack. When the hand is over, they sum to minus the
        rake, plus the pot given to `from_position`."""
        won = self._records["seats"]["stack"] - self._records["start_stack"]
        return won[0, : self.rules.seats].tolist()  # type: ignore[no-any-return]

    @property
    def board(self) -> Cards:
        """The board cards dealt so far."""
        return Cards(self._records["board"][0, : self._records["board_count"][0]].tolist())

    def hole_cards(self, seat: SupportsIndex) -> Cards:
        """A seat's hole cards, hidden or shown."""
        return Cards(self._records["hole"][0, self._checked_seat(seat), : self.game.hole_cards].tolist())

    def is_folded(self, seat: SupportsIndex) -> bool:
        """Whether the seat has folded."""
        return not self._records["in_hand"][0, self._checked_seat(seat)]

    def is_shown(self, seat: SupportsIndex) -> bool:
        """Whether the seat's cards lie face up for everybody (R25, R29)."""
        return bool(self._records["shown"][0, self._checked_seat(seat)] == record.SHOWN)

    @property
    def exposed(self) -> Cards:
        """The cards that a dealer's error has shown to everybody, lowest first, wherever they are now. After a misdeal
        its exposed cards are no longer listed (R33-R38)."""
        return Cards(np.flatnonzero(self._records["exposed"][0]).tolist())

    @property
    def records(self) -> record.Records:
        """The TABLE record behind this table, in an array of length one. Encoders and agents read it; do not write to
        it."""
        return self._records

    def __str__(self) -> str:
        text: str = hook("table_text")(self._records[0], self.game)
        return text

    def svg(self, seat: SupportsIndex | None = None, names: Sequence[str] = (), theme: str = "auto") -> str:
        """Return the table as a picture: SVG text, for a notebook, a file or a page.

        Args:
            seat: The seat that sees it, drawn at the bottom: hidden cards lie face down. By default all cards are
                drawn, as `print` shows them; of a `SeatView`, what its seat sees.
            names: The names of the seats, one each; by default "Seat 0", "Seat 1" and so on.
            theme: "light", "dark", or "auto", which follows the reader's settings.

        Raises:
            ValueError: If the seat does not exist, the number of names is wrong, or the theme is unknown.
            TypeError: If the seat is not an integer.
        """
        picture: str = hook("table_svg")(self, seat, names, theme)
        return picture

    def _repr_html_(self) -> str:
        return self.svg()

    def __repr__(self) -> str:
        turn = "to show or muck" if self.is_showing else "to act"
        state = "over" if self.is_over else f"seat {self.actor} {turn}"
        game = f"{self.rules.seats} seats, {game_title(self.game)}, street {self.street}"
        return f"<{type(self).__name__}: {game}, {state}>"

    def _seats(self, field: str) -> list[int]:
        return record.column(self._records, field)[0, : self.rules.seats].tolist()  # type: ignore[no-any-return]

    def _checked_seat(self, seat: SupportsIndex) -> int:
        return checked_seat(self.rules, seat)
