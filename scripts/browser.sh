#!/bin/sh
set -u
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
