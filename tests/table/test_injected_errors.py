"""Dealer's errors injected into hands of sessions and environments whose rules have none (R33-R38)."""

from __future__ import annotations

import numpy as np
import pytest

from holdem_env import DealerErrors, Rules, Session, SessionRules, Table, holdem_v0
from holdem_env.encoders import get_observation
from rules.playing import check_down

FACTORY = list(range(52))
BACKWARDS = FACTORY[::-1]
PLAIN = Rules(seats=3)
ERRING = Rules(seats=3, dealer_errors=DealerErrors())
EARLY = {"deck": FACTORY, "dealer_errors": {"premature_flop": 1}, "reshuffles": [BACKWARDS]}


def test_a_sessions_hand_errs_as_in_a_session_that_was_prepared():
    sessions = [Session(rules, seed=4) for rules in (PLAIN, ERRING)]
    for _ in range(2):
        plain, prepared = (session.deal(**EARLY) for session in sessions)
        check_down(plain)
        check_down(prepared)
        assert plain.log == prepared.log
        assert plain.exposed == prepared.exposed == (7, 8, 9)
        assert plain.board[:3] == (51, 50, 49)
        assert plain.records.tobytes() == prepared.records.tobytes()
    assert sessions[0].stacks == sessions[1].stacks


def test_the_hands_rules_have_dealer_errors_and_the_sessions_rules_do_not():
    session = Session(PLAIN, seed=4)
    table = session.deal(**EARLY)
    table.check_call()
    assert table.rules.dealer_errors == DealerErrors()
    assert session.rules.dealer_errors is None
    assert seen(table, table.rules)[-52:].nonzero()[0].tolist() == [7, 8, 9]
    assert len(seen(table, session.rules)) == len(seen(table, table.rules)) - 52  # plain observations do not show them


def seen(table: Table, rules: Rules) -> np.ndarray:
    encoder = get_observation("flat")
    out = np.zeros((1, encoder.size(rules)), np.float32)
    encoder.observe(table.records, rules.record, np.zeros(1, np.int64), np.zeros(1, np.int64), out)
    return out[0]


def test_the_next_hand_knows_nothing_of_the_errors():
    erred, never = Session(PLAIN, seed=4), Session(PLAIN, seed=4)
    for session, given in (
        (erred, {"exposed_hole_card": 3, "premature_flop": True, "flop_too_many": True}),
        (never, {}),
    ):
        table = session.deal(dealer_errors=given)
        while not table.is_over:
            table.no_action()
    assert erred.table.exposed != ()
    one, other = check_down(erred.deal()), check_down(never.deal())
    assert one.exposed == ()
    assert one.log == other.log
    assert one.rules == PLAIN.replace(session=SessionRules())
    assert "exposed" not in str(one)


def test_errors_that_a_session_refuses_leave_it_as_it_was():
    session = Session(PLAIN, seed=4)
    for given, words in [
        ({"reshuffles": [BACKWARDS]}, "reshuffles: nothing is reshuffled"),
        ({"dealer_errors": {"premature_flop": "late"}}, "premature_flop"),
        ({"deck": FACTORY, "dealer_errors": {"premature_flop": 1}}, "give 1 orders"),
    ]:
        with pytest.raises(ValueError, match=words):
            session.deal(**given)
        assert (session.table, session.hands_played) == (None, 0)
    assert session.deal().log == Session(PLAIN, seed=4).deal().log


def test_games_without_a_flop_turn_and_river_refuse_errors():
    kuhn = Rules.preset("kuhn")
    for inject in (
        lambda: Session(kuhn).deal(dealer_errors={"extra_card": 1}),
        lambda: Table(kuhn, dealer_errors={"extra_card": 1}),
        lambda: holdem_v0.env(kuhn).reset(options={"dealer_errors": {"extra_card": 1}}),
    ):
        with pytest.raises(ValueError, match="R33-R38 are about a flop of three cards"):
            inject()


def test_an_environments_hand_errs_as_in_one_that_was_prepared():
    plain, prepared = (holdem_v0.env(rules, num_hands=2) for rules in (PLAIN, ERRING))
    for env in (plain, prepared):
        env.reset(seed=5, options=EARLY)
        assert not env.unwrapped.records["exposed"].any()
        env.step(1)
        assert env.unwrapped.records["exposed"][0].nonzero()[0].tolist() == [7, 8, 9]
    boards = set()
    while plain.agents:
        boards.add(tuple(plain.unwrapped.records["board"][0, :3].tolist()))
        assert plain.agent_selection == prepared.agent_selection
        assert plain.unwrapped.records.tobytes() == prepared.unwrapped.records.tobytes() or plain.unwrapped.hands_played
        action = None if plain.terminations[plain.agent_selection] else 1
        assert plain.last()[1:4] == prepared.last()[1:4]
        plain.step(action)
        prepared.step(action)
    assert not prepared.agents
    assert (51, 50, 49) in boards


def test_its_observations_have_the_size_that_its_spaces_say_and_show_what_their_layout_has():
    plain, prepared = (holdem_v0.env(rules) for rules in (PLAIN, ERRING))
    for env in (plain, prepared):
        env.reset(seed=5, options=EARLY)
        env.step(1)
    agent = plain.agent_selection
    short, long = (env.observe(agent)["observation"] for env in (plain, prepared))
    assert plain.observation_space(agent)["observation"].contains(short)
    np.testing.assert_array_equal(long[:-52], short)
    assert long[-52:].nonzero()[0].tolist() == [7, 8, 9]


def test_only_the_first_hand_of_the_episode_errs_and_the_next_episode_does_not():
    env = holdem_v0.env(PLAIN, num_hands=2, render_mode="ansi")
    env.reset(seed=5, options={"dealer_errors": {"exposed_hole_card": 2, "premature_flop": True}})
    assert "exposed by the dealer" in env.render()
    while env.unwrapped.hands_played == 0:
        env.step(0)
    assert "exposed by the dealer" not in env.render()
    assert not env.unwrapped.records["exposed"].any()
    env.reset(seed=5, options={"dealer_errors": {"exposed_hole_card": 2}})
    env.reset(seed=5)
    twin = Table(PLAIN, seed=5)
    assert not env.unwrapped.records["exposed"].any()
    assert env.unwrapped.records["hole"][0, :3, :2].tolist() == [list(twin.hole_cards(seat)) for seat in range(3)]
