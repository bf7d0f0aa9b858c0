"""The values that a spreadsheet offers in a column."""

from collections.abc import Mapping, Sequence

from ..content.edit.field_values import definitions_of
from ..content.load import Content
from ..model import RECORDS, Kind

_FLAG = ("yes", "no")


def column_choices(content: Content) -> Mapping[str, Sequence[str]]:
    """Return the choices by column: yes and no, the options of custom fields, and the keys of categories and tags.

    A cell may also have another text, such as several tags.
    """
    rules = RECORDS[Kind.LISTING].rules()
    choices: dict[str, Sequence[str]] = {name: _FLAG for name, rule in rules.items() if isinstance(rule.default, bool)}
    for name, kind in RECORDS[Kind.LISTING].references.items():
        choices[name] = [entry.key for entry in content.entries if entry.kind is kind]
    for name, definition in definitions_of(content.entries)[Kind.LISTING].items():
        choices[name] = _FLAG if definition.get("type") == "checkbox" else definition.get("options") or ()
    return choices
