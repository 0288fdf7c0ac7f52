"""A camera that speaks RTSP, on loopback: MPEG-TS in RTP packets, interleaved in one TCP connection."""

from __future__ import annotations

import io
import socket
import struct
import threading
import time
from contextlib import suppress
from fractions import Fraction
from itertools import pairwise

import av
import numpy as np

_TS_PACKET = 188
_PER_RTP = 7 * _TS_PACKET
_SDP = (
    "v=0\r\no=- 0 0 IN IP4 127.0.0.1\r\ns=camera\r\nc=IN IP4 127.0.0.1\r\nt=0 0\r\n"
    "m=video 0 RTP/AVP 33\r\na=control:video\r\n"
)


def _film(frames: int = 50, rate: int = 25) -> list[bytes]:
    """Transport stream packets of pictures that get brighter, cut by frame."""
    file = io.BytesIO()
    cuts = [0]
    with av.open(file, "w", format="mpegts") as container:
        stream = container.add_stream("mpeg2video", rate=rate)
        stream.width, stream.height, stream.pix_fmt = 64, 48, "yuv420p"
        stream.codec_context.gop_size = 5
        stream.codec_context.max_b_frames = 0
        for number in range(frames):
            picture = np.full((48, 64, 3), 20 + number * 4, np.uint8)
            frame = av.VideoFrame.from_ndarray(picture, format="bgr24")
            frame.pts, frame.time_base = number, Fraction(1, rate)
            container.mux(stream.encode(frame))
            cuts.append(file.tell())
        container.mux(stream.encode())
    data = file.getvalue()
    cuts.append(len(data))
    return [data[a:b] for a, b in pairwise(cuts)]


class RtspServer:
    """One camera; every connection gets the film from its start, at its own pace."""

    def __init__(self, port: int = 0) -> None:
        self._film = _film()
        self._listener = socket.create_server(("127.0.0.1", port))
        self.port = int(self._listener.getsockname()[1])
        self._open: list[socket.socket] = []
        self._gone = threading.Event()
        threading.Thread(target=self._accept, daemon=True).start()

    @property
    def url(self) -> str:
        return f"rtsp://127.0.0.1:{self.port}/table"

    def kill(self) -> None:
        self._gone.set()
        for each in (*self._open, self._listener):
            with suppress(OSError):
                each.shutdown(socket.SHUT_RDWR)
            each.close()

    def _accept(self) -> None:
        while not self._gone.is_set():
            try:
                connection, _ = self._listener.accept()
            except OSError:
                return
            self._open.append(connection)
            threading.Thread(target=self._serve, args=(connection,), daemon=True).start()

    def _serve(self, connection: socket.socket) -> None:
        asked = connection.makefile("rb")
        try:
            while request := self._request(asked):
                method, number = request
                connection.sendall(self._answer(method, number))
                if method == "PLAY":
                    self._play(connection)
                    return
        except OSError:
            return

    @staticmethod
    def _request(asked: io.BufferedReader) -> tuple[str, str] | None:
        method, number = "", "0"
        while line := asked.readline().decode().strip():
            method = method or line.split()[0]
            if line.lower().startswith("cseq:"):
                number = line.split(":")[1].strip()
        return (method, number) if method else None

    def _answer(self, method: str, number: str) -> bytes:
        extra = {
            "OPTIONS": "Public: OPTIONS, DESCRIBE, SETUP, PLAY, TEARDOWN\r\n",
            "DESCRIBE": f"Content-Base: {self.url}/\r\nContent-Type: application/sdp\r\n"
            f"Content-Length: {len(_SDP)}\r\n",
            "SETUP": "Transport: RTP/AVP/TCP;unicast;interleaved=0-1\r\nSession: 7\r\n",
        }.get(method, "Session: 7\r\n")
        body = _SDP if method == "DESCRIBE" else ""
        return f"RTSP/1.0 200 OK\r\nCSeq: {number}\r\n{extra}\r\n{body}".encode()

    def _play(self, connection: socket.socket) -> None:
        sequence = 0
        for number, data in enumerate(self._film):
            for at in range(0, len(data), _PER_RTP):
                load = data[at : at + _PER_RTP]
                head = struct.pack(">BBHII", 0x80, 33, sequence & 0xFFFF, number * 3600, 1)
                connection.sendall(struct.pack(">BBH", 0x24, 0, len(head) + len(load)) + head + load)
                sequence += 1
            time.sleep(0.02)
        self._gone.wait(30)
