"""Plan new URLs of many listings at once, as `links --fix` writes them: the folder is read once for all of them."""

from collections.abc import Mapping, Sequence
from functools import partial
from typing import NamedTuple

from ...content.files.source_file import ContentRoot, FolderView
from ...content.folder.confirmation import IndexDiffers, confirm_files
from ...content.folder.load import Content
from ...errors import ContentError, ContentsyncError, Refused
from ...model import EntryKey
from ..edit.field_edits import refuse_errors
from ..edit.file_edits import FileEdit
from ..edit.folder_index import FolderIndex
from ..edit.new_names import NewNames, refers_to
from ..edit.row_values import entry_reader_of
from .folder_state import FolderState, refuse_changes
from .reference_rewriting import RenameChanges, change_file
from .rename_plan import MayBeSynced, with_notes
from .renaming import Renaming, find_new_urls


class NewUrls(NamedTuple):
    """The edits that give listings other URLs, and why the others keep their own."""

    edits: Sequence[FileEdit]
    refused: Mapping[EntryKey, ContentsyncError]


def plan_new_urls(content: Content, urls: Mapping[EntryKey, str], may_be_synced: MayBeSynced) -> NewUrls:
    """Return the edits that give listings of a folder other URLs, as `plan_rename` does for each. Writes nothing.

    All are tried together; if that is refused, halves are tried. `content` has the entries that break house rules, and
    no other errors. Raise IndexDiffers as `plan_rename` does.
    """
    present = FolderState.of(content)
    files = FolderIndex(content.folder, content.config, content.rewritten_links, content.published)
    renamings, refused = find_new_urls(files, content.entries, urls)
    accepted: list[Renaming] = []
    edits: Sequence[FileEdit] = ()
    untried = [[*with_notes(renamings, content, may_be_synced)]] if renamings else []
    while untried:
        part = untried.pop()
        try:
            edits = _checked_edits(files, present, [*accepted, *part])
        except IndexDiffers:
            raise
        except (Refused, ContentError) as error:
            middle = len(part) // 2
            if middle:
                untried += [part[middle:], part[:middle]]
            else:
                refused[part[0].identity] = error
        else:
            accepted += part
    return NewUrls(edits, refused)


def _checked_edits(files: FolderIndex, present: FolderState, renamings: Sequence[Renaming]) -> list[FileEdit]:
    """Return the edits of files, whose result was read. Raise ContentError and Refused.

    No link changes: the address of a listing's page has its slug, which stays.
    """
    changes: dict[str, RenameChanges] = {}
    names = NewNames({renaming.identity: renaming.key for renaming in renamings})
    renaming_of = {renaming.identity: renaming for renaming in renamings}
    for entry in present.content.entries:
        renaming, refers = renaming_of.get((entry.kind, entry.key)), refers_to(entry, names.entries)
        if entry.source and (renaming or refers):
            path = entry.source.path
            of_file = changes.setdefault(path, RenameChanges(files.files[path], names))
            of_file.has_references |= refers
            of_file.entries += [renaming] if renaming else []
    edits: list[FileEdit] = []
    reader = entry_reader_of(present.content)
    with ContentRoot(files.folder) as root:
        for path, of_file in sorted(changes.items()):
            read_drafts = partial(reader.read_unvalidated, of_file.file, root)
            after = change_file(files, of_file, read_drafts, new_target=str, new_date=None).after
            edits.append(FileEdit(path, of_file.file.location, files.read_bytes(path), after))
    confirm_files(present.content, changes)
    view = FolderView(files.folder, {edit.location: edit.after for edit in edits})
    after_edits = FolderState.read(view, present.content.index)
    refuse_errors(after_edits.errors)
    refuse_changes(present, after_edits, *renamings)
    return edits
