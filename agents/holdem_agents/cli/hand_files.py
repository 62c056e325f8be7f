"""Files of all hands of a match, for `holdem match --save`."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from holdem_env.arena import SavedHands
from holdem_env.game.rules import Rules
from holdem_env.history import HandWriter


@contextmanager
def saved_hands(path: Path | None, names: Sequence[str], rules: Rules) -> Iterator[SavedHands | None]:
    """What writes all hands of a match to a new file, which has its name when the match is over; None without a path.

    Raises ValueError for a name that says no format of many hands, and a game that the format cannot express;
    FileExistsError if there is a file of that name.
    """
    if path is None:
        yield None
        return
    with HandWriter(path) as writer:
        if writer.format == "phh":
            raise ValueError(f"{path}: a .phh holds one hand; name a .phhs file, or .txt for PokerStars' format")
        yield SavedHands(writer, names, rules, event=" against ".join(names))
