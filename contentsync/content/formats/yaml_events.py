"""YAML built straight from libyaml's events: text stays as written, and every key and value has its place.

PyYAML's constructors turn `no` into False and `12:30` into 750, let the last of two equal keys win and follow aliases
that explode (docs/faults.md YA): here each of these is a decision.
"""

import re
from collections.abc import Iterator
from typing import Any, NoReturn

import yaml

from ...errors import Problem, Where
from ...model import Kind
from ...model.field_types import MAX_DEPTH
from ..draft import Draft, Place, Places, TextPlace, Unreadable, mark_at
from .plain_yaml import plain_scalar
from .yaml_syntax import mapping_hint, syntax_problem

# YAML refuses these, or takes them for line ends where editors do not.
_STRANGE = re.compile(r"[\x80-\x9f\u2028\u2029\ufffe\uffff]")
_COMMENT = re.compile(r"[ \t]+#\w")
_BLANK = re.compile(r"[ \n]*")
_TEXT_TAGS = frozenset({None, "tag:yaml.org,2002:str"})


def parse_entry(text: str, draft: Draft, first_line: int) -> None:
    """Put the one mapping of a text into the draft. Raises Unreadable where it stops being YAML, or is no mapping."""
    reader = _Reader(text, draft.path, first_line)
    for event in reader.roots():
        if type(event) is not yaml.MappingStartEvent:
            reader.refuse(
                "not-a-mapping", "the text must consist of keys with values", event, mapping_hint(event, draft.kind)
            )
        reader.entry(event, draft)


def parse_entries(text: str, kind: Kind, path: str, first_line: int = 1) -> Iterator[Draft | Problem]:
    """A draft for each mapping of a list, or for a single one, and a problem for each item that is none.

    Raises Unreadable as `parse_entry` does, after the entries before that place.
    """
    reader = _Reader(text, path, first_line)
    for event in reader.roots():
        for item in reader.items(event):
            line, column = reader.place(item)[1]
            if type(item) is yaml.MappingStartEvent:
                draft = Draft(kind, path, line)
                reader.entry(item, draft)
                yield draft
            else:
                reader.skip(item)
                where = Where(path, line, column)
                yield Problem(
                    "not-a-mapping", "an entry must consist of keys with values", where, mapping_hint(item, kind)
                )


class _Reader:
    """Walks the events of one text. Nested names are dotted, from the entry on."""

    _draft: Draft  # the entry that is being read
    _marks: Places
    _keys: Places

    def __init__(self, text: str, path: str, first_line: int) -> None:
        self._path = path
        self._first_line = first_line
        strange = None if text.isascii() else _STRANGE.search(text)
        if strange:
            line, column = mark_at(text, strange.start())
            self._stop(
                "control-character",
                f"YAML does not allow the character U+{ord(strange[0]):04X}",
                (line + first_line - 1, column),
                "delete it, or write it as an escape in double quotes",
            )
        self._text = text
        self._has_comment = " #" in text or "\t#" in text
        self._event = yaml.CBaseLoader(text).get_event

    def next(self) -> Any:
        try:
            return self._event()
        except yaml.MarkedYAMLError as error:
            raise Unreadable(syntax_problem(error, self._text, self._path, self._first_line)) from error

    def roots(self) -> Iterator[Any]:
        """The first event of the text's value; none when it is empty. The consumer takes the value's other events."""
        self.next()
        documents = 0
        while type(event := self.next()) is not yaml.StreamEndEvent:
            documents += 1
            if documents > 1:
                self.refuse(
                    "several-documents",
                    "a file can contain only one YAML document",
                    event,
                    "delete the rest, or move it to another file",
                )
            root = self.next()
            if not (type(root) is yaml.ScalarEvent and root.implicit[0] and plain_scalar(root.value) is None):
                yield root
            self.next()

    def items(self, event: Any) -> Iterator[Any]:
        """The first event of each item of a list; what is no list is the only item."""
        if type(event) is not yaml.SequenceStartEvent:
            yield event
            return
        self._refuse_extras(event)
        while type(item := self.next()) is not yaml.SequenceEndEvent:
            yield item

    def entry(self, event: Any, draft: Draft) -> None:
        """Put the mapping that the event starts into a new draft."""
        self._refuse_extras(event)
        self._draft, self._marks, self._keys = draft, draft.marks, draft.keys
        draft.values = self._mapping("", 1)

    def skip(self, event: Any) -> None:
        """Pass over the rest of a value. Raises Unreadable in a deep one: libyaml gets slower with each level."""
        open_ = _opens(event)
        while open_:
            if open_ > MAX_DEPTH:
                self._refuse_depth(event)
            event = self.next()
            open_ += _opens(event)

    def place(self, event: Any) -> Place:
        mark = event.start_mark
        return self._path, (mark.line + self._first_line, mark.column + 1)

    def _literal(self, event: Any) -> Place:
        """The place of a block whose lines stand as they are, behind an indentation."""
        path, (line, column) = self.place(event)
        start = self._text.find("\n", event.start_mark.index) + 1
        indent = _indentation(self._text, start) - _indentation(event.value, 0)
        return TextPlace.of((path, (line, column)), line + 1, (indent, indent))

    def refuse(self, code: str, message: str, event: Any, hint: str) -> NoReturn:
        self._stop(code, message, self.place(event)[1], hint)

    def _refuse_extras(self, event: Any) -> None:
        """Anchors and tags on the outermost value."""
        if event.anchor is not None or event.tag is not None:
            self.refuse("yaml-extras", "anchors and tags are not supported", event, "delete it")

    def _refuse_depth(self, event: Any) -> NoReturn:
        self.refuse("too-deep", f"values are nested deeper than {MAX_DEPTH} levels", event, "use fewer levels")

    def _mapping(self, prefix: str, depth: int) -> dict[str, Any]:
        values: dict[str, Any] = {}
        while type(event := self.next()) is not yaml.MappingEndEvent:
            place = self.place(event)
            key = self._key(event, place)
            if key is None:
                self.skip(event)
                self.skip(self.next())
                continue
            name = prefix + key
            if key in values:
                message = f"the key {name} occurs twice, here and in line {self._keys[name][1][0]}"
                self._draft.error("duplicate-key", message, _where(place), "delete one of them")
                self.skip(self.next())
                continue
            self._keys[name] = place
            values[key] = self._value(self.next(), name, depth)
        return values

    def _key(self, event: Any, place: Place) -> str | None:
        if type(event) is not yaml.ScalarEvent or event.tag not in _TEXT_TAGS or event.anchor is not None:
            hint = "write it without anchor, alias, tag or brackets"
            self._draft.error("bad-key", "a key must be plain text", _where(place), hint)
            return None
        if not event.value:
            self._draft.error("bad-key", "a key must not be empty", _where(place), "write a name before the colon")
            return None
        if event.implicit[0] and event.value == "<<":
            self._draft.error("yaml-alias", "merge keys are not supported", _where(place), "write out the merged keys")
            return None
        return str(event.value)

    def _value(self, event: Any, name: str, depth: int) -> Any:
        kind = type(event)
        self._marks[name] = self.place(event)
        if kind is yaml.AliasEvent or event.anchor is not None:
            self._fail(
                event, name, "yaml-alias", "anchors and aliases are not supported", "write out the value in each place"
            )
            return None
        if kind is yaml.ScalarEvent:
            if event.tag is None and not event.style:
                return self._plain(event, name)
            if event.tag in _TEXT_TAGS or (event.tag == "!" and event.style):  # Ruby used to write ! 'text'
                if event.style == "|":
                    self._marks[name] = self._literal(event)
                return event.value
        if event.tag is not None:
            tag = event.tag.replace("tag:yaml.org,2002:", "!!")
            hint = "delete the tag" + ("" if tag.startswith("!!") else "; put text that starts with ! in quotes")
            self._fail(
                event,
                name,
                "yaml-tag",
                f"the tag {tag} is not supported: the field determines the type of its value",
                hint,
            )
            return None
        if depth >= MAX_DEPTH:
            self._refuse_depth(event)
        if kind is yaml.MappingStartEvent:
            if self._text.startswith("{{", event.start_mark.index):
                hint = "put the value in quotes"
                self._fail(event, name, "bad-key", "YAML reads {{ as the start of a key, not as text", hint)
                return None
            return self._mapping(f"{name}.", depth + 1)
        values: list[Any] = []
        while type(item := self.next()) is not yaml.SequenceEndEvent:
            values.append(self._value(item, f"{name}.{len(values)}", depth + 1))
        return values

    def _plain(self, event: Any, name: str) -> str | None:
        """The value of a scalar without quotes."""
        if self._has_comment:
            self._warn_of_comment(event.end_mark, name)
        if event.value == "=":
            message = "a lone = is not supported: it has a special meaning in YAML"
            self._fail(event, name, "yaml-extras", message, "put it in quotes")
            return None
        return plain_scalar(event.value)

    def _warn_of_comment(self, end: yaml.Mark, name: str) -> None:
        """A `#` with a word right behind it was hardly meant to start a comment."""
        comment = _COMMENT.match(self._text, end.index)
        if comment:
            column = end.column + comment.end() - end.index - 1
            where = Where(self._path, end.line + self._first_line, column)
            message = f"{name} ends before the #: the rest of the line is a comment"
            hint = "put the value in quotes if the rest belongs to it; if not, put a space after the #"
            self._draft.warn("comment-in-value", message, where, hint)

    def _fail(self, event: Any, name: str, code: str, message: str, hint: str) -> None:
        self._draft.fail(name, code, message, _where(self._marks[name]), hint)
        self.skip(event)

    def _stop(self, code: str, message: str, mark: tuple[int, int], hint: str) -> NoReturn:
        raise Unreadable(Problem(code, message, Where(self._path, *mark), hint))


def _opens(event: Any) -> int:
    kind = type(event)
    if kind is yaml.MappingStartEvent or kind is yaml.SequenceStartEvent:
        return 1
    return -1 if kind is yaml.MappingEndEvent or kind is yaml.SequenceEndEvent else 0


def _indentation(text: str, start: int) -> int:
    """Of the first line from an offset on that is not blank."""
    blank = _BLANK.match(text, start)
    end = blank.end() if blank else start
    return end - max(text.rfind("\n", start, end) + 1, start)


def _where(place: Place) -> Where:
    return Where(place[0], *place[1])
