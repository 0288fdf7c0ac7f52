"""Video files and folders of photos as sources."""

from __future__ import annotations

import struct
from fractions import Fraction
from pathlib import Path

import av
import numpy as np
import pytest
from PIL import Image

from vision.errors import BadPicture, BadSource
from vision.frame import Frame
from vision.sources import Event, Gap, open_source

TIMES = (0.0, 0.02, 0.30, 0.31, 1.7, 4.0)


def write_video(path: Path, times: tuple[float, ...] = TIMES, size: tuple[int, int] = (64, 48)) -> None:
    with av.open(str(path), "w") as container:
        stream = container.add_stream("mpeg4", rate=30)
        stream.width, stream.height = size
        stream.time_base = stream.codec_context.time_base = Fraction(1, 1000)
        stream.bit_rate = 2_000_000
        for number, t in enumerate(times):
            picture = np.full((size[1], size[0], 3), (20 + 30 * number) % 240, np.uint8)
            frame = av.VideoFrame.from_ndarray(picture, format="bgr24")
            frame.pts, frame.time_base = round(t * 1000), Fraction(1, 1000)
            container.mux(stream.encode(frame))
        container.mux(stream.encode())


def everything(name: Path | str) -> list[Event]:
    with open_source(str(name)) as source:
        return list(source)


def frames(events: list[Event]) -> list[Frame]:
    return [event for event in events if isinstance(event, Frame)]


@pytest.mark.parametrize("kind", ["mp4", "mkv", "avi"])
def test_a_video_gives_every_frame_at_its_own_time(tmp_path: Path, kind: str) -> None:
    times = TIMES if kind != "avi" else tuple(i / 30 for i in range(6))  # AVI knows a fixed rate only
    write_video(tmp_path / f"game.{kind}", times)
    seen = frames(everything(tmp_path / f"game.{kind}"))
    assert [frame.number for frame in seen] == list(range(6))
    assert [frame.t for frame in seen] == pytest.approx(times, abs=0.0025)
    assert [int(frame.picture.mean()) for frame in seen] == pytest.approx(
        [20 + 30 * n for n in range(6)], abs=4
    )


def test_a_video_held_upright_by_a_phone_is_shown_upright(tmp_path: Path) -> None:
    picture = np.full((48, 64, 3), 30, np.uint8)
    picture[:, :32] = 220  # bright on the left; turned clockwise, bright on top
    with av.open(str(tmp_path / "phone.mp4"), "w") as container:
        stream = container.add_stream("mpeg4", rate=30)
        stream.width, stream.height = 64, 48
        container.mux(stream.encode(av.VideoFrame.from_ndarray(picture, format="bgr24")))
        container.mux(stream.encode())
    data = bytearray((tmp_path / "phone.mp4").read_bytes())
    matrix = data.index(b"tkhd") + 4 + 40
    data[matrix : matrix + 36] = struct.pack(">9i", 0, 65536, 0, -65536, 0, 0, 0, 0, 1 << 30)
    (tmp_path / "phone.mp4").write_bytes(data)
    (frame,) = frames(everything(tmp_path / "phone.mp4"))
    assert frame.picture.shape == (64, 48, 3)
    assert frame.picture[:28].mean() > 200
    assert frame.picture[36:].mean() < 60


def test_a_slow_consumer_of_a_file_misses_nothing(tmp_path: Path) -> None:
    write_video(tmp_path / "game.mp4", tuple(i / 30 for i in range(60)))
    with open_source(str(tmp_path / "game.mp4")) as source:
        assert len(frames(list(source))) == 60
        assert (source.live, source.dropped) == (False, 0)


def test_a_video_that_breaks_off_gives_what_there_is(tmp_path: Path) -> None:
    write_video(tmp_path / "whole.mkv", tuple(i / 30 for i in range(90)))
    data = (tmp_path / "whole.mkv").read_bytes()
    (tmp_path / "half.mkv").write_bytes(data[: len(data) // 2])
    seen = frames(everything(tmp_path / "half.mkv"))
    assert 20 < len(seen) < 90


@pytest.mark.parametrize(
    ("name", "data"), [("none.mp4", b""), ("text.mp4", b"hello"), ("note.txt", b"hello\n" * 99)]
)
def test_what_is_no_video_is_refused(tmp_path: Path, name: str, data: bytes) -> None:
    (tmp_path / name).write_bytes(data)
    with pytest.raises(BadSource, match=name):
        everything(tmp_path / name)


def test_photos_come_in_the_order_of_their_numbers_with_their_own_times(tmp_path: Path) -> None:
    for number, second in ((2, 10), (10, 13), (1, 0)):
        exif = Image.Exif()
        exif[0x8769] = {0x9003: f"2024:05:01 20:00:{second:02d}", 0x9291: "500"}
        Image.new("RGB", (32, 16), (number, 0, 0)).save(tmp_path / f"img{number}.png", exif=exif)
    (tmp_path / "notes.txt").write_text("no picture")
    seen = frames(everything(tmp_path))
    assert [int(frame.picture[0, 0, 2]) for frame in seen] == [1, 2, 10]
    assert [frame.t for frame in seen] == pytest.approx([0, 10, 13])


def test_photos_without_times_are_a_second_apart(tmp_path: Path) -> None:
    for number in range(3):
        Image.new("RGB", (32, 16)).save(tmp_path / f"{number}.jpg")
    assert [frame.t for frame in frames(everything(tmp_path))] == [0, 1, 2]


def test_a_bad_photo_in_a_folder_is_a_gap_with_a_sentence(tmp_path: Path) -> None:
    for number in (1, 3):
        Image.new("RGB", (32, 16)).save(tmp_path / f"{number}.jpg")
    (tmp_path / "2.jpg").write_bytes(b"%PDF-1.7")
    first, gap, last = everything(tmp_path)
    assert isinstance(first, Frame)
    assert isinstance(last, Frame)
    assert isinstance(gap, Gap)
    assert "PDF" in gap.why
    assert gap.over
    assert (first.number, last.number) == (0, 2)


def test_a_folder_without_a_readable_picture_is_refused(tmp_path: Path) -> None:
    with pytest.raises(BadSource, match="no pictures"):
        everything(tmp_path)
    for number in range(2):
        (tmp_path / f"{number}.jpg").touch()
    with pytest.raises(BadSource, match="none of the 2"):
        everything(tmp_path)
    with pytest.raises(BadPicture, match="empty"):
        everything(tmp_path / "0.jpg")


@pytest.mark.parametrize(
    "name", ["ftp://host/x", "99999999999999", "no-such-file.mp4", "rtsp://", "http://["]
)
def test_a_source_that_cannot_be_is_refused_with_a_sentence(name: str) -> None:
    with pytest.raises(BadSource):
        open_source(name)
