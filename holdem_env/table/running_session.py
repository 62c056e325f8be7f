"""RunningSession: a session between two hands, and what its players may do there (R10, R12, R39, R40).

`Session` and the PettingZoo environment both play with it.
"""

from __future__ import annotations

import copy
import operator
from collections.abc import Sequence
from typing import Any, NamedTuple, Self, SupportsIndex

import numpy as np
from numpy.typing import NDArray

from ..engine import record, session_kernels
from ..game.rule_checks import check_total
from ..game.rules import Rules
from ..game.session_rules import Level, SessionRules
from .prizes import final_places, prizes_of


class SessionError(ValueError):
    """An operation that is not possible now. The message says why; the session is unchanged."""


def named_phase(what: str, rules: Rules, game: str | int | None) -> int:
    """The phase whose game somebody names, by its name or number (R19); SCHEDULE for None. Raises SessionError for a
    game that the session does not declare. what: the operation."""
    names = rules.phase_names
    if game is None:
        return session_kernels.SCHEDULE
    if isinstance(game, str) and game in names:
        return names.index(game)
    if not isinstance(game, str) and 0 <= operator.index(game) < len(names):
        return operator.index(game)
    declared = ", ".join(f"{k} {name!r}" for k, name in enumerate(names)) or "none, because it has no phases"
    raise SessionError(f"{what}: the session has no game {game!r}; those it declares are {declared}")


class Result(NamedTuple):
    """What became of one player of a tournament (R39)."""

    seat: int
    """Where the player sat."""
    place: int
    """The finishing place; 1 is the winner. Each player who enters later moves it down by one."""


class RunningSession:
    """The record of a session's table, and the books that the engine does not keep: who brought and took how many
    chips, and what became of the players. It deals no hands: its owner does, and calls `close_hand` after each.

    rules: the game, with a session.
    records: (1,) TABLE, the table's record. `begin` and all operations write to it. The owner may replace it.

    Views of the record: row, the record itself; stacks, start_stacks: (seats,) int64 chips, now and when the latest
    hand began.

    brought_in, taken_away: all chips that came to the table and left it so far, the latter with the rake (R40).
    """

    def __init__(self, rules: Rules, records: record.Records) -> None:
        self.rules = rules
        self.session_rules = rules.session or SessionRules()
        self.has_prizes = self.session_rules.kind == "tournament" and bool(self.session_rules.prizes)
        self._has_rake = any(stage.rake is not None for stage in rules.stages)
        self._rules = rules.record
        self.records = records

    @property
    def records(self) -> record.Records:
        """The table's record, in an array of length one."""
        return self._records

    @records.setter
    def records(self, records: record.Records) -> None:
        self._records = records
        self._make_views()

    def _make_views(self) -> None:
        """Make the views of the record once: making a view takes longer than applying a rule."""
        seats = self.rules.seats
        self.row: Any = self._records[0]
        self.stacks: NDArray[np.int64] = self._records["seats"]["stack"][0, :seats]
        self.start_stacks: NDArray[np.int64] = self._records["start_stack"][0, :seats]
        self._places: NDArray[np.int8] = self._records["place"][0, :seats]

    def __getstate__(self) -> dict[str, Any]:
        views = ("row", "stacks", "start_stacks", "_places")
        return {name: value for name, value in self.__dict__.items() if name not in views}

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__.update(state)
        self._make_views()  # a copied view is not a view of the copied records

    # Hands

    def begin(self, seed: int, stacks: Sequence[int] | None = None, button: int | None = None) -> None:
        """Seat the players; the next hand is the session's first.

        stacks: chips per seat, 0 for an empty seat; None: the rules' starting stacks. button: None: the session's.
        """
        session_kernels.begin_sessions(self._records, self._rules, seed, 0)
        if button is not None:
            self.row["button"] = button
        if stacks is not None:
            self.stacks[:] = stacks
            for seat, stack in enumerate(stacks):
                if not stack:
                    self.row["presence"][seat] = record.NOT_THERE
            self.row["players_left"] = sum(stack > 0 for stack in stacks)
        self.begin_books(self.chips())

    def begin_books(self, stacks: Sequence[int]) -> None:
        """Begin only the books, for an owner whose kernel seats the players. stacks: chips per seat."""
        self._bought = list(stacks)  # by the player who has the seat, or had it last; _cashed, too
        self._cashed = [0] * self.rules.seats
        self.brought_in, self.taken_away = sum(self._bought), 0
        self._results: list[Result] = []
        self._result_of: dict[int, int] = {}  # seat -> the position in `_results` of who sat there last
        self._last_payouts: list[float] | None = None  # of prizes, once the session is over
        self._has_absent = False  # whether anybody has sat out

    def close_hand(self) -> bool:
        """After a hand: rebuys, places, the books. Returns whether the session is over, or has too few players."""
        before = self.chips()
        over = bool(session_kernels.close_hands(self._records, self._rules))
        self.note_hand([now - then for now, then in zip(self.chips(), before, strict=True)], self._places.tolist())
        return over

    def note_hand(self, rebuys: Sequence[int], places: Sequence[int]) -> None:
        """Write a hand into the books that its owner's kernel has closed. rebuys: chips; places: both by seat."""
        if self._has_rake:
            self.taken_away += int(self.row["rake"])
        if self.session_rules.rebuy:
            self.brought_in += sum(rebuys)
            self._bought = [bought + more for bought, more in zip(self._bought, rebuys, strict=True)]
        self._note_results(places)

    def chips(self) -> list[int]:
        """The chips of each seat, as a new list."""
        return self.stacks.tolist()  # type: ignore[no-any-return]

    @property
    def is_over(self) -> bool:
        """Whether all hands have been played, or one player has all the chips."""
        return bool(self.row["session_over"])

    @property
    def hands_played(self) -> int:
        """The number of hands that are over."""
        return int(self.row["session_hands"])

    @property
    def can_deal(self) -> bool:
        """Whether the session goes on: it is not over, and there are two players for a hand."""
        return bool(session_kernels.can_go_on(self._records, self._rules))

    @property
    def is_abandoned(self) -> bool:
        """Whether a tournament's hands would be played by nobody: all who are left sit out."""
        if not self._has_absent or self.session_rules.kind == "cash":
            return False
        return bool((self.row["presence"][: self.rules.seats][self.stacks > 0] == record.AWAY).all())

    def end(self) -> None:
        """End the session now. As after the last of a given number of hands, who is still in is placed by chips."""
        self.row["session_over"] = 1
        self._note_results(self._places.tolist())

    def after_this_hand(self) -> Self:
        """A copy between hands, as if the running hand ended with the stacks with which it began. Operations that fail
        there will fail when the hand is over, unless the hand itself changes that."""
        later = self.copy()
        later.stacks[:] = later.start_stacks
        later.row["session_hands"] += 1
        later.row["session_over"] = later.hands_played == self.session_rules.num_hands
        return later

    def copy(self) -> Self:
        """An independent session in the same state."""
        twin = copy.copy(self)
        twin.records = self._records.copy()
        twin._bought, twin._cashed = self._bought.copy(), self._cashed.copy()
        twin._results, twin._result_of = self._results.copy(), self._result_of.copy()
        return twin

    # What became of the players

    @property
    def places(self) -> list[int]:
        """The finishing place of the player who sits or sat last in each seat; see Session.places."""
        return [self.place_of(seat) for seat in range(self.rules.seats)]

    def place_of(self, seat: int) -> int:
        """The finishing place of the player who sits or sat last in a seat; 0 for one who is still in."""
        return self._results[self._result_of[seat]].place if seat in self._result_of else 0

    @property
    def results(self) -> list[Result]:
        """What became of every player who has a place, in the order in which they went out; a copy."""
        return self._results.copy()

    def payouts(self, stacks: Sequence[int]) -> list[float]:
        """What each seat has won so far; see Session.payouts. stacks: the chips after the latest hand that is over."""
        return self._payouts(stacks, over=False) if self._last_payouts is None else self._last_payouts.copy()

    def prizes_paid(self) -> list[float]:
        """The prize of each seat so far: of the players who have a place, and of all once the session is over."""
        return self.payouts(self.chips())

    def _note_results(self, places: Sequence[int]) -> None:
        """Write down who has just got a place, the worst place first, and at the end what the session pays (R39)."""
        if any(places):
            fresh = [Result(seat, place) for seat, place in enumerate(places) if place and seat not in self._result_of]
            for result in sorted(fresh, key=lambda result: -result.place):
                self._result_of[result.seat] = len(self._results)
                self._results.append(result)
        if self.has_prizes and self.row["session_over"] and self._last_payouts is None:
            self._last_payouts = self._payouts(self.chips(), over=True)

    def _payouts(self, stacks: Sequence[int], over: bool) -> list[float]:
        seats = range(self.rules.seats)
        if not self.has_prizes:
            return [float(stacks[seat] + self._cashed[seat] - self._bought[seat]) for seat in seats]
        still_in = [seat for seat in seats if stacks[seat] and seat not in self._result_of]
        places = np.array([result.place for result in self._results] + [0] * len(still_in), np.int64)
        if over:
            places = final_places(places, [0] * len(self._results) + [stacks[seat] for seat in still_in])
        prizes = prizes_of(places, self.session_rules.prizes).tolist()
        prize_of = {seat: prizes[k] for seat, k in self._result_of.items()}
        prize_of |= dict(zip(still_in, prizes[len(self._results) :], strict=True))
        return [prize_of.get(seat, 0.0) for seat in seats]

    # Joining and leaving, between hands. Session says what each does; all raise SessionError, and change nothing, if
    # it is impossible, and ValueError for more chips than a table holds.

    def join(self, seat: int, chips: SupportsIndex, post: bool = True) -> None:
        """Sit down in an empty seat."""
        if self.is_over:
            raise SessionError("join: the session is over")
        if self.row["presence"][self.checked(seat)] != record.NOT_THERE:
            raise SessionError(f"join: seat {seat} is taken")
        self._bring(seat, chips, "join")
        self._bought[seat], self._cashed[seat] = operator.index(chips), 0
        late = self.session_rules.kind == "cash" and self.hands_played > 0
        self.row["presence"][seat] = record.WAITING if late else record.PRESENT
        self.row["was_dealt"][seat] = 0  # the cards of the last hand were another player's
        self.row["owes"][seat] = record.OWES_BIG if late else 0
        self.row["comes_back"][seat] = record.BY_POSTING if post else record.WITH_THE_BIG_BLIND
        self.row["place"][seat] = 0
        self._result_of.pop(seat, None)
        self._results = [Result(out, place + 1) for out, place in self._results]  # R39: one player more

    def leave(self, seat: int) -> int:
        """Leave the table with all chips. Returns how many."""
        self._seated(seat, "leave")
        chips = int(self.stacks[seat])
        session_kernels.leave_table(self._records, self._rules, seat)
        self.taken_away += chips
        self._cashed[seat] += chips
        self._note_results(self._places.tolist())
        return chips

    def set_blinds(self, level: Level) -> None:
        """Play at this blind level from the next hand on; it takes the place of all levels of the session."""
        rules = self.rules.replace(session=self.session_rules.model_copy(update={"levels": (level,)}))
        self.rules, self._rules, self.session_rules = rules, rules.record, rules.session or SessionRules()
        self.row["blind_level"] = self.row["blind_level_hands"] = 0
        self.row["stage"] = self.row["phase"]

    def top_up(self, seat: int, chips: SupportsIndex) -> None:
        self._seated(seat, "top_up")
        if self.session_rules.kind == "tournament" and not self.session_rules.rebuy:
            raise SessionError("top_up: not allowed in a tournament without rebuys")
        self._bring(seat, chips, "top_up")

    def sit_out(self, seat: int) -> None:
        """Sit out from the next hand on."""
        self._seated(seat, "sit_out")
        self._has_absent = True
        self.row["presence"][seat] = record.AWAY

    def sit_in(self, seat: int, post: bool = True) -> None:
        self._seated(seat, "sit_in")
        if self.row["presence"][seat] == record.PRESENT:
            raise SessionError(f"sit_in: seat {seat} is not away")
        self.row["presence"][seat] = record.WAITING if self.row["owes"][seat] else record.PRESENT
        self.row["comes_back"][seat] = record.BY_POSTING if post else record.WITH_THE_BIG_BLIND

    def _bring(self, seat: int, chips: SupportsIndex, what: str) -> None:
        amount, chip = operator.index(chips), self.rules.smallest_chip
        if amount <= 0 or amount % chip:
            raise SessionError(f"{what}: {amount} chips; give a positive multiple of the smallest chip ({chip})")
        check_total([*self.chips(), amount])
        self.stacks[seat] += amount
        self.brought_in += amount
        self._bought[seat] += amount

    # Seats

    def checked(self, seat: int) -> int:
        """The seat, if it exists. Raises SessionError if it does not."""
        if not 0 <= seat < self.rules.seats:
            raise SessionError(f"seat: there is no seat {seat}, seats are 0..{self.rules.seats - 1}")
        return seat

    def is_seated(self, seat: int) -> bool:
        """Whether a player has the seat, with chips or without."""
        return bool(self.row["presence"][self.checked(seat)] != record.NOT_THERE)

    def is_away(self, seat: int) -> bool:
        """Whether a seat sits out, or waits to be dealt in."""
        return int(self.row["presence"][self.checked(seat)]) in (record.AWAY, record.WAITING)

    def owes(self, seat: int) -> tuple[int, int]:
        """The missed blinds that a seat owes, (big, small) in chips, at the size of the latest hand's blinds (R10)."""
        owed, stage = int(self.row["owes"][self.checked(seat)]), self.stage
        return stage.big_blind * bool(owed & record.OWES_BIG), stage.small_blind * bool(owed & record.OWES_SMALL)

    @property
    def stage(self) -> Rules:
        """The game of the latest hand, by its phase and blind level."""
        return self.rules.stages[int(self.row["stage"])]

    def _seated(self, seat: int, what: str) -> None:
        if not self.is_seated(seat):
            raise SessionError(f"{what}: nobody sits in seat {seat}")
