"""Omaha, hi-lo, short deck, Leduc's and Kuhn's poker behind every face, and what cannot describe or write them."""

from __future__ import annotations

import warnings

import numpy as np
import pytest
from pettingzoo.test import seed_test

from envs.api import api_test
from errors import complaint, mentions
from holdem_env import Rules, Table, Tables, holdem_v0
from holdem_env.game.presets import VARIANTS as GAMES
from holdem_env.history import HistoryError, acpc, phh
from holdem_env.testing import check_encoder
from rules.playing import check_down

OBSERVATIONS = ("flat", "planes", "tokens")
ACTIONS = ("limit", "pot_fractions", "fcpa", "classic_actions", "continuous")


@pytest.fixture(autouse=True)
def _no_warnings():
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # what PettingZoo says of every dict observation
        yield


@pytest.mark.parametrize("name", GAMES)
def test_pettingzoo_api_and_seeds(name, capsys):
    rules = Rules.preset(name)
    api_test(holdem_v0.env(rules=rules), num_cycles=60)
    api_test(holdem_v0.env(rules=rules, num_hands=3, observation="tokens"), num_cycles=60)
    seed_test(lambda: holdem_v0.env(rules=rules, num_hands=1), num_cycles=20)
    capsys.readouterr()


@pytest.mark.parametrize("name", GAMES)
def test_encoders_keep_their_contract(name):
    for encoder in (*OBSERVATIONS, *ACTIONS):
        check_encoder(encoder, [Rules.preset(name)], positions=60)


@pytest.mark.parametrize("name", [name for name in GAMES if name != "leduc"])
def test_encoders_that_cannot_describe_a_game_say_so(name):
    rules = Rules.preset(name)
    with pytest.raises(ValueError, match=r"observation 'classic_(no_)?limit' is for Texas hold'em; .*flat"):
        Tables(rules, 2, observation="classic")
    mentions(complaint(Tables, rules, 2, observation="flat+equity"), "equity")
    mentions(complaint(holdem_v0.env, rules=rules, observation="classic"), "observation")


@pytest.mark.fast_cases(3)
@pytest.mark.parametrize("name", GAMES)
def test_tables_play_the_hands_that_table_plays(name):
    rules = Rules.preset(name)
    tables = Tables(rules, 16, seed=5, threads=2)
    mirrors = [Table(rules, button=0, seed=5, table_id=i) for i in range(16)]
    for salt in range(60):
        actions = tables.random_actions(salt)
        moves = tables.choices[np.arange(16), actions].tolist()
        tables.step(actions)
        for i, move in enumerate(moves):
            mirrors[i].play(move)
            assert tables.done[i] == mirrors[i].is_over
            if mirrors[i].is_over:
                assert tables.reward[i].tolist() == mirrors[i].payoffs
                hand = int(tables.records["hand"][i])
                mirrors[i] = Table(rules, button=hand % rules.seats, seed=5, table_id=i, hand=hand)


@pytest.mark.parametrize("name", GAMES)
def test_a_format_that_cannot_say_a_game_refuses_it(name):
    table = check_down(Table(Rules.preset(name), seed=1))
    with pytest.raises(HistoryError, match=r"only Texas hold'em can be written|the ACPC's formats have no "):
        acpc.dumps(table)
    if name in ("omaha", "omaha-hi-lo", "short-deck"):
        assert phh.loads(phh.dumps(table)).replay().is_over
    else:
        mentions(complaint(phh.dumps, table, kind=HistoryError), "PHH has no code for hold'em with")


def test_rewards_of_kuhn_are_openspiels_returns():
    env = holdem_v0.env(rules=Rules.preset("kuhn"))
    env.reset(options={"deck": "JsKs", "button": 1})
    for action in (2, 1):  # bet, call
        env.step(action)
    assert env.rewards == {"player_0": -2.0, "player_1": 2.0}
