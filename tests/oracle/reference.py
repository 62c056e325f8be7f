"""The oracle: one hold'em hand, from the posting of the antes to the payoffs. Rule numbers are those of the rulebook.

Everything is derived again from a few lists whenever it is needed; nothing here is fast and nothing is clever.
"""

from __future__ import annotations

from fractions import Fraction

from .ranking import best_hand
from .showdown import build_pots, by_choice, clockwise, showing_order, split, take_rake, uncalled, who_mucks

FOLD, CHECK_CALL = -1, 0
PREFLOP, FLOP, TURN, RIVER = range(4)


class ReferenceHand:
    """One hand among seats 0..n-1 (clockwise), all of them dealt in."""

    def __init__(
        self,
        structure="no_limit",
        blinds=(50, 100),
        ante=0,
        big_blind_ante=0,
        straddle=0,
        small_bet=None,
        big_bet=None,
        max_raises=(3, 4, 4, 4),
        reopen="cumulative",
        reopen_fraction=None,
        uncapped_heads_up="never",
        smallest_chip=1,
        rake=None,
        muck=True,
        face_up_all_in=True,
        showing="automatic",
        returning=None,
        *,
        stacks,
        button,
        deck,
    ):
        if structure not in ("no_limit", "pot_limit", "fixed_limit"):
            raise ValueError(f"unknown structure {structure!r}")
        if reopen not in ("cumulative", "strict"):
            raise ValueError(f"unknown reopen {reopen!r}")
        if uncapped_heads_up not in ("never", "at_start", "when_two_left"):
            raise ValueError(f"unknown uncapped_heads_up {uncapped_heads_up!r}")
        if not 2 <= len(stacks) <= 10 or min(stacks) <= 0 or sorted(deck) != list(range(52)):
            raise ValueError("two to ten stacks above zero and a deck of 52 different cards are needed")

        self.structure = structure
        self.fixed = structure == "fixed_limit"
        self.small_blind, self.big_blind = blinds
        self.small_bet = self.big_blind if small_bet is None else small_bet  # R18
        self.big_bet = 2 * self.small_bet if big_bet is None else big_bet
        self.max_raises = max_raises
        self.reopen = reopen
        if reopen_fraction is None:
            reopen_fraction = 0.5 if self.fixed else 1  # R24: the half-bet rule is fixed-limit's
        self.reopen_fraction = Fraction(str(reopen_fraction))
        self.uncapped_heads_up = uncapped_heads_up
        self.smallest_chip = smallest_chip
        self.rake = rake
        self.muck = muck
        self.face_up_all_in = face_up_all_in
        self.showing = showing

        self.n = len(stacks)
        self.button = button
        self.start_stacks = list(stacks)
        self.stacks = list(stacks)
        self.folded = [False] * self.n
        self.contributed = [0] * self.n  # antes and bets of the whole hand, per seat
        self.dead = 0  # R8: the big-blind ante
        self.posted: list[tuple[str, int, int]] = []  # what, seat, chips: in order, without empty ones
        self.over = False
        self.actor = None
        self.payoffs = None
        self.rake_taken = 0
        self.shown: set[int] = set()
        self.mucked: set[int] = set()
        self.show_order: list[int] = []
        self.chooser: int | None = None  # manual showing: whose turn it is to show or to muck
        self.choices: dict[int, bool] = {}  # who chose, and whether it showed
        self.board_when_shown = 0  # how many board cards lay there when the first hand was shown
        self.pots_awarded: list[tuple[int, list[int], dict[int, int]]] = []
        self.returned = None
        self.last_river_bettor = None

        # R4: two cards each, one at a time, from the button's left; the burn cards lie between the streets.
        self.deck = list(deck)
        order = clockwise(button + 1, self.n)
        self.hole = [None] * self.n
        for i, seat in enumerate(order):
            self.hole[seat] = (self.deck[i], self.deck[self.n + i])
        self.board: list[int] = []

        self._begin_street(PREFLOP)
        first = self._post(ante, big_blind_ante, straddle, returning or {})
        self._continue(first)

    # ------------------------------------------------------------------ forced bets

    def _pay(self, seat, chips):
        """Chips go from the stack into the street's bet: as many as there are (R9, R20)."""
        chips = min(chips, self.stacks[seat])
        self.stacks[seat] -= chips
        self.bets[seat] += chips
        self.contributed[seat] += chips

    def _post_bet(self, what, seat, chips):
        self._note(what, seat, min(chips, self.stacks[seat]))
        self._pay(seat, chips)

    def _note(self, what, seat, chips):
        if chips:
            self.posted.append((what, seat, chips))

    def _post(self, ante, big_blind_ante, straddle, returning):
        """Antes, blinds, big-blind ante, missed blinds, straddle, in this order (R6-R10). Returns the seat to act first
        (R15). returning: seat -> the missed blinds that it posts, "big" and "small"."""
        for seat in range(self.n):
            # R8: a uniform ante counts in the pot, not towards calling.
            chips = min(ante, self.stacks[seat])
            self._note("ante", seat, chips)
            self.stacks[seat] -= chips
            self.contributed[seat] += chips

        # R7: heads-up the button posts the small blind. R6 otherwise.
        small = self.button if self.n == 2 else (self.button + 1) % self.n
        big = (small + 1) % self.n
        self._post_bet("small_blind", small, self.small_blind)
        self._post_bet("big_blind", big, self.big_blind)
        # R9: price and minimum raise are those of the full blind, whatever was posted.
        self.to_match = self.last_full_level = self.big_blind

        # R8: the big-blind ante comes after the blind, from what is left, and is dead money.
        chips = min(big_blind_ante, self.stacks[big])
        self._note("big_blind_ante", big, chips)
        self.stacks[big] -= chips
        self.dead += chips

        for seat, owed in returning.items():  # R10: the big one live, the small one dead
            if "big" in owed:
                self._post_bet("live", seat, self.big_blind)
            if "small" in owed:
                chips = min(self.small_blind, self.stacks[seat])
                self._note("dead", seat, chips)
                self.stacks[seat] -= chips
                self.dead += chips

        first = (big + 1) % self.n
        if straddle and self.n >= 3 and self.stacks[first] >= straddle:  # R8: only in full
            self._post_bet("straddle", first, straddle)
            self.to_match = self.last_full_level = straddle
            if self.fixed:
                self._count_wager()  # R8: it is the second bet
            else:
                self.largest_full = straddle  # R8: and the minimum raise there
            first = (first + 1) % self.n
        return first

    # ------------------------------------------------------------------ streets

    def _begin_street(self, street):
        self.street = street
        self.bets = [0] * self.n
        self.to_match = 0  # the bet that a player must match to stay in
        self.last_full_level = 0  # R24: where the last full bet or raise brought it
        # R16: the largest full bet or raise so far, at first the minimum bet. R18: in fixed limit the bet size.
        if self.fixed:
            self.largest_full = self.small_bet if street in (PREFLOP, FLOP) else self.big_bet
        else:
            self.largest_full = self.big_blind
        self.acted_at: list[int | None] = [None] * self.n  # the bet to match after a seat's last action (R23)
        self.reopened = [False] * self.n  # a full bet or raise was made since the seat's last action
        self.wagers = 0  # R18: bets and raises of the players that count towards the cap
        self.players_at_start = len(self._live())
        self.capped = False  # the cap was reached while more than two players were left
        self._note_cap()

    def _deal_street(self):
        """Burn one card and deal the next street (R4)."""
        n, street = self.n, self.street + 1
        at = {FLOP: 2 * n + 1, TURN: 2 * n + 5, RIVER: 2 * n + 7}[street]
        self.board += self.deck[at : at + (3 if street == FLOP else 1)]
        self._begin_street(street)

    def _live(self):
        return [seat for seat in range(self.n) if not self.folded[seat]]

    def _opponents(self, seat):
        """Those who have not folded, without this one."""
        return [other for other in self._live() if other != seat]

    def _must_act(self, seat):
        if self.folded[seat] or self.stacks[seat] == 0:
            return False
        # R15: the round goes on until everybody has acted and matched the bet or is all-in.
        if self.acted_at[seat] is not None and self.bets[seat] >= self.to_match:
            return False
        # R25: who could only check, or faces only shorter all-ins, is not asked.
        return any(self.stacks[other] > 0 or self.bets[other] > self.bets[seat] for other in self._opponents(seat))

    def _continue(self, start):
        """Find the next seat to act, looking clockwise from this one; deal and end the hand as far as it takes."""
        self.actor = None
        while True:
            if len(self._live()) == 1:
                return self._finish()  # R30
            for seat in clockwise(start, self.n):
                if self._must_act(seat):
                    self.actor = seat
                    return None
            if self.street == RIVER:
                return self._finish()
            if sum(self.stacks[seat] > 0 for seat in self._live()) <= 1:
                self._end_betting_early()
            self._deal_street()
            start = self.button + 1  # R15

    # ------------------------------------------------------------------ what is legal

    def _may_reopen(self, seat):
        """R21-R24: has this seat, by what it did on this street, still the right to raise?"""
        if self.acted_at[seat] is None:
            return True  # R22
        if self.reopened[seat]:
            return True
        if self.reopen == "strict":
            return False
        return self.to_match - self.acted_at[seat] >= self.largest_full  # R23

    def _cap_reached(self):
        """R18: is this round closed for raises?"""
        if self.max_raises is None or self.wagers < self.max_raises[self.street]:
            return False
        if self.uncapped_heads_up == "at_start":
            return self.players_at_start > 2
        if self.uncapped_heads_up == "when_two_left":
            return self.capped  # what was capped with more players stays capped
        return True

    def _count_wager(self):
        self.wagers += 1
        self._note_cap()

    def _note_cap(self):
        if self.max_raises is not None and self.wagers >= self.max_raises[self.street] and len(self._live()) > 2:
            self.capped = True

    def _raise_range(self, seat):
        """The smallest and the largest total to raise to, or (None, None)."""
        all_in = self.bets[seat] + self.stacks[seat]
        # R20: somebody must be able to call more than the current bet, the raiser too.
        anybody = any(self.bets[other] + self.stacks[other] > self.to_match for other in self._opponents(seat))
        if all_in <= self.to_match or not anybody or not self._may_reopen(seat):
            return None, None
        if self.fixed:
            if self._cap_reached():
                return None, None
            low = high = self.last_full_level + self.largest_full  # R18; R24: a short all-in is completed
        else:
            low = self.to_match + self.largest_full  # R16, R22
            if self.structure == "pot_limit":
                high = self.to_match + self.pot_total + (self.to_match - self.bets[seat])  # R17
                high = max(low, high - high % self.smallest_chip)
            else:
                high = all_in
        return min(low, all_in), min(high, all_in)  # R20: for less with the whole stack

    def legal(self):
        """(can fold, chips to call, smallest raise-to, largest raise-to) for the seat to act."""
        if self.actor is None:
            raise ValueError("the hand is over")
        seat = self.actor
        call = min(self.to_match - self.bets[seat], self.stacks[seat])
        return (True, call, *self._raise_range(seat))

    @property
    def pot_total(self):
        """All chips in the middle, the street's bets included; zero when the hand is over."""
        return 0 if self.over else sum(self.contributed) + self.dead

    # ------------------------------------------------------------------ actions

    def act(self, move):
        """-1 fold, 0 check or call, above 0 the total to raise to on this street."""
        _, call, low, high = self.legal()
        seat = self.actor
        if move == FOLD:
            self.folded[seat] = True
        elif move == CHECK_CALL:
            self._pay(seat, call)
        else:
            if low is None or not low <= move <= high or move % self.smallest_chip:
                raise ValueError(f"seat {seat} cannot raise to {move}: legal is {low} to {high}")
            self._raise_to(seat, move)
        self.acted_at[seat] = self.to_match
        self.reopened[seat] = False
        self._continue(seat + 1)

    def _raise_to(self, seat, total):
        if self.fixed or self.reopen_fraction < 1:
            # R24: what it adds is measured from the last full level.
            full = total - self.last_full_level >= self.reopen_fraction * self.largest_full
        else:
            full = total - self.to_match >= self.largest_full  # R21
        if full:
            if self.fixed:
                self._count_wager()
            else:
                self.largest_full = max(self.largest_full, total - self.to_match)
            self.last_full_level = total
            self.reopened = [True] * self.n
            if self.street == RIVER:
                self.last_river_bettor = seat  # R29: an all-in that is not a raise does not count
        self._pay(seat, total - self.bets[seat])
        self.to_match = total

    # ------------------------------------------------------------------ the end

    def _return_uncalled(self):
        """R26."""
        found = uncalled(self.contributed)
        if found is None:
            return
        seat, chips = self.returned = found
        assert not self.folded[seat], "nobody folds the highest bet"
        self.contributed[seat] -= chips
        self.bets[seat] = max(0, self.bets[seat] - chips)
        self.stacks[seat] += chips

    def _pots(self):
        return build_pots(self.contributed, self.folded, self.dead)

    def pots(self):
        """The pots as they lie in the middle, main pot first, without the bets of the street."""
        settled = [chips - bet for chips, bet in zip(self.contributed, self.bets, strict=True)]
        return [] if self.over else [pot for pot in build_pots(settled, self.folded, self.dead) if pot.amount]

    def _end_betting_early(self):
        """R25: nobody can bet any more, but cards are to come: the hands are shown first (option)."""
        self._return_uncalled()
        if self.face_up_all_in and not self.show_order:
            self.show_order = showing_order(self._pots(), None, self.button, self.n)
            self.shown = set(self.show_order)
            self.board_when_shown = len(self.board)

    def _value(self, seat):
        return best_hand([*self.hole[seat], *self.board])

    def _finish(self):
        self._return_uncalled()
        self.bets = [0] * self.n
        self._show_and_pay()

    def choose(self, shows):
        """The player whose turn it is shows, or gives the cards back face down."""
        self.choices[self.chooser] = shows
        self.chooser = None
        self._show_and_pay()

    def _show_and_pay(self):
        pots = self._pots()
        live = self._live()
        if len(live) == 1:
            self._show_alone(live[0])
        elif self.choices or not self.show_order:
            self._show(pots)
        if self.chooser is not None:
            return
        if self.rake is not None:
            percent, cap, no_flop_no_drop = self.rake
            if self.board or not no_flop_no_drop:
                dead_alone = len(pots) > 1 and any(self.contributed[seat] == 0 for seat in live)
                self.rake_taken, pots = take_rake(pots, percent, cap, self.smallest_chip, dead_alone)
        for pot in reversed(pots):  # R27: side pots are decided before the main pot
            if len(live) == 1:
                winners = live  # R30
            else:
                # R29: who by choice gave the cards back has given up its pots; who did not choose was beaten in them.
                still = [seat for seat in pot.contestants if seat not in self.mucked]
                best = max(self._value(seat) for seat in still)
                winners = [seat for seat in still if self._value(seat) == best]
            shares = split(pot.amount, winners, self.button, self.n, self.smallest_chip)
            for seat, chips in shares.items():
                self.stacks[seat] += chips
            self.pots_awarded.append((pot.amount, pot.contestants, shares))
        self.over = True
        self.payoffs = [now - then for now, then in zip(self.stacks, self.start_stacks, strict=True)]

    def _show_alone(self, winner):
        """R30: the winner shows nothing, or chooses."""
        if self.showing == "manual" and winner not in self.choices:
            self.chooser = winner
        elif self.showing == "manual":
            self.show_order = [winner]
            self.mucked = set() if self.choices[winner] else {winner}
            self.shown = {winner} - self.mucked
            self.board_when_shown = len(self.board)

    def _show(self, pots):
        """R29."""
        self.show_order = showing_order(pots, self.last_river_bettor, self.button, self.n)
        if self.muck:
            all_in = [seat for seat in self.show_order if self.stacks[seat] == 0]
            if self.showing == "manual":
                self.show_order, self.mucked, self.chooser = by_choice(self.show_order, all_in, self.choices)
            else:
                self.mucked = who_mucks(self.show_order, pots, self._value, all_in)
        self.shown = set(self.show_order) - self.mucked
        self.board_when_shown = len(self.board)
