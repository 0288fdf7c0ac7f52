"""A camera on the network as cheap ones are: JPEG after JPEG in one HTTP answer, on loopback."""

from __future__ import annotations

import itertools
import socket
import threading
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import cv2
import numpy as np


class MjpegServer:
    """Serves grey pictures that count upwards until it is killed; `stalled` keeps it silent but alive."""

    def __init__(self, port: int = 0, rate: float = 50.0, level: int = 0) -> None:
        self.stalled = threading.Event()
        self._gone = threading.Event()
        self._sockets: list[socket.socket] = []
        camera = self

        class Handler(BaseHTTPRequestHandler):
            def log_message(self, *_: Any) -> None: ...

            def do_GET(self) -> None:
                camera._sockets.append(self.connection)
                self.send_response(200)
                self.send_header("Content-Type", "multipart/x-mixed-replace; boundary=frame")
                self.end_headers()
                for number in itertools.count():
                    if camera._gone.wait(1 / rate):
                        return
                    while camera.stalled.is_set() and not camera._gone.is_set():
                        time.sleep(0.01)
                    if not self._send(number):
                        return

            def _send(self, number: int) -> bool:
                picture = np.full((48, 64, 3), (level + number) % 250, np.uint8)
                jpeg = cv2.imencode(".jpg", picture)[1].tobytes()
                head = f"--frame\r\nContent-Type: image/jpeg\r\nContent-Length: {len(jpeg)}\r\n\r\n"
                try:
                    self.wfile.write(head.encode() + jpeg + b"\r\n")
                except OSError:
                    return False
                return True

        self._server = ThreadingHTTPServer(("127.0.0.1", port), Handler)
        self._server.daemon_threads = True
        self._server.block_on_close = False
        threading.Thread(target=self._server.serve_forever, args=(0.02,), daemon=True).start()

    @property
    def port(self) -> int:
        return int(self._server.server_address[1])

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}/video"

    def kill(self) -> None:
        """Closes everything at once, in the middle of a picture if need be."""
        self._gone.set()
        for open_socket in self._sockets:
            try:
                open_socket.shutdown(socket.SHUT_RDWR)
            except OSError:
                continue
        self._server.shutdown()
        self._server.server_close()
