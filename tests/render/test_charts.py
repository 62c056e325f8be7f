"""Curves with their bands: what the picture says, how it counts, and what it does without data."""

from __future__ import annotations

import re
from math import inf, nan
from xml.etree import ElementTree

import pytest

from errors import complaint, mentions
from holdem_env.render.charts import Curve, around, curve_svg, tick_texts, ticks
from holdem_env.render.pencil import stacked

SVG = "{http://www.w3.org/2000/svg}"
RATES = around("maniac", [0.0, 1e6, 2e6], [-10.0, 40.0, 55.0], [20.0, 15.0, 12.0])


def parsed(svg: str) -> ElementTree.Element:
    return ElementTree.fromstring(svg)


def said(svg: str) -> str:
    return " ".join(" ".join(parsed(re.sub(r"<style>.*?</style>", "", svg)).itertext()).split())


def test_the_picture_says_what_the_curves_are_and_where_they_end():
    svg = curve_svg(
        [RATES, Curve("random", [0.0, 2e6], [500.0, 612.0])], "Matches", "decisions", "bb/100", "95 %", has_zero=True
    )
    words = said(svg)
    numbers = "+55.0 ± 12.0", "+612.0", "95 %", "0.5M", "2.0M"
    for part in ("Matches", "bb/100", "decisions", "maniac", "random", *numbers):
        assert part in words
    label = parsed(svg).attrib["aria-label"]
    assert label == "Matches. maniac: +55.0 ± 12.0; random: +612.0 bb/100"


def test_curves_differ_by_colour_dashes_and_marks():
    curves = [Curve(f"run {k}", [0.0, 1.0], [k, k + 1.0]) for k in range(12)]
    lines = [each for each in parsed(curve_svg(curves, "t", "x")).iter(f"{SVG}polyline") if "key" not in each.attrib]
    looks = {(line.attrib["class"], line.attrib.get("stroke-dasharray")) for line in lines}
    assert len(looks) == 12


def test_a_band_is_an_area_and_around_one_point_a_bar():
    areas = list(parsed(curve_svg([RATES], "t", "x")).iter(f"{SVG}polygon"))
    assert len(areas) == 1  # marks of the first curve are discs
    assert len(areas[0].attrib["points"].split()) == 6
    single = parsed(curve_svg([around("one", [3.0], [5.0], [1.0])], "t", "x"))
    assert not list(single.iter(f"{SVG}polygon"))
    assert len(list(single.iter(f"{SVG}polyline"))) == 2  # the bar, and the line of the key


def test_zero_is_there_if_asked_for():
    high = Curve("far", [0.0, 1.0], [1000.0, 1100.0])
    assert "1,000 1,020 1,040" in said(curve_svg([high], "t", "x"))
    assert "0 200 400" in said(curve_svg([high], "t", "x", has_zero=True))


def test_gaps_and_infinite_bands_are_left_out():
    curve = Curve("gap", [0, 1, 2, 3, 4], [1.0, 2.0, nan, 4.0, 5.0], [0, 1, 2, -inf, 4], [2, 3, 4, inf, 6])
    drawn = parsed(curve_svg([curve], "t", "x"))
    assert not any("nan" in line.attrib["points"] for line in drawn.iter(f"{SVG}polyline"))
    assert "inf" not in curve_svg([curve], "t", "x")


@pytest.mark.parametrize("curves", [[], [Curve("none", [], [])], [Curve("unknown", [1.0], [nan])]])
def test_no_data_is_a_sentence(curves):
    assert "nothing to show yet" in said(curve_svg(curves, "t", "x"))


@pytest.mark.parametrize("theme", ["auto", "light", "dark"])
@pytest.mark.parametrize("layout", ["wide", "narrow"])
def test_every_theme_and_layout_is_well_formed(theme, layout):
    svg = parsed(curve_svg([RATES] * 9, "<t> & co", "x", theme=theme, layout=layout))
    assert float(svg.attrib["width"]) == (720 if layout == "wide" else 390)


def test_all_equal_values_and_huge_ones_have_an_axis():
    for value in (0.0, 5.0, -3e9, 1e-7):
        assert "nothing" not in said(curve_svg([Curve("flat", [1.0, 2.0], [value, value])], "t", "x"))


def test_ticks_are_round_and_within_the_ends():
    for low, high in ((0, 1), (-1234, 99), (1e6, 3e7), (-1e-4, 2e-4), (5, 5.001)):
        found = ticks(low, high)
        assert 2 <= len(found) <= 9
        assert low - 1e-9 <= found[0] <= found[-1] <= high * (1 + 1e-9)
    assert tick_texts([0.0, 10_000_000.0, 30_000_000.0]) == ["0", "10M", "30M"]


def test_errors_say_what_would_be_right():
    mentions(complaint(curve_svg, [Curve("a", [1, 2, 3], [1, 2])], "t", "x"), 3, 2, 0)
    with pytest.raises(ValueError, match="neither 'wide' nor 'narrow'"):
        curve_svg([], "t", "x", layout="tall")  # type: ignore[arg-type]
    mentions(complaint(curve_svg, [], "t", "x", theme="pink"), "theme", "pink")


def test_drawings_are_stacked_in_rows():
    one = curve_svg([RATES], "a & b", "x")
    root = parsed(stacked([one] * 3, "three & more", columns=2))
    assert [(each.attrib["x"], each.attrib["y"]) for each in root] == [("0", "0"), ("732", "0"), ("0", "368")]
    assert root.attrib["aria-label"] == "three & more"
    assert float(root.attrib["width"]) == 2 * 720 + 12


@pytest.mark.parametrize("values", [[0.0, 0.0], [1e-17, -1e-17], [5e-324, 0.0], [3.0, 3.0 + 1e-15]])
def test_values_that_differ_by_rounding_alone_are_a_flat_line(values):
    assert "<svg" in curve_svg([Curve("a", [0, 1], values)], "t", across="hands")
