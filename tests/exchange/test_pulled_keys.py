"""Pulled values are written with the keys that the folder has after the pull."""

from contentsync.authoring.edit.file_edits import RemoteChanges
from contentsync.exchange.entry_writer import after_renames, in_pulled_keys
from contentsync.model import Entry, Kind

from ..sync.entries import actual

OLD = (Kind.TAG, "old")
LISTING = (Kind.LISTING, "a")
RENAMED = actual(Kind.TAG, "new", 1, slug="new", title="T")


def changes(*, is_pulled: bool, new: list[Entry] | None = None) -> RemoteChanges:
    """Return a tag that has another slug on the server, which the pull takes or not, and a listing with it."""
    tag = {OLD: {"slug": "new"} if is_pulled else {"title": "T"}}
    records = {OLD: RENAMED, LISTING: actual(*LISTING, 2, slug="a", tags=["new"])}
    return RemoteChanges({**tag, LISTING: {"tags": ["old"]}}, new or [], records, [*records.values()])


def test_pulled_values_use_the_pulled_key() -> None:
    assert in_pulled_keys(changes(is_pulled=True)).changes[LISTING] == {"tags": ["new"]}


def test_pulled_new_entries_use_the_key_that_the_folder_keeps() -> None:
    new = actual(Kind.LISTING, "b", 3, slug="b", tags=["new"])
    unchanged = in_pulled_keys(changes(is_pulled=False, new=[new]))
    assert (unchanged.changes[LISTING], unchanged.new[0].fields["tags"]) == ({"tags": ["old"]}, ["old"])
    assert in_pulled_keys(changes(is_pulled=True, new=[new])).new == [new]


def test_later_changes_find_entries_under_their_new_keys() -> None:
    first = changes(is_pulled=True)
    later = after_renames(first, first.renamed)
    assert later.changes == {(Kind.TAG, "new"): {"slug": "new"}, LISTING: {"tags": ["new"]}}
    assert later.server_entries[Kind.TAG, "new"] is RENAMED
