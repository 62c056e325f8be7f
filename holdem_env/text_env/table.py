"""TextTable: a table whose seats are asked in words, by models or by people."""

from __future__ import annotations

from pathlib import Path
from time import perf_counter
from typing import NamedTuple, SupportsIndex

import numpy as np

from ..agents.queries import SealedAgent
from ..arena.matches.players import FAILURES, AgentFailed
from ..compiled.records import Records
from ..engine.record import CHECK_CALL, FOLD
from ..game.rules_input import RulesLike, as_rules
from ..protocols.text import AnswerError, read_answer
from ..protocols.text.answers import SHOWN
from ..protocols.text.dialogues import save_call
from ..protocols.text.session_so_far import SessionSoFar
from ..protocols.text.text_agent import TRIES
from ..table.hand_setup import checked_seed
from ..table.seat_view import SeatView
from ..table.session import Session
from ..table.table import Table
from ..utils.validation import whole_number
from .prompts import Prompt, prompt_of

ROW = np.zeros(1, np.int64)
"""The only table of a hand."""


class Answered(NamedTuple):
    """A decision in words. seat: whose. move: the engine move that was played. before: (1,) TABLE, what the seat saw.
    rejected: how many answers before were no legal move. is_fault: whether none was, so that it checked or folded."""

    seat: int
    move: int
    before: Records
    rejected: int
    is_fault: bool


def check_questions(prompt: str | Prompt, tries: int, memory: int, log: str | Path | None) -> None:
    """Raise ValueError or OSError for what `TextTable` cannot take."""
    prompt_of(prompt)
    if whole_number("tries", tries, "a number of answers") < 1 or whole_number("memory", memory, "hands") < 0:
        raise ValueError(f"tries must be 1 or more and memory 0 or more, got {tries} and {memory}")
    if log is not None:
        Path(log).open("ab").close()


class TextTable:
    """Hand after hand at one table, in words: the seat to act, what it reads, and what it answers.

    Args:
        rules: The game: Rules, a preset's name, a dict of fields, or the path of a YAML file.
        seed: Seed of all decks; without one they are random.
        prompt: "full", "short", "arena" or a function of a SeatView.
        tries: How many answers a seat may give for a legal move; then it checks or folds.
        memory: Number of earlier hands in its texts.
        session: Keep the chips from hand to hand, by the rules' `session`. Otherwise each hand begins with the starting
            stacks, and the button moves one seat on.
        hand: The first Table; by default it is dealt.
        log: A file to which each answer is appended as a JSON line, with the prompt and, if it was refused, the reason.

    Attributes:
        hand: The Table of the current hand.
        hands: Number of hands dealt.
        faults: By seat, number of decisions without a legal answer.
        rejected: By seat, number of answers that were not accepted.

    >>> table = TextTable("kuhn", seed=7, prompt="short")
    >>> while table.seat is not None:
    ...     answered = table.answer("check" if "check" in table.text else "fold")
    >>> table.hand.payoffs
    [1, -1]

    Raises:
        ValueError: If an argument is invalid.
        OSError: If the log cannot be written.
    """

    hand: Table
    _tried: int
    _asked_at: float
    _made: SeatView | None
    _refusal: str

    def __init__(
        self,
        rules: RulesLike,
        seed: int | None = None,
        *,
        prompt: str | Prompt = "full",
        tries: int = TRIES,
        memory: int = 0,
        session: bool = False,
        hand: Table | None = None,
        log: str | Path | None = None,
    ) -> None:
        self.rules = as_rules(rules)
        check_questions(prompt, tries, memory, log)
        self.seed, self.prompt, self.tries, self.memory = checked_seed(seed), prompt_of(prompt), int(tries), int(memory)
        self.hands, self.faults, self.rejected = 0, [0] * self.rules.seats, [0] * self.rules.seats
        self.session = Session(self.rules, seed=self.seed) if session else None
        self._earlier = SessionSoFar()
        self._log = None if log is None else Path(log)
        self.deal(hand)

    def deal(self, hand: Table | None = None) -> None:
        """Deal the next hand.

        Args:
            hand: A Table to play on from where it stands. By default the next one of the seed.

        Raises:
            ValueError: If a hand is running.
            SessionError: If the session is over.
        """
        if self.hands and not self.hand.is_over:
            raise ValueError(f"deal: the hand is not over, seat {self.hand.actor} is to act")
        if hand is None and self.session is not None:
            hand = self.session.deal()
        self.hand = hand or Table(self.rules, button=self.hands % self.rules.seats, seed=self.seed, hand=self.hands)
        self.hands += 1
        self._after_a_move()

    @property
    def seat(self) -> int | None:
        """Whose turn it is; None when the hand is over."""
        return self.hand.actor

    @property
    def text(self) -> str:
        """The prompt of the seat to act, or after a rejected answer what is wrong with it and what is legal.
        Nothing when the hand is over."""
        return self._refusal or ("" if self._view is None else self._prompt(self._view))

    def _prompt(self, view: SeatView) -> str:
        so_far = self._earlier.text(view) if self.memory else ""
        return "\n\n".join(filter(None, [so_far, self.prompt(view)]))

    def answer(self, said: str) -> Answered | None:
        """Play the answer of the seat to act.

        Returns:
            The decision once it is played. None if the answer is no legal move, and the same seat is asked again.

        Raises:
            TypeError: If the answer is not text.
            ValueError: If no seat is to act.
        """
        if not isinstance(said, str):
            raise TypeError(f"answer must be text, got {type(said).__name__}")
        view = self._view
        if view is None:
            raise ValueError("answer: the hand is over; deal() the next one")
        is_fault = False
        try:
            move = read_answer(said, view)
            self._save(said, None)
        except AnswerError as error:
            refusal = _readable(str(error)[: 2 * SHOWN])
            self._save(said, refusal)
            self.rejected[view.seat] += 1
            self._tried += 1
            if self._tried < self.tries:
                self._refusal, self._asked_at = refusal, perf_counter()
                return None
            self.faults[view.seat] += 1
            move, is_fault = FOLD if view.legal.call else CHECK_CALL, True
        answered = Answered(view.seat, move, view.records, self._tried - is_fault, is_fault)
        self.play(move)
        return answered

    def play(self, move: SupportsIndex) -> None:
        """Play an engine move for the seat to act, without asking it in words.

        Raises:
            IllegalMove: If the move is illegal.
        """
        self.hand.play(move)
        self._after_a_move()

    def ask(self, asked: SealedAgent) -> None:
        """Let an agent play for the seat to act.

        Raises:
            AgentFailed: If the agent fails; then nothing is played.
        """
        hand = self.hand
        if hand.actor is None:
            raise ValueError("ask: the hand is over; deal() the next one")
        try:
            move = int(asked.moves(hand.records, hand.rules, ROW)[0])
        except FAILURES as error:
            raise AgentFailed.by_error(hand.actor, asked.agent, error) from error
        self.play(move)

    def _after_a_move(self) -> None:
        """Nobody is asked whether to show: a hand is mucked where that costs nothing (R29)."""
        while self.hand.is_showing:
            self.hand.no_action()
        self._refusal, self._tried, self._asked_at = "", 0, perf_counter()
        self._made = None
        if self.hand.is_over and self.memory:
            for seat in range(self.rules.seats):
                if self.hand.records["was_dealt"][0, seat]:
                    self._earlier.take(self.hand.view(seat), self.memory)

    def _save(self, answer: str, refusal: str | None) -> None:
        if self._log is None:
            return
        t, seconds = self.hand.records[0], round(perf_counter() - self._asked_at, 3)
        call = {"agent": "learner", "seed": int(t["seed"]), "hand": int(t["hand"]), "seat": self.seat}
        call |= {"try": self._tried + 1, "prompt": self.text, "answer": answer, "refusal": refusal}
        save_call(self._log, call | {"tokens": None, "seconds": seconds})

    @property
    def _view(self) -> SeatView | None:
        """What the seat to act sees; made when it is asked for, as seats of agents are not asked."""
        if self._made is None and self.hand.actor is not None:
            self._made = self.hand.view()
        return self._made


def _readable(text: str) -> str:
    """A refusal quotes an answer: signs outside ASCII become question marks."""
    return text.encode("ascii", "replace").decode()
