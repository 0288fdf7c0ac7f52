"""The finder in whole numbers."""

from collections.abc import Iterator, Sequence
from pathlib import Path

from models.training.finder.stills_cache import unpacked
from models.training.quantising import Inputs, quantised
from vision.card_finder import LONG_SIDE
from vision.finding.pyramid import levels

_STILLS = 40


def quantise(path: Path, stills: Sequence[Path], out: Path) -> None:
    """Write the int8 form of a net, with ranges as they occur in stills."""
    quantised(path, out, _pictures(stills[:_STILLS]), kept=("/head/", "/stem/stem.0/"))


def _pictures(stills: Sequence[Path]) -> Iterator[Inputs]:
    """Pictures as the net will see them."""
    for path in stills:
        picture = unpacked(path.read_bytes()).picture
        for level in levels(picture, LONG_SIDE):
            yield {"picture": level.shrunk(picture)[None]}
