"""Amounts in big blinds: stacks="50bb" is fifty big blinds in chips. Very deep stacks get a warning."""

from __future__ import annotations

import re
import warnings
from collections.abc import Mapping
from fractions import Fraction
from typing import Any, SupportsIndex

from ..utils.validation import whole_number

Rules = Any  # the class imports this module

AMOUNTS = ("stacks", "ante", "big_blind_ante", "straddle", "small_bet", "big_bet", "min_bet")
"""The fields of Rules that may be given in big blinds."""
DEEPEST_USUAL = 1_000
IN_BIG_BLINDS = re.compile(r"\s*(\d+(?:\.\d+)?|\.\d+)\s*bb\s*", re.IGNORECASE | re.ASCII)
IN_CHIPS = re.compile(r"\s*[+-]?\d+\s*", re.ASCII)
# warn_deep, the validator of Rules, and BaseModel.__init__ lie between the warning and the line that made the rules.
CALLER = 4


def with_chips(fields: Mapping[str, Any], usual_blinds: tuple[int, int]) -> dict[str, Any]:
    """The fields of Rules, with amounts such as "50bb" in chips, a session's rebuy among them.

    usual_blinds: of fields that name no blinds.

    Raises ValueError for text that is no amount, and for big blinds that are not whole chips.
    """
    changed = dict(fields)
    blinds = fields.get("blinds", usual_blinds)
    for name in AMOUNTS:
        given = fields.get(name)
        if isinstance(given, str):
            changed[name] = _chips(name, given, blinds)
        elif isinstance(given, list | tuple) and any(isinstance(amount, str) for amount in given):
            changed[name] = tuple(
                _chips(name, amount, blinds) if isinstance(amount, str) else amount for amount in given
            )
    match fields.get("session"):
        case {"rebuy": str(given), **others}:
            changed["session"] = {**others, "rebuy": _chips("session, rebuy", given, blinds)}
    return changed


def in_chips(name: str, given: SupportsIndex | str, blinds: tuple[int, int]) -> int:
    """One amount in chips, given as such or in big blinds: 100, "100" or "50bb". name: of the argument.

    Raises ValueError for text that is no amount, and for big blinds that are not whole chips; TypeError for what is
    neither an integer nor text.
    """
    if isinstance(given, str):
        return int(_chips(name, given, blinds))
    return whole_number(name, given, "chips as integers, or big blinds such as '50bb'")


def _chips(name: str, given: str, blinds: Any) -> int | str:
    """One amount in chips. Digits alone are chips, which pydantic reads."""
    if IN_CHIPS.fullmatch(given):
        return given
    if not (match := IN_BIG_BLINDS.fullmatch(given)):
        raise ValueError(f"{name}: {given!r} is no amount; give chips, or big blinds such as '50bb'")
    big = _big_blind(blinds)
    if big is None:
        raise ValueError(f"{name}: {given!r} needs blinds, (small, big) in chips, not {blinds!r}")
    if big == 0:
        raise ValueError(f"{name}: {given!r} needs a big blind, and this game has none; give chips")
    chips = Fraction(match[1]) * big
    if chips.denominator != 1:
        raise ValueError(f"{name}: {given!r} is {float(chips):g} chips with a big blind of {big}; give whole chips")
    return int(chips)


def _big_blind(blinds: Any) -> int | None:
    """The big blind of (small, big); None for anything else."""
    match blinds:
        case [_, int(big)] if big >= 0:
            return big
        case _:
            return None


def warn_deep(rules: Rules) -> None:
    """Warn about stacks above DEEPEST_USUAL big blinds: usually chips were counted with other blinds in mind."""
    deepest = max(rules.starting_stacks)
    if rules.big_blind and deepest > DEEPEST_USUAL * rules.big_blind:
        warnings.warn(
            f"stacks: {deepest:,} chips are {deepest / rules.big_blind:,.0f} big blinds of {rules.big_blind:,}, more "
            f"than the usual {DEEPEST_USUAL:,} at most; stacks='100bb' is a hundred big blinds",
            UserWarning,
            stacklevel=CALLER,
        )
