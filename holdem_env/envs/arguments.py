"""Arguments of the environments: sessions, decks, opponents, units of reward."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from difflib import get_close_matches
from typing import Any, Literal, NamedTuple, cast

import numpy as np

from ..engine.session_kernels import SCHEDULE
from ..game.rules import Rules
from ..game.session_rules import SessionRules
from ..table.hand_setup import check_deck_of_session, checked_first_button, checked_stacks, position_stacks
from ..table.injected_errors import InjectedErrors, injected_for_episode
from ..table.running_session import named_phase
from ..utils.validation import suggestion

RewardUnit = Literal["big_blind", "chips"]
RESET_OPTIONS = ("deck", "stacks", "button", "dealer_errors", "reshuffles", "game")
REWARD_UNITS = (None, "big_blind", "chips")


def agent_at(seat: int) -> str:
    """The name of the agent that has a seat, as PettingZoo's environments name theirs."""
    return f"player_{seat}"


def chips_in_unit(rules: Rules, unit: RewardUnit | None) -> int:
    """How many chips one unit of reward is; None takes the rules' unit.

    Raises ValueError for a unit that is not one of REWARD_UNITS.
    """
    if unit not in REWARD_UNITS:
        raise ValueError(f"reward_unit: {unit!r} is not one of {', '.join(map(repr, REWARD_UNITS))}")
    if unit is None:
        return rules.unit
    return 1 if unit == "chips" else rules.big_blind or rules.street_bets[0]


def with_session(rules: Rules, session: SessionRules | Mapping[str, Any] | None, num_hands: int | None) -> Rules:
    """The rules with the session to be played. Raises ValueError for a session that never ends."""
    if session is None and rules.session is None:
        if num_hands is not None and num_hands < 1:
            raise ValueError(
                f"num_hands: {num_hands}; give 1 or more, or None to play until one seat has all the chips"
            )
        return rules.replace(session=SessionRules(num_hands=num_hands))
    if num_hands != 1:
        raise ValueError(f"num_hands: {num_hands}; with a session, give it as session={{'num_hands': ...}}")
    if session is not None:
        rules = rules.replace(session=session)
    session = cast(SessionRules, rules.session)
    if (session.kind == "cash" or session.rebuy) and session.num_hands is None:
        raise ValueError("session: a cash game or a session with rebuys never ends by itself; give num_hands")
    return rules


def checked_choice(name: str, value: Any, known: Sequence[Any]) -> Any:
    """The value, if it is one of the known ones. Raises ValueError that lists them."""
    if value not in known:
        raise ValueError(f"{name}: {value!r} is not one of {', '.join(map(repr, known))}")
    return value


def list_of_decks(deck: Any) -> list[str | Iterable[Any]]:
    """A list of decks, from None, one deck or a list of decks."""
    if deck is None:
        return []
    if isinstance(deck, str):
        return [deck]
    cards = list(deck)
    if cards and not isinstance(cards[0], str | Sequence | np.ndarray):
        return [cards]
    return cards


class EpisodeOptions(NamedTuple):
    """The options of HoldemEnv's `reset`, checked; by default the rules decide."""

    stacks: list[int] | None = None
    button: int | None = None
    decks: Sequence[str | Iterable[Any]] = ()
    injected: InjectedErrors | None = None
    named: int = SCHEDULE


NO_OPTIONS = EpisodeOptions()


def checked_options(rules: Rules, options: Mapping[str, Any], seed: int, empty_seats: bool) -> EpisodeOptions:
    """The options of `reset`. empty_seats: whether a stack may be 0, for an empty seat.

    Raises ValueError for invalid ones, and for a name that looks like one of them,
    misspelt. Other names are left alone.
    """
    for name in options.keys() - set(RESET_OPTIONS):
        if get_close_matches(str(name), RESET_OPTIONS, n=1):
            raise ValueError(f"options: there is no {name!r}: {suggestion(name, list(RESET_OPTIONS))}")
    stacks = button = None
    if "stacks" in options:
        stacks = (position_stacks if empty_seats else checked_stacks)(rules, options["stacks"])
    if "button" in options:
        button = checked_first_button(rules, options["button"])
    decks = list_of_decks(options.get("deck"))
    for hand, deck in enumerate(decks):
        check_deck_of_session(rules, hand, deck)  # a bad deck is an error now, not at its hand
    named = named_phase("options", rules, options.get("game"))
    return EpisodeOptions(stacks, button, decks, injected_for_episode(rules, options, seed, len(decks)), named)
