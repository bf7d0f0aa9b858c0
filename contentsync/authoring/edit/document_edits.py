"""Edit or create the Markdown and HTML files of an entry, one file for each language."""

from collections.abc import Iterator, Mapping
from typing import Any

from ...content.entry.key_mapping import KeyMapping, mapping_in
from ...content.entry.title_heading import find_title_heading, heading_of
from ...content.files.file_text import UnreadableFile
from ...content.formats.draft import ABSENT, BODY_FIELDS, FieldPath, body_field, value_at
from ...content.formats.front_matter import find_front_matter, read_document
from ...errors import Refused
from ...model import RECORDS, Entry, Kind
from ...model.custom_field import Definitions
from .field_values import fits_below_front_matter, new_values, shows_markdown, trim_body
from .file_edits import FileEdit, WrittenFields
from .folder_index import FolderIndex
from .text_editor import (
    SourceText,
    Splice,
    TextEditor,
    Tree,
    apply_tree,
    build_tree,
    diff_splices,
    edited_bytes,
    misread_edit_error,
    tree_values,
    without_emptied,
)
from .toml_edit import TomlEditor
from .yaml_edit import YamlEditor
from .yaml_writing import block_lines


class DocumentFile:
    """A Markdown or HTML file, with its front matter and its body. Raises UnreadableFile."""

    def __init__(self, data: bytes, kind: Kind, path: str) -> None:
        """Read the front matter and the body, and find where they start and end in the text. Raise UnreadableFile."""
        self._original = SourceText(data)
        self._kind = kind
        self._path = path
        text = self._original.text
        draft = read_document(text, kind, path)
        self.body = draft.body
        self.values: dict[str, Any] = draft.values
        first_text = len(text) - len(text.lstrip(" \t\n")) if text.strip() else 0
        start = text.rfind("\n", 0, first_text) + 1  # of the first line that is not blank
        self._front_matter = find_front_matter(text)
        # The offset at which the body may start.
        self._body_start = self._front_matter.body_start if self._front_matter else start

    def edited_bytes(self, changes: Mapping[FieldPath, Any], body: str | None = None) -> bytes | None:
        """Return the bytes of the file after changes to its front matter and body, or None if both are empty then.

        A `body` of None keeps the body. Raises Refused if the result would be read with other values.
        """
        tree = without_emptied(build_tree(changes), self.values)
        editor = self._editor()
        values, new_body = apply_tree(self.values, editor.as_read(tree)), self.body if body is None else body
        if self._front_matter is not None and changes:
            editor.edit((), tree)
        splices = [*editor.splices, *self._missing_block(tree, body)]
        if new_body != self.body:
            splices.append(self._body_splice(new_body))
        data = edited_bytes(self._original, self._path, splices, self._read_values, (values, new_body))
        return data if values or new_body else None

    def _read_values(self, text: str) -> tuple[dict[str, Any], str]:
        draft = read_document(text, self._kind, self._path)
        return draft.values, draft.body

    def _editor(self) -> TextEditor:
        """Return the editor of the front matter."""
        if self._front_matter is None:
            return YamlEditor("", self._body_start)
        is_toml, start, end, _body_start = self._front_matter
        block = self._original.text[start:end]
        if is_toml:  # a new key cannot follow a table, so it is added below the title; the path is for errors
            return TomlEditor(block, self._path, start, title_field=RECORDS[self._kind].title_field)
        return YamlEditor(block, start)

    def _missing_block(self, tree: Tree, body: str | None) -> list[Splice]:
        """Return the splice that adds a front matter, if there is none and `tree` or `body` needs it."""
        if self._front_matter is None and (tree or body is not None):
            looks_like_front_matter = bool(body) and not _is_body(body or "", self._kind, self._path)
            if tree or looks_like_front_matter:
                start = self._body_start
                lines = (block_lines(key, value, indent=0) for key, value in tree_values(tree).items())
                return [Splice(start, start, f"---\n{''.join(lines)}---\n\n")]
        return []

    def _body_splice(self, body: str) -> Splice:
        """Return the splice that replaces the body, which must differ. A first body gets an empty line before it."""
        text = self._original.text
        if not self.body:
            separator = "\n\n" if self._front_matter else ""  # ends the front matter's last line, and adds an empty one
            return Splice(self._body_start, len(text), f"{separator}{body}\n")
        if not body:
            return Splice(self._body_start, len(text), "\n" if self._front_matter else "")
        body_start = text.index(self.body, self._body_start)  # after empty lines
        (splice,) = diff_splices(self.body, body, body_start)  # exactly one, because the bodies differ
        return splice


def _is_body(text: str, kind: Kind, path: str) -> bool:
    """Return whether a file with only this text is read as a body without front matter."""
    try:
        draft = read_document(text, kind, path)
    except UnreadableFile:
        return False
    return not draft.values and draft.body == text


_EMPTY = b"---\n---\n"


class DocumentEdit:
    """Pending changes to one document. A caller may set another `path`; then the file at the old path is deleted."""

    def __init__(self, index: FolderIndex, kind: Kind, path: str, before: bytes | None = None) -> None:
        """Start an edit of the file at `path` with the bytes `before`; without them, the file is new."""
        self._index = index
        self.kind = kind
        self.path = self._old_path = path
        self._before = before
        self._old = DocumentFile(before, kind, path) if before is not None else None
        self._values: dict[str, Any] = self._old.values if self._old else {}
        self._changes: dict[FieldPath, Any] = {}  # new values in the front matter, by key path
        self._new_body: str | None = None  # the new one, without the heading; None if it stays
        self._new_title: str | None = None  # the new one in the heading; None if it stays
        self._title_field = (RECORDS[kind].title_field,)
        self._heading = None
        if self._old and not self.has_key(self._title_field):
            self._heading = heading_of(index.config.content[kind], path, self._old.body)

    @property
    def has_changes(self) -> bool:
        """Whether there are changes to write."""
        return bool(self._changes) or self._new_body is not None or self._new_title is not None

    def has_key(self, field: FieldPath) -> bool:
        """Return whether the front matter has a key for a field, or for the object around it."""
        mapping = self._mapping(field)
        return mapping is not None and value_at(self._values, mapping.path) is not ABSENT

    def set_field(self, field: FieldPath, value: Any) -> None:
        """Set a field, in the body or its heading if it belongs there, else in the front matter. Raises Refused.

        Does nothing if the config ignores every key of the field. A body that is a key in the front matter stays there.
        With ABSENT, remove the field.
        """
        if value is ABSENT and self.has_key(field):
            self.remove_field(field)
            return
        if self._heading and field == self._title_field:
            self._new_title = value
            return
        mapping = self._mapping(field)
        old_value = value_at(self._values, mapping.path) if mapping else ABSENT
        value_so_far = self._changes.get(mapping.path, old_value) if mapping else ABSENT
        has_key = value_so_far is not ABSENT
        is_body = field == (body_field(self.kind, self.path),) and not has_key
        if is_body and self._old:
            old_value = self._heading.text if self._heading else self._old.body
        value = self._index.written_value(self.kind, self.path, field[-1], value, old_value)
        if is_body:
            text = "" if value is ABSENT else trim_body(value or "")
            if fits_below_front_matter(text, self.path):
                self._new_body = text
                return
            if mapping is None:
                raise misread_edit_error(self.path)
            self._new_body = ""  # the text becomes a key in the front matter
        if mapping and value is not ABSENT:
            self._changes[mapping.path] = mapping.to_file(value)

    def remove_field(self, field: FieldPath) -> None:
        """Remove a field from the front matter."""
        mapping = self._mapping(field)
        if mapping and self.has_key(field):
            self._changes[mapping.path] = ABSENT

    def edits(self, written: tuple[WrittenFields, ...] = ()) -> Iterator[FileEdit]:
        """Yield the edit of the file, which deletes it if the changes leave it empty, and the deletion at an old path.

        The first edit gets `written`: of all edits of one entry, only one names the fields. Raises Refused.
        """
        body = self._body_with_heading()
        if self._old:
            after = self._old.edited_bytes(self._changes, body)
        else:
            after = DocumentFile(_EMPTY, self.kind, self.path).edited_bytes(self._changes, body or "")
        before = self._before if self.path == self._old_path else None
        yield FileEdit(self.path, self._index.location(self.path), before, after, written)
        if self.path != self._old_path:
            yield FileEdit(self._old_path, self._index.location(self._old_path), self._before, after=None)

    def _body_with_heading(self) -> str | None:
        """Return the text below the front matter, with the heading that is the title; None if it does not change.

        If the file becomes HTML, in which no heading is read, move the title to the front matter. Raises Refused if
        the result would be read with another title.
        """
        mapping, body = self._mapping(self._title_field), self._new_body
        has_key = self.has_key(self._title_field) or (mapping is not None and mapping.path in self._changes)
        if self._heading and self.path.lower().endswith(".html"):
            assert mapping is not None  # noqa: S101
            self._changes[mapping.path] = mapping.to_file(self._new_title or self._heading.title)
        elif self._heading and (self._new_title is not None or body is not None):
            expected_title = self._new_title or self._heading.title
            expected_text = self._heading.text if body is None else body
            body = self._heading.edited(title=self._new_title, text=body)
            reread = find_title_heading(body)
            if reread is None or (reread.title, reread.text) != (expected_title, expected_text):
                raise misread_edit_error(self.path)
        elif body and not has_key and heading_of(self._index.config.content[self.kind], self.path, body):
            raise misread_edit_error(self.path)  # the heading in the new body would be read as the title
        return body

    def _mapping(self, field: FieldPath) -> KeyMapping | None:
        return mapping_in(self._index.config.content[self.kind], field, self._values)


def edit_document(index: FolderIndex, entry: Entry, changes: Mapping[str, Any], remote: Entry) -> Iterator[FileEdit]:
    """Yield the edits of an entry's files. Raises Refused.

    `changes` maps dotted field names to the server's values; `remote` is the server's entry.
    """
    path = entry.source.path if entry.source else ""
    main = DocumentEdit(index, entry.kind, path, index.read_bytes(path))
    translations = _TranslationEdits(index, main)
    remaining = dict(changes)
    is_markdown = remaining.pop("is_markdown", None)
    if is_markdown is not None:  # the service shows the other text now, which replaces both texts of the file
        _write_shown_text(index, main, remote)
        remaining.pop("markdown", None)
        remaining.pop("content", None)
    if "categories" in remaining:  # it replaces `category_id`
        main.remove_field(("category_id",))
    texts: dict[str, dict[FieldPath, Any]] = {}  # by language
    for name, value in remaining.items():
        field = tuple(name.split("."))
        if field[0] == "translations" and len(field) > 2:
            texts.setdefault(field[1], {})[field[2:]] = value
        else:
            main.set_field(field, value)
    for locale, fields in texts.items():
        translations.set_texts(locale, fields)
    written: tuple[WrittenFields, ...] = (WrittenFields(entry.kind, entry.key, tuple(changes)),)  # of the first edit
    if main.has_changes:
        yield from main.edits(written)
        written = ()
    yield from translations.edits(written)


def delete_document(index: FolderIndex, entry: Entry) -> Iterator[FileEdit]:
    """Yield the edits that delete the files of an entry, in all languages."""
    written: tuple[WrittenFields, ...] = (WrittenFields(entry.kind, entry.key, is_removed=True),)
    for path in index.entry_files(entry):
        yield FileEdit(path, index.location(path), index.read_bytes(path), after=None, written=written)
        written = ()


def create_document(index: FolderIndex, entry: Entry, definitions: Definitions) -> Iterator[FileEdit]:
    """Yield the edits that create the files of a new entry: one, and one for each translated body. Raises Refused."""
    values = new_values(entry, index.config, definitions)
    texts_by_locale = values.pop("translations", {})
    is_html = entry.kind is Kind.ARTICLE and "markdown" not in values
    path, needs_key = index.new_document(entry.kind, entry.key, ".html" if is_html else ".md")
    if not needs_key:
        values.pop(RECORDS[entry.kind].key_field, None)
    main = DocumentEdit(index, entry.kind, path)
    for name, value in values.items():
        main.set_field((name,), value)
    translations = _TranslationEdits(index, main)
    for locale, texts in texts_by_locale.items():
        translations.set_texts(locale, {(name,): value for name, value in texts.items()})
    yield from main.edits(written=(WrittenFields(entry.kind, entry.key),))
    yield from translations.edits()  # without `written`, so that the new entry is counted once


def _write_shown_text(index: FolderIndex, main: DocumentEdit, remote: Entry) -> None:
    """Set the text of an article that the service shows, and the suffix for it. Raise Refused if that file exists."""
    shown, hidden = ("markdown", "content") if shows_markdown(remote) else ("content", "markdown")
    if body_field(main.kind, main.path) == shown:
        if shown == "content":
            main.remove_field((hidden,))  # Markdown is shown if there is any
    else:
        path = f"{main.path.rpartition('.')[0]}{'.md' if shown == 'markdown' else '.html'}"
        if not index.is_free(path):
            raise Refused(f"{main.path} would have to be called {path}, and there is such a file", "rename one of them")
        main.path = path  # the shown text is the body of such a file
        main.remove_field((shown,))  # the key that it may have in the front matter
    main.set_field((shown,), remote.fields.get(shown))


class _TranslationEdits:
    """Pending changes to the translations of an entry, in its front matter or in one file for each language."""

    def __init__(self, index: FolderIndex, main: DocumentEdit) -> None:
        """Edit the texts in other languages of the entry that `main` edits."""
        self._index = index
        self._main = main
        self._files = index.translation_files(main.path)
        self._edits: dict[str, DocumentEdit] = {}

    def set_texts(self, locale: str, texts: Mapping[FieldPath, Any]) -> None:
        """Set texts of one language: in the front matter of the entry, or in the file of the language.

        A text that the front matter has stays there. Another one is written to the language's file if there is one.
        This file is created for a new language if there is a body for it, or other languages have files or folders.
        """
        needs_file = (
            bool(self._files)
            or self._index.has_language_folders(self._main.kind)
            or any(field[-1] in BODY_FIELDS and value for field, value in texts.items())
        )
        is_html = self._main.kind is Kind.ARTICLE and bool(texts.get(("content",))) and not texts.get(("markdown",))
        path = ("translations", locale)
        for field, value in texts.items():
            field_or_object = field[0]  # such as `seo` of `seo.title`
            if self._main.has_key((*path, field_or_object)):
                self._main.set_field((*path, *field), value)
            elif locale in self._files:
                self._document(locale, is_html=is_html).set_field(field, value)
            elif self._main.has_key(path):
                self._main.set_field((*path, *field), value)
            elif value is None or value is ABSENT:
                continue  # a new language without this text
            elif needs_file:
                self._document(locale, is_html=is_html).set_field(field, value)
            else:
                self._main.set_field((*path, *field), value)

    def edits(self, written: tuple[WrittenFields, ...] = ()) -> Iterator[FileEdit]:
        """Yield the edits of the translation files; the first one gets `written`."""
        for document in self._edits.values():
            if document.has_changes:
                yield from document.edits(written)
                written = ()

    def _document(self, locale: str, *, is_html: bool) -> DocumentEdit:
        """Return the edit of a language's file, which may be new. Raise Refused if it would replace another file."""
        if locale not in self._edits:
            kind = self._main.kind
            file = self._files.get(locale)
            if file:
                self._edits[locale] = DocumentEdit(self._index, kind, file.path, self._index.read_bytes(file.path))
            else:
                suffix = ".html" if is_html else ".md"
                path = self._index.translation_path(kind, self._main.path, locale, suffix)
                if not self._index.is_free(path):
                    raise Refused(f"there is a file {path} already", "rename it")
                self._edits[locale] = DocumentEdit(self._index, kind, path)
        return self._edits[locale]
