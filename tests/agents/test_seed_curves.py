"""Learning curves of several seeds, as frames and pictures, from run folders written by hand."""

from __future__ import annotations

from pathlib import Path
from shutil import rmtree

import pytest

from errors import complaint, mentions
from holdem_agents.runs import curves

HALF = 25.4124  # of 4 and 8: Student's t with 1 degree of freedom is 12.7062, the standard error 2


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Two seeds; the second has not come as far as the first."""
    for seed, rates in enumerate([(1.0, 4.0, 9.0), (3.0, 8.0)]):
        run = tmp_path / f"seed-{seed}"
        run.mkdir()
        rows = [f"{100 * k},maniac,{rate},5,200\n" for k, rate in enumerate(rates, 1)]
        (run / "curve.csv").write_text("decisions,opponent,bb_per_100,half_width_95,hands\n" + "".join(rows))
        (run / "exploitability.csv").write_text(f"decisions,weights,exploitability\n0,last,0.{seed}\n0,averaged,1\n")
        (run / "progress.csv").write_text("holdem/entropy,time/total_timesteps\n0.1,32\n")
    return tmp_path


def test_curves_are_a_frame_of_means_over_the_seeds(folder: Path) -> None:
    pytest.importorskip("pandas")
    first, second, exact = curves(folder).to_frame().to_dict("records")
    assert list(second.values()) == ["maniac", 200, 6, pytest.approx(HALF), pytest.approx(8**0.5), "bb/100", 2]
    assert (first["decisions"], first["mean"]) == (100, 2)
    assert (exact["quantity"], exact["mean"], exact["unit"]) == ("exploitability", 1, "chips/hand")
    one = curves(folder / "seed-0", "holdem/entropy")
    assert r"holdem/entropy & 32 & $0.1 \pm \infty$" in one.to_latex()


def test_curves_are_drawn_with_their_bands(folder: Path) -> None:
    matplotlib = pytest.importorskip("matplotlib.figure")
    axes = curves(sorted(folder.iterdir()), "maniac").plot(matplotlib.Figure().add_subplot(), "mine")
    assert (axes.get_ylabel(), axes.get_legend().texts[0].get_text()) == ("maniac, bb/100", "mine")
    assert axes.lines[0].get_xydata().tolist() == [[100, 2], [200, 6]]
    assert axes.collections[0].get_datalim(axes.transData).intervaly == pytest.approx((6 - HALF, 6 + HALF))


def test_a_quantity_or_a_folder_that_is_not_there_is_named(folder: Path) -> None:
    other = folder / "seed-9"
    other.mkdir()
    (other / "config.yaml").write_text("rules: kuhn\n")
    mentions(complaint(curves, folder), "rules", "seed-9")
    rmtree(other)
    mentions(complaint(curves, folder, "holdem/entrop"), "quantities", "holdem/entrop", "holdem/entropy")
    mentions(complaint(curves, [folder, folder / "seed-2"]), "folders", "seed-2")
    (folder / "seed-2").mkdir()
    mentions(complaint(curves, folder / "seed-2"), "folders", "seed-2")
