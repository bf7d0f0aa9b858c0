"""The names of fields, and the conditions of `--where` and `--missing`, for `list` and `set`."""

from collections.abc import Iterable, Sequence
from functools import cache

from ..content.config.config import Config
from ..content.entry.entry_references import NameIndex
from ..model import Entry, Kind
from ..model.conditions import Condition, missing_condition, parse_conditions
from ..model.custom_field import definitions_of
from ..model.named_fields import FieldNames, NamedField


def field_names(
    config: Config, kind: Kind, all_entries: Sequence[Entry], others: Iterable[NamedField] = ()
) -> FieldNames:
    """Return the names of a kind's fields; `all_entries` have its custom fields, and `others` are more names."""
    site = config.site
    return FieldNames(kind, definitions_of(all_entries).get(kind), site.locales[1:], site.zone, others)


def selecting_conditions(
    names: FieldNames, all_entries: Sequence[Entry], where: Iterable[str] | None, missing: Iterable[str] | None
) -> Sequence[Condition]:
    """Return the conditions of `--where`, in their order, and then those of `--missing`. All of them must hold.

    `all_entries` have the titles that conditions may name. Raise UsageError for the first wrong one.
    """
    indexes = cache(lambda kind: NameIndex.of(kind, all_entries, path=""))
    lacking = (missing_condition(names.find(name, "--missing: ")) for name in missing or ())
    return [*parse_conditions(where or (), names, lambda kind, name: indexes(kind).find(name)), *lacking]
