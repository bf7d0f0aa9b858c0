"""Read the consents in the trailers of commits with git."""

import os
import re
from collections.abc import Iterator
from pathlib import Path

from ...git import environ_without_hook, git_read
from ...lazy_pattern import lazy_pattern
from ..planning.consents import TRAILER, Trailer

_LINE = lazy_pattern(rf"^{TRAILER}[ \t]*:(.*)$", re.IGNORECASE | re.MULTILINE)
# The trailers with their keys, because git prints nothing for an empty value.
_FIELDS = ("%H", "%aN", f"%(trailers:key={TRAILER},unfold,separator=%x0A)", "%B")


def read_trailers(top: Path, since: str, *, first_parent: bool = False) -> tuple[Trailer, ...]:
    """Return the trailers of the commits between the commit `since` and HEAD of a working tree, the newest first.

    With `first_parent`, leave out the commits that a merge has brought.
    """
    words = ("-c", "log.showSignature=false", "log", "-z", "--encoding=UTF-8", f"--format={'%x00'.join(_FIELDS)}")
    with_trailer = ("--regexp-ignore-case", "--fixed-strings", f"--grep={TRAILER}")
    options = ("--first-parent",) if first_parent else ()
    environ = environ_without_hook()
    listed = git_read(*words, *with_trailer, *options, f"{since}..HEAD", "--", folder=top, environ=environ)
    fields = iter(os.fsdecode(listed).split("\0"))
    commits = zip(fields, fields, fields, fields, strict=False)  # the list ends with an empty field
    return tuple(trailer for commit in commits for trailer in _trailers_of(*commit))


def _trailers_of(commit: str, author: str, trailers: str, message: str) -> Iterator[Trailer]:
    """Yield the trailers of a commit, and each line of its message that looks like one and is not, with a fault."""
    lines = _LINE.findall(message)
    texts = [line.partition(":")[2].strip() for line in trailers.split("\n") if line]
    for line in lines[: len(lines) - len(texts)]:  # trailers are at the end
        yield Trailer(commit, author, line.strip(), {}, "it is not in the last paragraph of the message")
    for text in texts:
        yield Trailer.parse(commit, author, text)
