"""Rewrite links, references and the key of a renamed entry in a file, and change nothing else of it."""

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Any

from ...content.entry.key_mapping import mapping_for, mapping_in
from ...content.entry.title_heading import heading_of
from ...content.files.file_names import DOCUMENT_SUFFIXES
from ...content.files.file_text import line_starts, position_at
from ...content.folder.scan import ContentFile
from ...content.formats.draft import Body, Draft, FieldPath, bodies, is_html_field, value_at
from ...content.formats.front_matter import read_document
from ...content.formats.table_rows import TABLE_SUFFIXES
from ...content.links.body_links import BodyLink, all_links
from ...content.links.parsed_body import ParsedBody
from ...errors import Refused
from ...model import RECORDS, PlainScalar
from ...model.markdown_budget import TooIntricate
from ..edit.document_edits import DocumentEdit, DocumentFile
from ..edit.folder_index import FolderIndex
from ..edit.list_file import ListFile
from ..edit.new_names import NewNames, bytes_with_new_texts, name_splices, reference_cells
from ..edit.table_file import TableFile
from ..edit.text_editor import SourceText, Splice
from .renaming import Renaming

NewTarget = Callable[[str], str]  # returns the new target of a link in one file; the same if it does not change


@dataclass(slots=True)
class RenameChanges:
    """What may change in one file: links, references to the renamed entry, and renamed entries themselves."""

    file: ContentFile
    names: NewNames  # of all renamed entries, also those of other files
    has_links: bool = False
    has_references: bool = False
    entries: list[Renaming] = field(default_factory=list)  # several only of a table or a list
    new_date: str | None = None  # the `published_at` to write into a document; None if it keeps its own


@dataclass(frozen=True, slots=True)
class ChangedFile:
    """The bytes of a file after its changes."""

    after: bytes
    links: int  # the number of links that were rewritten
    references: int


def change_file(
    index: FolderIndex,
    changes: RenameChanges,
    read_drafts: Callable[[], Iterable[Draft]],
    new_target: NewTarget,
) -> ChangedFile:
    """Return the changed file. `read_drafts` reads its entries as written.

    Raises UnreadableFile, and Refused if a change would be read back as another one.
    """
    file = changes.file
    before = index.read_bytes(file.path)
    if file.suffix in TABLE_SUFFIXES:
        return _TableEdit(index, changes, new_target).changed(before, read_drafts())
    source = SourceText(before)
    links: set[Splice] = set()
    references: set[Splice] = set()
    texts: set[tuple[str, str]] = set()  # each with the old and the new one
    if changes.has_links:
        for splices, old, new in _changed_bodies(source.text, read_drafts(), new_target):
            links.update(splices)
            texts.update([(old, new), *_below_heading(index, file, source.text, old, new)])
    if changes.has_references:
        for splice, old, new in name_splices(source.text, file.path, read_drafts(), changes.names):
            references.add(splice)
            texts.add((old, new))
    after = bytes_with_new_texts(source, file, links | references, texts) if texts else before
    if changes.has_references and changes.names.once:
        after = _without_repeated(index, file, after, changes.names)
    if changes.entries:
        after = _with_keys(index, changes, before, after)
    return ChangedFile(after, len(links), len(references))


def changed_links(text: str, new_target: NewTarget, *, html: bool) -> list[tuple[BodyLink, str]]:
    """Return the links of a text whose targets change, in order, with the new targets.

    Return [] for a text that is too complex to parse. A link without a certain offset is left out.
    """
    try:
        links = sorted(all_links(ParsedBody(text), html=html), key=lambda link: link.offset)
    except TooIntricate:
        return []
    by_offset = {link.offset: link for link in links if link.has_certain_offset}  # several links have one definition
    changed = ((link, new_target(link.target)) for link in by_offset.values())
    return [(link, _in_line(text, link, new)) for link, new in changed if new != link.target]


def _in_line(text: str, link: BodyLink, new: str) -> str:
    """Return the new target of a link for the line in which it is: in a row of a table, `|` is written `\\|`."""
    before = text[text.rfind("\n", 0, link.offset) + 1 : link.offset]
    behind, _, _ = text[link.offset + len(link.target) :].partition("\n")
    is_row = link.target.startswith("[[") and "|" not in link.target and "|" in before + behind
    return new.replace("|", "\\|") if is_row else new


def _with_new_targets(text: str, changed: Sequence[tuple[BodyLink, str]]) -> str:
    """Return a text with the new targets of the links in it, which are in order."""
    for link, new in reversed(changed):  # so that the offsets before them stay right
        text = f"{text[: link.offset]}{new}{text[link.offset + len(link.target) :]}"
    return text


def _changed_bodies(
    text: str, drafts: Iterable[Draft], new_target: NewTarget
) -> Iterator[tuple[list[Splice], str, str]]:
    """Yield the splices of each body with links that change, its present text and its new one.

    Leave out links that the file has in another form, such as with escaped characters.
    """
    starts = line_starts(text)
    for draft in drafts:
        for body in bodies(draft):
            before = body.values[body.field]
            splices: list[Splice] = []
            changed: list[tuple[BodyLink, str]] = []
            for link, new in changed_links(before, new_target, html=is_html_field(draft.kind, body.field)):
                offset = _offset_in_file(text, starts, draft, body, link)
                if offset >= 0:
                    splices.append(Splice(offset, offset + len(link.target), new))
                    changed.append((link, new))
            if changed:
                yield splices, before, _with_new_targets(before, changed)


def _below_heading(index: FolderIndex, file: ContentFile, text: str, old: str, new: str) -> Iterator[tuple[str, str]]:
    """Yield the present body and the new one below the heading that is the title of a document, if it has one."""
    if file.suffix in DOCUMENT_SUFFIXES:
        body = read_document(text, file.kind, file.path).body
        if heading := heading_of(index.config.content[file.kind], file.path, body):
            yield heading.edited(text=old), heading.edited(text=new)


def _offset_in_file(text: str, starts: Sequence[int], draft: Draft, body: Body, link: BodyLink) -> int:
    """Return the offset in the file of the target of a link in a body; a negative number if it is not found."""
    body_text = body.values[body.field]
    where = draft.where_in(body.name, position_at(body_text, link.offset))
    offset = starts[where.line - 1] + where.column - 1
    if draft.has_columns(body.name) and text.startswith(link.target, offset):
        return offset
    # As in a text in quotes: skip as many equal texts as the body has before the link.
    field = draft.where(body.name)
    end = starts[field.line - 1] + field.column - 1
    for _ in range(body_text.count(link.target, 0, link.offset) + 1):
        offset = text.find(link.target, end)
        if offset < 0:
            break
        end = offset + len(link.target)
    return offset


def _without_repeated(index: FolderIndex, file: ContentFile, data: bytes, names: NewNames) -> bytes:
    """Return a document or a list in which a merged entry and the one that is left are one item of each list."""
    settings = index.config.content[file.kind]
    inherited = getattr(settings, "inherit", {})  # such a list is read as if it had each entry once
    references = {name: kind for name, kind in RECORDS[file.kind].references.items() if name not in inherited}

    def changed_lists(values: Mapping[str, Any]) -> dict[FieldPath, Any]:
        changes: dict[FieldPath, Any] = {}
        for name, kind in references.items():
            mapping = mapping_in(settings, (name,), values)
            items = value_at(values, mapping.path) if mapping else None
            if mapping and isinstance(items, list) and (remaining := names.without_repeated(kind, items)) != items:
                changes[mapping.path] = remaining
        return changes

    if file.suffix in DOCUMENT_SUFFIXES:
        document = DocumentFile(data, file.kind, file.path)
        changes = changed_lists(document.values)
        return (document.edited_bytes(changes) or b"") if changes else data
    items = ListFile(data, file.kind, file.path, settings.item_path)
    for number in range(len(items)):
        if changes := changed_lists(items.values(number)):
            items.edit(number, changes)
    return items.edited_bytes()


def _with_keys(index: FolderIndex, changes: RenameChanges, before: bytes, after: bytes) -> bytes:
    """Return the file with the new values of the renamed entries (`_new_entry_fields`), only one of a document.

    `before` is the present file, in which entries are found by their locations. `after` has the other changes already.
    """
    file = changes.file
    if file.suffix in DOCUMENT_SUFFIXES:
        (renaming,) = changes.entries
        edit = DocumentEdit(index, file.kind, file.path, after)
        for path, value in _new_entry_fields(renaming, changes.new_date).items():
            edit.set_field(path, value)
        if not edit.has_changes:
            return after
        (file_edit,) = edit.edits()
        return file_edit.after or b""
    settings = index.config.content[file.kind]
    old_items = ListFile(before, file.kind, file.path, settings.item_path)
    items = ListFile(after, file.kind, file.path, settings.item_path)
    for renaming in changes.entries:
        assert renaming.entry.source, "an entry of the folder"  # noqa: S101
        number = old_items.number(renaming.entry.source, any_field=RECORDS[file.kind].title_field)
        new_values: dict[FieldPath, Any] = {}
        for path, value in _new_entry_fields(renaming).items():
            mapping = mapping_in(settings, path, items.values(number))
            if mapping:
                new_values[mapping.path] = value
        items.edit(number, new_values)
    return items.edited_bytes()


def _new_entry_fields(renaming: Renaming, date: str | None = None) -> dict[FieldPath, Any]:
    """Return the new values of the renamed entry, by path. `date` is the new `published_at`; None if it stays."""
    fields: dict[FieldPath, Any] = {}
    if renaming.written is not None:
        fields[(renaming.key_field,)] = renaming.written
    if date is not None:
        fields[("published_at",)] = PlainScalar(date)
    if renaming.previous != renaming.entry.notes.previous:
        fields[("sync", "previous")] = [*renaming.previous]
    if renaming.merged != renaming.entry.notes.merged:  # an entry that was merged into it had the new key
        fields[("sync", "merged")] = [*renaming.merged]
    return fields


class _TableEdit:
    """The changes of a table. No column is added."""

    def __init__(self, index: FolderIndex, changes: RenameChanges, new_target: NewTarget) -> None:
        self._changes = changes
        self._new_target = new_target
        self._settings = index.config.content[changes.file.kind]
        self._format = self._settings.table_format(changes.file.path)
        self._cells: dict[int, dict[str, str]] = defaultdict(dict)  # changed ones: by first line and column

    def changed(self, before: bytes, drafts: Iterable[Draft]) -> ChangedFile:
        """Return the table whose bytes are `before`, with the changes. Raise Refused or UnreadableFile."""
        changes = self._changes
        links = references = 0
        self._table = TableFile(before, changes.file.kind, changes.file.path, self._format)
        # The methods for each change set the new texts in `self._cells`.
        if changes.has_links or changes.has_references:
            for draft in drafts:
                links += self._change_links(draft) if changes.has_links else 0
                references += self._change_references(draft) if changes.has_references else 0
        for renamed in changes.entries:
            self._change_key(renamed)
        return ChangedFile(self._table.edited_bytes(self._cells), links, references)

    def _change_links(self, draft: Draft) -> int:
        """Change the links in the texts of an entry, and return their number."""
        count = 0
        for body in bodies(draft):
            column = self._column(body.name)
            cell = self._cell(draft.line, column)
            changed = changed_links(cell, self._new_target, html=is_html_field(draft.kind, body.field))
            if changed:
                self._cells[draft.line][column] = _with_new_targets(cell, changed)
                count += len(changed)
        return count

    def _change_references(self, draft: Draft) -> int:
        """Change the references of an entry, and return the number of cells that have one."""
        cell = partial(self._cell, draft.line)
        cells = reference_cells(self._table, self._settings, draft, self._changes.names, cell)
        self._cells[draft.line] |= cells
        return len(cells)

    def _change_key(self, renaming: Renaming) -> None:
        """Change the cells of a renamed entry, in columns that exist. Raise Refused if there is none for its key."""
        path = self._changes.file.path
        line = renaming.entry.source.line if renaming.entry.source else 0
        for field_path, value in _new_entry_fields(renaming).items():
            column = self._column(".".join(field_path))
            if column not in self._table.columns:
                if field_path == (renaming.key_field,):
                    raise Refused(f"{path} has no column {column}", "add the column, or change the title of the entry")
                continue
            text = self._format.list_separator.join(value) if isinstance(value, list) else value
            self._cells[line][column] = text

    def _column(self, name: str) -> str:
        mapping = mapping_for(self._settings, tuple(name.split(".")), self._table.has)
        return ".".join(mapping.path) if mapping else name

    def _cell(self, line: int, column: str) -> str:
        """Return the text of a cell in the row that begins on a line, with the changes so far."""
        return self._cells[line].get(column, self._table.cell(line, column))
