"""The page about other libraries: the example of RLlib, where its packages are installed."""

from __future__ import annotations

import pytest

from pages import DOCS, blocks


@pytest.mark.slow
def test_the_example_of_rllib_runs() -> None:
    """Half a minute. Ray alone is not enough: `pip install "ray[rllib]"`."""
    pytest.importorskip("ray.rllib.algorithms.ppo", exc_type=ImportError)
    import ray

    code = next(block for block in blocks(DOCS / "interoperability.md", "py") if "ray.rllib" in block)
    try:
        exec(compile(code, "<example>", "exec"), {"__name__": "example"})
    finally:
        ray.shutdown()
