"""What holds for every test, and for every program that one starts."""

import os
from pathlib import Path

# Invented decks are drawn with whatever fonts are at hand. Here only those of Python packages are, so that a
# test sees the same cards on every machine: a package of Debian's must not decide whether it passes.
os.environ["FINITO_FONTS"] = str(Path(__file__).parent / "no fonts but those of packages")
