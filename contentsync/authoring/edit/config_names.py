"""Rename custom fields in contentsync.toml, where it names fields of entries."""

import tomllib
from collections.abc import Iterator, Mapping
from typing import Any

from ...content.config.config import Config, read_config
from ...content.files.content_folder import CONFIG
from ...content.formats.draft import ABSENT, FieldPath
from ...model import EntryKey, Kind
from .folder_index import FolderIndex
from .text_editor import SourceText, apply_tree, build_tree, edited_bytes
from .toml_edit import TomlEditor


def rename_in_config(index: FolderIndex, fields: Mapping[EntryKey, str]) -> bool:
    """Write the new names of custom fields into the config; return whether it names any of them.

    `fields` has the names by the kind with the values and the present name. If one is found, `index.config` and
    `index.read_bytes` are as after the edit from then on. Raise Refused if the config cannot be changed in place.
    """
    changes = dict(_changes(index.config, fields))
    if not changes:
        return False
    source = SourceText(index.read_bytes(CONFIG))
    tree = build_tree(changes)
    editor = TomlEditor(source.text, CONFIG)
    editor.edit((), tree)
    expected = apply_tree(tomllib.loads(source.text), tree)
    after = edited_bytes(source, CONFIG, editor.splices, tomllib.loads, expected)
    index.replace_bytes(CONFIG, after)
    index.config, _problems = read_config(index.folder, after)
    return True


def _changes(config: Config, fields: Mapping[EntryKey, str]) -> Iterator[tuple[FieldPath, Any]]:
    """Yield the path of each setting that gets another value, and the value; `ABSENT` for a former name."""
    for (kind, old), new in fields.items():
        settings = config.content[kind]
        path = ("content", kind.plural)
        for key, name in settings.rename.items():
            if name.removeprefix("!") == old:  # `!` stands for the opposite of a flag
                yield (*path, "rename", key), name.replace(old, new)
        yield from _renamed_key((*path, "inherit"), getattr(settings, "inherit", {}), old, new)
        if kind is Kind.LISTING:
            yield from _renamed_key(("propose", "submissions"), config.submissions, old, new)


def _renamed_key(path: FieldPath, table: Mapping[str, str], old: str, new: str) -> Iterator[tuple[FieldPath, Any]]:
    if old in table:
        yield (*path, old), ABSENT
        yield (*path, new), table[old]
