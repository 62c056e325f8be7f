"""R19: environments where the phases differ in the hands: PettingZoo, Gymnasium, vectors, learners' rewards."""

from __future__ import annotations

import gymnasium
import numpy as np
import pytest
from pettingzoo.test import seed_test

import holdem_env  # noqa: F401 - registers the environments
from envs.api import api_test
from errors import complaint, mentions
from holdem_env import Rules, Session, holdem_v0
from holdem_env.envs.learner_tables import LearnerTables
from holdem_env.envs.sb3 import HoldemVecEnv
from holdem_env.equities.all_in_value import all_in_values_of_tables, new_memory
from holdem_env.history import phh
from rules.playing import check_down

PHASES = [
    {"hands": 1},
    {"game": "omaha", "hands": 1},
    {"game": "flop-holdem", "hands": 1},
    {"game": "short-deck", "hands": 2},
]
RULES = Rules(seats=3, blinds=(5, 10), stacks=200, session={"phases": PHASES, "num_hands": 20})


@pytest.mark.filterwarnings("ignore")
def test_pettingzoo_api_and_seeds(capsys):
    for observation in ("flat", "planes", "tokens"):
        api_test(holdem_v0.env(rules=RULES, observation=observation), num_cycles=100)
    seed_test(lambda: holdem_v0.env(rules=RULES), num_cycles=60)
    capsys.readouterr()


def test_given_decks_are_of_their_hands_games():
    env = holdem_v0.env(rules=RULES, render_mode="ansi")
    decks = ["AsKsQs", "2c3c4c5c", "", "6c7c8c", "9c9d"]
    env.reset(seed=1, options={"deck": decks})
    session = Session(RULES, seed=1)
    for deck in decks:
        table = session.deal(deck=deck)
        cards = table.game.hole_cards
        assert env.records["hole"][0, :3, :cards].tolist() == [list(table.hole_cards(seat)) for seat in range(3)]
        assert env.records["deck"][0, : len(table.deck)].tolist() == list(table.deck)
        assert env.render() == str(table)
        while not table.is_over:
            table.check_call()
            env.step(1)


def test_a_deck_of_another_game_is_an_error_beforehand():
    env = holdem_v0.env(rules=RULES)
    mentions(complaint(env.reset, options={"deck": ["2c", "2c", "2c", "2c"]}), "deck", 0, 3)
    orbits = RULES.replace(session={"phases": [{"orbits": 1}, {"game": "short-deck", "orbits": 1}], "num_hands": 9})
    env = holdem_v0.env(rules=orbits)
    env.reset(options={"deck": ["2c", "6c"]})
    mentions(complaint(env.reset, options={"deck": ["2c", "2c"]}), "deck", 0, 1)


@pytest.mark.filterwarnings("ignore")
def test_one_learners_seat_plays_and_shows_every_phase():
    env = gymnasium.make("holdem_env/HoldemSeat-v0", rules=RULES, opponents="random", render_mode="ansi")
    structures = set()
    for seed in range(3):
        observation, info = env.reset(seed=seed)
        for _ in range(200):
            assert env.observation_space.contains(observation)
            structures.add(env.render().splitlines()[0].split(" ", 2)[0])
            action = int(np.flatnonzero(info["action_mask"])[-1])
            observation, _, over, _, info = env.step(action)
            if over:
                observation, info = env.reset()
    assert structures == {"No", "Pot", "Fixed"}


def test_a_vector_of_learners_sees_all_phases_in_one_space():
    env = HoldemVecEnv(RULES, num_envs=64, opponents=["random"])
    observation = env.reset()
    phases = observation.shape[1] - len(PHASES)
    seen = np.zeros(len(PHASES))
    for _ in range(80):
        seen += observation[:, phases:].sum(axis=0)
        observation, *_ = env.step(env.tables.mask.argmax(axis=1))
    assert (seen > 0).all()


@pytest.mark.slow
def test_all_in_values_are_those_of_each_phases_game():
    """Exact where one or two cards are to come; the memory of hold'em's matchups is asked for hold'em alone."""
    tables = LearnerTables(RULES, 128, ["maniac"], reward="all_in_value", keep_finished=True)
    tables.reset(1)
    memory, seen = new_memory(), set()
    for _ in range(60):
        tables.play(tables.checked_moves(np.where(tables.mask[:, -1] > 0, tables.mask.shape[1] - 1, 1)))
        over = np.flatnonzero(tables.done)
        finished = tables.finished[over]
        values, sampled = all_in_values_of_tables(finished, RULES, 50, memory)
        for phase, game in enumerate(RULES.stages):
            own = finished["stage"] == phase
            alone = finished[own].copy()
            alone["stage"] = 0
            expected, by_samples = all_in_values_of_tables(alone, game, 50, new_memory()[:0])
            same = ~by_samples & ~sampled[own]
            np.testing.assert_allclose(values[own][same], expected[same])
            seen.update([phase] * int(own.sum() > 0))
        assert np.allclose(values.sum(axis=1), 0)
    assert seen == set(range(len(PHASES)))


def test_the_hands_of_a_mixed_session_can_be_written_and_read():
    rules = RULES.replace(session={"phases": [{"hands": 1}, *({"game": name, "hands": 1} for name in VARIANTS)]})
    session = Session(rules, seed=2)
    for variant in ("NT", *VARIANTS.values()):
        table = check_down(session.deal())
        text = phh.dumps(table)
        again = phh.loads(text).replay()
        assert f'variant = "{variant}"' in text
        assert again.board == table.board
        assert sorted(again.payoffs) == sorted(table.payoffs)
        assert {str(again.hole_cards(k)) for k in range(3)} == {str(table.hole_cards(k)) for k in range(3)}


VARIANTS = {"omaha": "PO", "omaha-hi-lo": "FO/8", "short-deck": "NS"}
