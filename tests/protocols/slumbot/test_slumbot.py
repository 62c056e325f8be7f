"""Slumbot's protocol: hands replayed and checked, and whole runs against a server on loopback."""

from __future__ import annotations

import re

import pytest

import command_line
from errors import complaint, mentions
from holdem_env import Table
from holdem_env.agents import Agent, TableAgent, make_agent, names
from holdem_env.history import phh
from holdem_env.protocols.http_json import HttpError
from holdem_env.protocols.slumbot import (
    GAME,
    SlumbotClient,
    SlumbotError,
    State,
    action_of,
    play_slumbot,
    table_of,
)
from protocols.loopback import DROP, Reply
from protocols.slumbot.fake_slumbot import CLIENT, caller, fake_slumbot

FLOP = ["Ks", "Ts", "4h"]
BOARD = [*FLOP, "6d", "9s"]


@pytest.fixture(autouse=True)
def _no_proxy(monkeypatch):
    monkeypatch.setenv("NO_PROXY", "127.0.0.1")


def state(action: str, position: int = 0, board: list[str] | None = None, **fields: object) -> State:
    answer = {"token": "t", "action": action, "client_pos": position, "hole_cards": ["Ac", "8d"], "board": board or []}
    return State.of({**answer, **fields})


@pytest.mark.parametrize(
    ("action", "position", "board", "pot", "bets", "call"),
    [
        ("", 1, [], 150, [50, 100], 50),
        ("c", 0, [], 200, [100, 100], 0),
        ("b200", 0, [], 300, [100, 200], 100),
        ("b200c", 0, FLOP, 400, [0, 0], 0),  # with and without the last slash
        ("b200c/", 0, FLOP, 400, [0, 0], 0),
        ("b200c/kb200", 0, FLOP, 600, [0, 200], 200),
        ("ck/b100", 1, FLOP, 300, [0, 100], 100),
        ("b200c/kk/kb400", 0, [*FLOP, "6d"], 800, [0, 400], 400),
        ("b200b600c/b19400", 1, FLOP, 20600, [0, 19400], 19400),
    ],
)
def test_actions_are_replayed(action, position, board, pot, bets, call):
    """b is followed by the total of the betting round."""
    table = table_of(state(action, position, board))
    assert table.actor == 0
    assert (table.pot, table.bets, table.legal.call) == (pot, bets, call)
    assert [str(table.hole_cards(0)), str(table.board)] == ["Ac8d", "".join(board)]
    assert table.button == (0 if position else 1)
    assert str(table.view(0).hole_cards(1)) == "????"


def test_finished_hands():
    over = {"winnings": -100, "bot_hole_cards": ["Jc", "3s"]}
    table = table_of(state("b200f", **over))
    assert table.payoffs == [-100, 100]
    assert str(table.hole_cards(1)) == "Jc3s"
    table = table_of(state("b200c/kb200c/b400f", 0, [*FLOP, "6d"], winnings=400, bot_hole_cards=["Jc", "3s"]))
    assert table.payoffs == [400, -400]
    for slashes in ("", "///"):
        table = table_of(state(f"b20000c{slashes}", 0, BOARD, winnings=20000, bot_hole_cards=["Jc", "3s"]))
        assert table.payoffs == [20000, -20000]
        assert len(table.board) == 5
    assert table_of(state("b20000c///", 0, BOARD, winnings=-20000)).payoffs[0] == -20000, "filled in as it was stated"
    assert table_of(state("b20000c///", 0, BOARD, winnings=20000)).payoffs[0] == 20000


@pytest.mark.parametrize(
    ("action", "position", "board", "message"),
    [
        ("kk", 0, [], "character 1: a check, but there are 50 chips to call"),
        ("cc", 0, [], "character 2: a call, but there is nothing to call"),
        ("b200ck", 0, FLOP, "character 6: a slash is missing: a new betting round has begun"),
        ("b200/c", 0, FLOP, "character 5: no betting round has ended there"),
        ("b200c//", 0, FLOP, "character 7: no betting round has ended there"),
        ("fk", 0, [], "character 2: the hand is over"),
        ("b20000c////", 0, BOARD, "character 11: no betting round has ended there"),
        ("b50000", 0, [], "character 1: seat 1 may not raise to 50000: the most it may raise to is 20000"),
        ("b150", 0, [], "the least it may raise to is 200"),
        ("b200x", 0, [], "character 5: 'x' is no action"),
        ("b0", 0, [], "character 1: 'b' is no action"),
        ("b200", 1, [], "Slumbot is to act, but the answer has no winnings"),
        ("b200f", 0, [], "the hand is over, but the answer has no winnings"),
        ("b200c/", 0, [], "deal 3 board cards, the answer has 0"),
        ("b200", 0, FLOP, "deal 0 board cards, the answer has 3"),
        ("b200c/", 0, ["Ac", "Ts", "4h"], "the cards Ac8d AcTs4h"),
    ],
)
def test_wrong_actions(action, position, board, message):
    assert re.search(message, complaint(table_of, state(action, position, board), kind=SlumbotError))
    mentions(complaint(table_of, state("b200", winnings=100), kind=SlumbotError), "the answer has winnings")


@pytest.mark.parametrize(
    ("fields", "message"),
    [
        ({"client_pos": 2}, "client_pos is 0 or 1, not 2"),
        ({"client_pos": None}, "the answer has client_pos None; it should be int"),
        ({"hole_cards": ["Zz", "Kd"]}, "hole_cards: 'Zz'"),
        ({"hole_cards": ["Ac"]}, r"hole_cards: \['Ac'\] should be 2 cards"),
        ({"board": ["Ac", "8d"]}, r"board: \['Ac', '8d'\] should be 0 or 3 or 4 or 5 cards"),
        ({"action": None}, "the answer has action None"),
        ({"token": None}, "the answer has no token"),
        ({"winnings": "much"}, "the answer has winnings 'much'; it should be int"),
        ({"error_msg": "Bet too small"}, "Slumbot says: Bet too small"),
    ],
)
def test_wrong_answers(fields, message):
    assert re.search(message, complaint(state, fields.pop("action", "c"), **fields, kind=SlumbotError))


def test_moves_in_slumbots_words():
    table = Table(GAME, seed=1)
    assert [action_of(move, table) for move in (-1, 0, 200)] == ["f", "c", "b200"]
    table.check_call()
    assert [action_of(move, table) for move in (-1, 0, 200)] == ["k", "k", "b200"]


def hands_of(agent: Agent, count: int, **options: object):
    """The hands that an agent has played against a fake Slumbot, and the server's own games."""
    with fake_slumbot(**options) as (fake, loopback):
        client = SlumbotClient(f"{loopback.url}/api", backoff=0.0, timeout=5.0)
        return list(play_slumbot(agent, client, count, seed=3)), fake


@pytest.mark.fast_cases(2)
@pytest.mark.parametrize("name", ["random", "calling_station", "maniac", "tight_aggressive", "always_fold"])
def test_agents_play_it(name):
    """The server takes every action, and both sides agree on the chips of every hand."""
    played, fake = hands_of(make_agent(name), 25)
    assert [hand.winnings for hand in played] == [game.table.payoffs[CLIENT] for game in fake.played]
    assert [hand.table.payoffs[0] for hand in played] == [hand.winnings for hand in played]
    assert [hand.state.position for hand in played] == [0, 1] * 12 + [0]
    assert all(hand.is_as_ruled for hand in played)
    assert all(hand.baseline == hand.winnings + 50 for hand in played)


class Folder(TableAgent):
    """Folds even where checking is free."""

    name = "folder"

    def decide(self, view):
        return "fold"


def test_folds_where_checking_is_free():
    played, _ = hands_of(Folder(), 6, policy=caller)
    assert [hand.state.position for hand in played if hand.free_folds] == [0, 0, 0]
    assert all(hand.winnings == -50 for hand in played if hand.state.position == 1)


class Recorder(TableAgent):
    """Calls, and keeps what it saw and how the hands ended."""

    name = "recorder"

    def __init__(self) -> None:
        self.seen: list[str] = []
        self.ends: list[int] = []

    def reset(self) -> None:
        self.seen = ["reset"]

    def decide(self, view):
        self.seen.append(f"{view.hole_cards()} {view.hole_cards(1 - view.seat)} {view.board}")
        return "call"

    def hand_over(self, tables, rules, rows):
        t = tables[rows[0]]
        assert (t["over"], t["actor"]) == (True, 0)
        self.ends.append(t["seats"]["stack"][0] - t["start_stack"][0])


def test_an_agent_sees_its_own_cards_alone_and_how_hands_end():
    agent = Recorder()
    played, _ = hands_of(agent, 5)
    assert agent.seen[0] == "reset"
    assert len(agent.seen) > 5
    assert all(" ???? " in seen for seen in agent.seen[1:])
    assert agent.ends == [hand.winnings for hand in played]


class Broken(TableAgent):
    name = "broken"

    def decide(self, view):
        raise KeyError("what") if view.street else ValueError("preflop")


class Illegal(Agent):
    name = "illegal"

    def act(self, tables, rules, rows):
        import numpy as np

        return np.array([7])


@pytest.mark.parametrize(("agent", "message"), [(Broken(), "preflop"), (Illegal(), "agent 'illegal'")])
def test_a_failing_agent_is_named(agent, message):
    assert re.search(message, complaint(hands_of, agent, 3))


def fault_at(path: str, *replies: object):
    """The first requests to a path get these replies instead, after the first hand's."""
    rest = list(replies)

    def fault(asked, number):
        return rest.pop(0) if number > 4 and asked.path.endswith(path) and rest else None

    return fault


@pytest.mark.parametrize(
    "fault", [fault_at("act", Reply(429, {}), Reply(503, {})), fault_at("new_hand", DROP, Reply(502, {}))]
)
def test_a_busy_server_is_asked_again_and_for_a_new_hand_after_a_lost_connection(fault):
    played, _ = hands_of(make_agent("calling_station"), 5, fault=fault)
    assert len(played) == 5


@pytest.mark.parametrize("reply", [DROP, Reply(502, {"error_msg": "bad gateway"})])
def test_an_action_is_not_sent_twice(reply):
    """The server may have played it. What was finished stays, and the run ends."""
    with fake_slumbot(policy=caller, fault=fault_at("act", reply)) as (fake, loopback):
        client = SlumbotClient(f"{loopback.url}/api", backoff=0.0)
        played = []
        with pytest.raises(HttpError, match="/api/act: "):
            played.extend(play_slumbot(make_agent("calling_station"), client, 5))
        asked = [each.body.get("incr") for each in loopback.asked]
    assert fake.requests == len(asked) == 7, "the action of the second hand came last, once"
    assert len(played) == 1


def test_a_forgotten_session_is_started_again():
    with fake_slumbot() as (fake, loopback):
        client = SlumbotClient(f"{loopback.url}/api", backoff=0.0)
        list(play_slumbot(make_agent("calling_station"), client, 2))
        fake.games.clear()
        list(play_slumbot(make_agent("calling_station"), client, 2))
    assert fake.dealt == 4


OTHER = {"action": "c", "client_pos": 0, "hole_cards": ["2c", "2d"], "board": [], "token": "x"}


@pytest.mark.parametrize(
    ("answer", "words"),
    [
        ({"error_msg": "Bet too small"}, r"after the action '[ck]': Slumbot says: Bet too small"),
        (OTHER, "the hand has changed from "),
    ],
)
def test_a_refused_action_is_quoted_and_a_hand_that_changes_is_named(answer, words):
    with pytest.raises(SlumbotError, match=words):
        hands_of(make_agent("calling_station"), 5, policy=caller, fault=fault_at("act", answer))


def holdem(*words: object) -> tuple[int, str]:
    result = command_line.holdem("slumbot", *words)
    return result.exit_code, result.output


def test_the_command(tmp_path):
    with fake_slumbot() as (fake, loopback):
        code, text = holdem(
            "random", "--hands", 12, "--url", f"{loopback.url}/api", "--save", tmp_path / "hands.phhs", "--seed", 5
        )
    assert code == 0, text
    won = sum(game.table.payoffs[CLIENT] for game in fake.played) / 12
    assert re.search(rf"random against Slumbot: {re.escape(f'{won:+,.0f}')} ± [\d,]+ bb/100 \(12 hands\)\n", text), text
    assert re.search(rf"compared with Slumbot in its seat: {re.escape(f'{won + 50:+,.0f}')} ± [\d,]+ bb/100", text)
    assert f"12 hands in {tmp_path / 'hands.phhs'}" in text
    records = list(phh.read(tmp_path / "hands.phhs"))
    assert [hand.players for hand in records[:2]] == [("random", "Slumbot"), ("Slumbot", "random")]
    for record, game in zip(records, fake.played, strict=True):
        table = record.replay()
        assert table.payoffs[record.players.index("random")] == game.table.payoffs[CLIENT]
        assert record.metadata["_winnings"] == game.table.payoffs[CLIENT]


def test_folds_and_other_results_are_told(monkeypatch):
    monkeypatch.setitem(names.AGENTS.registered, "folder", Folder)
    with fake_slumbot(policy=caller) as (_, loopback):
        _, text = holdem("folder", "--hands", 4, "--url", f"{loopback.url}/api")
    assert "8 folds were played as checks: Slumbot takes no fold where checking is free" in text

    with fake_slumbot(policy=caller) as (fake, loopback):
        honest = fake.answer
        loopback.answer = lambda asked: (said := honest(asked)) | {name: 7 for name in said if name == "winnings"}
        code, text = holdem("calling_station", "--hands", 2, "--url", f"{loopback.url}/api")
    assert code == 0
    assert "2 results differ from the rules; the first is hand 1: " in text
    assert "+7 by the server" in text


@pytest.mark.parametrize(
    ("agent", "finished", "why"), [("broken", 0, "Broken.decide"), ("interrupted", 1, "interrupted\n")]
)
def test_a_run_that_is_broken_off_sums_up_the_finished_hands(monkeypatch, agent, finished, why):
    monkeypatch.setitem(names.AGENTS.registered, agent, {"broken": Broken, "interrupted": Interrupted}[agent])
    with fake_slumbot(policy=caller) as (fake, loopback):
        fake.dealt = 1  # the button first
        code, text = holdem(agent, "--hands", 5, "--url", f"{loopback.url}/api")
    assert code == 2
    assert (f"{agent} against Slumbot: " in text) == bool(finished)
    assert f"holdem: stopped after {finished} of 5 hands: " in text
    assert why in text.partition("stopped after")[2]


class Interrupted(TableAgent):
    """Somebody presses Ctrl-C while it thinks on a river."""

    name = "interrupted"

    def decide(self, view):
        if view.street == 3 and view.rules.seats == 2 and view.seat != view.button:
            raise KeyboardInterrupt
        return "call"
