"""Choose the target of a command, and connect to it and to the asset store of the folder."""

import os
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING

from ..content.config.config import Config
from ..content.config.config_tables import SiteSettings, Target
from ..content.files.content_folder import make_private_root_of
from ..content.folder.load import Content
from ..content.pictures.published_names import texts_in
from ..errors import Denied, Refused, UsageError
from ..lazy_pattern import lazy_pattern
from ..model import did_you_mean
from ..model.urls import LOCAL_FILES, url_fault, url_origin
from ..remote.http_client import Service
from ..remote.pacing import Pacer, pacing_file
from ..remote.record_reader import KnownLists
from ..remote.remote import Remote
from ..remote.retry import NO_REPORTS, WaitReports

if TYPE_CHECKING:
    from ..exchange.publish.asset_store import AssetStore, KnownFiles
    from ..exchange.publish.publisher import Publisher
    from ..server.access import DirectorySettings
    from ..server.embedded import EmbeddedService

_DIRECTORY = lazy_pattern(r"[1-9][0-9]{0,8}\Z")
EMBEDDED_TARGET = Target.model_construct(name="local", url="embedded:.contentsync/site.db")
ENVIRONMENT = "environment"  # the name of the target that CONTENTSYNC_URL makes

# The name of an environment variable for a token; a token itself has other characters, or no such word.
_VARIABLE = lazy_pattern(r"(?=[A-Z0-9_]*(?:TOKEN|KEY|SECRET))[A-Z][A-Z0-9_]{2,63}\Z")


def choose_target(
    targets: Mapping[str, Target], default: str | None, name: str | None, environ: Mapping[str, str]
) -> Target:
    """Return the target that `--target`, the environment or the config names, else the embedded one.

    `name` is that of `--target`, and `default` that of the config; None: not set.

    `CONTENTSYNC_URL` replaces a missing target, or an embedded one that was not chosen by name, by a target that is
    called `environment`, also in a saved plan. Any other target must be at the server of this URL: else raise Refused,
    so that a pull request can neither send the token elsewhere nor skip the sync (docs/content.md). Raise UsageError
    for a name that the config does not have.
    """
    wanted = name or environ.get("CONTENTSYNC_TARGET")
    url = _environment_url(environ)
    if wanted == ENVIRONMENT and ENVIRONMENT not in targets:
        if not url:
            raise UsageError(
                f"there is no target '{ENVIRONMENT}'", "CONTENTSYNC_URL makes one of that name, and is not set"
            )
        wanted = None  # as without a name: the URL replaces the default target below, which must be embedded
    target = _find_target(targets, wanted or default)
    if url and target.is_embedded and not wanted:
        target = target.model_copy(update={"name": ENVIRONMENT, "url": url})
    elif url and url_origin(url) != url_origin(target.url):
        raise Refused(
            f"CONTENTSYNC_URL is {url}, but the target '{target.name}' is {target.url}",
            "the token belongs to one of the two servers: make them agree",
        )
    directory = environ.get("CONTENTSYNC_DIRECTORY")
    if directory and not target.is_embedded:
        if not _DIRECTORY.match(directory):
            raise UsageError("CONTENTSYNC_DIRECTORY must be the number of a directory")
        target = target.model_copy(update={"directory": int(directory)})
    return target


def _find_target(targets: Mapping[str, Target], name: str | None) -> Target:
    """Return the target with a name; without a name (None), the only one or the embedded one. Raise UsageError."""
    if name is not None:
        if name in targets:
            return targets[name]
        if not targets and name == EMBEDDED_TARGET.name:
            return EMBEDDED_TARGET
        known = ", ".join(targets) or f"none, so that there is only {EMBEDDED_TARGET.name}"
        hint = f"the config has {known}"
        raise UsageError(f"there is no target '{name}'", did_you_mean(name, targets) or hint)
    if not targets:
        return EMBEDDED_TARGET
    if len(targets) == 1:
        return next(iter(targets.values()))
    raise UsageError(
        "the config has several targets and no default_target", f"choose one with --target: {', '.join(targets)}"
    )


def _environment_url(environ: Mapping[str, str]) -> str | None:
    """Return the value of `CONTENTSYNC_URL`, None if it is not set. Raise UsageError if it is no URL."""
    url = environ.get("CONTENTSYNC_URL")
    fault = url_fault(url) if url else None
    if fault:  # the message omits the URL, because it may have a password
        raise UsageError(f"CONTENTSYNC_URL {fault}")
    return url


def target_address(target: Target) -> str:
    """Return the address of a target as messages show it."""
    return target.url if target.is_embedded else f"{target.url} directory {target.directory}"


def make_pacer(target: Target) -> Pacer | None:
    """Return the pacer of a target; None for an embedded target, or for a target without a directory."""
    if target.is_embedded or target.directory is None:
        return None
    return Pacer(target.requests_per_minute, pacing_file(target.url, target.directory))


@asynccontextmanager
async def connect(
    target: Target,
    content: Content,
    environ: Mapping[str, str] = os.environ,
    *,
    known: KnownLists | None = None,
    pacer: Pacer | None = None,
    reports: WaitReports = NO_REPORTS,
) -> AsyncIterator[Remote]:
    """Connect to the target's directory; for an embedded target, to a server in this process.

    An embedded directory is created on first use; it needs none of the options. `known` is passed to Remote, and
    `pacer` and `reports` to Service. Raise Denied if there is no token. Raise UsageError if the target has no
    directory.
    """
    if target.is_embedded:
        # Imported here, because commands with a remote target do not need the server.
        from ..content.links.former_addresses import merged_slugs
        from ..server.embedded import open_embedded

        path = content.folder / target.url.removeprefix("embedded:")
        make_private_root_of(path)
        embedded = open_embedded(path, **directory_settings(content.config.site))
        async with connect_embedded(embedded) as remote:
            yield remote
            embedded.redirect_merged([*merged_slugs(content.entries)])  # after a sync, which may delete the records
        return
    if target.directory is None:
        raise UsageError(
            f"the target '{target.name}' has no directory",
            "set its number in contentsync.toml or CONTENTSYNC_DIRECTORY",
        )
    token = environ.get(target.token_env)
    if not token:
        raise Denied(f"there is no token for {target.url}", _token_hint(target))
    async with Service(target.url, token.strip(), pacer=pacer, reports=reports) as service:
        if known is not None and known.cache is not None:
            make_private_root_of(known.cache)
        yield Remote(service, target.directory, known, social_names=target.social_card_names)


def _token_hint(target: Target) -> str:
    # A user may have written the token itself in place of the variable's name: such a text is not printed.
    if _VARIABLE.match(target.token_env):
        return f"set the environment variable {target.token_env}"
    return f"set the environment variable that token_env of '{target.name}' names"


@asynccontextmanager
async def connect_embedded(embedded: "EmbeddedService") -> AsyncIterator[Remote]:
    """Connect to the directory of a server in this process, and close the server at the end."""
    try:
        async with Service("http://embedded", application=embedded.app) as service:
            yield Remote(service, embedded.directory_id)
    finally:
        embedded.close()


def directory_settings(site: SiteSettings) -> "DirectorySettings":
    """Return the settings of an embedded directory, from the site's settings in the config."""
    return {
        "name": site.name,
        "description": site.description,
        "locales": site.locales,
        "timezone": site.timezone,
        "expired": site.expired,
        "organizers_enabled": site.organizers.enabled,
        "organizers_prefix": site.organizers.prefix,
        "organizers_label": site.organizers.label,
    }


def open_publisher(content: Content) -> "Publisher | None":
    """Return the publisher of a folder's files; None without an asset store. Raise UsageError without obstore."""
    store = open_store(content.config, content.folder)
    base = content.config.store_base
    if store is None or base is None:  # both are: a config that names a store must have the base of its addresses
        return None
    from ..exchange.publish.publisher import Publisher

    return Publisher(store, known_files(store, content.folder), base, content.folder, content.published)


def open_store(config: Config, folder: Path) -> "AssetStore | None":
    """Return the asset store of a folder; None if the config names none. Raise UsageError without obstore."""
    if config.assets is None or config.assets.store is None:
        return None
    from ..exchange.publish.asset_store import AssetStore  # only folders with a store need the library

    return AssetStore(config.assets.store, folder)


def known_files(store: "AssetStore", folder: Path) -> "KnownFiles":
    """Return the files that a store is known to have."""
    from ..exchange.publish.asset_store import KnownFiles

    return KnownFiles(folder, store.identity)


def has_local_files(content: Content) -> bool:
    """Return whether entries may name files that only the built-in server has."""
    addresses = content.config.file_addresses
    if content.config.assets is None or addresses.base != LOCAL_FILES:
        return False
    # With an address for the asset folder, only the other files are there.
    texts = chain.from_iterable(texts_in(entry.fields) for entry in content.entries)
    return addresses.asset_base is None or any(LOCAL_FILES in text for text in texts)
