"""The messages of the JSON lines: what they say is true, what they may not say is not in them, and the schema fits."""

from __future__ import annotations

import json
import re
from functools import cache
from importlib.metadata import version

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from holdem_env import Rules, Session, Table
from holdem_env.cards.text import NAMES
from holdem_env.engine.record import MAX_MOVES, SHOWN
from holdem_env.engine.seat_view import new_views, view_rows
from holdem_env.protocols.json_lines import program_agent
from holdem_env.protocols.json_lines.program_agent import ProgramAgent
from holdem_env.protocols.json_lines.schema import FILE, schema, schema_text
from holdem_env.protocols.json_lines.situations import decisions_of, ends_of, hello_of
from holdem_env.testing.sampled_tables import GAMES, random_positions
from pages import REPOSITORY
from properties.games import choices, games, play_on, play_out
from properties.test_hidden_cards import with_another_deck

ONE_ROW = np.zeros(1, np.int64)
SCHEMA = schema()


def decision(table: Table) -> dict:
    """The message about a table to the seat to act, as a bot reads it."""
    (message,) = decisions_of(table.view().records, table.rules, 7, ["x"], [0.5])
    return json.loads(json.dumps(message))


def end(table: Table, seat: int) -> dict:
    """The message to a seat about a hand that is over."""
    view = new_views(1)
    view_rows(table.records, table.rules.record, ONE_ROW, view, np.array([seat]))
    view["actor"] = seat
    (message,) = ends_of(view, table.rules, ["x"])
    return json.loads(json.dumps(message))


@cache
def validator_of(kind: str):
    """What checks a kind of message against the schema."""
    validator = pytest.importorskip("jsonschema").Draft202012Validator
    return validator({"$ref": f"#/$defs/{kind}", "$defs": SCHEMA["$defs"]})


def check(message: dict, kind: str = "to_bot") -> None:
    """Check a message against the schema; it has no field that the schema does not have."""
    validator_of(kind).validate(message)
    if kind == "to_bot":
        name = {"hello": "Hello", "decision": "Decision", "hand_over": "HandOver"}[message["type"]]
        assert set(message) == set(SCHEMA["$defs"][name]["properties"])
        game = SCHEMA["$defs"]["Game"]["properties"]
        assert all(set(each) == set(game) for each in message.get("games", [message.get("game")]))


def test_the_schema_in_the_package_is_current():
    pinned = re.search(r"^pydantic==(\S+)$", (REPOSITORY / "constraints.txt").read_text(), re.MULTILINE)
    if pinned and version("pydantic") != pinned[1]:
        pytest.skip(f"pydantic {pinned[1]} writes the schema, other versions may write it otherwise")
    assert FILE.read_text() == schema_text(), "rewrite it: python -m holdem_env.protocols.json_lines --write"


def test_a_decision_says_what_the_seat_sees():
    rules = Rules(seats=3, blinds=(50, 100), ante=10, straddle=200, stacks=(5_000, 300, 40_000), smallest_chip=5)
    table = Table(rules, button=1, seed=3)
    table.raise_to(600)  # seat 1, all-in or not, has acted as the straddler's left neighbour
    message = decision(table)
    assert message["type"] == "decision"
    assert (message["id"], message["hand"], message["random"], message["more"]) == (7, "x", 0.5, 0)
    assert message["seat"] == table.actor
    assert message["positions"] == [table.positions[seat].name for seat in range(3)]
    assert message["hole_cards"] == [str(table.view().hole_cards()[k : k + 1]) for k in range(2)]
    for name in ("stacks", "starting_stacks", "bets", "pot", "street", "button"):
        assert message[name] == getattr(table, name), name
    legal = table.legal
    raises = {"raise_min": legal.raise_min, "raise_max": legal.raise_max}
    assert message["legal"] == {"check": False, "call": legal.call, **raises}
    assert [(each["seat"], each["kinds"], each["ante"], each["bet"]) for each in message["posted"]] == [
        (seat, [kind.removeprefix("post_") for kind in posting.kinds], posting.ante, posting.bet)
        for seat, posting in enumerate(table.posted)
    ]
    assert {"ante", "straddle"} <= {kind for each in message["posted"] for kind in each["kinds"]}
    game = message["game"]
    assert (game["blinds"], game["ante"], game["straddle"], game["smallest_chip"]) == ([50, 100], 10, 200, 5)
    assert sorted(game["deck"]) == sorted(NAMES)
    assert message["session"] is None
    check(message)


WORDS = {"fold": "fold", "check": "check", "call": "call", "bet": "raise", "raise": "raise"}


@given(game=games(), moves=choices)
def test_moves_are_those_of_the_log(game, moves):
    """Checks and calls, which the record does not distinguish, are distinguished as in the table's log."""
    table = game.deal()
    play_on(table, moves)
    if table.is_over or len(table.view().moves) == MAX_MOVES:
        return
    seen = [
        (operation.seat, WORDS[operation.kind], operation.amount) for operation in table.log if operation.kind in WORDS
    ]
    message = decision(table)
    found = [(each["seat"], each["move"], each.get("to")) for each in message["moves"]]
    assert [move[:2] for move in found] == [move[:2] for move in seen]
    assert [to for *_, to in found if to] == [amount for _, word, amount in seen if word == "raise"]
    assert message["moves_left_out"] == 0


def test_of_a_long_hand_the_latest_moves_are_listed():
    table = Table(Rules(seats=2, blinds=(1, 2), stacks=2_000), seed=1)
    while table.records["moves"][0] < MAX_MOVES + 9:
        table.raise_to(table.legal.raise_min)
    table.check_call()
    table.check_call()
    message = decision(table)
    assert len(message["moves"]) == MAX_MOVES
    assert message["moves_left_out"] == 11
    assert [each["move"] for each in message["moves"][-3:]] == ["raise", "call", "check"]
    check(message)


@given(game=games(), moves=choices, seat=st.integers(0, 9))
def test_messages_fit_the_schema(game, moves, seat):
    table = game.deal()
    play_on(table, moves)
    check(hello_of(game.rules))
    if not table.is_over:
        check(decision(table))
        play_out(table, [])
    message = end(table, seat % game.rules.seats)
    assert message["payoffs"] == table.payoffs
    assert message["rake_taken"] == table.rake
    check(message)


def cards_in(text: str) -> set[str]:
    """All cards that stand in a message, those of the game's deck left out."""
    message = json.loads(text)
    message.pop("game", None)
    message.pop("hand", None)
    return set(re.findall(r'"([2-9TJQKA][cdhs])"', json.dumps(message)))


class Taken:
    """Stands for a program: it takes down what it is sent, and calls."""

    is_here = True

    def __init__(self, *_: object) -> None:
        self.lines: list[bytes] = []

    def send(self, data: bytes) -> None:
        self.lines += data.splitlines()

    def exchange(self, data: bytes, seconds: float):
        self.send(data)
        for line in data.splitlines():
            message = json.loads(line)
            answer = {"hand_over": True} if message["type"] == "hello" else {"id": message["id"], "move": "call"}
            yield json.dumps(answer).encode()

    def processor_time(self) -> None:
        """Nobody knows."""

    def close(self) -> None:
        """Nothing to close."""


@given(game=games(), moves=choices, shuffling=st.randoms(use_true_random=False))
def test_no_message_has_a_card_that_the_seat_cannot_know(game, moves, shuffling):
    """The raw bytes that a program gets, in the middle of a hand and at its end."""
    table = game.deal()
    played = play_on(table, moves)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(program_agent, "Program", Taken)
        if not table.is_over:
            agent, twin = ProgramAgent("x"), ProgramAgent("x")
            seat = table.actor
            agent.move(table)
            known = {NAMES[card] for card in (*table.hole_cards(seat), *table.board, *table.exposed)}
            known |= {
                NAMES[c] for other in range(game.rules.seats) if table.is_shown(other) for c in table.hole_cards(other)
            }
            line = agent._program.lines[1]
            assert cards_in(line.decode()) <= known
            twin.move(with_another_deck(game, table, seat, played, shuffling))
            # Random words and names of hands belong to a deck, and tell nothing about it.
            assert _without_words(line) == _without_words(twin._program.lines[1])
            play_out(table, [])
        for seat in range(game.rules.seats):
            agent = ProgramAgent("x")
            view = new_views(1)
            view_rows(table.records, table.rules.record, ONE_ROW, view, np.array([seat]))
            view["actor"] = seat
            agent.hand_over(view, table.rules, ONE_ROW)
            shown = [other for other in range(game.rules.seats) if other == seat or table.is_shown(other)]
            was_dealt = [other for other in shown if table.records["was_dealt"][0, other]]
            known = {NAMES[card] for other in was_dealt for card in table.hole_cards(other)}
            known |= {NAMES[card] for card in (*table.board, *table.exposed)}
            assert cards_in(agent._program.lines[1].decode()) <= known


def _without_words(line: bytes) -> dict:
    message = json.loads(line)
    return {name: value for name, value in message.items() if name not in ("random", "hand")}


def test_the_numbers_of_seed_table_and_hand_are_not_told():
    table = Table(Rules(), seed=123456789, hand=77123, table_id=9912345)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(program_agent, "Program", Taken)
        agent = ProgramAgent("x")
        agent.move(table)
        agent.act(table.records, table.rules, ONE_ROW)  # records that nobody has sealed
    for line in agent._program.lines[1:]:
        assert not re.search(rb"123456789|77123|9912345|75bcd15|973919", line)


def test_a_session_says_where_it_stands():
    session = {"levels": [{"hands": 1}, {"times": 2}], "prizes": (0.7, 0.3), "num_hands": 50}
    rules = Rules(seats=3, blinds=(50, 100), stacks=400, session=session)
    session = Session(rules, seed=1)
    seen, hands = [], []
    for table in session:
        while not table.is_over:
            message = decision(table)
            check(message)
            seen.append(message)
            hands.append(session.hands_played)
            goes_in = session.hands_played > 2 and table.actor < 2
            table.play((table.legal.raise_max or 0) if goes_in or len(seen) > 40 else -1)
    check(hello_of(rules))
    assert [game["blinds"] for game in hello_of(rules)["games"]] == [[50, 100], [100, 200]]
    first, last = seen[0]["session"], seen[-1]["session"]
    assert (first["hands_played"], first["level"], first["players_left"], first["places"]) == (0, 0, 3, [0, 0, 0])
    assert first["prizes"] == [0.7, 0.3]
    assert first["num_hands"] == 50
    assert seen[0]["game"]["blinds"] == [50, 100]
    assert seen[-1]["game"]["blinds"] == [100, 200]
    assert last["level"] == 1
    assert [each["session"]["hands_played"] for each in seen] == hands
    out = [message for message in seen if message["session"]["players_left"] == 2]
    assert all(None in message["positions"] and 3 in message["session"]["places"] for message in out)


def test_exposed_and_shown_cards_are_there():
    rules = Rules(seats=3, blinds=(50, 100), stacks=(1000, 1000, 5000), dealer_errors={"exposed_hole_card": 1.0})
    table = Table(rules, seed=5)
    exposed = [str(table.exposed[k : k + 1]) for k in range(len(table.exposed))]
    assert exposed
    assert decision(table)["exposed"] == exposed
    open_hand = Table(Rules(seats=2, blinds=(50, 100)), seed=2)
    open_hand.raise_to(10_000)
    open_hand.check_call()
    message = end(open_hand, 0)
    assert message["shown"][1] == [str(open_hand.hole_cards(1)[k : k + 1]) for k in range(2)]
    assert open_hand.records["shown"][0, 1] == SHOWN


@pytest.mark.parametrize("rules", GAMES)
def test_a_batch_says_the_same_as_single_messages(rules):
    tables = random_positions(rules, 40, seed=4)
    rows = np.flatnonzero(tables["actor"] >= 0)
    views = new_views(len(rows))
    view_rows(tables, rules.record, rows, views)
    together = decisions_of(views, rules, 0, ["x"] * len(rows), [0.0] * len(rows))
    for k, message in enumerate(together):
        (alone,) = decisions_of(views[k : k + 1], rules, k, ["x"], [0.0])
        assert {**message, "more": 0} == alone
        assert message["more"] == len(rows) - 1 - k
