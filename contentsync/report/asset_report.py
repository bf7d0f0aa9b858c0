"""The list of published files that nothing names any more, as text and as JSON."""

from collections.abc import Sequence
from typing import Any

from ..content.pictures.published_names import StoredFile
from ..errors import pluralize
from ..model.dates import instant_text
from .formatting import printable, size_text


def unused_text(files: Sequence[StoredFile], missing: Sequence[str], address: str) -> str:
    """Return a line for each missing and each unused file, and a line that says how many are unused."""
    lines = [f"  missing: {name}, which an entry names; a sync publishes it if the folder has it" for name in missing]
    if not files:
        return "\n".join([*lines, f"entries name every file in {printable(address)} that is older than a day\n"])
    total = f"{pluralize(len(files), 'file')} ({size_text(sum(file.size for file in files))})"
    lines += [f"  {file.name} ({size_text(file.size)}), {instant_text(file.modified)[:10]}" for file in files]
    return "\n".join([*lines, f"{total} in {printable(address)} that no entry names\n"])


def unused_document(
    files: Sequence[StoredFile], missing: Sequence[str], address: str, *, deleted: bool
) -> dict[str, Any]:
    """Return the same as a JSON document."""
    rows = [{"name": file.name, "bytes": file.size, "modified": instant_text(file.modified)} for file in files]
    return {"version": 1, "store": address, "unused": rows, "missing": [*missing], "deleted": deleted}
