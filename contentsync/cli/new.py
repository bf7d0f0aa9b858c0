"""`contentsync new`."""

from pathlib import Path

from ..content.content_folder import CONFIG
from ..content.load import load
from ..content.scaffold import plan_new_entry
from ..errors import ContentError
from ..model.kind import kind_named
from ..report.words import counted, printable
from .output import print_json
from .terminal import data, talk


def new(folder: Path, word: str, slug: str, *, as_json: bool) -> int:
    """Makes an entry, in a file of its own or at the end of the file of its kind, and prints where it is."""
    kind = kind_named(word)
    content = load(folder)
    unclear = [problem for problem in content.errors if problem.where.path in (CONFIG, ".")]
    if unclear:  # where entries go is not known
        raise ContentError(unclear, folder)
    addition = plan_new_entry(content, kind, slug)
    addition.write(folder)
    if as_json:
        print_json({"version": 1, "kind": kind, "key": slug, "path": addition.path, "line": addition.line})
    else:
        path = folder / addition.path
        here = Path.cwd()
        data().print(printable(str(path.relative_to(here) if path.is_relative_to(here) else path)), markup=False)
    if content.errors:
        errors = counted(len(content.errors), "error")
        talk().print(f"the folder has {errors}, which may hide another '{slug}': contentsync validate shows them")
    return 0
