"""Records on their way into their tables, and what became of them."""

from dataclasses import dataclass
from typing import Any

from sqlalchemy import Row

from ...model import Values


@dataclass(frozen=True, slots=True)
class Written:
    """What became of a create."""

    id: int
    created: bool  # False: there was one already
    row: Row[Any] | None = None  # as it is stored, where that is known


@dataclass(frozen=True, slots=True)
class Draft:
    """A record on its way into its table."""

    given: Values  # what the body names, judged by the model
    whole: Values  # every field: given over stored, or over the defaults
    before: Values  # the stored fields; empty on a create
    row: Row[Any] | None = None  # the stored row; None on a create
