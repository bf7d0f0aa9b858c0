"""Permissions in tests that also run as the administrator."""

import os
from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def as_no_user() -> Iterator[None]:
    """Run the block without the administrator's permission to read everything."""
    user = os.geteuid()
    if user == 0:
        os.seteuid(65534)
    try:
        yield
    finally:
        os.seteuid(user)
