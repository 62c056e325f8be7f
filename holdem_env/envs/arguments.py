"""What people may give to an environment: rules by name or as fields, a session, decks, opponents, a unit of reward."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Literal, cast

import numpy as np

from ..agents.protocol import Agent
from ..encoders import ActionEncoder, ObservationEncoder
from ..game.rules import Rules
from ..game.session_rules import SessionRules
from .learner_tables import LearnerTables, OnIllegal, Opponent

GivenRules = Rules | str | Mapping[str, Any] | None
GivenOpponents = str | Agent | Sequence[Opponent]
RewardUnit = Literal["big_blind", "chips"]
REWARD_UNITS = (None, "big_blind", "chips")


def as_rules(given: GivenRules) -> Rules:
    """Rules from Rules, a preset's name, fields, or a preset with changes; None is Rules(), six-handed no-limit.

    Raises ValueError that names what is wrong, TypeError for something else.

    >>> as_rules({"preset": "heads-up-no-limit", "stacks": 40}).stacks
    40
    """
    if given is None:
        return Rules()
    if isinstance(given, Rules):
        return given
    if isinstance(given, str):
        return Rules.preset(given)
    if not isinstance(given, Mapping):
        raise TypeError(f"rules: give Rules, the name of a preset or a dict of fields, not {given!r}")
    fields = dict(given)
    preset = fields.pop("preset", None)
    return Rules(**fields) if preset is None else Rules.preset(preset, **fields)


def as_opponents(given: GivenOpponents) -> Sequence[Opponent]:
    """One opponent, or several: a sequence of them."""
    return [given] if isinstance(given, str | Agent) else given


def chips_in_unit(rules: Rules, unit: RewardUnit | None) -> int:
    """How many chips one unit of reward is; None: what the rules say.

    Raises ValueError for a unit that is not one of REWARD_UNITS.
    """
    if unit not in REWARD_UNITS:
        raise ValueError(f"reward_unit: {unit!r} is not one of {', '.join(map(repr, REWARD_UNITS))}")
    if unit is None:
        return rules.unit
    return 1 if unit == "chips" else rules.big_blind or rules.street_bets[0]


def gymnasium_tables(
    num_tables: int,
    rules: GivenRules,
    opponents: GivenOpponents,
    observation: str | ObservationEncoder,
    actions: str | ActionEncoder | None,
    on_illegal: OnIllegal,
    first_table: int = 0,
    one_opponent: float = 0.0,
) -> LearnerTables:
    """The tables behind Gymnasium's faces, which are asked how a hand ended."""
    return LearnerTables(
        as_rules(rules),
        num_tables,
        as_opponents(opponents),
        observation,
        actions,
        on_illegal,
        first_table=first_table,
        keep_finished=True,
        one_opponent=one_opponent,
    )


def with_session(rules: Rules, session: SessionRules | Mapping[str, Any] | None, num_hands: int | None) -> Rules:
    """The rules with the session that is to be played. Raises ValueError for one that never ends."""
    if session is None and rules.session is None:
        if num_hands is not None and num_hands < 1:
            raise ValueError(
                f"num_hands: {num_hands}; give 1 or more, or None to play until one seat has all the chips"
            )
        return rules.replace(session=SessionRules(num_hands=num_hands))
    if num_hands != 1:
        raise ValueError(f"num_hands: {num_hands}; with a session give it there: session={{'num_hands': ...}}")
    if session is not None:
        rules = rules.replace(session=session)
    kind = cast(SessionRules, rules.session)
    if (kind.kind == "cash" or kind.rebuy) and kind.num_hands is None:
        raise ValueError("session: a cash game, or one with rebuys, has no end of its own; give num_hands")
    return rules


def one_of(name: str, value: Any, known: Sequence[Any]) -> Any:
    """The value, if it is known. Raises ValueError that lists what is."""
    if value not in known:
        raise ValueError(f"{name}: {value!r} is not one of {', '.join(map(repr, known))}")
    return value


def as_decks(deck: Any) -> list[str | Iterable[Any]]:
    """One deck or a list of them, as a list."""
    if deck is None:
        return []
    if isinstance(deck, str):
        return [deck]
    cards = list(deck)
    if cards and not isinstance(cards[0], str | Sequence | np.ndarray):
        return [cards]
    return cards
