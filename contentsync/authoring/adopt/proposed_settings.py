"""The settings and questions of a proposal, and the bytes of a config with the settings that it lacked."""

import os
from collections.abc import Callable, Iterable, Mapping
from itertools import pairwise
from pathlib import Path
from typing import Any, NamedTuple

import tomlkit
from tomlkit.items import AoT, Array, InlineTable, Table

from ...content.config.config import read_config_bytes
from ...content.files.content_folder import CONFIG
from ...content.files.file_text import UnreadableFile, decode
from ...content.formats.toml_reader import read_toml
from ...errors import ContentError, Refused, Setting, pluralize
from ..edit.text_editor import SourceText, diff_splices, edited_bytes

_NAMES = ("find", "path")  # the keys that tell the tables of an array apart; without one, a table is for all files


class ProposedSetting(NamedTuple):
    """A setting to add to a config: `name = value` in a table."""

    table: str  # such as content.articles
    name: str = ""  # such as rename; "" adds only the table
    value: Any = None
    key: str = ""  # if set, the setting is a mapping, which gets this key with the value
    comment: str = ""
    is_item: bool = False  # True: the setting is a list, which gets the value; an array of tables if it is a mapping


def proposed_setting(setting: Setting, count: int) -> ProposedSetting:
    """Return the proposal of a setting that solves `count` problems.

    A setting with a key and a value is a mapping, one with a key only is a list of keys; other settings are values.
    """
    comment = f"fixes {pluralize(count, 'problem')}"
    if setting.key and setting.value:
        return ProposedSetting(setting.table, setting.name, key=setting.key, value=setting.value, comment=comment)
    if setting.key:
        return ProposedSetting(setting.table, setting.name, value=setting.key, is_item=True, comment=comment)
    return ProposedSetting(setting.table, setting.name, value=setting.value or True, comment=comment)


class Question(NamedTuple):
    """A question about what a repository does not say clearly. Of its possible answers, `default` is the best guess."""

    text: str
    choices: tuple[str, ...]
    default: str


Ask = Callable[[Question], str]


def confirm(ask: Ask, text: str) -> bool:
    """Ask a question whose best guess is yes."""
    return ask(Question(text, ("yes", "no"), "yes")) == "yes"


class DefaultAnswers:
    """Answers each question with its default, and records the guesses."""

    def __init__(self) -> None:
        self.guesses: list[str] = []

    def __call__(self, question: Question) -> str:
        self.guesses.append(f"{question.text} {question.default}")
        return question.default


def config_bytes(folder: Path) -> bytes | None:
    """Return the config that the folder has, or None. Raises ContentError if it is not TOML or cannot be read."""
    if not os.path.lexists(folder / CONFIG):
        return None
    try:
        data = read_config_bytes(folder)
        read_toml(decode(data, CONFIG), CONFIG)
    except UnreadableFile as error:
        raise ContentError(error.problems, folder) from error
    return data


def merged_config(data: bytes, settings: Iterable[ProposedSetting]) -> tuple[bytes, list[ProposedSetting]]:
    """Return the bytes of a config with the settings that it lacks, and the added ones.

    Everything that the config already says stays as it is, with its comments. Raises Refused if it would not.
    """
    source = SourceText(data)
    document = tomlkit.parse(source.text)
    refusal = Refused(f"{CONFIG} is written in a way to which settings cannot be added", "add them by hand")
    try:
        added = [setting for setting in sorted(settings, key=_order) if _add(document, setting)]
    except ValueError as error:  # for a table inside of one in braces
        raise refusal from error
    if not added:
        return data, []
    merged = _with_blank_lines(tomlkit.dumps(document), source.text)
    before = read_toml(source.text, CONFIG).values

    def has_old_values(text: str) -> bool:
        return _contains(read_toml(text, CONFIG).values, before)

    splices = diff_splices(source.text, merged)
    return edited_bytes(source, CONFIG, splices, has_old_values, expected=True, refusal=refusal), added


def _contains(value: Any, old: Any) -> bool:
    """Return whether a value is the old one, perhaps with new keys in tables and new items at the ends of lists."""
    if isinstance(value, dict) and isinstance(old, dict):
        return old.keys() <= value.keys() and all(_contains(value[key], old[key]) for key in old)
    if isinstance(value, list) and isinstance(old, list):
        return len(old) <= len(value) and all(map(_contains, value, old))
    return bool(value == old)


def _order(setting: ProposedSetting) -> tuple[bool, bool, bool]:
    """Return the sort key by which values are added first, then lists, and tables inside a table last."""
    return setting.is_item and isinstance(setting.value, dict), bool(setting.key), setting.is_item


def _with_blank_lines(merged: str, text: str) -> str:
    """Return the config with a blank line before each new table; `text` is the config as it was before."""
    old_pairs = {*pairwise(text.split("\n"))}  # an old table is recognized by its header and the line above it
    spaced: list[str] = []
    for previous, line in pairwise(["", *merged.split("\n")]):
        if line.startswith("[") and previous and (previous, line) not in old_pairs:
            spaced.append("")
        spaced.append(line)
    return "\n".join(spaced)


def _table(document: Any, name: str) -> Any:
    """Return the table with this dotted name; create it, and the tables around it, if they do not exist."""
    *parents, last = name.split(".")
    inner = document
    for part in parents:
        if part not in inner:
            inner[part] = tomlkit.table(is_super_table=True)
        inner = inner[part]
    if last not in inner:
        inner[last] = tomlkit.table()
    return inner[last]


def _add(document: Any, setting: ProposedSetting) -> bool:
    """Add a setting; return False, and change nothing, if the table has it already or has a value of another type."""
    is_new = setting.table not in document
    table = _table(document, setting.table)
    is_only_table = not setting.name
    if is_only_table:
        return is_new
    if setting.is_item and isinstance(setting.value, dict):
        return _add_table(table.setdefault(setting.name, tomlkit.aot()), setting)
    if setting.is_item:
        return _add_item(table.setdefault(setting.name, tomlkit.array()), setting)
    if setting.key:
        if setting.name not in table:
            table[setting.name] = tomlkit.table()
        return _add_pair(table[setting.name], setting)
    if setting.name in table:
        return False
    item = tomlkit.item(setting.value)
    if setting.comment:
        item.comment(setting.comment)
    table[setting.name] = item
    return True


def _add_item(array: Any, setting: ProposedSetting) -> bool:
    """Add an item to a list; return False if the list has it already, or the config has another type of value."""
    if not isinstance(array, Array) or setting.value in array:
        return False
    if setting.name == "locales" and setting.value.lower() in (str(item).lower() for item in array):
        return False  # the config spells the language in its own way
    if setting.comment:
        array.add_line(setting.value, comment=setting.comment)
    else:
        array.append(setting.value)
    return True


def _add_table(array: Any, setting: ProposedSetting) -> bool:
    """Add a table to an array of tables, or the values that the table of the same name lacks."""
    if not isinstance(array, AoT):
        return False
    name = _name_of(setting.value)
    found = next((table for table in array if _name_of(table) == name), None)
    table = tomlkit.table() if found is None else found
    missing = {key: tomlkit.item(value) for key, value in setting.value.items() if key not in table}
    if missing and setting.comment:
        first_item, *_ = missing.values()
        first_item.comment(setting.comment)
    for key, item in missing.items():
        table[key] = item
    if found is None:
        array.append(table)
    return bool(missing)


def _name_of(table: Mapping[str, Any]) -> Any:
    """Return the value that tells a table of an array apart from the others; "*" if it has none."""
    return next((table[key] for key in _NAMES if key in table), "*")


def _add_pair(mapping: Any, setting: ProposedSetting) -> bool:
    """Add a key to a mapping; return False if the mapping has it already, or the config has another type of value."""
    if not isinstance(mapping, Table | InlineTable) or setting.key in mapping:
        return False
    item = tomlkit.item(setting.value)
    if setting.comment and isinstance(mapping, Table):
        item.comment(setting.comment)
    mapping[setting.key] = item
    return True
