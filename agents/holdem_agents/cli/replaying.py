"""Replaying hand histories for the command line: does every move stand, and does every result agree?"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from fractions import Fraction
from pathlib import Path

from holdem_env.history import HandRecord, HistoryError, acpc, phh
from holdem_env.table.table import Table

PHH_SUFFIXES = (".phh", ".phhs")
PROBLEMS_SHOWN = 10


def read_hands(file: Path, game: Path | None, on_error: Callable[[HistoryError], None]) -> Iterator[HandRecord]:
    """The hands of a PHH file, or of an ACPC log."""
    if any(suffix in PHH_SUFFIXES for suffix in file.suffixes):
        return phh.read(file, on_error=on_error)
    return acpc.read(file, game, on_error=on_error)


def summary(file: Path, game: Path | None) -> tuple[str, bool]:
    """How many hands replay, and which do not; also whether all of them do, to the results that the file states."""
    problems: list[str] = []
    replayed = stated = parts = 0
    for hand in read_hands(file, game, lambda error: problems.append(str(error))):
        try:
            table, payoffs = hand.replay(), hand.payoffs
        except HistoryError as error:
            problems.append(str(error))
            continue
        replayed += 1
        if payoffs is None or not table.is_over:
            continue
        stated += 1
        parts += any(isinstance(chips, Fraction) for chips in payoffs)
        if not agree(table.payoffs, payoffs):
            problems.append(
                str(hand.error(f"the file states {list(map(str, payoffs))}, the rules give {table.payoffs}"))
            )
    lines = [f"{file}: {replayed:,} hands replayed; results stated for {stated:,}"]
    lines += [f"{parts:,} of them state parts of a chip, which are not dealt out here"] if parts else []
    lines += problems[:PROBLEMS_SHOWN]
    lines += [f"... and {len(problems) - PROBLEMS_SHOWN:,} more problems"] if len(problems) > PROBLEMS_SHOWN else []
    lines.append(f"{len(problems):,} problems" if problems else "no problems")
    return "\n".join(lines), not problems


def agree(ours: list[int], stated: list[int | Fraction]) -> bool:
    """Whether results are the same, but for a chip that a source has split."""
    pairs = zip(ours, stated, strict=True)
    return all(own == chips or (isinstance(chips, Fraction) and abs(own - chips) < 1) for own, chips in pairs)


def show_hand(file: Path, game: Path | None, name: str) -> str:
    """One hand, operation by operation, and the table at its end. Raises ValueError if it is not in the file."""
    problems: list[str] = []
    for hand in read_hands(file, game, lambda error: problems.append(str(error))):
        if str(hand.hand) == name:
            return play_through(hand)
    told = "".join(f"\n{problem}" for problem in problems[:PROBLEMS_SHOWN])
    raise ValueError(f"{file}: there is no hand {name!r}{told}")


def play_through(hand: HandRecord) -> str:
    """The operations of a hand, with the players' names where the file has them."""
    table = hand.replay()
    players = [f"seat {seat}: {player}" for seat, player in enumerate(hand.players or ())]
    return "\n".join([f"hand {hand.hand} of {hand.file}", *players, *_operations(table), "", str(table)])


def _operations(table: Table) -> list[str]:
    return [str(operation) for operation in table.log]
