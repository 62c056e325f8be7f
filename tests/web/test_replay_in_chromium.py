"""Replaying in a real browser: a search, a hand stepped by clicks and keys, a link to a position, agents, files."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from history.phh_text import several, text

pytestmark = pytest.mark.slow
DATA = Path(__file__).resolve().parent.parent / "data"
COMPILES = 600_000
"""Milliseconds for the first hand: the engine and the equities may be compiled."""
PHONE: dict[str, Any] = {"viewport": {"width": 390, "height": 844}, "has_touch": True}


@pytest.fixture
def server(serve: Callable[..., Any], tmp_path: Path) -> Any:
    illegal = ["d dh p1 AhQd", "d dh p2 2c7s", "d dh p3 KsKc", "p3 cbr 3", "p1 f", "p2 f"]
    broken = several(tmp_path / "broken.phhs", text(), text(variant=None), text(actions=illegal))
    return serve(runs=tmp_path / "runs", histories={"pluribus": DATA / "pluribus.phhs", "broken": broken})


def the_hand(page: Any, hand: int = 2, step: int = 0) -> None:
    page.goto(page.url.partition("#")[0] + f"#/replay/history-pluribus/{hand}/{step}")
    page.wait_for_selector(".replay .felt svg", timeout=COMPILES)


def step_of(page: Any) -> int:
    return int(page.url.rpartition("/")[2])


def board(page: Any) -> str:
    return str(page.locator(".felt svg").get_attribute("aria-label"))


@pytest.mark.parametrize("settings", [{}, PHONE], ids=["wide", "phone"])
def test_how_players_play(open_page: Callable[..., Any], settings: dict[str, Any]) -> None:
    page = open_page("/replay/history-pluribus", **settings)
    page.click("text=Players: how they play")
    page.wait_for_selector(".players figure svg", timeout=COMPILES)
    assert page.locator(".players tbody tr").count() == 14
    before = page.locator(".players figure svg").get_attribute("aria-label")
    page.locator(".players tbody button").nth(2).click()
    drawn = "document.querySelector('.players figure svg').getAttribute('aria-label')"
    page.wait_for_function(f"() => {drawn} !== {before!r}")
    assert page.evaluate("() => document.documentElement.scrollWidth <= innerWidth")


def test_mistakes_are_judged_and_solved_from(open_page: Callable[..., Any]) -> None:
    pytest.importorskip("torch")
    page = open_page("/replay/history-pluribus", **PHONE)
    page.click("text=Mistakes: what decisions")
    page.fill(".mistakes input", "Pluribus")
    page.click("text=Judge")
    page.wait_for_selector(".mistakes table", timeout=COMPILES)
    losses = [float(each) for each in page.locator(".mistakes tbody td:nth-child(7)").all_inner_texts()]
    assert losses == sorted(losses, reverse=True)
    assert page.evaluate("() => document.documentElement.scrollWidth <= innerWidth")
    page.locator(".mistakes .solve-link").first.click()
    page.wait_for_selector("text=Ranges: ppo_sixmax's", timeout=COMPILES)


def test_from_the_list_to_a_hand(open_page: Callable[..., Any]) -> None:
    page = open_page("/replay")
    page.click("text=pluribus.phhs")
    page.wait_for_selector("table.hands")
    assert page.locator(".found").inner_text().startswith("60 hands")
    page.select_option("select[name=street]", "river")
    page.fill("input[name=agent]", "pluribus")
    page.wait_for_function("() => document.querySelector('.found').innerText.includes(' of 60 hands')")
    found = page.locator("table.hands tbody tr").count()
    assert 0 < found < 60
    page.locator("table.hands tbody tr").first.click()
    page.wait_for_selector(".replay .felt svg", timeout=COMPILES)
    page.go_back()
    page.wait_for_selector("table.hands")
    assert page.locator("table.hands tbody tr").count() == found, "the search is still there"
    page.fill("input[name=min_pot]", "much")
    page.expected.append("400")
    page.wait_for_selector(".problem:visible")
    page.click("text=Show all")
    page.wait_for_function("() => document.querySelector('.found').innerText.startsWith('60 hands')")


def test_a_hand_is_stepped_by_keys_and_clicks(open_page: Callable[..., Any]) -> None:
    page = open_page("/replay")
    the_hand(page, hand=3)
    first = board(page)
    page.keyboard.press("ArrowRight")
    assert step_of(page) == 1
    assert board(page) != first
    page.keyboard.press("ArrowLeft")
    assert (step_of(page), board(page)) == (0, first)
    page.keyboard.press("3")
    assert page.locator(".streets [aria-pressed=true]").inner_text().startswith("turn")
    assert page.locator(".caption").inner_text().startswith("turn:")
    page.keyboard.press("End")
    assert "wins" in page.locator(".caption").inner_text()
    page.click(".steps button >> nth=1")
    assert step_of(page) == 1
    page.locator("input[type=range]").focus()
    page.keyboard.press("ArrowRight")
    assert step_of(page) == 2, "the slider has the focus, and the arrow counts once"
    page.click(".streets button >> nth=1")
    assert page.locator(".caption").inner_text().startswith("flop:")
    page.keyboard.press("n")
    page.wait_for_selector("h1:has-text('Hand 356')")


def test_it_plays_and_stops(open_page: Callable[..., Any]) -> None:
    page = open_page("/replay")
    the_hand(page)
    page.select_option(".pace", "fast")
    page.keyboard.press("Space")
    page.wait_for_function("() => Number(location.hash.split('/').pop()) >= 2")
    page.keyboard.press("Space")
    assert page.locator(".play-button").inner_text().startswith("Play")
    here = step_of(page)
    page.wait_for_timeout(900)
    assert step_of(page) == here
    page.click(".play-button")
    page.wait_for_function("() => document.querySelector('.caption').innerText.includes('wins')")
    page.wait_for_function("() => document.querySelector('.play-button').innerText.startsWith('Play')")


def test_space_on_a_button_presses_the_button(open_page: Callable[..., Any]) -> None:
    page = open_page("/replay")
    the_hand(page)
    page.get_by_label("On (right arrow)").focus()
    page.keyboard.press("Space")
    assert step_of(page) == 1
    assert page.locator(".play-button").inner_text().startswith("Play")
    page.locator(".play-button").focus()
    page.keyboard.press("Space")
    assert page.locator(".play-button").inner_text().startswith("Pause")
    page.keyboard.press("Space")
    assert page.locator(".play-button").inner_text().startswith("Play")


def test_every_column_has_a_name(open_page: Callable[..., Any]) -> None:
    page = open_page("/replay/history-pluribus")
    page.wait_for_selector("table.hands")
    assert all(each.strip() for each in page.locator("th").all_text_contents())


def test_a_link_leads_to_its_position(open_page: Callable[..., Any]) -> None:
    page = open_page("/replay/history-pluribus/3/9")
    page.wait_for_selector(".replay .felt svg", timeout=COMPILES)
    there = page.locator(".caption").inner_text()
    assert step_of(page) == 9
    page.reload()
    page.wait_for_selector(".replay .felt svg")
    assert (step_of(page), page.locator(".caption").inner_text()) == (9, there)


def test_equities_and_what_agents_would_do(open_page: Callable[..., Any]) -> None:
    page = open_page("/replay")
    the_hand(page, hand=3)
    shares = page.locator("[aria-label=Equities] .number").all_inner_texts()
    assert len(shares) == 6
    assert sum(float(share.rstrip("%")) for share in shares) == pytest.approx(100, abs=0.5)
    page.select_option("[aria-label='An agent for every seat']", "tight_aggressive")
    page.wait_for_selector("[aria-label='What agents would do'] .bar", timeout=COMPILES)
    page.click("text=Ask for each seat")
    page.select_option("[aria-label='An agent for Bill']", "calling_station")
    page.keyboard.press("Escape")
    page.locator("h1").click()
    page.keyboard.press("End")
    assert "Nobody is to act" in page.locator("[aria-label='What agents would do']").inner_text()


def test_files_are_saved(open_page: Callable[..., Any], tmp_path: Path) -> None:
    page = open_page("/replay")
    the_hand(page, step=2)
    for button, name, begin in (("PHH", "2.phh", b"variant"), ("PNG of this step", "2-2.png", b"\x89PNG")):
        with page.expect_download(timeout=COMPILES) as download:
            page.click(f"button:text-is('{button}')")
        assert download.value.suggested_filename == f"history-pluribus-{name}"
        saved = tmp_path / name
        download.value.save_as(saved)
        assert saved.read_bytes().startswith(begin)
