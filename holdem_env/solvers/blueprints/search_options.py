"""SearchOptions: how an agent that plays a blueprint searches. What search does stands in resolving.py."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from ...utils.validation import whole_number

Street = Literal["river", "turn", "flop"]
Search = Street | Literal["auto"] | None
Safe = Literal["gadget"]
Values = Literal["network", "exact"]
STREETS: dict[str, int] = {"flop": 1, "turn": 2, "river": 3}
FLOOR = 0.2
LEAST_ITERATIONS = 10
"""A solution of fewer is not played."""


@dataclass(frozen=True)
class SearchOptions:
    """How an agent searches.

    search: from which street on hands are re-solved; "auto" is "river", but None in training. iterations: of each
    solution, by default ITERATIONS, or STREET_ITERATIONS with a network. seconds: for a decision; the solution is then
    as good as the time allows, and depends on the machine. floor: the part of the opponent's range that is spread over
    all hands. safe: "gadget": on the river no hand of the opponent's shall win more than against the blueprint; the
    floor is then not used. values: "network": a network values hands at the end of a flop or a turn. With "exact", and
    where no network was trained for the game or stacks as deep, turns are solved to the end of the hand, and the
    blueprint plays flops.
    """

    search: Search = "auto"
    iterations: int | None = None
    seconds: float | None = None
    floor: float = FLOOR
    safe: Safe | None = None
    values: Values = "network"

    def __post_init__(self) -> None:
        if self.search not in (None, "auto", *STREETS):
            raise ValueError(f'search must be "auto", "river", "turn", "flop" or None, got {self.search!r}')
        if self.values not in ("network", "exact"):
            raise ValueError(f'values must be "network" or "exact", got {self.values!r}')
        if self.search == "flop" and self.values == "exact":
            raise ValueError('values="exact" is for search="turn": flops are solved with values="network" alone')
        least = LEAST_ITERATIONS
        if self.iterations is not None and whole_number("iterations", self.iterations, "a number of them") < least:
            raise ValueError(f"iterations must be {least} or more, got {self.iterations}")
        if self.seconds is not None and not self.seconds > 0:
            raise ValueError(f"seconds must be above 0, got {self.seconds}")
        if not 0 <= self.floor <= 1:
            raise ValueError(f"floor must be a part, 0 to 1, got {self.floor}")
        if self.safe not in (None, "gadget"):
            raise ValueError(f'safe must be "gadget" or None, got {self.safe!r}')
        if self.safe and self.search in ("turn", "flop"):
            raise ValueError(
                f"safe={self.safe!r} is for search='river'; with search={self.search!r} there is the floor alone"
            )

    @property
    def first(self) -> int | None:
        """The first street that is searched, 1 (flop) to 3; None without search."""
        return None if self.search is None else STREETS["river" if self.search == "auto" else self.search]
