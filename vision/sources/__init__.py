"""Where frames come from: webcams, video files, folders of photos, network streams."""

from vision.sources.events import Event, Gap, Source
from vision.sources.live import Feed, FeedLost, LiveSource
from vision.sources.opening import open_source
from vision.sources.pictures import MOST_PIXELS, read_picture
from vision.sources.wrapped import WrappedSource

__all__ = [
    "MOST_PIXELS",
    "Event",
    "Feed",
    "FeedLost",
    "Gap",
    "LiveSource",
    "Source",
    "WrappedSource",
    "open_source",
    "read_picture",
]
