"""Two hands before the flop: the shipped table against counting."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from holdem_env import equity_batch
from holdem_env.cards.combos import COMBO_CARDS, COMBOS, possible_combos
from holdem_env.equities import preflop_matchups as table
from holdem_env.equities.strength_tables import load_preflop


def test_a_sample_is_what_counting_says() -> None:
    generator = np.random.default_rng(0)
    hands = np.array([generator.choice(52, 4, replace=False) for _ in range(100)]).reshape(-1, 2, 2)
    counted = equity_batch(hands)[:, 0]
    found = []
    for one, other in hands:
        combo = int(np.flatnonzero((np.sort(COMBO_CARDS, axis=1) == np.sort(other)).all(axis=1))[0])
        found.append(table.preflop_equities(one)[combo])
    assert np.array_equal(counted, found)


@pytest.mark.parametrize("hole", [(51, 50), (0, 1), (13, 4), (2, 47)])
def test_hands_that_cannot_be_have_none_and_the_mean_is_the_strength(hole: tuple[int, int]) -> None:
    """strength.npz has been counted in another way."""
    shares = table.preflop_equities(np.array(hole))
    assert np.array_equal(shares > 0, possible_combos(np.array(hole)))
    high, low = max(hole) // 4, min(hole) // 4
    row, column = (high, low) if hole[0] % 4 == hole[1] % 4 else (low, high)
    assert shares.sum() / 1225 == pytest.approx(load_preflop()[0, row, column], abs=1e-6)


def test_what_one_has_the_other_has_not() -> None:
    one, other = 1300, 77
    shares = [table.preflop_equities(COMBO_CARDS[mine])[theirs] for mine, theirs in ((one, other), (other, one))]
    assert sum(shares) == pytest.approx(1)


def test_169_kinds_and_47008_matchups() -> None:
    assert table.preflop_shares().shape == (169, COMBOS)
    assert len(np.unique(table.matchup_codes()[0])) == 1 + 47_008
    assert not table.preflop_shares().flags.writeable
    assert table.TABLE_PATH.stat().st_size < 200_000


def half_wins(path: Path):
    with np.load(path, allow_pickle=False) as file:
        return file["half_wins"]


def test_the_file_holds_what_was_saved(tmp_path: Path) -> None:
    table.save_half_wins(half_wins(table.TABLE_PATH), tmp_path / "again.npz")
    assert np.array_equal(half_wins(tmp_path / "again.npz"), half_wins(table.TABLE_PATH))


def test_a_missing_or_foreign_file_is_told(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError, match=r"python -m holdem_env\.equities\.preflop_matchups"):
        table.preflop_shares(tmp_path / "none.npz")
    table.save_half_wins(np.zeros(5, np.uint32), tmp_path / "short.npz")
    with pytest.raises(ValueError, match="5 matchups, not 47,008"):
        table.preflop_shares(tmp_path / "short.npz")


@pytest.mark.modes
def test_the_command_counts_what_was_shipped() -> None:
    assert np.array_equal(table.build_half_wins(), half_wins(table.TABLE_PATH))
