"""Undo, copies, pickles and replays of any hand."""

from __future__ import annotations

import copy
import pickle

import pytest
from hypothesis import given

from holdem_env import IllegalMove, Table
from properties.games import choices, everything, games, move_for, play_on, play_out

TWIN_NAMES = ["copy", "copy.copy", "deepcopy", "pickle"]
TWINS = [Table.copy, copy.copy, copy.deepcopy, lambda table: pickle.loads(pickle.dumps(table))]


def played(game, moves):
    """A table, and all that it was before each move."""
    table, states = game.deal(), []
    for choice in moves:
        if table.is_over:
            break
        states.append(everything(table))
        table.play(move_for(table, choice))
    return table, states


@given(games(), choices)
def test_undo_restores_exactly(game, moves):
    table, states = played(game, moves)
    for state in reversed(states):
        table.undo()
        assert everything(table) == state
    with pytest.raises(IllegalMove, match="undo"):
        table.undo()


@pytest.mark.parametrize("twin_of", TWINS, ids=TWIN_NAMES)
@given(game=games(), moves=choices, further=choices)
def test_copies_are_equal_and_independent(twin_of, game, moves, further):
    table = game.deal()
    play_on(table, moves)
    before = everything(table)
    twin = twin_of(table)
    assert everything(twin) == before
    assert twin.rules == table.rules
    play_out(twin, further)
    assert everything(table) == before
    after = everything(twin)
    play_out(table, further)
    assert everything(table) == after
    if len(table.log) > len(game.deal().log):
        twin.undo()
        assert everything(table) == after


@pytest.mark.parametrize("twin_of", TWINS, ids=TWIN_NAMES)
@given(game=games(), moves=choices, others=choices)
def test_what_one_copy_undoes_and_plays_again_is_nothing_to_the_other(twin_of, game, moves, others):
    table, states = played(game, moves)
    twin = twin_of(table)
    for _ in states:
        table.undo()
    play_out(table, others)
    for state in reversed(states):
        twin.undo()
        assert everything(twin) == state


@given(games(), choices)
def test_the_same_seed_and_moves_give_the_same_log(game, moves):
    first, second = game.deal(), game.deal()
    played = play_out(first, moves)
    for move in played:
        second.play(move)
    assert everything(first) == everything(second)
    assert str(first) == str(second)


@given(games(), choices)
def test_a_deck_given_card_by_card_plays_as_the_seeded_one(game, moves):
    seeded = game.deal()
    stacked = game.deal(deck=seeded.deck, seed=game.seed + 1)
    written = game.deal(deck=str(seeded.deck), seed=game.seed + 2)
    for move in play_out(seeded, moves):
        stacked.play(move)
        written.play(move)
    assert seeded.log == stacked.log == written.log
