"""Looking pictures up at given places."""

from typing import Any

import cv2
import numpy as np

from finito.virtual_table.camera import Array

# The stubs want an array, OpenCV wants none: positions are all in the first map.
_NO_SECOND_MAP: Any = None


def look_up(picture: Array, where: Array, repeat: bool = False) -> Array:
    """The picture at the positions `where` (H×W×2); beyond its edge it is empty or repeats itself."""
    border = cv2.BORDER_WRAP if repeat else cv2.BORDER_CONSTANT
    return np.asarray(cv2.remap(picture, where, _NO_SECOND_MAP, cv2.INTER_LINEAR, borderMode=border))
