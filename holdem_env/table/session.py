"""Session: hand after hand at one table, each hand a Table (R5, R10-R13, R39, R40)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any, SupportsIndex

from ..engine import record, session_kernels
from ..game.position_names import Position
from ..game.rules import Rules
from ..game.rules_input import RulesLike, as_rules
from ..game.session_rules import Level, SessionRules
from ..game.title import game_title
from ..utils.hooks import hook
from .hand_setup import Stacks, checked_first_button, checked_seed, checked_stacks, stacks_with_empty_seats, write_deck
from .injected_errors import InjectedErrors, Order
from .running_session import Result, RunningSession, named_phase
from .running_session import SessionError as SessionError
from .table import Table


class Session:
    """A table where one hand follows another. Deal, play the Table, and between hands let players come and go.

    Args:
        rules: The game: Rules, a preset's name, a dict of fields, or the path of a YAML file. Its `session` says how
            hands follow each other (by default a tournament with the dead button).
        stacks: Chips per seat, 0 for an empty seat, or one amount for all; by default the rules' starting stacks.
            "50bb" is fifty big blinds.
        button: The seat of the first button; by default the session's `first_button`.
        seed: The seed of all decks and of the draw for the button. Hand h has the deck of hand h of table 0 under this
            seed, as in Tables and the environments.

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
        stacks: Stacks | None = None,
        button: int | None = None,
        seed: int | None = None,
    ) -> None:
        rules = as_rules(rules)
        self.rules = rules if rules.session else rules.replace(session=SessionRules())
        self.table: Table | None = None
        self._closed = True
        chips = checked_stacks(self.rules, None) if stacks is None else stacks_with_empty_seats(self.rules, stacks)
        seed = checked_seed(seed)
        if button is not None:
            button = checked_first_button(self.rules, button)
        self._before: RunningSession | None = None  # what `void` goes back to
        self._running = RunningSession(self.rules, record.new_records(record.TABLE, 1))
        self._running.begin(seed, chips, button)

    def __repr__(self) -> str:
        hands = f"{self.hands_played} {'hand' if self.hands_played == 1 else 'hands'} played"
        state = "over" if self.is_over else "between hands" if self._closed else "in a hand"
        return f"<Session: {self.rules.seats} seats, {game_title(self.rules)}, {hands}, {state}, stacks {self.stacks}>"

    def _repr_html_(self) -> str:
        page: str = hook("session_html")(self)
        return page

    # Hands

    def deal(
        self,
        deck: str | Iterable[SupportsIndex] | None = None,
        dealer_errors: Mapping[str, Any] | None = None,
        reshuffles: Iterable[Order] | None = None,
        game: str | int | None = None,
    ) -> Table:
        """Deal the next hand: a Table to play.

        The rules of a hand with injected errors have dealer_errors, so that its observations show the exposed cards.
        The session's own rules stay as they are. Give the session `Rules(dealer_errors=DealerErrors())` where all hands
        must have observations of one size.

        Args:
            deck, dealer_errors, reshuffles: As in `Table`.
            game: The hand's game, one of the session's phases, by its name or its number; by default the schedule
                chooses (R19). The phase begins with this hand, unless it is due anyway, and the schedule goes on from
                there.

        Raises:
            ValueError: If the deck or the errors are invalid.
            SessionError: If a hand is running, the session is over, there are fewer than two players, or the session
                does not declare the game.
        """
        self._between_hands("deal")
        if self.is_over:
            raise SessionError("deal: the session is over")
        arranged = self._running.records.copy()
        log = record.new_log(listening=True)
        named = named_phase("deal", self.rules, game)
        if not session_kernels.arrange_hands(arranged, self.rules.record, log, named):
            raise SessionError(f"deal: a hand needs two players with chips; the stacks are {self.stacks}")
        if deck is not None:
            write_deck(self.rules, arranged, deck)
        injected = InjectedErrors(self.rules, dealer_errors, reshuffles, int(arranged["stage"][0]))
        injected.write_to(arranged, deck_given=deck is not None)
        self.table = Table.of_session(injected.rules, arranged, log)
        self._before = self._running.copy()
        self._running.records, self._closed = arranged, False
        return self.table

    def void(self) -> None:
        """Call off the latest hand, running or just over, such as when a player's program has failed.

        Everybody has the chips from before it, and button, blinds and levels stand as they did. The next hand has other
        cards.

        Raises:
            SessionError: If no hand has been dealt yet, or something was done between hands since.
        """
        if self._before is None:
            raise SessionError("void: there is no hand to call off, or something was done between hands since")
        dealt = int(self._running.row["hand"])
        self._running, self._before = self._before, None
        self.rules = self._running.rules
        self._running.row["hand"] = dealt  # the number of the hand chooses the deck
        self.table, self._closed = None, True

    def __iter__(self) -> Iterator[Table]:
        """Deal hand after hand until the session is over. Each must be played before the next is dealt."""
        while not self.is_over and self._running.can_deal:
            yield self.deal()

    def _sync(self) -> None:
        """Once the current hand is over, take over its result."""
        if self._closed or self.table is None or not self.table.is_over:
            return
        self._running.records = self.table.records.copy()
        self._closed = True
        self._running.close_hand()

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
        return self._running.is_over

    @property
    def stacks(self) -> list[int]:
        """Chips per seat, without the chips bet in a running hand."""
        self._sync()
        if self._closed or self.table is None:
            return self._running.chips()
        return self.table.stacks

    @property
    def chips_brought_in(self) -> int:
        """All chips that players have brought to the table so far (R40)."""
        self._sync()
        return self._running.brought_in

    @property
    def chips_taken_away(self) -> int:
        """All chips that have left the table so far, with leaving players or as rake (R40)."""
        self._sync()
        return self._running.taken_away

    @property
    def hands_played(self) -> int:
        """The number of hands that are over."""
        self._sync()
        return self._running.hands_played

    @property
    def button(self) -> int:
        """The seat of the button in the latest hand. Before the first hand, the seat before any draw."""
        return int(self._running.row["button"])

    @property
    def stage(self) -> Rules:
        """The game of the latest hand, by its phase and blind level."""
        return self._running.stage

    @property
    def phase(self) -> int:
        """The index of the latest hand's phase of mixed hold'em (R19)."""
        return int(self._running.row["phase"])

    @property
    def level(self) -> int:
        """The index of the latest hand's blind level (R39)."""
        return int(self._running.row["blind_level"])

    @property
    def places(self) -> list[int]:
        """The finishing place of the player who sits or sat last in each seat, 1 for the winner, 0 for a player who is
        still in, and for a seat that nobody has taken. A player who enters late counts as one player more for the
        places already given, so the first of four to go out is fifth once a fifth has entered (R39)."""
        self._sync()
        return self._running.places

    @property
    def results(self) -> list[Result]:
        """What became of every player who has a place, in the order in which they went out; of those who went out
        together, the worst place first. A player whose seat has been taken again is still listed (R39)."""
        self._sync()
        return self._running.results

    @property
    def payouts(self) -> list[float]:
        """What each seat has won so far, with the player who sits or sat there last.

        In a tournament with prizes, these are the prizes of players who have a place. When the session is over, players
        who are still in are placed by their chips. Otherwise they are the chips won or lost in the hands that are over,
        whatever the player has bought or taken away.
        """
        self._sync()
        return self._running.payouts(self._running.chips())

    @property
    def positions(self) -> dict[int, Position]:
        """The positions of the seats in the latest hand, such as BTN, SB and BB (R11)."""
        return self.table.positions if self.table else {}

    def owes(self, seat: int) -> tuple[int, int]:
        """The missed blinds that a seat owes, (big, small) in chips, at the size of the latest hand's blinds (R10)."""
        self._sync()
        return self._running.owes(seat)

    def is_away(self, seat: int) -> bool:
        """Whether a seat sits out, or waits to be dealt in."""
        self._sync()
        return self._running.is_away(seat)

    # Blinds, joining and leaving, between hands

    def set_blinds(self, small: int, big: int, **amounts: Any) -> None:
        """Set the blinds of the next hand and all later ones, in all phases; the session's levels end (R39).

        Args:
            small, big: The blinds in chips.
            **amounts: Other amounts of a `Level`, such as ante=5; by default the phase's own.

        Raises:
            SessionError: If a hand is running.
            ValueError: If no game can have the amounts.
        """
        self._between_hands("set_blinds")
        self._running.set_blinds(Level(blinds=(small, big), **amounts))
        self.rules, self._before = self._running.rules, None

    def join(self, seat: int, chips: SupportsIndex, post: bool = True) -> None:
        """Sit down in an empty seat.

        A late entry of a tournament is dealt in at once, but waits while its seat lies between the button and the small
        blind (R10).

        Args:
            seat: The empty seat.
            chips: The chips that the player brings.
            post: Whether a newcomer after the first hand of a cash game posts one live big blind, or waits for the big
                blind.

        Raises:
            SessionError: If the session is over (R39).
        """
        self._between_hands("join")
        self._running.join(seat, chips, post)
        self._before = None

    def leave(self, seat: int) -> int:
        """Leave the table with all chips (R12). Returns how many. A player who leaves a running tournament finishes
        behind all players who stay."""
        self._between_hands("leave")
        chips = self._running.leave(seat)
        self._before = None
        return chips

    def top_up(self, seat: int, chips: SupportsIndex) -> None:
        """Add chips to a stack, or buy in again after losing all (R12)."""
        self._between_hands("top_up")
        self._running.top_up(seat, chips)
        self._before = None

    def sit_out(self, seat: int) -> None:
        """Sit out from the next hand on. In a cash game the player misses blinds and owes them; in a tournament the
        seat is dealt in, posts and is folded (R10)."""
        self._between_hands("sit_out")
        self._running.sit_out(seat)
        self._before = None

    def sit_in(self, seat: int, post: bool = True) -> None:
        """Come back. A player who owes blinds posts them as soon as the seat allows, or with post=False waits for the
        big blind (R10)."""
        self._between_hands("sit_in")
        self._running.sit_in(seat, post)
        self._before = None
