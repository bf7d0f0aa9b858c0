"""Count the keys of all entries of a kind: the front matter of every file, the columns of every table."""

from array import array
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from ...model import Kind
from ..config import Config
from ..entry_reader import EntryReader
from ..scan import ContentFile
from ..source_file import ContentRoot
from .field_types import PossibleTypes, infer_type

MAX_KEYS = 500  # of a kind; more are not counted
MAX_VALUES = 5000  # different values of a key
MAX_VALUE = 200  # characters


@dataclass(slots=True)
class KeyUse:
    """How the entries of a kind use a key. An item of a list is a value of its own."""

    entries: "array[int]" = field(default_factory=lambda: array("L"))  # numbers of the entries with a value
    texts: int = 0  # entries whose value is a text
    lists: int = 0
    objects: int = 0
    values: Counter[str] = field(default_factory=Counter)
    has_more_values: bool = False  # True: `values` is not complete
    types: PossibleTypes = field(default_factory=PossibleTypes)

    def add(self, number: int, value: Any) -> None:
        """Add the value of an entry."""
        self.entries.append(number)
        if isinstance(value, dict):
            self.objects += 1
        elif isinstance(value, list):
            self.lists += 1
            if any(isinstance(item, dict | list) for item in value):
                self.objects += 1
            for item in value:
                self._add_text(item)
        else:
            self.texts += 1
            self._add_text(value)

    def field_type(self) -> dict[str, Any]:
        """Return the `type` of a custom field for the values, and its `options` if it is a choice."""
        return infer_type(self.types, {} if self.has_more_values else self.values, in_lists=self.lists > 0)

    def _add_text(self, value: Any) -> None:
        if not isinstance(value, str):
            return
        if value in self.values:
            self.values[value] += 1
            return
        self.types.exclude(value)
        if len(self.values) < MAX_VALUES and len(value) <= MAX_VALUE:
            self.values[value] = 1
        else:
            self.has_more_values = True


@dataclass(slots=True)
class Survey:
    """The keys of a kind, in the order in which they were found first."""

    kind: Kind
    entries: int = 0
    keys: dict[str, KeyUse] = field(default_factory=dict)
    empty_keys: dict[str, int] = field(default_factory=dict)  # without a value in any entry that has them

    def add(self, values: Mapping[str, Any]) -> None:
        """Add an entry."""
        for key, value in values.items():
            if value is None or value in ("", [], {}):
                self.empty_keys.setdefault(key, 0)
                self.empty_keys[key] += 1
            elif key in self.keys or len(self.keys) < MAX_KEYS:
                self.keys.setdefault(key, KeyUse()).add(self.entries, value)
        self.entries += 1


def survey_keys(folder: Path, config: Config, files: Iterable[ContentFile]) -> dict[Kind, Survey]:
    """Return the keys of the entries in these files, with the names that the config gives them.

    Files that cannot be read are left out.
    """
    surveys: dict[Kind, Survey] = {}
    reader = EntryReader(config)
    with ContentRoot(folder) as root:
        for file in files:
            survey = surveys.setdefault(file.kind, Survey(file.kind))
            for draft in reader.read_unvalidated(file, root):
                survey.add(draft.values)
    for survey in surveys.values():
        survey.empty_keys = {key: count for key, count in survey.empty_keys.items() if key not in survey.keys}
    return surveys
