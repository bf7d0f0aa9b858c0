"""The settings of `contentsync links`: what is checked, for how long, and where the results are remembered."""

from typing import Annotated

from pydantic import AfterValidator, BeforeValidator, Field

from ...model.directory_settings import as_tuple
from ...model.field_types import Integer, Text, fault
from .collection_settings import ConfigTable, check_relative_path

_SUFFIX = ".jsonl"


def _check_memory(value: str) -> str:
    """Return the path. Raise a fault if it cannot be that of the remembered results."""
    path = check_relative_path(value)
    if not path.endswith(_SUFFIX):
        raise fault("bad-path", f"must be a file that ends with {_SUFFIX}")
    return path


class LinkSettings(ConfigTable):
    """The settings of the check of external addresses."""

    memory: Annotated[Text, AfterValidator(_check_memory)] = "links.jsonl"
    exclude: Annotated[tuple[Text, ...], BeforeValidator(as_tuple)] = ()  # patterns of addresses
    timeout: Annotated[Integer, Field(ge=1, le=300)] = 20  # seconds, for a request
    minutes: Annotated[Integer, Field(ge=1, le=1440)] = 30  # for a run
