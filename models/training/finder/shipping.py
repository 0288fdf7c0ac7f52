"""From a trained net to one that ships: python -m models.training.finder.shipping FOLDER [--out models].

FOLDER is that of the training. The net is written in whole numbers, its score is fitted to validation stills
that are drawn for it, and both go into the manifest.
"""

import argparse
import hashlib
from pathlib import Path

import models
from models.training.finder.quantising import quantise
from models.training.finder.scores import score_weights
from models.training.finder.stills_cache import fill, unpacked
from models.training.manifest import write_table
from vision.card_finder import LONG_SIDE

_SIZES = ((1280, 720), (960, 540), (1024, 768), (768, 1024))


def ship(trained: Path, out: Path, command: str, stills: int, seed: int) -> None:
    """Writes finder.onnx and its table of manifest.toml."""
    drawn = list(fill(trained / "validation", seed, "validation", 0, stills, _SIZES))
    path = out / "finder.onnx"
    quantise(trained / "finder.onnx", drawn, path)
    content = path.read_bytes()
    weights = score_weights(content, (unpacked(one.read_bytes()) for one in drawn), LONG_SIDE)
    table = {
        "file": path.name,
        "sha256": hashlib.sha256(content).hexdigest(),
        "command": command,
        "picture": "1 × height × width × 3 (BGR bytes), sides multiples of 32",
        "scored_on": f"{stills} validation stills",
        "score_weights": [float(weight) for weight in weights],
    }
    write_table(out / "manifest.toml", "finder", table)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--out", type=Path, default=Path(models.__file__).parent)
    parser.add_argument("--stills", type=int, default=400)
    parser.add_argument("--seed", type=int, default=500)
    parser.add_argument("--command", default="python -m models.training.finder --minutes 75")
    given = parser.parse_args()
    ship(given.folder, given.out, given.command, given.stills, given.seed)


if __name__ == "__main__":
    main()
