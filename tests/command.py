"""The real command in a process of its own."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[1]


def finito(
    *arguments: str, stdin: str | None = None, data: Path | None = None
) -> subprocess.CompletedProcess[str]:
    """Runs `finito` as a user would; `data` is the user's data folder."""
    environment = dict(os.environ)
    if data is not None:
        environment["FINITO_DATA"] = str(data)
    return subprocess.run(
        [sys.executable, "-m", "finito", *arguments],
        input=stdin,
        capture_output=True,
        text=True,
        encoding="utf-8",
        cwd=ROOT,
        env=environment,
        timeout=120,
    )
