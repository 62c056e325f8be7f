"""What hands are worth over the run-outs, beside the same counted in other ways."""

from __future__ import annotations

import numpy as np
import pytest

from holdem_env.cards.combos import COMBO_CARDS, COMBOS, combo_number, possible_combos
from holdem_env.cards.text import parse_cards
from holdem_env.compiled.compiler import kernel
from holdem_env.equities.all_hands import hand_values
from holdem_env.equities.strength import strength_and_spread
from holdem_env.solvers.card_tables.boundaries import river_places
from holdem_env.solvers.card_tables.features import LARGEST_MEAN, PARTS, WITH_RANGE, board_features
from holdem_env.solvers.card_tables.isomorphism import PREFLOP_CLASS
from holdem_env.solvers.card_tables.typical_range import SHARE_SCALE, WEIGHTS

TURN = parse_cards("Ah 9h 4c 2d")


def features(board, columns=WITH_RANGE):
    means, profiles = np.empty(COMBOS, np.int32), np.empty((COMBOS, columns), np.int32)
    board_features(np.array(board, np.int64), len(board), means, profiles)
    return means, profiles


def of(hand: str) -> int:
    return combo_number(*parse_cards(hand))


@kernel
def ask(holes, board, out):
    for i in range(len(holes)):
        out[i, 0], out[i, 1] = strength_and_spread(holes[i], 2, board, len(board))


@pytest.mark.slow
def test_means_and_spreads_on_the_turn_are_those_of_single_hands() -> None:
    means, profiles = features(TURN)
    possible = possible_combos(np.array(TURN))
    one_by_one = np.empty((COMBOS, 2))
    ask(COMBO_CARDS, np.array(TURN), one_by_one)
    np.testing.assert_array_equal(means >= 0, possible)
    np.testing.assert_allclose(means[possible] / LARGEST_MEAN, one_by_one[possible, 0], atol=1 / LARGEST_MEAN)
    shape = profiles[possible, :PARTS] / 1980
    np.testing.assert_allclose(shape.mean(axis=1), one_by_one[possible, 0], atol=0.005)
    assert np.corrcoef(shape.std(axis=1), one_by_one[possible, 1])[0, 1] > 0.98
    assert (np.diff(shape, axis=1) >= 0).all(), "a profile rises"


def test_a_draw_has_a_steep_profile_and_a_set_a_flat_one() -> None:
    _, profiles = features(TURN)
    draw, made = profiles[of("Kh Qh")], profiles[of("As Ac")]
    assert draw[PARTS - 1] - draw[0] > 3 * (made[PARTS - 1] - made[0])


def test_a_flop_is_the_mean_of_its_turns() -> None:
    flop = TURN[:3]
    means, profiles = features(flop)
    total, times = np.zeros(COMBOS), np.zeros(COMBOS)
    for card in set(range(52)) - set(flop):
        turn_means, _ = features([*flop, card])
        total += np.where(turn_means >= 0, turn_means, 0)
        times += turn_means >= 0
    possible = means >= 0
    assert set(times[possible]) == {47}
    np.testing.assert_allclose(means[possible], total[possible] / 47, atol=1)
    assert (profiles[possible] >= 0).all()


def test_shares_against_the_typical_range_as_comparing_each_hand_with_each() -> None:
    board = [*TURN, 20]
    values = hand_values(board)
    apart = (COMBO_CARDS[:, None, :, None] != COMBO_CARDS[None, :, None, :]).all(axis=(2, 3)) & (values > 0)
    halves = (values[:, None] > values).astype(int) + (values[:, None] >= values)
    won, met = (halves * apart) @ WEIGHTS, apart @ WEIGHTS
    group, shares = np.empty((2, COMBOS), np.int64)
    river_places(np.array(board), 20, group, shares)
    possible = values > 0
    np.testing.assert_array_equal(shares[possible], won[possible] * (SHARE_SCALE // 2) // met[possible])
    np.testing.assert_array_equal(group[possible], ((halves * apart).sum(axis=1) * 20 // 1981)[possible])
    assert set(shares[~possible]) == set(group[~possible]) == {-1}


def test_weights_of_the_typical_range_rise_with_the_starting_hand() -> None:
    assert WEIGHTS.min() == 1
    assert WEIGHTS.max() == 16
    assert WEIGHTS[of("As Ah")] > WEIGHTS[of("Ts 9s")] > WEIGHTS[of("7s 2h")]
    for number in range(169):
        assert len(set(WEIGHTS[number == PREFLOP_CLASS])) == 1


@pytest.mark.parametrize("columns", [PARTS, WITH_RANGE])
def test_the_typical_range_changes_nothing_else(columns: int) -> None:
    np.testing.assert_array_equal(features(TURN, columns)[1][:, :PARTS], features(TURN)[1][:, :PARTS])
