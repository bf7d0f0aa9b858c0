"""Declare the custom fields of a folder to its entry reader, and check the settings that rename keys to them."""

from collections.abc import Iterable, Iterator

from ..errors import Problem
from ..model import FIELDABLE, RECORDS, Kind
from .draft import Draft
from .entry_reader import EntryReader
from .key_mapping import rename_problems


def declare_custom_fields(reader: EntryReader, drafts: Iterable[Draft]) -> None:
    """Add custom fields to the reader's definitions; of a draft with errors, add only its name, to `broken_fields`."""
    for draft in drafts:
        fieldable_type = draft.values.get("fieldable_type", Kind.LISTING)
        kinds = [kind for kind in FIELDABLE if kind == fieldable_type] or list(FIELDABLE)  # all, if it is unknown
        if draft.is_sound:
            reader.definitions[kinds[0]].setdefault(draft.key, draft.values)
            continue
        for kind in kinds:
            is_built_in = draft.key in RECORDS[kind].rules()
            if draft.key and not is_built_in:
                reader.broken_fields[kind].add(draft.key)


def all_rename_problems(reader: EntryReader) -> Iterator[Problem]:
    """Yield the problems of all `rename` settings; call it after all custom fields are declared."""
    for kind in Kind:
        if kind not in FIELDABLE:
            yield from rename_problems(reader.config, kind, custom_fields={})
        elif Kind.CUSTOM_FIELD not in reader.incomplete:  # otherwise, `rename` may name a field that was not read
            may_be_flag = dict.fromkeys(reader.broken_fields[kind], True)
            may_be_flag |= {name: field["type"] == "checkbox" for name, field in reader.definitions[kind].items()}
            yield from rename_problems(reader.config, kind, may_be_flag)
