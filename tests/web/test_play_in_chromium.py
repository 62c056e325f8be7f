"""Playing in a real browser: by clicks, by keys, in two tabs, across reloads and lost connections."""

from __future__ import annotations

import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from web.places import free_port

playwright = pytest.importorskip("playwright.sync_api")
pytestmark = pytest.mark.slow
PHONE: dict[str, Any] = {"viewport": {"width": 390, "height": 844}, "has_touch": True}


def sit(page: Any, **chosen: str) -> None:
    """Take a seat against a calling station, or whatever is chosen by the names of the form's fields."""
    page.wait_for_selector(".big")
    for name, value in {"opponent-0": "calling_station", **chosen}.items():
        page.select_option(f"select[name={name}]", value)
    page.click(".big")
    page.wait_for_selector(".felt svg")
    ready(page)


def ready(page: Any) -> None:
    """Wait until the page asks for something."""
    page.wait_for_selector('.actions:not([aria-busy="true"]) :is(.call, .next)')


def to_the_end(page: Any) -> None:
    """Check or call until the hand is over."""
    ready(page)
    while page.locator(".call").count():
        before = page.locator(".log li").count(), page.locator(".status").inner_text()
        page.click(".call")
        page.wait_for_function(
            "([lines, status]) => document.querySelectorAll('.log li').length !== lines"
            " || document.querySelector('.status').textContent !== status",
            arg=list(before),
        )
        ready(page)


def said(page: Any) -> str:
    """What the drawing of the table says."""
    return str(page.locator(".felt svg").get_attribute("aria-label"))


def test_a_session_by_clicks(browser_page: Any):
    page, expect = browser_page, playwright.expect
    sit(page)
    page.click('[data-size="1"]')
    total = page.locator(".amount-in input").input_value()
    assert page.locator(".raise").inner_text().startswith(f"Raise to {total}")
    page.click(".raise")
    to_the_end(page)
    page.wait_for_selector(".review .decisions")
    assert "in 1 hand" in page.locator(".result").inner_text()
    page.locator(".session-costs", has_text="judged in 1 hand").wait_for()
    assert page.locator(".review .mine", has_text="costs").count() >= 2  # turn and river
    expect(page.locator(".actions")).to_have_css("opacity", "1")
    buttons = [page.get_by_role("button", name=name) for name in ("Leave", "Review", "Next hand")]
    widths = [button.bounding_box()["width"] for button in buttons]
    assert max(widths) - min(widths) < 1
    page.click(".next")
    to_the_end(page)
    page.click(".next")
    ready(page)
    page.fill(".amount-in input", "1")
    assert page.locator(".raise").is_disabled()
    assert page.locator(".raise").inner_text().startswith("4 to 200 only")
    page.locator(".slide input[type=range]").fill("1000")
    assert page.locator(".raise").inner_text().startswith("All-in 200")
    page.click(".raise")
    page.wait_for_selector(".next")
    page.get_by_label("Show folded cards").check()
    page.wait_for_selector(".review :text('equity')")
    assert page.locator(".result dd").first.inner_text().count("±") == 1
    page.click(".leave")
    page.locator(".status", has_text="The game is over").wait_for()
    page.click("text=New table")
    page.locator(".tables", has_text="3 hands").wait_for()


def test_by_keys_alone(browser_page: Any):
    page = browser_page
    page.wait_for_selector(".big")
    page.select_option("select[name=opponent-0]", "calling_station")
    while not page.evaluate("document.activeElement.matches('.big')"):
        page.keyboard.press("Shift+Tab")
    page.keyboard.press("Enter")
    ready(page)
    page.keyboard.press("?")
    page.wait_for_selector("dialog[open]")
    page.keyboard.press("f")  # not heard while the list of keys is open
    page.keyboard.press("Escape")
    page.wait_for_selector("dialog", state="detached")
    page.expected.append("409")  # on a slow machine: the hints of a turn that is over
    page.keyboard.press("h")
    page.wait_for_selector(".odds")
    page.keyboard.press("b")
    assert "bb" in page.locator(".call").inner_text()
    assert page.locator(".felt .amount-bb").first.is_visible()
    page.keyboard.press("r")
    page.keyboard.type("4")
    assert page.locator(".raise").inner_text().startswith("Raise to 4 bb")
    page.keyboard.press("Enter")
    page.locator(".felt text:visible", has_text="Pot 8 bb").wait_for()
    ready(page)
    page.keyboard.press("2")
    assert page.locator("[data-size='2'][data-chosen]").count() == 1
    page.keyboard.press("b")
    page.keyboard.press("r")
    page.keyboard.press("Enter")
    for _ in range(8):
        ready(page)
        if page.locator(".next").count():
            break
        lines = page.locator(".log li").count()
        page.keyboard.press("c")
        page.wait_for_function("lines => document.querySelectorAll('.log li').length > lines", arg=lines)
    page.keyboard.press("v")
    page.keyboard.press("Enter")
    page.locator("h1", has_text="Hand 2").wait_for()
    ready(page)
    if page.locator(".fold").is_enabled():
        page.keyboard.press("f")
        page.wait_for_selector(".next")
        page.keyboard.press("Space")
        page.locator("h1", has_text="Hand 3").wait_for()


def test_two_tabs_at_one_table(browser_page: Any):
    one = browser_page
    sit(one)
    two, late = one.context.new_page(), one.context.new_page()
    late.route("**/events*", lambda route: route.abort())  # this tab hears of nothing
    for tab in (two, late):
        tab.goto(one.url)
        ready(tab)
    assert said(one) == said(two) == said(late)
    before = said(one)
    one.click(".call")
    two.wait_for_function("before => document.querySelector('.felt svg').ariaLabel !== before", arg=before)
    ready(one), ready(two)  # after the bot's move, so that the refusal brings the latest state
    assert said(late) == before
    late.click(".call")
    late.locator(".toast.wrong").wait_for()
    assert said(late) != before
    assert said(one) == said(two) == said(late)


def test_a_reload_in_mid_hand_loses_nothing(browser_page: Any):
    page = browser_page
    sit(page)
    page.click(".call")
    page.locator(".felt text:visible", has_text="Pot 4").wait_for()
    ready(page)
    before = said(page)
    page.reload()
    ready(page)
    assert said(page) == before
    to_the_end(page)


def test_a_lost_connection_loses_nothing(browser_page: Any, server: Any):
    page = browser_page
    page.expected = ["ERR_INTERNET_DISCONNECTED", "ERR_CONNECTION_REFUSED", "ERR_INCOMPLETE_CHUNKED_ENCODING"]
    page.expected += ["ERR_CONNECTION_RESET", "ERR_EMPTY_RESPONSE"]
    sit(page)
    before = said(page)
    page.context.set_offline(True)
    page.locator(".lost").wait_for()
    page.click(".call")
    page.locator(".toast", has_text="The server does not answer").wait_for()
    assert said(page) == before
    page.context.set_offline(False)
    page.locator(".lost").wait_for(state="hidden")
    server.stop()
    page.locator(".lost").wait_for()
    server.start()
    page.locator(".lost").wait_for(state="hidden")
    page.click(".call")
    page.locator(".felt text:visible", has_text="Pot 4").wait_for()
    to_the_end(page)


@pytest.fixture
def started(tmp_path: Path) -> Iterator[Callable[[int], tuple[Any, str]]]:
    """started(port) -> a process of `holdem web`, and the address it printed."""
    processes = []

    def start(port: int) -> tuple[Any, str]:
        words = [sys.executable, "-m", "holdem_agents.cli", "web", "--no-browser", "--port", str(port)]
        process = subprocess.Popen(words, stdout=subprocess.PIPE, text=True, cwd=tmp_path)
        processes.append(process)
        return process, process.stdout.readline().removeprefix("Open ").strip()

    yield start
    for process in processes:
        process.kill()
        process.communicate()


def test_a_silent_server_is_named_and_asked_again(open_page: Callable[..., Any], started: Any):
    page, port = open_page("/play"), free_port()
    page.expected = ["ERR_", "401", "404", "409"]  # the old page may ask the new server for its table
    process, address = started(port)
    page.goto(address)
    sit(page)
    notice = page.locator(".toast", has_text="The server does not answer yet; your move is sent.")
    process.send_signal(signal.SIGSTOP)
    page.click(".call")
    notice.wait_for(timeout=4_000)
    notice.get_by_role("button", name="Try again").click()
    notice.wait_for(state="hidden")
    notice.wait_for(timeout=4_000)
    process.send_signal(signal.SIGCONT)
    notice.wait_for(state="detached")
    page.locator(".felt text:visible", has_text="Pot 4").wait_for()
    ready(page)
    assert not page.locator(".toast.wrong").count()  # the move was sent twice and made once
    process.send_signal(signal.SIGSTOP)
    page.click(".call")
    notice.wait_for(timeout=4_000)
    process.kill()
    page.locator(".toast", has_text="Is `holdem web` still running?").wait_for()
    ready(page)
    process.wait()
    _, address = started(port)
    page.click(".call")
    page.locator(".toast", has_text="open the address that `holdem web` printed").wait_for()
    page.goto(address)
    sit(page)


def test_an_agent_that_fails(open_page: Callable[..., Any], server: Any, tmp_path: Path):
    path = tmp_path / "clumsy.py"
    path.write_text(
        "from holdem_env.agents import TableAgent\n\n\nclass Clumsy(TableAgent):\n    def decide(self, view):\n"
        "        if view.street:\n            raise RuntimeError('I dropped my cards')\n        return 'call'\n"
    )
    server.site.agents_given["clumsy"] = str(path)
    page = open_page("/play")
    page.wait_for_selector(".big")
    page.select_option("select[name=opponent-0]", "clumsy")
    page.click(".big")
    ready(page)
    page.click(".call")
    page.locator(".failure", has_text="I dropped my cards").wait_for()
    page.click("text=Ask it again")
    page.locator(".failure", has_text="I dropped my cards").wait_for()
    page.click("text=Let it check or fold")
    to_the_end(page)
    assert "in 1 hand" in page.locator(".result").inner_text()


@pytest.mark.parametrize("seats", [2, 6, 10])
def test_on_a_phone(open_page: Callable[..., Any], seats: int):
    """Nothing is wider than the screen, the table is drawn upright, and fingers can hit the buttons."""
    page = open_page("/play", **PHONE)
    page.wait_for_selector(".big")
    fits(page)
    sit(page, seats=str(seats))
    fits(page)
    assert str(page.locator(".felt svg").get_attribute("viewBox")).startswith("0 0 400 ")
    for button in page.locator(".actions button").all():
        assert button.bounding_box()["height"] >= 44
    hand = page.locator(".buttons").bounding_box()
    assert hand["y"] + hand["height"] <= 844  # what one does next is on the screen
    to_the_end(page)
    fits(page)


def fits(page: Any) -> None:
    assert page.evaluate("document.documentElement.scrollWidth <= document.documentElement.clientWidth")


def test_what_is_wrong_in_the_lobby_is_said_there(browser_page: Any):
    page = browser_page
    page.expected = ["400"]
    page.wait_for_selector(".big")
    page.click("details.stacks summary")
    page.fill("input[name=stacks]", "fifty")
    page.click(".big")
    problem = page.locator(".setup .problem")
    problem.wait_for()
    assert "fifty" in problem.inner_text()
    assert page.locator("input[name=stacks]").input_value() == "fifty"
