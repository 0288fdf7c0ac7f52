"""Threads come and go all evening; the memory they used is used again by the next."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

MANY_THREADS = """
import ctypes, sys, threading
from vision.memory import share_one_heap

if sys.argv[1] == "shared":
    share_one_heap()
together = threading.Barrier(6)

def work():
    together.wait()
    kept = [bytearray(60_000 + i) for i in range(200)]
    together.wait()

threads = [threading.Thread(target=work) for _ in range(6)]
for thread in threads:
    thread.start()
for thread in threads:
    thread.join()
libc = ctypes.CDLL(None)
libc.fopen.restype = ctypes.c_void_p
file = ctypes.c_void_p(libc.fopen(sys.argv[2].encode(), b"w"))
libc.malloc_info(0, file)
libc.fclose(file)
"""


def heaps(folder: Path, how: str) -> int:
    told = folder / f"{how}.xml"
    subprocess.run([sys.executable, "-c", MANY_THREADS, how, str(told)], check=True)
    return told.read_text().count("<heap nr=")


@pytest.mark.skipif(sys.platform != "linux", reason="other C libraries have no such heaps")
def test_threads_share_one_heap(tmp_path: Path) -> None:
    if heaps(tmp_path, "alone") < 2:
        pytest.skip("this C library gives threads no heaps of their own")
    assert heaps(tmp_path, "shared") == 1


SCATTERED = """
import os
from pathlib import Path
from vision.memory import give_back_memory

def megabytes():
    return int(Path("/proc/self/statm").read_text().split()[1]) * os.sysconf("SC_PAGESIZE") / 1e6

game = [bytearray(60_000) for _ in range(3000)]
kept = game[::100]
del game
before = megabytes()
give_back_memory()
print(before - megabytes())
"""


@pytest.mark.skipif(sys.platform != "linux", reason="other C libraries are not asked")
def test_what_a_game_used_is_given_back_though_some_of_it_is_kept() -> None:
    told = subprocess.run([sys.executable, "-c", SCATTERED], check=True, capture_output=True, text=True)
    assert float(told.stdout) > 100
