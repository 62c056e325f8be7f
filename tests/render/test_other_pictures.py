"""What notebooks show of rules, sessions, batches, ranges, equities, matches and standings."""

from __future__ import annotations

import json
import re
from math import inf, nan
from xml.etree import ElementTree

import numpy as np

from errors import complaint, mentions
from holdem_env import Range, Rules, Session, Table, Tables, holdem_v0
from holdem_env.arena import Estimate, Interval, MatchResult
from holdem_env.game.units import BIG_BLINDS
from holdem_env.render.charts import Line, intervals_svg
from holdem_env.render.hand_chart import IN_CELL, cell_means, chart_svg, hand_name

SVG = "{http://www.w3.org/2000/svg}"


def parsed(page: str) -> ElementTree.Element:
    """HTML as these pictures write it is well-formed."""
    return ElementTree.fromstring(f"<div>{page}</div>")


def said(page: str) -> str:
    without_styles = re.sub(r"<style>.*?</style>", "", page)
    return " ".join(" ".join(parsed(without_styles).itertext()).split())


def test_a_session_says_who_has_how_much_and_draws_its_hand():
    session = Session(Rules(seats=3, blinds=(50, 100), stacks=1000), seed=1)
    assert not list(parsed(session._repr_html_()).iter(f"{SVG}svg"))
    table = session.deal()
    table.check_call()
    page = session._repr_html_()
    assert "Seat 0 900 +0 Seat 1 950 +0" in said(page)
    assert len(list(parsed(page).iter(f"{SVG}svg"))) == 1
    while not table.is_over:
        table.no_action()
    assert "1 hand played" in said(session._repr_html_())


def test_a_batch_draws_its_first_tables():
    page = Tables(Rules(seats=6), num_tables=1024)._repr_html_()
    assert len(list(parsed(page).iter(f"{SVG}svg"))) == 4
    assert "<Tables: 1,024 tables, 6 seats" in said(page)
    assert "and 1,020 more" in said(page)
    page = Tables(Rules(seats=2), num_tables=2)._repr_html_()
    assert len(list(parsed(page).iter(f"{SVG}svg"))) == 2
    assert "more" not in said(page)


def test_cells_of_the_chart():
    assert IN_CELL.sum() == 1326
    assert {float(IN_CELL[0, 0]), float(IN_CELL[0, 1]), float(IN_CELL[1, 0])} == {6.0, 4.0, 12.0}
    assert len({hand_name(row, column) for row in range(13) for column in range(13)}) == 169
    for row, column in np.ndindex(13, 13):
        assert len(Range(hand_name(row, column))) == IN_CELL[row, column]


def test_a_range_is_a_chart():
    page = Range("77+, AQs:0.5, AsKd")._repr_html_()
    words = said(page)
    assert "77+, AQs:0.5, AsKd" in words
    assert "50 %" in words
    assert "8 %" in words  # one of the twelve of AKo
    assert "51 of 1,326 hands, 3.8 %" in words
    assert page.count('class="holdem-part-1"') == 8 + 1 + 1
    assert page == Range("77+, AQs:0.5, AsKd").svg()


def test_a_chart_of_what_somebody_does():
    each = np.tile([0.25, 0.25, 0.5], (1326, 1))
    page = chart_svg(cell_means(each), "UTG", legend=("fold", "call", "raise"))
    assert page.count('class="holdem-part-3"') == 169 + 1
    assert said(page).endswith("fold call raise")
    mentions(complaint(chart_svg, np.zeros((13, 13)), ""), 13)
    mentions(complaint(chart_svg, np.full((13, 13, 2), 0.6), ""), 1)
    mentions(complaint(chart_svg, np.zeros((13, 13, 2)), "", legend=("fold",)), 1, 2)


def test_a_match_is_a_mean_with_its_interval():
    result = MatchResult("nit", "maniac", -123.4, 20.1, 20_000, 10_000)
    words = said(result._repr_html_())
    assert "nit against maniac bb/100" in words
    assert "−123.4 ± 20.1" in words
    assert "20,000 hands, 10,000 independent deals" in words
    assert "−5.0 ± ∞" in said(MatchResult("nit", "<b>", -5.0, inf, 2, 1)._repr_html_())
    estimate = Estimate("duplicate", "nit", Interval(0.1, 0.02, 500, 0.99, "fixed"), 1000, 5.0, 2.0, BIG_BLINDS)
    assert "nit, duplicate bb/100" in said(estimate._repr_html_())
    assert "99 % interval" in said(estimate._repr_html_())


def test_intervals_hold_zero_and_every_end_within_the_scale():
    lines = [Line("a", 5.0, 1.0), Line("b", -3.0, 10.0), Line("c", nan, inf), Line("d", 0.0, inf)]
    svg = intervals_svg(lines, "four", "bb/100")
    places = [float(each.get("cx", 0)) for each in ElementTree.fromstring(svg).iter(f"{SVG}circle")]
    assert len(places) == 3
    assert places[1] < places[2] < places[0]
    assert all(230 < place < 510 for place in places)
    ElementTree.fromstring(intervals_svg([Line("", 0.0, 0.0)], "nothing", "bb/100"))


def test_notebooks_ask_for_html():
    """Every object that has a picture gives it to IPython's display, as text that JSON can carry."""
    tables = Table(Rules(), seed=1), Table(Rules(), seed=1).view(), Tables(Rules(), 2), Session(Rules(), seed=1)
    for thing in (*tables, Rules(), Range("AA")):
        assert json.dumps(thing._repr_html_())


def test_intervals_and_charts_have_a_layout_for_phones():
    lines = [Line("nit", 254.7, 160.5), Line("random", -393.0, inf), Line("unknown", nan, inf)]
    for layout, width in (("wide", "720"), ("narrow", "390")):
        svg = intervals_svg(lines, "Round robin", "bb/100", "a note", layout=layout)  # type: ignore[arg-type]
        assert parsed(svg)[0].attrib["width"] == width
        for words in ("Round robin", "bb/100", "nit", "+254.7 ± 160.5", "−393.0 ± ∞", "a note"):
            assert words in said(svg)
        chart = chart_svg(np.full((13, 13, 4), 0.25), "UTG", "all hands", ("a", "b", "c", "d"), layout=layout)  # type: ignore[arg-type]
        assert "UTG all hands AA" in said(chart)
        assert said(chart).endswith("a b c d")
    for draw in (
        lambda: intervals_svg(lines, "", "", layout="tall"),
        lambda: chart_svg(np.zeros((13, 13, 1)), "", layout="tall"),
    ):  # type: ignore[arg-type]
        mentions(complaint(draw), "wide", "narrow")


def test_an_environment_shows_its_table() -> None:
    env = holdem_v0.env().unwrapped
    assert env._repr_html_() is None
    env.reset(seed=1)
    assert list(parsed(env._repr_html_()).iter(f"{SVG}text"))
