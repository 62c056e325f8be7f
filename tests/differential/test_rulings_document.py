"""docs/rulings.md names the tests that pin a difference, and leaves none out."""

from __future__ import annotations

import re
from pathlib import Path

HERE = Path(__file__).parent
DOCUMENT = HERE.parents[1] / "docs" / "rulings.md"


def names(pattern, *files):
    return {name for file in files for name in re.findall(pattern, (HERE / file).read_text("utf-8"), re.MULTILINE)}


def test_every_pinned_difference_is_written_down():
    pinned = names(r"^def (test_r\d\d_\w+)", "test_pokerkit_rulings.py", "test_openspiel_rulings.py")
    assert pinned
    assert set(re.findall(r"`(test_r\d\d_\w+)`", DOCUMENT.read_text("utf-8"))) == pinned


def test_every_predicate_is_written_down():
    predicates = names(
        r'differences\.add\("(\w+)"\)', "test_pokerkit.py", "test_pokerkit_games.py", "test_openspiel.py"
    )
    for file, variable in (("pokerkit_rulings.py", "AT_A_DECISION"), ("test_openspiel.py", "DIFFERENCES")):
        (listed,) = names(rf"^{variable} = \(([^)]*)\)", file)
        predicates |= set(re.findall(r"\w+", listed))
    assert {"short_big_blind", "nobody_can_call", "odd_chips"} <= predicates
    assert predicates <= set(re.findall(r"`(\w+)`", DOCUMENT.read_text("utf-8")))
