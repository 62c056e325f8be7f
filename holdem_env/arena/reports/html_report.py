"""The report of a tournament: one HTML file that needs nothing else, and the SVG, CSV and PHH it was made from."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from datetime import UTC, datetime
from math import inf
from pathlib import Path
from typing import Any

from ...game.rules import Rules
from ...game.title import game_title
from ...history import phh
from ...history.errors import HistoryError
from ...utils.atomic import write_atomically
from ...utils.shown_names import shown_name
from ...utils.version import __version__
from ..observed.big_pots import BigPot, readable, replayed
from ..observed.player_stats import PlayerStats
from ..statistics.chip_flows import HINT, ChipFlow, chip_flows
from ..statistics.tables import inline, rendered
from ..tournaments.standings import Standings, deal_values, standings
from ..tournaments.store import Store, StoreError
from .csv_files import report_tables, write_csv
from .plots import MANY, draw_actions, draw_crosstable, draw_winnings, labels_of_positions, winnings

TEMPLATE = "report.html.j2"
FLOWS_SHOWN = 30


def write_report(store: Store, folder: str | Path, **how: Any) -> Path:
    """Write the report of a store into a folder, made if need be; returns the HTML file. how: arguments of `standings`.

    Beside it: standings.csv, forfeits.csv, crosstable.csv, estimates.csv, player_stats.csv, actions.csv, winnings.csv,
    at tables chip_flows.csv, the SVGs, and biggest-pots.phhs where the game has a code in PHH. Agents given by their
    files have short names everywhere; the page lists the paths. Raises StoreError if there is nothing to tell.
    """
    found = standings(store, **how)
    if not (found.rows or found.forfeits):
        raise StoreError(f"{store.path}: there is nothing to report: no match is finished")
    folder = Path(folder)
    folder.mkdir(parents=True, exist_ok=True)
    stats, flows = _player_stats(store, found), _flows(store, found)
    series = {name: winnings(values, found.confidence) for name, values in deal_values(found).items()}
    found = found.shortened()
    short = {path: name for name, path in found.paths.items()}
    series = {short.get(name, name): one for name, one in series.items()}
    flows = [
        replace(flow, payer=short.get(flow.payer, flow.payer), receiver=short.get(flow.receiver, flow.receiver))
        for flow in flows
    ]
    words = found.unit.amount, "sessions" if found.format == "freezeout" else "deals"
    pictures = [draw_winnings(series, *words, folder / "winnings.svg")] if found.common else []
    if found.cross:
        pictures.insert(0, draw_crosstable(found, folder / "crosstable.svg"))
    streets = max(store.rules.phase_values("streets"))
    positions = labels_of_positions(stats.actions.shape[1], store.rules.big_blind > 0)
    if found.rows:
        pictures.append(draw_actions(found.names, stats.actions, positions, streets, folder / "actions.svg"))
    tables = report_tables(found, stats, positions, series, flows)
    for name, table in tables.items():
        write_csv(folder / f"{name}.csv", table)
    pots: list[BigPot] = [
        {**pot, "players": [short.get(name) or shown_name(name) for name in pot["players"]]} for pot in store.pots()
    ]
    written = _write_hands(folder / "biggest-pots.phhs", pots, store.rules)
    page = folder / "report.html"
    write_atomically(page, _page(found, store, stats, flows, pictures, pots, [*tables, *written]))
    return page


def _flows(store: Store, found: Standings) -> list[ChipFlow]:
    if found.format != "tables" or store.rules.seats < 3 or not found.rows:
        return []
    [names] = found.all_estimates
    return chip_flows(store.deals(names), found.confidence)


def _player_stats(store: Store, found: Standings) -> PlayerStats:
    whole = PlayerStats.of(len(found.names), store.rules.seats)
    for names in found.all_estimates:
        part = store.player_stats(names)
        for k, name in enumerate(names):
            whole.actions[found.names.index(name)] += part.actions[k]
            whole.figures[found.names.index(name)] += part.figures[k]
    return whole


def _write_hands(path: Path, pots: Sequence[BigPot], rules: Rules) -> list[str]:
    """The biggest pots as a history file, those alone whose game PHH has a code for; no file without any."""
    texts = []
    for number, pot in enumerate(pots, 1):
        with suppress(HistoryError):
            known_as = {"_hands": dict(zip(pot["players"], pot["names"], strict=True))}
            text = phh.dumps(replayed(pot, rules), hand=number, players=pot["players"], metadata=known_as)
            texts.append(phh.in_phhs(text, number))
    if texts:
        write_atomically(path, "".join(texts))
    return [path.name] if texts else []


def _page(
    found: Standings,
    store: Store,
    stats: PlayerStats,
    flows: Sequence[ChipFlow],
    pictures: Sequence[Path],
    pots: Sequence[BigPot],
    made: list[str],
) -> str:
    return rendered(
        __package__,
        TEMPLATE,
        {"shown": shown_name, "rate": lambda rate: found.unit.text(*rate)},
        found=found,
        title=shown_name(store.path.stem),
        written=f"{datetime.now(UTC):%Y-%m-%d}",
        standing=inline(found.svg()) if found.rows else "",
        rules=store.rules,
        game=game_title(store.rules),
        store=store,
        is_large=len(found.names) > MANY,
        version=__version__,
        estimators=[each.name for each in _first(_first(found.all_estimates))],
        player_stats=[(name, int(stats.figures[k, 0]), stats.ratios(k)) for k, name in enumerate(found.names)],
        flows=flows[:FLOWS_SHOWN],
        hint=HINT,
        infinite=inf,
        pictures={path.stem: inline(path.read_text(encoding="utf-8")) for path in pictures},
        pots=[
            (pot, readable(pot, store.rules), inline(replayed(pot, store.rules).svg(names=pot["players"])))
            for pot in pots
        ],
        files=[name if "." in name else f"{name}.csv" for name in made],
    )


def _first(named: Mapping[Any, Any]) -> Any:
    return next(iter(named.values()), {})
