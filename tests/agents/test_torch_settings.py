"""PyTorch's settings of a training: they end with it, and oneDNN rounds only where the configuration lets it."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest
import torch

from holdem_agents.ppo import PPO
from holdem_agents.runs.run import train
from holdem_agents.training.config import Training
from holdem_agents.training.evaluation import matches as evaluation_matches
from holdem_agents.training.learners import torch_settings as settings_module

ONEDNN: Any = torch.backends.mkldnn
TINY: dict[str, Any] = {"rules": "heads-up-no-limit", "budget": {"decisions": 300}, "tables": 16}
TINY |= {"opponents": {"latest_self": 1.0}, "evaluation": {"opponents": ["random"], "hands": 100}}


@pytest.fixture(autouse=True)
def asked_again() -> Iterator[None]:
    """Every test finds out again whether oneDNN is exact."""
    settings_module.is_onednn_exact.cache_clear()
    yield
    settings_module.is_onednn_exact.cache_clear()


def products() -> str | None:
    """PyTorch's name for how it multiplies float32 matrices now; None: PyTorch before 2.9."""
    return getattr(getattr(ONEDNN, "matmul", None), "fp32_precision", None)


def settings() -> tuple[Any, ...]:
    return torch.get_num_threads(), products(), torch.distributions.Distribution._validate_args


def test_settings_end_with_the_training() -> None:
    before = settings()
    with settings_module.torch_settings(1):
        assert settings() == (1, "bf16" if before[1] and ONEDNN.is_available() else before[1], False)
    assert settings() == before
    with suppress(KeyError), settings_module.torch_settings(1):
        raise KeyError
    assert settings() == before


def test_the_highest_precision_is_exact_everywhere() -> None:
    torch.manual_seed(3)
    one, two = torch.randn(512, 300), torch.randn(300, 200)
    product, default = one.double() @ two.double(), one @ two
    with settings_module.torch_settings(1, "highest"):
        error = (one @ two - product).abs().max()
    assert error <= settings_module.MORE_ERROR * (default - product).abs().max()


class Setting:
    """A stand-in for PyTorch's setting."""

    fp32_precision = "none"


@pytest.fixture
def rounds(monkeypatch: pytest.MonkeyPatch) -> None:
    """A processor on which oneDNN rounds to bfloat16."""
    multiply = torch.Tensor.__matmul__

    def rounded(one: torch.Tensor, two: torch.Tensor) -> torch.Tensor:
        if Setting.fp32_precision == "bf16" and one.dtype == torch.float32:
            return multiply(one.bfloat16(), two.bfloat16()).float()
        return multiply(one, two)

    monkeypatch.setattr(torch.Tensor, "__matmul__", rounded)
    _stand_in(monkeypatch)


@pytest.fixture
def is_exact(monkeypatch: pytest.MonkeyPatch) -> None:
    """A processor on which oneDNN rounds nothing."""
    _stand_in(monkeypatch)


def _stand_in(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ONEDNN, "matmul", Setting, raising=False)
    monkeypatch.setattr(ONEDNN, "is_available", lambda: True)


@pytest.mark.parametrize(
    ("machine", "precision", "expected"),
    [
        *(("rounds", *each) for each in (("highest", "none"), ("medium", "bf16"), (None, "none"))),
        *(("is_exact", *each) for each in (("highest", "bf16"), ("medium", "bf16"), (None, "none"))),
    ],
)
def test_onednn_multiplies_where_it_may(machine: str, precision: Any, expected: str, request: Any) -> None:
    request.getfixturevalue(machine)
    with settings_module.torch_settings(1, precision):
        assert products() == expected


@pytest.mark.usefixtures("rounds")
def test_within_rounded_products_the_highest_precision_is_exact() -> None:
    with settings_module.torch_settings(1, "medium"):
        with settings_module.matrix_products("highest"):
            assert products() == "none"
        assert products() == "bf16"


@pytest.mark.slow
@pytest.mark.usefixtures("rounds")
@pytest.mark.parametrize(("precision", "expected"), [("highest", "none"), ("medium", "bf16")])
def test_updates_follow_the_configuration_and_matches_are_exact(
    precision: str, expected: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    seen: dict[str, set[str | None]] = {"updates": set(), "matches": set()}
    update, play_match = PPO.train, evaluation_matches.play_match

    def updating(self: PPO) -> None:
        seen["updates"].add(products())
        update(self)

    def playing(*args: Any, **more: Any) -> Any:
        seen["matches"].add(products())
        return play_match(*args, **more)

    monkeypatch.setattr(PPO, "train", updating)
    monkeypatch.setattr(evaluation_matches, "play_match", playing)
    learner = {"hidden": [8], "n_steps": 8, "batch_size": 64, "threads": 1, "matmul_precision": precision}
    train(Training(**TINY, learner=learner), tmp_path / "run", show=False)
    assert seen == {"updates": {expected}, "matches": {"none"}}


def test_a_pytorch_without_the_setting_trains_as_before(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ONEDNN, "matmul", None, raising=False)
    for precision in (None, "highest", "medium"):
        with settings_module.torch_settings(1, precision):
            assert torch.get_num_threads() == 1
