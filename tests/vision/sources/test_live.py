"""Cameras and streams: lost and found again, on one clock, in bounded memory. All on loopback."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator
from itertools import count, pairwise

import numpy as np
import pytest

from tests.free_port import free_port
from tests.vision.sources.mjpeg_server import MjpegServer
from vision.errors import BadSource
from vision.frame import Frame, Picture
from vision.sources import Event, Feed, FeedLost, Gap, LiveSource, open_source
from vision.sources.camera import CameraFeed
from vision.sources.live import KEPT, TIDY_EVERY, Inbox
from vision.sources.stream import shown, stream_feed

LIMIT = 90.0  # seconds after which a test gives up


def until(source: LiveSource, wanted: Callable[[Event], bool]) -> list[Event]:
    """Events up to the first wanted one."""
    end = time.monotonic() + LIMIT
    events: list[Event] = []
    for event in source:
        events.append(event)
        if wanted(event):
            return events
        assert time.monotonic() < end, "took too long"
    return events


def stream_of(server: MjpegServer, time_limit: float = 1.0, patience: float | None = None) -> LiveSource:
    return LiveSource(
        server.url, lambda: stream_feed(server.url, time_limit), patience=patience, first_pause=0.05
    )


def is_frame(event: Event) -> bool:
    return isinstance(event, Frame)


def gap_over(event: Event) -> bool:
    return isinstance(event, Gap) and event.over


@pytest.fixture
def server() -> Iterator[MjpegServer]:
    server = MjpegServer()
    yield server
    server.kill()


def test_an_mjpeg_stream_is_watched_at_its_own_pace(server: MjpegServer) -> None:
    with stream_of(server) as source:
        first = until(source, is_frame)[-1]
        began = time.monotonic()
        later = until(source, lambda event: isinstance(event, Frame) and event.number >= 40)[-1]
        passed = time.monotonic() - began
    assert isinstance(first, Frame)
    assert isinstance(later, Frame)
    assert first.picture.shape == (48, 64, 3)
    assert later.picture.mean() > first.picture.mean()
    # 50 a second are sent, or fewer by a busy machine; FFmpeg itself would claim 25, whatever was sent.
    assert later.t - first.t == pytest.approx(passed, abs=0.3 + 0.2 * passed)


def test_a_stream_killed_and_restarted_is_found_again_on_the_same_clock() -> None:
    server = MjpegServer(free_port())
    with stream_of(server) as source:
        before = until(source, lambda event: isinstance(event, Frame) and event.number >= 5)
        server.kill()
        lost = until(source, lambda event: isinstance(event, Gap))[-1]
        assert isinstance(lost, Gap)
        assert not lost.over
        assert "stream" in lost.why
        again = MjpegServer(server.port, level=100)
        try:
            back = until(source, gap_over)[-1]
            after = until(source, is_frame)[-1]
        finally:
            again.kill()
    last = before[-1]
    assert isinstance(last, Frame)
    assert isinstance(back, Gap)
    assert isinstance(after, Frame)
    assert back.end is not None
    assert last.t <= lost.start < back.end <= after.t
    assert back.attempts >= 1
    assert after.number > last.number
    assert after.picture.mean() >= 95


def test_a_stream_that_falls_silent_is_noticed_within_its_time_limit(server: MjpegServer) -> None:
    with stream_of(server, time_limit=0.4) as source:
        until(source, is_frame)
        server.stalled.set()
        began = time.monotonic()
        until(source, lambda event: isinstance(event, Gap))
        assert time.monotonic() - began < 15  # without a limit it would wait for ever
        server.stalled.clear()
        until(source, gap_over)
        assert is_frame(until(source, is_frame)[-1])


def test_a_stream_that_never_returns_is_given_up_after_the_patience() -> None:
    server = MjpegServer()
    with stream_of(server, patience=1.5) as source:
        until(source, is_frame)
        server.kill()
        rest = until(source, lambda _: False)
    gaps = [event for event in rest if isinstance(event, Gap)]
    assert not gaps[-1].over
    assert "given up" in gaps[-1].why
    assert gaps[-1].attempts >= 2


def test_a_slow_consumer_drops_frames_and_says_how_many(server: MjpegServer) -> None:
    with stream_of(server) as source:
        seen: list[Frame] = []
        missed, end = 0, time.monotonic() + LIMIT
        while missed <= 10:
            assert time.monotonic() < end, f"only {missed} frames were dropped"
            event = next(source)
            if isinstance(event, Frame):
                seen.append(event)
                missed = event.number - seen[0].number + 1 - len(seen)
            time.sleep(0.2)
        assert source.dropped >= missed
    assert all(later.t > earlier.t for earlier, later in pairwise(seen))


def test_a_stalled_consumer_keeps_a_bounded_number_of_frames() -> None:
    inbox = Inbox()
    picture = np.zeros((4, 4, 3), np.uint8)
    for number in range(10_000):
        inbox.put(lambda: picture, number / 30)
        if number % 100 == 0:
            inbox.report(Gap(number / 30, None, "lost"))
            inbox.report(Gap(number / 30, number / 30 + 0.01, "lost", 1))
    assert len(inbox._waiting) <= 2 * KEPT + 1
    assert inbox.dropped == 10_000 - KEPT
    inbox.end()
    events = [event for event in iter(inbox.take, None) if event is not None]
    assert [event.number for event in events if isinstance(event, Frame)] == [9997, 9998, 9999]
    assert isinstance(events[0], Gap), "what was missed is told before what was kept"


class PluggedCamera:
    """A webcam whose cable can be pulled; at the third try to open it, it is in again."""

    def __init__(self) -> None:
        self.plugged = True
        self.opened = 0
        self.tried: list[float] = []

    def open(self) -> Feed:
        self.tried.append(time.monotonic())
        self.plugged = self.plugged or len(self.tried) > 3
        if not self.plugged:
            raise BadSource("camera 0 cannot be opened")
        self.opened += 1
        return self

    def shoot(self) -> Callable[[], Picture]:
        time.sleep(0.005)
        if not self.plugged:
            raise FeedLost("the camera gives no more pictures")
        return lambda: np.zeros((8, 8, 3), np.uint8)

    def close(self) -> None: ...


def test_an_unplugged_camera_is_a_gap_and_comes_back() -> None:
    camera = PluggedCamera()
    with LiveSource("camera 0", camera.open, first_pause=0.02) as source:
        until(source, is_frame)
        camera.plugged = False
        until(source, lambda event: isinstance(event, Gap))
        back = until(source, gap_over)[-1]
        until(source, is_frame)
    assert isinstance(back, Gap)
    assert (back.attempts, camera.opened) == (3, 2)
    pauses = [later - earlier for earlier, later in pairwise(camera.tried[1:])]
    assert all(pause >= least for pause, least in zip(pauses, (0.039, 0.079), strict=True)), "they double"


def test_memory_is_given_back_while_a_camera_runs_for_hours(monkeypatch: pytest.MonkeyPatch) -> None:
    given: list[float] = []
    now = iter(count(0, 1.0))
    monkeypatch.setattr("vision.sources.live.give_back_memory", lambda: given.append(next(now)))
    with LiveSource("camera 0", PluggedCamera().open, clock=lambda: next(now)) as source:
        while len(given) < 3:
            until(source, is_frame)
    assert all(later - earlier >= TIDY_EVERY for earlier, later in pairwise(given))


class FakeCapture:
    """OpenCV's camera as it behaves when one frame is missed and later the cable is pulled."""

    def __init__(self, *_: object) -> None:
        grey = np.full((6, 8), 77, np.uint8)
        self.reads: list[tuple[bool, Picture | None]] = [(True, grey), (False, None), (True, grey)]
        self.released = False

    def isOpened(self) -> bool:
        return True

    def set(self, *_: object) -> bool:
        return True

    def read(self) -> tuple[bool, Picture | None]:
        return self.reads.pop(0) if self.reads else (False, None)

    def release(self) -> None:
        self.released = True


def test_a_webcam_may_miss_a_frame_and_is_lost_when_it_gives_none(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("vision.sources.camera.cv2.VideoCapture", FakeCapture)
    feed = CameraFeed(0)
    for _ in range(2):
        shot = feed.shoot()
        assert shot is not None
        assert shot().shape == (6, 8, 3)
    with pytest.raises(FeedLost, match="unplugged"):
        feed.shoot()
    feed.close()


def test_closing_from_another_thread_ends_a_waiting_consumer() -> None:
    camera = PluggedCamera()
    source = LiveSource("camera 0", camera.open)
    camera.plugged = False
    threading.Timer(0.1, source.close).start()
    began = time.monotonic()
    list(source)
    assert time.monotonic() - began < LIMIT


def test_a_dead_address_is_refused_at_once_without_its_password() -> None:
    with pytest.raises(BadSource, match="cannot be opened") as caught:
        open_source("http://user:secret@127.0.0.1:9/video?key=secret")
    assert "secret" not in str(caught.value)


def test_addresses_are_shown_without_secrets() -> None:
    assert shown("rtsp://me:pw@10.0.0.7:554/h264?token=abc") == "rtsp://10.0.0.7:554/h264"


def test_a_camera_that_is_not_there_is_refused_with_a_sentence() -> None:
    with pytest.raises(BadSource, match="camera 93"):
        open_source("93")
