"""What the server tells of hands to replay: collections, searches, steps, agents' probabilities, files; and errors."""

from __future__ import annotations

import random
import re
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from history.phh_text import several, text
from history.pokerstars_text import CASH
from history.random_play import play_randomly
from holdem_agents.playing.game import HumanGame
from holdem_agents.web.answers import ApiError
from holdem_agents.web.guard import MAX_FILE
from holdem_agents.web.replay.players import Players
from holdem_agents.web.replay.routes import mistakes_of
from holdem_env import Rules, Table
from holdem_env.agents.registry import make_agent
from holdem_env.arena.tournaments.plan import Tournament
from holdem_env.arena.tournaments.store import Store
from holdem_env.arena.tournaments.tournament import run
from holdem_env.history import PlayedHands, phh
from web.clients import client_of, site_for_tests

DATA = Path(__file__).resolve().parent.parent / "data"
AGENTS = ("calling_station", "maniac")
ILLEGAL = ["d dh p1 AhQd", "d dh p2 2c7s", "d dh p3 KsKc", "p3 cbr 3", "p1 f", "p2 f"]


@pytest.fixture(scope="module")
def broken(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A history with a good hand, two that cannot be read, and one with an illegal move."""
    path = tmp_path_factory.mktemp("histories") / "broken.phhs"
    return several(path, text(), text(variant=None), "actions = [[\n", text(actions=ILLEGAL))


@pytest.fixture(scope="module")
def client(broken: Path, tmp_path_factory: pytest.TempPathFactory) -> Any:
    runs = tmp_path_factory.mktemp("runs")
    (runs / "demo").mkdir()
    (runs / "empty").mkdir()
    tables = [play_randomly(Table("heads-up-no-limit", seed=seed), random.Random(seed)) for seed in range(3)]
    phh.write(tables, runs / "demo" / "evaluation.phhs", players=["the agent", "tight_aggressive"])
    histories = {"pluribus": DATA / "pluribus.phhs", "broken": broken, "gone": broken.parent / "gone.phhs"}
    return client_of(site_for_tests(histories=histories, runs=runs))


def got(client: Any, path: str) -> Any:
    answer = client.get(f"/api/replay{path}")
    assert answer.status_code == 200, answer.text
    return answer.json()


def refused(client: Any, path: str, status: int) -> str:
    answer = client.get(f"/api/replay{path}")
    assert answer.status_code == status, answer.text
    assert str(DATA.parent.parent) not in answer.text
    return str(answer.json()["error"])


@pytest.fixture(scope="module")
def money_client(tmp_path_factory: pytest.TempPathFactory) -> Any:
    path = tmp_path_factory.mktemp("money") / "cash.txt"
    path.write_text(CASH)
    return client_of(site_for_tests(histories={"cash": path}))


def test_how_players_play(client: Any) -> None:
    """Pluribus and its opponents; 3-bets and winnings are counted again by hand."""
    found = got(client, "/history-pluribus/players")
    assert found["hands"] == found["counted"] == got(client, "/history-pluribus")["hands"]
    rows = {row["name"]: row for row in found["players"]}
    assert [row["hands"] for row in found["players"]] == sorted((row["hands"] for row in rows.values()), reverse=True)
    records = list(phh.read(DATA / "pluribus.phhs"))
    for name, row in rows.items():
        mine = [hand for hand in records if name in hand.players]
        won = [hand.replay().payoffs[hand.players.index(name)] / hand.rules.big_blind for hand in mine]
        assert row["rate"] == pytest.approx(100 * sum(won) / len(mine))
        raised = [hand for hand in mine if f"p{hand.players.index(name) + 1} cbr" in " ".join(preflop(hand))]
        assert row["pfr"] == pytest.approx(len(raised) / len(mine))
        faced = [hand for hand in mine if facing_one_raise(hand, name) is not None]
        made = sum(bool(facing_one_raise(hand, name)) for hand in faced)
        assert row["3_bet"] == (pytest.approx(made / len(faced)) if faced else None)
        svg = got(client, f"/history-pluribus/players/winnings?player={row['id']}&layout=narrow")["svg"]
        assert svg.startswith("<svg")
        assert ">all" in svg
    assert "no such player" in refused(client, "/history-pluribus/players/winnings?player=x", 404)


@pytest.mark.parametrize(
    ("preset", "changes", "moves", "share"),
    [
        ("heads-up-no-limit", {}, [6, 18, 0], 1),
        ("heads-up-no-limit", {}, [6, 0], 0),
        ("heads-up-no-limit", {}, [200, 0], None),  # its call is all-in, too
        ("heads-up-no-limit", {"stacks": [200, 50]}, [150, 0], None),
        ("heads-up-no-limit", {"stacks": [50, 200]}, [50, 0], None),  # nobody is left to be raised
        ("heads-up-no-limit", {"stacks": [50, 200]}, [40, 0], 0),
        ("heads-up-limit", {}, [4, 6, 8, 0], 1),
    ],
)
def test_who_may_only_call_has_no_chance_to_3_bet(
    preset: str, changes: dict[str, Any], moves: list[int], share: float | None
) -> None:
    table = Table(Rules.preset(preset).replace(**changes), seed=1, button=0)
    for move in moves:
        table.play(move)
    while not table.is_over:
        table.play(0)
    rows = {
        row["name"]: row for row in Players(PlayedHands([table], [["button", "big blind"]], [1])).figures()["players"]
    }
    assert rows["big blind"]["3_bet"] == share
    assert rows["button"]["3_bet"] is None


def test_mistakes_of_a_player_are_listed_the_worst_first() -> None:
    pytest.importorskip("torch")
    table = Table("six-max-no-limit", seed=5)
    for move in [-1, -1, -1, 5, -1, 0, 0, 0, 0, 8, 0, 20, 60, -1]:
        table.play(move)
    players = ["ann", "b", "cleo", "d", "e", "f"]
    found = mistakes_of(PlayedHands([table], [players], ["7"]), "Cleo")
    assert found["assumed"] == "Ranges are assumed: all players as ppo_sixmax."
    assert (found["hands"], found["decisions"]) == (1, 4)
    losses = [row["loss"] for row in found["rows"]]
    assert losses == sorted(losses, reverse=True)
    assert {(row["number"], row["hand"]) for row in found["rows"]} == {(1, "7")}
    assert {row["street"] for row in found["rows"] if row["solve"] == 3} <= {"river"}
    for player in ("", "nobody"):
        with pytest.raises(ApiError, match="player" if not player else "nobody"):
            mistakes_of(PlayedHands([table], [players], ["7"]), player)


def preflop(hand: Any) -> list[str]:
    actions = [action for action in hand.actions if not action.startswith("d dh")]
    return actions[: next((k for k, action in enumerate(actions) if action.startswith("d db")), len(actions))]


def facing_one_raise(hand: Any, name: str) -> bool | None:
    """Whether a player raised when one other had raised before it; None if it was never asked there."""
    me, raisers = f"p{hand.players.index(name) + 1}", list[str]()
    for action in preflop(hand):
        player, what = action.split()[:2]
        if player == me and len(raisers) == 1 and raisers[0] != me and what in ("f", "cc", "cbr"):
            return what == "cbr"
        if what == "cbr":
            raisers.append(player)
    return None


def test_a_page_has_one_unit_the_files_own(money_client: Any) -> None:
    """Sentences, drawings, the game, results and what agents would do: all in euros, none in chips."""
    hand = got(money_client, "/history-cash/1")
    assert (hand["game"], hand["sign"]) == ("No limit €0.05/€0.10", "€")
    assert [seat["stack"] for seat in hand["seats"]] == [4.2, 1, 12.55, 3]
    words = " ".join(step["label"] for step in hand["steps"])
    assert "bob (x) raises to €1, all-in" in words
    drawn = hand["steps"][1]["svg"]
    assert "Pot €0.45" in drawn
    assert "amount-bb" not in drawn
    for step in hand["steps"]:
        texts = re.findall(r">([^<>]*\d[^<>]*)</text>", step["svg"])
        assert all("€" in text or "MP" in text or "EP" in text for text in texts if re.search(r"\d{2}", text)), texts
    advised = got(money_client, "/history-cash/1/advice?seat=0&agent=tight_aggressive")["steps"]
    labels = [each["label"] for step in advised.values() for each in step]
    assert labels
    assert all("€" in label for label in labels if re.search(r"\d", label)), labels


def test_collections(client: Any) -> None:
    found = got(client, "")["collections"]
    assert [(each["id"], each["kind"]) for each in found] == [
        ("history-pluribus", "history"),
        ("history-broken", "history"),
        ("history-gone", "history"),
        ("run-demo", "run"),
    ]
    assert "Training run demo" in [each["title"] for each in found]


def test_the_list_and_its_searches(client: Any) -> None:
    whole = got(client, "/history-pluribus")
    assert (whole["hands"], whole["found"], whole["page"], whole["pages"]) == (60, 60, 1, 1)
    first = whole["rows"][0]
    assert first["number"] == 1
    assert set(first) == {"number", "hand", "players", "pot", "big_blind", "street", "showdown", "payoffs"}
    assert "Pluribus" in whole["players"]
    found = got(client, "/history-pluribus?street=river&min_pot=50bb&agent=pluribus&showdown=1")
    assert 0 < found["found"] < 60
    for row in found["rows"]:
        assert row["street"] == "river"
        assert row["pot"] >= 50 * row["big_blind"]
        assert row["showdown"]
    assert got(client, "/history-pluribus?page=9")["page"] == 1


def test_a_hand_step_by_step(client: Any) -> None:
    number = got(client, "/history-pluribus?showdown=1&street=river")["rows"][0]["number"]
    hand = got(client, f"/history-pluribus/{number}?layout=narrow")
    assert [mark["street"] for mark in hand["marks"]] == ["preflop", "flop", "turn", "river"]
    assert (hand["previous"], hand["next"]) == (number - 1 or None, number + 1)
    kinds = [step["kind"] for step in hand["steps"]]
    assert kinds[0] == "deal"
    assert kinds[-1] == "result"
    assert kinds.count("board") == 3
    for step in hand["steps"]:
        assert step["svg"].startswith("<svg")
        assert sum(step["equity"]) == pytest.approx(1)
        assert step["label"]
    assert sum(seat["result"] for seat in hand["seats"]) == 0
    assert all(len(seat["cards"]) == 5 for seat in hand["seats"])


def test_what_an_agent_would_do(client: Any) -> None:
    hand = got(client, "/history-pluribus/2")
    mover = next(step["mover"] for step in hand["steps"] if step["kind"] == "move")
    said = got(client, f"/history-pluribus/2/advice?seat={mover}&agent=tight_aggressive")["steps"]
    decisions = [str(place) for place, step in enumerate(hand["steps"]) if step["mover"] == mover]
    assert list(said) == decisions
    for each in said.values():
        assert sum(move["probability"] for move in each) == pytest.approx(1)


def test_unknown_cards_stay_unknown(client: Any, broken: Path) -> None:
    unknown = ["d dh p1 ????", "d dh p2 2c7s", "d dh p3 KsKc", "p3 cbr 6", "p1 cc", "p2 f", "d db 9c8d2h", "p1 f"]
    path = broken.parent / "unknown.phhs"
    phh_client = client_of(site_for_tests(histories={"unknown": several(path, text(actions=unknown))}))
    hand = got(phh_client, "/history-unknown/1")
    assert [seat["cards"] for seat in hand["seats"]] == [None, "2c 7s", "Ks Kc"]
    assert hand["steps"][0]["equity"] is None
    assert "not known" in refused(phh_client, "/history-unknown/1/advice?seat=0&agent=nit", 400)
    assert "d dh p1 ????" in phh_client.get("/api/replay/history-unknown/1.phh").text


def test_files(client: Any) -> None:
    written = client.get("/api/replay/history-pluribus/3.phh")
    assert written.headers["content-disposition"] == 'attachment; filename="history-pluribus-3.phh"'
    again = phh.loads(written.text).replay()
    assert again.payoffs == list(phh.read(DATA / "pluribus.phhs"))[2].replay().payoffs


def test_pictures(client: Any) -> None:
    pytest.importorskip("resvg_py")
    png = client.get("/api/replay/history-pluribus/1.png?step=2&theme=dark")
    assert png.headers["content-type"] == "image/png"
    assert png.content.startswith(b"\x89PNG")


def test_a_damaged_history(client: Any) -> None:
    found = got(client, "/history-broken")
    assert [row["hand"] for row in found["rows"]] == [1, 4]
    assert found["problem_count"] == 2
    assert "broken.phhs, line" in found["problems"][0]
    assert "variant is missing" in found["problems"][0]
    assert "'p3 cbr 3'" in refused(client, "/history-broken/2", 400)
    assert got(client, "/history-broken/1")["steps"]
    assert "cannot be read" in client.get("/api/replay/history-gone").json()["error"]


@pytest.mark.parametrize(
    ("path", "status", "words"),
    [
        ("/nothing", 404, "no such collection"),
        ("/-x", 400, "not the id"),
        ("/history-pluribus/0", 404, "hands 1 to 60"),
        ("/history-pluribus/61", 404, "hands 1 to 60"),
        ("/history-pluribus?street=fourth", 400, "no street"),
        ("/history-pluribus?min_pot=much", 400, "no amount"),
        ("/history-pluribus?showdown=perhaps", 400, "give 1 or 0"),
        ("/history-pluribus?page=0", 400, "give a whole number"),
        ("/history-pluribus/1?layout=round", 400, "give one of"),
        ("/history-pluribus/1.png?step=-1", 400, "give a whole number"),
        ("/history-pluribus/2/advice?seat=9&agent=nit", 400, "no seat 9"),
        ("/history-pluribus/2/advice?seat=x&agent=nit", 400, "give a whole number"),
        ("/history-pluribus/2/advice?seat=0&agent=nobody", 404, "no such agent"),
        ("/history-pluribus/2/advice?seat=0&agent=/etc/passwd", 400, "not the id of an agent"),
    ],
)
def test_questions_that_mean_nothing(client: Any, path: str, status: int, words: str) -> None:
    assert words in refused(client, path, status)


def test_hands_played_here_hide_folded_cards_until_they_are_asked_for() -> None:
    game = HumanGame(Rules.preset("heads-up-no-limit"), [make_agent("calling_station")], seed=1)
    site = site_for_tests()
    site.tables["t1"] = SimpleNamespace(title="heads-up", game=game, begun=1.0)  # type: ignore[assignment]
    client = client_of(site)
    assert got(client, "")["collections"] == []
    while not game.finished:
        game.advance()
        if game.waiting == "move":
            game.play(-1)
    [listed] = got(client, "")["collections"]
    assert (listed["date"], listed["opponents"]) == (1.0, ["calling_station"])
    assert listed["chips"] == game.results.chips
    found = got(client, "/play-t1")
    assert found["hands"] == 1
    hand = got(client, "/play-t1/1")
    assert hand["seats"][game.seat]["cards"]
    assert hand["seats"][1 - game.seat]["cards"] is None
    assert all(step["equity"] is None for step in hand["steps"][:-1] if not step["folds"])
    theirs = str(game.finished[0].table.hole_cards(1 - game.seat))
    for path in ("/play-t1/1", "/play-t1/1.phh"):
        assert theirs not in client.get(f"/api/replay{path}").text
    assert "not known" in refused(client, f"/play-t1/1/advice?seat={1 - game.seat}&agent=nit", 400)
    assert got(client, "/play-t1/1?folded=1")["seats"][1 - game.seat]["cards"].replace(" ", "") == theirs


def test_a_table_that_is_being_set_up_has_no_hands_yet() -> None:
    site = site_for_tests()
    site.tables["t1"] = SimpleNamespace(title="heads-up", game=None)  # type: ignore[assignment]
    assert got(client_of(site), "")["collections"] == []


def test_a_new_hand_is_listed_at_once(tmp_path: Path) -> None:
    path = several(tmp_path / "growing.phhs", text())
    client = client_of(site_for_tests(histories={"growing": path}))
    assert got(client, "/history-growing")["hands"] == 1
    several(path, text(), text())
    assert got(client, "/history-growing")["hands"] == 2


def test_the_biggest_pots_of_a_tournament(tmp_path: Path) -> None:
    path = tmp_path / "small.db"
    with Store(path, create=True) as store:
        run(Tournament(agents=AGENTS, rules=Rules.preset("heads-up-no-limit"), hands=200, isolation="none"), store)
    client = client_of(site_for_tests(tournaments={"small": path}))
    found = got(client, "/tournament-small")
    assert found["hands"] > 0
    pots = [row["pot"] for row in found["rows"]]
    assert pots == sorted(pots, reverse=True)
    assert set(found["rows"][0]["players"]) == set(AGENTS)
    assert got(client, "/tournament-small/1")["steps"]


@pytest.mark.parametrize("name", ["pluribus.phhs", "../../pluribus.phhs", "C:\\hands\\ä.phhs"])
def test_a_file_that_the_browser_sends_is_opened(tmp_path: Path, name: str) -> None:
    site = site_for_tests(runs=tmp_path)
    client = client_of(site)
    answer = client.post("/api/replay/open", params={"name": name}, content=(DATA / "pluribus.phhs").read_bytes())
    assert answer.status_code == 200, answer.text
    found = got(client, f"/{answer.json()['id']}")
    assert found["hands"] > 0
    assert got(client, "")["collections"][0]["date"] > 1e9
    [path] = site.histories.values()
    assert site.uploads in path.parents
    site.close()
    assert not path.exists()


@pytest.mark.parametrize(
    ("content", "status", "words"),
    [
        (b"no hands", 400, "hands.phhs"),
        (b"", 400, "no hands that can be read"),
        (b" " * (MAX_FILE + 1), 413, "too big"),
    ],
)
def test_a_file_without_hands_is_refused(tmp_path: Path, content: bytes, status: int, words: str) -> None:
    site = site_for_tests(runs=tmp_path)
    client = client_of(site)
    answer = client.post("/api/replay/open", params={"name": "hands.phhs"}, content=content)
    site.close()
    assert answer.status_code == status
    assert words in answer.json()["error"]
    assert str(tmp_path) not in answer.text
    assert got(client, "")["collections"] == []
