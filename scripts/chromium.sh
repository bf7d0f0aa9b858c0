#!/bin/sh
# Sees to it that there is a Chromium for the browser tests: one of this machine, else Debian's, else Playwright's own.
# Never fails and never waits for ever: where none can be had, the browser tests say so and are skipped.
# Usage: chromium.sh PYTHON
set -u
python=$1

say() { printf 'chromium: %s\n' "$*"; }

within() { # SECONDS COMMAND...
    seconds=$1
    shift
    if command -v timeout >/dev/null; then timeout -k 10 "$seconds" "$@"; else "$@"; fi
}

found() {
    path=$(within 120 "$python" -m tests.browser.chromium) && say "using $path"
}

root() { [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null; }

debian() { root && grep -qs '^ID=debian' /etc/os-release; }

found && exit

if [ -n "${CONTENTSYNC_CHROMIUM-}" ]; then
    say "CONTENTSYNC_CHROMIUM=$CONTENTSYNC_CHROMIUM does not start; nothing is installed beside it"
elif debian; then
    say "none on this machine; installing Debian's with apt-get (up to 5 minutes)"
    export DEBIAN_FRONTEND=noninteractive
    within 60 apt-get -qq -o Acquire::Retries=1 -o Acquire::http::Timeout=20 update
    within 300 apt-get -qq -o Acquire::Retries=1 -o Acquire::http::Timeout=20 -o DPkg::Lock::Timeout=60 \
        install -y --no-install-recommends chromium >/dev/null
    found && exit
fi

if [ -z "${CONTENTSYNC_CHROMIUM-}" ]; then
    say "downloading Playwright's (up to 3 minutes)"
    if root; then libraries=--with-deps; else libraries=; fi
    # shellcheck disable=SC2086 # nothing, or one option
    within 180 "$python" -m playwright install $libraries chromium
    found && exit
fi

cat >&2 <<'NONE'
************************************************************************************************
chromium: NONE COULD BE INSTALLED, so the tests in tests/browser/ WILL BE SKIPPED.
    Install Chromium or Chrome (Debian, Ubuntu: sudo apt-get install chromium), or set
    CONTENTSYNC_CHROMIUM to the path of one; then run `make browser`.
************************************************************************************************
NONE
exit 0
