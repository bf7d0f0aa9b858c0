"""A draft: an entry as the author wrote it, with the location of every value."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Any, NamedTuple

from ...errors import Fix, Problem, Setting, Severity, Where
from ...model import Kind, Notes, TextPosition
from ...model.entry import NO_NOTES
from ..files.slug_pattern import SlugSource

Location = tuple[str, TextPosition]
Locations = dict[str, Location]  # by dotted name
Locate = Callable[[], tuple[Locations, Locations]]  # of the values and of their keys
FormerAddress = tuple[str, str, int, int]  # address, path, line and column

FieldPath = tuple[str, ...]  # keys, starting at the entry
ValuePath = tuple[str | int, ...]  # keys, and numbers of the items of lists

BODY_FIELDS = ("markdown", "content")  # the text of an entry
ABSENT = object()  # a missing value, or one to be removed


class Link(NamedTuple):
    """A link to the same site, in a body. With a `field`, an address may replace the target in that body."""

    target: str  # as written
    path: str
    line: int
    column: int
    is_rewritten: bool = False  # True: the body has an asset address in its place already
    field: str = ""
    offset: int = 0  # in the body `field`

    @property
    def where(self) -> Where:
        return Where(self.path, self.line, self.column)


class PicturePath(NamedTuple):
    """The path of a picture, in a picture field or in a body. With a `body`, the file's address replaces it there."""

    target: str  # as written
    path: str
    line: int
    column: int
    picture_field: str = ""  # dotted name; "" in a body
    body: str = ""
    offset: int = 0  # in the body field `body`

    @property
    def where(self) -> Where:
        return Where(self.path, self.line, self.column)


class UniqueValue(NamedTuple):
    """A value that no other entry of the kind may have, by a house rule.

    `problem` is that of the second entry with the value, without its place; an empty message stands for the usual one.
    """

    name: str  # of what is unique: another rule may be about the same field
    value: str
    field: str  # dotted name
    problem: Problem


class TextLocation(tuple[str, TextPosition]):
    """The location of a multi-line value whose lines are also lines of the file.

    `line` is the file's line that contains the text's first line. `indents` are the number of columns before that line
    and the number before each later line of the text; None if unknown.
    """

    line: int
    indents: tuple[int, int] | None

    @classmethod
    def from_location(cls, location: Location, line: int, indents: tuple[int, int] | None) -> "TextLocation":
        """Return the location with these two attributes."""
        text_location = cls(location)
        text_location.line, text_location.indents = line, indents
        return text_location


@dataclass(slots=True, eq=False)
class Draft:
    """An entry as written, before validation. Names are dotted; every scalar is text, or None if it is empty.

    A reader passes the locations of values and keys at once, or a function that finds them: most entries have no
    problem, and their locations are never needed.
    """

    kind: Kind
    path: str
    line: int = 1
    values: dict[str, Any] = field(default_factory=dict)
    locate: Locate | None = None  # until the locations are first needed
    failed_fields: set[str] = field(default_factory=set)  # fields whose value could not be read
    problems: list[Problem] = field(default_factory=list)
    body: str = ""  # the text below a front matter, until a field gets it
    body_line: int = 0  # its first line
    body_locations: Locations = field(default_factory=dict)  # locations of the fields below a front matter
    links: list[Link] = field(default_factory=list)  # in bodies, to the same site
    former_addresses: list[FormerAddress] = field(default_factory=list)  # of the front matter
    permalinks: list[str] = field(default_factory=list)  # by the pattern of the collection; all but the first possible
    has_own_permalink: bool = False  # among the former addresses
    pictures: list[PicturePath] = field(default_factory=list)  # that name files, if pictures are read as files
    unique_values: tuple[UniqueValue, ...] = ()
    key: str = ""
    slug_source: SlugSource | None = None  # of a slug that is made from the file name
    notes: Notes = NO_NOTES
    row: int = 0  # number of the row in a table; 0 if it is the same as the line
    is_ascii: bool = False  # True: all values are certainly ASCII, also after escapes are decoded
    # Shared by the rows of a table: each unknown column that has been reported, and the field that it may mean.
    unknown_columns: dict[str, str] | None = None
    has_error_elsewhere: bool = False  # True: an error of it is reported only for an earlier row, or the config
    replaced_lines: dict[str, frozenset[int]] | None = None  # by field: lines of its text that differ from the file
    emptied: frozenset[str] = frozenset()  # the fields without a value in the file, which may now have the default
    renames: tuple[tuple[str, str], ...] = ()  # keys in the file, each with the field that has its value
    _value_locations: Locations = field(default_factory=dict)
    _key_locations: Locations = field(default_factory=dict)
    _pending_renames: tuple[tuple[str, str], ...] = ()

    @property
    def value_locations(self) -> Locations:
        """The start of each value."""
        self._complete_locations()
        return self._value_locations

    @property
    def key_locations(self) -> Locations:
        """The start of the key of each value."""
        self._complete_locations()
        return self._key_locations

    def rename(self, old: str, new: str) -> None:
        """Rename the field `old`, with everything inside it, to `new`, except in `values`: the caller moves the value.

        If the locations are not known yet, they are renamed when they are first needed.
        """
        if old in self.failed_fields:
            self.failed_fields.add(new)
        self.renames += ((old, new),)
        self._pending_renames += ((old, new),)
        if self.locate is None:  # the locations are known already
            self._complete_locations()

    def _complete_locations(self) -> None:
        """Find the locations, unless they were found before, and apply the pending renames of fields to them."""
        if self.locate is not None:
            locate, self.locate = self.locate, None
            self._value_locations, self._key_locations = locate()
        for old, new in self._pending_renames:
            for locations in (self._value_locations, self._key_locations):
                for name in [name for name in locations if name == old or name.startswith(f"{old}.")]:
                    locations[new + name[len(old) :]] = locations.pop(name)
        self._pending_renames = ()

    @property
    def is_sound(self) -> bool:
        return not (self.has_error_elsewhere or (self.problems and any(problem.is_error for problem in self.problems)))

    @property
    def keeps_contract(self) -> bool:
        """Whether its values can be used: its only errors are broken house rules."""
        return not (self.has_error_elsewhere or any(problem.breaks_contract for problem in self.problems))

    def where(self, name: str = "") -> Where:
        """Return the location of a field's value, or else of the nearest value around it, or else of the entry."""
        while name:
            if location := self.body_locations.get(name) or self.value_locations.get(name):
                path, (line, column) = location
                return Where(path, line, column)
            name = name.rpartition(".")[0]
        return Where(self.path, self.line)

    def where_in(self, name: str, position: TextPosition) -> Where:
        """Return the location in the file of a position in a field's text; if unknown, the location of the field.

        For a position in a line that was replaced (docs/content.md 12), return the start of the line.
        """
        start, (line, column) = self.where(name), position
        if self.replaced_lines and line in self.replaced_lines.get(name, ()):
            column = 1
        if name in self.body_locations:
            indent = start.column - 1 if line == 1 else 0
            return Where(start.path, start.line + line - 1, column + indent)
        location = self.value_locations.get(name)
        if not isinstance(location, TextLocation):
            return start
        file_line = location.line + line - 1
        if location.indents is None:
            start_of_line = Where(start.path, file_line, 1)
            return max(start, start_of_line)  # in the first line, the value starts behind its key
        first_indent, other_indent = location.indents
        return Where(start.path, file_line, column + (first_indent if line == 1 else other_indent))

    def has_columns(self, name: str) -> bool:
        """Return whether `where_in` knows the column of a position in a field's text, if its line was not replaced."""
        location = self.value_locations.get(name)
        return name in self.body_locations or (isinstance(location, TextLocation) and location.indents is not None)

    def where_key(self, name: str) -> Where:
        """Return the location of a field's key, or of its value if the file has no such key."""
        if name not in self.key_locations:
            return self.where(name)
        path, position = self.key_locations[name]
        return Where(path, *position)

    def error(self, code: str, message: str, where: Where, hint: str = "", fix: Fix | None = None) -> None:
        self.problems.append(Problem(code, message, where, hint, fixes=(fix,) if fix else ()))

    def warn(
        self,
        code: str,
        message: str,
        where: Where,
        hint: str = "",
        setting: Setting | None = None,
        fix: Fix | None = None,
    ) -> None:
        fixes = (fix,) if fix else ()
        self.problems.append(Problem(code, message, where, hint, Severity.WARNING, setting=setting, fixes=fixes))

    def fail(self, name: str, code: str, message: str, where: Where, hint: str = "") -> None:
        """Report an error in the value of a field, and skip further checks of the field."""
        self.failed_fields.add(name.partition(".")[0])
        self.error(code, message, where, hint)

    def attributed_problems(self) -> list[Problem]:
        """Return copies of the problems with the entry's kind and key, and with the number of a table's row."""
        row = f"row {self.row}: " if self.row else ""
        problems = [replace(problem, kind=self.kind.value, key=self.key or None) for problem in self.problems]
        return [
            # Problems above the row are about the header.
            replace(problem, message=row + problem.message) if row and problem.where.line >= self.line else problem
            for problem in problems
        ]


def value_at(values: Any, path: Iterable[str | int]) -> Any:
    """Return the value at a path of keys and list indexes, or `ABSENT` if there is none."""
    for part in path:
        if isinstance(values, list) and isinstance(part, int):
            values = values[part] if part < len(values) else ABSENT
        elif isinstance(values, Mapping):
            values = values.get(part, ABSENT)
        else:
            return ABSENT
    return values


def body_field(kind: Kind, path: str) -> str:
    """Return the name of the field for the text below a file's front matter: `markdown` or `content`."""
    if kind is Kind.PAGE or (kind is Kind.ARTICLE and not path.lower().endswith(".html")):
        return "markdown"
    return "content"


def set_body_field(draft: Draft) -> None:
    """Move the text below the front matter, if there is any, into its field; report an error if that is also set."""
    if not draft.body:
        return
    body, draft.body = draft.body, ""
    field = body_field(draft.kind, draft.path)
    if field in draft.values:
        message = f"the front matter sets {field}, but the text below it is also the {field}"
        draft.error("body-twice", message, draft.where_key(field), "keep one of them")
        return
    draft.values[field] = body
    draft.body_locations[field] = (draft.path, (draft.body_line, 1))


class Body(NamedTuple):
    """A body of an entry: `values[field]`, whose dotted name is `name`, such as `translations.fr.markdown`."""

    name: str
    values: dict[str, Any]
    field: str


def bodies(draft: Draft) -> Iterator[Body]:
    """Yield each body of an entry, also of translations. The caller may replace it: `values[field] = ...`."""
    values_by_prefix: dict[str, Any] = {"": draft.values}
    translations = draft.values.get("translations")
    if isinstance(translations, dict):
        values_by_prefix |= {f"translations.{locale}.": values for locale, values in translations.items()}
    for prefix, values in values_by_prefix.items():
        for name in BODY_FIELDS if isinstance(values, dict) else ():
            if isinstance(values.get(name), str):
                yield Body(prefix + name, values, name)


def markdown_bodies(draft: Draft) -> Iterator[Body]:
    """Yield the same as `bodies`, without bodies in HTML."""
    return (body for body in bodies(draft) if not is_html_field(draft.kind, body.field))


def is_html_field(kind: Kind, name: str) -> bool:
    """Return whether a body field contains HTML. All other body fields contain Markdown."""
    return kind is Kind.ARTICLE and name == "content"
