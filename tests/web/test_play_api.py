"""Playing at a table of the server, by requests as the pages send them."""

from __future__ import annotations

import json
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest

from holdem_agents.playing.assumed_ranges import Assumed
from holdem_agents.web.play import tables as play_tables
from holdem_agents.web.play.table_request import LEVELS
from holdem_agents.web.site import Site
from holdem_env import Rules
from holdem_env.agents.names import AGENTS, register_agent
from holdem_env.arena.best_responses.mistakes import judged_hands
from holdem_env.history import phh
from web.clients import Seat, client_of, sit, site_for_tests
from web.failing_agent import Failing, Quitting, Slow


@pytest.fixture
def site() -> Site:
    return site_for_tests()


@pytest.fixture
def client(site: Site):
    return client_of(site)


@pytest.fixture
def agents(monkeypatch: pytest.MonkeyPatch) -> dict[str, Any]:
    """Agents that do what a test says, by name."""
    made = {agent.name: agent for agent in (Failing(), Slow(), Quitting())}
    for name, agent in made.items():
        monkeypatch.setitem(AGENTS.registered, name, lambda agent=agent: agent)
    return made


def play_out(seat: Seat) -> dict[str, Any]:
    """Check or call until the hand is over."""
    view = seat.settled()
    while view["waiting"] == "move":
        view = seat.do("move", move=0)
    return view


def test_the_site_lists_what_may_be_chosen(client: Any) -> None:
    found = client.get("/api/site").json()
    agents = {agent["id"]: agent for agent in found["agents"]}
    assert agents["calling_station"]["about"] == "Always checks or calls"
    assert agents["blueprint_100bb"]["gives_probabilities"] is True
    assert agents["tight_aggressive"]["title"] == "Solid regular"
    assert not {"openai", "program", "remote", "acpc", "hf"} & set(agents)  # they need a key, a command, an address
    assert found["agents"][0]["id"] == "ppo_100bb"
    assert (agents["ppo_sixmax"]["seats"], agents["ppo_sixmax"]["has_card"]) == (6, True)
    assert agents["maniac"]["has_card"] is False
    games = {game["id"]: game for game in found["rules"]}
    assert [*games][:2] == ["heads-up-no-limit", "six-max-no-limit"]
    assert [games[game]["stack_bb"] for game in ("heads-up-no-limit", "kuhn")] == [100, None]
    assert (games["omaha"]["family"], games["omaha"]["title"]) == ("Omaha", "Pot-limit Omaha, six-max")
    assert (games["heads-up-limit"]["first"], games["omaha"]["first"]) == (["ppo_limit", "blueprint_limit"], [])
    assert {"ppo_100bb", "blueprint_20bb"} <= set(games["six-max-no-limit"]["cannot"])
    cannot = set(games["heads-up-no-limit"]["cannot"])
    assert not {"ppo_20bb", "blueprint_20bb"} & cannot  # other stacks are no other game
    assert found["default"]["rules"] in games
    assert found["default"]["opponents"] == ["ppo_100bb"]
    assert "<h1>ppo_limit</h1>" in client.get("/api/site/cards/ppo_limit").json()["html"]
    assert client.get("/api/site/cards/maniac").status_code == 404


def test_a_hand_from_the_deal_to_the_result(client: Any) -> None:
    seat = sit(client, seed=7)
    view = seat.settled()
    assert (view["waiting"], view["hand"], view["seat"], view["street"]) == ("move", 1, 0, "preflop")
    assert view["names"] == ["you", "calling_station"]
    assert len(view["you"]["cards"].split()) == 2
    assert view["seats"][0]["cards"] == view["you"]["cards"]
    assert view["seats"][1]["cards"] is None
    assert view["legal"]["check"] is False
    assert (view["legal"]["call"], view["legal"]["raise_min"], view["legal"]["raise_max"]) == (1, 4, 200)
    assert view["svg"].startswith("<svg")
    assert view["svg_narrow"] != view["svg"]
    view = seat.do("move", word="pot")
    assert view["log"][2] == "you raise to 6"
    assert view["seats"][0]["last"] == ""  # a new street
    assert view["seats"][1]["last"] == "checks"
    assert len(view["board"].split()) == 3
    view = play_out(seat)
    assert view["waiting"] == "hand_over"
    assert view["result"]["hands"] == 1
    assert view["last_hand"]["chips"] == view["result"]["chips"]
    assert view["legal"] is None
    view = seat.do("next")
    assert (view["hand"], view["result"]["hands"]) == (2, 1)
    assert client.get("/api/play").json()["tables"][0]["hands"] == 1


@pytest.mark.fast_cases(1)
@pytest.mark.parametrize(
    "rules",
    ["heads-up-no-limit", "leduc"]
    + [pytest.param(name, marks=pytest.mark.slow) for name in ("heads-up-limit", "heads-up-pot-limit", "omaha")],
)
def test_every_button_that_is_offered_may_be_played(client: Any, rules: str) -> None:
    view = sit(client, rules=rules, seed=3).settled()
    buttons = view["legal"]["buttons"]
    assert [button["move"] for button in buttons] == sorted({button["move"] for button in buttons})
    fold, call, *raises = buttons
    assert (fold["verb"], call["verb"]) == ("Fold", "Check" if call["chips"] is None else "Call")
    assert all(each["verb"] in ("Bet", "Raise to", "All-in") and each["chips"] == each["move"] for each in raises)
    for button in buttons:
        for said in ({"move": button["move"]}, {"word": button["word"]}):
            seat = sit(client, rules=rules, seed=3)
            seat.settled()
            answer = seat.post("move", **said)
            assert answer.status_code == 200, (button, answer.text)


def test_what_is_not_allowed_is_said_and_changes_nothing(client: Any) -> None:
    seat = sit(client, seed=1)
    before = seat.settled()
    for said, word in (
        ({"move": 3}, "the least"),
        ({"move": 10**9}, "200"),
        ({"word": "banana"}, "raises to that total"),
        ({"word": "check"}, "to call"),
        ({"move": True}, "whole number"),
        ({"move": 1.5}, "whole number"),
        ({"move": 2**80}, "whole number"),
        ({"move": 0, "word": "c"}, "either"),
        ({}, "either"),
        ({"word": ["c"]}, "short text"),
        ({"word": "9" * 5000}, "short text"),
    ):
        answer = seat.post("move", **said)
        assert (answer.status_code, set(answer.json())) == (400, {"error"}), said
        assert word in answer.json()["error"], answer.text
    for what in ("show", "muck", "next", "retry", "check_fold", "void"):
        assert seat.post(what).status_code == 400, what
    assert seat.get() == before


def test_two_windows_the_second_move_meets_a_newer_table(client: Any) -> None:
    seat = sit(client)
    version = seat.settled()["version"]
    assert seat.post("move", version=version, move=0).status_code == 200
    seat.settled()
    late = seat.post("move", version=version, move=-1)
    assert late.status_code == 409
    assert "Another window" in late.json()["error"]
    assert late.json()["view"] == seat.get()
    for version in (None, "1", True, 1.0):
        assert seat.post("move", version=version, move=0).status_code == 400


def test_of_many_windows_that_play_at_once_one_does(site: Site) -> None:
    clients = [client_of(site) for _ in range(6)]
    seat = sit(clients[0])
    version = seat.settled()["version"]

    def play(client: Any) -> int:
        return client.post(f"/api/play/{seat.tid}/move", json={"version": version, "move": 0}).status_code

    with ThreadPoolExecutor(6) as pool:
        answers = sorted(pool.map(play, clients))
    assert answers == [200, 409, 409, 409, 409, 409]
    seat.settled()


def test_stacks_antes_seats_names_and_agents_by_seat(client: Any) -> None:
    opponents = ["calling_station", "maniac", "calling_station"]
    seat = sit(client, rules="six-max-no-limit", seats=4, stacks="50bb", ante=1, opponents=opponents, name="Ann")
    view = seat.settled()
    assert view["names"] == ["Ann", "calling_station 1", "maniac", "calling_station 2"]
    start = [place["stack"] + place["bet"] for place in view["seats"]]
    assert max(start) == 99  # 50 big blinds of 2, less the ante
    assert sum(start) + 4 <= 400


@pytest.mark.parametrize("name", ["<b>x</b>", "</script>", "a&b", '"><img src=x>', "𝕏 名"])
def test_names_with_anything_in_them_stay_text(client: Any, name: str) -> None:
    view = sit(client, name=name).settled()
    assert view["names"][0] == name
    assert not [part for part in ("<b>x", "<img", "</script") if part in view["svg"] + view["svg_narrow"]]
    assert json.loads(json.dumps(view)) == view


@pytest.mark.fast_cases(5)
@pytest.mark.parametrize(
    ("wish", "word"),
    [
        ({"rules": "nothing"}, "no such game"),
        ({"rules": "../etc/passwd"}, "id of a game"),
        ({"opponents": []}, "Name one agent"),
        ({"opponents": "maniac"}, "Name one agent"),
        ({"opponents": ["maniac", "nit"]}, "Name one agent"),
        ({"opponents": ["agents/mine.py"]}, "id of an agent"),
        ({"opponents": ["nobody"]}, "no agent"),
        ({"opponents": [{"agent": "maniac"}]}, "id of an agent"),
        ({"opponents": ["openai"]}, "no agent"),
        ({"seats": 11}, "2 to 10"),
        ({"seats": True}, "2 to 10"),
        ({"stacks": [1, 2]}, "Stacks are"),
        ({"stacks": "fifty"}, "stacks"),
        ({"stacks": 10**18}, ""),
        ({"ante": -1}, "Ante"),
        ({"kind": "sit-and-go"}, "kind"),
        ({"seed": -1}, "Seed"),
        ({"seed": 2**60}, "Seed"),
        ({"name": "x" * 25}, "24"),
        ({"name": "a\u202eb"}, "cannot be seen"),
        ({"name": 3}, "24"),
        ({"path": "x"}, "nothing that a table has"),
        ({"opponents": ["blueprint_100bb"], "rules": "heads-up-limit"}, "does not play this game"),
        ({"opponents": ["blueprint_100bb"] * 5, "rules": "six-max-no-limit"}, "does not play this game"),
    ],
)
def test_a_table_that_cannot_be_is_refused_with_a_sentence(client: Any, wish: dict[str, Any], word: str) -> None:
    body = {"rules": "heads-up-no-limit", "opponents": ["calling_station"], **wish}
    answer = client.post("/api/play", json=body)
    assert (answer.status_code, set(answer.json())) == (400, {"error"})
    assert word in answer.json()["error"]
    assert client.get("/api/play").json() == {"tables": []}


def test_hints_are_there_when_it_is_the_persons_turn(client: Any) -> None:
    seat = sit(client, seed=5)
    seat.settled()
    found = seat.get("/hints?agent=tight_aggressive")
    assert found["odds"]["opponents"] == 1
    assert 0 < found["odds"]["share"] < 1
    assert sum(each["probability"] for each in found["advice"]) == pytest.approx(1)
    assert {"move", "label", "probability"} == set(found["advice"][0])
    assert seat.get("/hints")["advice"] is None
    assert seat.get("/hints?agent=blueprint_limit")["note"]
    play_out(seat)
    assert client.get(f"/api/play/{seat.tid}/hints").status_code == 409
    assert client.get(f"/api/play/{seat.tid}/hints?agent=nobody").status_code == 400


def test_the_last_hand_is_reviewed_and_its_folded_cards_come_on_request(client: Any) -> None:
    seat = sit(client, rules="six-max-no-limit", opponents=["always_fold"], seed=2)
    seat.settled()
    assert client.get(f"/api/play/{seat.tid}/review?hand=1").status_code == 409
    view = seat.do("move", word="min")
    assert (view["waiting"], view["last_hand"]["winners"]) == ("hand_over", ["you"])
    found = seat.get("/review?hand=1&agent=tight_aggressive")
    assert found["cards"].count(None) == 5
    assert found["cards"][0] == view["you"]["cards"]
    assert {each["equity"] for each in found["decisions"]} == {None}
    folded = seat.get("/review?hand=1&folded=1")
    assert None not in folded["cards"]
    assert any(each["equity"] is not None for each in folded["decisions"] if each["seat"] == 0)
    assert folded["svg"] != found["svg"]
    for query, status in (("hand=2", 404), ("hand=0", 404), ("hand=x", 400), ("", 400), ("hand=1&folded=2", 400)):
        assert client.get(f"/api/play/{seat.tid}/review?{query}").status_code == status, query
    seat.do("next")
    assert client.get(f"/api/play/{seat.tid}/review?hand=2&folded=1").status_code == 409


@pytest.mark.slow
def test_decisions_cost_what_holdem_mistakes_says(site: Site, client: Any) -> None:
    seat = sit(client, seed=3)
    for hand in (1, 2):
        play_out(seat)
        if hand == 1:
            seat.do("next")
    finished = site.tables[seat.tid].game.finished
    judged = judged_hands([each.table for each in finished], Assumed(None), [[0], [0]])
    answers = [seat.get(f"/costs?hand={hand}") for hand in (1, 2, 1)]
    for hand, found in enumerate(answers[:2]):
        losses = {str(each.step): each.loss for each in judged.decisions if each.hand == hand}
        assert {step: cost["loss"] for step, cost in found["costs"].items()} == losses
        decisions = seat.get(f"/review?hand={hand + 1}")["decisions"]
        mine = [k for k, each in enumerate(decisions) if each["seat"] == 0 and each["street"] in ("turn", "river")]
        assert [*map(int, losses)] == mine
        assert "Not judged: 1 decision before the flop, 1 decision on the flop." in found["sentences"]
    assert [each["hands"] for each in answers] == [1, 2, 2]
    assert answers[2]["sum"] == pytest.approx(sum(each.loss for each in judged.decisions))
    for query, status in (("hand=3", 404), ("hand=1&flop=2", 400)):
        assert client.get(f"/api/play/{seat.tid}/costs?{query}").status_code == status
    seat = sit(client, rules="omaha")
    play_out(seat)
    found = seat.get("/costs?hand=1")
    assert (found["costs"], found["sentences"]) == ({}, ["Not judged: 1 hand of games whose ranges nobody knows."])


def test_finished_hands_are_saved_as_phh(client: Any, tmp_path: Any) -> None:
    seat = sit(client)
    assert client.get(f"/api/play/{seat.tid}/hands.phhs").status_code == 409
    play_out(seat)
    seat.do("next")
    answer = client.get(f"/api/play/{seat.tid}/hands.phhs")
    assert answer.headers["content-disposition"] == 'attachment; filename="hands.phhs"'
    (tmp_path / "hands.phhs").write_text(answer.text)
    assert len(list(phh.read(tmp_path / "hands.phhs"))) == 1


def test_levels_of_a_freezeout_fit_every_preset(client: Any) -> None:
    from holdem_agents.web.play.table_request import freezeout

    for name in Rules.presets():
        rules = Rules.preset(name)
        assert len(rules.replace(session=freezeout(rules)).stages) == len(LEVELS), name


def test_cards_are_shown_or_given_back_by_hand(client: Any, site: Site) -> None:
    site.rules["manual"] = Rules.preset("heads-up-no-limit", showing="manual")
    seat = sit(client, rules="manual", opponents=["always_fold"], seed=1)
    view = seat.settled()
    while view["waiting"] == "move":
        view = seat.do("move", word="min" if view["legal"]["raise_min"] else "c")
    assert view["waiting"] == "show"
    assert seat.do("muck")["waiting"] == "hand_over"


def test_leaving_ends_the_game(client: Any) -> None:
    seat = sit(client)
    seat.settled()
    view = seat.do("leave")
    assert (view["waiting"], view["over"], view["legal"]) == ("over", True, None)
    assert seat.post("move", move=0).status_code == 400
    assert seat.do("leave")["over"]


def test_no_more_tables_than_the_server_keeps(client: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("holdem_agents.web.play.routes.MAX_TABLES", 2)
    first, second = sit(client), sit(client)
    body = {"rules": "heads-up-no-limit", "opponents": ["calling_station"]}
    refused = client.post("/api/play", json=body)
    assert (refused.status_code, set(refused.json())) == (409, {"error"})
    first.do("leave")
    third = sit(client)
    listed = [table["table"] for table in client.get("/api/play").json()["tables"]]
    assert listed == [third.tid, second.tid]
    assert client.get(f"/api/play/{first.tid}").status_code == 404


def failed(client: Any, agent: Any) -> Seat:
    """A table where an agent has failed before the flop."""
    seat = sit(client, opponents=[agent.name], seed=1)
    seat.settled()
    agent.fails.set()
    view = seat.do("move", move=0)
    assert view["waiting"] == "failed"
    return seat


def test_an_agent_that_fails_is_told_without_its_cards(client: Any, agents: dict[str, Any]) -> None:
    view = failed(client, agents["failing"]).get()
    assert view["failure"]["seat"] == 1
    assert view["failure"]["name"] == "failing"
    assert "RuntimeError: I cannot play ???? at 4 (failing_agent.py:" in view["failure"]["text"]
    assert view["legal"] is None


def test_a_failing_agent_is_asked_again_or_checks_or_folds_or_its_hand_is_voided(client: Any, agents: Any) -> None:
    seat = failed(client, agents["failing"])
    assert seat.do("retry")["waiting"] == "failed"
    assert seat.do("check_fold")["street"] == "flop"
    view = seat.do("move", word="min")
    assert (view["waiting"], view["last_hand"]["winners"]) == ("hand_over", ["you"])
    for what, hand_is_new in (("retry", False), ("void", True)):
        agents["failing"].fails.clear()
        seat = failed(client, agents["failing"])
        before = seat.get()
        agents["failing"].fails.clear()
        view = seat.do(what)
        assert (view["waiting"], view["hand"], view["failure"], view["result"]) == ("move", 1, None, None)
        assert view["street"] == ("preflop" if hand_is_new else "flop")
        assert (view["you"]["cards"] != before["you"]["cards"]) == hand_is_new


def test_an_agent_that_ends_its_thread_leaves_a_page_that_says_so(client: Any, agents: dict[str, Any]) -> None:
    seat = sit(client, opponents=["quitting"])
    seat.settled()
    agents["quitting"].fails.set()
    view = seat.do("move", move=0)
    assert (view["waiting"], view["over"]) == ("over", True)
    assert view["failure"]["text"]


def test_while_an_agent_thinks_the_page_answers_and_says_why_it_waits(
    client: Any, agents: dict[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(play_tables, "SLOW", 0.05)
    slow = agents["slow"]
    slow.may_play.set()
    seat = sit(client, opponents=["slow"])
    seat.settled()
    slow.may_play.clear()
    assert seat.post("move", move=0).json()["waiting"] == "agent"
    while seat.get()["busy"] is None:
        time.sleep(0)
    assert "slow is thinking" in seat.get()["busy"]
    assert seat.post("move", move=0).status_code == 400
    assert client.get(f"/api/play/{seat.tid}/hints").status_code == 409
    left = seat.post("leave")
    assert (left.status_code, left.json()["over"]) == (200, True)
    slow.may_play.set()
    assert seat.settled()["over"]


class Overtaken:
    """A lock; something happens just before it is taken for the first time."""

    def __init__(self, what) -> None:
        self.what, self.lock = what, threading.Lock()

    def __enter__(self) -> None:
        what, self.what = self.what, None
        if what is not None:
            what()
        self.lock.acquire()

    def __exit__(self, *error: object) -> None:
        self.lock.release()


@pytest.fixture
def quiet_table():
    """A table that is being set up until the test ends."""
    ends = threading.Event()

    def make():
        ends.wait(60)
        raise ValueError("the test is over")

    yield play_tables.PlayTable("quiet", Rules.preset("heads-up-no-limit"), "alone", make, 0)
    ends.set()


def test_a_late_word_about_waiting_does_not_replace_a_newer_view(quiet_table: play_tables.PlayTable) -> None:
    waker = quiet_table._say_if_slow("it is slow")
    waker.cancel()
    quiet_table._news = Overtaken(lambda: quiet_table._show({**quiet_table.view, "waiting": "move"}))
    waker.function(*waker.args, **waker.kwargs)
    assert (quiet_table.view["waiting"], quiet_table.view["busy"]) == ("move", None)
    assert quiet_table.version == json.loads(quiet_table.text)["version"] == 1
    waker = quiet_table._say_if_slow("it is slow")
    waker.cancel()
    waker.function(*waker.args, **waker.kwargs)
    assert (quiet_table.view["waiting"], quiet_table.view["busy"]) == ("move", "it is slow")


def test_a_view_that_is_late_does_not_take_back_that_somebody_left(quiet_table: play_tables.PlayTable) -> None:
    before = {**quiet_table.view, "waiting": "move"}
    assert quiet_table.act("leave", 0, {})["over"]
    quiet_table._show(before)
    assert (quiet_table.view["waiting"], quiet_table.view["over"], quiet_table.view["legal"]) == ("over", True, None)


def test_a_table_that_takes_long_to_set_up_is_shown_meanwhile(
    agents: dict[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(play_tables, "SLOW", 0.01)
    client = client_of(site_for_tests(patience=0.05))
    seat = sit(client, opponents=["slow"])  # it is asked whether it plays this game, and thinks
    view = seat.get()
    assert (view["waiting"], view["over"], view["seats"]) == ("agent", False, [])
    assert view["svg"].startswith("<svg")
    assert client.get(f"/api/play/{seat.tid}/hints").status_code == 409
    agents["slow"].may_play.set()
    assert seat.settled()["waiting"] == "move"


def test_a_table_that_could_not_be_set_up_says_why(agents: dict[str, Any]) -> None:
    may_fail = threading.Event()

    def late() -> Any:
        may_fail.wait()
        raise ValueError("this file is damaged")

    register_agent("late", late)
    client = client_of(site_for_tests(patience=0.01))
    seat = sit(client, opponents=["late"])
    may_fail.set()
    view = seat.settled()
    assert (view["over"], view["failure"]["text"]) == (True, "this file is damaged")
    del AGENTS.registered["late"]
    assert sit(client).settled()["waiting"] == "move"


def test_hands_are_kept_as_the_person_has_seen_them(tmp_path: Path) -> None:
    client = client_of(site_for_tests(keep=tmp_path / "hands"))
    seat = sit(client, seed=1, opponents=["calling_station"])
    for _ in range(3):
        view = seat.settled()
        while view["waiting"] == "move":
            view = seat.do("move", move=0)
        seat.do("next")
    (file,) = (tmp_path / "hands").iterdir()
    hands = list(phh.read(file, on_error="raise"))
    assert [hand.hand for hand in hands] == [1, 2, 3]
    assert all(hand.payoffs == hand.replay().payoffs for hand in hands)
    (shelf,) = (each for each in client.get("/api/replay").json()["collections"] if each["id"] == "kept")
    assert shelf["title"] == "Hands that you have played"
    assert client.get("/api/replay/kept").json()["hands"] == 3
