"""TextAgent: base of agents that are asked in English and answer in free text."""

from __future__ import annotations

from abc import abstractmethod
from concurrent.futures import ThreadPoolExecutor
from threading import Lock
from typing import Any, Literal, Self, TypedDict

import numpy as np
from numpy.typing import NDArray

from ...agents.facts import AgentFacts
from ...agents.table_agent import TableAgent
from ...compiled.records import Records
from ...engine.record import CHECK_CALL, FOLD
from ...game.rules import Rules
from ...table.seat_view import SeatView
from ..json_lines.situations import hand_names
from .answers import HOW_TO_ANSWER, SHOWN, AnswerError, read_answer
from .dialogues import count_tokens, saved_call
from .game_words import describe_game
from .session_so_far import SessionSoFar
from .situation import describe_table

ADVICE = "Play to win as many chips as you can over many hands."
TRIES = 3
MILLION = 1_000_000
WithoutAnswer = Literal["stop", "check_or_fold"]


class Message(TypedDict):
    """One message of a conversation with a language model."""

    role: Literal["system", "user", "assistant"]
    content: str


class Usage:
    """What an agent and all its clones have used so far.

    Clones share one Usage, so the agent that you gave to a match knows it afterwards. The counts of agents in other
    processes stay there.

    Attributes:
        calls: Answers of the model.
        rejected: Answers that were not a legal move.
        given_up: Decisions without a legal answer, in which the agent checked or folded.
        prompt_tokens, completion_tokens: As the server counts them.
        prices: Dollars for a million of each; None if they are not known.
    """

    def __init__(self) -> None:
        self.calls = self.rejected = self.given_up = self.prompt_tokens = self.completion_tokens = 0
        self.prices: tuple[float, float] | None = None
        self._lock = Lock()

    @property
    def decisions(self) -> int:
        """Decisions that were made."""
        return self.calls - self.rejected + self.given_up

    @property
    def dollars(self) -> float | None:
        """What all tokens cost; None without prices."""
        if self.prices is None:
            return None
        return (self.prompt_tokens * self.prices[0] + self.completion_tokens * self.prices[1]) / MILLION

    def add(
        self, calls: int = 0, rejected: int = 0, given_up: int = 0, prompt_tokens: int = 0, completion_tokens: int = 0
    ) -> None:
        """Add to the counts; threads may do so at the same time."""
        count_tokens(prompt_tokens, completion_tokens)
        with self._lock:
            self.calls += calls
            self.rejected += rejected
            self.given_up += given_up
            self.prompt_tokens += prompt_tokens
            self.completion_tokens += completion_tokens

    def __deepcopy__(self, memo: dict[int, Any]) -> Self:
        return self

    def __getstate__(self) -> dict[str, Any]:
        return {name: value for name, value in vars(self).items() if name != "_lock"}

    def __setstate__(self, state: dict[str, Any]) -> None:
        vars(self).update(state)
        self._lock = Lock()

    def __str__(self) -> str:
        tokens = f"{self.prompt_tokens:,} tokens in, {self.completion_tokens:,} out"
        passive = f"checked or folded {self.given_up:,} times for want of a legal answer, " if self.given_up else ""
        each = max(self.decisions, 1)
        per_decision = f"{(self.prompt_tokens + self.completion_tokens) / each:,.0f} tokens a decision"
        cost = "" if (dollars := self.dollars) is None else f", ${dollars:.2f}, ${dollars / each:.5f} a decision"
        return f"{self.calls:,} calls, {self.rejected:,} answers rejected, {passive}{tokens}, {per_decision}{cost}"


class TextAgent(TableAgent):
    """Base of agents that are asked in English and answer in free text: write `complete`, and the agent plays.

    Each decision is a conversation of its own, which tells the hand so far. After an illegal answer, the model reads
    why and is asked again.

    Attributes:
        advice: How to play, the part of the first message that is yours.
        tries: How many answers it may give.
        without_answer: What happens then: "check_or_fold" checks or folds, which `usage` counts; "stop" fails.
        concurrent: Number of tables at which it is asked at once, each in a thread of its own.
        remembers: Number of earlier hands at the table in the prompt, with how often each seat came in and raised.
        usage: The calls so far.

    >>> from holdem_env import Table
    >>> class Cautious(TextAgent):
    ...     name = "cautious"
    ...     def complete(self, messages):
    ...         return "Action: check" if "- check" in messages[-1]["content"] else "Action: fold"
    >>> Cautious().move(Table("heads-up-no-limit", seed=1))
    -1
    """

    advice: str = ADVICE
    tries: int = TRIES
    without_answer: WithoutAnswer = "check_or_fold"
    concurrent: int = 1
    remembers: int = 0
    usage: Usage
    _session: SessionSoFar

    def __new__(cls, *_: Any, **__: Any) -> Self:
        """An agent with a usage of its own, whatever `__init__` the class has."""
        self = super().__new__(cls)
        self.usage = Usage()
        self._session = SessionSoFar()
        return self

    @property
    def facts(self) -> AgentFacts:  # type: ignore[override] # `concurrent` says it
        """Facts of an agent that plays at any number of tables at the same time."""
        return AgentFacts(clock="wall", tables_at_once=max(1, self.concurrent))

    @abstractmethod
    def complete(self, messages: list[Message]) -> str:
        """Return the model's answer to a conversation.

        If `concurrent` is above 1, several threads call it at once.

        Args:
            messages: Role and content of each message, the latest last.
        """

    def messages(self, view: SeatView) -> list[Message]:
        """The conversation that asks for a decision: the rules, `advice` and how to answer, then the table."""
        rules = f"You are playing poker.\n{describe_game(view.game)}"
        system = f"{rules}\n{self.advice}\n{HOW_TO_ANSWER}"
        parts = [self._session.text(view), describe_table(view)]
        return [{"role": "system", "content": system}, {"role": "user", "content": "\n\n".join(filter(None, parts))}]

    @property
    def wants_hand_over(self) -> bool:
        """True if the agent remembers hands."""
        return self.remembers > 0 or type(self).hand_over is not TextAgent.hand_over

    def hand_over(self, tables: Records, rules: Rules, rows: NDArray[np.int64]) -> None:
        for row in rows.tolist():
            view = SeatView(tables[row : row + 1].copy(), rules, int(tables["actor"][row]))
            self._session.take(view, self.remembers)

    def reset(self) -> None:
        self._session.clear()

    def decide(self, view: SeatView) -> int:
        """Return the move of the seat to act, as in `TableAgent.decide`.

        Raises:
            AnswerError: After `tries` answers without a legal move, unless `without_answer` says to check or fold.
        """
        messages = self.messages(view)
        about = {"agent": self.name, "model": getattr(self, "model", None)}
        about |= {"hand": hand_names(view.records, view.rules)[0], "seat": view.seat}
        for attempt in range(1, self.tries + 1):
            with saved_call({**about, "try": attempt, "messages": messages}) as outcome:
                answer = self.complete(messages)
                if not isinstance(answer, str):
                    raise TypeError(f"complete must return text, not {type(answer).__name__}")
                self.usage.add(calls=1)
                outcome["answer"] = answer
                try:
                    return read_answer(answer, view)
                except AnswerError as error:
                    refusal = outcome["refusal"] = str(error)
            self.usage.add(rejected=1)
            if attempt == self.tries and self.without_answer == "check_or_fold":
                self.usage.add(given_up=1)
                return FOLD if view.legal.call else CHECK_CALL
            if attempt == self.tries:
                raise AnswerError(f"no legal move in {self.tries} answers; of the last: {refusal}")
            again = f"{refusal[: 2 * SHOWN]} {HOW_TO_ANSWER}"
            messages = [*messages, {"role": "assistant", "content": answer}, {"role": "user", "content": again}]
        raise ValueError(f"tries: {self.tries} is below 1")

    def act(self, tables: Records, rules: Rules, rows: NDArray[np.int64]) -> NDArray[np.int64]:
        """Return moves as in `Agent.act`, for several tables at once if `concurrent` is above 1.

        Raises:
            DecisionError: If a decision fails.
        """
        if self.concurrent <= 1 or len(rows) <= 1:
            return super().act(tables, rules, rows)
        ask = super().act
        pool = ThreadPoolExecutor(min(self.concurrent, len(rows)))
        try:
            moves = list(pool.map(lambda k: ask(tables, rules, rows[k : k + 1]), range(len(rows))))
        finally:  # after an error nobody is asked any more
            pool.shutdown(wait=False, cancel_futures=True)
        return np.concatenate(moves)
