"""Gives the `key` of the cached libraries: another lock, Python or machine has a cache of its own.

`hashFiles` of a workflow reads the workspace alone, and the lock is in the folder of the action.
"""

import hashlib
import os
import sys
import sysconfig
from pathlib import Path

LOCK = Path(__file__).resolve().parents[2] / "requirements-base.lock"


def cache_key(lock: bytes) -> str:
    """Return the key of the wheels that this Python installs from the lock."""
    digest = hashlib.sha256(lock).hexdigest()
    return f"contentsync-{sysconfig.get_platform()}-{sys.implementation.cache_tag}-{digest}"


def main() -> int:
    with Path(os.environ["GITHUB_OUTPUT"]).open("a", encoding="utf-8") as output:
        output.write(f"key={cache_key(LOCK.read_bytes())}\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
