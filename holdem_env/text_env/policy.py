"""Models as agents with a known strategy: `TextPolicy` by log-probabilities of answers, `SampledPolicy` by counting.

So `exploitability`, local best response, river-v1 and `holdem score` measure it: 12 prompts for Kuhn, 936 for Leduc.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ..agents.facts import AgentFacts
from ..agents.known_strategy import KnownStrategy
from ..compiled.records import Records
from ..engine.batch import NO_MOVE
from ..engine.legality import move_text
from ..engine.record import CHECK_CALL, FOLD
from ..engine.seat_view import new_views, view_rows
from ..game.rules import Rules
from ..protocols.text.answers import AnswerError, read_answer
from ..table.abstract_moves import AbstractSizes, abstract_moves
from ..table.seat_view import SeatView
from .prompts import Prompt, prompt_of

Ask = Callable[[list[str], list[list[str]]], Sequence[ArrayLike]]
"""What a model is: given prompts, and for each the legal answers, the log-probabilities of these answers, prompt by
prompt. They need not sum to 1: what the model gives to all other texts is left out."""
BATCH = 256


class TextPolicy(KnownStrategy):
    """A model as an agent: it plays each legal answer as often as the model would, among these.

    Args:
        ask: The model, a function of prompts and their legal answers that returns log-probabilities (`Ask`).
        prompt: "short", "full", "arena" or a function of a SeatView.
        sizes: The raises that it may make, as `abstract_moves` takes them, such as "50%, pot, all-in" or "every". By
            default those of environments. In fixed limit there is one.
        batch: Number of prompts asked at once. Each prompt is asked once and remembered, until `forget`.
        name: The agent's name.
        seed: Seed of the agent's sampling.

    Attributes:
        asked: Number of prompts asked.

    >>> from holdem_env.arena import exploitability
    >>> policy = TextPolicy(lambda prompts, answers: [[0.0] * len(each) for each in answers])  # all alike
    >>> round(exploitability(policy, "kuhn"), 3), policy.asked
    (0.458, 12)
    """

    def __init__(
        self,
        ask: Ask,
        prompt: str | Prompt = "short",
        sizes: AbstractSizes = None,
        batch: int = BATCH,
        name: str = "text_policy",
        seed: int = 0,
    ) -> None:
        super().__init__(seed)
        if batch < 1:
            raise ValueError(f"batch: must be 1 or more, got {batch}")
        self.ask, self.prompt, self.sizes, self.batch, self.name = ask, prompt_of(prompt), sizes, batch, name
        self.asked = 0
        self._known: dict[tuple[str, ...], NDArray[np.float64]] = {}

    def forget(self) -> None:
        """Ask every prompt again, as the model has learned."""
        self._known.clear()
        self.asked = 0

    def probabilities(
        self, tables: Records, rules: Rules, rows: NDArray[np.int64]
    ) -> tuple[NDArray[np.int64], NDArray[np.float64]]:
        """Return the probabilities of moves, as in `Agent.probabilities`.

        Raises:
            ValueError: If the number of log-probabilities is wrong, one is NaN or plus infinity, or all are minus
                infinity.
        """
        views = new_views(len(rows))
        view_rows(tables, rules.record, rows, views)
        questions = [self._question(views[k : k + 1], rules) for k in range(len(rows))]
        self._ask_new(questions)
        moves = np.full((len(rows), max((len(each.moves) for each in questions), default=1)), NO_MOVE, np.int64)
        likely = np.zeros(moves.shape)
        for k, question in enumerate(questions):
            moves[k, : len(question.moves)], likely[k, : len(question.moves)] = (
                question.moves,
                self._known[question.key],
            )
        return moves, likely

    def _moves(self, table: Records, rules: Rules) -> list[int]:
        """The engine moves that may be answered. A fold where checking is free is none."""
        found = abstract_moves(table, rules, self.sizes)
        t = table[0]
        is_free = t["bet_to_match"] <= t["seats"]["bet"][int(t["actor"])]
        return [move for move in found if not (is_free and move == FOLD)]

    def _question(self, table: Records, rules: Rules) -> Question:
        view, moves = SeatView(table, rules, int(table["actor"][0])), self._moves(table, rules)
        legal = view.legal
        words = [move_text(move, legal.call, legal.opens) for move in moves]
        return Question(self.prompt(view), words, moves, view)

    def _ask_new(self, questions: Sequence[Question]) -> None:
        new = {question.key: question for question in questions if question.key not in self._known}
        for first in range(0, len(new), self.batch):
            some = [*new.values()][first : first + self.batch]
            self._known |= zip((question.key for question in some), self._likely(some), strict=True)
            self.asked += len(some)

    def _likely(self, questions: Sequence[Question]) -> list[NDArray[np.float64]]:
        given = self.ask([question.prompt for question in questions], [question.answers for question in questions])
        if len(given) != len(questions):
            raise ValueError(f"ask: must give log-probabilities for each of {len(questions)} prompts, got {len(given)}")
        return [_normal(question.answers, logs) for question, logs in zip(questions, given, strict=True)]


class SampledPolicy(TextPolicy):
    """A model without log-probabilities as an agent, which plays as often as the model has answered so.

    Figures from it are uncertain: `sampled_exploitability` gives the interval, and the cards of `holdem score` say from
    how many answers they know it. A raise that `sizes` does not have counts as the nearest one. An unclear or illegal
    answer checks, or folds where a check is not free, and is counted in `faults`.

    Args:
        answer: The model, a function of prompts that returns one text for each. It gets each prompt `answers` times at
            once, and must answer each by itself.
        answers: Number of answers for each prompt.
        prompt, sizes, batch, name, seed: As in `TextPolicy`.

    >>> from holdem_env.arena import sampled_exploitability
    >>> policy = SampledPolicy(lambda prompts: ["check" if p.split()[-2] == "bet" else "call" for p in prompts])
    >>> round(sampled_exploitability(policy, "kuhn").mean, 3), policy.asked, policy.faults
    (0.333, 12, 0)
    """

    def __init__(
        self,
        answer: Callable[[list[str]], Sequence[str]],
        answers: int = 50,
        prompt: str | Prompt = "short",
        sizes: AbstractSizes = None,
        batch: int = BATCH,
        name: str = "sampled_policy",
        seed: int = 0,
    ) -> None:
        super().__init__(lambda prompts, words: [], prompt, sizes, batch, name, seed)
        if answers < 2:
            raise ValueError(f"answers: must be 2 or more, got {answers}")
        self.answer, self.faults = answer, 0
        self.facts = AgentFacts(answers_counted=answers)

    def forget(self) -> None:
        super().forget()
        self.faults = 0

    def _likely(self, questions: Sequence[Question]) -> list[NDArray[np.float64]]:
        times = self.facts.answers_counted or 0
        texts = self.answer([question.prompt for question in questions for _ in range(times)])
        if len(texts) != len(questions) * times:
            raise ValueError(f"answer: must give {len(questions) * times} texts, one for each prompt, got {len(texts)}")
        return [
            np.bincount(
                [self._place(text, question) for text in texts[k * times : (k + 1) * times]], None, len(question.moves)
            )
            / times
            for k, question in enumerate(questions)
        ]

    def _place(self, text: str, question: Question) -> int:
        try:
            move = read_answer(text, question.view)
        except AnswerError:
            self.faults += 1
            move = FOLD if FOLD in question.moves else CHECK_CALL
        return min(range(len(question.moves)), key=lambda place: _far(move, question.moves[place]))


class Question(NamedTuple):
    """A decision as a model is asked about it. moves: the engine moves that the answers mean."""

    prompt: str
    answers: list[str]
    moves: list[int]
    view: SeatView

    @property
    def key(self) -> tuple[str, ...]:
        """What tells it from others."""
        return self.prompt, *self.answers


def _far(move: int, other: int) -> float:
    """How far a move is from another one: raises by chips, anything else only from itself."""
    return 0 if move == other else abs(move - other) if min(move, other) > CHECK_CALL else np.inf


def _normal(answers: Sequence[str], logs: ArrayLike) -> NDArray[np.float64]:
    given = np.asarray(logs, np.float64)
    if given.shape != (len(answers),) or np.isnan(given).any() or not np.isfinite(given.max(initial=-np.inf)):
        raise ValueError(f"ask: must give a log-probability for each of {list(answers)}, got {given.tolist()}")
    parts = np.exp(given - given.max())
    probabilities: NDArray[np.float64] = parts / parts.sum()
    return probabilities
