"""Build values from libyaml's events: text stays as written, and every key and value has its position.

PyYAML's constructors turn `no` into False and `12:30` into 750, use the last of two equal keys and expand aliases
without a limit (docs/faults.md YA). This module reports such input, or returns it as text.
"""

from collections.abc import Iterator
from typing import Any, NoReturn

import yaml

from ...errors import Problem, Where
from ...lazy_pattern import lazy_pattern
from ...model import Kind, TextPosition
from ...model.field_types import MAX_DEPTH
from ...model.scalar import plain_scalar
from ...model.suggestion import STRAIGHT_QUOTES_HINT, is_in_typographic_quotes
from ..files.file_text import UnreadableFile, position_at
from .draft import Draft, Location, Locations, TextLocation
from .file_tree import FileTree
from .yaml_syntax import mapping_hint, syntax_problem

# YAML forbids these characters, or reads them as line ends, which editors do not.
_FORBIDDEN = lazy_pattern(r"[\x80-\x9f\u2028\u2029\ufffe\uffff]")
_SPACE_BEFORE_COMMENT = lazy_pattern(r"[ \t]+(?=#\w)")
_BLANK = lazy_pattern(r"[ \n]*")
_TEXT_OR_NO_TAG = frozenset({None, "tag:yaml.org,2002:str"})


def fill_draft(draft: Draft, text: str, first_line: int) -> None:
    """Set the values and locations of a draft from a text: one mapping, or nothing. Raise UnreadableFile for others."""
    reader = _EventReader(text, draft.path, first_line)
    for event in reader.roots():  # at most one
        if type(event) is not yaml.MappingStartEvent:
            message = "the text must consist of keys with values"
            reader.refuse("not-a-mapping", message, event, mapping_hint(event, draft.kind))
        reader.read_entry(event, draft)


def parse_entries(text: str, kind: Kind, path: str, first_line: int = 1) -> Iterator[Draft | Problem]:
    """Yield a draft for each mapping of a list, or for a single mapping, and a problem for each other item.

    Raises UnreadableFile for a syntax error, after yielding the entries before it.
    """
    reader = _EventReader(text, path, first_line)
    for event in reader.roots():
        for item in reader.read_items(event):
            _, (line, column) = reader.location(item)
            if type(item) is yaml.MappingStartEvent:
                draft = Draft(kind, path, line)
                reader.read_entry(item, draft)
                yield draft
            else:
                reader.skip(item)
                message = "an entry must consist of keys with values"
                yield Problem("not-a-mapping", message, Where(path, line, column), mapping_hint(item, kind))


def parse_tree(text: str, kind: Kind, path: str) -> FileTree:
    """Return all values of a text with their locations. Raises UnreadableFile for a syntax error."""
    tree = FileTree(kind, path)
    reader = _EventReader(text, path, first_line=1)
    for event in reader.roots():
        reader.read_tree(event, tree)
    return tree


class _EventReader:
    """Reads entries from libyaml's events of one text. Names are dotted, and relative to the entry."""

    _draft: Draft  # the entry that is being read
    _value_locations: Locations  # of this entry
    _key_locations: Locations

    def __init__(self, text: str, path: str, first_line: int) -> None:
        """Start to parse a text; `first_line` is the number of its first line in the file. Raise UnreadableFile."""
        self._path = path
        self._first_line = first_line
        forbidden = None if text.isascii() else _FORBIDDEN.search(text)
        if forbidden:
            line, column = position_at(text, forbidden.start())
            message = f"YAML does not allow the character U+{ord(forbidden[0]):04X}"
            hint = "delete it, or write it as an escape in double quotes"
            self._refuse_at("control-character", message, (line + first_line - 1, column), hint)
        self._text = text
        self._has_comment = " #" in text or "\t#" in text
        self._get_event = yaml.CBaseLoader(text).get_event

    def next_event(self) -> Any:
        """Return the next event. Raises UnreadableFile for a syntax error."""
        try:
            return self._get_event()
        except yaml.MarkedYAMLError as error:
            raise UnreadableFile(syntax_problem(error, self._text, self._path, self._first_line)) from error

    def roots(self) -> Iterator[Any]:
        """Yield the first event of the text's only value, unless it is null. The caller must read its other events."""
        self.next_event()  # the start of the stream
        documents = 0
        while type(event := self.next_event()) is not yaml.StreamEndEvent:
            documents += 1
            if documents > 1:
                message = "a file can contain only one YAML document"
                self.refuse("several-documents", message, event, "delete the rest, or move it to another file")
            root = self.next_event()
            is_null = type(root) is yaml.ScalarEvent and root.implicit[0] and plain_scalar(root.value) is None
            if not is_null:
                yield root
            self.next_event()  # the end of the document

    def read_items(self, event: Any) -> Iterator[Any]:
        """Yield the first event of each item of a list. A single value is read as a list of one item."""
        if type(event) is not yaml.SequenceStartEvent:
            yield event
            return
        self._refuse_anchor_or_tag(event)
        while type(item := self.next_event()) is not yaml.SequenceEndEvent:
            yield item

    def read_entry(self, event: Any, draft: Draft) -> None:
        """Set the values of a new draft from the mapping that starts with `event`."""
        self._refuse_anchor_or_tag(event)
        self._record_in(draft)
        draft.values = self._mapping("", depth=1)

    def read_tree(self, event: Any, tree: FileTree) -> None:
        """Set the root of a new tree from the value that starts with `event`."""
        self._refuse_anchor_or_tag(event)
        self._record_in(tree)
        if type(event) is yaml.MappingStartEvent:
            tree.root = self._mapping("", depth=1)
        elif type(event) is yaml.SequenceStartEvent:
            tree.root = self._list("", depth=1)
        else:
            tree.root = event.value

    def _record_in(self, draft: Draft) -> None:
        """Add the locations and problems of what is read from now on to a draft."""
        self._draft = draft
        self._value_locations, self._key_locations = draft.value_locations, draft.key_locations

    def skip(self, event: Any) -> None:
        """Skip the value that starts with `event`. Raises UnreadableFile for deep nesting, which slows libyaml down."""
        depth = _depth_change(event)
        while depth:
            if depth > MAX_DEPTH:
                self._refuse_depth(event)
            event = self.next_event()
            depth += _depth_change(event)

    def location(self, event: Any) -> Location:
        mark = event.start_mark
        return self._path, (mark.line + self._first_line, mark.column + 1)

    def _literal_location(self, event: Any) -> Location:
        """Return the location of a literal block (`|`), whose text starts in the next line, indented."""
        path, (line, column) = self.location(event)
        start = self._text.find("\n", event.start_mark.index) + 1
        indent = _indentation(self._text, start) - _indentation(event.value, start=0)
        return TextLocation.from_location((path, (line, column)), line + 1, (indent, indent))

    def refuse(self, code: str, message: str, event: Any, hint: str) -> NoReturn:
        _, position = self.location(event)
        self._refuse_at(code, message, position, hint)

    def _refuse_anchor_or_tag(self, event: Any) -> None:
        """Raise UnreadableFile if the outermost value has an anchor or a tag."""
        if event.anchor is not None or event.tag is not None:
            self.refuse("yaml-extras", "anchors and tags are not supported", event, "delete it")

    def _refuse_depth(self, event: Any) -> NoReturn:
        self.refuse("too-deep", f"values are nested deeper than {MAX_DEPTH} levels", event, "use fewer levels")

    def _mapping(self, prefix: str, depth: int) -> dict[str, Any]:
        """Return the mapping whose start was read; `prefix` is its dotted name with a dot, "" for the outermost one."""
        values: dict[str, Any] = {}
        while type(event := self.next_event()) is not yaml.MappingEndEvent:
            location = self.location(event)
            key = self._key(event, location)
            if key is None:
                self.skip(event)
                self.skip(self.next_event())
                continue
            name = prefix + key
            if key in values:
                _, (line, _) = self._key_locations[name]
                message = f"the key {name} occurs twice, here and in line {line}"
                self._draft.error("duplicate-key", message, _where(location), "delete one of them")
                self.skip(self.next_event())
                continue
            self._key_locations[name] = location
            values[key] = self._value(self.next_event(), name, depth)
        return values

    def _list(self, prefix: str, depth: int) -> list[Any]:
        """Return the list whose start was read; `prefix` is its dotted name with a dot, "" for the outermost one."""
        values: list[Any] = []
        while type(item := self.next_event()) is not yaml.SequenceEndEvent:
            values.append(self._value(item, f"{prefix}{len(values)}", depth))
        return values

    def _key(self, event: Any, location: Location) -> str | None:
        """Return a key, or report a problem and return None."""
        if type(event) is not yaml.ScalarEvent or event.tag not in _TEXT_OR_NO_TAG or event.anchor is not None:
            hint = "write it without anchor, alias, tag or brackets"
            self._draft.error("bad-key", "a key must be plain text", _where(location), hint)
            return None
        if not event.value:
            self._draft.error("bad-key", "a key must not be empty", _where(location), "write a name before the colon")
            return None
        if event.implicit[0] and event.value == "<<":
            message = "merge keys are not supported"
            self._draft.error("yaml-alias", message, _where(location), "write out the merged keys")
            return None
        return str(event.value)

    def _value(self, event: Any, name: str, depth: int) -> Any:
        """Read the value that starts with `event`, and return it as text, list or dict.

        None is null, or a value that is not supported: it was reported and skipped.
        """
        kind = type(event)
        self._value_locations[name] = self.location(event)
        if kind is yaml.AliasEvent or event.anchor is not None:
            message, hint = "anchors and aliases are not supported", "write out the value in each place"
            mark = "*" if kind is yaml.AliasEvent else "&"
            hint += f"; put text that starts with {mark} in quotes"
            self._fail_and_skip(event, name, "yaml-alias", message, hint)
            return None
        if kind is yaml.ScalarEvent:
            is_unquoted = not event.style
            if event.tag is None and is_unquoted:
                return self._plain(event, name)
            if event.tag in _TEXT_OR_NO_TAG or (event.tag == "!" and not is_unquoted):  # older Ruby wrote ! 'text'
                if event.style == "|":
                    self._value_locations[name] = self._literal_location(event)
                return event.value
        if event.tag is not None:
            tag = event.tag.replace("tag:yaml.org,2002:", "!!")
            hint = "delete the tag" + ("" if tag.startswith("!!") else "; put text that starts with ! in quotes")
            message = f"the tag {tag} is not supported: the field determines the type of its value"
            self._fail_and_skip(event, name, "yaml-tag", message, hint)
            return None
        if depth >= MAX_DEPTH:
            self._refuse_depth(event)
        if kind is yaml.MappingStartEvent:
            if self._text.startswith("{{", event.start_mark.index):
                hint = "put the value in quotes"
                self._fail_and_skip(event, name, "bad-key", "YAML reads {{ as the start of a key, not as text", hint)
                return None
            return self._mapping(f"{name}.", depth + 1)
        return self._list(f"{name}.", depth + 1)

    def _plain(self, event: Any, name: str) -> str | None:
        """Return the value of an unquoted scalar; None if it is null or not supported."""
        if self._has_comment:
            self._warn_of_comment(event.end_mark, name)
        if event.value == "=":
            message = "a lone = is not supported: it has a special meaning in YAML"
            self._fail_and_skip(event, name, "yaml-extras", message, "put it in quotes")
            return None
        if is_in_typographic_quotes(event.value):
            message = f"{name} has typographic quotes around it, which are part of the value"
            hint = f"{STRAIGHT_QUOTES_HINT}; to keep them, put straight quotes around them"
            self._draft.warn("typographic-quotes", message, _where(self._value_locations[name]), hint)
        return plain_scalar(event.value)

    def _warn_of_comment(self, end: yaml.Mark, name: str) -> None:
        """Warn of a `#` directly before a word: the author probably did not mean a comment."""
        space = _SPACE_BEFORE_COMMENT.match(self._text, end.index)
        if space:
            column = end.column + len(space[0]) + 1  # of the `#`, from 1
            where = Where(self._path, end.line + self._first_line, column)
            message = f"{name} ends before the #: the rest of the line is a comment"
            hint = "put the value in quotes if the rest belongs to it; if not, put a space after the #"
            self._draft.warn("comment-in-value", message, where, hint)

    def _fail_and_skip(self, event: Any, name: str, code: str, message: str, hint: str) -> None:
        """Report a problem of the value that starts with `event`, and skip the value."""
        self._draft.fail(name, code, message, _where(self._value_locations[name]), hint)
        self.skip(event)

    def _refuse_at(self, code: str, message: str, position: TextPosition, hint: str) -> NoReturn:
        raise UnreadableFile(Problem(code, message, Where(self._path, *position), hint))


def _depth_change(event: Any) -> int:
    """Return 1 for the start of a mapping or list, -1 for its end, and 0 for another event."""
    kind = type(event)
    if kind is yaml.MappingStartEvent or kind is yaml.SequenceStartEvent:
        return 1
    return -1 if kind is yaml.MappingEndEvent or kind is yaml.SequenceEndEvent else 0


def _indentation(text: str, start: int) -> int:
    """Return the number of spaces before the first text after `start`, in the line of this text."""
    blank = _BLANK.match(text, start)
    end = blank.end() if blank else start
    return end - max(text.rfind("\n", start, end) + 1, start)


def _where(location: Location) -> Where:
    return Where(location[0], *location[1])
