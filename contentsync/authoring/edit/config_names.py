"""Rename custom fields and referred entries in contentsync.toml, where its settings and house rules name them."""

import tomllib
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from datetime import date, time
from functools import partial
from typing import Any

from ...content.config.config import read_config
from ...content.files.content_folder import CONFIG
from ...content.formats.draft import ABSENT, FieldPath, ValuePath
from ...content.formats.toml_reader import as_draft_values
from ...errors import UsageError
from ...model import EntryKey, Kind, PlainScalar
from ...model.conditions import renamed_condition
from ...model.named_fields import FieldNames
from .folder_index import FolderIndex
from .text_editor import SourceText, apply_tree, build_tree, edited_bytes
from .toml_edit import TomlEditor

_FIELD_LISTS = ("require", "unique")
_Change = tuple[ValuePath, Any]  # the path of a setting, and its new value; ABSENT for a former name


def rename_in_config(index: FolderIndex, fields: Mapping[EntryKey, str], entries: Mapping[EntryKey, str]) -> int:
    """Write the new names of custom fields and of entries into the config; return how many settings change.

    `fields` has the names by the kind with the values and the present name, `entries` by kind and present name. If one
    is found, `index.config` and `index.read_bytes` are as after the edit from then on. Raise Refused if the config
    cannot be changed in place.
    """
    changes: dict[ValuePath, dict[FieldPath, Any]] = defaultdict(dict)
    for path, value in _ConfigNames(index, fields, entries).changes():
        start = next((number + 1 for number, step in enumerate(path) if isinstance(step, int)), 0)  # in an array
        changes[path[:start]][tuple(map(str, path[start:]))] = value
    if not changes:
        return 0
    source = SourceText(index.read_bytes(CONFIG))
    editor = TomlEditor(source.text, CONFIG)
    expected: Any = tomllib.loads(source.text)
    for steps, settings in changes.items():
        tree = build_tree(settings)
        editor.edit(steps, tree)
        table = expected
        for step in steps:
            table = table[step]
        new = apply_tree(table, tree)
        table.clear()
        table.update(new)
    expected = as_draft_values(expected)
    after = edited_bytes(source, CONFIG, editor.splices, lambda text: as_draft_values(tomllib.loads(text)), expected)
    index.replace_bytes(CONFIG, after)
    index.config, _problems = read_config(index.folder, after)
    return sum(value is not ABSENT for settings in changes.values() for value in settings.values())


@dataclass(frozen=True, slots=True)
class _ConfigNames:
    """Finds the settings that name custom fields or entries with new names."""

    index: FolderIndex
    fields: Mapping[EntryKey, str]
    entries: Mapping[EntryKey, str]

    def changes(self) -> Iterator[_Change]:
        """Yield the settings that get another value, or another name."""
        for (kind, old), new in self.fields.items():
            settings = self.index.config.content[kind]
            path = ("content", kind.plural)
            for key, name in settings.rename.items():
                if name.removeprefix("!") == old:  # `!` stands for the opposite of a flag
                    yield (*path, "rename", key), name.replace(old, new)
            yield from _renamed_key((*path, "inherit"), getattr(settings, "inherit", {}), old, new)
        if self.index.config.submissions or self.index.config.rules:
            yield from self._named_in(tomllib.loads(SourceText(self.index.read_bytes(CONFIG)).text))

    def _named_in(self, values: Mapping[str, Any]) -> Iterator[_Change]:
        """Yield the changes of submissions and of house rules, which are read as the file has them."""
        yield from self._table(
            Kind.LISTING, ("propose", "submissions"), values.get("propose", {}).get("submissions", {})
        )
        for kind in self.index.config.rules:
            rules = values["rules"][kind]
            for number, rule in enumerate(rules if isinstance(rules, list) else [rules]):
                path = ("rules", kind.value, number) if isinstance(rules, list) else ("rules", kind.value)
                for key, value in rule.items():
                    yield from self._demand(kind, (*path, key), value)

    def _demand(self, kind: Kind, path: ValuePath, value: Any) -> Iterator[_Change]:
        """Yield the changes in a demand of a rule, or in its conditions."""
        if isinstance(value, Mapping):
            yield from self._table(kind, path, value)
        elif path[-1] in _FIELD_LISTS:
            yield from _changed(path, value, partial(self._field, kind))
        elif path[-1] == "when":
            yield from _changed(path, value, partial(self._condition, kind))

    def _table(self, kind: Kind, path: ValuePath, values: Mapping[str, Any]) -> Iterator[_Change]:
        """Yield the changes in a table with values by the names of fields."""
        for name, value in values.items():
            new_name = self._field(kind, name)
            if new_name != name:
                yield (*path, name), ABSENT
                yield (*path, new_name), _written(value)
            yield from _changed((*path, name), value, partial(self._value, kind, name))

    def _value(self, kind: Kind, name: str, text: str) -> str:
        """Return the new name of the entry that a value of a field names, or the value itself."""
        try:
            referred = FieldNames(kind).find(name).referred_kind
        except UsageError:  # a custom field
            return text
        return self.entries.get((referred, text), text) if referred else text

    def _field(self, kind: Kind, name: str) -> str:
        return self.fields.get((kind, name), name)

    def _condition(self, kind: Kind, text: str) -> str:
        return renamed_condition(text, partial(self._field, kind), partial(self._value, kind))


def _changed(path: ValuePath, value: Any, new: Callable[[str], str]) -> Iterator[_Change]:
    """Yield the change of a text, or of a list of texts, in which each text is replaced by `new` of it."""
    if isinstance(value, str) and new(value) != value:
        yield path, new(value)
    if isinstance(value, list):
        items = [new(item) if isinstance(item, str) else _written(item) for item in value]
        if items != [_written(item) for item in value]:
            yield path, [*dict.fromkeys(items)]  # two entries may have been merged


def _written(value: Any) -> Any:
    """Return a value of the config as it is written: TOML has dates."""
    if isinstance(value, list):
        return [_written(item) for item in value]
    return PlainScalar(value.isoformat()) if isinstance(value, date | time) else value


def _renamed_key(path: FieldPath, table: Mapping[str, str], old: str, new: str) -> Iterator[_Change]:
    if old in table:
        yield (*path, old), ABSENT
        yield (*path, new), table[old]
