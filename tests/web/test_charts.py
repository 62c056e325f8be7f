"""Charts before the flop: the tree is walked by the rules, and shares are of the hands that get there."""

from __future__ import annotations

import re
from typing import Any

import numpy as np
import pytest

from arena.open_book_agents import Silent

pytest.importorskip("starlette")

from errors import complaint, mentions
from holdem_agents.scripted import Maniac
from holdem_agents.web.charts.preflop import Answer, PreflopTree, _chart, charted_rules, node, opening_lines
from holdem_env import Rules
from holdem_env.agents import make_agent, names
from holdem_env.cards.combos import COMBOS
from holdem_env.engine.legality import IllegalMove
from web.clients import client_of, site_for_tests

HEADS_UP = Rules.preset("heads-up-no-limit")
SIX = Rules.preset("six-max-no-limit")


class Halves(Silent):
    """Folds the first half of the hands and raises the others to three big blinds; when raised, calls with all."""

    name = "halves"

    def range_probabilities(self, tables, rules, rows):
        probabilities = np.zeros((len(rows), COMBOS, 3))
        moves = np.tile(np.array([-1, 0, 3 * rules.unit]), (len(rows), 1))
        for k, row in enumerate(rows):
            if tables["bet_to_match"][row] > rules.unit:
                probabilities[k, :, 1] = 1.0
                moves[k, 2] = -2
            else:
                probabilities[k, : COMBOS // 2, 0] = 1.0
                probabilities[k, COMBOS // 2 :, 2] = 1.0
        return moves, probabilities


@pytest.fixture
def halves() -> PreflopTree:
    return PreflopTree(Halves(), SIX)


@pytest.fixture
def browser() -> Any:
    return client_of(site_for_tests())


def test_positions_are_reached_by_folds():
    found = opening_lines(PreflopTree(Halves(), SIX).first())
    assert [each["position"] for each in found] == ["UTG", "HJ", "CO", "BTN", "SB"]
    assert [len(each["line"]) for each in found] == [0, 1, 2, 3, 4]


def test_the_shares_are_those_of_the_agent(halves: PreflopTree):
    found = node(halves, [], "halves")
    shares = {each["label"]: each["share"] for each in found["moves"]}
    assert shares == {"fold": 0.5, "call 2": 0.0, "raise to 4": 0.0, "raise to 6": 0.5, "all-in 200": 0.0}
    assert found["actor"]["position"] == "UTG"
    assert "fold: 50 %" in found["svg"]
    assert "all hands" in found["svg"]


@pytest.mark.parametrize(("sizes", "drawn"), [((4, 6, 200), 3), ((4, 6, 10, 20, 50, 100, 200), 5)])
def test_each_size_of_a_raise_has_its_colour(sizes: tuple[int, ...], drawn: int):
    """Of more sizes than there are colours, those in the middle are one."""
    table = PreflopTree(Halves(), SIX).first()
    rows = np.full((COMBOS, 2 + len(sizes)), 1 / (2 + len(sizes)))
    svg = _chart(table, Answer((-1, 0, *sizes), rows), np.ones(COMBOS), "sizes", "wide")
    used = set(re.findall(r'class="holdem-(bet-\d)"', svg))
    assert len(used) == drawn
    assert svg.count("%</text>") == 2 + drawn
    assert ">raise to 4: " in svg
    assert (">raise to 10 to 50: " in svg) == (len(sizes) > 5)


def test_the_one_raise_of_fixed_limit_is_not_all_in():
    tree = PreflopTree(make_agent("maniac"), Rules.preset("heads-up-limit"))
    assert "all-in" not in node(tree, [], "maniac")["svg"]


def test_only_hands_that_get_there_count(halves: PreflopTree):
    line = [6, 18, -1, -1, -1, -1]  # the first raises, is raised again, and everybody else folds
    found = node(halves, line, "halves")
    assert found["actor"]["position"] == "UTG"
    assert found["reach"] == 0.5
    assert {each["label"]: each["share"] for each in found["moves"]}["call 12"] == 1.0
    assert "50.0 % of hands get here" in found["svg"]
    assert [step["label"] for step in found["line"]][:3] == ["raise to 6", "raise to 18", "fold"]


def test_the_tree_ends_with_the_betting(halves: PreflopTree):
    walk = node(halves, [-1, -1, -1, -1, -1], "halves")
    called = node(PreflopTree(Halves(), HEADS_UP), [0, 0], "halves")
    for found in (walk, called):
        assert found["over"]
        assert found["svg"] is None
        assert found["moves"] == []
    mentions(complaint(node, PreflopTree(Halves(), HEADS_UP), [0, 0, 0], "halves", kind=IllegalMove), 3)
    complaint(node, halves, [3], "halves", kind=IllegalMove)
    mentions(complaint(node, halves, [-1] * 61, "halves", kind=IllegalMove), 60)


def test_other_seats_and_stacks_are_the_same_game():
    rules = charted_rules(SIX, 3, 25)
    assert (rules.seats, rules.starting_stacks) == (3, (50, 50, 50))
    assert charted_rules(SIX, None, None) is SIX
    mentions(complaint(charted_rules, SIX, 40, None), "seats")


@pytest.mark.parametrize("layout", ["wide", "narrow"])
def test_agents_that_know_their_probabilities_are_asked_hand_by_hand(layout):
    found = node(PreflopTree(Maniac(), HEADS_UP), [], "maniac", layout)
    assert sum(each["share"] for each in found["moves"]) == pytest.approx(1.0)


@pytest.mark.slow
def test_a_blueprint_opens_nearly_all_hands_on_the_button():
    tree = PreflopTree(make_agent("blueprint_100bb"), HEADS_UP)
    shares = {each["label"]: each["share"] for each in node(tree, [], "blueprint")["moves"]}
    assert shares["fold"] < 0.2
    assert sum(shares.values()) == pytest.approx(1.0)


def get(browser: Any, status: int = 200, **asked: Any) -> dict[str, Any]:
    answer = browser.get("/api/charts/preflop", params={"rules": "heads-up-no-limit", **asked})
    assert answer.status_code == status, answer.text
    return answer.json()


@pytest.mark.slow
def test_the_server_lists_agents_that_tell_and_games_with_two_cards(browser: Any):
    found = browser.get("/api/charts").json()
    agents, rules = ({each["id"] for each in found[key]} for key in ("agents", "rules"))
    assert {"blueprint_100bb", "tight_aggressive", "maniac"} <= agents
    assert {"heads-up-no-limit", "six-max-no-limit"} <= rules
    assert not {"omaha", "kuhn", "leduc", "short-deck"} & rules


def test_the_tree_is_walked_by_addresses(browser: Any):
    first = get(browser, agent="maniac", rules="six-max-no-limit", seats=3, stack=50)
    assert (first["seats"], first["actor"]["position"]) == (3, "BTN")
    raised = max(each["move"] for each in first["moves"] if each["share"])
    second = get(browser, agent="maniac", rules="six-max-no-limit", seats=3, stack=50, line=f"{raised}")
    assert second["line"][0]["label"] == "all-in 100"
    assert second["actor"]["position"] == "SB"


@pytest.mark.parametrize(
    ("asked", "status", "words"),
    [
        ({"agent": "nobody"}, 404, "no agent nobody"),
        ({"agent": "../x"}, 400, "not the id"),
        ({"agent": "maniac", "rules": "omaha"}, 400, "two hole cards"),
        ({"agent": "maniac", "rules": "chess"}, 404, "no game chess"),
        ({"agent": "maniac", "line": "3"}, 400, "cannot be played"),
        ({"agent": "maniac", "line": "x"}, 400, "'x' is no move"),
        ({"agent": "maniac", "seats": "many"}, 400, "give a number"),
        ({"agent": "maniac", "stack": "-3"}, 400, "above 0"),
        ({"agent": "maniac", "stack": "nan"}, 400, "above 0"),
        ({"agent": "maniac", "seats": "23"}, 400, "Seats"),
        ({"agent": "blueprint_100bb", "seats": "6", "rules": "six-max-no-limit"}, 400, "with 2 seats, not this"),
        ({"agent": "maniac", "layout": "tall"}, 400, "wide or narrow"),
    ],
)
def test_what_cannot_be_drawn_is_a_sentence(browser: Any, asked: dict[str, Any], status: int, words: str):
    assert words in get(browser, status, **asked)["error"]


def test_an_agent_that_fails_is_a_sentence(browser: Any, monkeypatch: pytest.MonkeyPatch):
    class Broken(Halves):
        name = "broken"

        def range_probabilities(self, tables, rules, rows):
            raise ZeroDivisionError("by zero")

    monkeypatch.setitem(names.AGENTS.registered, "broken", Broken)
    monkeypatch.setitem(names.AGENTS.registered, "silent", Silent)
    assert "does not answer: by zero" in get(browser, 409, agent="broken")["error"]
    assert "does not give the probabilities" in get(browser, 400, agent="silent")["error"]


def test_a_typed_range_is_a_chart_or_a_sentence(browser: Any):
    found = browser.get("/api/charts/range", params={"text": "77+, AKs:0.5"}).json()
    assert found["hands"] == 8 * 6 + 4 * 0.5
    assert "77+, AKs:0.5" in found["svg"]
    for wrong, words in (("", "is empty"), ("77-", "piece"), ("A" * 3000, "at most 2,000")):
        answer = browser.get("/api/charts/range", params={"text": wrong})
        assert answer.status_code == 400
        assert words in answer.json()["error"]
    text = "<script>alert(1)</script>"
    assert browser.get("/api/charts/range", params={"text": text}).status_code == 400


@pytest.mark.slow
def test_back_takes_a_move_back(open_page: Any):
    expect = pytest.importorskip("playwright.sync_api").expect
    page = open_page("/charts/maniac/six-max-no-limit")
    start = page.locator(".walk [aria-current]").first
    expect(start).to_contain_text("UTG")
    moves = page.locator(".walk .line").nth(1).locator("button")
    page.locator("[data-move='0']").click()
    expect(moves).to_have_count(2)
    page.locator("[data-move='-1']").click()
    expect(moves).to_have_count(3)
    page.go_back()
    expect(moves).to_have_count(2)
    expect(page).to_have_url(re.compile("/0$"))
    page.reload()
    expect(moves).to_have_count(2)
    page.go_back()
    expect(moves).to_have_count(1)
    page.go_forward()
    expect(moves).to_have_count(2)
