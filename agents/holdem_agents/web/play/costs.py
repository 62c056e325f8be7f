"""What the person's decisions at a table cost, as `holdem mistakes` judges them."""

from __future__ import annotations

import threading
from typing import TYPE_CHECKING, Any

from ...playing.assumed_ranges import Assumed
from ...playing.results import FinishedHand

if TYPE_CHECKING:
    from holdem_env.arena.best_responses.mistakes import Mistakes

FLOP_SECONDS = 60.0
WORST = 3  # how many of the session's decisions are shown


class Costs:
    """The hands of a session that were judged. They are judged one at a time, as somebody asks for them."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._assumed = Assumed(None)
        self._judged: dict[int, Mistakes] = {}

    def of(self, hand: FinishedHand, seat: int, with_flop: bool) -> dict[str, Any]:
        """Return the costs of a seat's decisions in a hand, by their numbers in it, and those of all hands so far."""
        from holdem_env.arena.best_responses.mistakes import Effort, judged_hands  # compiled code
        from holdem_env.arena.best_responses.mistakes_table import sentences

        with self._lock:
            before = self._judged.get(hand.number)
            if before is None or (with_flop and before.unjudged["decisions on the flop"]):
                effort = Effort(FLOP_SECONDS if with_flop else None)
                self._judged[hand.number] = judged_hands([hand.table], self._assumed, [[seat]], effort)
            judged = dict(self._judged)
        here = judged[hand.number]
        every = [(number, each) for number, found in judged.items() for each in found.decisions]
        worst = sorted(every, key=lambda pair: -pair[1].loss)[:WORST]
        return {
            "costs": {each.step: {"best": each.best, "loss": each.loss} for each in here.decisions},
            "sentences": [*sentences(here), *([self._assumed.sentence] if here.decisions else [])],
            "can_judge_flop": bool(here.unjudged["decisions on the flop"]),
            "hands": len(judged),
            "decisions": len(every),
            "sum": sum(each.loss for _, each in every),
            "worst": [
                {"hand": number, "street": each.street, "made": each.made, "best": each.best, "loss": each.loss}
                for number, each in worst
                if each.loss > 0
            ],
        }
