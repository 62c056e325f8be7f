"""Watch and Charts in Chromium: a run that grows while it is watched, runs over each other, a chart that is walked."""

from __future__ import annotations

import re
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from holdem_agents.shipped import shipped_path
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
    (young / "config.yaml").write_text((whole / "grown" / "config.yaml").read_text() + "seed: 7\n")
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


def test_many_runs_are_turned_searched_and_sorted(open_page: Any, server: Any):
    for k in range(60):
        (run := server.site.runs / f"run-{k:02}").mkdir()
        shutil.copy(server.site.runs / "young" / "config.yaml", run)
    page, expect = open_page("/watch", viewport={"width": 390, "height": 844}), playwright.expect
    runs = page.locator(".card:has(form) .run")
    expect(runs).to_have_count(50)
    page.get_by_role("button", name="After").click()
    expect(runs).to_have_count(12)
    page.get_by_label("Search").fill("run-0 maniac")
    expect(runs).to_have_count(10)
    page.get_by_label("Sort by").select_option("name")
    expect(page.locator(".run-name").first).to_have_text("run-09")
    page.get_by_label("Turn the order around").click()
    expect(page.locator(".run-name").first).to_have_text("run-00")
    page.get_by_label("Search").fill("none of them")
    expect(page.locator("main")).to_contain_text("No run has these words")
    assert page.evaluate("document.documentElement.scrollWidth") <= 390


def test_the_lobby_says_what_it_waits_for_and_finds_runs(open_page: Any, server: Any, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr("holdem_agents.web.site.OFFERED", 1)
    for name in ("over", "young", "third"):
        (server.site.runs / name).mkdir(exist_ok=True)
        shutil.copy(shipped_path("ppo_100bb"), server.site.runs / name / "final.safetensors")
    page, expect = open_page("/watch"), playwright.expect
    held: list[Any] = []
    page.route("**/api/site*", lambda route: route.continue_() if held else held.append(route))
    page.evaluate("location.hash = '#/play'")
    expect(page.get_by_role("status")).to_have_text("The games and agents are looked up …")
    expect(page.get_by_role("status")).to_contain_text("does not answer yet")
    held[0].continue_()
    expect(page.locator("main")).to_contain_text("The latest 1 of 3 runs are offered.")
    page.get_by_label("Find another training run").fill("over")
    page.keyboard.press("Enter")
    expect(page.locator("select[name=opponent-0] option[value^=run-over]")).to_have_count(1)


def test_two_runs_are_ticked_and_laid_over_each_other_by_keys(open_page: Any):
    page, expect = open_page("/watch"), playwright.expect
    for name in ("over", "young"):
        page.get_by_label(f"Compare {name}").focus()
        page.keyboard.press("Space")
    page.get_by_role("button", name="Lay 2 runs over each other").press("Enter")
    expect(page.locator("h1")).to_have_text("2 runs over each other")
    page.locator("details.chart-group summary", has_text="Learning").click()
    figure = page.locator('[data-chart="holdem/entropy"]')
    expect(figure.locator("li")).to_have_count(1)  # they have one configuration
    expect(figure).to_contain_text("2 seeds")
    expect(figure.locator(".dim")).to_have_text("latest values")
    figure.locator("svg.curves").hover()
    expect(figure.locator(".dim")).to_contain_text(re.compile(r"at [0-9,]+ decisions"))
    page.mouse.move(5, 5)
    figure.locator("svg.curves").focus()
    page.keyboard.press("ArrowLeft")
    expect(figure.locator(".dim")).to_contain_text("at ")
    assert re.fullmatch(r"[0-9.]+( ± [0-9.]+)?", figure.locator("b").inner_text())
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


def sixty(found: dict[str, Any]) -> dict[str, Any]:
    """A tournament's view as if sixty agents with long names had played it."""
    names = [f"agent-{k:02}-whose-name-is-rather-long" for k in range(60)]
    won = [{"mean": mean, "half_width": 1.0, "text": f"{mean:+}", "width_text": "± 1"} for mean in (-900, -90, 60, 900)]
    cross = [[None if row == column else won[(row + column) % 4] for column in range(60)] for row in range(60)]
    return {**found, "names": names, "cross": cross, "rows": [], "cells": [], "titles": {}}


CONTRASTS = """() => {
  const numbers = (colour) => {
    const context = document.createElement("canvas").getContext("2d", { willReadFrequently: true });
    context.fillStyle = colour;
    context.fillRect(0, 0, 1, 1);
    return [...context.getImageData(0, 0, 1, 1).data].slice(0, 3).map((each) => each / 255);
  };
  const light = (colour) => numbers(colour)
    .map((each) => each <= .03928 ? each / 12.92 : ((each + .055) / 1.055) ** 2.4)
    .reduce((sum, each, k) => sum + each * [.2126, .7152, .0722][k], 0);
  return [...document.querySelectorAll("td.shaded small")].slice(0, 80).map((each) => {
    const pair = [light(getComputedStyle(each).color), light(getComputedStyle(each.closest("td")).backgroundColor)];
    return (Math.max(...pair) + .05) / (Math.min(...pair) + .05);
  });
}"""


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_the_crosstable_of_sixty_keeps_its_names_in_sight(open_page: Any, scheme: str):
    page, expect = open_page("/play", viewport={"width": 390, "height": 844}, color_scheme=scheme), playwright.expect

    def grown(route: Any) -> None:
        answer = route.fetch()
        route.fulfill(response=answer, json=sixty(answer.json()))

    page.route("**/api/watch/tournaments/cup", grown)
    page.evaluate("location.hash = '#/watch/tournaments/cup'")
    expect(page.locator("table.cross tbody tr")).to_have_count(60)
    cell = page.locator("table.cross tbody td").nth(60 * 50 + 50)
    cell.scroll_into_view_if_needed()
    box = page.locator(".cross-box").bounding_box()
    row = page.locator("table.cross tbody th").nth(50)
    column = page.locator("table.cross thead th").nth(51)
    assert row.bounding_box()["x"] == pytest.approx(box["x"], abs=2)
    assert column.bounding_box()["y"] == pytest.approx(box["y"], abs=2)
    assert row.inner_text() == "agent-50-whose-name…"
    assert row.locator("[title]").get_attribute("title") == "agent-50-whose-name-is-rather-long"
    assert page.locator("table.cross th").first.inner_text() == "Agent"
    assert page.evaluate("document.documentElement.scrollWidth") <= 390
    contrasts = page.evaluate(CONTRASTS)
    assert len(contrasts) == 80
    assert min(contrasts) >= 4.5


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
