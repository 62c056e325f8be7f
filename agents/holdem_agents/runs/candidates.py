"""Which state of a run is delivered: what training exploiters took from each candidate, as training_exploiters.csv
says it, and the choice among them."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from holdem_env.game.units import BIG_BLINDS, UNITS, Unit
from holdem_env.utils.shown_names import in_markdown

from .files import GREEDY, SAMPLING, TRAINING_EXPLOITERS, rows_of, write_rows

AGAINST, HALF_WIDTH = "against ", " half_width_95"
SPENT = ("decisions", "seconds", "exploiter_decisions", "exploiter_seconds", "exploiter_cpu_seconds", "hands")
DELIVERED, UNIT = "delivered", "unit"

Rate = tuple[float, float]
"""A win rate, and half the width of its 95 % interval."""


@dataclass(frozen=True)
class Measured:
    """A candidate, the state of a run after `decisions` decisions, and what was measured of it.

    seconds: of the run's training until then. exploiter_decisions, exploiter_seconds, exploiter_cpu_seconds: what the
    exploiter's training and all matches took, cpu_seconds in processor time. hands: of each match. taken: what the
    exploiter won from it, sampling and greedy. anchors: what the candidate won from each anchor. unit: of both.
    """

    decisions: int
    seconds: float
    exploiter_decisions: int
    exploiter_seconds: float
    exploiter_cpu_seconds: float
    hands: int
    taken: Mapping[str, Rate]
    anchors: Mapping[str, Rate]
    unit: Unit = field(default=BIG_BLINDS, kw_only=True)

    @property
    def loss(self) -> float:
        """What its exploiter takes at most: sampling or greedy."""
        return max(mean for mean, _ in self.taken.values())

    @property
    def margin(self) -> float:
        """The lowest end of its intervals against the anchors; above 0 it beats them all."""
        return min((mean - half for mean, half in self.anchors.values()), default=float("inf"))


def choose(candidates: Sequence[Measured], shown: Callable[[str], str] = str) -> tuple[Measured, str]:
    """The candidate to deliver, and why: of those that beat all anchors, the one from which its exploiter took least;
    if none beats them, the one that comes closest to it.

    shown: how the reason writes an anchor's name. Raises ValueError without candidates.
    """
    if not candidates:
        raise ValueError("there are no candidates to choose from")
    latest_first = sorted(candidates, key=lambda one: -one.decisions)
    beating = [one for one in latest_first if one.margin > 0]
    names = ", ".join(map(shown, candidates[0].anchors))
    if beating:
        chosen = min(beating, key=lambda one: one.loss)
        which = f"the {len(beating)} of {len(candidates)} candidates that beat {names}" if names else "all candidates"
        return chosen, f"its exploiter took {chosen.unit.with_name(chosen.loss)}, the least among {which}"
    chosen = max(latest_first, key=lambda one: one.margin)
    return chosen, f"no candidate was seen to beat all of {names}, and it came closest to it"


def write_measured(folder: Path, candidates: Sequence[Measured], delivered: int | None = None) -> None:
    """Write training_exploiters.csv. delivered: the decisions of the delivered candidate, once it is chosen."""
    anchors = list(dict.fromkeys(name for one in candidates for name in one.anchors))
    rates = [SAMPLING, GREEDY, *(AGAINST + name for name in anchors)]
    names = [*SPENT, *(name + end for name in rates for end in ("", HALF_WIDTH)), DELIVERED, UNIT]
    rows: list[dict[str, object]] = []
    for one in candidates:
        row: dict[str, object] = {name: getattr(one, name) for name in SPENT}
        for name, (mean, half) in [*one.taken.items(), *((AGAINST + name, rate) for name, rate in one.anchors.items())]:
            row |= {name: mean, name + HALF_WIDTH: half}
        rows.append({**row, DELIVERED: int(one.decisions == delivered), UNIT: one.unit.name})
    write_rows(folder / TRAINING_EXPLOITERS, names, rows)


def read_measured(folder: Path) -> tuple[list[Measured], int | None]:
    """The candidates in a run folder, none if it has no such file, and the decisions of the delivered one."""
    rows = rows_of(folder / TRAINING_EXPLOITERS)
    delivered = [int(row["decisions"]) for row in rows if row[DELIVERED] == "1"]
    return [_measured(row) for row in rows], delivered[0] if delivered else None


def _measured(row: Mapping[str, str]) -> Measured:
    rates = {
        name.removesuffix(HALF_WIDTH): (float(row[name.removesuffix(HALF_WIDTH)]), float(half))
        for name, half in row.items()
        if name.endswith(HALF_WIDTH) and half
    }
    return Measured(
        int(row["decisions"]),
        float(row["seconds"]),
        int(row["exploiter_decisions"]),
        float(row["exploiter_seconds"]),
        float(row["exploiter_cpu_seconds"]),
        int(row["hands"]),
        {name: rate for name, rate in rates.items() if not name.startswith(AGAINST)},
        {name.removeprefix(AGAINST): rate for name, rate in rates.items() if name.startswith(AGAINST)},
        unit=UNITS[row.get(UNIT) or BIG_BLINDS.name],
    )


def choice_lines(folder: Path) -> list[str]:
    """The model card's section about the training exploiters; nothing if the run had none."""
    candidates, delivered = read_measured(folder)
    if not candidates:
        return []
    spent = sum(one.exploiter_decisions for one in candidates)
    time = sum(one.exploiter_cpu_seconds for one in candidates)
    anchors = list(candidates[0].anchors)
    heads = ["after", "an exploiter takes, sampling", "greedy", *(f"it wins from {in_markdown(n)}" for n in anchors)]
    lines = [f"| {' | '.join(heads)} |", "|---:" * len(heads) + "|"]
    for one in candidates:
        name = f"{one.decisions:,} decisions" + (" (delivered)" if one.decisions == delivered else "")
        rates = [*(one.taken[plays] for plays in (SAMPLING, GREEDY)), *(one.anchors.get(n) for n in anchors)]
        cells = [name, *(one.unit.text(*rate) if rate else "" for rate in rates)]
        lines.append(f"| {' | '.join(cells)} |")
    if delivered is None:
        why = "The run was interrupted, so none was chosen: the file holds the agent as it was then."
    else:
        why = f"Delivered is the state after {delivered:,} decisions: {choose(candidates, in_markdown)[1]}."
    return [
        "## Training exploiters",
        "During the run, warm exploiters trained against the agent as it was, for "
        f"{candidates[0].exploiter_decisions:,} decisions each. Frozen, they then were among its opponents. The "
        f"numbers are {candidates[0].unit.name}. {why} All exploiters made {spent:,} decisions and took, with "
        f"their matches, {time:,.0f} s of processor time, which the training above does not count.",
        "\n".join(lines),
    ]
