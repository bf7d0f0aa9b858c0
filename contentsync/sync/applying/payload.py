"""What is sent for a change."""

from collections.abc import Mapping
from typing import Any

from ...model import RECORDS, Entry, Kind
from ..change import Action, Change
from ..comparing.given import BODIES, is_given, is_unknown, value_at

_SHOWN = BODIES | {"is_markdown"}  # what an article shows, and so one thing


def payload(change: Change) -> dict[str, Any]:
    """The fields to send: all of a new entry; of a changed one whole top-level values and what the service wants.

    A title goes with the slug, or the service would make a new one (docs/contract.md 4.1.3, 4.2.3); an
    article's body goes with every update (4.2.4); of `translations` only the changed languages go. What was
    left as somebody changed it goes as it is there.
    """
    desired = change.entry
    if change.action is Action.CREATE:
        return {name: value for name, value in desired.fields.items() if name != "is_markdown"}
    names = {name.partition(".")[0] for name in change.fields}
    model = RECORDS[desired.kind]
    if model.title_field in names:
        names.add(model.key_field)
    if desired.kind is Kind.ARTICLE:
        names |= {"markdown", "content"}
    names.discard("is_markdown")
    fields = {name: value for name, value in desired.fields.items() if name in names}
    if isinstance(fields.get("translations"), Mapping):
        changed = {name.split(".")[1] for name in change.fields if name.startswith("translations.")}
        fields["translations"] = {
            locale: texts for locale, texts in fields["translations"].items() if locale in changed
        }
    for name, (_, after) in change.fields.items():
        if not is_given(desired, name) and name != "is_markdown":
            fields = _with(fields, name.split("."), after)
    for name in change.kept:
        if not change.actual or is_unknown(change.actual, name):
            continue
        if is_given(desired, name) and name.partition(".")[0] in fields:
            fields = _with(fields, name.split("."), value_at(change.actual.fields, name))
    if desired.kind is Kind.ARTICLE and change.actual and not _SHOWN.isdisjoint(change.kept):
        fields = {name: value for name, value in fields.items() if name not in BODIES} | _body(change.actual)
    return fields


def shown_afterwards(change: Change) -> dict[str, Any]:
    """Return the fields of a second write, which an undo needs for some articles.

    Of two texts the service shows the Markdown where it is given both, and the one that it is given last. A new
    article that is given no date gets one; its text goes with every update (docs/contract.md 4.2.4).
    """
    if change.kind is not Kind.ARTICLE:
        return {}
    fields = change.entry.fields
    shows_html = fields.get("is_markdown") is False or not fields.get("markdown")
    text = "content" if shows_html else "markdown"
    gets_date = (
        change.action is Action.CREATE and change.entry.source is None and fields.get("published_at", "") is None
    )
    if gets_date:
        return {text: fields.get(text), "published_at": None}
    return {text: fields[text]} if shows_html and fields.get("markdown") and fields.get("content") else {}


def detour(change: Change) -> dict[str, Any]:
    """The fields of the temporary name: an article's text goes with them too, as it is there."""
    fields: dict[str, Any] = dict(change.detour)
    if change.kind is Kind.ARTICLE and change.actual is not None:
        fields |= _body(change.actual)
    return fields


def _body(article: Entry) -> dict[str, Any]:
    """The text that an article shows."""
    text = "markdown" if article.fields.get("is_markdown") else "content"
    return {text: article.fields.get(text)}


def _with(fields: Mapping[str, Any], path: list[str], value: Any) -> dict[str, Any]:
    """The fields with a value put in at a path, the given ones left as they are."""
    first, rest = path[0], path[1:]
    if not rest:
        return {**fields, first: value}
    inner = fields.get(first)
    return {**fields, first: _with(inner if isinstance(inner, Mapping) else {}, rest, value)}
