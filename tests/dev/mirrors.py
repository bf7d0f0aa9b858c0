"""The mirror of a folder in its database, as `dev` makes it."""

from pathlib import Path

from contentsync.cli.target_connection import directory_settings
from contentsync.content.folder.unit_cache import InMemoryCache
from contentsync.dev.known_entries import KnownEntries
from contentsync.dev.mirror import Mirror
from contentsync.remote.remote import Remote
from contentsync.server.embedded import EmbeddedService
from contentsync.sync.state.state_dir import StateDir


def mirror_in(
    embedded: EmbeddedService, remote: Remote, folder: Path, state_dir: StateDir, known: KnownEntries | None = None
) -> Mirror:
    """Return a new mirror that has read nothing yet; the database is `known` to have these entries."""
    return Mirror(
        folder,
        remote,
        state_dir,
        InMemoryCache(),
        lambda site: embedded.update_settings(**directory_settings(site)),
        embedded.redirect_merged,
        known,
    )
