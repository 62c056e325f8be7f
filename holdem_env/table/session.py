"""Session: hand after hand at one table, each hand a Table (R5, R10-R13, R39, R40)."""

from __future__ import annotations

import operator
from collections.abc import Iterable, Iterator, Mapping
from typing import Any, NamedTuple, SupportsIndex

import numpy as np

from ..engine import between_hands, record
from ..game.given_rules import RulesLike, as_rules
from ..game.position_names import Position
from ..game.rule_checks import check_total
from ..game.rules import Rules
from ..game.session_rules import SessionRules
from ..game.title import game_title
from .injected_errors import InjectedErrors, Order
from .prizes import final_places, prizes_of
from .starting import checked_button, checked_seed, checked_stacks, complete_deck
from .table import Table


class SessionError(ValueError):
    """An operation that is not possible now. The message says why; the session is unchanged."""


class Result(NamedTuple):
    """What became of one player of a tournament (R39)."""

    seat: int
    """Where the player sat."""
    place: int
    """The finishing place; 1 is the winner. Each player who enters later moves it down by one."""


class Session:
    """A table where one hand follows another. Deal, play the Table, and between hands let players come and go.

    rules: the game: Rules, a preset's name, a dict of fields, or the path of a YAML file. Its `session` says how
        hands follow each other (by default a tournament with the dead button).
    stacks: chips per seat, 0 for an empty seat; by default the rules' starting stacks.
    button: the seat of the first button; by default the session's `first_button`.
    seed: of all decks and of the draw for the button. Hand h has the deck of hand h of table 0 under this seed, as in
        Tables and the environments.

    >>> from holdem_env import Rules, Session
    >>> session = Session(Rules(seats=3, blinds=(50, 100), stacks=1000), seed=1)
    >>> table = session.deal()
    >>> while not table.is_over:
    ...     table.no_action()
    >>> session.hands_played, session.stacks, session.chips_brought_in
    (1, [1000, 950, 1050], 3000)
    """

    def __init__(
        self,
        rules: RulesLike | None = None,
        stacks: Iterable[SupportsIndex] | None = None,
        button: int | None = None,
        seed: int | None = None,
    ) -> None:
        rules = as_rules(rules)
        self.rules = rules if rules.session else rules.replace(session=SessionRules())
        self.table: Table | None = None
        self._closed = True
        self._records = record.new_records(record.TABLE, 1)
        chips = self._starting(stacks)
        between_hands.begin_sessions(self._records, self.rules.record, checked_seed(seed), 0)
        if button is not None:
            self._set_button(button)
        self._row["seats"]["stack"][: self.rules.seats] = chips
        for seat, stack in enumerate(chips):
            if not stack:
                self._row["presence"][seat] = record.NOT_THERE
        self._row["players_left"] = sum(stack > 0 for stack in chips)
        self._brought_in, self._taken_away = sum(chips), 0
        self._bought, self._cashed = (
            list(chips),
            [0] * self.rules.seats,
        )  # by the player who has the seat, or had it last
        self._results: list[Result] = []
        self._result_of: dict[int, int] = {}  # seat -> the position in `_results` of who sat there last
        self._last_payouts: list[float] | None = None  # once the session is over

    def _starting(self, stacks: Iterable[SupportsIndex] | None) -> list[int]:
        if stacks is None:
            return checked_stacks(self.rules, None)
        chips = [operator.index(stack) for stack in stacks]
        checked_stacks(self.rules, [stack or self.rules.smallest_chip for stack in chips])
        return chips

    def _set_button(self, button: int) -> None:
        kind = self.session_rules.first_button
        if not isinstance(kind, int):
            raise ValueError(f"button: the session draws the first one ({kind!r}); leave it out")
        self._row["button"] = checked_button(self.rules, button)

    def __repr__(self) -> str:
        hands = f"{self.hands_played} {'hand' if self.hands_played == 1 else 'hands'} played"
        state = "over" if self.is_over else "between hands" if self._closed else "in a hand"
        return f"<Session: {self.rules.seats} seats, {game_title(self.rules)}, {hands}, {state}, stacks {self.stacks}>"

    # Hands

    def deal(
        self,
        deck: str | Iterable[SupportsIndex] | None = None,
        dealer_errors: Mapping[str, Any] | None = None,
        reshuffles: Iterable[Order] | None = None,
    ) -> Table:
        """Deal the next hand: a Table to play.

        deck, dealer_errors, reshuffles: as for Table. The rules of a hand with injected errors have dealer_errors, so
            that its observations show the exposed cards; the session's own rules stay as they are. Give the session
            `Rules(dealer_errors=DealerErrors())` where all hands must have observations of one size.

        Raises ValueError for an invalid deck or invalid errors; SessionError while a hand is running, when the session
        is over, and with fewer than two players.
        """
        self._between_hands("deal")
        if self.is_over:
            raise SessionError("deal: the session is over")
        arranged = self._records.copy()
        log = record.new_log(listening=True)
        if not between_hands.arrange_hands(arranged, self.rules.record, log):
            raise SessionError(f"deal: a hand needs two players with chips; the stacks are {self.stacks}")
        stage = int(arranged["stage"][0])
        if deck is not None:
            game = self.rules.stages[stage]
            cards = arranged["deck"][0, : len(game.deck)]
            cards[:] = complete_deck(game, cards.tolist(), deck)
        injected = InjectedErrors(self.rules, dealer_errors, reshuffles, stage)
        injected.write_to(arranged, deck_given=deck is not None)
        self.table = Table.of_session(injected.rules, arranged, log)
        self._records, self._closed = arranged, False
        return self.table

    def __iter__(self) -> Iterator[Table]:
        """Deal hand after hand until the session is over. Each must be played before the next is dealt."""
        while not self.is_over and self._can_deal:
            yield self.deal()

    def _sync(self) -> None:
        """Once the current hand is over, take over its result."""
        if self._closed or self.table is None or not self.table.is_over:
            return
        self._records = self.table.records.copy()
        self._closed = True
        before = self._stacks
        self._taken_away += int(self._row["rake"])
        between_hands.close_hands(self._records, self.rules.record)
        for seat, (now, then) in enumerate(zip(self._stacks, before, strict=True)):  # rebuys
            self._brought_in += now - then
            self._bought[seat] += now - then
        self._note_results()

    def _note_results(self) -> None:
        """Write down who has just got a place, the worst place first, and at the end what the session pays (R39)."""
        places = self._seats("place")
        fresh = [Result(seat, place) for seat, place in enumerate(places) if place and seat not in self._result_of]
        for result in sorted(fresh, key=lambda result: -result.place):
            self._result_of[result.seat] = len(self._results)
            self._results.append(result)
        if self._row["session_over"] and self._last_payouts is None:
            self._last_payouts = self._payouts(over=True)

    def _payouts(self, over: bool) -> list[float]:
        """What `payouts` tells."""
        stacks, seats = self._stacks, range(self.rules.seats)
        if not self._has_prizes:
            return [float(stacks[seat] + self._cashed[seat] - self._bought[seat]) for seat in seats]
        still_in = [seat for seat in seats if stacks[seat] and seat not in self._result_of]
        places = np.array([result.place for result in self._results] + [0] * len(still_in), np.int64)
        if over:
            places = final_places(places, [0] * len(self._results) + [stacks[seat] for seat in still_in])
        prizes = prizes_of(places, self.session_rules.prizes).tolist()
        prize_of = {seat: prizes[k] for seat, k in self._result_of.items()}
        prize_of |= dict(zip(still_in, prizes[len(self._results) :], strict=True))
        return [prize_of.get(seat, 0.0) for seat in seats]

    def _between_hands(self, what: str) -> None:
        self._sync()
        if not self._closed:
            turn = "to show or muck" if self.table and self.table.is_showing else "to act"
            raise SessionError(f"{what}: only between hands; this one is not over, seat {self.table.actor} is {turn}")  # type: ignore[union-attr]

    # State

    @property
    def session_rules(self) -> SessionRules:
        """How hands follow each other."""
        return self.rules.session or SessionRules()

    @property
    def is_over(self) -> bool:
        """Whether all hands have been played, or one player has all the chips."""
        self._sync()
        return bool(self._row["session_over"])

    @property
    def stacks(self) -> list[int]:
        """Chips per seat, without the chips bet in a running hand."""
        self._sync()
        return self._stacks if self._closed or self.table is None else self.table.stacks

    @property
    def chips_brought_in(self) -> int:
        """All chips that players have brought to the table so far (R40)."""
        self._sync()
        return self._brought_in

    @property
    def chips_taken_away(self) -> int:
        """All chips that have left the table so far: taken by leaving players, or as rake (R40)."""
        self._sync()
        return self._taken_away

    @property
    def hands_played(self) -> int:
        """The number of hands that are over."""
        self._sync()
        return int(self._row["session_hands"])

    @property
    def button(self) -> int:
        """The seat of the button in the latest hand. Before the first hand, the seat before any draw."""
        return int(self._row["button"])

    @property
    def stage(self) -> Rules:
        """The game of the latest hand, by its phase and blind level."""
        return self.rules.stages[int(self._row["stage"])]

    @property
    def phase(self) -> int:
        """The index of the latest hand's phase of mixed hold'em (R19)."""
        return int(self._row["phase"])

    @property
    def level(self) -> int:
        """The index of the latest hand's blind level (R39)."""
        return int(self._row["blind_level"])

    @property
    def places(self) -> list[int]:
        """The finishing place of the player who sits or sat last in each seat: 1 for the winner, 0 for a player who is
        still in, and for a seat that nobody has taken. A player who enters late counts as one player more for the
        places already given, so the first of four to go out is fifth once a fifth has entered (R39)."""
        self._sync()
        return [
            self._results[self._result_of[seat]].place if seat in self._result_of else 0
            for seat in range(self.rules.seats)
        ]

    @property
    def results(self) -> list[Result]:
        """What became of every player who has a place, in the order in which they went out; of those who went out
        together, the worst place first. A player whose seat has been taken again is still listed (R39)."""
        self._sync()
        return self._results.copy()

    @property
    def payouts(self) -> list[float]:
        """What each seat has won so far, with the player who sits or sat there last.

        In a tournament with prizes: the prizes of those who have a place; when the session is over, players who are
        still in are placed by their chips. Otherwise: the chips won or lost in the hands that are over, whatever the
        player has bought or taken away.
        """
        self._sync()
        return self._payouts(over=False) if self._last_payouts is None else self._last_payouts.copy()

    @property
    def positions(self) -> dict[int, Position]:
        """The positions of the seats in the latest hand: BTN, SB, BB and so on (R11)."""
        return self.table.positions if self.table else {}

    def owes(self, seat: int) -> tuple[int, int]:
        """The missed blinds that a seat owes, (big, small) in chips, at the size of the latest hand's blinds (R10)."""
        self._sync()
        owed, stage = int(self._row["owes"][self._checked(seat)]), self.stage
        return stage.big_blind * bool(owed & record.OWES_BIG), stage.small_blind * bool(owed & record.OWES_SMALL)

    def is_away(self, seat: int) -> bool:
        """Whether a seat sits out, or waits to be dealt in."""
        self._sync()
        return int(self._row["presence"][self._checked(seat)]) in (record.AWAY, record.WAITING)

    # Joining and leaving, between hands

    def join(self, seat: int, chips: SupportsIndex, post: bool = True) -> None:
        """Sit down in an empty seat. After the first hand of a cash game, a newcomer posts one live big blind, or
        with post=False waits for the big blind. A late entry of a tournament is dealt in at once, but waits while its
        seat lies between the button and the small blind (R10). Raises SessionError when the session is over (R39)."""
        self._between_hands("join")
        if self.is_over:
            raise SessionError("join: the session is over")
        if self._row["presence"][self._checked(seat)] != record.NOT_THERE:
            raise SessionError(f"join: seat {seat} is taken")
        self._bring(seat, chips, "join")
        self._bought[seat], self._cashed[seat] = operator.index(chips), 0
        late = self.session_rules.kind == "cash" and self.hands_played > 0
        self._row["presence"][seat] = record.WAITING if late else record.PRESENT
        self._row["was_dealt"][seat] = 0  # the cards of the last hand were another player's
        self._row["owes"][seat] = record.OWES_BIG if late else 0
        self._row["comes_back"][seat] = record.BY_POSTING if post else record.WITH_THE_BIG_BLIND
        self._row["place"][seat] = 0
        self._result_of.pop(seat, None)
        self._results = [Result(out, place + 1) for out, place in self._results]  # R39: one player more

    def leave(self, seat: int) -> int:
        """Leave the table with all chips (R12). Returns how many. A player who leaves a running tournament finishes
        behind all players who stay."""
        self._between_hands("leave")
        self._seated(seat, "leave")
        chips = int(self._row["seats"]["stack"][seat])
        between_hands.leave_table(self._records, self.rules.record, seat)
        self._taken_away += chips
        self._cashed[seat] += chips
        self._note_results()
        return chips

    def top_up(self, seat: int, chips: SupportsIndex) -> None:
        """Add chips to a stack, or buy in again after losing all (R12)."""
        self._between_hands("top_up")
        self._seated(seat, "top_up")
        if self.session_rules.kind == "tournament" and not self.session_rules.rebuy:
            raise SessionError("top_up: not allowed in a tournament without rebuys")
        self._bring(seat, chips, "top_up")

    def sit_out(self, seat: int) -> None:
        """Sit out from the next hand on. In a cash game the player misses blinds and owes them; in a tournament the
        seat is dealt in, posts and is folded (R10)."""
        self._between_hands("sit_out")
        self._seated(seat, "sit_out")
        self._row["presence"][seat] = record.AWAY

    def sit_in(self, seat: int, post: bool = True) -> None:
        """Come back. A player who owes blinds posts them as soon as the seat allows, or with post=False waits for the
        big blind (R10)."""
        self._between_hands("sit_in")
        self._seated(seat, "sit_in")
        if self._row["presence"][seat] == record.PRESENT:
            raise SessionError(f"sit_in: seat {seat} is not away")
        self._row["presence"][seat] = record.WAITING if self._row["owes"][seat] else record.PRESENT
        self._row["comes_back"][seat] = record.BY_POSTING if post else record.WITH_THE_BIG_BLIND

    def _bring(self, seat: int, chips: SupportsIndex, what: str) -> None:
        amount, chip = operator.index(chips), self.rules.smallest_chip
        if amount <= 0 or amount % chip:
            raise SessionError(f"{what}: {amount} chips; give a positive multiple of the smallest chip ({chip})")
        check_total([*self._stacks, amount])
        self._row["seats"]["stack"][seat] += amount
        self._brought_in += amount
        self._bought[seat] += amount

    # The record

    @property
    def _row(self) -> record.Records:
        return self._records[0]  # type: ignore[no-any-return]

    @property
    def _has_prizes(self) -> bool:
        return self.session_rules.kind == "tournament" and bool(self.session_rules.prizes)

    @property
    def _stacks(self) -> list[int]:
        return self._seats("stack")

    @property
    def _can_deal(self) -> bool:
        return bool(between_hands.arrange_hands(self._records.copy(), self.rules.record, record.new_log(False)))

    def _seats(self, field: str) -> list[int]:
        return record.column(self._row, field)[: self.rules.seats].tolist()  # type: ignore[no-any-return]

    def _checked(self, seat: int) -> int:
        if not 0 <= seat < self.rules.seats:
            raise SessionError(f"seat: there is no seat {seat}, seats are 0..{self.rules.seats - 1}")
        return seat

    def _seated(self, seat: int, what: str) -> None:
        if self._row["presence"][self._checked(seat)] == record.NOT_THERE:
            raise SessionError(f"{what}: nobody sits in seat {seat}")
