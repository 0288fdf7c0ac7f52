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

# The tests open the pages in a real browser. Where there is none and we may, Debian's Chromium is installed;
# where we may not, those tests skip and say so. Nothing here may stop the set-up.
has_browser() {
    for name in "${FINITO_BROWSER:-chromium}" chromium-browser google-chrome google-chrome-stable chrome; do
        command -v "$name" >/dev/null 2>&1 && return 0
    done
    return 1
}
if ! has_browser && [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null 2>&1; then
    echo "Installing Chromium for the tests of the pages (a minute or two, once) ..."
    {
        DEBIAN_FRONTEND=noninteractive apt-get -qq update &&
            DEBIAN_FRONTEND=noninteractive apt-get -qq install -y --no-install-recommends chromium
    } >/dev/null 2>&1 || echo "Chromium could not be installed; the tests of the pages will be skipped."
fi
