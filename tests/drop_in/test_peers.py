"""The drop-in environments beside PettingZoo's and RLCard's: what both show, offer and pay where the rules agree."""

from __future__ import annotations

from types import ModuleType
from typing import Any

import numpy as np
import pytest

from holdem_env.pettingzoo import leduc_holdem_v5, texas_holdem_no_limit_v7, texas_holdem_v5

pytest.importorskip("rlcard")
pytest.importorskip("pygame")
# What PettingZoo and Gymnasium say of their own environments.
pytestmark = pytest.mark.filterwarnings("ignore::DeprecationWarning", "ignore::UserWarning")

PEERS = {
    texas_holdem_no_limit_v7: "texas_holdem_no_limit_v6",
    texas_holdem_v5: "texas_holdem_v4",
    leduc_holdem_v5: "leduc_holdem_v4",
}
SUITS = "CDHS"
FOLD = {texas_holdem_no_limit_v7: 0, texas_holdem_v5: 2, leduc_holdem_v5: 2}
RAISE = {texas_holdem_no_limit_v7: 4, texas_holdem_v5: 1, leduc_holdem_v5: 1}
CHECK_OR_CALL = {texas_holdem_no_limit_v7: (1,), texas_holdem_v5: (3, 0), leduc_holdem_v5: (3, 0)}


def pair(module: ModuleType, seed: int) -> tuple[Any, Any]:
    """Their environment and ours with the same cards, the same seat with the small blind."""
    from pettingzoo import classic

    theirs = getattr(classic, PEERS[module]).raw_env()
    theirs.reset(seed=seed)
    game = theirs.env.game
    small = min(range(2), key=lambda player: game.players[player].in_chips)
    ours = module.raw_env()
    deck = deck_of(game, small)
    for seed_of_ours in range(100):
        ours.reset(seed=seed_of_ours, options={"deck": deck})
        if ours.records["button"][0] == small:
            return theirs, ours
    raise AssertionError("no seed gives this seat the button")


def deck_of(game: Any, small: int) -> list[int]:
    """Their cards in our order: dealing begins left of the button, which has the small blind."""
    hands = [np.atleast_1d(player.hand).tolist() for player in game.players]
    coming = game.dealer.deck[::-1]
    dealt = [card_of(hand[k]) for k in range(len(hands[0])) for hand in (hands[1 - small], hands[small])]
    if len(hands[0]) == 1:
        return [*dealt, card_of(coming[0])]
    board = [card_of(card) for card in coming[:5]]
    burnt = [card for card in range(52) if card not in {*dealt, *board}]
    return [*dealt, burnt[0], *board[:3], burnt[1], board[3], burnt[2], board[4]]


def card_of(card: Any) -> int:
    return 4 * "23456789TJQKA".index(card.rank) + SUITS.index(card.suit)


def compare(theirs: Any, ours: Any) -> None:
    """Both show and offer the same to the seat to act, and show the same to the other."""
    assert ours.agent_selection == theirs.agent_selection
    for agent in ours.agents:
        seen, expected = ours.observe(agent), theirs.observe(agent)
        assert seen["observation"].dtype == expected["observation"].dtype
        np.testing.assert_array_equal(seen["observation"], expected["observation"])
    seen, expected = (env.observe(env.agent_selection)["action_mask"] for env in (ours, theirs))
    assert seen.dtype == expected.dtype
    same = slice(None) if len(seen) == 4 else [0, 1, 4]  # half a pot and a pot are not the same chips
    np.testing.assert_array_equal(seen[same], expected[same])


def passive(module: ModuleType, env: Any) -> int:
    mask = env.observe(env.agent_selection)["action_mask"]
    return next(action for action in CHECK_OR_CALL[module] if mask[action])


@pytest.mark.parametrize("players", [2, 6])
@pytest.mark.parametrize("module", PEERS)
def test_spaces_and_agents(module: ModuleType, players: int) -> None:
    from pettingzoo import classic

    arguments = {} if module is leduc_holdem_v5 else {"num_players": players}
    theirs, ours = getattr(classic, PEERS[module]).env(**arguments), module.env(**arguments)
    assert ours.possible_agents == theirs.possible_agents
    for agent in ours.possible_agents:
        assert ours.observation_space(agent) == theirs.observation_space(agent)
        assert ours.action_space(agent) == theirs.action_space(agent)
    assert type(ours) is type(theirs)


@pytest.mark.parametrize("seed", range(8))
@pytest.mark.parametrize("moves", ["f", "cf", "rf", "cc", "rc", "rrc"])
@pytest.mark.parametrize("module", PEERS)
def test_hands_are_seen_and_paid_alike(module: ModuleType, moves: str, seed: int) -> None:
    """The first street, move by move; then checks to the end, by their own order of play."""
    theirs, ours = pair(module, seed)
    for move in moves if module is not texas_holdem_no_limit_v7 else moves.replace("rr", "r"):
        compare(theirs, ours)
        for env in (theirs, ours):
            env.step(passive(module, env) if move == "c" else {"f": FOLD, "r": RAISE}[move][module])
    for env in (theirs, ours):
        while not any(env.terminations.values()):
            env.step(passive(module, env))
    assert ours.rewards == theirs.rewards
