"""What calibration refuses; every message is one sentence that says what would help."""

from __future__ import annotations


class CalibrationError(Exception):
    """The pictures are understood and not good enough, or a profile is wrong."""
