"""Edit or create the Markdown and HTML files of an entry, one file for each language."""

from collections.abc import Iterator, Mapping
from typing import Any

from ...errors import Refused
from ...model import RECORDS, Entry, Kind
from ..draft import ABSENT, BODY_FIELDS, FieldPath, UnreadableFile, body_field, is_html_field, value_at
from ..formats.front_matter import TomlHandler, YamlHandler, read_document
from ..key_mapping import KeyMapping, mapping_for
from .field_values import (
    Definitions,
    as_written,
    fits_below,
    new_values,
    restore_relative_links,
    shows_markdown,
    trim_body,
)
from .file_edits import (
    FileEdit,
    SourceText,
    Splice,
    Tree,
    WrittenFields,
    apply_tree,
    build_tree,
    diff_splices,
    misread_edit,
    unreadable_edit,
)
from .folder_index import FolderIndex
from .toml_edit import as_toml_reads, edit_toml
from .yaml_edit import YamlEditor, append_keys, compose

_HANDLERS = (YamlHandler(), TomlHandler())


class DocumentFile:
    """A Markdown or HTML file: its front matter and its body, with their positions. Raises UnreadableFile."""

    def __init__(self, data: bytes, kind: Kind, path: str) -> None:
        self._original = SourceText(data)
        self._kind = kind
        self._path = path
        text = self._original.text
        draft, self.body, _ = read_document(text, kind, path)
        self.values: dict[str, Any] = draft.values
        start = len(text) - len(text.lstrip(" \t\n")) if text.strip() else 0
        start = text.rfind("\n", 0, start) + 1
        handler = next((handler for handler in _HANDLERS if handler.detect(text[start:])), None)
        self._toml = isinstance(handler, TomlHandler)
        self._block: tuple[int, int] | None = None  # offsets of the front matter between its fences
        self._fence_end = start  # where the body may start
        if handler:
            end = handler.END.search(text, start)
            if end:
                self._block = text.index("\n", start) + 1, end.start() + 1
                self._fence_end = end.end()

    def edited(self, changes: Mapping[FieldPath, Any], body: str | None = None) -> bytes | None:
        """Return the file with changed front matter and another body, or None if nothing is left in it.

        Raises Refused if the changes cannot be written.
        """
        tree = build_tree(changes)
        wanted = apply_tree(self.values, as_toml_reads(tree) if self._toml else tree)
        splices = self._front_matter(tree, body) if changes or body is not None else []
        if body is not None and body != self.body:
            splices.append(self._below(body))
        data = self._original.spliced(splices)
        try:
            draft, found, _ = read_document(SourceText(data).text, self._kind, self._path)
        except UnreadableFile as error:
            raise unreadable_edit(self._path, error) from error
        if draft.values != wanted or found != (self.body if body is None else body):
            raise misread_edit(self._path)
        return data if wanted or found else None

    def _front_matter(self, tree: Tree, body: str | None) -> list[Splice]:
        text = self._original.text
        if self._block is None:
            if not tree and (not body or _is_body(body, self._kind, self._path)):
                return []
            start = self._fence_end
            inner = "".join(splice.text for splice in append_keys("", tree)) if tree else ""
            return [Splice(start, start, f"---\n{inner}---\n\n")]
        start, end = self._block
        block = text[start:end]
        if self._toml:
            return diff_splices(block, edit_toml(block, self._kind, tree), start)
        node = compose(block)
        if node is None or (not node.value and not block.lstrip().startswith("{")):
            return [Splice(start + at, start + at, new) for at, _, new in append_keys(block, tree)] if tree else []
        editor = YamlEditor(block, start)
        editor.mapping(node, tree)
        return editor.splices

    def _below(self, body: str) -> Splice:
        text = self._original.text
        if not self.body:
            lead = "\n\n" if self._block else ""
            return Splice(self._fence_end, len(text), f"{lead}{body}\n")
        if not body:
            return Splice(self._fence_end, len(text), "\n" if self._block else "")
        start = text.index(self.body, self._fence_end)
        return Splice(start, start + len(self.body), body)


def _is_body(text: str, kind: Kind, path: str) -> bool:
    """Return whether the whole of a text without front matter is read as a body."""
    try:
        draft, body, _ = read_document(text, kind, path)
    except UnreadableFile:
        return False
    return not draft.values and body == text


_EMPTY = b"---\n---\n"


class DocumentEdit:
    """The pending changes to a document, an existing one (`old`) or a new one. `path` may differ from that of `old`."""

    def __init__(self, index: FolderIndex, kind: Kind, path: str, old: DocumentFile | None = None) -> None:
        self._index = index
        self.kind = kind
        self.path = path
        self._old = old
        self._values: dict[str, Any] = old.values if old else {}
        self._changes: dict[FieldPath, Any] = {}
        self._body: str | None = None

    @property
    def has_changes(self) -> bool:
        """Whether there are changes to write."""
        return bool(self._changes) or self._body is not None

    def has_key(self, field: FieldPath) -> bool:
        """Return whether the front matter has a key for a field, or for the object around it."""
        mapping = self._mapping(field)
        return mapping is not None and value_at(self._values, mapping.path) is not ABSENT

    def set_field(self, field: FieldPath, value: Any) -> None:
        """Set a field: below the front matter if that is its position, else under its key."""
        mapping = self._mapping(field)
        if field[-1] in BODY_FIELDS:
            remote = value_at(self._values, mapping.path) if mapping else ABSENT
            is_key = mapping is not None and self._changes.get(mapping.path, remote) is not ABSENT
            is_below = field == (body_field(self.kind, self.path),) and not is_key
            before = self._old.body if is_below and self._old else remote
            value = self._relinked(field[-1], value, before if isinstance(before, str) else "")
            if is_below:
                text = trim_body(value or "")
                self._body = text if fits_below(text) else ""
                if self._body == text:
                    return
        if mapping:
            self._changes[mapping.path] = mapping.to_file(as_written(field[-1], value))

    def remove_field(self, field: FieldPath) -> None:
        """Remove a field from the front matter."""
        mapping = self._mapping(field)
        if mapping and self.has_key(field):
            self._changes[mapping.path] = ABSENT

    def data(self) -> bytes | None:
        """Return the new bytes of the file, or None if nothing is left in it. Raises Refused."""
        if self._old:
            return self._old.edited(self._changes, self._body)
        return DocumentFile(_EMPTY, self.kind, self.path).edited(self._changes, self._body or "")

    def _mapping(self, field: FieldPath) -> KeyMapping | None:
        return mapping_for(self._index.config.content[self.kind], field, self._values.__contains__)

    def _relinked(self, name: str, value: Any, before: str) -> Any:
        base = self._index.config.site.asset_base_url
        if not base or not isinstance(value, str):
            return value
        html = is_html_field(self.kind, name)
        return restore_relative_links(value, before, self.path, base, self._index.folder, html=html)


def edit_document(index: FolderIndex, entry: Entry, changes: Mapping[str, Any], remote: Entry) -> Iterator[FileEdit]:
    """Yield the edits of an entry's files. Raises Refused.

    `changes` are by dotted name; `remote` is the server's entry.
    """
    path = entry.source.path if entry.source else ""
    data = index.data(path)
    main = DocumentEdit(index, entry.kind, path, DocumentFile(data, entry.kind, path))
    translated = _TranslationEdits(index, main)
    remaining = dict(changes)
    if remaining.pop("is_markdown", None) is not None:
        _write_shown_text(index, main, remote)
        remaining.pop("markdown", None)
        remaining.pop("content", None)
    texts: dict[str, dict[FieldPath, Any]] = {}
    for name, value in remaining.items():
        field = tuple(name.split("."))
        if field[0] == "translations" and len(field) > 2:
            texts.setdefault(field[1], {})[field[2:]] = value
        else:
            main.set_field(field, value)
    for locale, fields in texts.items():
        translated.set_field(locale, fields)
    written = WrittenFields(entry.kind, entry.key, tuple(changes))
    if main.has_changes:
        before = data if main.path == path else None
        yield FileEdit(main.path, index.location(main.path), before, main.data(), (written,))
        if before is None:
            yield FileEdit(path, index.location(path), data, None)
        written = written._replace(fields=())
    yield from translated.edits(None if main.has_changes else written)


def create_document(index: FolderIndex, entry: Entry, definitions: Definitions) -> Iterator[FileEdit]:
    """Yield the files of a new entry, one for each language of its body. Raises Refused."""
    values = new_values(entry, index.config, definitions)
    texts = values.pop("translations", {})
    is_html = entry.kind is Kind.ARTICLE and "markdown" not in values
    path, is_named = index.new_document(entry.kind, entry.key, ".html" if is_html else ".md")
    if not is_named:
        values.pop(RECORDS[entry.kind].key_field, None)
    main = DocumentEdit(index, entry.kind, path)
    for name, value in values.items():
        main.set_field((name,), value)
    translated = _TranslationEdits(index, main)
    for locale, fields in texts.items():
        translated.set_field(locale, {(name,): value for name, value in fields.items()})
    yield FileEdit(path, path, None, main.data(), (WrittenFields(entry.kind, entry.key),))
    yield from translated.edits(None)


def _write_shown_text(index: FolderIndex, main: DocumentEdit, remote: Entry) -> None:
    """Set the text that the service shows now, in a file with the other suffix if the suffix decides which it is."""
    shown, hidden = ("markdown", "content") if shows_markdown(remote) else ("content", "markdown")
    if body_field(main.kind, main.path) == shown:
        if shown == "content":
            main.remove_field((hidden,))  # Markdown is shown if there is any
    else:
        path = f"{main.path.rpartition('.')[0]}{'.md' if shown == 'markdown' else '.html'}"
        if not index.is_free(path):
            raise Refused(f"{main.path} would have to be called {path}, and there is such a file", "rename one of them")
        main.path = path
        main.remove_field((shown,))
    main.set_field((shown,), remote.fields.get(shown))


class _TranslationEdits:
    """The texts of an entry in other languages: in its front matter, or in files of their own."""

    def __init__(self, index: FolderIndex, main: DocumentEdit) -> None:
        self._index = index
        self._main = main
        self._files = index.siblings(main.path)
        self._parts: dict[str, DocumentEdit] = {}
        self._before: dict[str, bytes] = {}

    def set_field(self, locale: str, texts: Mapping[FieldPath, Any]) -> None:
        """Set texts of a language, in the same file as its other texts. A new language goes where other languages are.

        If a language has texts in both places, each text stays in its place, and a body goes into a file.
        """
        has_body = any(field[-1] in BODY_FIELDS and value for field, value in texts.items())
        for field, value in texts.items():
            mapping = ("translations", locale)
            in_block = self._main.has_key((*mapping, field[0]))
            if not in_block and (
                locale in self._files
                or (not self._main.has_key(mapping) and (self._files or has_body) and value is not None)
            ):
                self._part(locale, is_html=_is_html_translation(self._main.kind, texts)).set_field(field, value)
            elif in_block or self._main.has_key(mapping) or value is not None:
                self._main.set_field((*mapping, *field), value)

    def edits(self, written: WrittenFields | None) -> Iterator[FileEdit]:
        """Yield the edits of the translation files."""
        for locale, part in self._parts.items():
            if part.has_changes:
                before = self._before.get(locale)
                location = self._index.location(part.path)
                yield FileEdit(part.path, location, before, part.data(), (written,) if written else ())
                written = None

    def _part(self, locale: str, *, is_html: bool) -> DocumentEdit:
        if locale not in self._parts:
            kind, file = self._main.kind, self._files.get(locale)
            if file:
                self._before[locale] = data = self._index.data(file.path)
                self._parts[locale] = DocumentEdit(self._index, kind, file.path, DocumentFile(data, kind, file.path))
            else:
                stem = self._main.path.rpartition(".")[0].removesuffix(f".{self._index.config.site.locales[0]}")
                path = f"{stem}.{locale}{'.html' if is_html else '.md'}"
                if not self._index.is_free(path):
                    raise Refused(f"there is a file {path} already", "rename it")
                self._parts[locale] = DocumentEdit(self._index, kind, path)
        return self._parts[locale]


def _is_html_translation(kind: Kind, texts: Mapping[FieldPath, Any]) -> bool:
    return kind is Kind.ARTICLE and bool(texts.get(("content",))) and not texts.get(("markdown",))
