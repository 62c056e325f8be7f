"""docs/examples/compare_leduc.py: PPO, NFSP and CFR on Leduc poker, one picture."""

from __future__ import annotations

from pathlib import Path

import pytest

from pages import example

LEDUC_AT_RANDOM = 2.374


@pytest.mark.slow
def test_each_learner_has_a_curve_for_each_seed(tmp_path: Path) -> None:
    for needed in ("pyspiel", "open_spiel.python.pytorch.nfsp", "matplotlib"):
        pytest.importorskip(needed, exc_type=ImportError)
    words = ["--seconds", "2", "--seeds", "0", "1", "--points", "2", "--plot", str(tmp_path / "leduc.svg")]
    curves = example("compare_leduc").main(words)
    assert {*curves} == {"PPO", "NFSP", "CFR"}
    for name, seeds in curves.items():
        assert [len(points) for points in seeds] == [2, 2]
        for (first, _), (second, chips) in seeds:
            assert 1 <= first <= second >= 2
            assert 0 < chips < (LEDUC_AT_RANDOM if name != "NFSP" else 13)  # NFSP has hardly begun; 13 is the most
    assert "<svg" in (tmp_path / "leduc.svg").read_text()
