"""A port for a server that has to come back under the same address."""

from __future__ import annotations

import random
import socket
from typing import Final

# Below the ports that systems hand out by themselves: while the server is away, nobody's own connection, not
# even one that tries to reach it, is given its port.
_FROM: Final = 20_000
_TO: Final = 32_000


def free_port() -> int:
    while True:
        port = random.SystemRandom().randrange(_FROM, _TO)
        try:
            with socket.create_server(("127.0.0.1", port)):
                return port
        except OSError:
            continue
