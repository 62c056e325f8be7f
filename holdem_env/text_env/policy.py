"""TextPolicy: a model that gives the log-probabilities of answers, as an agent with a known strategy.

So `exploitability`, local best response, river-v1 and `holdem score` measure it: 12 prompts for Kuhn, 936 for Leduc.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ..agents.known_strategy import KnownStrategy
from ..compiled.records import Records
from ..engine.batch import NO_MOVE
from ..engine.legality import move_text
from ..engine.record import FOLD
from ..engine.seat_view import new_views, view_rows
from ..game.rules import Rules
from ..table.abstract_moves import AbstractSizes, abstract_moves
from ..table.seat_view import SeatView
from .prompts import Prompt, prompt_of

Ask = Callable[[list[str], list[list[str]]], Sequence[ArrayLike]]
"""What a model is: given prompts, and for each the legal answers, the log-probabilities of these answers, prompt by
prompt. They need not sum to 1: what the model gives to all other texts is left out."""
BATCH = 256


class TextPolicy(KnownStrategy):
    """A model as an agent: it plays each legal answer as often as the model would, among these.

    ask: the model, a function of prompts and their legal answers that returns log-probabilities (`Ask`).
    prompt: "short", "full", "arena" or a function of a SeatView.
    sizes: the raises that it may make, as `abstract_moves` takes them, such as "50%, pot, all-in" or "every"; by
        default those of environments. In fixed limit there is one.
    batch: how many prompts are asked at once. Each prompt is asked once and remembered, until `forget`.

    asked: how many prompts were asked.

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
        self._known: dict[tuple[str, tuple[str, ...]], NDArray[np.float64]] = {}

    def forget(self) -> None:
        """Ask every prompt again, as the model has learned."""
        self._known.clear()
        self.asked = 0

    def probabilities(
        self, tables: Records, rules: Rules, rows: NDArray[np.int64]
    ) -> tuple[NDArray[np.int64], NDArray[np.float64]]:
        """See `Agent.probabilities`. Raises ValueError for log-probabilities of another number, that are NaN or plus
        infinity, or of which none is above minus infinity."""
        views = new_views(len(rows))
        view_rows(tables, rules.record, rows, views)
        offered = [self._moves(views[k : k + 1], rules) for k in range(len(rows))]
        keys = [
            self._question(SeatView(views[k : k + 1], rules, int(views["actor"][k])), offered[k])
            for k in range(len(rows))
        ]
        self._ask_new(keys)
        moves = np.full((len(rows), max(map(len, offered), default=1)), NO_MOVE, np.int64)
        likely = np.zeros(moves.shape)
        for k, (own, key) in enumerate(zip(offered, keys, strict=True)):
            moves[k, : len(own)], likely[k, : len(own)] = own, self._known[key]
        return moves, likely

    def _moves(self, table: Records, rules: Rules) -> list[int]:
        """The engine moves that may be answered. A fold where checking is free is none."""
        found = abstract_moves(table, rules, self.sizes)
        t = table[0]
        is_free = t["bet_to_match"] <= t["seats"]["bet"][int(t["actor"])]
        return [move for move in found if not (is_free and move == FOLD)]

    def _question(self, view: SeatView, moves: list[int]) -> tuple[str, tuple[str, ...]]:
        opens = not any(view.bets)
        words = (move_text(move, view.legal.call, opens) for move in moves)
        return self.prompt(view), tuple(words)

    def _ask_new(self, keys: Sequence[tuple[str, tuple[str, ...]]]) -> None:
        """Ask what is not known, in batches."""
        new = [key for key in dict.fromkeys(keys) if key not in self._known]
        for first in range(0, len(new), self.batch):
            some = new[first : first + self.batch]
            given = self.ask([prompt for prompt, _ in some], [list(answers) for _, answers in some])
            if len(given) != len(some):
                raise ValueError(f"ask: must give log-probabilities for each of {len(some)} prompts, got {len(given)}")
            self._known |= {key: _normal(key[1], logs) for key, logs in zip(some, given, strict=True)}
            self.asked += len(some)


def _normal(answers: Sequence[str], logs: ArrayLike) -> NDArray[np.float64]:
    """Probabilities among the answers."""
    given = np.asarray(logs, np.float64)
    if given.shape != (len(answers),) or np.isnan(given).any() or not np.isfinite(given.max(initial=-np.inf)):
        raise ValueError(f"ask: must give a log-probability for each of {list(answers)}, got {given.tolist()}")
    parts = np.exp(given - given.max())
    probabilities: NDArray[np.float64] = parts / parts.sum()
    return probabilities
