"""BlueprintAgent: an agent that plays a strategy file. How it comes to a move stands in decision.py."""

from __future__ import annotations

import copy
from collections.abc import Callable, Iterator
from dataclasses import asdict, replace
from inspect import signature
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...agents.facts import AgentFacts
from ...agents.known_strategy import KnownStrategy
from ...agents.range_copies import hands_left, padded
from ...cards.combos import COMBO_CARDS, COMBO_OF, COMBOS
from ...compiled.records import Records
from ...engine.batch import NO_MOVE
from ...game.rules import Rules
from ..card_tables.abstraction import SIZES
from .decision import MAX_OFFERED, decide_rows, drop_unplayed, reach_probabilities
from .game_check import check_game
from .places import new_places
from .resolving import FLOOR, Answer, Blueprint, Resolver, Safe, Search, SearchOptions, Values
from .strategy import Strategy, strategy_arrays
from .strategy_file import STRATEGY_SUFFIX, load_strategy

Rows = NDArray[np.int64]
RANGES_AT_ONCE = 32  # tables whose ranges are worked out at once: some 340 kB each
HOLE = 2
SHIPPED = Path(__file__).parent / "shipped"  # the folder of the bundled strategies


class BlueprintAgent(KnownStrategy):
    """An agent that plays a strategy for a whole heads-up game, made by `holdem solve`.

    Bets that the strategy's tree does not have are translated (`translation`), and its own bets are the same parts of
    the real pot. The chips may be multiples of the strategy's. Stacks may differ from it, but the more they do, the
    worse it plays. It knows its probabilities, and those of each hand that it may have.

    Args:
        path: A .strategy file, or a Strategy.
        search: The street from which it re-solves hands with the bets that were made (`resolving`): "river", "turn",
            "flop" or None. "auto" is "river"; in training, where hands must be fast, it is None (`plain`).
        iterations: Iterations of each solution. By default 100 for a river, 60 for a turn or a flop.
        seconds: Limit for a decision, by default none. A solution that the limit cuts short depends on the machine.
        floor, safe: What it does about an opponent with other hands than the strategy's; see `SearchOptions`.
        seed: With the same seed, the agent plays the same in the same hand of the same table.
        name: By default that of the file.
        values: What values the end of flops and turns, "network" or "exact"; see `SearchOptions`.

    Raises:
        FileNotFoundError: If `load_strategy` does not find the file.
        ValueError: If the file is not a strategy, or, when the agent acts, if the strategy is not for the game.
    """

    def __init__(
        self,
        path: str | Path | Strategy,
        search: Search = "auto",
        iterations: int | None = None,
        seconds: float | None = None,
        floor: float = FLOOR,
        seed: int = 0,
        safe: Safe | None = None,
        name: str | None = None,
        values: Values = "network",
    ) -> None:
        super().__init__(seed)
        self.options = SearchOptions(search, iterations, seconds, floor, safe, values)
        self.strategy = path if isinstance(path, Strategy) else load_strategy(path)
        self.path = None if isinstance(path, Strategy) else str(path)
        self.name = name or ("blueprint" if self.path is None else Path(self.path).stem)
        files = () if self.path is None else (Path(self.path),)
        self.facts = AgentFacts(trained_on=self.strategy.rules, files=files, searches=search == "auto")
        self._arrays = strategy_arrays(self.strategy)
        self._checked: Rules | None = None
        self.resolver = self._new_resolver()

    def probabilities(self, tables: Records, rules: Rules, rows: Rows) -> Answer:
        self.check_rules(rules)
        some = tables[rows]
        holes = some["hole"][np.arange(len(rows)), some["actor"], :HOLE].astype(np.int64)
        buckets = self.strategy.cards.hand_buckets(holes, some["board"], some["board_count"])[:, :, None]
        hands = np.arange(len(rows)), buckets, np.ones((len(rows), 1), np.bool_), holes
        moves, probabilities = self._searched(tables, rules, rows, COMBO_OF[holes[:, :1], holes[:, 1:]], *hands)
        return moves, probabilities[:, 0].copy()

    def range_probabilities(self, tables: Records, rules: Rules, rows: Rows) -> Answer:
        self.check_rules(rules)
        parts = []
        for at in range(0, len(rows), RANGES_AT_ONCE):
            some = rows[at : at + RANGES_AT_ONCE]
            combos = np.broadcast_to(np.arange(COMBOS), (len(some), COMBOS))
            parts.append(self._searched(tables, rules, some, combos, *self._ranges(tables, some)))
        return padded(parts)

    def _ranges(self, tables: Records, rows: Rows) -> tuple[Rows, NDArray[np.int16], NDArray[np.bool_], Rows]:
        """All hands, as `_decide` takes them."""
        return *self._board_buckets(tables[rows]), hands_left(tables, rows), COMBO_CARDS

    def _plain_ranges(self, tables: Records, rules: Rules, rows: Rows) -> Answer:
        return self._decide(tables, rules, rows, *self._ranges(tables, rows))

    def _decide(self, tables: Records, rules: Rules, rows: Rows, *hands: Any) -> Answer:
        """Without search: moves (K, MAX_OFFERED), and probabilities (K, H, MAX_OFFERED). hands: which, buckets,
        possible and hands of `decide_rows`."""
        moves, count = np.empty((len(rows), MAX_OFFERED), np.int64), hands[2].shape[1]
        probabilities = np.empty((len(rows), count, MAX_OFFERED))
        work: Any = *hands, new_places(count), moves, probabilities
        decide_rows(self._arrays, tables, rules.record, rows, *work)
        return moves, probabilities

    def _searched(self, tables: Records, rules: Rules, rows: Rows, combos: Rows, *hands: Any) -> Answer:
        """`_decide` with search, less the moves that no hand plays. combos: (K, H)."""
        moves, probabilities = self._decide(tables, rules, rows, *hands)
        for k, resolved, strategy in self._resolved(tables, rules, rows):
            moves[k], probabilities[k] = NO_MOVE, 0.0
            moves[k, : resolved.size] = resolved
            probabilities[k, :, : resolved.size] = strategy[combos[k]] * hands[2][k, :, None]
        width = drop_unplayed(moves, probabilities)
        return moves[:, :width].copy(), probabilities[:, :, :width].copy()

    def _resolved(
        self, tables: Records, rules: Rules, rows: Rows
    ) -> Iterator[tuple[int, NDArray[np.int64], NDArray[np.float64]]]:
        """Of rows that are re-solved: their places, moves (A,) and probabilities (1326, A)."""
        if self.resolver is None:
            return
        late = np.flatnonzero(tables["street"][rows] >= self.resolver.first)
        # Tables with the same cards and moves stand side by side, so that their solution is still there.
        made = tables["made"]["move"][rows[late]]
        order = np.lexsort((*made.T[::-1], *tables["board"][rows[late]].T))
        for k in late[order].tolist():
            answer = self.resolver.answer(tables, rules, int(rows[k]))
            if answer is not None and answer[0].size <= MAX_OFFERED:
                yield k, *answer

    def _reach_probabilities(self, tables: Records, rules: Rules, row: int, end: int) -> NDArray[np.float64]:
        """(2, 1326): see `Blueprint` of resolving.py."""
        _, buckets = self._board_buckets(tables[[row]])
        reach = np.empty((2, COMBOS))
        reach_probabilities(self._arrays, tables, rules.record, row, end, buckets[0], new_places(COMBOS), reach)
        return reach

    @property
    def usage(self) -> str | None:
        """What search has taken so far, in words; None if there was none."""
        return f"searched: {self.resolver.spent}" if self.resolver and self.resolver.spent.solutions else None

    def clone(self) -> BlueprintAgent:
        """See `Agent.clone`: the agent remembers nothing of hands, and its strategy is only read. Solutions that no
        clock cuts short are the same for all clones, so they solve nothing twice."""
        return copy.copy(self) if self.options.seconds is None else self.searching(self.options.search)

    def without_search(self) -> BlueprintAgent:
        return self.searching(None)

    def searching(self, street: Search, seconds: float | None = None) -> BlueprintAgent:
        """Return this agent, searching from another street on, or not at all. seconds: limit for a decision, unless the
        agent has one already."""
        twin = copy.copy(self)
        twin.facts = replace(self.facts, searches=street == "auto")
        twin.options = replace(self.options, search=street, seconds=self.options.seconds or seconds)
        twin.resolver = twin._new_resolver()
        return twin

    def _new_resolver(self) -> Resolver | None:
        blueprint = Blueprint(self._reach_probabilities, self._plain_ranges, self.strategy.sizes)
        return None if self.options.search is None else Resolver(blueprint, self.options)

    def config(self) -> dict[str, Any]:
        """Return the agent's configuration, as in `config_of`. Raises ValueError if the strategy has no file."""
        if self.path is None:
            raise ValueError(
                f"agent {self.name!r} plays a strategy that has no file: save_strategy('mine.strategy', strategy) "
                "writes one"
            )
        name = self.name if Path(self.path) == shipped_path(self.name) else self.path
        return {"agent": name, **asdict(self.options), "seed": self.seed}

    def check_rules(self, rules: Rules) -> None:
        if rules is not self._checked:
            check_game(self.name, self.strategy.rules, rules)
            self._checked = rules

    def _board_buckets(self, some: Records) -> tuple[Rows, NDArray[np.int16]]:
        """The different boards of tables: which of them each has, and every hand's buckets on them (B, streets, 1326);
        -1 where a hand cannot be, and on streets to come."""
        boards = some["board"].astype(np.int64)
        boards[np.arange(boards.shape[1]) >= some["board_count"][:, None]] = -1
        different, which = np.unique(boards, axis=0, return_inverse=True)
        buckets = np.full((len(different), len(SIZES), COMBOS), -1, np.int16)
        for k, board in enumerate(different):
            for street, size in enumerate(SIZES):
                if (board[:size] >= 0).all():
                    buckets[k, street] = self.strategy.cards.buckets(street, board[:size])
        return which.ravel().astype(np.int64), buckets


def shipped_path(name: str) -> Path:
    """The path of a bundled strategy."""
    return SHIPPED / f"{name}{STRATEGY_SUFFIX}"


def _shipped(name: str, game: str) -> Callable[..., BlueprintAgent]:

    def make(*settings: Any, **named: Any) -> BlueprintAgent:
        path = shipped_path(name)
        if not path.is_file():
            raise FileNotFoundError(
                f"agent {name!r}: this version has no strategy for it; `holdem solve {name}` makes one"
            )
        return BlueprintAgent(path, *settings, **named)

    form = signature(BlueprintAgent)
    settings = [each for each in form.parameters.values() if each.name not in ("path", "name")]
    vars(make).update(__signature__=form.replace(parameters=settings), __name__=name)
    make.__doc__ = f"Plays a computed strategy for {game}. Parameters are those of BlueprintAgent."
    return make


blueprint_100bb = _shipped("blueprint_100bb", "heads-up no-limit with 100 big blinds")
blueprint_20bb = _shipped("blueprint_20bb", "heads-up no-limit with 20 big blinds")
blueprint_limit = _shipped("blueprint_limit", "heads-up fixed limit")
