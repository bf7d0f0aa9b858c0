#!/bin/sh
# contentsync as it lies beside this script, without the server, in "$RUNNER_TEMP/contentsync".
# The wheels of its libraries stay in "$RUNNER_TEMP/contentsync-wheels", which the action caches: pip compares each with
# the hash in the lock, whether it was fetched or restored.
# Nothing is imported from the folder that this runs in (-I): it holds what somebody proposes.
set -eu
source=$(cd "$(dirname "$0")/../.." && pwd)
environment="$RUNNER_TEMP/contentsync"
wheels="$RUNNER_TEMP/contentsync-wheels"
if ! python3 -I -c 'import sys; sys.exit(sys.version_info < (3, 11))'; then
  echo "::error::contentsync needs Python 3.11 or newer; actions/setup-python brings it"
  exit 1
fi
python3 -I -m venv --without-pip "$environment"
# The pip of this machine saves the seconds that another one takes to install, if there is one that knows --python.
if python3 -I -m pip --python "$environment/bin/python" --version >/dev/null 2>&1; then
  pip() { python3 -I -m pip --python "$environment/bin/python" --disable-pip-version-check --no-input --quiet "$@"; }
else
  python3 -I -m venv "$environment"
  pip() { "$environment/bin/python" -I -m pip --disable-pip-version-check --no-input --quiet "$@"; }
fi
locked() { pip "$@" --require-hashes --only-binary :all: --requirement "$source/requirements-base.lock"; }
# What is imported is compiled then: most of what a wheel holds never is.
from_wheels() { locked install --no-compile --no-index --find-links "$wheels"; }
if ! { [ -d "$wheels" ] && from_wheels; }; then
  rm -rf "$wheels"
  locked download --dest "$wheels"
  from_wheels
fi
pip install --no-compile --no-index --no-deps --no-build-isolation "$source"
