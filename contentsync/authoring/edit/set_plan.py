"""Plan the same changes of fields in many entries, as `contentsync set` makes them (docs/set.md)."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from ...content.files.file_names import suffix_of
from ...content.files.source_file import FolderView
from ...content.files.validation_report import new_problems
from ...content.folder.entry_reader import EntryReader
from ...content.folder.load import Content, load_content
from ...content.formats.draft import ABSENT, BODY_FIELDS, value_at
from ...content.formats.table_rows import TABLE_SUFFIXES
from ...errors import Refused, UsageError
from ...model import Entry, EntryKey, Kind
from ...model.assignments import Assignment, Operator
from ...model.named_fields import is_filled
from .field_edits import Values, changed_fields, plan_field_edits, refuse_errors, with_values
from .file_edits import FileEdit
from .row_values import entry_reader_of, read_rows

_BY_MV = "contentsync mv renames an entry, with its files and all links to it"


class SetChange(NamedTuple):
    """A field that changes in an entry; ABSENT is a field that is not set."""

    entry: Entry
    name: str
    before: Any
    after: Any


class SetPlan(NamedTuple):
    """The changes in those of the found entries that have other values, and the edits that make them."""

    kind: Kind
    found: int
    changes: Sequence[SetChange] = ()
    edits: Sequence[FileEdit] = ()


def plan_set(content: Content, kind: Kind, found: Sequence[Entry], assignments: Sequence[Assignment]) -> SetPlan:
    """Return the plan that makes the assignments in the found entries of a kind, and that changes nothing else.

    Texts are read as the cells of a table. Raise UsageError for a text that the rules refuse, and Refused if the edited
    folder would have an error or another value, or if a table has no column for a field. Writes nothing.
    """
    if not found:
        return SetPlan(kind, 0)
    values = _read_values(entry_reader_of(content), found[0], assignments)
    pairs = [*zip(assignments, values, strict=True)]
    changes = [change for entry in found for change in _changes(entry, pairs)]
    written: dict[EntryKey, dict[str, Any]] = defaultdict(dict)
    for change in changes:
        written[change.entry.kind, change.entry.key][change.name] = change.after
    edits = plan_field_edits(content, written) if changes else ()
    _refuse_new_columns(edits)
    _refuse_other_values(content, edits, written)
    return SetPlan(kind, len(found), changes, edits)


def _read_values(reader: EntryReader, entry: Entry, assignments: Sequence[Assignment]) -> list[Any]:
    """Return the value that each text means. Raise UsageError if `entry`, one of those to change, cannot have it."""
    lists = {name for names in reader.list_fields(entry.kind) for name in names}
    rows: list[dict[str, str]] = []  # a row has one value of each field: the first one, the second one ...
    row_of_assignment: list[int] = []
    seen: Counter[str] = Counter()
    for assignment in assignments:
        name = assignment.field.name
        if assignment.changes_items and name not in lists:
            message = f"{name} is not a list, so it has no items for {assignment.operator}"
            raise UsageError(message, f"write {name}=VALUE")
        number = seen[name]
        seen[name] += 1
        row_of_assignment.append(number)
        if number == len(rows):
            rows.append({})
        rows[number][name] = assignment.text
    rows = [{**rows[0], **row} for row in rows]
    others = {name: "-" if name in BODY_FIELDS and value else value for name, value in entry.fields.items()}
    drafts = [*read_rows(reader, entry.kind, "set", enumerate(rows, 1), others)]
    for problem in (problem for draft in drafts for problem in draft.problems if problem.is_error):
        raise UsageError(f"{entry}: {problem.message}", problem.hint)
    return [
        value_at(drafts[number].values, assignment.field.name.split("."))
        for number, assignment in zip(row_of_assignment, assignments, strict=True)
    ]


def _changes(entry: Entry, pairs: Sequence[tuple[Assignment, Any]]) -> Iterator[SetChange]:
    """Yield the fields of an entry to which the assignments, each with its value, give other values."""
    after: dict[str, Any] = {}
    for assignment, value in pairs:
        name = assignment.field.name
        present = after.get(name, value_at(entry.fields, name.split(".")))
        after[name] = _assigned(assignment, value, present)
    for name, value in _cleared_as_a_whole(entry, pairs, after).items():
        before = value_at(entry.fields, name.split("."))
        is_same = value == before and isinstance(value, bool) is isinstance(before, bool)  # 0 == False
        if not (is_same or (value is ABSENT and _is_unset(entry, name, before))):
            yield SetChange(entry, name, before, value)


def _cleared_as_a_whole(
    entry: Entry, pairs: Iterable[tuple[Assignment, Any]], after: Mapping[str, Any]
) -> dict[str, Any]:
    """Return the new values of an entry, in which an object is empty if its last keys are cleared.

    Without a key, the field would not be managed any more, and the server would keep its values.
    """
    cleared = {each.field.name for each, value in pairs if each.operator is Operator.SET and value is ABSENT}
    remaining = with_values(entry.fields, after)
    emptied = {name: name.partition(".")[0] for name in cleared if not _is_in_table(entry)}
    emptied = {name: outer for name, outer in emptied.items() if outer in entry.fields and outer not in remaining}
    values = {name: value for name, value in after.items() if name.partition(".")[0] not in emptied.values()}
    return values | dict.fromkeys(emptied.values())


def _assigned(assignment: Assignment, value: Any, present: Any) -> Any:
    """Return the new value of a field with the `present` one. An empty value only clears a field that is set."""
    items, named = (each if isinstance(each, list) else [] for each in (present, value))
    match assignment.operator:
        case Operator.ADD:
            return [*items, *(item for item in named if item not in items)] if named else present
        case Operator.REMOVE:
            return [item for item in items if item not in named] if items else present
        case Operator.UNSET:
            return ABSENT
    return present if present is ABSENT and not assignment.text else value


def _is_unset(entry: Entry, name: str, value: Any) -> bool:
    """Return whether an entry does not set a field. In a table, an empty cell does not."""
    is_empty = not is_filled(value) or (entry.source is not None and name in entry.source.form.emptied)
    return value is ABSENT or (is_empty and _is_in_table(entry))


def _is_in_table(entry: Entry) -> bool:
    return entry.source is not None and suffix_of(entry.source.path) in TABLE_SUFFIXES


def _refuse_new_columns(edits: Iterable[FileEdit]) -> None:
    """Raise Refused for an edit that adds a column to a table."""
    for edit in edits:
        if edit.added_columns:
            names = " and ".join(edit.added_columns)
            message = f"{edit.path} has no column {names}, and a new one would manage the field in all of its rows"
            hint = "add it with a value in each row, or let contentsync pull add it with the values of the server"
            raise Refused(message, hint)


def _refuse_other_values(content: Content, edits: Sequence[FileEdit], written: Mapping[EntryKey, Values]) -> None:
    """Raise Refused if the edited folder would have an error, another entry, or another value than the written ones."""
    if not edits:
        return
    proposed = {edit.location: edit.after for edit in edits}
    after = load_content(FolderView(content.folder, proposed), index=content.index, may_break_rules=True)
    refuse_errors(new_problems(content.problems, after.problems))
    entries = {(entry.kind, entry.key): entry for entry in after.entries}
    for entry in content.entries:
        values = written.get((entry.kind, entry.key), {})
        path = entry.source.path if entry.source else ""
        found = entries.get((entry.kind, entry.key))
        if found is None:
            raise Refused(f"{path}: {entry} would get another key", _BY_MV)
        wrong = changed_fields(with_values(entry.fields, values), found.fields)
        # An empty cell is read as null or as the default.
        emptied = [name.partition(".")[0] for name, value in values.items() if value is ABSENT and _is_in_table(entry)]
        wrong = [name for name in wrong if name not in emptied]
        if unwritten := [name for name in wrong if any(name == each.partition(".")[0] for each in values)]:
            hint = "the config may ignore the key, or another place may set the value: change the file by hand"
            raise Refused(f"{path}: {', '.join(unwritten)} of {entry} would be read as before", hint)
        if wrong:
            hint = _BY_MV if "slug" in wrong else "change the file by hand, in another form, and run again"
            raise Refused(f"{path}: {', '.join(wrong)} of {entry} would change too", hint)
    if len(entries) != len(content.entries):
        raise Refused("the folder would have other entries than before", "change the files by hand")
