#!/bin/sh
# Creates the virtual environment and installs the pinned packages into it.
set -eu
python="${PYTHON:-python3}"
venv="${VENV:-.venv}"

"$python" -c 'import sys; sys.exit(sys.version_info < (3, 11))' || {
    echo "finito needs Python 3.11 or newer; $("$python" --version) was found. Set PYTHON=python3.11." >&2
    exit 1
}
[ -x "$venv/bin/python" ] || "$python" -m venv "$venv"
echo "Installing the pinned packages into $venv (about a minute the first time) ..."
"$venv/bin/python" -m pip install --quiet --disable-pip-version-check -c constraints.txt -e '.[test]'

# opencv-python needs libGL, which a bare server lacks; the headless wheel has the same API.
if ! "$venv/bin/python" -c 'import cv2' 2>/dev/null; then
    version=$("$venv/bin/python" -c 'from importlib.metadata import version; print(version("opencv-python"))')
    echo "OpenCV finds no libGL here: using opencv-python-headless instead."
    "$venv/bin/python" -m pip uninstall --quiet --yes opencv-python
    "$venv/bin/python" -m pip install --quiet --disable-pip-version-check "opencv-python-headless==$version"
    "$venv/bin/python" -c 'import cv2'
fi
