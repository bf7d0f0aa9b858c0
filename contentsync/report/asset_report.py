"""Published files: those that a plan sends to the asset store, and those there that nothing names any more."""

from collections.abc import Sequence
from typing import Any

from rich.text import Text

from ..content.pictures.published_names import PublishedFile, StoredFile
from ..errors import pluralize
from ..model.scalar import instant_text
from ..value_text import printable
from .formatting import others_line, size_text

MAX_UPLOADS = 10  # files that a plan lists


def files_summary(files: Sequence[PublishedFile | StoredFile]) -> str:
    """Return the number and the size of files, such as `2 files (1.2 MB)`."""
    return f"{pluralize(len(files), 'file')} ({size_text(sum(file.size for file in files))})"


def uploads_text(uploads: Sequence[PublishedFile], *, full: bool) -> Text:
    """Return a line for each file that a plan publishes; without `full`, for the first MAX_UPLOADS."""
    shown = uploads if full else uploads[:MAX_UPLOADS]
    text = Text()
    for file in shown:
        text.append("  publish", "green")
        text.append(f" {printable(file.path)} ({size_text(file.size)}) as {file.name}\n")
    if len(uploads) > len(shown):
        text.append(others_line(len(uploads) - len(shown), "files"), "dim")
    return text


def unused_text(files: Sequence[StoredFile], missing: Sequence[str], address: str) -> str:
    """Return a line for each missing and each unused file, and a line that says how many are unused."""
    lines = [f"  missing: {name}, which an entry names; a sync publishes it if the folder has it" for name in missing]
    if not files:
        return "\n".join([*lines, f"entries name every file in {printable(address)} that is older than a day\n"])
    lines += [f"  {file.name} ({size_text(file.size)}), {instant_text(file.modified)[:10]}" for file in files]
    return "\n".join([*lines, f"{files_summary(files)} in {printable(address)} that no entry names\n"])


def unused_document(
    files: Sequence[StoredFile], missing: Sequence[str], address: str, *, deleted: bool
) -> dict[str, Any]:
    """Return the missing and the unused files as a JSON document."""
    rows = [{"name": file.name, "bytes": file.size, "modified": instant_text(file.modified)} for file in files]
    return {"version": 1, "store": address, "unused": rows, "missing": [*missing], "deleted": deleted}
