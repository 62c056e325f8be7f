"""Deals: what was played, deal by deal, from every seat: what all estimators and reports start from."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...game.units import Unit
from ...utils.frames import to_frame

Values = NDArray[np.float64]


@dataclass(frozen=True)
class Deals:
    """Independent deals, each played once for every rotation of the line-up, with the same cards and button.

    Attributes:
        agents: The agents' names.
        unit: Unit of what they win: `unit_of` the game, or PRIZES.
        seed: None if the deals are under several seeds.
        numbers: (D,) int64, the deals: deal d under a seed is hand 0 of table d.
        seating: (D, R, seats) int8, the agent in each seat, for R rotations.
        columns: Values of the hands to each seat, (D, R, seats) float64 in chips. "chips", what was won or lost, is
            always there. Any other column estimates the same with less luck, such as "all_in".
    """

    agents: tuple[str, ...]
    unit: Unit
    seed: int | None
    numbers: NDArray[np.int64]
    seating: NDArray[np.int8]
    columns: Mapping[str, Values] = field(default_factory=dict)

    def __post_init__(self) -> None:
        if "chips" not in self.columns:
            raise ValueError(f"columns: there is no 'chips' among {sorted(self.columns)}")
        for name, values in self.columns.items():
            if values.shape != self.seating.shape:
                raise ValueError(f"column {name!r} has shape {values.shape}; these deals need {self.seating.shape}")

    def __len__(self) -> int:
        return len(self.numbers)

    @property
    def rotations(self) -> int:
        """How often each deal was played."""
        return int(self.seating.shape[1])

    @property
    def hands(self) -> int:
        """How many hands were played."""
        return len(self) * self.rotations

    def with_column(self, name: str, values: Values) -> Deals:
        """Return the same deals with one more column, (D, R, seats) chips.

        Raises:
            ValueError: If the values have another shape.
        """
        return replace(self, columns={**self.columns, name: values})

    def number_of(self, agent: int | str) -> int:
        """Return an agent's place in `agents`, from its name.

        Raises:
            ValueError: If the agent did not play.
        """
        if isinstance(agent, str):
            if agent not in self.agents:
                raise ValueError(f"there is no agent {agent!r} in these deals; there are {', '.join(self.agents)}")
            return self.agents.index(agent)
        return agent

    def per_deal(self, agent: int | str = 0, column: str = "chips") -> Values:
        """What an agent won a hand in each deal that it played, in `unit.amount`: (d,) float64, the mean over all
        rotations and, if it sat in several seats, over these. These are independent numbers.
        """
        means, played = self.means(agent, column)
        return means[played]

    def means(
        self, agent: int | str, column: str, rotations: slice | tuple[Any, ...] = slice(None)
    ) -> tuple[Values, NDArray[np.bool_]]:
        """What an agent won a hand in each deal, (D,), and in which deals it played; by default of all rotations."""
        theirs = self.seating[rotations] == self.number_of(agent)
        axes = tuple(range(1, theirs.ndim))
        counts, sums = theirs.sum(axis=axes), np.where(theirs, self.columns[column][rotations], 0.0).sum(axis=axes)
        return sums / np.maximum(counts, 1) / self.unit.chips, counts > 0

    def to_frame(self) -> Any:
        """Return a pandas.DataFrame with a row for each seat of each rotation of each deal.

        Its columns are deal, rotation, seat, agent, and every column of the deals, in chips.

        Raises:
            ModuleNotFoundError: If pandas is missing; the extra `notebooks` installs it.
        """
        deal, rotation, seat = np.indices(self.seating.shape).reshape(3, -1)
        places = {"deal": self.numbers[deal], "rotation": rotation, "seat": seat}
        names = np.array(self.agents)[self.seating.ravel()]
        return to_frame(places | {"agent": names} | {name: values.ravel() for name, values in self.columns.items()})

    def single(self, agent: int | str = 0, column: str = "chips") -> Values:
        """As `per_deal`, but of each deal only one rotation, as if duplicates had not been played: (d,).

        Which one is drawn by the number of the deal: positions that took turns would make the intervals too wide.
        """
        turn = drawn(self.numbers, self.rotations)
        means, played = self.means(agent, column, (np.arange(len(self)), turn))
        return means[played]


def drawn(numbers: NDArray[np.int64], below: int) -> NDArray[np.int64]:
    """For each deal a number in 0..below-1, as good as random and always the same."""
    mixed = numbers.astype(np.uint64) * np.uint64(0x9E3779B97F4A7C15)
    mixed ^= mixed >> np.uint64(29)
    mixed *= np.uint64(0xBF58476D1CE4E5B9)
    return (mixed >> np.uint64(33)).astype(np.int64) % below


def join(parts: Sequence[Deals]) -> Deals:
    """Join deals of the same agents, played in parts, in order of their numbers.

    Raises:
        ValueError: If the parts do not belong together, or have deals in common.
    """
    if not parts:
        raise ValueError("join: no deals")
    first = parts[0]
    for part in parts[1:]:
        if (part.agents, part.unit, set(part.columns)) != (first.agents, first.unit, set(first.columns)):
            raise ValueError("join: these deals are not of the same agents, game and columns")
    numbers = np.concatenate([part.numbers for part in parts])
    order = np.argsort(numbers, kind="stable")
    if (np.diff(numbers[order]) == 0).any():
        raise ValueError("join: a deal is there twice")
    return Deals(
        first.agents,
        first.unit,
        first.seed if all(part.seed == first.seed for part in parts) else None,
        numbers[order],
        np.concatenate([part.seating for part in parts])[order],
        {name: np.concatenate([part.columns[name] for part in parts])[order] for name in first.columns},
    )
