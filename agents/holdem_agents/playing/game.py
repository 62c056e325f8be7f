"""HumanGame: one person and agents at a table, hand after hand, without input or output."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Literal, SupportsIndex

from holdem_env.agents.protocol import Agent
from holdem_env.game.rules_input import RulesLike, as_rules
from holdem_env.game.units import unit_of
from holdem_env.history import phh
from holdem_env.table.hand_setup import checked_seat, checked_seed
from holdem_env.table.prizes import final_places, share_text
from holdem_env.table.seat_view import SeatView
from holdem_env.table.session import Session, SessionError
from holdem_env.table.table import IllegalMove, Table

from .opponents import AgentFailure, close_all, failure_text, notify_hand_over, seat_names, seated
from .results import FinishedHand, Results, all_in_chips, results_of

Waiting = Literal["move", "show", "agent", "hand_over", "over", "failed"]


class HumanGame:
    """One person and agents at a table. Whatever shows it asks `waiting` what comes next, and calls what fits:

    "agent": `step` plays one move of an agent, `advance` all of them. "move": the person's `play`. "show": the person's
    `show` or `muck`, only with showing="manual". "hand_over": `next_hand`. "failed": an agent raised an error, see
    `failure`; `retry`, `let_check_or_fold` or `void_hand`. "over": nothing more; `leave` closes the agents.

    rules: the game; without a session stacks are fresh every hand and the button moves on. With one stacks carry over,
        blinds rise, and the game is over when the session is, or when the person is broke or alone.
    opponents: one agent for all other seats, or one for each, by seat. seat: the person's. seed: of the decks; None
        draws one. names: by seat; by default "you" and short names of the agents.

    rules, names, seat and seed are attributes, and so are: agents, by seat; table, the running hand or the one just
    over, with all cards (the person may see `view`); finished, the hands that count; failure, an AgentFailure or None;
    session, the Session or None; place, prize and prize_text, the person's once a tournament is over for it, else None.

    Raises ValueError for another number of opponents or names, a seat that does not exist, and invalid rules; TypeError
    for an agent that has several seats and cannot be cloned.

    >>> from holdem_env.agents import make_agent
    >>> game = HumanGame("heads-up-no-limit", [make_agent("calling_station")], seed=4)
    >>> game.play(6); game.advance(); game.waiting, game.view.street
    ('move', 1)
    >>> game.leave(); game.waiting
    'over'
    """

    def __init__(
        self,
        rules: RulesLike,
        opponents: Sequence[Agent],
        *,
        seat: SupportsIndex = 0,
        seed: int | None = None,
        names: Sequence[str] | None = None,
    ) -> None:
        self.rules = as_rules(rules)
        self.seat, self.seed = checked_seat(self.rules, seat), checked_seed(seed)
        if names is not None and len(names) != self.rules.seats:
            raise ValueError(f"names: {len(names)} for {self.rules.seats} seats; give one for each seat")
        self.agents = seated(opponents, self.rules.seats, self.seat)
        self.names = list(names) if names else seat_names(self.agents, self.rules.seats)
        self.session = Session(self.rules, seed=self.seed) if self.rules.session else None
        self.finished: list[FinishedHand] = []
        self.failure: AgentFailure | None = None
        self.place: int | None = None
        self.prize: float | None = None
        self.prize_text: str | None = None
        self._dealt = self._voided = 0
        self._passive: set[int] = set()  # seats that check or fold for the rest of the hand
        self._not_notified: list[int] = []  # seats whose agents are still to be notified how the hand ended
        self._is_counted = self._has_left = False
        self.table = self._deal()

    # State

    @property
    def waiting(self) -> Waiting:
        if self._has_left:
            return "over"
        if self.failure:
            return "failed"
        if self.table.is_over:
            return "hand_over" if self._can_go_on else "over"
        if self.table.actor != self.seat:
            return "agent"
        return "show" if self.table.is_showing else "move"

    @property
    def hand(self) -> int:
        """The number of the hand on the table, from 1. A hand that was called off does not count."""
        return len(self.finished) + (not self._is_counted)

    @property
    def view(self) -> SeatView:
        """The table as the person may see it."""
        return self.table.view(self.seat)

    @property
    def results(self) -> Results:
        """What the person has won in the hands that are over."""
        return results_of(self.finished, unit_of(self.rules))

    # Agents

    def step(self) -> bool:
        """Play one move of an agent; in manual showing it shows nothing. Returns whether one was played: False if it is
        no agent's turn, or the agent failed, which leaves the table as it was."""
        if self.waiting != "agent":
            return False
        seat = self.table.actor
        assert seat is not None
        agent = self.agents[seat]
        if self.table.is_showing or seat in self._passive:
            self.table.no_action()
        else:
            try:
                self.table.play(agent.move(self.table))
            except Exception as error:
                self.failure = AgentFailure(agent, seat, failure_text(agent, error))
                return False
        self._look_whether_over()
        return True

    def advance(self) -> None:
        """Let the agents play until it is the person's turn, the hand is over, or an agent fails."""
        while self.step():
            pass

    def retry(self) -> None:
        """Ask the agent that failed again, at the next `step`. Raises ValueError if none has failed."""
        self._failed("retry")
        self.failure = None
        self._look_whether_over()

    def let_check_or_fold(self) -> None:
        """Let the seat of the agent that failed check or fold for the rest of the hand. An agent that failed when it
        was notified how the hand ended is notified no more. Raises ValueError if none has failed."""
        failure = self._failed("let_check_or_fold")
        self.failure = None
        self._passive.add(failure.seat)
        self._not_notified = [seat for seat in self._not_notified if seat != failure.seat]
        self._look_whether_over()

    def void_hand(self) -> None:
        """Call off the hand in which an agent has failed: everybody has the chips from before it, and the next hand is
        dealt, with other cards. Raises ValueError if none has failed."""
        self._failed("void_hand")
        if self.session:
            self.session.void()
        else:
            self._voided += 1
        self.failure = None
        self.table = self._deal()

    # The person

    def play(self, move: SupportsIndex) -> None:
        """The person's move: -1 folds, 0 checks or calls, a positive number is the street total to raise to. Raises
        IllegalMove if the rules do not allow it, or it is not the person's turn; then nothing has changed."""
        self._persons("move", "move")
        self.table.play(move)
        self._look_whether_over()

    def show(self) -> None:
        """Show the person's cards at the end (R29, R30). Raises IllegalMove if that is not asked."""
        self._persons("show", "show")
        self.table.show(self.seat)
        self._look_whether_over()

    def muck(self) -> None:
        """Give the person's cards back face down; otherwise as `show`."""
        self._persons("show", "muck")
        self.table.muck(self.seat)
        self._look_whether_over()

    def next_hand(self) -> None:
        """Deal the next hand. Raises ValueError unless a hand is over and the game goes on."""
        if self.waiting != "hand_over":
            raise ValueError(f"next_hand: only between hands; now the game waits for {self.waiting!r}")
        self.table = self._deal()

    def top_up(self, chips: int | None = None) -> None:
        """Bring more chips to a cash session between hands, also when the person is broke. chips: by default what is
        missing to the starting stack. Raises ValueError where that is not possible."""
        if self.session is None or self.session.session_rules.kind != "cash":
            raise ValueError("top_up: only in a cash session, rules with session={'kind': 'cash'}")
        if self._has_left or self.failure or not self.table.is_over:
            raise ValueError("top_up: only between hands")
        missing = self.rules.starting_stacks[self.seat] - self.session.stacks[self.seat]
        if chips is None and missing <= 0:
            raise SessionError("top_up: the stack is not below the starting stack")
        self.session.top_up(self.seat, missing if chips is None else chips)

    def leave(self) -> None:
        """End the game and close the agents. A hand that is not over does not count."""
        if not self._has_left:
            self._has_left = True
            close_all(self.agents)

    def save(self, path: str | Path) -> None:
        """Write the finished hands to a .phhs file, with all cards. Raises ValueError for games that PHH cannot express
        and another kind of file, OSError where it cannot be written."""
        phh.write([hand.table for hand in self.finished], path, players=self.names)

    # Between hands

    def _deal(self) -> Table:
        if self.session:
            table = self.session.deal()
        else:
            button = (self._dealt - self._voided) % self.rules.seats
            table = Table(self.rules, button=button, seed=self.seed, hand=self._dealt)
            self._dealt += 1
        self._passive, self._is_counted = set(), False
        self._not_notified = list(self.agents)
        self.table = table
        self._look_whether_over()  # all-in by the blinds, a hand may be over at once
        return table

    def _look_whether_over(self) -> None:
        """Once the hand is over: tell the agents, then count it."""
        if not self.table.is_over or self._is_counted:
            return
        while self._not_notified:
            seat = self._not_notified[0]
            try:
                notify_hand_over(self.agents[seat], self.table, seat)
            except Exception as error:
                self.failure = AgentFailure(self.agents[seat], seat, failure_text(self.agents[seat], error))
                return
            self._not_notified.pop(0)
        won = self.table.payoffs[self.seat]
        self.finished.append(FinishedHand(self.hand, self.table, won, all_in_chips(self.table, self.seat)))
        self._is_counted = True
        self._note_place()

    def _note_place(self) -> None:
        session = self.session
        if session is None or session.session_rules.kind == "cash":
            return
        places = session.places
        if session.is_over:
            places = final_places(places, session.stacks).tolist()
        if places[self.seat]:
            self.place = places[self.seat]
            prizes = session.session_rules.prizes
            if prizes:
                self.prize = session.payouts[self.seat]
                self.prize_text = share_text(self.prize, prizes[: len(places)], self.place, places.count(self.place))

    @property
    def _can_go_on(self) -> bool:
        session = self.session
        if session is None:
            return True
        return not session.is_over and session.stacks[self.seat] > 0 and sum(map(bool, session.stacks)) > 1

    def _failed(self, what: str) -> AgentFailure:
        if self.failure is None:
            raise ValueError(f"{what}: no agent has failed")
        return self.failure

    def _persons(self, what: Waiting, name: str) -> None:
        if self.waiting != what:
            raise IllegalMove(f"{name}: it is not your turn; the game waits for {self.waiting!r}")
