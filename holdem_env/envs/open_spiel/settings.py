"""What a game of OpenSpiel's is made of: our rules and encoders, from OpenSpiel's parameters, checked."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from math import comb
from typing import Any, cast
from urllib.parse import quote, unquote

from ...encoders import ActionEncoder, BoxActionEncoder, ObservationEncoder, get_actions, get_observation
from ...game.rules import AS_PLAYED, Rules
from ...game.rules_input import fields_of_rules
from ...utils.plain_data import json_of
from ..arguments import REWARD_UNITS, RewardUnit, checked_choice, chips_in_unit

DEFAULTS: dict[str, str | int] = {
    "preset": "",
    "rules": "",
    "players": 0,
    "actions": "",
    "observation": "flat",
    "reward_unit": "",
    "chance": "auto",
    "button": -1,
    "rng_seed": -1,
}
"""OpenSpiel's parameters of a game; an empty text, a 0 or a -1 leaves the choice to the library."""
Parameters = tuple[tuple[str, str | int], ...]
"""Parameters as sorted pairs."""
CHANCE = ("auto", "explicit", "sampled")
MAX_EXPLICIT_DEALS = 1_000_000
"""With more ways to deal all cards, chance="auto" samples them."""


@dataclass(frozen=True)
class Settings:
    """One game, checked.

    parameters: what it was made of. rules: single hands. actions, observation: the encoders. chips: how many chips one
    unit of return is. explicit: whether chance deals card by card; otherwise it deals a whole deck at once. button: its
    seat. seed: of sampled decks, None for a random one.
    """

    parameters: Parameters
    rules: Rules
    actions: ActionEncoder
    observation: ObservationEncoder
    chips: int
    explicit: bool
    button: int
    seed: int | None

    @cached_property
    def dealt_by(self) -> tuple[int, ...]:
        """How many cards are dealt by the end of each group that chance deals: a hand for each seat, then the streets'
        board cards."""
        ends = [self.rules.hole_cards * (seat + 1) for seat in range(self.rules.seats)]
        return (*ends, *(ends[-1] + size for size in self.rules.board_sizes))

    @cached_property
    def meanings(self) -> list[str]:
        return self.actions.meanings(self.rules)

    @cached_property
    def longest(self) -> int:
        """No hand has more moves than this: for each full bet or raise, each raise that takes a whole stack and each
        street, every seat acts once at most."""
        game, caps = self.rules, self.rules.max_raises
        full = max(game.starting_stacks) // min(game.street_bets)
        all_ins = game.seats
        if game.structure == "fixed_limit" and game.uncapped_heads_up == "never" and caps is not None:
            full = min(full, sum(caps))
            forced = game.ante + game.big_blind_ante + max(game.big_blind, game.straddle)
            most = forced + sum(cap * bet for cap, bet in zip(caps, game.street_bets, strict=True))
            if most <= min(game.starting_stacks):
                all_ins = 0
        return (full + all_ins + game.streets) * game.seats


def settings_of(parameters: Parameters) -> Settings:
    """The game that OpenSpiel's parameters describe.

    Raises ValueError for a value that is wrong, and for rules that OpenSpiel has no place for.
    """
    given = {**DEFAULTS, **dict(parameters)}
    text = {name: unquote(value) for name, value in given.items() if isinstance(value, str)}
    rules = _rules(text["preset"], text["rules"], int(given["players"]))
    _check_rules(rules)
    actions = get_actions(text["actions"] or None, rules)
    if isinstance(actions, BoxActionEncoder):
        raise ValueError(
            f"actions: OpenSpiel has no continuous actions such as those of {actions.name!r}; give 'limit', 'fcpa', "
            "'all_sizes' or bet sizes such as '50%, 100%, all-in'"
        )
    observation = get_observation(text["observation"])
    observation.layout(rules)  # refuses rules that it has no place for
    unit = checked_choice("reward_unit", text["reward_unit"] or None, REWARD_UNITS)
    chance = checked_choice("chance", text["chance"], CHANCE)
    explicit = chance == "explicit" or (chance == "auto" and deals(rules) <= MAX_EXPLICIT_DEALS)
    seed = int(given["rng_seed"])
    return Settings(
        parameters,
        rules,
        actions,
        observation,
        chips_in_unit(rules, cast(RewardUnit | None, unit)),
        explicit,
        _button(rules, int(given["button"])),
        None if seed < 0 else seed,
    )


def quoted(parameters: Mapping[str, Any]) -> dict[str, Any]:
    """The parameters with their text as in an address (%2C for a comma), so that OpenSpiel can write them into a game's
    name and read them again. Text that is quoted already stays as it is."""
    return {
        name: quote(unquote(value), safe="-_.~/ ") if isinstance(value, str) else value
        for name, value in parameters.items()
    }


def rules_text(rules: Rules) -> str:
    """Rules as JSON, for the parameter `rules`."""
    return rules.model_dump_json(exclude_defaults=True)


def deals(rules: Rules) -> int:
    """How many ways there are to deal every seat's cards and the whole board."""
    left, ways = len(rules.deck), 1
    for count in (*[rules.hole_cards] * rules.seats, *rules.board_cards):
        ways *= comb(left, count)
        left -= count
    return ways


def _rules(preset: str, text: str, players: int) -> Rules:
    fields: Any = text or {}
    if text.lstrip().startswith("{"):
        try:
            fields = json_of(text)
        except ValueError as error:
            raise ValueError(f"rules: {text!r} is not JSON: {error}") from None
    if preset:
        if isinstance(fields, str):
            raise ValueError(f"rules: {fields!r} and preset={preset!r} are two games; give one of them")
        fields = {"preset": preset, **fields}
    fields = fields_of_rules(fields)
    if players:
        fields["seats"] = players
    return Rules.model_validate(fields, context=AS_PLAYED)  # `load_game` has warned about deep stacks


def _check_rules(rules: Rules) -> None:
    """Raise ValueError for rules that are more than a hand whose only moves are bets."""
    if rules.session is not None:
        raise ValueError("rules: a game of OpenSpiel is one hand, not a session; give the rules with session=None")
    if rules.dealer_errors is not None:
        raise ValueError(
            "rules: OpenSpiel's chance deals without errors; give the rules with dealer_errors=None (R33-R38)"
        )
    if rules.showing != "automatic":
        raise ValueError(
            "rules: showing or mucking is no action of this game, as it changes no chips; give the rules with "
            "showing='automatic' (R29)"
        )


def _button(rules: Rules, button: int) -> int:
    if not -1 <= button < rules.seats:
        raise ValueError(f"button: there is no seat {button}, seats are 0..{rules.seats - 1}; -1 is the last one")
    return button % rules.seats
