"""R19: agents where the phases differ in the hands. In every phase they play as they play that game alone."""

from __future__ import annotations

import numpy as np
import pytest

from holdem_agents.agent_files.game_check import check_same_game
from holdem_agents.scripted import (
    AlwaysFold,
    CallingStation,
    Maniac,
    PotOdds,
    Random,
    loose_aggressive,
    tight_aggressive,
)
from holdem_env import Rules
from holdem_env.arena.matches.match import play_deals
from holdem_env.engine import record
from holdem_env.testing import check_agent
from holdem_env.testing.sampled_tables import random_positions

PHASES = [{"hands": 2}, {"game": "omaha", "orbits": 1}]
PHASES += [{"game": "omaha-hi-lo", "hands": 1}, {"game": "short-deck", "hands": 2}]
RULES = Rules(seats=3, blinds=(5, 10), stacks=600, session={"phases": PHASES})
AGENTS = [Random(), CallingStation(), Maniac(), AlwaysFold(), PotOdds(samples=20)]
AGENTS += [tight_aggressive(), loose_aggressive()]
each_agent = pytest.mark.parametrize("agent", AGENTS, ids=lambda agent: agent.name)


@pytest.mark.fast_cases(2)
@each_agent
def test_agents_keep_their_contract_in_mixed_games(agent):
    check_agent(agent, games=[RULES])


@each_agent
def test_an_agent_plays_each_phase_as_it_plays_that_game_alone(agent):
    tables = random_positions(RULES, 400, seed=3)
    rows = np.flatnonzero(tables["actor"] != record.NOBODY)
    moves = agent.act(tables, RULES, rows)
    for phase, game in enumerate(RULES.stages):
        alone = tables[rows[tables["stage"][rows] == phase]].copy()
        assert len(alone) > 40
        for name in ("stage", "phase", "phase_hands"):
            alone[name] = 0
        theirs = agent.act(alone, game, np.arange(len(alone)))
        assert theirs.tolist() == moves[tables["stage"][rows] == phase].tolist()


def test_a_match_plays_the_phases_in_turn_and_deals_are_those_of_the_phase_alone():
    """Deal d is in the phase of hand d of a whole round: 2, 3, 1 and 2 hands."""
    in_turn = [0, 0, 1, 1, 1, 2, 3, 3]
    seen: dict[int, set[tuple[int, int]]] = {}

    def finished(tables, seating):
        for t in tables:
            seen.setdefault(int(t["table_id"]), set()).add((int(t["stage"]), int(t["hole"][0, 2] >= 0)))

    agents = [CallingStation(), tight_aggressive()]
    played = play_deals(RULES, agents, [0, 1, 1], range(24), seed=5, finished=finished)
    assert [{stage for stage, _ in seen[deal]} for deal in range(24)] == [{phase} for phase in in_turn * 3]
    chips = played.columns["chips"].reshape(24, -1)
    assert np.allclose(chips.reshape(24, 3, 3).sum(axis=2), 0)
    again = play_deals(RULES, agents, [0, 1, 1], range(24), seed=5, tables=7)
    assert (again.columns["chips"] == played.columns["chips"]).all()


def test_a_trained_agent_knows_its_mix():
    mixed = RULES
    check_same_game("mine", mixed, mixed)
    check_same_game("mine", mixed, mixed.replace(blinds=(10, 20)))
    with pytest.raises(ValueError, match=r"with structure|was trained for no_limit, then pot_limit, then fixed_limit"):
        check_same_game("mine", mixed, Rules(seats=3))
    fixed = {"structure": "no_limit"}
    one, other = ({"phases": [{"hands": 1}, {"game": game, "hands": 1, **fixed}]} for game in ("omaha", "short-deck"))
    with pytest.raises(ValueError, match=r"52 cards; .* of 52 cards, then of 36"):
        check_same_game("mine", Rules(seats=3, session=one), Rules(seats=3, session=other))
