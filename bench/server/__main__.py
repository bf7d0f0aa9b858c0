"""Runs every row: `make bench-server`."""

import sys

from ..command import run
from .rows import FULL, QUICK, measure

COMMAND = "make bench-server"


if __name__ == "__main__":
    sys.exit(run(COMMAND, __doc__, lambda quick: measure(QUICK if quick else FULL)))
