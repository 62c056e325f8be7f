"""R29: rules with showing="manual" are refused where nobody can be asked who shows."""

from __future__ import annotations

import gymnasium
import pytest

from holdem_env import Rules, Tables, holdem_v0
from holdem_env.arena import exploitability, local_best_response, play_match
from holdem_env.arena.tournaments.plan import Tournament

PLAYERS = {
    "Tables": lambda rules: Tables(rules, 2),
    "HoldemEnv": lambda rules: holdem_v0.env(rules),
    "HoldemSeat": lambda rules: gymnasium.make("holdem_env/HoldemSeat-v0", rules=rules),
    "HoldemSeat, vector": lambda rules: gymnasium.make_vec("holdem_env/HoldemSeat-v0", num_envs=2, rules=rules),
    "match": lambda rules: play_match("calling_station", "maniac", rules, hands=2, num_tables=1),
    "tournament": lambda rules: Tournament(rules=rules, agents=["calling_station", "maniac"]),
    "local best response": lambda rules: local_best_response("calling_station", rules, hands=2),
    "exploitability": lambda rules: exploitability("calling_station", rules),
}


@pytest.mark.parametrize("player", PLAYERS)
def test_r29_only_tables_of_one_hand_and_sessions_play_it(player):
    rules = Rules.preset("kuhn" if player == "exploitability" else "heads-up-limit", showing="manual")
    with pytest.raises(ValueError, match=r"showing: 'manual': .* showing='automatic', .* Table or a Session"):
        PLAYERS[player](rules)
