"""Files of hands that a tournament writes while it is played, and what one agent may see of them. Those of remote bots
cannot be played again for a file, as `hands.save_hands` plays others."""

from __future__ import annotations

import io
import json
import re
from collections.abc import Collection, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from hashlib import sha256
from pathlib import Path
from zipfile import ZIP_DEFLATED, ZipFile

from ...game.rules import Rules
from ...history import HandWriter
from ..observed.saved_hands import SavedHands

_OTHERS = re.compile(r"[^\w.+-]+")
_LONGEST = 40
MAX_OF_A_SESSION = 100_000  # hands: numbers of hands begin so far apart in a tournament's files


def suffix_of(rules: Rules, is_freezeout: bool) -> str:
    """Of a file of hands: .phhs, or for freezeouts PokerStars' .txt, which can say everything of the button (R10)."""
    return ".txt" if is_freezeout and rules.is_texas_holdem else ".phhs"


def plain_names(names: Sequence[str]) -> str:
    """The names of a match as every file system can have them; others may look alike."""
    plain = [_OTHERS.sub("_", name)[-_LONGEST:] for name in names[:2]]
    return "-".join(plain) + ("-and-others" if len(names) > 2 else "")


def own_folder(folder: Path | str, name: str) -> Path:
    """Where an agent's own hands are, in the folder of a tournament's: hidden, as these are hands that others have."""
    return Path(folder, ".own", sha256(name.encode()).hexdigest()[:16])


@contextmanager
def written_hands(
    folder: str, names: Sequence[str], own: Collection[str], rules: Rules, first: int, is_freezeout: bool
) -> Iterator[SavedHands | None]:
    """Writes the hands of a match from deal `first` on to a file in a folder, which is there when the block ends, in
    the place of an earlier one; and for the agents `own` as their seats saw them, to a folder each. None without a
    folder."""
    if not folder:
        yield None
        return
    digest = sha256(json.dumps(names).encode()).hexdigest()[:8]
    name = f"{plain_names(names)}-{digest}-{first:07}{suffix_of(rules, is_freezeout)}"
    places = [Path(folder), *(own_folder(folder, each) for each in own)]
    with ExitStack() as files:
        whole, *seats = (files.enter_context(HandWriter(_emptied(place / name))) for place in places)
        by_number = dict(zip(map(names.index, own), seats, strict=True))
        number = 1 + first * (MAX_OF_A_SESSION if is_freezeout else rules.seats)
        yield SavedHands(whole, names, rules, event=" against ".join(names), own=by_number, first_hand=number)


def _emptied(path: Path) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.unlink(missing_ok=True)
    return path


def own_hands(folder: Path, name: str) -> bytes:
    """A zip archive of the files with the hands that an agent has played, as its seat saw them."""
    made = io.BytesIO()
    with ZipFile(made, "w", ZIP_DEFLATED) as archive:
        for path in sorted(own_folder(folder, name).glob("*-*")):
            archive.write(path, path.name)
    return made.getvalue()
