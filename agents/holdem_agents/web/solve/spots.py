"""A spot as the page asks for it, checked, with sentences for what cannot be solved."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from itertools import zip_longest
from typing import Annotated, Any, Literal

import numpy as np
from numpy.typing import NDArray
from pydantic import AfterValidator, BaseModel, ConfigDict, Field, ValidationError

from holdem_env.cards.combos import COMBO_CARDS, COMBO_OF, COMBOS
from holdem_env.cards.ranges import Range
from holdem_env.cards.text import cards_text
from holdem_env.engine.bet_sizes import ALL_IN_WORDS
from holdem_env.game.street_names import STREETS
from holdem_env.render.hand_chart import CELLS, hand_name
from holdem_env.solvers.games import PLAIN
from holdem_env.solvers.public_game import GameSize
from holdem_env.solvers.reading import scale_words
from holdem_env.solvers.subgames import subgame_size
from holdem_env.solvers.trees import BettingTree
from holdem_env.solvers.trees.bet_sizes import IN_POSITION, NO_SIZES, OUT_OF_POSITION
from holdem_env.solvers.trees.betting_tree import size_text

from ...runs.config import error_text
from ..answers import ApiError

MAX_MEMORY = 2 * 2**30  # bytes that a solve may take
LONGEST_RANGE, LONGEST_SIZES, MAX_CHIPS = 20_000, 200, 10**9
MAX_LOCKS = 50
LONGEST_SENTENCE, QUOTED = 300, 60  # characters of a sentence about a field, and of a range that a sentence repeats
PLAYERS = ("in position", "out of position")  # players 0 and 1 of the solver: the button acts last
TOO_LARGE = "This spot is too large"
LESS = "Leave out bet sizes or hands, or begin on a later street."
KINDS = [hand_name(int(row), int(column)) for row, column in zip(*CELLS, strict=True)]
"""The kind of each of the 1,326 hands: "AKs"."""

TENTHS = 10  # into how many of the solver's whole chips a chip is cut where an amount has a decimal


def _in_tenths(amount: float) -> float:
    if abs(amount * TENTHS - round(amount * TENTHS)) > 1e-6:
        raise ValueError("it must have at most one decimal")
    return round(amount, 1)


Number = Annotated[float, Field(strict=True)]
Chips = Annotated[Number, Field(le=MAX_CHIPS), AfterValidator(_in_tenths)]
RangeText = Annotated[str, Field(max_length=LONGEST_RANGE)]
SizesText = Annotated[str, Field(max_length=LONGEST_SIZES)]
SizesField = Literal["flop", "turn", "river", "ip_flop", "ip_turn", "ip_river"]
OWN = "ip_"  # before a street: sizes in position, where they are not those out of position
Strategy = list[Number] | list[list[Number]]
"""Of a locked decision: for all hands, or for each of the 1,326. `solve_subgame` checks it."""


class Spot(BaseModel):
    """What the page's form says. ranges: in position, out of position. stack: what each has left. sizes: by street, of
    both players; "ip_flop", "ip_turn" and "ip_river" are in position, where its sizes are others. accuracy: in percent
    of the pot. rake: in percent, of at most `cap` chips. locked: strategies that are held fixed, by the moves that lead
    to them. Amounts are in chips, with one decimal at most."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    board: str = Field(max_length=40)
    ranges: tuple[RangeText, RangeText]
    pot: Annotated[Chips, Field(ge=1)]
    stack: Annotated[Chips, Field(ge=1)]
    sizes: dict[SizesField, SizesText]
    accuracy: Number = Field(0.5, ge=0.01, le=100)
    rake: Number = Field(0, ge=0, le=100)
    cap: Annotated[Chips, Field(ge=0)] | None = None
    locked: dict[str, Strategy] = Field({}, max_length=MAX_LOCKS)

    @property
    def parts(self) -> int:
        """How many of the solver's chips are one of the page's."""
        amounts = self.pot, self.stack, self.cap or 0
        return 1 if all(amount == int(amount) for amount in amounts) else TENTHS

    def arguments(self) -> dict[str, Any]:
        """The arguments of `solve_subgame`, in the solver's chips."""
        pot, stack, cap = (
            None if amount is None else round(amount * self.parts) for amount in (self.pot, self.stack, self.cap)
        )
        return {
            **self.model_dump(include={"board", "ranges"}),
            "pot": pot,
            "stacks": stack,
            "sizes": by_player(self.sizes),
            "rules": PLAIN.replace(rake={"percent": self.rake, "cap": cap}) if self.rake else PLAIN,
            "locked": {scale_words(path, self.parts): strategy for path, strategy in self.locked.items()},
        }


def by_player(sizes: Mapping[Any, str]) -> dict[str, Any]:
    """The form's sizes as the solver takes them.

    >>> by_player({"river": "75%", "ip_river": "a"})
    {'ip': {'river': 'a'}, 'oop': {'river': '75%'}}
    """
    own = {field.removeprefix(OWN): text for field, text in sizes.items() if field.startswith(OWN)}
    others = {field: text for field, text in sizes.items() if not field.startswith(OWN)}
    return {IN_POSITION: own, OUT_OF_POSITION: others} if own else others


def sizes_of(tree: BettingTree) -> dict[str, str]:
    """The sizes of a tree as the form has them; none in fixed limit, which has no sizes."""
    if tree.rules.structure == "fixed_limit":
        return {}
    streets = range(int(tree.street[0]), len(STREETS))
    own, others = ({STREETS[k]: " | ".join(tree.sizes.menus(k, player)) for k in streets} for player in range(2))
    return others if own == others else {**others, **{OWN + street: text for street, text in own.items()}}


def read_spot(body: dict[str, Any]) -> Spot:
    """The spot that a page sends. Raises ApiError (400) for an invalid one."""
    try:
        spot = Spot.model_validate(body)
    except ValidationError as error:
        wrong = error.errors()[0]
        text = error_text(wrong) if wrong["input"] is not None else f"{wrong['loc'][0]}: give a number"
        if len(text) > LONGEST_SENTENCE:
            text = text.partition(", not ")[0]
        text = text.replace("Input should be a valid number", "give a number")
        raise ApiError(400, sentence(text.replace("Input should be", "it must be"))) from None
    for player, text in reversed([*enumerate(spot.ranges)]):
        if not text.strip():
            raise ApiError(400, f"The range {PLAYERS[player]} is empty: choose hands in its grid, or write them.")
    return spot


def size_of_spot(spot: Spot) -> GameSize:
    """How large it is, in 16 bits if 32 take too much. Raises ApiError (400) for a spot that cannot be solved here; of
    one that is too large it says what to leave out: see `less_of`."""
    try:
        with said(spot.ranges, spot.parts):
            size = subgame_size(**spot.arguments()).fitting(MAX_MEMORY)
    except ApiError as error:
        if not error.sentence.startswith(TOO_LARGE):
            raise
        raise ApiError(400, error.sentence, less=less_of(spot)) from None
    if size.memory > MAX_MEMORY:
        problem = f"{TOO_LARGE}: {size}; {size_text(MAX_MEMORY)} are allowed. {LESS}"
        raise ApiError(400, problem, size=size_view(size), less=less_of(spot))
    return size


def less_of(spot: Spot) -> dict[str, Any] | None:
    """The same spot without the bet sizes that make it too large, those of the last street first. sizes: what is left.
    words: what is left out. None if it fits with none."""
    steps = list(_reductions(spot.sizes))
    few, many = 0, len(steps)  # the first step that fits is among steps[few:many]
    while few < many:
        middle = (few + many) // 2
        few, many = (few, middle) if _fits(spot, steps[middle]) else (middle + 1, many)
    if few == len(steps):
        return None
    words = [
        f"{gone} {_place(field, spot.sizes)}"
        for street in reversed(STREETS)
        for field in _fields(street, spot.sizes)
        if (gone := _gone(spot.sizes[field], steps[few][field]))
    ]
    return {"sizes": steps[few], "words": "; ".join(words)}


def _fields(street: str, sizes: Mapping[Any, str]) -> list[Any]:
    """The fields of a street: out of position, or of both players, and in position."""
    return [field for field in (street, OWN + street) if field in sizes]


def _place(field: str, sizes: Mapping[Any, str]) -> str:
    street = field.removeprefix(OWN)
    if len(_fields(street, sizes)) == 1:
        return f"on the {street}"
    return f"on the {street} {PLAYERS[0 if field.startswith(OWN) else 1]}"


def _reductions(sizes: Mapping[Any, str]) -> Iterator[dict[str, str]]:
    """Bet sizes, each time with one less of each player: sizes of raises and then of bets, then raises at all; a
    street's first bet stays."""
    left: dict[str, str] = dict(sizes)
    for street in reversed(STREETS):
        menus = {field: _menus(sizes[field]) for field in _fields(street, sizes)}
        for places in zip_longest(*map(_places, menus.values())):
            for (field, each), k in zip(menus.items(), places, strict=True):
                if k is not None:
                    each[k] = each[k][:-1] or [NO_SIZES]
                    left = {**left, field: " | ".join(map(", ".join, each))}
            yield left


def _places(menus: list[list[str]]) -> list[int]:
    """From which menu each next size is left out."""
    return [k for k in reversed(range(len(menus))) for _ in menus[k][1:]] + [*range(len(menus) - 1, 0, -1)]


def _menus(text: str) -> list[list[str]]:
    """The sizes of bets, and of each raise after them."""
    menus = [[size.strip() for size in menu.split(",")] for menu in text.split("|")]
    return menus if menus[1:] else menus * 2  # a single one holds for raises, too


def _fits(spot: Spot, sizes: dict[str, str]) -> bool:
    try:
        size = subgame_size(**{**spot.arguments(), "sizes": by_player(sizes)}).fitting(MAX_MEMORY)
    except ValueError:  # still too large to count, or a lock is of a move that is left out
        return False
    return size.memory <= MAX_MEMORY


def _gone(before: str, after: str) -> str:
    """What is left out of a street's sizes, in words.

    >>> _gone("50%, a | 100%, a", "50% | none"), _gone("50%, 75%, a", "50%, 75% | 50%")
    ('all-in bets and all raises', 'all-in bets and 75%, all-in raises')
    """
    found = []
    for kind, place in (("bets", slice(1)), ("raises", slice(1, None))):
        old, new = ([size for menu in _menus(text)[place] for size in menu] for text in (before, after))
        gone = dict.fromkeys(ALL_IN_WORDS[0] if size in ALL_IN_WORDS else size for size in old if size not in new)
        if gone:
            found.append(f"all {kind}" if set(new) == {NO_SIZES} else f"{', '.join(gone)} {kind}")
    return " and ".join(found)


def size_view(size: GameSize) -> dict[str, Any]:
    """A size as data."""
    return {"nodes": size.nodes, "boards": size.boards, "mib": size.memory / 2**20, "bits": size.bits}


@contextmanager
def said(ranges: tuple[str, ...] = (), parts: int = 1) -> Iterator[None]:
    """Turn the library's errors into sentences for the page. ranges: texts that are not repeated in full. parts: how
    many chips of the errors are one of the page's."""
    try:
        yield
    except (ValueError, TypeError) as error:
        text = scale_words(str(error), 1 / parts)
        for long in ranges:
            if len(long) > QUOTED:
                text = text.replace(repr(long), repr(long[:QUOTED] + "…"))
        raise ApiError(400, sentence(text)) from None


def sentence(problem: str) -> str:
    """A problem in the page's words."""
    for player, name in enumerate(PLAYERS):
        problem = re.sub(rf"ranges(\[{player}\]|\.{player})", f"the range {name}", problem)
    if problem.startswith("betting tree: about"):
        problem = f"{TOO_LARGE}: {problem.removeprefix('betting tree: ').partition(';')[0]}. {LESS}"
    return problem[:1].upper() + problem[1:].rstrip(".") + "."


def range_cells(text: str) -> dict[str, Any]:
    """A range's cells for the page's grid. Raises ApiError (400) for an invalid one."""
    if len(text) > LONGEST_RANGE:
        raise ApiError(400, f"A range has at most {LONGEST_RANGE:,} characters here.")
    if not text.strip():
        return {}
    with said((text,)):
        hands = Range(text)
    return cells_of(weights_of(hands))


def weights_of(hands: Range) -> NDArray[np.float64]:
    """(1326,): the weights of a range."""
    weights = np.zeros(COMBOS)
    weights[COMBO_OF[hands.cards[:, 0], hands.cards[:, 1]]] = hands.weights
    return weights


def cells_of(weights: NDArray[np.float64], board: tuple[int, ...] = ()) -> dict[str, Any]:
    """The weight of each kind of hand that has any; where its hands differ, their mean and their text. Hands that the
    board rules out do not count."""
    is_dealt = np.isin(COMBO_CARDS, board).any(axis=1)
    kinds: dict[str, list[int]] = {}
    for combo in np.flatnonzero(~is_dealt).tolist():
        kinds.setdefault(KINDS[combo], []).append(combo)
    found: dict[str, Any] = {}
    for kind, combos in kinds.items():
        of_kind = weights[combos]
        if of_kind.any():
            alike = bool((of_kind == of_kind[0]).all())
            found[kind] = (
                float(of_kind[0]) if alike else {"mean": float(of_kind.mean()), "text": _text(combos, of_kind)}
            )
    return found


def _text(combos: list[int], weights: NDArray[np.float64]) -> str:
    return ", ".join(
        cards_text(COMBO_CARDS[combo]) + ("" if weight == 1 else f":{weight:g}")
        for combo, weight in zip(combos, weights, strict=True)
        if weight > 0
    )
