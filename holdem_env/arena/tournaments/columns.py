"""The rows and columns of the standings: the terminal, pages, notebooks and files render this one list of columns."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from math import isnan, nan
from typing import Any

from ...game.units import PRIZES, Unit
from ..statistics.intervals import Interval


@dataclass
class Row:
    """One agent.

    rate: its win rate over all opponents, in the unit's amount a hand (of freezeouts: prize pools a session). bankroll:
    what it won in all. elo: rating and the ends of its interval. runoff: place by instant run-off. nash:
    what it wins against the Nash average, as rate. seconds, decisions: how long it has thought, by which clock,
    "processor" or "wall" time, about how many decisions. away: seconds for which it was gone while it was asked. ranks:
    the best and the worst rank that it may have by its rate, as far as that is decided; None where places go by
    something else. place: "3", or "2–4" for those whose order is not decided. is_absent: it has results, but is not
    entered in the latest run.
    """

    name: str
    rate: Interval
    bankroll: float
    hands: int
    elo: tuple[float, float, float] = (nan, nan, nan)
    runoff: int | None = None
    nash: float | None = None
    seconds: float = 0.0
    decisions: int = 0
    clock: str = "processor"
    away: float = 0.0
    ranks: tuple[int, int] | None = None
    place: str = ""
    is_absent: bool = False

    @property
    def ms(self) -> float:
        """Milliseconds a decision; nan where none was measured."""
        return 1000 * self.seconds / self.decisions if self.decisions else nan


@dataclass(frozen=True)
class Column:
    """What the standings say of an agent in one place.

    keys: the names of its values in files. values: of a row and the standings, whose names can be shown as they are
    (`Standings.shortened`). text: the values as people read them. is_words: whether it is read as words, not compared
    as numbers. rank: where there is no room for all, those of the highest rank are left out first; 0 never.
    """

    keys: tuple[str, ...]
    heading: str
    values: Callable[[Row, Any], tuple[Any, ...]]
    text: Callable[..., str]
    is_words: bool = False
    rank: int = 0

    def cell(self, row: Row, found: Any) -> str:
        """Return the values of an agent as people read them. found: the standings."""
        return self.text(*self.values(row, found))


def _bankroll(won: float) -> str:
    return f"{won:+,.0f}" if abs(won) >= 100 else f"{won:+.3g}"


def _elo(rating: float, low: float, high: float) -> str:
    return "–" if isnan(rating) else f"{rating:.0f} ({low:.0f}–{high:.0f})"


def columns_of(unit: Unit, rows: Sequence[Row]) -> list[Column]:
    """The columns that standings with these rows have."""
    played = "sessions" if unit.key == PRIZES.key else "hands"
    found = [
        Column(("place",), "", lambda row, found: (row.place,), str),
        Column(
            ("agent", "is_absent"),
            "agent",
            lambda row, found: (row.name, row.is_absent),
            lambda name, is_absent: f"{name} *" if is_absent else name,
            is_words=True,
        ),
        Column((unit.key, "half_width"), unit.name, lambda row, found: row.rate.times(unit.per), unit.text),
        Column(("bankroll_raw",), "bankroll, raw", lambda row, found: (row.bankroll,), _bankroll, rank=4),
        Column((played,), played, lambda row, found: (row.hands,), "{:,}".format, rank=1),
        Column(("elo", "elo_low", "elo_high"), "Elo", lambda row, found: row.elo, _elo, rank=2),
    ]
    if any(row.nash is not None for row in rows):
        found.append(
            Column(
                ("nash",),
                "Nash",
                lambda row, found: (None if row.nash is None else unit.per * row.nash,),
                lambda nash: "–" if nash is None else unit.text(nash),
                rank=3,
            )
        )
    found += map(_thinking, dict.fromkeys(row.clock for row in rows if not isnan(row.ms)))
    away = Column(("seconds_away",), "away while asked", lambda row, found: (row.away,), "{:.3g} s".format, rank=6)
    return [*found, away] if any(row.away for row in rows) else found


def _thinking(clock: str) -> Column:
    return Column(
        (f"{clock}_ms_per_decision",),
        f"ms/decision, {clock} time",
        lambda row, found: (row.ms if row.clock == clock else nan,),
        lambda ms: "–" if isnan(ms) else f"{ms:.3g}" if ms < 1000 else f"{ms:,.0f}",
        rank=5,
    )
