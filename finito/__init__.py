"""Finito: the application around the referee (command line, web, storage, virtual table)."""

import os

# Products of matrices are many and small here: a second thread of linear algebra waits for them, spinning,
# longer than it works. It has to be said before numpy is there.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

__version__ = "0.1.0"
