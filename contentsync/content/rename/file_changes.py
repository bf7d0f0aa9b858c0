"""Rewrite links, references and the key of a renamed entry in a file, and change nothing else of it."""

import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import Any

from ...errors import Refused
from ...model import RECORDS, PlainScalar
from ...model.markdown_budget import TooIntricate
from ..body_links import BodyLink, all_links
from ..draft import ABSENT, Draft, FieldPath, bodies, is_html_field, line_starts, position_at
from ..edit.document_edits import DocumentEdit
from ..edit.file_edits import SourceText, Splice
from ..edit.folder_index import FolderIndex
from ..edit.list_file import ListFile
from ..edit.table_file import TableFile
from ..formats.table_format import TABLE_DELIMITERS
from ..key_mapping import mapping_for
from ..link_rewriting import rewrite_links
from ..scan import ContentFile
from .file_moves import is_document
from .renaming import Renaming

NewTarget = Callable[[str], str]  # of the links of one file


@dataclass(slots=True)
class FileChanges:
    """What may change in one file: links, references to the renamed entry, and the entry itself."""

    file: ContentFile
    has_links: bool = False
    has_references: bool = False
    has_entry: bool = False


@dataclass(frozen=True, slots=True)
class ChangedFile:
    """The bytes of a file after its changes, and the numbers of links and references that were rewritten."""

    after: bytes
    links: int
    references: int


def change_file(
    index: FolderIndex,
    changes: FileChanges,
    drafts: Callable[[], Iterable[Draft]],
    renaming: Renaming,
    new_target: NewTarget,
    date: str | None,
) -> ChangedFile:
    """Return the changed file. `drafts` reads its entries as written; `date` is a `published_at` to write.

    Raises Refused for what cannot be written in place, and UnreadableFile.
    """
    file = changes.file
    before = index.read_bytes(file.path)
    if file.suffix in TABLE_DELIMITERS:
        return _Table(index, changes, renaming, new_target).changed(before, drafts())
    text = SourceText(before)
    links = {*_link_splices(text.text, drafts(), new_target)} if changes.has_links else set()
    references = {*_reference_splices(text.text, drafts(), renaming)} if changes.has_references else set()
    after = text.spliced_bytes(links | references)
    if changes.has_entry:
        after = _with_key(index, file, before, after, renaming, date)
    return ChangedFile(after, len(links), len(references))


def changed_links(text: str, new_target: NewTarget, *, html: bool) -> list[tuple[BodyLink, str]]:
    """Return the links of a text whose targets change, in order, with the new targets.

    Return nothing for a text that is too complex to parse. Of a text that also shows one of the links as an example,
    only wiki links change.
    """
    try:
        links = sorted(all_links(text, html=html), key=lambda link: link.offset)
        changed = [(link, new) for link in links if (new := new_target(link.target)) != link.target]
        plain = {link.target: new for link, new in changed if not link.target.startswith("[[")}
        if plain and rewrite_links(text, links, plain, html=html) is None:
            changed = [(link, new) for link, new in changed if link.target not in plain]
    except TooIntricate:
        return []
    by_offset = {link.offset: (link, new) for link, new in changed if text.startswith(link.target, link.offset)}
    return [*by_offset.values()]


def _link_splices(text: str, drafts: Iterable[Draft], new_target: NewTarget) -> Iterator[Splice]:
    starts = line_starts(text)
    done: set[int] = set()
    for draft in drafts:
        for name, values, body_field in bodies(draft):
            body = values[body_field]
            for link, new in changed_links(body, new_target, html=is_html_field(draft.kind, body_field)):
                where = draft.where_in(name, position_at(body, link.offset))
                at = text.find(link.target, starts[where.line - 1] + where.column - 1)
                while at in done:
                    at = text.find(link.target, at + 1)
                if at >= 0:
                    done.add(at)
                    yield Splice(at, at + len(link.target), new)


def _reference_splices(text: str, drafts: Iterable[Draft], renaming: Renaming) -> Iterator[Splice]:
    """Yield the splices of references by key. References by title stay: the title is the same."""
    starts = line_starts(text)
    key = re.escape(renaming.entry.key)
    at_start, in_array = re.compile(rf"[\"']?({key})(?![\w-])"), re.compile(rf"[\"']({key})[\"']")
    for draft in drafts:
        for name in _references(draft, renaming):
            where = draft.where(name)
            at = starts[where.line - 1] + where.column - 1
            is_array = text.startswith("[", at)  # of TOML, whose items have no locations
            found = in_array.search(text, at, text.find("]", at)) if is_array else at_start.match(text, at)
            if found:
                yield Splice(*found.span(1), renaming.key)


def _references(draft: Draft, renaming: Renaming) -> Iterator[str]:
    """Yield the dotted names of the values by which an entry refers to the renamed one, by its key."""
    kind, key = renaming.identity
    for name, referred in RECORDS[draft.kind].references.items():
        value = draft.values.get(name) if referred is kind else None
        if isinstance(value, list):
            yield from (f"{name}.{number}" for number, item in enumerate(value) if item == key)
        elif value == key:
            yield name


def _with_key(
    index: FolderIndex, file: ContentFile, before: bytes, after: bytes, renaming: Renaming, date: str | None
) -> bytes:
    """Return the file with the key of the entry, and its former ones. `after` has the changes so far."""
    entry = renaming.entry
    fields = _entry_fields(renaming, date)
    if is_document(entry):
        edit = DocumentEdit(index, file.kind, file.path, after)
        for path, value in fields.items():
            if value is ABSENT:
                edit.remove_field(path)
            else:
                edit.set_field(path, value)
        return next((it.after or b"" for it in edit.edits(())), after) if edit.has_changes else after
    assert entry.source, "an entry of the folder"  # noqa: S101
    settings = index.config.content[file.kind]
    number = ListFile(before, file.kind, file.path, settings.item_path).number(
        entry.source, RECORDS[file.kind].title_field
    )
    items = ListFile(after, file.kind, file.path, settings.item_path)
    mapped = ((mapping_for(settings, path, items.values(number).__contains__), it) for path, it in fields.items())
    return items.edited_bytes({number: {mapping.path: value for mapping, value in mapped if mapping}})


def _entry_fields(renaming: Renaming, date: str | None) -> dict[FieldPath, Any]:
    """Return the fields of the entry that change, by path."""
    fields: dict[FieldPath, Any] = {}
    if renaming.written is not None:
        fields[renaming.key_field,] = renaming.written
    if date is not None:
        fields["published_at",] = PlainScalar(date)
    if renaming.previous != renaming.entry.notes.previous:
        fields["sync", "previous"] = [*renaming.previous] or ABSENT
    return fields


class _Table:
    """The changes of a table: cells keep their quotes, and no column is added."""

    def __init__(self, index: FolderIndex, changes: FileChanges, renaming: Renaming, new_target: NewTarget) -> None:
        self._changes = changes
        self._renaming = renaming
        self._new_target = new_target
        self._settings = index.config.content[changes.file.kind]
        self._format = self._settings.table_format(changes.file.path)
        self._cells: dict[int, dict[str, str]] = {}

    def changed(self, before: bytes, drafts: Iterable[Draft]) -> ChangedFile:
        """Return the changed table."""
        changes, links, references = self._changes, 0, 0
        self._table = TableFile(before, changes.file.kind, changes.file.path, self._format)
        for draft in drafts if changes.has_links or changes.has_references else ():
            links += self._change_links(draft) if changes.has_links else 0
            references += self._change_references(draft) if changes.has_references else 0
        if changes.has_entry:
            self._change_key()
        return ChangedFile(self._table.edited_bytes(self._cells), links, references)

    def _change_links(self, draft: Draft) -> int:
        count = 0
        for name, _, body_field in bodies(draft):
            column, cell = self._cell(draft.line, name)
            changed = changed_links(cell, self._new_target, html=is_html_field(draft.kind, body_field))
            for link, new in reversed(changed):
                cell = f"{cell[: link.offset]}{new}{cell[link.offset + len(link.target) :]}"
            if changed:
                self._cells.setdefault(draft.line, {})[column] = cell
                count += len(changed)
        return count

    def _change_references(self, draft: Draft) -> int:
        names = {name.partition(".")[0] for name in _references(draft, self._renaming)}
        old, separator = self._renaming.entry.key, self._format.list_separator
        for name in names:
            column, cell = self._cell(draft.line, name)
            parts = (it.replace(old, self._renaming.key) if it.strip() == old else it for it in cell.split(separator))
            self._cells.setdefault(draft.line, {})[column] = separator.join(parts)
        return len(names)

    def _change_key(self) -> None:
        renaming, path = self._renaming, self._changes.file.path
        line = renaming.entry.source.line if renaming.entry.source else 0
        for field_path, value in _entry_fields(renaming, None).items():
            column, _ = self._cell(line, ".".join(field_path))
            if column in self._table.columns:
                items = [] if value is ABSENT else value if isinstance(value, list) else [value]
                self._cells.setdefault(line, {})[column] = self._format.list_separator.join(items)
            elif field_path == (renaming.key_field,):
                raise Refused(f"{path} has no column {column}", "add the column, or change the title of the entry")

    def _cell(self, line: int, name: str) -> tuple[str, str]:
        """Return the column of a field, and the text of its cell in a row with the changes so far."""
        mapping = mapping_for(self._settings, tuple(name.split(".")), self._table.has)
        column = ".".join(mapping.path) if mapping else name
        return column, self._cells.get(line, {}).get(column, self._table.cell(line, column))
