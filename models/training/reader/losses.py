"""What the heads are taught: right answers where there is one, and one place per design in the embedding."""

from __future__ import annotations

import torch
from torch import Tensor
from torch.nn import functional

_COLUMN = {"side": 2, "colour": 3, "number": 4, "upright": 5}
_WEIGHT = {"side": 0.5, "colour": 0.8, "number": 1.0, "upright": 0.3, "embedding": 0.5}
_SHARPNESS = 0.1
_CARD = 1


def losses(answers: dict[str, Tensor], labels: Tensor) -> dict[str, Tensor]:
    """The loss of each head; labels are FIELDS of the card bank, -1 where there is no right answer."""
    found = {
        head: _WEIGHT[head]
        * functional.cross_entropy(answers[head].float(), labels[:, column].long(), ignore_index=-1)
        for head, column in _COLUMN.items()
    }
    found["embedding"] = _WEIGHT["embedding"] * same_together(answers["embedding"], labels[:, _CARD])
    return found


def same_together(embedding: Tensor, card: Tensor) -> Tensor:
    """Supervised contrastive loss: crops of one design attract each other, all others repel."""
    known = card >= 0
    embedding, card = embedding[known], card[known]
    itself = torch.eye(len(card), dtype=torch.bool)
    likeness = (embedding @ embedding.T / _SHARPNESS).masked_fill(itself, -1e4)
    log_share = likeness - torch.logsumexp(likeness, dim=1, keepdim=True)
    same = (card[:, None] == card[None, :]) & ~itself
    pairs = same.sum(dim=1)
    each = (log_share * same).sum(dim=1) / pairs.clamp(min=1)
    return -each[pairs > 0].mean()
