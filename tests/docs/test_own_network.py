"""The file of docs/own_network.md trains a network and then plays it; and the transformer of docs/examples."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from command_line import good
from holdem_env import Rules, Table
from holdem_env.agents import make_agent
from holdem_env.encoders import get_observation
from pages import DOCS, blocks, example

pytestmark = pytest.mark.stands_on("docs", "README.md", "holdem_env", "agents")

NET, AGENT, SB3 = blocks(DOCS / "own_network.md", "python")


@pytest.mark.slow
def test_the_trained_network_plays_in_a_match(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("torch")
    monkeypatch.chdir(tmp_path)
    story: dict[str, Any] = {"__name__": "__main__"}
    exec(compile(AGENT, "<example>", "exec"), story)
    Path("mine.py").write_text(AGENT)
    observations = np.random.default_rng(0).random((5, 149), dtype=np.float32)
    np.testing.assert_array_equal(make_agent("mine.py").logits(observations), story["me"].logits(observations))


def observed(hands: int) -> Any:
    """What the one who acts sees in the middle of some hands, (hands, 74, 8)."""
    torch, rules = pytest.importorskip("torch"), Rules.preset("heads-up-no-limit")
    encoder, seen = get_observation("tokens"), np.zeros((hands, 74 * 8), np.float32)
    for hand in range(hands):
        table = Table(rules, seed=hand)
        for _ in range(hand % 9):
            table.check_call()
            if table.is_over:
                table = Table(rules, seed=hand)
        row = seen[hand : hand + 1]
        encoder.observe(table.records, rules.record, np.zeros(1, np.int64), np.array([table.actor]), row)
    return torch.from_numpy(seen.reshape(hands, 74, 8))


def test_the_transformer_knows_no_names_of_suits_and_no_neighbours() -> None:
    torch = pytest.importorskip("torch")
    torch.manual_seed(0)
    network = example("transformer").Transformer((74, 8), 5, width=16, layers=2)
    torch.nn.init.normal_(network.policy.weight)
    seen = observed(160)
    assert len({int(count) for count in (seen[..., 0] > 0).sum(dim=1)}) > 4
    renamed = seen.clone()
    cards = renamed[..., 3]
    suits = torch.tensor([2, 0, 3, 1])
    renamed[..., 3] = torch.where(cards > 0, cards - (cards - 1) % 4 + suits[((cards - 1) % 4).long()], cards)
    with torch.no_grad():
        logits, values = network.logits_and_values(seen)
        assert logits.std(dim=0).min() > 0.01
        one_by_one = torch.cat([network.logits_and_values(row)[0] for row in seen.split(1)])
        assert torch.allclose(logits, one_by_one, atol=1e-5)
        assert torch.allclose(logits, network.logits_and_values(renamed)[0], atol=1e-5)
    assert values.shape == (160,)


@pytest.mark.slow
def test_the_transformer_trains(tmp_path: Path) -> None:
    pytest.importorskip("torch")
    changes = [
        *("tables=16", "learner.n_steps=4", "learner.batch_size=64", "opponents={latest_self: 1.0}"),
        *(f"learner.policy={DOCS}/examples/transformer.py:Transformer", "observation=tokens", "learner.suits=plain"),
        *("sampling_temperature=1", "exploiters=null", "evaluation={opponents: [random], hands: 20, past_selves: 0}"),
    ]
    words = [f"--set={change}" for change in changes]
    assert "random" in good("train", "headsup_nolimit_100bb", "--decisions", "100", *words, "--runs", tmp_path)
