"""The log of a hand in sentences: "maniac raises to 12, all-in", "you win 30 from side pot 1"."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import accumulate
from typing import Any, NamedTuple

from holdem_env.cards.text import Cards, card_name
from holdem_env.game.street_names import STREETS
from holdem_env.history.hands_in_words import hand_in_words
from holdem_env.table.parts import Operation
from holdem_env.table.state import TableState

from .opponents import YOU

BEST_OF = 5  # cards of a hand
POSTS = {
    "post_ante": "the ante of {}",
    "post_small_blind": "the small blind of {}",
    "post_big_blind": "the big blind of {}",
    "post_big_blind_ante": "the big-blind ante of {}",
    "post_live": "a missed big blind of {}",
    "post_dead": "a missed small blind of {}",
    "post_straddle": "the straddle of {}",
}
WAGERS = {"call": ("calls", "call"), "bet": ("bets", "bet"), "raise": ("raises to", "raise to")}
DEEDS = {"fold": ("folds", "fold"), "check": ("checks", "check"), "muck": ("mucks", "muck")}
UNLOGGED = ("deal_hole", "burn")
"""Operations without a line: everybody's own cards are shown beside the log, and nobody sees a burned card."""


class LogLine(NamedTuple):
    """One thing that happened, as a sentence: `before`, then `cards`, then `after`. kind: of the operation, one of
    `holdem_env.engine.record.OPERATIONS`. seat: who did it; None for the dealer."""

    kind: str
    seat: int | None
    before: str
    cards: Cards
    after: str

    def __str__(self) -> str:
        return f"{self.before}{spaced(self.cards)}{self.after}"


def hand_log(view: TableState, names: Sequence[str], amount: Callable[[int], str] = str) -> list[LogLine]:
    """What has happened in the hand so far, as its seat has seen it, oldest first.

    names: by seat; somebody called "you" is spoken to. amount: how chips are written, by default as their number.
    """
    return _Describer(view, names, amount).lines()


def listed(names: Sequence[str]) -> str:
    """Names in a sentence: "nit", "nit and maniac", "nit, maniac 1 and maniac 2"."""
    return " and ".join(filter(None, (", ".join(names[:-1]), names[-1])))


def spaced(cards: Sequence[int]) -> str:
    """Cards with spaces between them: "Ah Kd"."""
    return " ".join(map(card_name, cards))


def hand_name(view: TableState, hole_cards: Sequence[int]) -> str:
    """The name of the best five cards on a complete board ("a pair of kings"); "" before that, and in games whose
    hands have other names."""
    game, cards = view.game, [*hole_cards, *view.board]
    is_complete = len(view.board) == sum(game.board_cards) and min(cards, default=-1) >= 0
    if game.ranking != "standard" or len(cards) < BEST_OF or not is_complete:
        return ""
    return hand_in_words(hole_cards, view.board, game.hole_cards_used).lower()


def ends_by_folds(state: TableState) -> bool:
    """Whether the hand is over and one player was left."""
    return state.is_over and int(state.records["in_hand"][0].sum()) == 1


class _Describer:
    def __init__(self, view: TableState, names: Sequence[str], amount: Callable[[int], str]) -> None:
        self.view, self.names, self.amount = view, names, amount
        self.side_pots = any(each.pot for each in view.log)
        self.all_in = self._all_in_operations()
        self._folds = ", as everybody else has folded" if ends_by_folds(view) else ""
        self.on_board = 0  # cards, at the point of the log that is described
        self.turned_up: dict[int, str] = {}  # by seat: the names of hands that were shown before the board was complete

    def lines(self) -> list[LogLine]:
        lines = []
        for place, operation in enumerate(self.view.log):
            if operation.kind not in UNLOGGED:
                before, after = self._sentence(operation, place)
                lines.append(LogLine(operation.kind, operation.seat, before, operation.cards, after))
        return lines

    def _sentence(self, operation: Operation, place: int) -> tuple[str, str]:
        """What stands before the operation's cards, and behind them."""
        kind, chips = operation.kind, self.amount(operation.amount)
        if kind in POSTS:
            return self._does(operation, "posts", "post", POSTS[kind].format(chips) + self._mark(place)), ""
        if kind in WAGERS:
            return self._does(operation, *WAGERS[kind], chips + self._mark(place)), ""
        if kind in DEEDS:
            return self._does(operation, *DEEDS[kind]), ""
        match kind:
            case "deal_board":
                return self._board(operation), ""
            case "show":
                return self._does(operation, "shows", "show", ""), self._shown(operation)
            case "return_uncalled":
                return self._does(operation, "takes back", "take back", f"{chips} that nobody called"), ""
            case "rake":
                return f"the house takes {chips}", ""
            case "push_pot":
                why = self._folds or ("" if operation.seat is None else self.turned_up.get(operation.seat, ""))
                return self._does(operation, "wins", "win", chips + self._which_pot(operation) + why), ""
            case "draw_button":
                return self._does(operation, "draws", "draw", ""), " for the button"
        return self._error(operation)

    def _error(self, operation: Operation) -> tuple[str, str]:
        """A dealer's error, or its remedy (R33-R38)."""
        whose = "" if operation.seat is None else f" of {self.names[operation.seat]}"
        match operation.kind:
            case "expose":
                return "the dealer exposes ", whose
            case "extra_card":
                return "the dealer deals an extra card ", ""
            case "deal_early":
                return "the dealer deals too early: ", ""
            case "deal_too_many":
                return "the dealer deals too many: ", ""
            case "misdeal":
                return "a misdeal: everything is dealt again", ""
            case "replace_card":
                return self._does(operation, "gets", "get", ""), " in its place"
            case "take_back":
                return "the dealer takes back ", ""
            case _:
                return f"the dealer makes a {operation.kind.replace('_', ' ')}", ""

    def _does(self, operation: Operation, third: str, second: str, what: str | None = None) -> str:
        """ "maniac raises to 12", or "you raise to 12"."""
        assert operation.seat is not None
        who = self.names[operation.seat]
        verb = second if who == YOU else third
        return f"{who} {verb}" if what is None else f"{who} {verb} {what}"

    def _shown(self, operation: Operation) -> str:
        """The name of a hand that is shown, ", two pair". Where board cards are still to come it follows at the end."""
        name = hand_name(self.view, operation.cards)
        text = f", {name}" if name else ""
        if self.on_board == len(self.view.board):
            return text
        assert operation.seat is not None
        self.turned_up[operation.seat] = text
        return ""

    def _board(self, operation: Operation) -> str:
        """ "flop: ", and behind it the cards."""
        self.on_board += len(operation.cards)
        streets = enumerate(accumulate(self.view.game.board_cards))
        street = next((street for street, cards in streets if cards >= self.on_board), 0)
        return f"{STREETS[street] if self.view.game.has_holdem_streets else 'board'}: "

    def _which_pot(self, operation: Operation) -> str:
        if not self.side_pots:
            return ""
        t, pot = self.view.records[0], operation.pot or 0
        if t["pot_level"][0] == 0:  # R27: below the main pot lies one of dead money alone
            if not pot:
                return " of dead money"
            pot -= 1
        return f" from side pot {pot}" if pot else " from the main pot"

    def _mark(self, place: int) -> str:
        return ", all-in" if place in self.all_in else ""

    def _all_in_operations(self) -> set[int]:
        """The operations by which players put in their last chips: the last wager of who has put in all."""
        t: Any = self.view.records[0]
        last: dict[int, int] = {}
        returned: dict[int, int] = {}
        for place, operation in enumerate(self.view.log):
            if operation.seat is not None and (operation.kind in WAGERS or operation.kind in POSTS):
                last[operation.seat] = place
            elif operation.seat is not None and operation.kind == "return_uncalled":
                returned[operation.seat] = operation.amount
        totals, stacks = t["seats"]["total"], t["start_stack"]
        return {place for seat, place in last.items() if totals[seat] + returned.get(seat, 0) == stacks[seat]}
