"""The page "Solve": sizes, a solve in a process of its own, the walk through its solution, and files."""

from __future__ import annotations

import time
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

pytest.importorskip("starlette")

from holdem_agents.web.guard import MAX_BODY, MAX_SOLUTION, MAX_SPOT
from holdem_agents.web.site import Site
from holdem_agents.web.solve import desk
from holdem_env.cards.combos import combo_number
from holdem_env.cards.text import parse_cards
from holdem_env.solvers.solution import load_solution
from web.clients import PATIENCE, client_of, site_for_tests

RIVER = {"board": "Ks7h2d3c9s", "ranges": ["77, K9s, AQo:0.5", "KQ, A9s, 88"], "pot": 100, "stack": 200}
SPOT: dict[str, Any] = {**RIVER, "sizes": {"river": "75%, a"}, "accuracy": 0.5}
STREETS = "flop", "turn", "river"
TURN = SPOT | {"board": "Ks7h2d3c", "ranges": ["*", "*"], "sizes": {"turn": "75%, a", "river": "75%, a"}}


@pytest.fixture(scope="module")
def site() -> Iterator[Site]:
    made = site_for_tests()
    yield made
    made.close()


@pytest.fixture(scope="module")
def browser(site: Site) -> Any:
    return client_of(site)


@pytest.fixture(scope="module")
def solved(browser: Any) -> dict[str, Any]:
    """The river, solved by the server."""
    assert browser.post("/api/solve", json=SPOT).status_code == 201
    return ended(browser)


def ended(browser: Any) -> dict[str, Any]:
    until = time.monotonic() + PATIENCE
    while (view := browser.get("/api/solve").json())["phase"] in ("solving", "stopping", "loading"):
        assert time.monotonic() < until, view
        time.sleep(0.05)
    return view


def place(browser: Any, path: str = "", status: int = 200) -> dict[str, Any]:
    answer = browser.get("/api/solve/place", params={"path": path})
    assert answer.status_code == status, answer.text
    return answer.json()


def values_at(browser: Any, path: str = "") -> Any:
    answer = browser.get("/api/solve/values", params={"path": path})
    assert answer.status_code == 200, answer.text
    return answer.json()["values"]["cells"]


def test_the_size_is_known_before(browser: Any) -> None:
    found = browser.post("/api/solve/size", json=SPOT).json()
    assert found["nodes"] > 10
    assert (found["boards"], found["bits"]) == ([1], 32)
    assert 0 < found["mib"] < 1


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"board": "Ks7h"}, "has 2 cards; a flop has 3"),
        ({"ranges": ["77", " "]}, "The range out of position is empty"),
        ({"ranges": ["KsKd", "AA"]}, "Ranges (in position): every hand has a card of the board"),
        ({"ranges": ["AKx", "AA"]}, "Ranges (in position): 'AKx'"),
        ({"ranges": ["A" * 30_000, "AA"]}, "the range in position: string should have at most 20000 characters"),
        ({"pot": 0}, "Pot: it must be greater than or equal to 1"),
        ({"stack": "many"}, "Stack: give a number"),
        ({"sizes": {"ip_river": "75%"}}, "Bet sizes of oop: there are none"),
        ({"accuracy": 0}, "Accuracy"),
        ({"rules": "omaha"}, "Rules: Extra inputs"),
        ({"locked": {"bet 9": [1, 0]}}, "There is no 'bet 9' after the beginning"),
        ({"locked": {"check": [0.5, 0.6, 0]}}, "must be 0 or more and add up to 1"),
        ({"board": "Ks7h2d", "ranges": ["*", "*"], "sizes": dict.fromkeys(STREETS, "50%, 75%, a")}, "GiB are allowed"),
    ],
)
def test_what_cannot_be_solved_is_a_sentence(browser: Any, change: dict[str, Any], words: str) -> None:
    for path in ("/api/solve/size", "/api/solve"):
        answer = browser.post(path, json={**SPOT, **change})
        assert answer.status_code == 400
        assert words.lower() in answer.json()["error"].lower()
        assert len(answer.json()["error"]) < 400


@pytest.mark.parametrize(
    ("sizes", "stack"),
    [
        ({"flop": "50%, a", "turn": "50%, a", "river": "50%, 75%, a"}, 300),
        (dict.fromkeys(STREETS, "10%,20%,50%,100%,a"), 3_000),
        (
            {
                **dict.fromkeys(("flop", "turn", "ip_flop", "ip_turn"), "50%, a"),
                "river": "50%, 75%, a",
                "ip_river": "50%, 75%, a | 50%, a",
            },
            300,
        ),
    ],
)
def test_a_spot_that_is_too_large_fits_without_the_sizes_that_are_named(
    browser: Any, sizes: dict[str, str], stack: int
) -> None:
    spot = SPOT | {"board": "Ks7h2d", "ranges": ["*", "*"], "sizes": sizes, "stack": stack}
    less = browser.post("/api/solve/size", json=spot).json()["less"]
    assert "river" in less["words"]
    assert {size.split("%")[0] for size in less["sizes"].values()} <= {"10", "50"}  # the first bets stay
    assert browser.post("/api/solve/size", json=spot | {"sizes": less["sizes"]}).status_code == 200


def test_each_player_has_its_sizes_in_the_solution_and_its_file(tmp_path: Any) -> None:
    site = site_for_tests()
    browser = client_of(site)
    sizes = {"river": "75% | none", "ip_river": "50%, a | none"}
    assert browser.post("/api/solve", json=SPOT | {"sizes": sizes}).status_code == 201
    assert ended(browser)["phase"] == "done"
    assert [each["word"] for each in place(browser)["moves"]] == ["check", "bet 75"]
    assert [each["word"] for each in place(browser, "check")["moves"]] == ["check", "bet 50", "bet 200"]
    assert [each["word"] for each in place(browser, "bet 75")["moves"]] == ["fold", "call"]
    assert browser.get("/api/solve/solution").json()["spot"]["sizes"] == sizes
    path = saved_in(browser, tmp_path)
    assert load_solution(path).tree.sizes.menus(3, player=0) == ("50%, a", "none")
    assert browser.post("/api/solve/open", content=path.read_bytes()).status_code == 200
    assert browser.get("/api/solve/solution").json()["sizes"] == sizes
    site.close()


@pytest.mark.slow
def test_a_rake_is_taken_and_stays_with_the_solution() -> None:
    site = site_for_tests()
    browser = client_of(site)
    assert browser.post("/api/solve", json=SPOT | {"rake": 5, "cap": 3}).status_code == 201
    assert ended(browser)["phase"] == "done"
    found = browser.get("/api/solve/solution").json()
    assert sum(each["ev"] for each in found["players"]) == pytest.approx(SPOT["pot"] - 3, abs=0.01)
    file, binary = browser.get("/api/solve/file").content, {"content-type": "application/octet-stream"}
    assert browser.post("/api/solve/open", content=file, headers=binary).status_code == 200
    assert {name: browser.get("/api/solve/solution").json()[name] for name in ("rake", "cap")} == {"rake": 5, "cap": 3}
    assert browser.post("/api/solve/size", json=SPOT | {"rake": 101}).status_code == 400
    site.close()


def test_a_range_is_known_by_kinds(browser: Any) -> None:
    def cells(text: str) -> Any:
        return browser.post("/api/solve/range", json={"text": text}).json()["cells"]

    assert cells("") == {}
    assert cells("QQ, AKs:0.5") == {"QQ": 1.0, "AKs": 0.5}
    assert cells("AsKs, AhKh:0.5") == {"AKs": {"mean": 0.375, "text": "AhKh:0.5, AsKs"}}
    assert browser.post("/api/solve/range", json={"text": "QQ, xx"}).status_code == 400
    assert browser.post("/api/solve/range", json={"text": 5}).status_code == 400


def test_before_a_solve_there_is_nothing_to_see() -> None:
    browser = client_of(site_for_tests())
    assert browser.get("/api/solve").json() == {"phase": "empty", "number": 0}
    for path in ("place", "solution", "file"):
        assert browser.get(f"/api/solve/{path}").status_code == 404


def saved_in(browser: Any, folder: Any) -> Any:
    path = folder / "saved.solution"
    path.write_bytes(browser.get("/api/solve/file").content)
    return path


def test_a_river_is_solved_and_walked(browser: Any, solved: dict[str, Any], tmp_path: Any) -> None:
    assert (solved["phase"], solved["number"]) == ("done", 1)
    whole = browser.get("/api/solve/solution").json()
    assert whole["percent"] <= 0.5
    assert (whole["board"], whole["pot"], whole["stack"]) == ("Ks7h2d3c9s", 100, 200)
    assert whole["cells"][0] == {"77": 1.0, "K9s": 1.0, "AQo": 0.5}
    assert sum(each["ev"] for each in whole["players"]) == pytest.approx(100, abs=0.1)
    root = place(browser)
    assert (root["player"], root["kind"], root["pot"], root["stack"]) == (1, "move", 100, 200)
    assert [each["word"] for each in root["moves"]] == ["check", "bet 75", "bet 200"]
    assert [each["percent"] for each in root["moves"]] == [None, 75, 200]
    assert [each["colour"] for each in root["moves"]] == ["passive", "bet-1", "bet-5"]
    assert [each["all_in"] for each in root["moves"]] == [False, False, True]
    assert sum(each["share"] for each in root["moves"]) == pytest.approx(1)
    assert 0 <= values_at(browser)[0]["77"]["equity"] <= 1
    after = place(browser, "check,bet 75")
    assert [step["player"] for step in after["steps"]] == [1, 0]
    assert (after["player"], after["pot"]) == (1, 175)
    solution = load_solution(saved_in(browser, tmp_path))
    best = max(each["ev"] for kind in values_at(browser, "check,bet 75")[0].values() for each in kind["combos"])
    assert best == pytest.approx(np.nanmax(solution.ev_at("check, bet 75")[0]), abs=0.01)
    assert set(values_at(browser, "check,bet 75")[1]) == set(after["cells"])
    classes = after["classes"]
    assert classes["made"][classes["hands"]["KcQc"][0]] == "top pair"
    cell = after["cells"]["KQo"]
    assert cell["weight"] == pytest.approx(sum(each["weight"] for each in cell["combos"]), abs=1e-3)
    assert all(sum(each["shares"]) == pytest.approx(1, abs=1e-3) for each in cell["combos"])
    assert "folds" in place(browser, "check,bet 75,fold")["sentence"]
    assert "showdown" in place(browser, "check,check")["sentence"]
    assert "there is no 'bet 9'" in place(browser, "bet 9", 400)["error"]
    assert "too long" in place(browser, "check," * 300, 400)["error"]
    assert browser.get("/api/solve/place", params={"number": "9"}).status_code == 409


@pytest.mark.slow
def test_amounts_may_have_a_decimal(tmp_path: Any) -> None:
    site = site_for_tests()
    browser = client_of(site)
    lock = {"check": [0.5, 0.25, 0.25]}
    tenths = SPOT | {"pot": 6.5, "stack": 13, "rake": 10, "cap": 0.4, "locked": lock}
    assert browser.post("/api/solve", json=tenths).status_code == 201
    assert ended(browser)["phase"] == "done"
    for _ in range(2):
        whole, root = browser.get("/api/solve/solution").json(), place(browser)
        assert [whole[name] for name in ("pot", "stack", "cap")] == [6.5, 13, 0.4]
        assert 6.1 <= sum(each["ev"] for each in whole["players"]) < 6.5
        assert (root["pot"], root["stack"]) == (6.5, 13)
        assert [move["word"] for move in root["moves"]] == ["check", "bet 4.8", "bet 13"]
        assert [move["all_in"] for move in root["moves"]] == [False, False, True]
        after = place(browser, "bet 4.8,call")
        assert (after["pot"], after["kind"]) == (16.1, "end")
        assert "for a pot of 16.1" in after["sentence"]
        assert [step["lock"] for step in place(browser, "check,bet 4.8")["steps"]] == ["", "check"]
        assert [each["path"] for each in whole["locks"]] == ["check"]
        assert (
            "no 'bet 5' after the beginning; there is check, bet 4.8, bet 13" in place(browser, "bet 5", 400)["error"]
        )
        file = browser.get("/api/solve/file").content
        assert browser.post("/api/solve/open", content=file).status_code == 200
    held = browser.post("/api/solve/lock", json={"path": "bet 4.8", "shares": [0.5, 0.5, 0]}).json()
    assert held["path"] == "bet 4.8"
    assert browser.post("/api/solve/size", json=tenths | {"locked": {"bet 4.8": held["strategy"]}}).status_code == 200
    means = browser.get("/api/solve/values").json()["values"]["means"]
    assert means["ev"] == pytest.approx([each["ev"] for each in whole["players"]], abs=0.01)
    for path in ("bet 5", "bet 4.85"):
        wrong = browser.post("/api/solve/size", json=tenths | {"locked": {path: [1, 0, 0]}})
        assert wrong.json()["error"].startswith(
            f"Locked: there is no '{path}' after the beginning; there is check, bet 4.8"
        )
    for wrong in (6.55, 0.5, "6,5", "6.5", True):
        assert browser.post("/api/solve/size", json=tenths | {"pot": wrong}).json()["error"].startswith("Pot: ")
    site.close()


@pytest.mark.slow
def test_equal_bets_into_an_odd_pot_have_one_percentage() -> None:
    site = site_for_tests()
    browser = client_of(site)
    odd = SPOT | {"pot": 7, "sizes": {"river": "50%, a"}}
    assert browser.post("/api/solve", json=odd).status_code == 201
    ended(browser)
    for path in ("", "check"):
        assert [move["percent"] for move in place(browser, path)["moves"]] == [None, pytest.approx(300 / 7), 20_000 / 7]
    assert [move["percent"] for move in place(browser, "bet 3")["moves"]][:2] == [None, None]
    site.close()


@pytest.mark.slow
def test_hands_of_hardly_any_weight_are_worth_nothing_known() -> None:
    site = site_for_tests()
    browser = client_of(site)
    assert browser.post("/api/solve", json=SPOT | {"ranges": ["QQ:1e-300", "AA:1e-300"]}).status_code == 201
    ended(browser)
    assert browser.get("/api/solve/values").json() == {"values": None}
    site.close()


@pytest.mark.slow
def test_nodes_are_locked_and_solved_again(browser: Any, solved: dict[str, Any]) -> None:
    def lock(path: str, **asked: Any) -> dict[str, Any]:
        answer = browser.post("/api/solve/lock", json={"path": path, "number": solved["number"], **asked})
        assert answer.status_code == 200, answer.text
        return answer.json()

    every = lock("check", shares=[0.25, 0.75, 0])
    assert every == {"path": "check", "moves": ["check", "bet 75", "bet 200"], "strategy": [0.25, 0.75, 0]}
    hand = combo_number(*parse_cards("KhQh"))
    now = lock("check")["strategy"]
    for each in place(browser, "check")["cells"]["AQo"]["combos"]:
        assert now[combo_number(*parse_cards(each["hand"]))] == pytest.approx(each["shares"], abs=1e-3)
    kind = lock("", shares=[0, 1, 0], kind="KQs", held=[1, 0, 0])["strategy"]
    assert (kind[hand], kind[hand + 1]) == ([0, 1, 0], [1, 0, 0])
    for wrong in ({"path": "check,check"}, {"shares": [1, 1, 0]}, {"shares": [1]}, {"kind": "KQx"}, {"path": 5}):
        answer = browser.post("/api/solve/lock", json=wrong)
        assert (answer.status_code, answer.json()["error"][-1]) == (400, ".")
    other_site = site_for_tests()
    other = client_of(other_site)
    locked = {"": kind, "check": every["strategy"]}
    assert other.post("/api/solve", json=SPOT | {"locked": locked}).status_code == 201
    ended(other)
    cells = place(other)["cells"]
    assert (cells["KQs"]["shares"], cells["A9s"]["shares"]) == ([0, 1, 0], [1, 0, 0])
    assert [each["share"] for each in place(other, "check")["moves"]] == pytest.approx([0.25, 0.75, 0], abs=1e-4)
    assert [step["lock"] for step in place(other, "check,bet 75")["steps"]] == ["", "check"]
    found = {each["path"]: each["strategy"] for each in other.get("/api/solve/solution").json()["locks"]}
    assert found["check"] == pytest.approx([0.25, 0.75, 0], abs=1e-4)
    assert found[""][hand] == pytest.approx([0, 1, 0])
    other_site.close()


def test_a_solution_is_saved_and_opened_again(browser: Any, solved: dict[str, Any], tmp_path: Any) -> None:
    saved = browser.get("/api/solve/file")
    assert "Ks7h2d3c9s.solution" in saved.headers["content-disposition"]
    path = saved_in(browser, tmp_path)
    assert load_solution(path).pot == 100
    other_site = site_for_tests()
    other = client_of(other_site)
    assert other.post("/api/solve/open", content=saved.content).json() == {"phase": "done", "number": 1}
    assert place(other)["moves"] == place(browser)["moves"]
    for content in (b"", b"no solution", saved.content[:-1]):
        answer = other.post("/api/solve/open", content=content)
        assert answer.status_code == 400
        assert answer.json()["error"].startswith("Must be a solution")
        assert str(other_site.uploads) not in answer.json()["error"]
    assert place(other)["pot"] == 100  # the earlier one is still there
    other_site.close()


@pytest.mark.slow
def test_each_next_card_has_its_means() -> None:
    site = site_for_tests()
    browser = client_of(site)
    narrow = {
        "board": "Ks7h2d3c",
        "ranges": ["77, K9s, AQo:0.5", "AsKc, AsQs"],
        "sizes": {"turn": "75%", "river": "75%"},
    }
    assert browser.post("/api/solve", json=SPOT | narrow).status_code == 201
    ended(browser)

    def run_outs(path: str, status: int = 200) -> dict[str, Any]:
        answer = browser.get("/api/solve/runouts", params={"path": path})
        assert answer.status_code == status, answer.text
        return answer.json()

    found = run_outs("check,check")
    assert (found["player"], found["moves"]) == (1, ["check", "bet 75"])
    assert len(found["cards"]) == 48 - 1
    assert "As" not in found["cards"]  # each hand out of position has it
    card, there = found["cards"]["9s"], place(browser, "check,check,9s")
    assert card["shares"] == pytest.approx([move["share"] for move in there["moves"]])
    assert (sum(card["ev"]), sum(card["equity"])) == (pytest.approx(100, abs=0.01), pytest.approx(1, abs=0.001))
    assert sum(found["cards"]["Qd"]["ev"]) == pytest.approx(100, abs=0.01)
    assert found["cards"]["Qd"]["equity"][1] > card["equity"][1]
    after_bet = run_outs("bet 75,call")["cards"]
    assert sum(after_bet["9s"]["ev"]) == pytest.approx(250, abs=0.01)
    for path in ("check", "check,check,9s", "bet 75,fold"):
        assert run_outs(path, 400)["error"] == "No card is dealt at this place."
    site.close()


def test_files_and_texts_have_limits(browser: Any) -> None:
    for path, most in (("open", MAX_SOLUTION), ("", MAX_SPOT), ("range", MAX_BODY)):
        answer = browser.post(f"/api/solve/{path}".rstrip("/"), headers={"content-length": str(most + 1)})
        assert answer.status_code == 413
    assert browser.post("/api/solve", json=SPOT, headers={"origin": "http://evil.example"}).status_code == 403
    assert browser.post("/api/solve/range", json={"text": "A" * 20_001}).status_code == 400


@pytest.mark.slow
def test_one_spot_at_a_time_and_a_stop_keeps_what_there_is() -> None:
    site = site_for_tests()
    browser = client_of(site)
    assert browser.post("/api/solve", json=TURN | {"accuracy": 0.01}).status_code == 201
    assert browser.post("/api/solve", json=SPOT).status_code == 409
    assert browser.post("/api/solve/open", content=b"").status_code == 409
    until = time.monotonic() + PATIENCE
    while not browser.get("/api/solve").json()["iterations"]:
        assert time.monotonic() < until
        time.sleep(0.05)
    assert browser.post("/api/solve/stop").json()["phase"] == "stopping"
    assert ended(browser)["phase"] == "done"
    assert browser.get("/api/solve/solution").json()["iterations"] >= 1
    dealt = place(browser, "check,check")
    assert (dealt["kind"], dealt["board"]) == ("deal", "Ks7h2d3c")
    river = place(browser, "check,check,9s")
    assert (river["kind"], river["player"], river["board"]) == ("move", 1, "Ks7h2d3c9s")
    assert 0 <= values_at(browser, "check,check,9s")[1]["AA"]["equity"] <= 1
    assert [step["player"] for step in river["steps"]] == [1, 0, None]
    assert "is on the board" in place(browser, "check,check,Ks", 400)["error"]
    site.close()


def test_a_process_that_is_lost_is_a_sentence() -> None:
    site = site_for_tests()
    browser = client_of(site)
    assert browser.post("/api/solve", json=TURN).status_code == 201
    site.close()
    view = ended(browser)
    assert (view["phase"], view["sentence"]) == ("failed", desk.LOST)
