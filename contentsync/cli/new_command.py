"""`contentsync new`."""

from pathlib import Path

from ..content.content_folder import CONFIG
from ..content.load import load_content
from ..content.scaffold import plan_new_entry
from ..errors import ContentError
from ..model.entry import parse_kind
from ..report.formatting import pluralize, printable
from .output import print_json
from .terminal import stderr, stdout


def new(folder: Path, kind_name: str, slug: str, *, as_json: bool) -> int:
    """Create an entry, in a file of its own or at the end of the file of its kind, and print its location."""
    kind = parse_kind(kind_name)
    content = load_content(folder)
    config_errors = [problem for problem in content.errors if problem.where.path in (CONFIG, ".")]
    if config_errors:  # without a config, the file of the entry is not known
        raise ContentError(config_errors, folder)
    addition = plan_new_entry(content, kind, slug)
    addition.write(folder)
    if as_json:
        print_json({"version": 1, "kind": kind, "key": slug, "path": addition.path, "line": addition.line})
    else:
        path = folder / addition.path
        cwd = Path.cwd()
        stdout().print(printable(str(path.relative_to(cwd) if path.is_relative_to(cwd) else path)), markup=False)
    if content.errors:
        errors = pluralize(len(content.errors), "error")
        stderr().print(f"the folder has {errors}, which may hide another '{slug}': contentsync validate shows them")
    return 0
