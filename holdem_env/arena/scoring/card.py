"""The card: what was measured of an agent in a task, with what it took and how to repeat it."""

from __future__ import annotations

import platform
from collections.abc import Sequence
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any

from pydantic import ConfigDict, ValidationError

from ...utils.hooks import hook
from ...utils.plain_data import json_of
from ...utils.validation import Validated, what_is_wrong
from ..statistics.tables import Tabled
from .findings import Figure, Found, Spent, best_bound, lower_bounds
from .measure import Budget

FORMAT = 1
JSON, MARKDOWN, PAGE = "card.json", "card.md", "card.html"
PACKAGES = ("holdem-env", "numpy", "numba", "torch")


class Card(Validated, Tabled):
    """An agent's score card for a task.

    Attributes:
        task, task_fingerprint, about: Name, fingerprint and description of the task.
        budget: The budget of the measures.
        agent: The agent's name or file, as it was given.
        agent_fingerprint: Its code and parameters.
        seed: Seed of all decks.
        isolation: Says if the agent played in a process of its own.
        versions: Versions of Python and packages.
        command: The command that repeats the score.
        found: What each part has found, in the task's order.
    """

    model_config = ConfigDict(frozen=True, extra="forbid", ser_json_inf_nan="strings")

    format: int = FORMAT
    task: str
    task_fingerprint: str
    about: str
    budget: Budget
    agent: str
    agent_fingerprint: dict[str, Any]
    seed: int
    isolation: str
    versions: dict[str, str]
    command: str
    found: tuple[Found, ...]

    def __repr__(self) -> str:
        measured = len(self.found) - len(self.missing)
        return f"<Card of {self.agent} in {self.task}, {self.budget} budget: {measured} of {len(self.found)} parts>"

    @property
    def spent(self) -> Spent:
        """What all parts together took."""
        return sum((one.spent for one in self.found), Spent())

    @property
    def missing(self) -> list[Found]:
        """The parts that measured nothing."""
        return [one for one in self.found if one.why_not is not None]

    @property
    def exploitability(self) -> list[Figure]:
        return [figure for one in self.found for figure in one.figures if figure.says == "exact"]

    @property
    def best_bound(self) -> tuple[Figure, float] | None:
        return best_bound(self.found)

    @property
    def gains(self) -> list[Figure]:
        """What best responses gain in spots."""
        return [figure for one in self.found for figure in one.figures if figure.says == "gain in spots"]

    @property
    def strength(self) -> list[Figure]:
        """What the agent won from each anchor."""
        return [figure for one in self.found for figure in one.figures if figure.says == "win rate"]

    @property
    def others(self) -> list[Figure]:
        """The figures that are none of these."""
        known = [*self.exploitability, *lower_bounds(self.found), *self.gains, *self.strength]
        return [figure for one in self.found for figure in one.figures if figure not in known]

    def _table(self) -> list[dict[str, Any]]:
        names = "says", "value", "half_width", "unit", "samples"
        return [
            {"agent": self.agent, "part": one.part, "figure": figure.name}
            | {name: getattr(figure, name) for name in names}
            | {"seconds": one.spent.seconds}
            for one in self.found
            for figure in one.figures
        ]

    def _repr_markdown_(self) -> str:
        text: str = hook("markdown of a card")(self)
        return text


def versions() -> dict[str, str]:
    """Of Python and of the packages that figures depend on."""
    found = {"python": platform.python_version()}
    for name in PACKAGES:
        try:
            found[name] = version(name)
        except PackageNotFoundError:
            continue
    return found


def load_card(path: str | Path) -> Card:
    """Read a card from its JSON file, or from the folder with the file.

    Raises:
        FileNotFoundError: If the file does not exist.
        ValueError: If the file is not a card.
    """
    path = Path(path)
    path = path / JSON if path.is_dir() else path
    if not path.is_file():
        raise FileNotFoundError(f"{path}: there is no such file; a card is written by holdem score")
    try:
        data = json_of(path.read_bytes())
        if isinstance(data, dict) and data.get("format", FORMAT) != FORMAT:
            raise ValueError(f"a card's format must be {FORMAT}, got {data['format']}")
        return Card.model_validate(data)
    except ValidationError as error:
        raise ValueError(f"{path}: this is no card: {what_is_wrong(error)}") from None
    except ValueError as error:
        raise ValueError(f"{path}: this is no card: {error}") from None


def check_comparable(cards: Sequence[Card]) -> None:
    """Raise ValueError for cards of different tasks, or versions of one."""
    first = cards[0]
    for card in cards[1:]:
        if card.task != first.task:
            raise ValueError(f"cards to compare must be of one task, got {first.task} and {card.task}")
        if card.task_fingerprint != first.task_fingerprint:
            raise ValueError(
                f"cards to compare must be of one version of {first.task}, got the fingerprints "
                f"{first.task_fingerprint} and {card.task_fingerprint}"
            )
