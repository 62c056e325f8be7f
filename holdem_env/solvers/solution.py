"""`Solution`: what both players do with each of their hands in a solved game, whole or the rest of a hand, and what it
is worth, at any place."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from itertools import islice
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ..cards.combos import COMBOS
from ..cards.text import card_name, cards_text
from ..equities.questions import CardsLike, read_cards
from ..game.rules import Rules
from ..game.title import game_title
from ..utils.counting import counted
from ..utils.frames import to_frame
from .agents import SolutionAgent, SubgameAgent
from .boards import PLAYERS
from .cfr import BEST, VALUE, normalize
from .charts import Chart
from .decision_table import decisions_of, table_of
from .files import opened, write
from .games import MAX_MEMORY
from .packing import Numbers
from .public_game import PublicGame, run_out_from
from .reading import Place, find_place, move_words
from .solution_file import SUFFIX, SolutionHeader, Spot, contents, found_in, game_in, numbers_in, solver_in
from .solver import PlayedGame, Solver, move_values_at, numbers_of, per_hand, played_game, values_at
from .trees import BetSizes, BettingTree
from .trees.walking import DECISION

TINY = 1e-300
POSITIONS = "IP", "OOP"  # the players of the rest of a hand: in position (the button) and out of position


class TracePoint(NamedTuple):
    """What was reached on the way: after this many iterations and seconds, this exploitability in chips a hand."""

    iterations: int
    seconds: float
    exploitability: float


class Solution:
    """A strategy for both players of a game, near an equilibrium; player 0 has the button.

    A place is a node of the tree, or the path of moves to it, such as "check, bet 75, call, 9s, check". `dealt` are the
    cards dealt since the root, where the path does not name them. Rows of arrays are hands in the order of `hands`.

    Attributes:
        rules: The game.
        tree: Its betting.
        sizes: The bet sizes; None for every legal raise of a whole game.
        board: The cards at the root.
        ranges: (2, H) weights of both players' hands.
        spot: Where the rest of a hand begins; None for a whole game, and for a tree from elsewhere.
        algorithm, iterations, seconds: How it was found.
        trace: The exploitability on the way, in chips a hand.
        locked: The nodes whose strategies were held fixed.
        solver: The solver of a solution that was stopped before its end, to continue (`resume=`); else None.
        game: What was solved.
        numbers: The strategies as `PublicGame` lays them out.
    """

    def __init__(
        self,
        game: PublicGame,
        numbers: Numbers,
        *,
        rules: Rules | None = None,
        is_whole: bool = False,
        sizes: BetSizes | None = None,
        spot: Spot | None = None,
        algorithm: str = "dcfr",
        iterations: int = 0,
        seconds: float = 0.0,
        trace: Sequence[TracePoint] = (),
        locked: Sequence[int] = (),
        solver: Solver | None = None,
        threads: int = 1,
    ) -> None:
        self.game, self.numbers = game, numbers
        self.tree: BettingTree = game.tree
        self.rules, self.is_whole = rules or game.rules, is_whole
        self.board, self.ranges, self.hands = game.board, game.ranges, game.hands.cards
        self.sizes, self.spot, self.algorithm = sizes, spot, algorithm
        self.iterations, self.seconds, self.trace = iterations, seconds, tuple(trace)
        self.locked, self.solver, self._threads = list(locked), solver, threads

    @classmethod
    def of(cls, game: PublicGame, strategy: NDArray[Any], rules: Rules | None = None) -> Solution:
        """Return the solution of a whole game that is a given strategy, (entries,) as `PublicGame` lays it out."""
        return cls(game, numbers_of(game, strategy), rules=rules, is_whole=True, algorithm="given")

    # What it is worth

    @cached_property
    def _played(self) -> PlayedGame:
        return played_game(self.game, self.numbers, self._threads)

    @cached_property
    def _values(self) -> tuple[NDArray[Any], NDArray[Any]]:
        """Counterfactual values by the strategies, and of the shares of the pot if nobody bets."""
        return self._played.values(VALUE), self._played.equities()

    @property
    def _start(self) -> NDArray[np.float64]:
        """(2,): what counts as put in before the root; nothing in a whole game, whose blinds are a part of it, and
        where chips are worth something else."""
        is_chips = not self.is_whole and self.tree.utility is None
        return self.tree.put_in[0].astype(np.float64) if is_chips else np.zeros(PLAYERS)

    @cached_property
    def values(self) -> NDArray[np.float64]:
        """(2,) chips that each player takes out of the pot on average, less what it puts in from the root on; in a
        whole game what it wins a hand."""
        return self._played.mean(self._values[0]) + self._start

    @cached_property
    def shares(self) -> NDArray[np.float64]:
        """(2,) shares of the pot that the players get if nobody bets any more."""
        return self._played.mean(self._values[1])

    @cached_property
    def ev(self) -> NDArray[np.float64]:
        """(2, H) `values` of each hand; NaN for hands that are not in the range, or meet none of the other's."""
        return self._played.by_hand(self._values[0]) + self._start[:, None]

    @cached_property
    def equity(self) -> NDArray[np.float64]:
        """(2, H) `shares` of each hand; NaN as in `ev`."""
        return self._played.by_hand(self._values[1])

    @cached_property
    def exploitability(self) -> float:
        """What a best response inside the tree gains over the strategies, in chips a hand, the mean of both players;
        NashConv / 2. Best responses keep what is locked."""
        if self.is_whole and self.trace and self.trace[-1].iterations == self.iterations:
            return self.trace[-1].exploitability
        best = self._played.mean(self._played.values(BEST))
        return float((best - self._played.mean(self._values[0])).mean())

    @property
    def pot(self) -> int:
        """The chips in the middle at the root."""
        return int(self.tree.pot[0])

    @property
    def exploitability_percent(self) -> float:
        """The exploitability in percent of the pot, or of what `utility` makes of it (`BettingTree.stake`)."""
        return 100 * self.exploitability / self.tree.stake

    # At a place

    def moves(self, place: Place = 0) -> list[str]:
        """Return the moves at a place in words, in the order of the columns of `strategy`."""
        return move_words(self.tree, self._node(place)[0])

    def strategy(self, place: Place = 0, dealt: CardsLike = ()) -> NDArray[np.float64]:
        """Return what the player to act does with each hand.

        Returns:
            (H, children) probabilities in the order of `moves(place)`; rows of zeros for hands not in the range.

        Raises:
            ValueError: If the place does not exist, nobody is to act there, or `dealt` does not fit it.
        """
        node, cards = self._place(place, dealt)
        player, children = int(self.tree.player[node]), int(self.tree.children[node])
        board, hands = self._find(player, node, cards)
        rows = self.game.rows(self.numbers.values, node)[board - self.game.boards_at(node)[0], :, : len(hands)]
        answer = np.zeros((len(self.hands), children))
        answer[hands] = normalize(rows.T.astype(np.float64), axis=1)
        return answer

    def reach(self, place: Place = 0, dealt: CardsLike = ()) -> NDArray[np.float64]:
        """Return with which weight each hand of both players comes to a place.

        Returns:
            (2, H) weights in the range times the probabilities of the player's own moves on the way.
        """
        node, cards = self._place(place, dealt, needs_decision=False)
        weights = np.where(self.game.hands.possible(np.array([*self.board, *cards], np.int64)), self.ranges, 0.0)
        while node:
            parent = int(self.tree.parent[node])
            rows = self.strategy(parent, cards[: sum(self._deals_before(parent))])
            weights[self.tree.player[parent]] *= rows[:, node - int(self.tree.first_child[parent])]
            node = parent
        return weights

    def frequencies(self, place: Place = 0, dealt: CardsLike = ()) -> dict[str, float]:
        """Return how often the player to act makes each move, by its words, over all hands that come there. A hand
        counts with its weight alone, whatever hands it meets."""
        node, cards = self._place(place, dealt)
        weights = self.reach(node, cards)[self.tree.player[node]]
        shares = weights @ self.strategy(node, cards) / max(weights.sum(), TINY)
        return dict(zip(self.moves(node), shares.tolist(), strict=True))

    def ev_at(self, place: Place = 0, dealt: CardsLike = ()) -> NDArray[np.float64]:
        """Return each hand's expected value at a place, against the hands that come there.

        Returns:
            (2, H) chips that both players take out of the pot from there on, less what they still put in; blinds and
            antes of a whole game are still to be put in. NaN for hands not in the range, or that meet none.

        Raises:
            ValueError: As `strategy`.
        """
        node, cards = self._place(place, dealt)
        board, reach, met = self._meeting(node, cards)
        values = values_at(self.game, self.numbers, node, board, reach)
        ev = np.full((PLAYERS, len(self.hands)), np.nan)
        for p in range(PLAYERS):
            hands = self._find(p, node, cards)[1]
            ev[p, hands] = per_hand(values[p, : len(hands)].astype(np.float64), met[p, hands])
        return ev + self._put_in(node)[:, None]

    def move_ev(self, place: Place = 0, dealt: CardsLike = ()) -> NDArray[np.float64]:
        """Return (H, children): `ev_at` of the player to act for each move at a place, in the order of `moves`."""
        node, cards = self._place(place, dealt)
        board, reach, met = self._meeting(node, cards)
        player = int(self.tree.player[node])
        hands = self._find(player, node, cards)[1]
        values = move_values_at(self.game, self.numbers, node, board, reach)[:, : len(hands)]
        ev: NDArray[np.float64] = np.full((len(self.hands), len(values)), np.nan)
        ev[hands] = per_hand(values, met[player, hands]).T
        return ev + self._put_in(node)[player]

    def equity_at(self, place: Place = 0, dealt: CardsLike = ()) -> NDArray[np.float64]:
        """Return (2, H): the share of the pot that each hand gets from a place on if nobody bets any more, against the
        hands that come there; NaN as in `ev_at`."""
        node, cards = self._place(place, dealt)
        reach = self.reach(node, cards)
        if not reach.any(axis=1).all():
            return np.full(reach.shape, np.nan)
        tree = run_out_from(self.game.rules, int(self.tree.street[node]))
        run_out = Solver(PublicGame(tree, self.game.rules, [*self.board, *cards], reach))
        return run_out.by_hand(run_out.values(VALUE))

    def chart(self, place: Place = 0, dealt: CardsLike = ()) -> Chart:
        """Return what the player to act does with each kind of hand, as a chart of 13 x 13, in Texas hold'em."""
        if len(self.hands) != COMBOS:
            raise ValueError(f"chart: must be of Texas hold'em, got a game of {len(self.hands)} hands")
        node, cards = self._place(place, dealt)
        weights = self.reach(node, cards)[self.tree.player[node]]
        return Chart(self.moves(node), self.strategy(node, cards), weights)

    def _put_in(self, node: int) -> NDArray[np.float64]:
        if self.tree.utility is not None:
            return self._start
        return self.tree.put_in[node] - self.tree.put_in[0] + self._start

    def _meeting(self, node: int, cards: list[int]) -> tuple[int, NDArray[Any], NDArray[np.float64]]:
        """A node's board; (2, width), with which weight both players' hands come to its street; and (2, H), the weight
        of the other player's hands that each hand meets at the node."""
        root = node
        while root and not self.tree.street_start[root]:
            root = int(self.tree.parent[root])
        before = self.reach(root, cards)
        reach = np.zeros_like(self.game.weights)
        found = [self._find(p, node, cards) for p in range(PLAYERS)]
        for p, (_, hands) in enumerate(found):
            reach[p, : len(hands)] = before[p, hands] / max(before[p].max(), TINY)
        most = np.maximum(before.max(axis=1, keepdims=True), TINY)
        return found[0][0], reach, self.game.opponent_weights(self.reach(node, cards) / most)

    def _node(self, place: Place) -> tuple[int, tuple[int, ...]]:
        """A place's node, and the cards that its path names."""
        if not isinstance(place, int | np.integer):
            return find_place(self.tree, place)
        if not 0 <= place < len(self.tree):
            raise ValueError(f"solution: there is no node {place}; the tree has 0 to {len(self.tree) - 1}")
        return int(place), ()

    def _place(self, place: Place, dealt: CardsLike, needs_decision: bool = True) -> tuple[int, list[int]]:
        node, named = self._node(place)
        cards = [*named, *read_cards("dealt", dealt)]
        if needs_decision and self.tree.kind[node] != DECISION:
            raise ValueError(f"solution: nobody is to act at node {node}, {', '.join(self.tree.path(node))}")
        needed = sum(self._deals_before(node))
        if len(cards) != needed:
            raise ValueError(f"solution: node {node} comes after {needed} dealt cards, not {len(cards)}")
        taken = set(self.board)
        for card in cards:
            if card in taken or card not in self.game.hands.deck:
                there = "is on the board" if card in taken else "is no card"
                raise ValueError(f"solution: {card_name(card) if card in taken else card} {there}")
            taken.add(card)
        return node, cards

    def _deals_before(self, node: int) -> list[int]:
        level = int(self.tree.street[node]) - int(self.tree.street[0]) + self.game.before_root
        return self.game.deals[:level]

    def _find(self, player: int, node: int, dealt: list[int]) -> tuple[int, NDArray[np.int64]]:
        """A node's board with these cards, or the one that stands for it, and the hands that those in its list stand
        for."""
        left = iter(dealt)
        board, renaming = self.game.boards.find([[*islice(left, count)] for count in self._deals_before(node)])
        return board, self.game.hands.renamed(renaming)[self.game.boards.hands(player, board)]

    # As tables, agents and files

    def table(self) -> str:
        """Return the strategy in words, a line for each decision and hand.

        Raises:
            ValueError: If there are more than 2,000 lines.
        """
        return table_of(self.game, self._probabilities)

    def to_frame(self, place: Place | None = None, dealt: CardsLike = ()) -> Any:
        """Return the strategy as a pandas.DataFrame.

        Args:
            place: A row for each hand that comes there: hand, weight (`reach`), ev (`ev_at`, chips), and a column for
                each move, its probability. None: the root of the rest of a hand; of a whole game a row for each move of
                every decision and hand: to_act, moves (those before), board, hand, plays (the move), probability.
            dealt: Cards dealt since the root.

        Raises:
            ValueError: If `strategy` or `table` refuses the place.
            ModuleNotFoundError: If pandas is missing.
        """
        if place is None and self.is_whole:
            names = "to_act", "moves", "board", "hand", "plays", "probability"
            decisions = decisions_of(self.game, self._probabilities)
            rows = [(*where, *played) for *where, plays in decisions for played in plays]
            return to_frame(dict(zip(names, zip(*rows, strict=True), strict=True)))
        node, cards = self._place(place or 0, dealt)
        player = self.tree.player[node]
        weights = self.reach(node, cards)[player]
        hands, rows_at = np.flatnonzero(weights), self.strategy(node, cards)
        columns = {
            "hand": [cards_text(self.hands[hand].tolist()) for hand in hands],
            "weight": weights[hands],
            "ev": self.ev_at(node, cards)[player, hands],
        }
        return to_frame(columns | {move: rows_at[hands, k] for k, move in enumerate(self.moves(node))})

    def agent(self, seed: int = 0, path: Path | None = None) -> SolutionAgent | SubgameAgent:
        """Return an agent that plays the solution in either seat, from its root on, and gives its probabilities.

        Args:
            seed: Seed of the agent's sampling.
            path: The solution's file, if it has one.
        """
        return (SolutionAgent if self.is_whole else SubgameAgent)(self, seed, path)

    @property
    def _probabilities(self) -> NDArray[Any]:
        """(entries,): the strategies, as `PublicGame` lays them out."""
        return self.numbers.values if self.is_whole else self.game.strategy(self.numbers.values)

    def best_response(self) -> Solution:
        """Return each player's best response to the other's strategy, as a solution; locked decisions stay as they
        are."""
        numbers, known = Numbers(self._played.best_response(), np.ones(0, np.float32)), self._probabilities
        for node in self.locked:
            self.game.rows(numbers.values, node)[:] = self.game.rows(known, node)
        kept = {name: getattr(self, name) for name in ("rules", "is_whole", "sizes", "spot", "locked")}
        return Solution(self.game, numbers, algorithm="best response", threads=self._threads, **kept)

    def save(self, path: str | Path) -> None:
        """Write the solution to a .solution file of data alone, atomically.

        The probabilities of the rest of a hand are kept in 16 bits: values at a place may differ in the fourth digit.
        `load_solution` reads it, `make_agent` makes an agent of it, and `resume=` goes on with one that was stopped.

        Raises:
            ValueError: For another suffix, a tree that came from neither rules nor a spot, and a `utility` that is a
                function.
            OSError: If the file cannot be written.
        """
        write(path, SUFFIX, *contents(self))

    def plain(self) -> dict[str, Any]:
        """Return the rest of a hand as plain data for JSON: the spot, both players' values and equities, and by path
        the strategy on the first street; of each hand the probabilities of the moves, its EV and its equity."""
        is_first_street = (self.tree.kind == DECISION) & (self.tree.street == self.tree.street[0])
        nodes = np.flatnonzero(is_first_street).tolist()
        held = [np.flatnonzero(weights > 0).tolist() for weights in self.ranges]
        names = [{h: cards_text(self.hands[h].tolist()) for h in hands} for hands in held]
        return {
            "board": cards_text(self.board),
            "pot": self.pot,
            "parts": 1 if self.spot is None else self.spot.parts,
            "sizes": self.tree.sizes.config(),
            **{name: getattr(self, name) for name in ("iterations", "exploitability")},
            "players": [self._plain_player(p, names[p]) for p in range(PLAYERS)],
            "nodes": {", ".join(self.tree.path(node)): self._plain_decision(node, names) for node in nodes},
        }

    def _plain_player(self, p: int, names: dict[int, str]) -> dict[str, Any]:
        weights, ev, equity = self.ranges[p], self.ev[p], self.equity[p]
        hands = {
            name: {"weight": float(weights[h]), "ev": _number(ev[h]), "equity": _number(equity[h])}
            for h, name in names.items()
        }
        return {"value": float(self.values[p]), "equity": float(self.shares[p]), "hands": hands}

    def _plain_decision(self, node: int, names: list[dict[int, str]]) -> dict[str, Any]:
        player, rows = int(self.tree.player[node]), self.strategy(node)
        return {
            "player": player,
            "moves": self.moves(node),
            "frequencies": list(self.frequencies(node).values()),
            "strategy": {name: np.round(rows[h], 4).tolist() for h, name in names[player].items()},
        }

    def describe(self, place: Place = 0, dealt: CardsLike = ()) -> str:
        """Return the solution in a few lines: how often moves are made at a place, what both win, how good it is."""
        lines = [f"{self._title}, {len(self.tree):,} nodes: exploitability {self._quality}"]
        form, unit = (".2f", "chips") if self.tree.utility is None else (".4g", "by the utility")
        for name, value, share in zip(POSITIONS, self.values, self.shares, strict=True):
            lines.append(f"{name}: EV {value:{form}} {unit}, equity {100 * share:.1f} %")
        node, cards = self._place(place, dealt)
        where = ", ".join(self.tree.path(node)) or "first"
        moves = ", ".join(f"{move} {100 * share:.1f} %" for move, share in self.frequencies(node, cards).items())
        return "\n".join([*lines, f"{POSITIONS[self.tree.player[node]]}, {where}: {moves}"])

    @property
    def _title(self) -> str:
        return game_title(self.rules) if self.is_whole else " ".join(card_name(card) for card in self.board)

    @property
    def _quality(self) -> str:
        gain = f"{self.exploitability:.3g} chips a hand"
        if not self.is_whole:
            stake = "the pot" if self.tree.utility is None else "what is at stake"
            gain = f"{self.exploitability_percent:.2f} % of {stake}"
        return f"{gain} after {counted(self.iterations, 'iteration')}"

    def __str__(self) -> str:
        if not self.is_whole:
            return repr(self)
        on, off = self.values
        return (
            f"{self.algorithm}, {self.iterations:,} iterations, {self.seconds:.2f} s: exploitability "
            f"{self.exploitability:.3g} chips per hand; on the button {on:+.4f}, off it {off:+.4f}"
        )

    def __repr__(self) -> str:
        return f"<Solution of {self._title}, {len(self.tree):,} nodes: exploitability {self._quality}>"


def _number(value: float) -> float | None:
    """A number for JSON, which has no NaN."""
    return None if np.isnan(value) else round(float(value), 4)


def load_solution(path: str | Path, most_memory: int = MAX_MEMORY) -> Solution:
    """Read a solution from the file that `Solution.save` has written.

    Args:
        path: A .solution file.
        most_memory: Bytes that its game may need.

    Raises:
        FileNotFoundError: If there is no such file.
        ValueError: If it is damaged, of another kind or format, too large, or does not fit its own game; the file is
            named.
    """
    with opened(path, SolutionHeader, "a solution") as (header, arrays):
        game = game_in(header, arrays, most_memory)
        solution = Solution(
            game,
            numbers_in(header, arrays, game),
            rules=Rules(**header.rules),
            is_whole=header.spot is None,
            sizes=None if header.sizes is None else BetSizes.parse(header.sizes),
            spot=header.spot,
            trace=[TracePoint(*point) for point in header.trace],
            solver=solver_in(header, arrays, game),
            **{name: getattr(header, name) for name in ("algorithm", "iterations", "seconds", "locked")},
        )
        solution.exploitability = header.exploitability
        for name, found in found_in(arrays, game).items():
            setattr(solution, name, found)
        return solution


def load_agent(path: str | Path, seed: int = 0) -> SolutionAgent | SubgameAgent:
    """Make the agent that plays the solution in a file, for `make_agent`. Raises as `load_solution`."""
    return load_solution(path).agent(seed, Path(path))
