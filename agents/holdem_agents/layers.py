"""Layers as networks compute them: each linear layer together with its ReLU, and the heads side by side.

The results are those of the modules called one after the other, with fewer passes over a batch.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import torch
from torch import nn

from holdem_env.compiled.compiler import kernel


@kernel
def pass_positive(by_outputs, outputs, by_heights, by_bias):  # type: ignore[no-untyped-def]
    """The gradient behind a ReLU, and its sum over the batch.

    by_outputs, outputs: (B, F) float32. Writes by_heights, (B, F), by_outputs where the output is positive and 0
    elsewhere, and by_bias, (F,), its sum.
    """
    by_bias[:] = 0.0
    for k in range(outputs.shape[0]):
        for i in range(outputs.shape[1]):
            by = by_outputs[k, i] if outputs[k, i] > 0 else by_bias.dtype.type(0)
            by_heights[k, i] = by
            by_bias[i] += by


def linear_relu(inputs: torch.Tensor, weight: torch.Tensor, bias: torch.Tensor) -> torch.Tensor:
    """What `LinearReLU` returns, without what its gradient needs."""
    return torch.addmm(bias, inputs, weight.t()).relu_()


class LinearReLU(torch.autograd.Function):
    """max(0, inputs @ weight.T + bias). inputs: (B, I). weight: (F, I). bias: (F,). Returns (B, F), all float32."""

    @staticmethod
    def forward(ctx: Any, inputs: torch.Tensor, weight: torch.Tensor, bias: torch.Tensor) -> torch.Tensor:
        outputs = linear_relu(inputs, weight, bias)
        ctx.save_for_backward(inputs, weight, outputs)
        return outputs

    @staticmethod
    def backward(ctx: Any, by_outputs: torch.Tensor) -> Any:
        inputs, weight, outputs = ctx.saved_tensors
        by_heights, by_bias = torch.empty_like(outputs), outputs.new_empty(outputs.shape[1])
        pass_positive(by_outputs.contiguous().numpy(), outputs.numpy(), by_heights.numpy(), by_bias.numpy())
        by_inputs = by_heights.mm(weight) if ctx.needs_input_grad[0] else None
        return by_inputs, by_heights.t().mm(inputs), by_bias


def run(layers: Sequence[nn.Module], inputs: torch.Tensor) -> torch.Tensor:
    """What the layers make of a batch, one after the other."""
    both = LinearReLU.apply if torch.is_grad_enabled() else linear_relu
    place = 0
    while place < len(layers):
        layer, after = layers[place], layers[place + 1] if place + 1 < len(layers) else None
        if type(layer) is nn.Linear and layer.bias is not None and type(after) is nn.ReLU:
            inputs = both(inputs, layer.weight, layer.bias)
            place += 2
        else:
            inputs = layer(inputs)
            place += 1
    return inputs


def run_heads(policy: nn.Sequential, value: nn.Sequential, features: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
    """(B, F) features to logits that are not normalized, (B, actions), and values, (B,)."""
    heads = [*policy, *value]
    if len(heads) == 2 and all(type(head) is nn.Linear and head.bias is not None for head in heads):
        weight, bias = (torch.cat([getattr(head, name) for head in heads]) for name in ("weight", "bias"))
        both = torch.addmm(bias, features, weight.t())
        heights, values = torch.split_with_sizes(both, [len(bias) - 1, 1], dim=1)
        return heights, values[:, 0]
    return policy(features), value(features)[:, 0]
