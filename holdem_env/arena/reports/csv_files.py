"""The tables of a report as CSV files."""

from __future__ import annotations

import csv
import io
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ...game.street_names import STREETS
from ...game.units import Unit
from ...utils.atomic import write_atomically
from ...utils.shown_names import in_cell
from ..observed.player_stats import ACTIONS, PlayerStats
from ..statistics.chip_flows import ChipFlow
from ..tournaments.standings import Standings

FIGURES = ("vpip", "pfr", "aggression", "went_to_showdown", "won_at_showdown")


class CsvTable(NamedTuple):
    """Headings and rows of one file."""

    headings: Sequence[str]
    rows: Sequence[Sequence[Any]]


def report_tables(
    found: Standings,
    player_stats: PlayerStats,
    positions: Sequence[str],
    series: Mapping[str, Mapping[str, NDArray[np.float64]]],
    flows: Sequence[ChipFlow] = (),
) -> dict[str, CsvTable]:
    """All tables of a report by name. player_stats: in the order of the standings; positions: the names of its seats.
    series: everybody's `winnings`. flows: of tables of three and more; without any there is no table of them."""
    tables = {
        "standings": _standings(found),
        "forfeits": CsvTable(("agent", "reason"), list(found.forfeits.items())),
        "crosstable": _crosstable(found),
        "estimates": _estimates(found),
        "player_stats": _player_stats(found.names, player_stats),
        "actions": _actions(found.names, player_stats, positions),
        "winnings": _winnings(series),
    }
    return {**tables, "chip_flows": _chip_flows(flows, found.unit)} if flows else tables


def write_csv(path: Path, table: CsvTable) -> None:
    """Write one table; floats with six digits, and no text that a spreadsheet takes for a formula."""
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(table.headings)
    for row in table.rows:
        writer.writerow([_cell(cell) for cell in row])
    write_atomically(path, text.getvalue())


def _cell(cell: Any) -> Any:
    if isinstance(cell, float):
        return f"{cell:.6g}"
    return in_cell(cell) if isinstance(cell, str) else cell


def _standings(found: Standings) -> CsvTable:
    headings = [key for column in found.columns for key in column.keys]
    return CsvTable(headings, [list(values.values()) for values in found.values_by_key()])


def _crosstable(found: Standings) -> CsvTable:
    rows = [(*pair, *each.rate, each.interval.confidence, each.hands) for pair, each in found.cross.items()]
    return CsvTable(("agent", "opponent", found.unit.key, "half_width", "confidence", "hands"), rows)


def _estimates(found: Standings) -> CsvTable:
    rows = [
        (" : ".join(names), each.agent, each.name, *each.rate, each.hands, each.interval.samples, each.saved)
        for names, agents in found.all_estimates.items()
        for several in agents.values()
        for each in several
    ]
    rate = found.unit.key, "half_width"
    return CsvTable(("match", "agent", "estimator", *rate, "hands", "samples", "times_fewer_hands"), rows)


def _player_stats(names: Sequence[str], player_stats: PlayerStats) -> CsvTable:
    rows = [(name, int(player_stats.figures[k, 0]), *player_stats.ratios(k).values()) for k, name in enumerate(names)]
    return CsvTable(("agent", "hands", *FIGURES), rows)


def _actions(names: Sequence[str], player_stats: PlayerStats, positions: Sequence[str]) -> CsvTable:
    rows = [
        (name, positions[seat], STREETS[street], *counts.tolist())
        for k, name in enumerate(names)
        for seat in range(len(positions))
        for street, counts in enumerate(player_stats.actions[k, seat])
        if counts.any()
    ]
    return CsvTable(("agent", "position", "street", *ACTIONS), rows)


def _chip_flows(flows: Sequence[ChipFlow], unit: Unit) -> CsvTable:
    per = unit.per
    rows = [
        (each.payer, each.receiver, per * each.paid, per * each.explained, *each.excess.times(per), each.is_hint)
        for each in flows
    ]
    return CsvTable(("payer", "receiver", unit.key, "explained", "excess", "half_width", "hint"), rows)


def _winnings(series: Mapping[str, Mapping[str, NDArray[np.float64]]]) -> CsvTable:
    rows = [
        (name, int(deals), total, low, high)
        for name, one in series.items()
        for deals, total, low, high in zip(*one.values(), strict=True)
    ]
    return CsvTable(("agent", "deals", "total", "low", "high"), rows)
