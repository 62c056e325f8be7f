"""R10 once more, in plain Python from the rule's words: who has button and blinds, who owes, who comes in."""

from __future__ import annotations

from dataclasses import dataclass, field

HERE, AWAY, COMING, GONE = "here", "away", "coming", "gone"


@dataclass
class Chair:
    """What a chair is to the blinds."""

    who: str = HERE
    owes: set[str] = field(default_factory=set)
    by_posting: bool = True


@dataclass
class Expected:
    """A hand as R10 wants it. small None: nobody posts it."""

    button: int
    small: int | None
    big: int
    dealt: set[int]
    posts: dict[int, set[str]]


class Rotation:
    """A cash game's chairs from hand to hand. `chips` are given before each hand."""

    def __init__(self, seats: int, first_button: int, moving: bool = False) -> None:
        self.seats = seats
        self.moving = moving
        self.chairs = [Chair() for _ in range(seats)]
        self.first_button = first_button
        self.button = self.small_place = self.big = -1

    # What players do

    def join(self, seat: int, by_posting: bool) -> None:
        if self.big < 0:
            self.chairs[seat] = Chair()
        else:
            self.chairs[seat] = Chair(COMING, {"big"}, by_posting)

    def leave(self, seat: int) -> None:
        self.chairs[seat] = Chair(GONE)

    def sit_out(self, seat: int) -> None:
        self.chairs[seat].who = AWAY

    def sit_in(self, seat: int, by_posting: bool) -> None:
        chair = self.chairs[seat]
        chair.who, chair.by_posting = COMING if chair.owes else HERE, by_posting

    # What the rule does

    def next_hand(self, chips: list[int]) -> Expected | None:
        """The next hand; None if there are not two for it."""
        here = {seat for seat in range(self.seats) if self.chairs[seat].who == HERE and chips[seat]}
        coming = {seat for seat in range(self.seats) if self.chairs[seat].who == COMING and chips[seat]}
        if len(here | coming) < 2:
            return None
        if len(here) < 2:  # no game without those who wait
            for seat in coming:
                self.chairs[seat] = Chair()
            here, coming = here | coming, set()
        if self.big < 0:
            return self._first(here)
        last_big, last_small = self.big, self.small_place
        self._move(last_big, last_small, here, coming)
        self._miss("big", last_big, self.big, chips)
        self._miss("small", last_small, self.small_place, chips)
        small = self.small_place if self.small_place in here else None
        posts = self._come_in(coming)
        dealt = here | {seat for seat in coming if self.chairs[seat].who == HERE}
        if len(dealt) == 2:
            (small,) = dealt - {self.big}
            self.button = self.small_place = small
        return Expected(self.button, small, self.big, dealt, posts)

    def _move(self, last_big: int, last_small: int, here: set[int], coming: set[int]) -> None:
        if self.moving and len(here) > 2:
            button = self._next(self.button, here)
            small = self._next(button, here)
            big = self._next(small, here | coming)
            if big != last_big:
                self.button, self.small_place, self.big = button, small, big
                return
        self.big = self._next(last_big, here | coming)
        self.button, self.small_place = last_small, last_big
        if last_small in self._through(last_big, self.big):  # two became more: it is right of the small blind
            self.button = next(seat for seat in reversed(self._clockwise(last_big)[:-1]) if seat in here)

    def _first(self, here: set[int]) -> Expected:
        start = self.first_button
        self.button = start if start in here else self._next(start, here)
        self.small_place = self.button if len(here) == 2 else self._next(self.button, here)
        self.big = self._next(self.small_place, here)
        return Expected(self.button, self.small_place, self.big, here, {})

    def _next(self, after: int, among: set[int]) -> int:
        return next(seat for seat in self._clockwise(after) if seat in among)

    def _clockwise(self, after: int) -> list[int]:
        return [(after + step) % self.seats for step in range(1, self.seats + 1)]

    def _through(self, after: int, last: int) -> list[int]:
        seats = self._clockwise(after)
        return seats[: seats.index(last) + 1]

    def _miss(self, blind: str, after: int, last: int, chips: list[int]) -> None:
        for seat in self._through(after, last):
            chair = self.chairs[seat]
            if chair.who == AWAY or (chair.who != GONE and not chips[seat]):
                chair.owes.add(blind)
                if chair.who == HERE:
                    chair.who, chair.by_posting = COMING, True

    def _come_in(self, coming: set[int]) -> dict[int, set[str]]:
        posts = {}
        between = set(self._through(self.button, self.big)) - {self.button}
        if self.button == self.big:
            between = set(range(self.seats)) - {self.button}
        for seat in coming:
            chair = self.chairs[seat]
            if seat == self.big:
                self.chairs[seat] = Chair()
            elif chair.by_posting and seat not in between:
                posts[seat] = chair.owes
                self.chairs[seat] = Chair()
        return posts
