"""An independent dealer for R4 and R33-R38: it moves cards between piles, where the engine moves places in a deck."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field


@dataclass
class Dealer:
    """Deals one hand with these errors. seats: in dealing order; hole_cards: each; orders: of the reshuffles.

    `deeds` are the card operations as (kind, seat, cards); `seen` the cards exposed in the current deal.
    """

    deck: Sequence[int]
    seats: Sequence[int]
    orders: Sequence[Sequence[int]] = ()
    exposed: frozenset[int] = frozenset()
    extra: int = 0
    premature: dict[int, int] = field(default_factory=dict)  # streets whose cards come too early: after how many moves
    too_many: bool = False
    hole_cards: int = 2
    deeds: list[tuple[str, int | None, tuple[int, ...]]] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.stub = list(self.deck)
        self.reshuffles = 0
        self.hands: dict[int, list[int]] = {}
        self.board: list[int] = []
        self.burned: list[int] = []
        self.early: list[int] = []
        self.out_of_play: list[int] = []
        self.seen: set[int] = set()
        self.no_burn = False

    def note(self, kind: str, seat: int | None = None, cards: Sequence[int] = ()) -> None:
        self.deeds.append((kind, seat, tuple(cards)))

    def deal_hands(self) -> None:
        irregular = self._deal(self.exposed)
        if irregular < 2:
            extra = [self.stub[k] for k in range(min(self.extra, 2))]
            for card in extra:
                self.note("extra_card", self.seats[0], [card])
            irregular += len(extra)
        if irregular > 1:
            self.note("misdeal")
            self.stub = list(self.deck)
            self.seen = set()
            self._shuffle()
            self._deal(frozenset())
        elif self.extra:
            self.note("take_back", self.seats[0], self.stub[:1])
        elif irregular:
            (card,) = self.seen
            for seat, hand in self.hands.items():
                if card in hand:
                    new = self.stub.pop(0)
                    hand[hand.index(card)] = new
                    self.note("replace_card", seat, [new])
            self.stub.insert(0, card)

    def _deal(self, exposed: frozenset[int]) -> int:
        """How many irregular cards there were; two for a misdeal at the first card."""
        self.hands = {seat: [] for seat in self.seats}
        irregular = 0
        for place in range(self.hole_cards * len(self.seats)):
            seat = self.seats[place % len(self.seats)]
            card = self.stub.pop(0)
            self.hands[seat].append(card)
            self.note("deal_hole", seat, [card])
            if place in exposed:
                self.note("expose", seat, [card])
                self.seen.add(card)
                irregular += 2 if place == 0 else 1
                if irregular > 1:
                    return 2
        return irregular

    def betting(self, street: int, decisions: int) -> None:
        """So many decisions came up on this street, made or still to be made: the next street's cards come too early if
        a decision was still open after as many moves as they wait for."""
        if street + 1 in self.premature and decisions > self.premature[street + 1]:
            self._burn()
            cards = self._turn_up(3 if street == 0 else 1)
            self.note("deal_early", None, cards)
            self.seen.update(cards)
            if street == 1:
                self.out_of_play = cards
            else:
                self.early = cards

    def deal_street(self, street: int) -> None:
        burn = True
        back = list(self.early)
        if self.early:
            self.note("take_back", None, self.early)
        if street == 3 and self.out_of_play:
            self.note("take_back", None, self.out_of_play)
            back += self.out_of_play
            self.out_of_play = []
        if back:
            self.early = []
            self.stub += back
            self._shuffle()
            burn = False
        if street == 1 and self.too_many:
            if burn:
                self._burn()
            cards = self._turn_up(4)
            self.note("deal_too_many", None, cards)
            self.note("take_back", None, cards)
            self.seen.update(cards)
            self.stub += cards
            self._shuffle()
            burn = False
        if burn:
            self._burn()
        cards = self._turn_up(3 if street == 1 else 1)
        self.note("deal_board", None, cards)
        self.board += cards

    def _burn(self) -> None:
        self.burned.append(self.stub.pop(0))
        self.note("burn", None, self.burned[-1:])

    def _turn_up(self, count: int) -> list[int]:
        cards, self.stub = self.stub[:count], self.stub[count:]
        return cards

    def _shuffle(self) -> None:
        order = self.orders[self.reshuffles]
        self.reshuffles += 1
        self.note("reshuffle")
        self.stub = [card for card in order if card in self.stub]
