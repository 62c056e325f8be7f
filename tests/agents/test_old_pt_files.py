"""Agents in .pt files of earlier versions: they load, through `make_agent`, and play move for move as they did."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
import torch

from holdem_agents.digests import write_with_digest
from holdem_agents.old_pt_files import load
from holdem_env import Rules, Tables
from holdem_env.arena import exploitability, play_match
from holdem_env.players import make_agent

FILE = Path(__file__).parent.parent / "data" / "all_seats_leduc.pt"
LEDUC = Rules.preset("leduc")
PLAYED = [  # of the version that wrote the file: its moves at 60 tables in six steps, f for a fold
    "200022222002200002202222222200020022222222220222020222220020",
    "40022024f042440402022220200442002440424242220204f002440022f2",
    "000f444422040002440444004440040000044044244f0442440422444404",
    "282004482f4440028488484044440084404f44042f440402000220ff2824",
    "424820000448248402022282024800200080882f40040024280044022204",
    "022002242f000f2420224204220004f2222000008208020222248f0f4200",
]
ROWS = np.arange(60)


def test_an_old_file_plays_as_it_did() -> None:
    agent, tables = make_agent(FILE, seed=5), Tables(LEDUC, 60, seed=9)
    assert agent.name == str(FILE)
    agent.name = "all_seats"  # the name is a part of the seed
    for step, played in enumerate(PLAYED):
        moves = agent.act(tables.records, LEDUC, ROWS).tolist()
        assert "".join(str(move) if move >= 0 else "f" for move in moves) == played
        if step == 3:
            offered, chances = agent.probabilities(tables.records, LEDUC, ROWS)
            assert offered[:3].tolist() == [[-2, 0, 2], [-1, 0, 8], [-2, 0, 2]]
            expected = [[0.0, 0.0922, 0.9078], [0.4, 0.4647, 0.1353], [0.0, 0.716, 0.284]]
            np.testing.assert_allclose(chances[:3], expected, atol=1e-4)
        tables.step(tables.random_actions())


def test_an_old_file_plays_matches() -> None:
    assert play_match(str(FILE), "random", LEDUC, hands=100, num_tables=50).hands == 100


@pytest.mark.parametrize("suffix", [".pt", ".safetensors"])
def test_it_is_saved_as_either_kind(tmp_path: Path, suffix: str) -> None:
    agent, path = load(FILE), tmp_path / f"mine{suffix}"
    agent.save(path)
    again, tables = make_agent(path), Tables(LEDUC, 60)
    for ours, theirs in zip(
        agent.probabilities(tables.records, LEDUC, ROWS), again.probabilities(tables.records, LEDUC, ROWS), strict=True
    ):
        np.testing.assert_allclose(ours, theirs, atol=1e-6)


def test_loading_draws_no_random_numbers() -> None:
    before = torch.get_rng_state()
    load(FILE)
    assert torch.equal(torch.get_rng_state(), before)


def test_bad_files_and_games(tmp_path: Path) -> None:
    agent = load(FILE)
    with pytest.raises(ValueError, match=r"ends in \.pt"):
        agent.save(tmp_path / "mine.zip")
    (tmp_path / "other.pt").write_text("nothing of the kind")
    with pytest.raises(ValueError, match="not an agent"):
        load(tmp_path / "other.pt")
    with pytest.raises(FileNotFoundError):
        load(tmp_path / "none.pt")
    with pytest.raises(ValueError, match="trained for fixed_limit with 2 seats; this game is no_limit"):
        exploitability(agent, Rules.preset("leduc", structure="no_limit", small_bet=None, big_bet=None))


@pytest.mark.parametrize("change", [{"trunk.0.weight": "text"}, {"policy.bias": None}, {"more": torch.zeros(1)}])
def test_other_weights_are_no_agent(tmp_path: Path, change: dict[str, object]) -> None:
    about = torch.load(FILE, weights_only=True)
    weights = {name: value for name, value in (about["weights"] | change).items() if value is not None}
    torch.save(about | {"weights": weights}, tmp_path / "mine.pt")
    with pytest.raises(ValueError, match="not an agent"):
        load(tmp_path / "mine.pt")


def test_a_training_checkpoint_is_told_in_one_line(tmp_path: Path) -> None:
    path = tmp_path / "checkpoint.pt"
    write_with_digest(path, b"\xff" * 100_000)
    with pytest.raises(ValueError, match="this is a training checkpoint; the run writes its agent to final") as told:
        load(path)
    assert len(str(told.value)) < 300
    (tmp_path / "final.safetensors").touch()
    with pytest.raises(ValueError, match=r"this is a training checkpoint; the agent is .*final\.safetensors$"):
        load(path)


def test_an_error_does_not_repeat_the_content_of_a_file(tmp_path: Path) -> None:
    path = tmp_path / "other.pt"
    path.write_bytes(b"\x80\x02X\x10\x27\x00\x00" + b"\xff" * 100_000)
    with pytest.raises(ValueError, match="not an agent that") as told:
        load(path)
    assert len(str(told.value)) < 300
