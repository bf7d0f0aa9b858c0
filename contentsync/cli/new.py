"""`contentsync new`."""

from pathlib import Path

from ..content import load
from ..content.authoring.addition import add
from ..content.config import CONFIG
from ..errors import ContentError, UsageError
from ..model import Kind, did_you_mean
from ..report.words import counted, printable
from .terminal import data, print_json, talk


def new(folder: Path, kind: str, slug: str, *, as_json: bool) -> int:
    """Makes an entry, in a file of its own or at the end of the file of its kind, and prints where it is."""
    if kind not in set(Kind):
        raise UsageError(f"there is no kind '{kind}'", did_you_mean(kind, Kind) or f"the kinds are {', '.join(Kind)}")
    content = load(folder)
    unclear = [problem for problem in content.errors if problem.where.path in (CONFIG, ".")]
    if unclear:  # where entries go is not known
        raise ContentError(unclear, folder)
    addition = add(content, Kind(kind), slug)
    addition.write(folder)
    if as_json:
        print_json({"version": 1, "kind": kind, "key": slug, "path": addition.path, "line": addition.line})
    else:
        data().print(printable(str(folder / addition.path)), markup=False)
    if content.errors:
        errors = counted(len(content.errors), "error")
        talk().print(f"the folder has {errors}, which may hide another '{slug}': contentsync validate shows them")
    return 0
