"""Sittings: the same players for many hands, and agents that count them."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest

from holdem_agents.scripted import AlwaysFold, Changing, Random
from holdem_env import Rules
from holdem_env.agents.asking import SealedAgent, asked_probabilities
from holdem_env.agents.protocol import Agent
from holdem_env.agents.registry import make_agent
from holdem_env.arena import play_sittings
from holdem_env.envs.self_play import SelfPlayTables

KUHN = Rules.preset("kuhn")


class Listening(AlwaysFold):
    """Notes which hands it is notified of, by the number of the table."""

    name = "listening"
    heard: dict[int, list[int]] = {}

    def hand_over(self, tables, rules, rows):
        for row in rows:
            self.heard.setdefault(int(tables["table_id"][row]), []).append(int(tables["session_hands"][row]))

    def clone(self) -> Agent:
        return self


def test_hands_are_numbered_and_buttons_move():
    agent, buttons = Listening(), []
    agent.heard = {}
    result = play_sittings(
        agent, "random", KUHN, 80, 4, num_tables=10, finished=lambda tables, _: buttons.append(tables["button"].copy())
    )
    assert (result.hands, result.deals) == (80, 10)
    assert len(agent.heard) == 20  # ten tables from two seats
    assert all(hands == [0, 1, 2, 3] for hands in agent.heard.values())
    assert all((one != two).all() for one, two in pairwise(buttons[:4]))


def test_the_same_decks_from_every_seat_and_a_rate_by_hands():
    assert play_sittings("random", Random(), KUHN, 400, 5, num_tables=20).mean == 0
    always = play_sittings("always_fold", "maniac", "heads-up-no-limit", 400, 5, num_tables=20)
    assert always.mean == pytest.approx(-75, abs=12)  # bb/100; the maniac does not always raise


@pytest.mark.parametrize(
    ("rules", "sitting", "message"),
    [(KUHN, 0, "give 1 or more"), (Rules(session={}), 5, "a session is played by play_sessions")],
)
def test_sittings_that_are_none_are_refused(rules, sitting, message):
    with pytest.raises(ValueError, match=message):
        play_sittings("random", "random", rules, 10, sitting)


def test_an_agent_that_changes():
    tables = SelfPlayTables(KUHN, 40, ["random"])
    tables.reset(seed=1)
    tables.records["session_hands"] = np.arange(40) % 20
    agent, rows = Changing("always_fold", "maniac", after=7), np.arange(40)
    views = SealedAgent(agent).views(tables.records, KUHN, rows)
    moves, probabilities = asked_probabilities(agent, tables.records, KUHN, rows)
    for each, theirs in (("always_fold", rows[rows % 20 < 7]), ("maniac", rows[rows % 20 >= 7])):
        assert (agent.act(views, KUHN, rows)[theirs] == make_agent(each).act(views, KUHN, theirs)).all()
        wanted = asked_probabilities(make_agent(each), tables.records, KUHN, theirs)
        width = wanted[0].shape[1]
        assert (moves[theirs, :width] == wanted[0]).all()
        np.testing.assert_allclose(probabilities[theirs, :width], wanted[1])
    assert make_agent({"agent": "changing", "after": 3}).config()["after"] == 3
    with pytest.raises(ValueError, match="give 1 or more"):
        Changing(after=0)


def test_training_tables_play_sittings_with_the_same_opponents():
    listening = Listening()
    listening.heard = {}
    tables = SelfPlayTables(KUHN, 30, [listening, "random", "maniac"], sitting=3)
    tables.reset(seed=1)
    sat: dict[int, list[tuple[int, int, int]]] = {table: [] for table in range(30)}
    for _ in range(60):
        before = tables.finished
        tables.step(np.zeros(len(tables.turn), np.int64))
        assert before is not tables.finished
        for row, table in enumerate(tables.ended):
            number = int(tables.finished["session_hands"][row])
            sat[table].append((int(tables.finished["hand"][row]), number, int(tables.played_by[row].max())))
            assert tables.sitting_over[row] == (number == 2)
    owners = set()
    for hands in sat.values():
        assert [number for number, _, _ in hands] == list(range(len(hands)))
        for number, place, owner in hands:
            assert place == number % 3
            assert owner == hands[number - place][2]
            owners.add(owner)
        assert len({owner for _, _, owner in hands}) > 1
    assert owners == {0, 1, 2}
    heard = sorted(len(hands) for hands in listening.heard.values())
    assert sum(heard) == sum(owner == 0 for hands in sat.values() for _, _, owner in hands)
    with pytest.raises(ValueError, match="sitting: 0 hands"):
        SelfPlayTables(KUHN, 2, ["random"], sitting=0)
    with pytest.raises(ValueError, match="these rules have a session"):
        SelfPlayTables(Rules(session={}), 2, ["random"], sitting=2)
