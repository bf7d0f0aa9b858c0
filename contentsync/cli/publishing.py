"""Open the asset store of a folder, for the commands that need it."""

from pathlib import Path
from typing import TYPE_CHECKING

from ..content.config import Config
from ..content.load import Content

if TYPE_CHECKING:
    from ..publish.asset_store import AssetStore, KnownFiles
    from ..publish.publisher import Publisher


def open_publisher(content: Content) -> "Publisher | None":
    """Return the publisher of a folder's files; None without an asset store. Raise UsageError without obstore."""
    store = open_store(content.config, content.folder)
    base = content.config.picture_base
    if store is None or base is None:  # a config with a store has a base: reading it requires store_url
        return None
    from ..publish.publisher import Publisher

    return Publisher(store, known_files(store, content.folder), base, content.folder, content.published)


def open_store(config: Config, folder: Path) -> "AssetStore | None":
    """Return the asset store of a folder; None if the config names none. Raise UsageError without obstore."""
    if config.assets is None or config.assets.store is None:
        return None
    from ..publish.asset_store import AssetStore  # only folders with a store need the library

    return AssetStore(config.assets.store, folder)


def known_files(store: "AssetStore", folder: Path) -> "KnownFiles":
    """Return the files that a store is known to have."""
    from ..publish.asset_store import KnownFiles

    return KnownFiles(folder, store.identity)
