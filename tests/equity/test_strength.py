"""Strength against a random hand: made hands, turn and river exactly, the flop nearly, before it the table."""

from __future__ import annotations

import subprocess
import sys
from itertools import combinations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numba.core import config

from equity import brute_force
from examples import examples
from holdem_env import equity
from holdem_env.cards.text import parse_cards
from holdem_env.compiled.compiler import kernel
from holdem_env.equities import strength as engine
from holdem_env.equities.strength_tables import TABLE_PATH, load_preflop

PLAIN = bool(config.DISABLE_JIT)
compiled_only = pytest.mark.skipif(PLAIN, reason="takes too long as plain Python")
EXAMPLES = 5 if PLAIN else 50
TWO_SUITS = [4 * rank + suit for rank in range(13) for suit in (0, 2)]
decks = st.one_of(st.permutations(range(52)), st.permutations(TWO_SUITS))


@kernel
def ask(hole, board, board_count, out):
    out[0], out[2] = engine.strength_and_spread(hole, 2, board, board_count)
    out[1] = engine.made_strength(hole, 2, board, board_count)


def answers(hole, board, dtype=np.int8):
    """Strength, made strength, and spread."""
    out = np.empty(3)
    room = np.full(5, -1, dtype)  # as in the record: the cards not yet dealt are -1
    room[: len(board)] = board
    ask(np.array(hole, dtype), room, len(board), out)
    return out


@examples(EXAMPLES)
@given(decks, st.sampled_from([3, 4, 5]))
def test_made_strength_is_the_share_against_all_hands(deck, known):
    hole, board = deck[:2], deck[2 : 2 + known]
    assert answers(hole, board)[1] == pytest.approx(brute_force.against_all(hole, board), abs=1e-12)


@examples(EXAMPLES)
@given(decks)
def test_river(deck):
    strength, made, spread = answers(deck[:2], deck[2:7])
    assert strength == made == pytest.approx(brute_force.against_all(deck[:2], deck[2:7]), abs=1e-12)
    assert spread == 0


@examples(2 if PLAIN else 20)
@given(decks)
def test_turn(deck):
    hole, board = deck[:2], deck[2:6]
    shares = [brute_force.against_all(hole, [*board, card]) for card in range(52) if card not in {*hole, *board}]
    strength, _, spread = answers(hole, board)
    assert strength == pytest.approx(np.mean(shares), abs=1e-12)
    assert spread == pytest.approx(np.std(shares), abs=1e-7)


@compiled_only
def test_flop():
    """An estimate, whose error is as the docstring says."""
    off = []
    for deck in np.random.default_rng(3).permuted(np.tile(np.arange(52), (60, 1)), axis=1):
        exact = equity([deck[:2], "random"], deck[2:5]).equity[0]
        off.append(answers(deck[:2], deck[2:5])[0] - exact)
    assert np.sqrt(np.mean(np.square(off))) < 0.02
    assert np.abs(off).max() < 0.07
    assert abs(np.mean(off)) < 0.006


@compiled_only
def test_flop_spread():
    hole, flop = parse_cards("AhKh"), parse_cards("Qh7h2c")
    rest = [card for card in range(52) if card not in {*hole, *flop}]
    shares = [answers(hole, [*flop, *two])[0] for two in combinations(rest, 2)]
    strength, _, spread = answers(hole, flop)
    assert strength == pytest.approx(np.mean(shares), abs=0.03)
    assert spread == pytest.approx(np.std(shares), abs=0.03)


def test_a_draw_has_more_potential_than_a_made_hand():
    draw, made = (answers(parse_cards(hand), parse_cards("9hTh2c")) for hand in ("8h7h", "AcTc"))
    assert draw[1] < 0.3
    assert draw[0] > 0.55
    assert draw[2] > 0.3 > 0.25 > made[2]


@examples(EXAMPLES)
@given(decks, st.sampled_from([0, 3, 4, 5]), st.sampled_from([np.int8, np.int64]))
def test_the_order_of_the_cards_does_not_matter(deck, known, dtype):
    hole, board = deck[:2], deck[2 : 2 + known]
    np.testing.assert_array_equal(answers(hole, board), answers(hole[::-1], board[::-1], dtype))


@pytest.mark.fast_cases(2)
@compiled_only
@pytest.mark.parametrize("hand", ["AsAh", "AsKs", "AsKh", "7h2s", "7h2h", "2c2d", "JdTd"])
def test_before_the_flop(hand):
    assert answers(parse_cards(hand), [])[0] == pytest.approx(equity([hand, "random"]).equity[0], abs=1e-6)


def test_the_table_is_a_weighted_mean_of_one_half():
    """All hands together have half the pot against a random hand; suited hands have more than offsuit ones."""
    mean, spread = load_preflop()
    ways = np.where(np.eye(13, dtype=bool), 6, np.tril(np.full((13, 13), 4)) + np.triu(np.full((13, 13), 12)))
    assert ways.sum() == 1326
    assert (mean * ways).sum() / 1326 == pytest.approx(0.5, abs=1e-6)
    low = np.tril_indices(13, -1)
    assert (mean[low] > mean.T[low]).all()
    assert ((spread > 0.1) & (spread < 0.36)).all()


@pytest.mark.slow
@compiled_only
def test_one_entry_of_the_table_is_what_its_builder_finds():
    from holdem_env.equities.strength_tables import RIVER, sum_over_boards

    sums, hole = np.zeros(2), np.array(parse_cards("AhKh"))
    code, mask, unseen = np.zeros((3, RIVER + 1), np.int64)
    sum_over_boards(hole, np.setdiff1d(np.arange(52), hole), code, mask, unseen, sums)
    mean = sums[0] / 2_118_760
    assert load_preflop()[:, 12, 11] == pytest.approx([mean, np.sqrt(sums[1] / 2_118_760 - mean**2)], abs=1e-6)


@compiled_only
@pytest.mark.modes
def test_the_builder_writes_the_table_that_is_shipped(tmp_path):
    before = TABLE_PATH.read_bytes()
    code = (
        "import pathlib, sys; from holdem_env.equities import strength_tables as tables;"
        "tables.save_preflop(tables.build_preflop(), pathlib.Path(sys.argv[1]))"
    )
    subprocess.run([sys.executable, "-c", code, str(tmp_path / "again.npz")], check=True)
    assert (tmp_path / "again.npz").read_bytes() == before
