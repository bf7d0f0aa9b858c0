"""What an author would have written to say what the server has."""

from collections.abc import Collection, Iterator, Mapping
from typing import Any

from ...model import FIELDABLE, INSTANTS, RECORDS, Definition, Entry, Kind, Plain
from ..config import Config
from .bodies import is_html

Definitions = Mapping[Kind, Mapping[str, Definition]]  # custom fields by the kind that has them, and name


def definitions_of(*entries: Collection[Entry]) -> Definitions:
    """The custom fields among entries; of two with one name the first."""
    found: dict[Kind, dict[str, Definition]] = {kind: {} for kind in FIELDABLE}
    for entry in (entry for some in entries for entry in some):
        if entry.kind is Kind.CUSTOM_FIELD:
            kind = Kind(entry.fields.get("fieldable_type", Kind.LISTING))
            found[kind].setdefault(entry.key, entry.fields)
    return found


def written(name: str, value: Any) -> Any:
    """The value of a field (the last part of its dotted name) as it stands in a file."""
    if name in INSTANTS and isinstance(value, str):
        return Plain(value.replace(".000000Z", "Z"))
    return value


def new_values(entry: Entry, config: Config, definitions: Definitions) -> dict[str, Any]:
    """The fields of a new entry in the model's order; what is null, empty or the default is left out.

    Of an article's two texts there is the one that the service shows: the other would change which.
    """
    rules = RECORDS[entry.kind].rules()
    values = {name: value for name, value in _given(entry, rules, config) if value not in (None, "", [], {})}
    values |= {
        name: entry.fields[name]
        for name in definitions.get(entry.kind, ())
        if entry.fields.get(name) not in (None, "", [], {})
    }
    if entry.kind is Kind.ARTICLE and values.keys() >= {"markdown", "content"}:
        hidden = next(name for name in ("markdown", "content") if is_html(entry.kind, name) == shows_markdown(entry))
        del values[hidden]
    return values


def shows_markdown(entry: Entry) -> bool:
    """Whether the service shows an article's Markdown; else it shows the HTML."""
    told = entry.fields.get("is_markdown")
    return told if isinstance(told, bool) else bool(entry.fields.get("markdown"))


def _given(entry: Entry, rules: Mapping[str, Any], config: Config) -> Iterator[tuple[str, Any]]:
    for name, rule in rules.items():
        value = entry.fields.get(name)
        if name == "translations":
            locales = config.site.locales[1:]
            there = value if isinstance(value, Mapping) else {}
            yield name, {locale: texts for locale in locales if (texts := _without_nulls(there.get(locale)))}
        elif name == "seo":
            yield name, _without_nulls(value)
        elif rule.default is None or value != rule.default or type(value) is not type(rule.default):
            yield name, written(name, value)


def _without_nulls(value: Any) -> dict[str, Any]:
    if not isinstance(value, Mapping):
        return {}
    nested = {name: _without_nulls(inner) if name == "seo" else inner for name, inner in value.items()}
    return {name: inner for name, inner in nested.items() if inner not in (None, "", {}, [])}
