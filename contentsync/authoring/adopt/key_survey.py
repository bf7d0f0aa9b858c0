"""Count the keys of all entries of a kind, in front matter and in columns, and infer the types of their values."""

import re
from array import array
from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from datetime import date, datetime
from typing import Any, NamedTuple

from ...content.config.config import Config
from ...content.config.hiding_keys import HidesEntry, hiding_check
from ...content.files.file_names import PICTURE_TYPES
from ...content.formats.draft import Draft, markdown_bodies
from ...content.formats.table_rows import TABLE_SUFFIXES, USUAL_NUMBERS
from ...content.pictures.picture_fields import is_picture_path
from ...lazy_pattern import lazy_pattern
from ...model import Kind
from ...model.custom_field import check_value
from ...model.field_types import Context
from ...model.scalar import parse_flag, parse_number, with_decimal_point
from ...model.urls import url_fault
from ...model.violation import Invalid

MAX_KEYS = 500  # of a kind; more are not counted
MAX_VALUES = 5000  # different values of a key
MAX_VALUE = 200  # characters
MAX_PICTURES = 2_000  # of a key
MAX_BODIES = 20_000_000  # characters

_MARKDOWN = lazy_pattern(r"\]\((?:https?:|/|#)|`[^`\n]{1,200}+`|\*\*\w")
# The path of a picture in a Markdown text; a false match does no harm.
_PICTURE = lazy_pattern(
    r"(?:!\[[^\]\n]{0,300}+\]\(<?+|<img[^<>]{0,300}?src=[\"'])(?![a-z]+:|//)(?P<target>[^\s()<>\"']{1,300}+)",
    re.IGNORECASE,
)
_HEADING = lazy_pattern(r"^(?:#[ \t]|=+[ \t]*$)", re.MULTILINE)  # of level 1; a false match does no harm
_MAX_OPTIONS = 20  # of a choice
_MAX_OPTION = 60  # characters
_USES_OF_AN_OPTION = 3  # on average: a text with more different values is not a choice
_LONG = 200  # characters of a text for which a text area is better
_MAX_CHECKED = 2048  # characters; a longer value is a text


def _is_flag(text: str) -> bool:
    return not text.isdigit() and parse_flag(text) is not None


def _is_number(text: str) -> bool:
    """Return whether a text is a number and has no leading zeros, as in a postcode or telephone number."""
    return parse_number(text) is not None and (text == "0" or not text.startswith("0") or text.startswith("0."))


def _is_day(text: str) -> bool:
    try:
        return date.fromisoformat(text).isoformat() == text
    except ValueError:
        return False


def _is_email(text: str) -> bool:
    """Return whether a custom field of the type `email` accepts a text."""
    if "@" not in text:
        return False
    try:
        check_value("email", {"type": "email"}, text, Context(authored=True))
    except Invalid:
        return False
    return True


# In the order in which they are preferred.
_CHECKS: Mapping[str, Callable[[str], bool]] = {
    "checkbox": _is_flag,
    "number": _is_number,
    "date": _is_day,
    "url": lambda text: url_fault(text) is None,
    "email": _is_email,
}


class PossibleTypes:
    """The types that all values so far may have; `longest` is the length of the longest value."""

    __slots__ = ("_types", "longest")

    def __init__(self) -> None:
        self._types = [*_CHECKS]
        self.longest = 0

    def exclude(self, value: str) -> None:
        """Exclude the types that a value does not have."""
        self.longest = max(self.longest, len(value))
        if len(value) > _MAX_CHECKED:
            self._types = []
        self._types = [type_ for type_ in self._types if _CHECKS[type_](value)]

    @property
    def first(self) -> str:
        """The preferred type of those that are left; "" if only a text can have the values."""
        return self._types[0] if self._types else ""


class PictureUse(NamedTuple):
    """The path of a picture, as an author wrote it in a file."""

    target: str
    path: str


@dataclass(slots=True)
class KeyUse:
    """How the entries of a kind use a key. Each item of a list counts as a value."""

    entries: "array[int]" = field(default_factory=lambda: array("L"))  # numbers of the entries with a value
    texts: int = 0  # entries whose value is a text
    lists: int = 0  # entries whose value is a list
    objects: int = 0  # entries whose value is an object, or a list of objects or lists
    markdown: int = 0  # different texts with links, code or bold words in Markdown
    values: Counter[str] = field(default_factory=Counter)  # short texts, with how often each occurs
    has_more_values: bool = False  # True: `values` is not complete
    types: PossibleTypes = field(default_factory=PossibleTypes)
    hides_entry: HidesEntry | None = None  # whether a value hides its entry
    hidden: "array[int]" = field(default_factory=lambda: array("L"))  # numbers of the entries that the key hides
    excluded: int = 0  # files that the key hides, and that the collection leaves out for it
    hiding_value: str = ""  # the first text that hides an entry

    def add(self, number: int, value: Any) -> None:
        """Add the value of the entry with this number."""
        self.entries.append(number)
        if self._hides(value):
            self.hidden.append(number)
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

    def add_excluded(self, value: Any) -> None:
        """Count a file that the collection leaves out, if the value hides it."""
        self.excluded += self._hides(value)

    def _hides(self, value: Any) -> bool:
        """Return whether a value hides its entry; remember the first text that does."""
        if not (self.hides_entry and self.hides_entry(value)):
            return False
        self.hiding_value = self.hiding_value or (value if isinstance(value, str) else "")
        return True

    def field_type(self) -> dict[str, Any]:
        """Return the `type` of a custom field for the values, and its `options` if it is a choice."""
        can_be_options = (
            not self.has_more_values
            and 0 < len(self.values) <= _MAX_OPTIONS
            and all(0 < len(value) <= _MAX_OPTION for value in self.values)
        )
        is_choice = can_be_options and self.values.total() >= _USES_OF_AN_OPTION * len(self.values)
        if self.lists:
            return {"type": "multi_select", "options": sorted(self.values)} if is_choice else {"type": "list"}
        if self.types.first:
            return {"type": self.types.first}
        if is_choice and len(self.values) > 1:
            return {"type": "select", "options": sorted(self.values)}
        return {"type": "textarea" if self.types.longest > _LONG else "text"}

    def _add_text(self, value: Any) -> None:
        """Count a text, and exclude the types that it does not have; ignore other values."""
        if not isinstance(value, str):
            return
        if value in self.values:
            self.values[value] += 1
            return
        self.types.exclude(value)
        self.markdown += _MARKDOWN.search(value) is not None
        if len(self.values) < MAX_VALUES and len(value) <= MAX_VALUE:
            self.values[value] = 1
        else:
            self.has_more_values = True


@dataclass(slots=True)
class Survey:
    """The keys of a kind, in the order in which they were found first, and the pictures and syntax in its entries."""

    kind: Kind
    now: datetime  # a later date of publication hides an entry
    entries: int = 0
    keys: dict[str, KeyUse] = field(default_factory=dict)
    # Keys without a value, with the number of these entries. Other entries may have a value for the key.
    empty_keys: dict[str, int] = field(default_factory=dict)
    pictures: dict[str, list[PictureUse]] = field(default_factory=dict)  # by key; "" for those in texts
    bodies: list[str] = field(default_factory=list)  # with syntax of another generator, up to MAX_BODIES
    headless: int = 0  # texts without a heading of level 1
    columns: dict[str, frozenset[str]] = field(default_factory=dict)  # of each table, by its path
    _body_size: int = 0

    def add(self, draft: Draft) -> None:
        """Add an entry."""
        for body in markdown_bodies(draft):
            is_of_translation = body.name != body.field
            if not is_of_translation:
                self._add_body(body.values[body.field], draft.path)
                self.headless += _HEADING.search(body.values[body.field]) is None
        if draft.path not in self.columns and draft.path.lower().endswith(TABLE_SUFFIXES):
            self.columns[draft.path] = frozenset(draft.values)
        for key, value in draft.values.items():
            if value is None or value in ("", [], {}):
                self.empty_keys.setdefault(key, 0)
                self.empty_keys[key] += 1
            elif key in self.keys or len(self.keys) < MAX_KEYS:
                if key not in self.keys:
                    self.keys[key] = KeyUse(hides_entry=hiding_check(self.kind, key, self.now))
                self.keys[key].add(self.entries, value)
                if isinstance(value, str) and value.lower().endswith((*PICTURE_TYPES,)) and is_picture_path(value):
                    self._add_picture(key, value, draft.path)
        self.entries += 1

    def _add_body(self, body: str, path: str) -> None:
        """Add the pictures in a text, and the text itself if it has syntax of another generator."""
        if "](" in body or "<img" in body:  # a quick test
            for match in _PICTURE.finditer(body):
                self._add_picture("", match["target"], path)  # under no key
        has_syntax = "{{" in body or "{%" in body or "{:" in body
        if has_syntax and self._body_size + len(body) <= MAX_BODIES:
            self.bodies.append(body)
            self._body_size += len(body)

    def _add_picture(self, key: str, target: str, path: str) -> None:
        uses = self.pictures.setdefault(key, [])
        if len(uses) < MAX_PICTURES:
            uses.append(PictureUse(target, path))


def count_excluded(survey: Survey, front_matter: Mapping[str, Any]) -> None:
    """Count a file that is left out for each key of the survey that hides it: a later value may hide an entry."""
    for key, value in front_matter.items():
        if key in survey.keys:
            survey.keys[key].add_excluded(value)


def survey_keys(config: Config, drafts: Iterable[Draft], now: datetime) -> dict[Kind, Survey]:
    """Return the keys of entries, by kind, after the renames of the config."""
    surveys: dict[Kind, Survey] = {}
    for draft in drafts:
        style = config.content[draft.kind].table_format(draft.path).numbers
        if style != USUAL_NUMBERS:  # as the reader has the values once their columns are numbers
            texts = ((key, value) for key, value in draft.values.items() if isinstance(value, str))
            draft.values |= {key: with_decimal_point(text, style) for key, text in texts}
        surveys.setdefault(draft.kind, Survey(draft.kind, now)).add(draft)
    return surveys
