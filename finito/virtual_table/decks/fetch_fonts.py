"""Fetch open fonts for training: `python -m finito.virtual_table.decks.fetch_fonts`.

Needs npm. Only invented decks use them, and they draw fewer styles without. Each family's latin file
goes to the fonts folder; its licence (OFL or Apache) comes with the package.
"""

from __future__ import annotations

import json
import shutil
import subprocess
import tarfile
import tempfile
import tomllib
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from rich.console import Console
from rich.progress import track

from finito.virtual_table.decks.invented.fonts import TRAINING, fonts_folder

_FAMILIES = Path(__file__).with_name("open_fonts.toml")
_WEIGHTS = ("400", "700", "900")
_AT_ONCE = 4  # the registry answers slowly, not npm


def fetch(target: Path, console: Console) -> list[str]:
    """Fetch every family that the registry has; the names of those that came."""
    lists: dict[str, list[str]] = tomllib.loads(_FAMILIES.read_text())
    wanted = [(name, target) for name in lists["families"]]
    wanted += [(name, target / TRAINING) for name in lists["training"]]
    with ThreadPoolExecutor(_AT_ONCE) as pool:
        came = track(pool.map(lambda pair: _fetched(*pair), wanted), "fonts", len(wanted), console=console)
        return [name for (name, _), here in zip(wanted, came, strict=True) if here]


def _fetched(family: str, target: Path) -> bool:
    target.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as folder:
        here = _pack(family, Path(folder))
        if here:
            _unpack(family, Path(folder), target)
    return here


def _pack(family: str, folder: Path) -> bool:
    command = ["npm", "pack", "--silent", f"@fontsource/{family}@5"]
    return subprocess.run(command, cwd=folder, capture_output=True, check=False).returncode == 0


def _unpack(family: str, folder: Path, target: Path) -> None:
    wanted = {f"{family}-latin-{weight}-normal.woff2" for weight in _WEIGHTS} | {
        f"{family}-latin-400-italic.woff2"
    }
    for archive in folder.glob("*.tgz"):
        with tarfile.open(archive) as packed:
            for member in packed.getmembers():
                name = Path(member.name).name
                source = packed.extractfile(member) if name in wanted else None
                if source:
                    with source, (target / name).open("wb") as file:
                        shutil.copyfileobj(source, file)


def main() -> None:
    console = Console(stderr=True)
    if shutil.which("npm") is None:
        raise SystemExit("npm is not installed; fonts are optional, so nothing else is needed")
    came = fetch(fonts_folder(), console)
    Console().print_json(json.dumps({"folder": str(fonts_folder()), "families": came}))


if __name__ == "__main__":
    main()
