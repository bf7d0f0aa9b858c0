"""What is told where a file, read again in memory, would not say what it should: nothing is written then."""

from ...errors import Refused
from ..draft import Unreadable

_HINT = "change it by hand, or leave it out with --only"


def unreadable(path: str, error: Unreadable) -> Refused:
    """That it could not be read with what the server has in it."""
    return Refused(f"{path}: {error.problems[0].message}, with what the server has", _HINT)


def misread(path: str) -> Refused:
    """That it would say something else."""
    return Refused(f"{path} is written in a way that cannot be changed in place", _HINT)
