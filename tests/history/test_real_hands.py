"""Real hands replayed to the payoffs that their sources state: excerpts, and all 14,000 where they are at hand."""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction
from pathlib import Path

import pytest

from holdem_env import Table
from holdem_env.history import HandRecord, acpc, phh

EXCERPTS = Path(__file__).resolve().parent.parent / "data"
LOGS = {
    "2p.limit": "holdem.limit.2p.reverse_blinds.game",
    "3p.limit": "holdem.limit.3p.game",
    "2p.nolimit": "holdem.nolimit.2p.reverse_blinds.game",
    "3p.nolimit": "holdem.nolimit.3p.game",
}
# Hands whose source divides an odd chip into halves.
PLURIBUS_HALVES = [177, 925, 2591, 4112, 5356, 5652, 5662, 7124]
ACPC_HALVES = {"2p.limit": [], "3p.limit": [256, 964], "2p.nolimit": [], "3p.nolimit": [100, 459]}


def check(hands: Iterable[HandRecord], halves: list[int]) -> int:
    """Replay the hands; all payoffs are as stated, but in the hands named in `halves`. Returns how many there were."""
    count = 0
    halved = []
    for hand in hands:
        table = hand.replay()
        assert table.is_over, hand
        if table.payoffs != hand.payoffs:
            halved.append(hand.hand)
            check_half_chips(hand, table)
        count += 1
    assert halved == halves
    return count


def check_half_chips(hand: HandRecord, table: Table) -> None:
    """R28: the odd chip goes whole to the first winner left of the button."""
    assert hand.payoffs is not None
    assert all(abs(paid - stated) <= Fraction(1, 2) for paid, stated in zip(table.payoffs, hand.payoffs, strict=True))
    from_the_left = [(table.button + 1 + i) % table.rules.seats for i in range(table.rules.seats)]
    halves = [seat for seat in from_the_left if Fraction(hand.payoffs[seat]).denominator == 2]
    assert len(halves) == 2
    gains = [table.payoffs[seat] - hand.payoffs[seat] for seat in halves]
    assert gains == [Fraction(1, 2), Fraction(-1, 2)]


def test_pluribus_excerpt() -> None:
    assert check(phh.read(EXCERPTS / "pluribus.phhs", on_error="raise"), PLURIBUS_HALVES) == 60


@pytest.mark.parametrize("name", LOGS)
def test_acpc_excerpts(name: str) -> None:
    log = EXCERPTS / f"{name}.log"
    assert check(acpc.read(log, game=EXCERPTS / LOGS[name], on_error="raise"), ACPC_HALVES[name]) == 60
    assert len(list(acpc.read(log))) == 60  # the log names its game itself


@pytest.mark.slow
def test_all_pluribus_hands(data_dir: Path) -> None:
    hands = phh.read(data_dir / "pluribus.phhs.xz", on_error="raise")
    assert check(hands, PLURIBUS_HALVES) == 10_000


@pytest.mark.slow
@pytest.mark.parametrize("name", LOGS)
def test_all_acpc_hands(data_dir: Path, name: str) -> None:
    folder = data_dir / "acpc"
    hands = acpc.read(folder / f"{name}.h1000.log", game=folder / LOGS[name], on_error="raise")
    assert check(hands, ACPC_HALVES[name]) == 1000


@pytest.mark.slow
def test_all_pluribus_hands_are_written_and_read_again(data_dir: Path) -> None:
    for hand in phh.read(data_dir / "pluribus.phhs.xz", on_error="raise"):
        table = hand.replay()
        again = phh.loads(phh.dumps(table, hand=hand.hand, players=hand.players))
        assert again.replay().payoffs == again.payoffs == table.payoffs
        assert again.players == hand.players
        moves = [action for action in hand.actions if " sm" not in action]
        assert [action for action in again.actions if " sm" not in action] == moves


@pytest.mark.slow
@pytest.mark.parametrize("name", LOGS)
def test_all_acpc_lines_are_written_as_they_were(data_dir: Path, name: str) -> None:
    folder = data_dir / "acpc"
    log = folder / f"{name}.h1000.log"
    lines = log.read_text().splitlines()
    for hand in acpc.read(log, game=folder / LOGS[name], on_error="raise"):
        if hand.hand not in ACPC_HALVES[name]:
            assert hand.players is not None
            assert acpc.dumps(hand.replay(), int(hand.hand), hand.players) == lines[hand.line - 1]
