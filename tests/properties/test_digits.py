"""Numbers in what a user or a file says are written with the digits 0 to 9: those of other scripts, and characters such
as "²", which Python takes for digits, are refused and never read as an amount."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from holdem_env import Range, Rules, Table
from holdem_env.engine.bet_sizes import parse_size
from holdem_env.history import phh, pokerstars
from holdem_env.history.acpc_text import ACTION
from holdem_env.solvers import BetSizes

HAND = """variant = "NT"
antes = [0, 0]
blinds_or_straddles = [1, 2]
min_bet = 2
starting_stacks = [200, 200]
actions = ["d dh p1 AsKs", "d dh p2 QhQd", "p1 cbr 7", "p2 f"]
"""


def _pokerstars() -> str:
    table = Table("heads-up-no-limit", seed=1)
    table.raise_to(7)
    table.fold()
    return pokerstars.dumps(table, players=["Ann", "Bob"])


READERS: dict[str, tuple[Callable[[str], object], str]] = {
    "a bet size": (parse_size, "7%"),
    "a multiple": (parse_size, "7x"),
    "a weight": (Range, "AKs:0.7"),
    "big blinds": (lambda text: Rules(seats=2, blinds=(1, 2), stacks=text), "77bb"),
    "a street": (lambda text: BetSizes.parse({text: "75%"}), "1"),
    "PHH": (phh.loads, HAND),
    "PokerStars": (pokerstars.loads, _pokerstars()),
    "the ACPC": (lambda text: ACTION["no_limit"].fullmatch(text) or pytest.fail("no move"), "r7"),
}


@pytest.mark.parametrize("zero", ["٠", "०", "０", None])
@pytest.mark.parametrize("name", READERS)
def test_digits_of_other_scripts_are_refused(name: str, zero: str | None) -> None:
    read, text = READERS[name]
    read(text)
    ours = "1" if name == "a street" else "7"
    digit = "²" if zero is None else chr(ord(zero) + int(ours))
    wanted = digit.join(text.rpartition(ours)[::2])
    with pytest.raises((ValueError, pytest.fail.Exception)):
        read(wanted)
