"""Configurations of blueprints: the fields of the YAML files, and their checks."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any, Literal, Self

from pydantic import (
    BeforeValidator,
    Field,
    PositiveFloat,
    PositiveInt,
    ValidationInfo,
    field_validator,
    model_validator,
)

from ...game.rules import Rules
from ...game.rules_input import fields_of_rules
from ...utils.counting import duration
from ...utils.validation import Validated
from ..card_tables.abstraction import CardAbstraction
from ..trees.bet_sizes import DEFAULT, BetSizes

PLAYERS = 2


def _expanded(given: Any) -> Any:
    """The fields of Rules, if rules are given as a preset's name, as `preset` with changes or as a YAML file."""
    return fields_of_rules(given) if isinstance(given, str | Mapping) else given


class BlueprintBudget(Validated):
    """How long to train: `seconds`, or a number of `deals`. With deals and one thread, a run can be repeated exactly.

    The time is that of training itself: card tables, matches and files come on top.
    """

    seconds: PositiveFloat | None = None
    deals: PositiveInt | None = None

    @model_validator(mode="after")
    def _one(self) -> Self:
        if (self.seconds is None) == (self.deals is None):
            raise ValueError("give either seconds or deals")
        return self


class Matches(Validated):
    """Short duplicate matches of the strategy so far: `hands` against each of the `opponents`, every `minutes` of
    training and at its end."""

    opponents: tuple[str, ...] = ("tight_aggressive", "pot_odds")
    hands: PositiveInt = 20_000
    minutes: PositiveFloat = 5.0


class BlueprintConfig(Validated):
    """The configuration of a blueprint.

    Attributes:
        rules: The name of a preset, `preset:` with changes, or the fields of Rules: Texas hold'em for two, single
            hands.
        sizes: The bet sizes of the tree, as BetSizes takes them.
        cards: The fields of CardAbstraction, such as {kind: strength, flop: 200, turn: 200, river: 200}.
        budget: Seconds or deals.
        seed: Seed of the deals and of the sampling in them.
        threads: How many train side by side.
        matches: Matches during training.
        checkpoint_minutes: Time between checkpoints, and so the most work that a killed run loses.
        snapshots: Strategy files to keep on the way, after a half of the budget, a quarter and so on.
    """

    kind: Literal["blueprint"] = "blueprint"
    rules: Annotated[Rules, BeforeValidator(_expanded)]
    sizes: Any = DEFAULT
    cards: dict[str, Any] = {}
    budget: BlueprintBudget
    seed: Annotated[int, Field(ge=0, lt=2**32)] = 0
    threads: Annotated[int, Field(ge=1, le=256)] = 2
    matches: Matches = Matches()
    checkpoint_minutes: Annotated[float, Field(ge=0)] = 5.0
    snapshots: Annotated[int, Field(ge=0, le=20)] = 0

    @field_validator("sizes", "cards")
    @classmethod
    def _can_be(cls, given: Any, info: ValidationInfo) -> Any:
        try:
            return (BetSizes.parse(given) if info.field_name == "sizes" else CardAbstraction(**given)).config()
        except TypeError as error:
            raise ValueError(str(error)) from None

    @model_validator(mode="after")
    def _game_can_be(self) -> Self:
        if self.rules.seats != PLAYERS:
            raise ValueError(f"rules: a blueprint is for two seats, not {self.rules.seats}")
        if self.rules.session is not None:
            raise ValueError("rules: a blueprint is for single hands, not for a session")
        CardAbstraction.check_rules(self.rules)
        return self

    @property
    def budget_text(self) -> str:
        """How long it trains, in words."""
        budget = self.budget
        return f"{budget.deals:,} deals" if budget.deals else f"{duration(budget.seconds or 0.0)} of training"

    @property
    def bet_sizes(self) -> BetSizes:
        return BetSizes.parse(self.sizes)

    def abstraction(self) -> CardAbstraction:
        """The card abstraction, its tables not filled yet."""
        return CardAbstraction.from_config(self.cards)
