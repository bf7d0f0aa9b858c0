"""Custom fields as pages and cards show them (docs/contract.md 15)."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any
from urllib.parse import quote, urlsplit

from ...model import WIRE, Definition, Invalid
from ...model.custom_field import check_value
from .markup import LinkBase, clean_html, markdown_html, safe_url
from .markup.body_text import html_excerpt, markdown_excerpt, shorten

# Types of fields whose values are code that would run in the reader's browser (docs/faults.md XS-12).
NEVER_SHOWN = frozenset({"html", "javascript"})

# Types of fields whose values are texts of several lines.
LONG = frozenset({"textarea", "markdown", "rich_editor"})

PLACEMENTS = ("after_tags", "after_categories", "before_content", "after_content")
CARD_PLACEMENTS = ("after_title", "before_categories", "after_categories", "before_buttons", "after_buttons")

DisplayedFields = Mapping[str, Sequence["DisplayedField"]]  # by placement


@dataclass(frozen=True, slots=True)
class DisplayedField:
    """A value with its label. The template of each `type` determines the type of `value`."""

    name: str
    type: str
    label: str
    label_is_shown: bool  # False: the label is for screen readers only
    icon: str | None
    value: Any
    prefix: str
    suffix: str
    url: str | None = None  # of a value that is a link


def fields_of_page(definitions: Sequence[Definition], values: Mapping[str, Any], base: LinkBase) -> DisplayedFields:
    """Return the fields with a value on a record's page, by placement."""
    fields: dict[str, list[DisplayedField]] = {placement: [] for placement in PLACEMENTS}
    for definition, value in _filled_fields(definitions, values):
        placement = definition["placement"] or "after_content"
        fields[placement].append(_displayed_field(definition, value, base, of_card=False))
    return fields


def fields_of_card(definitions: Sequence[Definition], values: Mapping[str, Any], base: LinkBase) -> DisplayedFields:
    """Return the fields with a value on a record's card, by placement."""
    fields: dict[str, list[DisplayedField]] = {placement: [] for placement in CARD_PLACEMENTS}
    for definition, value in _filled_fields(definitions, values):
        if definition["show_on_card"]:
            placement = definition["placement_on_card"] or "after_title"
            fields[placement].append(_displayed_field(definition, value, base, of_card=True))
    return fields


def fact_box_fields(fields: DisplayedFields) -> list[DisplayedField]:
    """Return the short fields around the content, which a page shows in its fact box, after the contact details."""
    around = (*fields["before_content"], *fields["after_content"])
    return [field for field in around if field.type not in LONG]


def long_fields(fields: DisplayedFields) -> DisplayedFields:
    """Return the long fields around the content, by placement."""
    return {placement: [field for field in shown if field.type in LONG] for placement, shown in fields.items()}


def _filled_fields(definitions: Sequence[Definition], values: Mapping[str, Any]) -> Iterator[tuple[Definition, Any]]:
    """Yield the fields that have a valid value, with the value. A value may not fit if the field's type has changed."""
    for definition in definitions:
        name, value = definition["name"], values.get(definition["name"])
        if definition["type"] in NEVER_SHOWN or value in (None, "", []):
            continue
        try:
            yield definition, check_value(name, definition, value, WIRE)
        except Invalid:
            continue


def _displayed_field(definition: Definition, value: Any, base: LinkBase, *, of_card: bool) -> DisplayedField:
    """Return a field with its checked value as the page, or with `of_card` the card, shows it."""
    type_ = definition["type"]
    suffix = "_on_card" if of_card else ""  # of the settings `show_label` and `show_icon`
    shown_value, url = _card_value(type_, value, base) if of_card else _page_value(type_, value, base)
    return DisplayedField(
        name=definition["name"],
        type=type_,
        label=definition["label"],
        label_is_shown=definition[f"show_label{suffix}"],
        icon=definition["icon"] if definition[f"show_icon{suffix}"] else None,
        value=shown_value,
        prefix=definition["value_prefix"] or "",
        suffix=definition["value_suffix"] or "",
        url=url,
    )


def _card_value(type_: str, value: Any, base: LinkBase) -> tuple[Any, str | None]:
    """Return the value and the URL on a card: like `_page_value`, but with shortened texts."""
    match type_:
        case "markdown":
            return markdown_excerpt(value), None
        case "rich_editor":
            return html_excerpt(value), None
        case "text" | "textarea":
            return shorten(value), None
    return _page_value(type_, value, base)


def _page_value(type_: str, value: Any, base: LinkBase) -> tuple[Any, str | None]:
    """Return the value that the template shows, and the URL of a value that is a link (else None)."""
    match type_:
        case "markdown":
            return markdown_html(value, base=base, anchors=False), None
        case "rich_editor":
            return clean_html(value, base=base, anchors=False), None
        case "url" | "button":
            return _readable_url(value), safe_url(value)
        case "email":
            return value, safe_url(f"mailto:{value}")
        case "file_upload":  # the value is a URL, or the path of an uploaded file
            url = safe_url(value) if "://" in value else base.image(f"/storage/{quote(value)}")
            return value.rpartition("/")[2], url
    return value, None


def _readable_url(url: str) -> str:
    """Return a URL without scheme, query and www."""
    parts = urlsplit(url)
    return f"{parts.netloc.removeprefix('www.')}{parts.path.rstrip('/')}"
