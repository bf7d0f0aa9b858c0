#!/bin/sh
# contentsync as it lies beside this script, with the libraries of its lock, in "$RUNNER_TEMP/contentsync".
# Nothing is imported from the folder that this runs in (-I): it holds what somebody proposes.
set -eu
source=$(cd "$(dirname "$0")/../.." && pwd)
environment="$RUNNER_TEMP/contentsync"
if ! python3 -I -c 'import sys; sys.exit(sys.version_info < (3, 11))'; then
  echo "::error::contentsync needs Python 3.11 or newer; actions/setup-python brings it"
  exit 1
fi
python3 -I -m venv "$environment"
pip() { "$environment/bin/python" -I -m pip --disable-pip-version-check --no-input install --quiet "$@"; }
pip --require-hashes --only-binary :all: -r "$source/requirements.lock"
pip --no-deps --no-build-isolation "$source"
