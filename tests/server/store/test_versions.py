"""Timestamps, and the versions of collections."""

from contentsync.model import Kind
from contentsync.server.store import Connection, versions
from contentsync.server.store.versions import CollectionState, later_timestamp, now

from .conftest import Owned


def listings(connection: Connection, directory_id: int) -> CollectionState:
    return versions.collection_states(connection, directory_id)[Kind.LISTING]


def test_a_new_directory_has_a_version_for_every_collection(owned: Owned) -> None:
    found = owned.database.run_read(versions.collection_states, owned.access.directory.id)
    assert found == dict.fromkeys(Kind, CollectionState(0, 0, 0))


def test_versions_increase_with_every_quick_change(owned: Owned) -> None:
    def many(connection: Connection) -> list[int]:
        found = []
        for _ in range(200):
            versions.bump_version(connection, owned.access.directory.id, Kind.LISTING)
            found.append(listings(connection, owned.access.directory.id).version)
        return found

    found = owned.database.run_write(many)
    assert found == sorted(set(found))


def test_only_a_delete_sets_the_deletion_version(owned: Owned) -> None:
    def change(connection: Connection, added: int) -> CollectionState:
        versions.bump_version(connection, owned.access.directory.id, Kind.LISTING, added=added)
        return listings(connection, owned.access.directory.id)

    grown, changed, shrunk = (owned.database.run_write(change, added) for added in (3, 0, -1))
    assert [state.total for state in (grown, changed, shrunk)] == [3, 3, 2]
    assert (grown.deleted_at_version, changed.deleted_at_version, shrunk.deleted_at_version) == (0, 0, shrunk.version)


def test_a_change_does_not_affect_other_collections(owned: Owned) -> None:
    owned.database.run_write(versions.bump_version, owned.access.directory.id, Kind.PAGE, added=1)
    assert owned.database.run_read(listings, owned.access.directory.id) == CollectionState(0, 0, 0)


def test_a_later_timestamp_is_the_current_time() -> None:
    before = now()
    assert before <= later_timestamp("2020-01-01T00:00:00.000000Z") <= now()


def test_a_later_timestamp_increases_even_if_the_clock_was_set_back() -> None:
    """TM-05."""
    assert later_timestamp("2999-12-31T23:59:59.999999Z") == "3000-01-01T00:00:00.000000Z"
