"""YAML built straight from libyaml's events: text stays as written, and every key and value has its place.

PyYAML's constructors turn `no` into False and `12:30` into 750, let the last of two equal keys win and follow aliases
that explode (faults.md YA): here each of these is a decision.
"""

import re
from collections.abc import Iterator
from typing import Any, NoReturn

import yaml

from ..errors import Problem, Where
from ..model import Kind, Plain
from .draft import Draft, Place, Unreadable, mark_at

MAX_DEPTH = 32

# YAML refuses these, or takes them for line ends where editors do not.
_STRANGE = re.compile(r"[\x80-\x9f\u2028\u2029\ufffe\uffff]")
_NULL = frozenset({"", "~", "null", "Null", "NULL"})
_MAYBE_NOT_TEXT = frozenset("0123456789+-.tTfF")  # how numbers and booleans start
_TEXT_TAGS = frozenset({None, "!", "tag:yaml.org,2002:str"})
_EXAMPLE = "such as title: My title"
_HINTS = (
    ("mapping values are not allowed", "put a value that holds ': ' in quotes, and check the indentation"),
    ("cannot start any token", "put a value that starts with a special character in quotes"),
    ("quoted scalar", "close the quote"),
    ("could not find expected ':'", "a key ends with a colon and a space"),
    ("while scanning a block scalar", "indent with spaces"),
)


def read_mapping(text: str, draft: Draft, first_line: int) -> None:
    """Put the one mapping of a text into the draft. Raises Unreadable where it stops being YAML, or is no mapping."""
    reader = _Reader(text, draft.path, first_line)
    for event in reader.roots():
        if type(event) is not yaml.MappingStartEvent:
            reader.refuse("not-a-mapping", "must be keys with values", event, _EXAMPLE)
        reader.entry(event, draft)


def read_mappings(text: str, kind: Kind, path: str) -> tuple[list[Draft], list[Problem]]:
    """A draft for each mapping of a list, or for a single one, and a problem for each item that is none.

    Raises Unreadable as `read_mapping` does.
    """
    reader = _Reader(text, path, 1)
    drafts: list[Draft] = []
    problems: list[Problem] = []
    for event in reader.roots():
        for item in reader.items(event):
            line, column = reader.place(item)[1]
            if type(item) is yaml.MappingStartEvent:
                draft = Draft(kind, path, line)
                reader.entry(item, draft)
                drafts.append(draft)
            else:
                where = Where(path, line, column)
                problems.append(Problem("not-a-mapping", "an entry must be keys with values", where, _EXAMPLE))
                reader.skip(item)
    return drafts, problems


class _Reader:
    """Walks the events of one text. Nested names are dotted, from the entry on."""

    def __init__(self, text: str, path: str, first_line: int) -> None:
        self._path = path
        self._first_line = first_line
        strange = None if text.isascii() else _STRANGE.search(text)
        if strange:
            line, column = mark_at(text, strange.start())
            self._stop(
                "control-character",
                f"the character U+{ord(strange[0]):04X} cannot stand in YAML",
                (line + first_line - 1, column),
                "delete it, or write it as an escape in double quotes",
            )
        self._text = text
        self._events: Iterator[Any] = yaml.parse(text, Loader=yaml.CSafeLoader)

    def next(self) -> Any:
        try:
            return next(self._events)
        except yaml.MarkedYAMLError as error:
            self._syntax(error)

    def roots(self) -> Iterator[Any]:
        """The first event of the text's value; none when it is empty. The consumer takes the value's other events."""
        self.next()
        documents = 0
        while type(event := self.next()) is not yaml.StreamEndEvent:
            documents += 1
            if documents > 1:
                self.refuse(
                    "several-documents", "a file holds one YAML document", event, "delete what follows, or split"
                )
            root = self.next()
            if not (type(root) is yaml.ScalarEvent and root.implicit[0] and root.value in _NULL):
                yield root
            self.next()

    def items(self, event: Any) -> Iterator[Any]:
        """The first event of each item of a list; what is no list is the only item."""
        if type(event) is not yaml.SequenceStartEvent:
            yield event
            return
        self.refuse_extras(event)
        while type(item := self.next()) is not yaml.SequenceEndEvent:
            yield item

    def entry(self, event: Any, draft: Draft) -> None:
        self.refuse_extras(event)
        draft.values = self._mapping(draft, "", 1)

    def refuse(self, code: str, message: str, event: Any, hint: str) -> NoReturn:
        self._stop(code, message, self.place(event)[1], hint)

    def refuse_extras(self, event: Any) -> None:
        """Anchors and tags on the outermost value."""
        if event.anchor is not None or event.tag not in (None, "!"):
            self.refuse("yaml-extras", "anchors and tags are not read", event, "delete it")

    def _mapping(self, draft: Draft, prefix: str, depth: int) -> dict[str, Any]:
        values: dict[str, Any] = {}
        while type(event := self.next()) is not yaml.MappingEndEvent:
            place = self.place(event)
            key = self._key(event, draft, place)
            if key is None:
                self.skip(event)
                self.skip(self.next())
                continue
            name = prefix + key
            if key in values:
                first = draft.keys[name][1][0]
                message = f"the key {name} stands twice, here and in line {first}"
                draft.error("duplicate-key", message, Where(place[0], *place[1]), "delete one of them")
                self.skip(self.next())
                continue
            draft.keys[name] = place
            values[key] = self._value(self.next(), draft, name, depth)
        return values

    def _key(self, event: Any, draft: Draft, place: Place) -> str | None:
        where = Where(place[0], *place[1])
        if type(event) is not yaml.ScalarEvent or event.tag not in _TEXT_TAGS or event.anchor is not None:
            draft.error("bad-key", "a key must be plain text", where, "write it without anchor, alias, tag or brackets")
            return None
        if not event.value:
            draft.error("bad-key", "a key must not be empty", where, "write a name before the colon")
            return None
        if event.implicit[0] and event.value == "<<":
            draft.error("yaml-alias", "merge keys are not read", where, "write the keys out")
            return None
        return str(event.value)

    def _value(self, event: Any, draft: Draft, name: str, depth: int) -> Any:
        kind = type(event)
        draft.marks[name] = place = self.place(event)
        if kind is yaml.AliasEvent or event.anchor is not None:
            where = Where(place[0], *place[1])
            draft.fail(name, "yaml-alias", "anchors and aliases are not read", where, "write the value out")
            self.skip(event)
            return None
        if kind is yaml.ScalarEvent:
            if event.implicit[0] and not event.style:
                return _plain(event.value)
            if event.tag in _TEXT_TAGS:
                return event.value
        if event.tag not in (None, "!"):
            where = Where(place[0], *place[1])
            draft.fail(
                name,
                "yaml-tag",
                f"the tag {_short(event.tag)} is not read",
                where,
                "delete it: fields know their types",
            )
            self.skip(event)
            return None
        if depth >= MAX_DEPTH:
            self.refuse("too-deep", f"values are nested deeper than {MAX_DEPTH} levels", event, "simplify it")
        if kind is yaml.MappingStartEvent:
            return self._mapping(draft, f"{name}.", depth + 1)
        values: list[Any] = []
        while type(item := self.next()) is not yaml.SequenceEndEvent:
            values.append(self._value(item, draft, f"{name}.{len(values)}", depth + 1))
        return values

    def skip(self, event: Any) -> None:
        """Pass over the rest of a value."""
        open_ = _opens(event)
        while open_:
            open_ += _opens(self.next())

    def place(self, event: Any) -> Place:
        mark = event.start_mark
        return self._path, (mark.line + self._first_line, mark.column + 1)

    def _syntax(self, error: yaml.MarkedYAMLError) -> NoReturn:
        told = f"{error.context or ''} {error.problem or ''}"
        hint = next((hint for part, hint in _HINTS if part in told), "check the indentation, quotes and brackets")
        end = len(self._text.rstrip())
        offsets = [min(mark.index, end) for mark in (error.problem_mark, error.context_mark) if mark] or [0]
        # An open quote or bracket is found at the end of the text: what people look for is where it opened.
        offset = offsets[-1] if "quoted scalar" in told or offsets[0] == end else offsets[0]
        if self._text.startswith("\t", offset):
            hint = "indent with spaces, not with tabs"
        line, column = mark_at(self._text, offset)
        message = f"not valid YAML: {error.problem or error.context}"
        self._stop("yaml-syntax", message, (line + self._first_line - 1, column), hint)

    def _stop(self, code: str, message: str, mark: tuple[int, int], hint: str) -> NoReturn:
        raise Unreadable(Problem(code, message, Where(self._path, *mark), hint))


def _opens(event: Any) -> int:
    kind = type(event)
    if kind is yaml.MappingStartEvent or kind is yaml.SequenceStartEvent:
        return 1
    return -1 if kind is yaml.MappingEndEvent or kind is yaml.SequenceEndEvent else 0


def _plain(text: str) -> str | None:
    if text in _NULL:
        return None
    return Plain(text) if text[0] in _MAYBE_NOT_TEXT else text


def _short(tag: str) -> str:
    return tag.replace("tag:yaml.org,2002:", "!!")
