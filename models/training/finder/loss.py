"""How wrong the net's maps are."""

import torch
from torch import Tensor
from torch.nn.functional import binary_cross_entropy_with_logits as cross_entropy

from vision.finding.maps import BORDER, CARD, LEAN, OCCLUDER, OFFSET_UNIT, OFFSETS, SPREADS

_LEAST_SPREAD, _MOST_SPREAD = -5.0, 3.0


def finder_loss(maps: Tensor, batch: dict[str, Tensor]) -> dict[str, Tensor]:
    """The parts of the loss by name; their sum is what is minimised."""
    card, kept = batch["which"] >= 0, ~batch["ignored"]
    card_loss = cross_entropy(maps[:, CARD], card.float(), reduction="none")[kept].mean()
    occluder = cross_entropy(maps[:, OCCLUDER], batch["occluder"].float(), reduction="none")[kept].mean()
    border = cross_entropy(maps[:, BORDER], batch["border"].float(), reduction="none")[card].mean()
    picture, y, x = torch.nonzero(card, as_tuple=True)
    row = batch["which"][picture, y, x].long() + batch["first"][picture]
    weight = batch["weight"][row]
    weight = weight / weight.sum().clamp(min=1e-6)
    said = maps[picture, :, y, x]
    lean = batch["lean"][row]
    lean_loss = cross_entropy(said[:, LEAN], (lean > 0).float(), reduction="none") * lean.abs()
    middles = torch.stack([x, y], dim=1)[:, None, None] * 4.0 + 1.5
    wanted = (batch["charts"][row] - middles) / OFFSET_UNIT
    offsets = said[:, OFFSETS:SPREADS].reshape(-1, 2, 4, 2)
    spread = said[:, SPREADS:].reshape(-1, 2, 4).clamp(_LEAST_SPREAD, _MOST_SPREAD)
    away = torch.sqrt(((offsets - wanted) ** 2).sum(dim=3) + 1e-4)
    votes = away * torch.exp(-spread) + spread
    safe = torch.stack([(1 + lean) / 2, (1 - lean) / 2], dim=1).clamp(0, 1)[:, :, None]
    vote_loss = ((votes * safe).sum(dim=1).mean(dim=1) * weight).sum()
    return {
        "card": 2 * card_loss,
        "border": 0.3 * border,
        "occluder": occluder,
        "lean": 0.6 * (lean_loss * weight).sum(),
        "votes": 1.0 * vote_loss,
    }
