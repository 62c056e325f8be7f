"""Watch and Charts in Chromium: a run that grows while it is watched, runs over each other, a chart that is walked."""

from __future__ import annotations

import re
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from web.watched import tiny_run, tiny_tournament

pytest.importorskip("starlette")
playwright = pytest.importorskip("playwright.sync_api")

pytestmark = pytest.mark.slow
FIRST = 5
"""Lines of the run's progress when the page is opened."""


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A finished run, and the store of a tournament."""
    folder = tmp_path_factory.mktemp("watched")
    tiny_run(folder / "grown")
    tiny_tournament(folder / "cup.db", hands=200)
    return folder


@pytest.fixture
def server(serve: Callable[..., Any], whole: Path, tmp_path: Path) -> Any:
    """A server that watches a run in its beginnings, another one that is over, and a tournament."""
    shutil.copytree(whole / "grown", tmp_path / "runs" / "over")
    young = tmp_path / "runs" / "young"
    young.mkdir()
    shutil.copy(whole / "grown" / "config.yaml", young)
    lines = (whole / "grown" / "progress.csv").read_text().splitlines(keepends=True)
    (young / "progress.csv").write_text("".join(lines[:FIRST]))
    shutil.copy(whole / "cup.db", tmp_path / "cup.db")
    return serve(runs=tmp_path / "runs", tournaments={"cup": tmp_path / "cup.db"})


def drawn(page: Any, chart: str) -> Any:
    return page.locator(f'[data-chart="{chart}"] svg')


def test_a_run_grows_while_it_is_watched(open_page: Any, server: Any, whole: Path):
    page, expect = open_page("/watch"), playwright.expect
    young = page.locator(".run", has_text="young")
    expect(young).to_contain_text("running", timeout=90_000)
    young.locator("a").click()
    expect(page.locator("h1")).to_have_text("young")
    page.locator("details.chart-group summary", has_text="Learning").click()
    expect(drawn(page, "holdem/entropy")).to_be_visible()
    expect(drawn(page, "all")).to_have_count(0)
    before = drawn(page, "holdem/entropy").inner_html()
    folder = server.site.runs / "young"
    for name in ("progress.csv", "curve.csv"):
        shutil.copy(whole / "grown" / name, folder)
    expect(drawn(page, "all")).to_be_visible()
    changes = "before => document.querySelector('[data-chart=\"holdem/entropy\"] svg').innerHTML !== before"
    page.wait_for_function(changes, arg=before)
    for name in ("model_card.md", "crosstable.csv", "training.json", "final.safetensors"):
        shutil.copy(whole / "grown" / name, folder)
    expect(page.locator("main")).to_contain_text("Finished: the final matches are played.")
    page.locator("summary", has_text="Model card").click()
    expect(page.locator(".model-card")).to_contain_text("Known weaknesses")


def test_two_runs_are_ticked_and_laid_over_each_other_by_keys(open_page: Any):
    page, expect = open_page("/watch"), playwright.expect
    for name in ("over", "young"):
        page.get_by_label(f"Compare {name}").focus()
        page.keyboard.press("Space")
    page.get_by_role("button", name="Lay 2 runs over each other").press("Enter")
    expect(page.locator("h1")).to_have_text("2 runs over each other")
    expect(drawn(page, "holdem/entropy")).to_have_attribute("aria-label", re.compile("over.*young|young.*over"))
    page.reload()
    expect(page.locator("h1")).to_have_text("2 runs over each other")


def test_a_tournament_has_its_crosstable_and_report(open_page: Any):
    page, expect = open_page("/watch"), playwright.expect
    page.locator(".run", has_text="cup").locator("a").click()
    expect(page.locator("table.cross tbody tr")).to_have_count(3, timeout=90_000)
    with page.context.expect_page(timeout=120_000) as opening:
        page.get_by_role("link", name="The whole report").click()
    report = opening.value
    report.wait_for_load_state()
    expect(report.locator("h1")).to_contain_text("cup")


def test_a_chart_is_walked(open_page: Any):
    page, expect = open_page("/charts/maniac/six-max-no-limit"), playwright.expect
    page.set_default_timeout(240_000)  # until code is compiled
    expect(page.locator("figure svg")).to_be_visible(timeout=240_000)
    page.get_by_role("button", name="BTN", exact=True).click()
    expect(page.locator("figure svg")).to_have_attribute("aria-label", re.compile("BTN"))
    page.locator(".moves button[data-move='4']").click()
    expect(page.locator("figure svg")).to_have_attribute("aria-label", re.compile("SB"))
    assert page.evaluate("decodeURIComponent(location.hash)").endswith("/-1,-1,-1,4")
    page.reload()
    expect(page.locator("figure svg")).to_have_attribute("aria-label", re.compile("SB"))
    page.get_by_label("Another raise, in chips").fill("999")
    page.keyboard.press("Enter")
    expect(page.locator(".problem[role=status]")).to_contain_text("cannot be played")
    page.expected.append("400")
    page.get_by_role("button", name="Start").click()
    expect(page.locator("figure svg")).to_have_attribute("aria-label", re.compile("UTG"))
    page.get_by_label("Seats").fill("2")
    page.get_by_label("Seats").press("Enter")
    expect(page.locator("figure svg")).to_have_attribute("aria-label", re.compile("BTN"))


@pytest.mark.parametrize(
    "path", ["/watch", "/watch/runs/over", "/watch/tournaments/cup", "/charts/maniac", "/charts/range"]
)
def test_nothing_is_wider_than_a_phone(open_page: Any, path: str):
    page = open_page(path, viewport={"width": 390, "height": 844}, color_scheme="dark")
    page.locator("main svg, main .run").first.wait_for(timeout=240_000)
    page.wait_for_timeout(300)
    assert page.evaluate("document.documentElement.scrollWidth") <= 390
