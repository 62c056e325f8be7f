"""Files of hands that a tournament writes while it is played, and what one agent may see of them.

Hands of remote bots cannot be played again for a file, as `hands.save_hands` plays those of others.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from hashlib import sha256
from pathlib import Path
from tempfile import TemporaryDirectory

from ...game.rules import Rules
from ...history import HandWriter, read_hands
from ..observed.saved_hands import SavedHands

_OTHERS = re.compile(r"[^\w.+-]+")
_LONGEST = 40


def suffix_of(rules: Rules, is_freezeout: bool) -> str:
    """Of a file of hands: .phhs, or for freezeouts .txt (PokerStars' format), which can say everything of the button
    (R10)."""
    return ".txt" if is_freezeout and rules.is_texas_holdem else ".phhs"


def plain_names(names: Sequence[str]) -> str:
    """The names of a match as every file system can have them; others may look alike."""
    plain = [_OTHERS.sub("_", name)[-_LONGEST:] for name in names[:2]]
    return "-".join(plain) + ("-and-others" if len(names) > 2 else "")


@contextmanager
def written_hands(
    folder: str, names: Sequence[str], rules: Rules, first: int, is_freezeout: bool
) -> Iterator[SavedHands | None]:
    """Writes the hands of a match from deal `first` on to a file in a folder, which is there when the block ends, in
    the place of an earlier one. None without a folder."""
    if not folder:
        yield None
        return
    digest = sha256(json.dumps(names).encode()).hexdigest()[:8]
    path = Path(folder, f"{plain_names(names)}-{digest}-{first:07}{suffix_of(rules, is_freezeout)}")
    path.unlink(missing_ok=True)
    with HandWriter(path) as writer:
        yield SavedHands(writer, names, rules, event=" against ".join(names))


def own_hands(folder: Path, name: str) -> tuple[str, bytes]:
    """The hands that an agent has played, of all files in a folder, as its seat saw them: the suffix of a file of them,
    and its content, which may be empty."""
    files = sorted(folder.glob("*-*"))
    suffix = files[0].suffix if files else ".phhs"
    with TemporaryDirectory() as made:
        path = Path(made, f"hands{suffix}")
        with HandWriter(path) as writer:
            for hand in (hand for each in files for hand in read_hands(each)):
                if name in (players := hand.players or ()):
                    seat = players.index(name)
                    writer.write(hand.replay(), players=players, unit=hand.unit, metadata=hand.metadata, seat=seat)
        return suffix, path.read_bytes()
