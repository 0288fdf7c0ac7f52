"""Films a show with several processes: each draws its share of the frames, one puts them into the video."""

from __future__ import annotations

import json
import multiprocessing
import signal
import threading
from collections.abc import Generator, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from fractions import Fraction
from multiprocessing.process import BaseProcess
from pathlib import Path
from queue import Empty
from typing import Any, Final

import av
import cv2
import numpy as np

from finito.errors import BadInput
from finito.virtual_table.camera import Array
from finito.virtual_table.choreography.casting import deck_named
from finito.virtual_table.choreography.frame_truth import frame_line
from finito.virtual_table.choreography.show import Show
from finito.virtual_table.film import Film

# Neighbouring frames share most of what rests, so that each process takes a run of them at a time.
_RUN: Final = 10
_QUALITY: Final = "20"
_PATIENCE: Final = 2.0


@dataclass(frozen=True)
class Shot:
    """What is needed to draw the frames of a show."""

    show: Show
    deck: str
    fps: int

    @property
    def frames(self) -> int:
        return int(self.show.seconds * self.fps)


@dataclass(frozen=True)
class Frame:
    """One picture (BGR) with its line of frames.jsonl."""

    number: int
    picture: Array
    line: str


def draw(shot: Shot, numbers: Sequence[int]) -> Iterator[Frame]:
    """The frames of those numbers, one after the other."""
    film = Film(deck_named(shot.deck, len(shot.show.homes)))
    usual = shot.show.room.scene.camera
    for number in numbers:
        moment = shot.show.moment(number / shot.fps, number)
        rendered = film.frame(moment.scene)
        line = json.dumps(frame_line(number, moment, rendered, usual), ensure_ascii=False)
        yield Frame(number, rendered.picture, line)


def share(frames: Sequence[int], worker: int, workers: int) -> list[int]:
    """The runs of frames that one of several workers draws."""
    return [number for i, number in enumerate(frames) if i // _RUN % workers == worker]


def _work(
    shot: Shot, numbers: Sequence[int], filled: multiprocessing.Queue[tuple[int, bytes, str] | str]
) -> None:
    cv2.setNumThreads(1)
    try:
        for frame in draw(shot, numbers):
            yuv = cv2.cvtColor(frame.picture, cv2.COLOR_BGR2YUV_I420)
            filled.put((frame.number, yuv.tobytes(), frame.line))
    except Exception as error:
        filled.put(f"{type(error).__name__}: {error}")
        raise


def _next(
    filled: multiprocessing.Queue[tuple[int, bytes, str] | str], worker: BaseProcess, number: int
) -> tuple[int, bytes, str]:
    """What a worker drew; a worker that died without a word is noticed."""
    while True:
        try:
            got = filled.get(timeout=_PATIENCE)
        except Empty:
            if worker.is_alive():
                continue
            got = "its process ended, perhaps for want of memory"
        if isinstance(got, str):
            raise BadInput(f"frame {number} could not be drawn ({got}); try a smaller --size")
        return got


@contextmanager
def _deaf_to_ctrl_c() -> Iterator[None]:
    """Processes started here leave Ctrl-C to the one that started them, which ends them without noise."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    before = signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)


def filmed(shot: Shot, processes: int) -> Generator[tuple[int, Array, str], None, None]:
    """All frames in order as planar YUV pictures with their lines; close it when done."""
    context = multiprocessing.get_context("spawn")
    numbers = range(shot.frames)
    width, height = shot.show.room.scene.camera.size
    queues = [context.Queue(2 * _RUN) for _ in range(processes)]
    workers = [
        context.Process(target=_work, args=(shot, share(numbers, i, processes), queue), daemon=True)
        for i, queue in enumerate(queues)
    ]
    with _deaf_to_ctrl_c():
        for worker in workers:
            worker.start()
    try:
        for number in numbers:
            turn = number // _RUN % processes
            _, pixels, line = _next(queues[turn], workers[turn], number)
            yield number, np.frombuffer(pixels, np.uint8).reshape(height * 3 // 2, width), line
    finally:
        for worker in workers:
            worker.terminate()
        for worker in workers:
            worker.join()


@contextmanager
def video_writer(path: Path, size: tuple[int, int], fps: int) -> Iterator[Any]:
    """Takes planar YUV pictures one by one and writes H.264."""
    with av.open(str(path), "w") as container:
        stream = container.add_stream("libx264", rate=fps)
        stream.width, stream.height = size
        stream.pix_fmt = "yuv420p"
        stream.time_base = Fraction(1, fps)
        stream.codec_context.time_base = Fraction(1, fps)
        stream.codec_context.thread_count = 1
        stream.options = {"preset": "veryfast", "crf": _QUALITY}
        # OpenCV's YUV is that of BT.601: said here, or players guess by the size of the picture.
        stream.codec_context.colorspace = 6

        def write(number: int, yuv: Array) -> None:
            frame = av.VideoFrame.from_ndarray(np.ascontiguousarray(yuv), format="yuv420p")
            frame.pts, frame.time_base = number, Fraction(1, fps)
            container.mux(stream.encode(frame))

        yield write
        container.mux(stream.encode())
