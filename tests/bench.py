"""`make bench`: every benchmark in turn. Speeds are ratios against a baseline in the same run."""

from __future__ import annotations

import argparse
import importlib
from pathlib import Path

SECTIONS = (
    "tests.bench_judging",
    "tests.bench_virtual_table",
    "tests.bench_simulate",
    "tests.bench_eyes",
    "tests.bench_watching",
)
WITH_PEER = ("tests.bench_eyes", "tests.bench_watching")


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m tests.bench", description=__doc__)
    parser.add_argument("sections", nargs="*", default=SECTIONS, help="modules; all unless given")
    parser.add_argument("--peer", type=Path, help="another detector's ONNX file, to be timed beside the eyes")
    given = parser.parse_args()
    if given.peer and not given.peer.is_file():
        parser.error(f"there is no {given.peer}")
    for name in given.sections:
        section = importlib.import_module(name)
        if name in WITH_PEER:
            section.run(given.peer)
        else:
            section.run()


if __name__ == "__main__":
    main()
