"""What a player's decisions lose, the worst first, each with the street from which it can be solved."""

from __future__ import annotations

from typing import Any

from holdem_env.game.street_names import STREETS
from holdem_env.history.collection import Hands

from ...playing.judging import Assumed, hands_of
from ..answers import ApiError

MAX_HANDS, WORST = 100, 20
"""How many of the latest hands are judged, and of the worst decisions shown."""


def mistakes_of(hands: Hands, player: str) -> dict[str, Any]:
    """The worst decisions of a player on turns and rivers, as `holdem mistakes` has them. Raises ApiError (400) where
    no hand can be judged."""
    from holdem_env.arena.best_responses.mistakes import judged_hands  # compiled code
    from holdem_env.arena.best_responses.mistakes_table import sentences

    if not player:
        raise ApiError(400, "Say whose decisions are judged: give the name of a player.")
    own = hands_of(hands, player, hands.search(agent=player)[-MAX_HANDS:])
    if not own.tables:
        why = "".join(f" {count:,} {reason}." for reason, count in own.left_out.items())
        raise ApiError(400, f"There is no hand of {player!r} here that can be judged.{why}")
    assumed = Assumed(None)
    judged = judged_hands(own.tables, assumed, own.seats)
    judged.unjudged += own.left_out
    rows = [
        {
            "number": own.numbers[each.hand] + 1,
            "hand": own.names[each.hand],
            "solve": STREETS.index(each.street),
            **{name: getattr(each, name) for name in ("street", "cards", "board", "made", "best", "loss")},
        }
        for each in judged.worst[:WORST]
        if each.loss > 0
    ]
    mean, half, count = judged.mean()
    facts = {"hands": judged.hands, "decisions": count, "mean": mean, "half_width": half if count > 1 else None}
    return {**facts, "assumed": assumed.sentence, "sentences": sentences(judged), "rows": rows}
