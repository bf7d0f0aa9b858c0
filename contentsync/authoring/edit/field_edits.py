"""Plan the edits that give entries new values, and check the values that edited files have before any is written."""

from collections.abc import Iterable, Mapping, Sequence
from itertools import zip_longest
from types import MappingProxyType
from typing import Any

from ...content.folder.load import Content
from ...content.formats.draft import ABSENT, BODY_FIELDS
from ...content.links.link_forms import split_target
from ...content.pictures.picture_fields import PICTURE_NAMES
from ...errors import Problem, Refused
from ...model import Entry, EntryKey
from ...model.entry import with_value
from .file_edits import FileEdit, RemoteChanges
from .pull_edits import plan_edits

Values = Mapping[str, Any]  # by dotted name; ABSENT removes the field


def plan_field_edits(
    content: Content, written: Mapping[EntryKey, Values], new: Sequence[Entry] = ()
) -> tuple[FileEdit, ...]:
    """Return the edits that give entries of a folder without errors other values, and that add `new` ones.

    They are those of a pull from a server that has these values. The errors are those of `plan_edits`.
    """
    entries = {(entry.kind, entry.key): entry for entry in content.entries if (entry.kind, entry.key) in written}
    edited = {key: entry.with_fields(with_values(entry.fields, written[key])) for key, entry in entries.items()}
    return plan_edits(content, RemoteChanges(written, new, server_entries=edited, actual=[*edited.values(), *new]))


def with_values(fields: Mapping[str, Any], values: Values) -> dict[str, Any]:
    """Return a copy of the fields with new values, and without those that are removed."""
    result = {**fields}
    for name, value in values.items():
        result = _without(result, name) if value is ABSENT else with_value(result, name, value)
    return result


def _without(fields: Mapping[str, Any], name: str) -> dict[str, Any]:
    """Return a copy of the fields without a dotted name, and without the objects that are empty then."""
    first, _, rest = name.partition(".")
    inner = fields.get(first)
    remaining = _without(inner, rest) if rest and isinstance(inner, Mapping) else {}
    if remaining:
        return {**fields, first: remaining}
    return {key: value for key, value in fields.items() if key != first}


def refuse_errors(problems: Iterable[Problem]) -> None:
    """Raise Refused if a folder would have an error after edits; `problems` are those of the edited folder."""
    if problem := next((problem for problem in problems if problem.is_error), None):
        where = f"{problem.where.path}, line {problem.where.line}"
        raise Refused(f"the folder would have an error: {where}: {problem.message}", problem.hint)


def changed_fields(
    expected: Mapping[str, Any], found: Mapping[str, Any], new_addresses: Mapping[str, str] = MappingProxyType({})
) -> list[str]:
    """Return the names of the fields of an edited entry that are read with other values than expected.

    The rewritten links of a body and the new address of a picture do not count.
    """
    if expected == found:
        return []
    names = sorted(expected.keys() | found.keys())
    return [name for name in names if _differs(expected.get(name), found.get(name), name, new_addresses)]


def _differs(expected: Any, found: Any, name: str, new_addresses: Mapping[str, str]) -> bool:
    if isinstance(expected, Mapping) and isinstance(found, Mapping):
        keys = expected.keys() | found.keys()
        return any(_differs(expected.get(key), found.get(key), key, new_addresses) for key in keys)
    if name in BODY_FIELDS:
        return (expected is None) != (found is None)
    if name in PICTURE_NAMES and isinstance(expected, list) and isinstance(found, list):
        pairs = zip_longest(expected, found)
        return any(_differs(old, new, name, new_addresses) for old, new in pairs)
    if name in PICTURE_NAMES and isinstance(expected, str):
        address, query_and_fragment = split_target(expected)
        return found not in (expected, f"{new_addresses.get(address, address)}{query_and_fragment}")
    return bool(expected != found)
