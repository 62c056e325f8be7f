"""Every rate has the unit of its game, and no text or page has a number with more digits than its interval bears."""

from __future__ import annotations

import re
from dataclasses import replace
from io import StringIO
from math import inf, nan
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from rich.console import Console

from command_line import raw_numbers
from holdem_agents.cli.standings import standings_tables
from holdem_agents.playing.results import FinishedHand, results_of
from holdem_agents.runs.candidates import Measured, choice_lines, write_measured
from holdem_agents.runs.exploiter_results import exploiter_sentences
from holdem_agents.runs.files import interval_text
from holdem_env import Rules, Table
from holdem_env.arena import Deals, Estimate, Interval, MatchResult, play_match
from holdem_env.arena.reports.html_report import write_report
from holdem_env.arena.scoring.findings import Figure
from holdem_env.arena.statistics.estimates import estimates
from holdem_env.arena.tournaments.standings import Standings, standings
from holdem_env.arena.tournaments.store import Store
from holdem_env.arena.tournaments.tournament import Tournament, run
from holdem_env.game.presets import PRESETS
from holdem_env.game.units import BIG_BLINDS, CHIPS, UNITS, unit_in, unit_of
from holdem_env.table.prizes import share_text

AWKWARD = (0.11666666666666665, -406553746.123456, 1234.56789, -0.000123456789, 1 / 3, 0.0, 99999.95)


@pytest.mark.parametrize("name", PRESETS)
def test_games_with_a_big_blind_count_in_big_blinds(name: str) -> None:
    rules = Rules.preset(name)
    unit = unit_of(rules)
    assert (unit.name, unit.chips) == (("bb/100", rules.big_blind) if rules.big_blind else ("chips/hand", 1))
    assert unit_of(rules.replace(reward_unit="chips")) == unit  # what an environment pays plays no part


@given(st.floats(-1e9, 1e9), st.floats(0, 1e9) | st.just(inf) | st.none(), st.sampled_from([*UNITS.values()]))
def test_a_rate_is_written_as_precisely_as_it_is_known(mean: float, half: float | None, unit) -> None:
    text = unit.text(mean, half)
    assert not raw_numbers(text)
    rate, *width = text.replace(",", "").split(" ± ")
    assert float(rate) == pytest.approx(
        mean, abs=max(10.0**-unit.most_decimals, (half or 0) * 0.05, 0.5 * (abs(mean) >= 1000)) + 1
    )
    assert (half is None) == (not width)
    assert "-0" not in rate.split(".")[0] or float(rate) < 0


def test_the_forms_of_the_field() -> None:
    assert CHIPS.with_name(0.0541, 0.0118) == "+0.054 ± 0.012 chips/hand"
    assert BIG_BLINDS.with_name(216.4, 91.3) == "+216 ± 91 bb/100"
    assert BIG_BLINDS.text(nan) == "–"
    assert BIG_BLINDS.text(-12.34, inf) == "-12.3 ± ∞"
    assert unit_in({"chips_per_hand": "1", "half_width_95": "2"}) is CHIPS
    assert unit_in({"bb_per_100": "1", "chips_per_hand": ""}) is BIG_BLINDS


@pytest.mark.parametrize("preset", ["kuhn", "leduc"])
def test_matches_without_a_big_blind_are_in_chips_a_hand(preset: str) -> None:
    result = play_match("random", "calling_station", preset, hands=200)
    assert re.search(r"[+-]\d+\.\d\d+ ± \d+\.\d\d+ chips/hand \(200 hands\)", str(result))


@pytest.fixture(scope="module")
def cup(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("stores") / "leduc.db"
    agents = ["random", "calling_station", "always_fold"]
    with Store(path, create=True) as store:
        run(Tournament(rules=Rules.preset("leduc"), agents=agents, hands=100), store)
    return path


def awkward_standings(found: Standings, value: float) -> Standings:
    interval = Interval(value, abs(value) / 3, 50, 0.95, "fixed")
    rows = [
        replace(row, rate=interval, bankroll=value, nash=value, seconds=abs(value), decisions=7, elo=(value,) * 3)
        for row in found.rows
    ]
    cross = {pair: replace(each, interval=interval) for pair, each in found.cross.items()}
    return replace(found, rows=rows, cross=cross)


@pytest.mark.parametrize("value", AWKWARD)
def test_no_page_of_a_tournament_has_a_raw_float(
    cup: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, value: float
) -> None:
    with Store(cup) as store:
        found = awkward_standings(standings(store), value)
        monkeypatch.setattr("holdem_env.arena.reports.html_report.standings", lambda *_: found)
        pages = [write_report(store, tmp_path).read_text(), found._repr_html_()]
    for width in (80, 120):
        text = StringIO()
        for table in standings_tables(found, width):
            Console(file=text, width=width).print(table)
        pages.append(text.getvalue())
    pages.append(found.to_latex())
    for page in pages:
        assert not raw_numbers(page)
        assert "chips/hand" in page
        assert "bb/100" not in page
        assert "big blinds" not in page
    assert "BB" not in (tmp_path / "actions.csv").read_text()


@pytest.mark.parametrize("value", AWKWARD)
def test_no_line_or_card_has_a_raw_float(tmp_path: Path, value: float) -> None:
    half = abs(value) / 7
    row = {"kind": "fresh", "decisions": "5000", "seconds": "12.34567", "seed": "3", "plays": "sampling"}
    row |= {"chips_per_hand": str(value), "half_width_95": str(half)}
    rates = {"sampling": (value, half), "greedy": (value, half)}
    write_measured(
        tmp_path, [Measured(5, 1.23456789, 5, 1.0, 1.23456789, 100, rates, {"nit": (1.0, half)}, unit=CHIPS)]
    )
    interval = Interval(value, half, 50, 0.95, "fixed")
    texts = [str(MatchResult("a", "b", value, half, 10, 5, unit)) for unit in (BIG_BLINDS, CHIPS)]
    texts += [str(Figure(name="x", says="win rate", value=value, half_width=half, unit=name)) for name in UNITS]
    texts += [str(Figure(name="x", says="exact", value=value, half_width=0, unit="chips/hand"))]
    texts += [MatchResult("a", "b", value, half, 10, 5, CHIPS)._repr_html_(), interval_text(row)]
    texts += [str(Estimate("raw", "a", interval, 10, abs(value), abs(value), CHIPS)), *exploiter_sentences([row])]
    texts += [*choice_lines(tmp_path), share_text(abs(value), (1e9, 3.0), 2, tied=3)]
    for text in texts:
        assert not raw_numbers(text), text


def test_shared_prizes_are_parts_of_all_prizes() -> None:
    assert share_text(0.35 / 3, (0.5, 0.25, 0.15, 0.1), 2, tied=3) == "11.7 % of the prizes (2nd to 4th, shared)"
    assert share_text(30, (50, 30, 20), 2) == "30 % of the prizes"


def test_no_estimate_has_an_interval_where_the_result_has_none() -> None:
    table = Table(Rules(), seed=1)
    hands = [FinishedHand(number, table, -100, value) for number, value in enumerate((-100.0, 30.0, -56.5), 1)]
    found = results_of(hands, unit_of(Rules()))
    assert (found.half_width_95, found.all_in_half_width_95) == (None, None)
    assert str(found) == "-300 chips in 3 hands: -100 bb/100, by all-in value -42.2 bb/100"
    everyone = np.broadcast_to([[0, 1]], (3, 1, 2)).astype(np.int8)
    chips = np.array([[[-2.0, 2.0]]] * 3)
    deals = Deals(
        ("a", "b"), BIG_BLINDS, 0, np.arange(3), everyone, {"chips": chips, "all_in": chips * [[[1]], [[2]], [[3]]]}
    )
    assert [each.interval.half_width for each in estimates(deals)] == [inf, inf]
