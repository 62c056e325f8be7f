"""Steps of tables, few enough for plain Python: the hands and sessions that Table and Session play, one by one."""

from __future__ import annotations

import numpy as np
import pytest

from holdem_env import Rules, Session, Table, Tables

TABLES, SEED = 4, 11
SHORT = {"seats": 3, "blinds": (5, 10), "stacks": 60}


def offered(tables: Tables, chance: np.random.Generator) -> np.ndarray:
    """One of the offered actions for each table."""
    return np.array([chance.choice(np.flatnonzero(row)) for row in tables.mask])


def chosen_moves(tables: Tables, actions: np.ndarray) -> list[int]:
    return tables.choices[np.arange(len(actions)), actions].tolist()


def test_every_table_plays_its_own_hands_and_pays_them_when_they_end():
    rules, chance = Rules(**SHORT), np.random.default_rng(0)
    tables = Tables(rules, num_tables=TABLES, seed=SEED)
    hands = [0] * TABLES

    def deal(k: int) -> Table:
        return Table(rules, button=hands[k] % 3, seed=SEED, table_id=k, hand=hands[k])

    alone = [deal(k) for k in range(TABLES)]
    ended = 0
    for _ in range(40):
        assert tables.actor.tolist() == [table.actor for table in alone]
        assert tables.records["pot"].tolist() == [table.pot for table in alone]
        actions = offered(tables, chance)
        moves = chosen_moves(tables, actions)
        tables.step(actions)
        for k, move in enumerate(moves):
            alone[k].play(move)
            reward, over = [0.0] * 3, alone[k].is_over
            while alone[k].is_over:
                reward = [a + b for a, b in zip(reward, alone[k].payoffs, strict=True)]
                hands[k] += 1
                alone[k] = deal(k)
            assert tables.reward[k].tolist() == reward
            assert tables.done[k] == over
            ended += over
        assert not tables.session_over.any()
        assert tables.records["hand"].tolist() == hands
    assert ended > 10


@pytest.mark.parametrize("kind", [{}, {"num_hands": 7}, {"button": "moving", "first_button": "high_card"}])
def test_every_table_plays_its_own_sessions_and_begins_again_after_the_last_hand(kind):
    """After a session comes one with the same stacks, whose hands are numbered on."""
    rules, chance = Rules(**SHORT, session=kind), np.random.default_rng(1)
    tables = Tables(rules, num_tables=2, seed=SEED)
    sessions_over, hands_over = 0, 0
    for _ in range(150):
        before = tables.records.copy()
        tables.step(offered(tables, chance))
        for k in range(2):
            old, new = before[k], tables.records[k]
            hands_over += tables.done[k]
            if not tables.done[k]:
                assert not tables.session_over[k]
                assert not tables.reward[k].any()
                assert (new["hand"], new["session_hands"]) == (old["hand"], old["session_hands"])
                continue
            assert tables.reward[k].sum() == 0
            dealt = new["hand"] - old["hand"]
            assert dealt >= 1
            if not tables.session_over[k]:
                assert new["session_hands"] == old["session_hands"] + dealt
                continue
            sessions_over += 1
            assert 0 <= new["session_hands"] < dealt  # hands in which nobody is asked are dealt on the way
            places = tables.place[k].tolist()
            if "num_hands" not in kind:
                assert sorted(places) in ([1, 2, 3], [1, 2, 2])
            assert new["session_over"] == 0
            if dealt == 1:
                assert new["start_stack"][:3].tolist() == [60] * 3
                assert new["presence"][:3].tolist() == [1] * 3
                assert new["place"][:3].tolist() == [0] * 3
    assert sessions_over > 3
    assert hands_over > sessions_over


def test_the_first_session_of_a_table_is_that_of_session():
    rules = Rules(**SHORT, session={"num_hands": 5})
    tables, session = Tables(rules, num_tables=1, seed=SEED), Session(rules, seed=SEED)
    chance = np.random.default_rng(2)
    for _ in range(5):
        table = session.deal()
        payoffs = np.zeros(3)
        while not table.is_over:
            assert tables.actor[0] == table.actor
            actions = offered(tables, chance)
            (move,) = chosen_moves(tables, actions)
            tables.step(actions)
            table.play(move)
            assert tables.done[0] == table.is_over
        payoffs += table.payoffs
        assert tables.reward[0].tolist() == payoffs.tolist()
        if tables.session_over[0]:
            break
    assert session.is_over
    assert tables.session_over[0]


def test_a_first_hand_in_which_nobody_is_asked_is_played_and_paid():
    """The antes leave both players all-in; who loses rebuys."""
    rules = Rules(seats=2, blinds=(5, 10), ante=6, stacks=10, session={"kind": "cash", "rebuy": 100})
    for seed in range(4):
        tables, session = Tables(rules, num_tables=1, seed=seed), Session(rules, seed=seed)
        table, payoffs = session.deal(), np.zeros(2)
        while table.is_over:
            payoffs += table.payoffs
            table = session.deal()
        assert tables.actor[0] == table.actor
        assert tables.records["hand"][0] == table.records["hand"][0] > 0
        assert tables.records["session_hands"][0] == session.hands_played > 0
        assert tables.reward[0].tolist() == payoffs.tolist() != [0, 0]
