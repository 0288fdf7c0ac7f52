"""`make bench`: every benchmark in turn. Speeds are ratios against a baseline in the same run."""

from __future__ import annotations

import importlib
import sys

SECTIONS = ("tests.bench_judging", "tests.bench_virtual_table", "tests.bench_simulate")


def main() -> None:
    for name in sys.argv[1:] or SECTIONS:
        importlib.import_module(name).run()


if __name__ == "__main__":
    main()
