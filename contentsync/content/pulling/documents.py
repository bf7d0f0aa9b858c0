"""An entry in Markdown or HTML files of its own, one a language: changed where its texts stand, or made."""

from collections.abc import Iterator, Mapping
from typing import Any

from ...errors import Refused
from ...model import RECORDS, Entry, Kind
from .bodies import BODIES
from .changes import Path
from .document import Document
from .incoming import FileEdit, Written
from .part import Part, below
from .shelves import Shelves
from .values import Definitions, new_values, shows_markdown


def edit(shelves: Shelves, entry: Entry, changes: Mapping[str, Any], there: Entry) -> Iterator[FileEdit]:
    """The files of an entry with changes by dotted name; `there` is the server's entry. Raises Refused."""
    path = entry.source.path if entry.source else ""
    data = shelves.data(path)
    main = Part(shelves, entry.kind, path, Document(data, entry.kind, path))
    translated = _Translated(shelves, main)
    left = dict(changes)
    if left.pop("is_markdown", None) is not None:
        _show(shelves, main, there)
        left.pop("markdown", None)
        left.pop("content", None)
    texts: dict[str, dict[Path, Any]] = {}
    for name, value in left.items():
        field = tuple(name.split("."))
        if field[0] == "translations" and len(field) > 2:
            texts.setdefault(field[1], {})[field[2:]] = value
        else:
            main.put(field, value)
    for locale, its in texts.items():
        translated.put(locale, its)
    said = Written(entry.kind, entry.key, tuple(changes))
    if main.is_touched:
        before = data if main.path == path else None
        yield FileEdit(main.path, shelves.location(main.path), before, main.data(), (said,))
        if before is None:
            yield FileEdit(path, shelves.location(path), data, None)
        said = said._replace(fields=())
    yield from translated.edits(None if main.is_touched else said)


def create(shelves: Shelves, entry: Entry, definitions: Definitions) -> Iterator[FileEdit]:
    """The files of a new entry: one more for each language that its body is translated into. Raises Refused."""
    values = new_values(entry, shelves.config, definitions)
    texts = values.pop("translations", {})
    is_html = entry.kind is Kind.ARTICLE and "markdown" not in values
    path, is_named = shelves.new_document(entry.kind, entry.key, ".html" if is_html else ".md")
    if not is_named:
        values.pop(RECORDS[entry.kind].key_field, None)
    main = Part(shelves, entry.kind, path)
    for name, value in values.items():
        main.put((name,), value)
    translated = _Translated(shelves, main)
    for locale, its in texts.items():
        translated.put(locale, {(name,): value for name, value in its.items()})
    yield FileEdit(path, path, None, main.data(), (Written(entry.kind, entry.key),))
    yield from translated.edits(None)


def _show(shelves: Shelves, main: Part, there: Entry) -> None:
    """Write the text that the service shows now, into a file of the other suffix where that tells which it is."""
    shown, hidden = ("markdown", "content") if shows_markdown(there) else ("content", "markdown")
    if below(main.kind, main.path) == shown:
        if shown == "content":
            main.drop((hidden,))  # Markdown that is given is what is shown
    else:
        path = f"{main.path.rpartition('.')[0]}{'.md' if shown == 'markdown' else '.html'}"
        if not shelves.is_free(path):
            raise Refused(f"{main.path} would have to be called {path}, and there is such a file", "rename one of them")
        main.path = path
        main.drop((shown,))
    main.put((shown,), there.fields.get(shown))


class _Translated:
    """The texts of an entry in other languages: in the block of its file, or in files of their own."""

    def __init__(self, shelves: Shelves, main: Part) -> None:
        self._shelves = shelves
        self._main = main
        self._files = shelves.siblings(main.path)
        self._parts: dict[str, Part] = {}
        self._before: dict[str, bytes] = {}

    def put(self, locale: str, texts: Mapping[Path, Any]) -> None:
        """Write texts where those of the language are: new ones where the entry's other languages are.

        A text of a language that is written in both places goes where it stands, and a body into a file.
        """
        has_body = any(field[-1] in BODIES and value for field, value in texts.items())
        for field, value in texts.items():
            way = ("translations", locale)
            in_block = self._main.says((*way, field[0]))
            if not in_block and (
                locale in self._files or (not self._main.says(way) and (self._files or has_body) and value is not None)
            ):
                self._part(locale, is_html=_is_html(self._main.kind, texts)).put(field, value)
            elif in_block or self._main.says(way) or value is not None:
                self._main.put((*way, *field), value)

    def edits(self, said: Written | None) -> Iterator[FileEdit]:
        """What becomes of the files of languages."""
        for locale, part in self._parts.items():
            if part.is_touched:
                before = self._before.get(locale)
                location = self._shelves.location(part.path)
                yield FileEdit(part.path, location, before, part.data(), (said,) if said else ())
                said = None

    def _part(self, locale: str, *, is_html: bool) -> Part:
        if locale not in self._parts:
            kind, file = self._main.kind, self._files.get(locale)
            if file:
                self._before[locale] = data = self._shelves.data(file.path)
                self._parts[locale] = Part(self._shelves, kind, file.path, Document(data, kind, file.path))
            else:
                stem = self._main.path.rpartition(".")[0].removesuffix(f".{self._shelves.config.site.locales[0]}")
                path = f"{stem}.{locale}{'.html' if is_html else '.md'}"
                if not self._shelves.is_free(path):
                    raise Refused(f"there is a file {path} already", "rename it")
                self._parts[locale] = Part(self._shelves, kind, path)
        return self._parts[locale]


def _is_html(kind: Kind, texts: Mapping[Path, Any]) -> bool:
    return kind is Kind.ARTICLE and bool(texts.get(("content",))) and not texts.get(("markdown",))
