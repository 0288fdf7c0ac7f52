"""RTSP, spoken by a small camera on loopback, and FFmpeg as a server where it is installed."""

from __future__ import annotations

import shutil
import subprocess
import time

import pytest

from tests.free_port import free_port
from tests.vision.sources.rtsp_server import RtspServer
from tests.vision.sources.test_live import LIMIT, gap_over, is_frame, until
from vision.errors import BadSource
from vision.frame import Frame
from vision.sources import Gap, LiveSource
from vision.sources.stream import stream_feed


def test_an_rtsp_camera_is_watched_lost_and_found_again() -> None:
    server = RtspServer(free_port())
    url = server.url
    with LiveSource(url, lambda: stream_feed(url, 2.0), first_pause=0.05) as source:
        first = until(source, is_frame)[-1]
        later = until(source, lambda event: isinstance(event, Frame) and event.number >= 10)[-1]
        server.kill()
        until(source, lambda event: isinstance(event, Gap))
        again = RtspServer(server.port)
        try:
            back = until(source, gap_over)[-1]
            after = until(source, is_frame)[-1]
        finally:
            again.kill()
    assert isinstance(first, Frame)
    assert isinstance(later, Frame)
    assert isinstance(after, Frame)
    assert isinstance(back, Gap)
    assert first.picture.shape == (48, 64, 3)
    assert later.picture.mean() > first.picture.mean()
    assert after.t > later.t
    assert after.number > later.number


def _once_it_listens(url: str) -> LiveSource:
    """It takes one caller only, so that nobody can ask beforehand whether it listens."""
    end = time.monotonic() + LIMIT
    while True:
        try:
            return LiveSource(url, lambda: stream_feed(url, 3.0))
        except BadSource:
            assert time.monotonic() < end, "FFmpeg never listened"
            time.sleep(0.2)


@pytest.mark.skipif(shutil.which("ffmpeg") is None, reason="the ffmpeg program is not installed")
def test_a_stream_served_by_ffmpeg_is_watched() -> None:
    url = f"http://127.0.0.1:{free_port()}/feed"
    words = "ffmpeg -loglevel quiet -re -f lavfi -i testsrc=size=320x240:rate=25 -t 8 -f mpjpeg -listen 1"
    server = subprocess.Popen([*words.split(), url])
    try:
        with _once_it_listens(url) as source:
            seen = until(source, lambda event: isinstance(event, Frame) and event.number >= 20)[-1]
        assert isinstance(seen, Frame)
        assert seen.picture.shape == (240, 320, 3)
    finally:
        server.kill()
        server.wait()
