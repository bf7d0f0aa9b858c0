"""The settings of one source: an address whose data `fetch` writes into a file of the folder."""

from typing import Annotated
from urllib.parse import urlsplit

from pydantic import AfterValidator

from ..model.field_types import Text, fault
from ..model.urls import is_loopback, url_fault
from .collection_settings import ConfigTable, check_relative_path

SOURCE_SUFFIXES = (".csv", ".tsv", ".json")


def source_url_fault(url: str) -> str | None:
    """Return why a source cannot be fetched from an address; None if it can."""
    if error := url_fault(url):
        return error
    parts = urlsplit(url)
    if parts.scheme == "https" or is_loopback(parts.hostname or ""):
        return None
    return "must begin with https://; http:// is only for this machine"


def _check_url(value: str) -> str:
    """Return the address. Raise a fault if data must not be fetched from it."""
    if error := source_url_fault(value):
        raise fault("bad-url", error)
    return value


def _check_file(value: str) -> str:
    """Return the path. Raise a fault if it cannot be a file for data in the content folder."""
    path = check_relative_path(value)
    if not path.lower().endswith(SOURCE_SUFFIXES) or any(part.startswith(".") for part in path.split("/")):
        raise fault("bad-path", f"must be a visible file that ends with {', '.join(SOURCE_SUFFIXES)}")
    return path


class SourceSettings(ConfigTable):
    """The address of a source, and the file of the folder that its data is written into."""

    url: Annotated[Text, AfterValidator(_check_url)]
    file: Annotated[Text, AfterValidator(_check_file)]
