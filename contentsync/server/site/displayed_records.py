"""Listings, articles and organizers as pages and cards show them, with their custom fields (docs/contract.md 15)."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any
from urllib.parse import quote, urlsplit

import orjson

from ...model import WIRE_FORM, Definition, Invalid, Kind
from ...model.custom_field import check_value
from ...model.directory_settings import visibility
from ...model.markup import LinkBase, safe_url
from ..store import Row
from ..store.catalogue import NEVER_SHOWN, CatalogueRecord
from ..store.record_drafts import with_translation
from ..store.record_kinds import uploaded_image_urls
from . import page_paths
from .body_text import (
    article_excerpt,
    clean_html,
    content_excerpt,
    html_excerpt,
    markdown_excerpt,
    markdown_html,
    shorten,
)
from .page_request import PageRequest

MAX_LINKS = 10  # of a card to categories; the same number to tags

# Types of fields whose values are texts of several lines.
LONG = frozenset({"textarea", "markdown", "rich_editor"})

PLACEMENTS = ("after_tags", "after_categories", "before_content", "after_content")
CARD_PLACEMENTS = ("after_title", "before_categories", "after_categories", "before_buttons", "after_buttons")

# The texts in an article's `seo`; its other values are addresses.
_SEO_TEXTS = frozenset(
    {"title", "description", "keywords", "og_title", "og_description", "card_title", "card_description"}
)

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


@dataclass(frozen=True, slots=True)
class ListingCard:
    """The values of a listing's card in a list."""

    values: Mapping[str, Any]
    link: str
    name: str  # HTML, if words are highlighted in it; the same for `summary`
    summary: str
    is_expired: bool
    categories: list[CatalogueRecord]
    tags: list[CatalogueRecord]
    fields: DisplayedFields


@dataclass(frozen=True, slots=True)
class LocalizedRecord:
    """An article or organizer in the reader's language or, if it has no translation, in the default language."""

    slug: str
    values: dict[str, Any]
    seo: Mapping[str, Any]
    locale: str  # of the texts
    locales: tuple[str, ...]  # of all its texts, the default language first
    summary: str  # plain text on one line
    thumbnail: str  # the address of an article's image; may be empty
    card_fields: DisplayedFields
    created_at: str
    updated_at: str


def listing_card(request: PageRequest, row: Row, highlight: Callable[[str], str] = str) -> ListingCard:
    """Return the card of a listing's row, which must have slug, links and data, with name and summary highlighted."""
    values = orjson.loads(row.data)
    categories, tags = categories_and_tags(request, row)
    return ListingCard(
        values=values,
        link=request.site.link(page_paths.listing(row.slug)),
        name=highlight(values["name"]),
        summary=highlight(summary_of(values)),
        is_expired=is_expired(request, values),
        categories=categories[:MAX_LINKS],
        tags=tags[:MAX_LINKS],
        fields=_fields_of_card(Kind.LISTING, request, values),
    )


def categories_and_tags(request: PageRequest, row: Row) -> tuple[list[CatalogueRecord], list[CatalogueRecord]]:
    """Return the active categories and tags that a listing's row links to."""
    links, catalogue = orjson.loads(row.links), request.catalogue
    return (
        [catalogue.categories[id_] for id_ in links["categories"] if id_ in catalogue.categories],
        [catalogue.tags[id_] for id_ in links["tags"] if id_ in catalogue.tags],
    )


def is_expired(request: PageRequest, values: Mapping[str, Any]) -> bool:
    """Return whether a visible listing has ended."""
    return visibility(values, now=request.site.now, expired=request.site.directory.expired) == "expired"


def summary_of(values: Mapping[str, Any]) -> str:
    """Return the description of a listing or organizer, or the beginning of its body, as plain text on one line."""
    return shorten(values["description"] or "") or content_excerpt(values["content"])


def localized_record(kind: Kind, request: PageRequest, row: Row) -> LocalizedRecord:
    """Return the article or organizer of a whole row in the reader's language."""
    site, is_article = request.site, kind is Kind.ARTICLE
    seo = orjson.loads(row.seo) if is_article else {}
    translations = orjson.loads(row.translations)
    default, *others = site.directory.locales
    translation = translations.get(site.locale, {})
    if translation:  # SEO texts in the default language would replace the translated title and summary
        seo = {name: None if name in _SEO_TEXTS else value for name, value in seo.items()}
    values, seo = with_translation(kind, orjson.loads(row.data), seo, translation)
    if is_article:
        summary = seo["description"] or article_excerpt(values)
        thumbnail = site.link_base.with_mount(values["thumbnail_url"] or "")
    else:
        values = with_image_addresses(values, site.mount)
        summary = summary_of(values)
        thumbnail = ""
    return LocalizedRecord(
        slug=row.slug,
        values=values,
        seo=seo,
        locale=site.locale if site.locale in translations else default,
        locales=(default, *(locale for locale in others if locale in translations)),
        summary=summary,
        thumbnail=thumbnail,
        card_fields=_fields_of_card(kind, request, values),
        created_at=row.created_at,
        updated_at=row.updated_at,
    )


def with_image_addresses(values: Mapping[str, Any], base: str) -> dict[str, Any]:
    """Return an organizer's fields with the URLs of uploaded images; `base` is a mount or an absolute address."""
    return {**values, **uploaded_image_urls(dict(values), base)}


def _fields_of_card(kind: Kind, request: PageRequest, values: Mapping[str, Any]) -> DisplayedFields:
    """Return the fields with a value on a record's card, by placement."""
    base = request.site.link_base
    fields: dict[str, list[DisplayedField]] = {placement: [] for placement in CARD_PLACEMENTS}
    for definition, value in _filled_fields(request.catalogue.fields[kind], values):
        if definition["show_on_card"]:
            placement = definition["placement_on_card"] or "after_title"
            fields[placement].append(_displayed_field(definition, value, base, of_card=True))
    return fields


def fields_of_page(kind: Kind, request: PageRequest, values: Mapping[str, Any]) -> DisplayedFields:
    """Return the fields with a value on a record's page, by placement."""
    base = request.site.link_base
    fields: dict[str, list[DisplayedField]] = {placement: [] for placement in PLACEMENTS}
    for definition, value in _filled_fields(request.catalogue.fields[kind], values):
        placement = definition["placement"] or "after_content"
        fields[placement].append(_displayed_field(definition, value, base, of_card=False))
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
            yield definition, check_value(name, definition, value, context=WIRE_FORM)  # in which it is stored
        except Invalid:
            continue


def _displayed_field(definition: Definition, value: Any, base: LinkBase, *, of_card: bool) -> DisplayedField:
    """Return a field as a card shows it, or without `of_card`, as a page does; the value must be valid."""
    type_ = definition["type"]
    place = "_on_card" if of_card else ""  # in the names of the settings `show_label` and `show_icon`
    shown_value, url = _card_value(type_, value, base) if of_card else _page_value(type_, value, base)
    return DisplayedField(
        name=definition["name"],
        type=type_,
        label=definition["label"],
        label_is_shown=definition[f"show_label{place}"],
        icon=definition["icon"] if definition[f"show_icon{place}"] else None,
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
            url = safe_url(value) if "://" in value else base.with_mount(f"/storage/{quote(value)}")
            return value.rpartition("/")[2], url
    return value, None


def _readable_url(url: str) -> str:
    """Return a URL without scheme, query and www."""
    parts = urlsplit(url)
    return f"{parts.netloc.removeprefix('www.')}{parts.path.rstrip('/')}"
