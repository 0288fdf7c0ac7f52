"""Muon: steps whose every direction is equally long, for the weights of convolutions.

A convolution's gradient lies mostly in a few directions; making it orthogonal by a short Newton-Schulz
iteration lets all of them learn. After Keller Jordan's Muon, with steps scaled so that AdamW's rates fit.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

import torch
from torch import Tensor

_COEFFICIENTS = (3.4445, -4.7750, 2.0315)
_ITERATIONS = 5
_LIKE_ADAM = 0.2


class Muon(torch.optim.Optimizer):
    """For weights with two dimensions or more; rows are output channels."""

    def __init__(
        self, weights: Iterable[Tensor], lr: float, momentum: float = 0.95, weight_decay: float = 0.0
    ) -> None:
        super().__init__(weights, {"lr": lr, "momentum": momentum, "weight_decay": weight_decay})

    @torch.no_grad()
    def step(self, closure: None = None) -> None:  # type: ignore[override]  # noqa: ARG002
        for group in self.param_groups:
            for weight in group["params"]:
                if weight.grad is not None:
                    self._move(weight, group)

    def _move(self, weight: Tensor, group: dict[str, float]) -> None:
        state = self.state[weight]
        if "pace" not in state:
            state["pace"] = torch.zeros_like(weight)
        pace: Tensor = state["pace"]
        grad = weight.grad
        assert grad is not None
        pace.lerp_(grad, 1 - group["momentum"])
        ahead = grad.lerp(pace, group["momentum"])
        step = orthogonal(ahead.reshape(len(weight), -1)).reshape(weight.shape)
        scale = _LIKE_ADAM * max(len(weight), weight[0].numel()) ** 0.5
        weight.mul_(1 - group["lr"] * group["weight_decay"])
        weight.add_(step, alpha=-group["lr"] * scale)


def orthogonal(matrix: Tensor) -> Tensor:
    """Nearly the closest matrix whose rows (or columns) are orthogonal and of one length."""
    a, b, c = _COEFFICIENTS
    wide = matrix if matrix.shape[0] <= matrix.shape[1] else matrix.T
    x = (wide / (wide.norm() + 1e-7)).bfloat16()  # the steps need direction, not digits
    for _ in range(_ITERATIONS):
        square = x @ x.T
        x = a * x + (b * square + c * square @ square) @ x
    return (x if matrix.shape[0] <= matrix.shape[1] else x.T).to(matrix.dtype)


class Both:
    """Muon for inner convolutions, AdamW for everything else; one rate for both."""

    def __init__(self, net: torch.nn.Module, rate: float, decay: float) -> None:
        inner, rest = _parted(net)
        self._parts: tuple[torch.optim.Optimizer, ...] = (
            Muon(inner, rate, weight_decay=decay),
            torch.optim.AdamW(rest, lr=rate, weight_decay=decay),
        )

    def step(self, rate: float) -> None:
        for part in self._parts:
            for group in part.param_groups:
                group["lr"] = rate
            part.step()
            part.zero_grad()

    def state_dict(self) -> list[dict[str, object]]:
        return [part.state_dict() for part in self._parts]

    def load_state_dict(self, states: list[dict[str, object]]) -> None:
        for part, state in zip(self._parts, states, strict=True):
            part.load_state_dict(state)


def _parted(net: torch.nn.Module) -> tuple[list[Tensor], list[Tensor]]:
    """Weights of convolutions between features; and the first layer, heads, norms and biases."""
    inner, rest = list[Tensor](), list[Tensor]()
    for weight in _weights(net):
        between = weight.ndim == 4 and weight.shape[1] >= 16
        (inner if between else rest).append(weight)
    return inner, rest


def _weights(net: torch.nn.Module) -> Iterator[Tensor]:
    return (weight for weight in net.parameters() if weight.requires_grad)
