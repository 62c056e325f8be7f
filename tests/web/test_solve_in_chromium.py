"""The page "Solve" in Chromium: the form, a solve, and the walk through its solution."""

from __future__ import annotations

import io
import re
from collections.abc import Callable
from typing import Any

import pytest

from holdem_env import Table
from holdem_env.cards.ranges import Range
from holdem_env.history import phh
from holdem_env.solvers.solution import load_solution

pytest.importorskip("starlette")
playwright = pytest.importorskip("playwright.sync_api")

pytestmark = pytest.mark.slow

SMALL = "/solve?board=Ks7h2d3c9s&oop=KQ,+A9s,+88&ip=77,+K9s,+AQo&pot=100&stack=200&accuracy=0.5&river=75%25,+a"
OUT, IN = "Range out of position", "Range in position"


def test_a_spot_is_chosen_by_cards_grids_and_texts(open_page: Callable[..., Any]) -> None:
    page, expect = open_page("/solve"), playwright.expect
    board, text = page.locator("input[name=board]"), page.get_by_label(f"{OUT}, as text")
    size, grid = page.locator(".size"), page.get_by_role("group", name=f"{OUT}: kinds of hands")
    expect(size).to_contain_text("1 board")
    page.get_by_label("9 of spades").click()
    expect(board).to_have_value("Ks7h2d3c")
    expect(page.get_by_label("Bet sizes, turn")).to_be_visible()
    expect(size).to_contain_text("1 + 48 boards")
    board.fill("10s 9h 2d 3c 4c")
    expect(page.get_by_label("T of spades")).to_have_attribute("aria-pressed", "true")
    text.fill("QQ+, AsKs, 54s:0.5")
    expect(grid.locator("[data-kind='54s']")).to_have_attribute("aria-label", "54s: 50%")
    expect(grid.locator("[data-kind=AKs]")).to_have_attribute("aria-label", "AKs: 25%")
    one, other = (grid.locator(f"[data-kind={kind}]").bounding_box() for kind in ("JTs", "J8s"))
    page.mouse.move(one["x"] + 5, one["y"] + 5)
    page.mouse.down()
    page.mouse.move(other["x"] + 5, other["y"] + 5, steps=12)
    page.mouse.up()
    expect(text).to_have_value("QQ+, AsKs, J8s+, 54s:0.5")
    page.locator(".range-box", has_text=OUT).get_by_text("0.25", exact=True).click()
    grid.locator("[data-kind='54s']").focus()
    page.keyboard.press("ArrowUp")
    page.keyboard.press("Enter")
    expect(text).to_have_value("QQ+, AsKs, J8s+, 64s:0.25, 54s:0.5")
    expect(page).to_have_url(re.compile("64s%3A0.25"))
    page.reload()
    expect(text).to_have_value("QQ+, AsKs, J8s+, 64s:0.25, 54s:0.5")
    assert board.input_value() == "10s 9h 2d 3c 4c"


def test_what_is_wrong_is_said_and_cannot_be_solved(open_page: Callable[..., Any]) -> None:
    page, expect = open_page(SMALL), playwright.expect
    page.expected += ["400"]
    solve = page.get_by_role("button", name="Solve", exact=True)
    expect(solve).to_be_enabled()
    page.get_by_label(f"{IN}, as text").fill("AKx")
    expect(page.locator(".size")).to_contain_text("'x' after its ranks")
    expect(page.get_by_label(f"{IN}, as text")).to_have_attribute("aria-invalid", "true")
    expect(solve).to_be_disabled()
    page.locator(".range-box", has_text=IN).get_by_role("button", name="Clear").click()
    expect(page.locator(".size")).to_contain_text("The range in position is empty")


def test_what_is_too_large_fits_after_a_click(open_page: Callable[..., Any]) -> None:
    page, expect = open_page("/solve?board=Ks7h2d&oop=*&ip=*&pot=11&stack=195"), playwright.expect
    page.expected += ["400"]
    page.get_by_role("button", name="Leave out").click()
    expect(page.get_by_role("button", name="Solve", exact=True)).to_be_enabled()
    assert page.locator("input[name=river]").input_value() == "50% | 100%"


@pytest.mark.parametrize("width", [1280, 390])
def test_a_river_is_solved_walked_saved_and_opened(open_page: Callable[..., Any], width: int, tmp_path: Any) -> None:
    page, expect = open_page(SMALL, viewport={"width": width, "height": 844}), playwright.expect

    def is_narrow() -> bool:
        return page.evaluate("document.documentElement.scrollWidth") <= width

    assert is_narrow()
    page.get_by_role("button", name="Solve", exact=True).click()
    expect(page.locator(".solve-chart h2")).to_have_text("Out of position: strategy")
    assert is_narrow()
    page.locator("[data-move=check]").focus()
    page.keyboard.press("Enter")
    expect(page.locator(".solve-chart h2")).to_have_text("In position: strategy")
    page.locator("[data-move='bet 75']").click()
    expect(page.locator(".line [aria-current]")).to_contain_text("bet 75")
    expect(page.locator("[data-move=call]")).to_be_visible()
    page.locator(".solve-chart [data-kind=KQo]").click()
    expect(page.locator(".hands-of-cell h2")).to_contain_text("KQo: 9 hands")
    expect(page.locator(".hands-of-cell tbody tr").first).to_contain_text(re.compile(r"\d\.\d"))
    page.locator(".switches").get_by_text("EV", exact=True).click()
    expect(page.locator(".solve-chart [data-kind=KQo] small")).to_have_text(re.compile(r"\d"))
    page.locator(".switches").get_by_text("Strategy").click()
    assert is_narrow()
    page.locator("[data-move=fold]").click()
    expect(page.locator(".look .walk")).to_contain_text("The player out of position folds")
    page.get_by_role("button", name="Start").click()
    page.locator(".switches").get_by_text("Equity").click()
    expect(page.locator(".solve-chart h2")).to_have_text("Out of position: equity")
    page.locator(".switches").get_by_text("In position").click()
    expect(page.locator(".solve-chart [data-kind='77']")).to_contain_text("77")
    assert is_narrow()
    with page.expect_download() as download:
        page.get_by_role("link", name="Save the solution").click()
    assert download.value.suggested_filename == "Ks7h2d3c9s.solution"
    path = tmp_path / "saved.solution"
    download.value.save_as(path)
    page.locator("input[type=file]").set_input_files(path)
    expect(page.locator(".solve-chart h2")).to_have_text("Out of position: strategy")
    page.locator(".spot-card summary").click()
    expect(page.get_by_label(f"{OUT}, as text")).to_have_value("88, A9s, KQs, KQo")


def test_a_place_is_in_the_address_and_back_takes_a_move_back(open_page: Callable[..., Any], server: Any) -> None:
    page, expect = open_page(SMALL), playwright.expect
    here, title = page.locator(".line [aria-current]"), page.locator(".solve-chart h2")
    page.get_by_role("button", name="Solve", exact=True).click()
    page.locator("[data-move=check]").click()
    page.locator("[data-move='bet 75']").click()
    expect(here).to_contain_text("bet 75")
    expect(page).to_have_url(re.compile("at=check,bet%2075$"))
    page.go_back()
    expect(here).to_contain_text("check")
    page.go_back()
    expect(here).to_contain_text("Start")
    page.go_forward()
    page.go_forward()
    expect(here).to_contain_text("bet 75")
    page.reload()
    expect(here).to_contain_text("bet 75")
    other = page.context.new_page()
    other.goto(page.url)
    expect(other.locator(".line [aria-current]")).to_contain_text("bet 75")
    expect(other.locator(".result-of")).to_be_hidden()
    page.expected += ["400"]
    other.goto(page.url.replace("at=check,", "at=fold,"))
    expect(other.locator(".line [aria-current]")).to_contain_text("Start")
    expect(other.locator(".look .problem")).to_be_visible()
    page.locator(".switches").get_by_text("EV", exact=True).click()
    expect(title).to_have_text("Out of position: EV in chips")
    page.go_back()
    page.locator(".switches").get_by_text("Strategy").click()
    page.locator(".switches").get_by_text("EV", exact=True).click()
    expect(title).to_have_text("In position: EV in chips")


def test_the_whole_chart_is_on_the_screen(open_page: Callable[..., Any]) -> None:
    page = open_page(SMALL)
    page.get_by_role("button", name="Solve", exact=True).click()
    for view in ("Strategy", "EV"):
        page.locator(".switches").get_by_text(view, exact=True).click()
        bottom = page.locator(".legend").evaluate("each => each.getBoundingClientRect().bottom + scrollY")
        assert bottom <= 800, view


def test_a_decision_is_saved_as_csv_and_as_a_range(open_page: Callable[..., Any], tmp_path: Any) -> None:
    pandas, page = pytest.importorskip("pandas"), open_page(SMALL)
    page.get_by_role("button", name="Solve", exact=True).click()
    page.locator("[data-move='bet 75']").click()
    playwright.expect(page.locator(".solve-chart h2")).to_have_text("In position: strategy")

    def saved(name: str) -> str:
        with page.expect_download() as download:
            page.get_by_role("link", name=name).click()
        download.value.save_as(tmp_path / "saved")
        return (tmp_path / "saved").read_text()

    with page.expect_download() as download:
        page.get_by_role("link", name="Save the solution").click()
    download.value.save_as(tmp_path / "a.solution")
    frame = load_solution(tmp_path / "a.solution").to_frame("bet 75").set_index("hand").round(4).sort_index()
    csv = pandas.read_csv(io.StringIO(saved("Save as CSV"))).set_index("hand").sort_index()
    pandas.testing.assert_frame_equal(csv, frame, check_dtype=False, atol=1e-3)
    weights = dict(Range(saved("Save the range")))
    assert {hand: weights[hand] for hand in frame.index} == pytest.approx(frame["weight"].to_dict(), abs=1e-4)


@pytest.mark.parametrize("width", [1280, 360])
def test_places_are_compared_and_classes_of_hands_have_shares(open_page: Callable[..., Any], width: int) -> None:
    tenths = SMALL.replace("pot=100&stack=200", "pot=6.5&stack=13")
    page, expect = open_page(tenths, viewport={"width": width, "height": 844}), playwright.expect
    page.get_by_role("button", name="Solve", exact=True).click()
    compared, classes = page.get_by_label("Comparison"), page.get_by_label("Classes of hands")
    keep, ev = page.get_by_role("button", name="Keep to compare"), page.locator(".switches").get_by_text("EV")
    expect(page.locator(".walk")).to_contain_text("Pot 6.5, 13 behind")
    expect(page.locator("[data-move='bet 4.8']")).to_be_visible()
    keep.click()
    expect(compared).to_be_hidden()
    page.locator("[data-move=check]").click()
    page.locator(".solve-chart .cell[data-kind='77']").click()
    rows = compared.get_by_role("row")
    expect(rows.filter(has_text="To act")).to_have_text(re.compile("IP.*OOP"))
    expect(rows.filter(has_text="EV OOP")).to_have_text(re.compile(r"EV OOP\d\.\d\d\.\d"))
    expect(compared.get_by_role("heading", name="77")).to_be_visible()
    shares = classes.get_by_role("row").filter(has_text="%")
    expect(shares.filter(has_text="set")).to_have_text(re.compile(r"set\d+\.\d%\d+%\d+%\d+%"))
    expect(shares.filter(has_text=re.compile("ace high|two pair|set"))).to_have_count(3)
    assert sum(float(row.split("\t")[1].strip("%")) for row in shares.all_inner_texts()) == pytest.approx(100, abs=0.2)
    ev.click()
    expect(classes.get_by_role("columnheader", name="Equity")).to_be_visible()
    compared.get_by_role("button", name="Go there").click()
    expect(page.locator(".line [aria-current]")).to_have_text("Start")
    expect(compared).to_be_hidden()
    assert page.evaluate("document.documentElement.scrollWidth") <= width


def test_an_old_solution_is_said_to_be_of_another_spot(open_page: Callable[..., Any]) -> None:
    page, expect = open_page(SMALL), playwright.expect
    old = page.locator(".result-of")
    page.get_by_role("button", name="Solve", exact=True).click()
    expect(page.locator("[data-move=check]")).to_be_visible()
    expect(old).to_be_hidden()
    page.locator(".spot-card summary").click()
    page.get_by_label("Pot", exact=True).fill("120")
    expect(old).to_contain_text("This is the solution of another spot: Ks7h2d3c9s, pot 100, stacks 200.", timeout=1_000)
    old.get_by_role("button", name="Show its spot").click()
    expect(old).to_be_hidden()
    expect(page.get_by_label("Pot", exact=True)).to_have_value("100")


def test_a_turn_is_stopped_and_a_card_is_dealt(open_page: Callable[..., Any]) -> None:
    page, expect = open_page("/solve?board=Ks7h2d3c&accuracy=0.01"), playwright.expect
    page.get_by_role("button", name="Solve", exact=True).click()
    expect(page.locator(".progress")).to_contain_text(re.compile(r"iterations.* about .* left"))
    page.get_by_role("button", name="Stop and keep it").click()
    page.locator("[data-move=check]").click()
    expect(page.locator(".solve-chart h2").first).to_have_text("In position: strategy")
    page.locator("[data-move=check]").click()
    page.get_by_label("Deal 9s").click()
    expect(page.locator(".line [aria-current]")).to_contain_text("9")
    expect(page.locator(".solve-chart h2")).to_have_text("Out of position: strategy")


@pytest.mark.parametrize("width", [1280, 360])
def test_next_cards_are_compared(open_page: Callable[..., Any], width: int) -> None:
    turn = SMALL.replace("3c9s", "3c") + "&turn=75%25"
    page, expect = open_page(turn, viewport={"width": width, "height": 844}), playwright.expect
    deck, rows = page.get_by_role("group", name="The next card"), page.locator(".run-outs tbody tr")
    shown, cell = page.get_by_label("What the cards show"), page.get_by_label("Deal Ad")
    page.get_by_role("button", name="Solve", exact=True).click()
    page.locator("[data-move=check]").click()
    expect(page.locator(".walk h2")).to_have_text("In position acts")
    page.locator("[data-move=check]").click()
    expect(rows).to_have_count(48)
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    expect(deck.locator("button:disabled")).to_have_text([""] * 4)
    expect(cell).to_have_attribute("aria-label", re.compile(r"^Deal Ad: Out of position: EV −?\d+\.\d$"))
    shown.select_option(label="In position: Equity")
    expect(cell).to_have_attribute("aria-label", re.compile(r"In position: Equity \d+\.\d%$"))
    shown.select_option(label="Out of position: check")
    expect(cell.locator("small")).to_have_text(re.compile(r"^\d+"))
    heading = page.get_by_role("columnheader", name="Sort by EV OOP")
    for order in ("descending", "ascending"):
        heading.get_by_role("button").focus()
        page.keyboard.press("Enter")
        expect(heading).to_have_attribute("aria-sort", order)
        values = [float(text.replace("−", "-")) for text in rows.locator("td:nth-child(2)").all_inner_texts()]
        assert values == sorted(values, reverse=order == "descending")
    expect(heading.get_by_role("button")).to_be_focused()
    deck.locator("[data-kind=As]").focus()
    for key in ("ArrowRight", "ArrowDown", "Enter"):  # over the king of spades, which lies there
        page.keyboard.press(key)
    expect(page.locator(".line [aria-current]").get_by_label("Q of hearts")).to_be_visible()
    expect(page).to_have_url(re.compile("at=check,check,Qh$"))
    page.go_back()
    page.get_by_label("Go to 9s").click()
    expect(page).to_have_url(re.compile("at=check,check,9s$"))
    expect(page.locator(".solve-chart h2")).to_have_text("Out of position: strategy")


@pytest.mark.parametrize("width", [1280, 390])
def test_a_node_is_locked_and_solved_again(open_page: Callable[..., Any], width: int) -> None:
    page, expect = open_page(SMALL, viewport={"width": width, "height": 844}), playwright.expect
    page.get_by_role("button", name="Solve", exact=True).click()
    page.locator("[data-move=check]").click()
    expect(page.locator(".solve-chart h2")).to_have_text("In position: strategy")
    page.get_by_role("button", name="Lock …").click()
    page.get_by_label("check, %").fill("10")
    expect(page.locator(".lock-editor")).to_contain_text("Must add up to 100%")
    for word, share in (("bet 75", "90"), ("bet 200", "0")):
        page.get_by_label(f"{word}, %").fill(share)
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    page.get_by_role("button", name="Lock", exact=True).click()
    expect(page.locator(".lock-editor")).to_contain_text("Locked: check 10.0%, bet 75 90.0%, bet 200 0.0%")
    page.locator(".walk").get_by_role("button", name="Solve again").click()
    expect(page.locator("[data-move='bet 75']")).to_contain_text("90.0%")
    page.locator("[data-move='bet 75']").click()
    expect(page.locator("[data-move=call]")).to_be_visible()
    expect(page.locator(".line [aria-current]").get_by_label("locked")).to_be_visible()
    page.reload()
    expect(page.locator("[data-move=call]")).to_be_visible()  # the solution is there, and has folded the form
    page.locator(".spot-card summary").click()
    expect(page.locator(".locks")).to_contain_text("check check 10.0%")
    page.get_by_role("button", name="Unlock check").click()
    expect(page.locator(".locks")).to_be_hidden()
    expect(page.get_by_role("button", name="Solve", exact=True)).to_be_visible()


def test_a_hand_that_was_played_is_solved_from_a_street(
    open_page: Callable[..., Any], server: Any, tmp_path: Any
) -> None:
    table = Table("heads-up-no-limit", seed=5)
    for move in (0, 0, 0, 0, 0, 0, 3, 0):
        table.play(move)
    phh.write([table], tmp_path / "hands.phhs", players=["calling_station", "calling_station"])
    server.site.histories["hands"] = tmp_path / "hands.phhs"
    page, expect = open_page("/replay/history-hands/1/0"), playwright.expect
    expect(page.get_by_role("link", name="Solve from here")).to_be_hidden()
    page.locator(".streets").get_by_text("river").click()
    page.get_by_role("link", name="Solve from here").click()
    expect(page.locator(".spot-card")).to_contain_text("calling_station's, by the moves so far")
    expect(page.locator("input[name=pot]")).to_have_value("4")
    expect(page.locator("input[name=stack]")).to_have_value("198")
    expect(page.locator("input[name=river]")).to_have_value("50%, 75%, 100%, a | 100%, a")
    expect(page.get_by_role("button", name="Solve", exact=True)).to_be_enabled()
    page.expected += ["404"]
    page.goto(f"{server.base}/#/play")
    page.goto(f"{server.base}/#/solve?from=play-nobody/1/3")
    expect(page.locator(".page-solve .problem").first).to_contain_text("no such collection")
