"""Write the `key` of the cached libraries to the output of the step: it depends on the lock, Python and the machine.

`hashFiles` of a workflow cannot do this, because it reads only the workspace, and the lock is in the action's folder.
"""

import hashlib
import sys
import sysconfig
from pathlib import Path

from log import output

LOCK = Path(__file__).resolve().parents[2] / "requirements-base.lock"


def cache_key(lock: bytes) -> str:
    """Return the key of the wheels that this Python installs from the lock."""
    digest = hashlib.sha256(lock).hexdigest()
    return f"contentsync-{sysconfig.get_platform()}-{sys.implementation.cache_tag}-{digest}"


def main() -> int:
    output("key", cache_key(LOCK.read_bytes()))
    return 0


if __name__ == "__main__":
    sys.exit(main())
