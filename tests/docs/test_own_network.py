"""docs/own_network.md as one story: the network that its first part trains plays in the file of its last."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from holdem_env.agents import make_agent
from pages import DOCS, blocks

TRAINING, NET, SB3, AGENT = blocks(DOCS / "own_network.md", "python")


def test_each_part_has_at_most_30_lines_of_code() -> None:
    assert max(sum(map(bool, code.splitlines())) for code in (TRAINING, NET, SB3, AGENT)) <= 30


@pytest.mark.slow
def test_the_trained_network_plays_in_a_match(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    torch = pytest.importorskip("torch")
    monkeypatch.chdir(tmp_path)
    story: dict[str, Any] = {"__name__": "example"}
    exec(compile(TRAINING, "<example>", "exec"), story)
    torch.save(story["network"].state_dict(), "mine.pt")
    Path("mine.py").write_text(AGENT)
    observations = np.random.default_rng(0).random((5, 149), dtype=np.float32)
    np.testing.assert_array_equal(make_agent("mine.py").logits(observations), story["me"].logits(observations))
