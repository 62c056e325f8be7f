"""PyTorch's settings of a training: they end with it, and oneDNN multiplies only where it is as exact as MKL."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from typing import Any

import pytest
import torch

from holdem_agents.training import torch_settings as settings_module

ONEDNN: Any = torch.backends.mkldnn


@pytest.fixture(autouse=True)
def asked_anew() -> Iterator[None]:
    """Every test finds out anew whether oneDNN can be used."""
    settings_module.can_use_onednn.cache_clear()
    yield
    settings_module.can_use_onednn.cache_clear()


def settings() -> tuple[Any, ...]:
    precision = getattr(getattr(ONEDNN, "matmul", None), "fp32_precision", None)  # None: PyTorch before 2.9
    return torch.get_num_threads(), precision, torch.distributions.Distribution._validate_args


def test_settings_end_with_the_training() -> None:
    before = settings()
    with settings_module.torch_settings(1):
        assert settings() == (1, "bf16" if settings_module.can_use_onednn() else before[1], False)
    assert settings() == before
    with suppress(KeyError), settings_module.torch_settings(1):
        raise KeyError
    assert settings() == before


def test_products_are_exact_in_training() -> None:
    torch.manual_seed(3)
    one, two = torch.randn(512, 300), torch.randn(300, 200)
    product, default = one.double() @ two.double(), one @ two
    with settings_module.torch_settings(1):
        error = (one @ two - product).abs().max()
    assert error <= settings_module.MORE_ERROR * (default - product).abs().max()


class Rounding:
    """A processor on which oneDNN rounds to bfloat16: a stand-in for PyTorch's settings."""

    fp32_precision = "ieee"


def test_onednn_does_not_multiply_where_it_rounds(monkeypatch: pytest.MonkeyPatch) -> None:
    multiply = torch.Tensor.__matmul__

    def rounded(one: torch.Tensor, two: torch.Tensor) -> torch.Tensor:
        if Rounding.fp32_precision == "bf16" and one.dtype == torch.float32:
            return multiply(one.bfloat16(), two.bfloat16()).float()
        return multiply(one, two)

    monkeypatch.setattr(ONEDNN, "matmul", Rounding, raising=False)
    monkeypatch.setattr(ONEDNN, "is_available", lambda: True)
    monkeypatch.setattr(torch.Tensor, "__matmul__", rounded)
    assert not settings_module.can_use_onednn()
    with settings_module.torch_settings(1):
        assert Rounding.fp32_precision == "ieee"
    monkeypatch.setattr(torch.Tensor, "__matmul__", multiply)
    settings_module.can_use_onednn.cache_clear()
    assert settings_module.can_use_onednn()  # the stand-in alone is no reason
    with settings_module.torch_settings(1):
        assert Rounding.fp32_precision == "bf16"
    with settings_module.torch_settings(1, is_onednn_welcome=False):
        assert Rounding.fp32_precision == "ieee"


def test_a_pytorch_without_the_setting_trains_as_before(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ONEDNN, "matmul", None, raising=False)
    assert not settings_module.can_use_onednn()
    with settings_module.torch_settings(1):
        assert torch.get_num_threads() == 1
