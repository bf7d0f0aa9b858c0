"""What the rules must know besides the value: the directory, and who wrote the value."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import UTC, tzinfo
from typing import Any

from pydantic import ValidationInfo

from .kind import Kind

Definition = Mapping[str, Any]  # a custom field's values, as `check` returned them


@dataclass(frozen=True, slots=True)
class Context:
    """The settings of a directory, and whether the value comes from a file (`authored`) or over the wire.

    In files every scalar is text as written, references are names, and an empty key clears; over the wire
    JSON types and ids are exact and `null` is refused where a field has no null (docs/contract.md 10).
    """

    authored: bool = False
    locales: tuple[str, ...] = ("en",)  # the first is the default
    timezone: tzinfo = UTC  # of dates and times that name none
    custom_fields: Mapping[Kind, Mapping[str, Definition]] = field(default_factory=dict)  # by fieldable type, name
    told: int | None = None  # how many broken rules are told at most, and then that there are more; None: all


WIRE = Context()


def context_of(info: ValidationInfo) -> Context:
    """The context of a running validation; the wire's when none was given."""
    context = info.context  # asked for once, as it comes from pydantic's own side
    return context if isinstance(context, Context) else WIRE
