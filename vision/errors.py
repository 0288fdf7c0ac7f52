"""What can go wrong between a picture and a card; every message is one sentence a user can act on."""

from __future__ import annotations


class VisionError(Exception):
    """The input is understood and bad: which one, what is wrong, what would help."""


class BadPicture(VisionError):
    """A file that is no picture, or none that can be used."""


class BadSource(VisionError):
    """A camera, video, folder or stream that cannot be watched."""
