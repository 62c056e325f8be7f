"""Learners' tables at all levels of a session's blinds."""

from __future__ import annotations

import numpy as np

from errors import complaint, mentions
from holdem_env import Rules
from holdem_env.envs.learner_tables import LearnerTables
from holdem_env.envs.sb3 import HoldemVecEnv

LEVELS = {"levels": [{"hands": 5}, {"times": 2, "hands": 5}, {"times": 10}]}
RULES = Rules(structure="no_limit", seats=2, blinds=(10, 20), stacks=2000, session=LEVELS)


def test_every_level_is_played_by_as_many_tables_in_both_seats_and_stays():
    tables = LearnerTables(RULES, 24, ["calling_station"], levels="all", reward="all_in_value")
    tables.reset(seed=1)
    for _ in range(30):
        blinds = tables.records["blind_level"]
        np.testing.assert_array_equal(blinds, tables.records["stage"])
        for level, big_blind in enumerate((20, 40, 200)):
            mine = blinds == level
            assert np.bincount(tables.learner_seats[mine]).tolist() == [4, 4]
            assert (tables.records["bet_to_match"][mine] >= big_blind * (tables.records["street"][mine] == 0)).all()
            assert (tables.records["start_stack"][mine][:, :2] == 2000).all()
        tables.play(tables.checked_moves(np.ones(24, int)))


def test_observations_measure_chips_in_the_big_blinds_of_the_level():
    env = HoldemVecEnv(RULES, 12, ["calling_station"], levels="all")
    stacks = env.reset()[:, 110]
    assert len(np.unique(stacks)) >= 3
    first = HoldemVecEnv(RULES, 12, ["calling_station"])
    first.reset()
    assert not first.tables.records["stage"].any()


def test_what_cannot_be_is_refused():
    phases = Rules(
        seats=2, session={"phases": [{"structure": "no_limit", "hands": 1}, {"structure": "pot_limit", "hands": 1}]}
    )
    mentions(complaint(LearnerTables, phases, 2, ["random"], levels="all"), "levels", "all")
    mentions(complaint(LearnerTables, RULES, 2, ["random"], levels="last"), "levels", "last")
