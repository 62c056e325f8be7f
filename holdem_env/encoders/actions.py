"""Encoders with a few actions: `limit` (fold, call, raise), `pot_fractions` (bet sizes given as text), and `fcpa`.

None of them offers a fold if checking is free (R14 leaves that to the encoder).
"""

from __future__ import annotations

import numpy as np

from ..engine.bet_sizes import ALL_IN, TIMES_BET, parse_size
from ..game.rules import Rules
from .base import ActionEncoder, choose_kinds
from .bet_sizes import choose_sizes

DEFAULT_SIZES = "min, 50%, 100%, 200%, all-in"


class Limit(ActionEncoder):
    """0 fold, 1 check or call, 2 the minimum raise (in fixed limit the only one)."""

    name = "limit"
    kernel = staticmethod(choose_kinds)

    def meanings(self, rules: Rules) -> list[str]:
        return ["fold", "check or call", "raise"]


class PotFractions(ActionEncoder):
    """0 fold, 1 check or call, then one action for each size in a text such as "min, 50%, 100%, 2.5x, all-in".

    A percentage is of the pot after calling. "2.5x" raises to 2.5 times the bet to match (2.5 times the minimum bet if
    there is no bet). An illegal size is masked, and so is a size that means the same raise as an earlier one. In fixed
    limit, the first size is the raise.
    """

    name = "pot_fractions"
    kernel = staticmethod(choose_sizes)

    def __init__(self, sizes: str = DEFAULT_SIZES) -> None:
        self.sizes = [word.strip() for word in sizes.split(",")]
        parsed = [parse_size(word) for word in self.sizes]
        if len(set(parsed)) < len(parsed):
            raise ValueError(f"bet sizes {sizes!r}: a size is given twice")
        ascending = parsed == sorted(parsed) and all(size.kind != TIMES_BET for size in parsed)
        self.parameters = np.array([(*size, ascending) for size in parsed], np.int64).T.copy()

    def __repr__(self) -> str:
        is_named = type(self).name != PotFractions.name
        return super().__repr__() if is_named else f"<{type(self).__name__} {', '.join(self.sizes)!r}>"

    def meanings(self, rules: Rules) -> list[str]:
        sizes = zip(self.sizes, self.parameters[0], strict=True)
        return ["fold", "check or call", *("all-in" if kind == ALL_IN else f"raise {size}" for size, kind in sizes)]


class FCPA(PotFractions):
    """0 fold, 1 check or call, 2 raise the pot, 3 all-in: OpenSpiel's betting abstraction of that name.

    Raises are offered if they are legal. A pot-sized raise that takes the whole stack is offered only as all-in.
    """

    name = "fcpa"

    def __init__(self) -> None:
        super().__init__("pot, all-in")

    def meanings(self, rules: Rules) -> list[str]:
        return ["fold", "check or call", "raise pot", "all-in"]
