"""The page of the ladder and the lobby's offers in Chromium."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from holdem_agents.ladder import ladder_tables

pytest.importorskip("starlette")
playwright = pytest.importorskip("playwright.sync_api")

pytestmark = pytest.mark.slow


def test_the_ladders_that_come_with_the_package(open_page: Callable[..., Any]) -> None:
    page, expect = open_page("/ladder"), playwright.expect
    tables = ladder_tables()
    expect(page.locator("section.card")).to_have_count(len(tables))
    expect(page.locator("nav a[aria-current=page]")).to_have_text("Ladder")
    limit = page.locator("section.card").nth(list(tables).index("headsup_limit"))
    expect(limit.locator("h2")).to_have_text(tables["headsup_limit"].ladder.title)
    expect(limit.locator("tbody tr")).to_have_count(len(tables["headsup_limit"].rows))
    names = limit.locator("tbody td:first-child")
    assert sorted(text.split("\n")[0] for text in names.all_inner_texts()) == sorted(
        row.name for row in tables["headsup_limit"].rows
    )
    expect(limit.locator("figure svg")).not_to_be_visible()  # who beat whom comes first
    limit.locator("summary").click()
    expect(limit.locator("figure svg")).to_be_visible()
    page.goto(page.url.replace("/ladder", "/ladder/headsup_limit"))
    expect(page.locator("section.card")).to_have_count(1)


def test_a_file_that_cannot_be_read_costs_a_sentence(
    open_page: Callable[..., Any], server: Any, tmp_path: Path
) -> None:
    (tmp_path / "runs" / "ladder").mkdir(parents=True, exist_ok=True)
    (tmp_path / "runs" / "ladder" / "headsup_limit.db").write_bytes(b"no database")
    page, expect = open_page("/ladder"), playwright.expect
    expect(page.locator("p.problem")).to_be_visible()
    expect(page.locator("section.card")).to_have_count(len(ladder_tables()))


def test_on_a_phone_the_page_is_as_wide_as_the_screen(open_page: Callable[..., Any]) -> None:
    page = open_page("/ladder", viewport={"width": 390, "height": 844})
    page.locator("summary").first.click()
    playwright.expect(page.locator("figure svg").first).to_be_visible()
    assert page.evaluate("document.documentElement.scrollWidth") <= 390


def test_the_lobby_offers_the_agents_of_the_game_first(open_page: Callable[..., Any]) -> None:
    page, expect = open_page("/play"), playwright.expect
    page.wait_for_selector("select[name=opponent-0]")  # the first answer may import much
    opponent = page.locator("select[name=opponent-0]")
    expect(opponent).to_have_value("ppo_100bb")
    expect(opponent.locator("option").nth(1)).to_have_text("Blueprint, 100 big blinds · blueprint_100bb")
    page.locator("summary", has_text="Model card").click()
    expect(page.locator(".model-card h1")).to_have_text("ppo_100bb")
    page.locator("select[name=rules]").select_option("heads-up-limit")
    expect(opponent).to_have_value("ppo_limit")
    page.locator("select[name=seats]").select_option("4")
    expect(opponent).to_have_value("tight_aggressive")
    page.locator("select[name=rules]").select_option("six-max-no-limit")
    expect(opponent).to_have_value("ppo_sixmax")
    expect(opponent.locator("option").first).to_have_text("Trained network, six-max · ppo_sixmax")
    opponent.select_option("tight_aggressive")
    page.locator("select[name=rules]").select_option("heads-up-no-limit")
    expect(opponent).to_have_value("tight_aggressive")  # somebody has chosen it
