"""Custom fields as pages show them (docs/contract.md 15)."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any
from urllib.parse import quote, urlsplit

from markupsafe import Markup

from ...model import WIRE, Definition, Invalid
from ...model.custom_field import check_value
from .markup import Root, clean_html, markdown_html, safe_url
from .text import html_excerpt, markdown_excerpt, shortened

# Their values are code of whoever wrote them, which would run on the reader's side (docs/faults.md XS-12).
NEVER_SHOWN = frozenset({"html", "javascript"})

PLACES = ("after_tags", "after_categories", "before_content", "after_content")
CARD_PLACES = ("after_title", "before_categories", "after_categories", "before_buttons", "after_buttons")

Fields = Mapping[str, Sequence["Field"]]  # by place


@dataclass(frozen=True, slots=True)
class Field:
    """A value with its label; `type` is the field's, and the template of the type knows what `value` is."""

    name: str
    type: str
    label: str
    label_is_shown: bool  # or it is for screen readers only
    icon: str | None
    value: Any
    prefix: str
    suffix: str
    url: str | None = None  # where a link leads


def fields_of_page(definitions: Sequence[Definition], values: Mapping[str, Any], root: Root) -> Fields:
    """What a record's own page shows at each of the `PLACES`."""
    shown: dict[str, list[Field]] = {place: [] for place in PLACES}
    for definition, value in _filled(definitions, values):
        place = definition["placement"] or "after_content"
        shown[place].append(_field(definition, value, root, of_card=False))
    return shown


def fields_of_card(definitions: Sequence[Definition], values: Mapping[str, Any], root: Root) -> Fields:
    """What a record's card shows at each of the `CARD_PLACES`."""
    shown: dict[str, list[Field]] = {place: [] for place in CARD_PLACES}
    for definition, value in _filled(definitions, values):
        if definition["show_on_card"]:
            place = definition["placement_on_card"] or "after_title"
            shown[place].append(_field(definition, value, root, of_card=True))
    return shown


def _filled(definitions: Sequence[Definition], values: Mapping[str, Any]) -> Iterator[tuple[Definition, Any]]:
    """Values that fit their fields: one that was written before its field was changed may be of another type."""
    for definition in definitions:
        name, value = definition["name"], values.get(definition["name"])
        if definition["type"] in NEVER_SHOWN or value in (None, "", []):
            continue
        try:
            yield definition, check_value(name, definition, value, WIRE)
        except Invalid:
            continue


def _field(definition: Definition, value: Any, root: Root, *, of_card: bool) -> Field:
    type_, on_card = definition["type"], "_on_card" if of_card else ""
    shown, url = _shown_on_card(type_, value, root) if of_card else _shown(type_, value, root)
    return Field(
        name=definition["name"],
        type=type_,
        label=definition["label"],
        label_is_shown=definition[f"show_label{on_card}"],
        icon=definition["icon"] if definition[f"show_icon{on_card}"] else None,
        value=shown,
        prefix=definition["value_prefix"] or "",
        suffix=definition["value_suffix"] or "",
        url=url,
    )


def _shown_on_card(type_: str, value: Any, root: Root) -> tuple[Any, str | None]:
    """The same, in which texts are as short as a card."""
    match type_:
        case "markdown":
            return markdown_excerpt(value), None
        case "rich_editor":
            return html_excerpt(value), None
        case "text" | "textarea":
            return shortened(value), None
    return _shown(type_, value, root)


def _shown(type_: str, value: Any, root: Root) -> tuple[Any, str | None]:
    """The value as its template wants it, and where it leads."""
    match type_:
        case "markdown":
            return markdown_html(value, root=root, anchors=False), None
        case "rich_editor":
            return clean_html(value, root=root, anchors=False), None
        case "url" | "button":
            return _readable(value), safe_url(value)
        case "email":
            return value, safe_url(f"mailto:{value}")
        case "file_upload":
            url = safe_url(value) if "://" in value else root.image(f"/storage/{quote(value)}")
            return value.rpartition("/")[2], url
    return value, None


def _readable(url: str) -> str | Markup:
    """A URL as people write it."""
    parts = urlsplit(url)
    path = parts.path.rstrip("/")
    return f"{parts.netloc.removeprefix('www.')}{path}"
