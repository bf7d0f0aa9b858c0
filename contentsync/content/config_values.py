"""Checks of single values in contentsync.toml."""

import re
from collections.abc import Iterable, Iterator
from pathlib import Path

from ..model import Violation
from ..model.field_types import fault
from ..model.urls import url_fault
from .collection_settings import check_relative_path

_VARIABLE = re.compile(r"[A-Za-z_][A-Za-z0-9_]*\Z")
_BUCKET = re.compile(r"(?:s3|gs|az)://[a-z0-9][a-z0-9._-]{1,220}(?:/(?!\.{1,2}(?:/|\Z))[A-Za-z0-9._~-]+)*/?\Z")


def check_target_url(value: str) -> str:
    """Return the address of a server, or `embedded:` and a path. Raise a fault for any other value."""
    if value.startswith("embedded:"):
        if value == "embedded:":
            raise fault("bad-url", "must name the database file, such as embedded:.contentsync/site.db")
        check_relative_path(value.removeprefix("embedded:"))  # raises a fault; the path stays as written
    elif url_error := url_fault(value):
        raise fault("bad-url", url_error)
    return value


def check_variable_name(value: str) -> str:
    """Return the name of an environment variable; raise a fault for a text that cannot be one."""
    if not _VARIABLE.match(value):  # not repeated in the message: it may be the token itself
        hint = "set that variable to the token, and keep the token out of this file"
        raise fault("bad-variable", "must be the name of an environment variable, such as CONTENTSYNC_TOKEN", hint=hint)
    return value


def check_store(value: str) -> str:
    """Return the address of an asset store; raise a fault for one that is neither a bucket nor a folder."""
    if "://" in value and not _BUCKET.match(value):  # not repeated in the message: it may have a password
        hint = "such as s3://my-bucket/pictures; the credentials come from the environment"
        message = "must be a folder, or begin with s3://, gs:// or az:// and the name of a bucket"
        raise fault("bad-store", message, hint=hint)
    return value


def is_bucket(store: str) -> bool:
    """Return whether an asset store is in a service, and not a folder."""
    return "://" in store


def store_violations(
    store: str | None, store_url: str | None, folder: Path, reported: Iterable[Violation]
) -> Iterator[Violation]:
    """Yield what is wrong with both settings of an asset store together; nothing if one of them is `reported`."""
    reported_settings = {violation.loc[:2] for violation in reported}
    if reported_settings & {("assets", "store"), ("assets", "store_url")}:
        return
    if store and not store_url:
        message = "the asset store needs the public address of its files"
        yield Violation("no-asset-address", ("assets", "store"), message, "set store_url under [assets]")
    elif store_url and not store:
        message = "assets.store_url is the address of a store, but there is none"
        yield Violation("bad-store", ("assets", "store_url"), message, "set store under [assets]")
    if store and not is_bucket(store) and (folder / store).resolve().is_relative_to(folder.resolve()):
        message = "assets.store must be outside of the content folder, where its files would be content"
        yield Violation("bad-store", ("assets", "store"), message, "write a path such as ../published")
