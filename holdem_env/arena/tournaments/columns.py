"""The rows and columns of the standings: the terminal, pages, notebooks and files render this one list of columns."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from math import isfinite, isnan, nan
from typing import Any

from ..statistics.intervals import Interval
from ..statistics.results import HUNDRED

BB_PER_100 = "bb/100"
PRIZE_POOL = "% of a prize pool"


@dataclass
class Row:
    """One agent.

    rate: its win rate over all opponents, in big blinds a hand (of freezeouts: prize pools a session). bankroll: big
    blinds (prize pools) won in all. elo: rating and the ends of its interval. runoff: place by instant run-off. nash:
    what it wins against the Nash average, as rate. seconds, decisions: how long it has thought, by which clock,
    "processor" or "wall" time, about how many decisions. ranks: the best and the worst rank that it may have by its
    rate, as far as that is decided; None where places go by something else. place: "3", or "2–4" for those whose order
    is not decided. is_absent: it has results, but is not entered in the latest run.
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
    ranks: tuple[int, int] | None = None
    place: str = ""
    is_absent: bool = False

    @property
    def ms(self) -> float:
        """Milliseconds a decision; nan where none was measured."""
        return 1000 * self.seconds / self.decisions if self.decisions else nan


def _always(form: str, rows: Sequence[Row]) -> bool:
    return True


def _is_freezeout(form: str, rows: Sequence[Row]) -> bool:
    return form == "freezeout"


def _is_of_hands(form: str, rows: Sequence[Row]) -> bool:
    return form != "freezeout"


@dataclass(frozen=True)
class Column:
    """What the standings say of an agent in one place.

    keys: the names of its values in files. values: of a row of the standings, whose names can be shown as they are
    (`Standings.shortened`). text: the values as people read them. when: whether standings of a format with these rows
    have it. is_words: whether it is read as words, not compared as numbers.
    """

    keys: tuple[str, ...]
    heading: str
    values: Callable[[Row, Any], tuple[Any, ...]]
    text: Callable[..., str]
    when: Callable[[str, Sequence[Row]], bool] = _always
    is_words: bool = False

    def cell(self, row: Row, found: Any) -> str:
        """The values of an agent as people read them. found: the standings."""
        return self.text(*self.values(row, found))


def signed(value: float) -> str:
    """A rate, or a dash if it is unknown."""
    if isnan(value):
        return "–"
    return f"{value:+,.1f}" if isfinite(value) else f"{'+' if value > 0 else '−'}∞"


def with_width(mean: float, half_width: float) -> str:
    """A rate with the half-width of its interval."""
    return f"{signed(mean)} ± {f'{half_width:,.1f}' if isfinite(half_width) else '∞'}"


def _elo(rating: float, low: float, high: float) -> str:
    return "–" if isnan(rating) else f"{rating:.0f} ({low:.0f}–{high:.0f})"


COLUMNS = [
    Column(("place",), "", lambda row, found: (row.place,), str),
    Column(
        ("agent", "is_absent"),
        "agent",
        lambda row, found: (row.name, row.is_absent),
        lambda name, is_absent: f"{name} *" if is_absent else name,
        is_words=True,
    ),
    Column(
        ("bb_per_100", "half_width"),
        BB_PER_100,
        lambda row, found: row.rate.times(HUNDRED),
        with_width,
        when=_is_of_hands,
    ),
    Column(
        ("mbb_per_hand", "mbb_half_width"),
        "mbb/h",
        lambda row, found: row.rate.times(1000),
        with_width,
        when=_is_of_hands,
    ),
    Column(
        ("prize_pool_percent", "half_width"),
        PRIZE_POOL,
        lambda row, found: row.rate.times(HUNDRED),
        with_width,
        when=_is_freezeout,
    ),
    Column(("bankroll_raw",), "bankroll, raw", lambda row, found: (row.bankroll,), "{:+,.0f}".format),
    Column(("hands",), "hands", lambda row, found: (row.hands,), "{:,}".format, when=_is_of_hands),
    Column(("sessions",), "sessions", lambda row, found: (row.hands,), "{:,}".format, when=_is_freezeout),
    Column(("elo", "elo_low", "elo_high"), "Elo", lambda row, found: row.elo, _elo),
    Column(
        ("nash",),
        "Nash",
        lambda row, found: (None if row.nash is None else HUNDRED * row.nash,),
        lambda nash: "–" if nash is None else signed(nash),
        when=lambda form, rows: any(row.nash is not None for row in rows),
    ),
    Column(
        ("ms_per_decision", "clock"),
        "ms/decision",
        lambda row, found: (row.ms, row.clock),
        lambda ms, clock: "–" if isnan(ms) else f"{ms:.4f} {clock} time",
        when=lambda form, rows: not all(isnan(row.ms) for row in rows),
    ),
]
