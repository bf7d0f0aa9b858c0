"""Small pieces of text that all reports share."""

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, TypeVar

from ..content.files.content_folder import CONFIG
from ..content.files.validation_report import ValidationReport
from ..errors import Where, join_first, pluralize
from ..value_text import printable

if TYPE_CHECKING:  # a cached report of `validate` does not need it
    from ..content.pictures.published_names import PublishedFile, StoredFile


def size_text(size: int) -> str:
    """Return a number of bytes for people, such as `1.2 MB`."""
    if size < 1000:
        return pluralize(size, "byte")
    for unit, bytes_per_unit in (("KB", 10**3), ("MB", 10**6)):
        if size < 1000 * bytes_per_unit:
            return f"{size / bytes_per_unit:,.1f} {unit}"
    return f"{size / 10**9:,.1f} GB"


def new_columns_line(path: str, columns: Sequence[str]) -> str:
    """Return the line that names the columns which an edit adds to a table."""
    name = "column" if len(columns) == 1 else "columns"
    return f"  ! {printable(path)}  new {name} {printable(join_first(columns))}: all rows change"


T = TypeVar("T")


def first_items(items: Sequence[T], limit: int, *, full: bool) -> Sequence[T]:
    """Return the items of a list to show: at most `limit` lines, with the one that counts the others (`others_line`).

    With `full`, return all items.
    """
    return items if full or len(items) <= limit else items[: limit - 1]


def others_line(number: int, description: str, hint: str = " (--full shows all)") -> str:
    """Return the line below a shortened list: the number of items that are not shown, and how to see them."""
    return f"  … and {number:,} more {description}{hint}\n"


def groups_text(groups: Iterable[Sequence[str]], limit: int, description: str, *, full: bool) -> str:
    """Return the lines of each group; without `full`, at most `limit` of each, and how many more there are."""
    text = ""
    for group in groups:
        shown = first_items(group, limit, full=full)
        text += "".join(f"{line}\n" for line in shown)
        if len(shown) < len(group):
            text += others_line(len(group) - len(shown), description)
    return text


def entry_text(entry: Mapping[str, Any]) -> str:
    """Return the kind and the key of an element of a document."""
    return f"{entry['kind']} {printable(entry['key'])}"


def location_text(where: Where) -> str:
    """Return a location as `path:line:column`."""
    return f"{printable(where.path)}:{where.line}:{where.column}"


def report_summary(report: ValidationReport) -> tuple[str, str]:
    """Return the summary of a report in two parts, such as `2 errors` and `, 1 warning in 9 files with 20 entries`."""
    errors, files = len(report.errors), pluralize(report.files, "file")
    if errors and not report.files and all(problem.where.path == CONFIG for problem in report.problems):
        return pluralize(errors, "error"), f" in {CONFIG}; correct it, then the content is read"
    warnings = len(report.problems) - errors
    text = f", {pluralize(warnings, 'warning')}" if warnings else ""
    entries = pluralize(sum(report.counts.values()), "entry", "entries")
    return pluralize(errors, "error") if errors else "valid", f"{text} in {files} with {entries}"


def files_summary(files: "Sequence[PublishedFile | StoredFile]") -> str:
    """Return the number and the size of files, such as `2 files (1.2 MB)`."""
    return f"{pluralize(len(files), 'file')} ({size_text(sum(file.size for file in files))})"
