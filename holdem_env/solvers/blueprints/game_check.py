"""Which games a strategy can play: those with its betting, whatever the stacks and the size of the chips."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from ...game.rules import Rules
from ...game.title import game_title

BETTING = ("structure", "seats", "first_to_act")
LIMITS = ("max_raises", "uncapped_heads_up")
"""Fields of Rules that must be those of the strategy's game; LIMITS in fixed limit alone."""
IN_BIG_BLINDS = ("small_blind", "ante", "big_blind_ante", "street_bets")  # what must be the same in big blinds


def check_game(name: str, own: Rules, played: Rules) -> None:
    """Raises ValueError, naming the differences, if a strategy for the rules `own` cannot play a game. Stacks may
    differ, and all chips may be multiplied; so may what does not change the betting, such as rake."""
    if wrong := _differences(own, played):
        raise ValueError(
            f"agent {name!r} cannot play {game_title(played)}: its strategy is for another game: {'; '.join(wrong)}"
        )


def _differences(own: Rules, played: Rules) -> list[str]:
    if hands := own.hand_differences(played):
        return [f"{field} {getattr(own, field)!r}, not {getattr(played, field)!r}" for field in hands]
    fields = (*BETTING, *(LIMITS if own.structure == "fixed_limit" else ()))
    for stage in played.stages:
        pairs = [(field, getattr(own, field), getattr(stage, field)) for field in fields]
        wrong = [f"{field} {here!r}, not {there!r}" for field, here, there in pairs if here != there]
        for field in IN_BIG_BLINDS if not wrong else ():
            here, there = _in_big_blinds(own, field), _in_big_blinds(stage, field)
            if not np.array_equal(here, there):
                wrong.append(f"{field} of {_text(here)} big blinds, not {_text(there)}")
        if wrong:
            return wrong
    return []


def _in_big_blinds(rules: Rules, field: str) -> NDArray[np.float64]:
    return np.atleast_1d(np.array(getattr(rules, field), np.float64)) / max(rules.big_blind, 1)


def _text(amounts: NDArray[np.float64]) -> str:
    return " / ".join(f"{amount:g}" for amount in dict.fromkeys(amounts.tolist()))
