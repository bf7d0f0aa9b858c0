"""`contentsync validate`."""

from pathlib import Path

from ..content import load
from ..report.problems import validation_document, validation_text
from .terminal import data, print_json


def validate(folder: Path, *, as_json: bool) -> int:
    """Reads everything, talks to nobody, and reports all problems; 1 if there are errors."""
    content = load(folder)
    if as_json:
        print_json(validation_document(content.problems, content.files, content.entries))
    else:
        data().print(validation_text(content.problems, content.files, content.entries), end="")
    return 1 if content.errors else 0
