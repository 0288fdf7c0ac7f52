"""A picture of the table at a moment. Pictures are BGR, 8 bits, everywhere; it is said here once."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

Picture: TypeAlias = NDArray[np.uint8]


@dataclass(frozen=True, eq=False)
class Frame:
    """A picture (height x width x 3, BGR), its time in seconds on the source's clock, and its number.

    Numbers count what the source took: a number left out is a frame that was dropped.
    """

    picture: Picture
    t: float
    number: int
