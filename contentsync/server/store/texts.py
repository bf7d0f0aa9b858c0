"""Texts that are changed key by key: SEO, and the languages of a record."""

from collections.abc import Mapping
from typing import Any

from ...model import RECORDS, Kind, Part
from ...model.kinds import ArticleSeo, PageSeo

SEO: Mapping[Kind, type[Part]] = {Kind.PAGE: PageSeo, Kind.ARTICLE: ArticleSeo}

Texts = dict[str, Any]


def merge_seo(kind: Kind, stored: Texts | None, given: Texts | None) -> Texts:
    """Every key of the kind's SEO object: given over stored; a given null clears them all."""
    blank: Texts = dict.fromkeys(SEO[kind].rules())
    return {**blank, **(stored or {}), **(blank if given is None else given)}


def merge_translations(stored: Mapping[str, Texts], given: Mapping[str, Texts | None]) -> dict[str, Texts]:
    """Given texts over stored ones by language; null removes a text, or a whole language (docs/contract.md 17)."""
    merged = dict(stored)
    for locale, texts in given.items():
        merged[locale] = {} if texts is None else _over(merged.get(locale, {}), texts)
    return {locale: texts for locale, texts in merged.items() if texts}


def localised(kind: Kind, values: Texts, seo: Texts | None, texts: Texts) -> tuple[Texts, Texts | None]:
    """A record's fields and SEO with the texts of one language over those of the default one."""
    fields = {name: text for name, text in texts.items() if name in RECORDS[kind].translated and name != "seo"}
    if kind is Kind.ARTICLE and {"markdown", "content"} & fields.keys():
        fields["is_markdown"] = bool(fields.get("markdown"))
    return {**values, **fields}, None if seo is None else {**seo, **texts.get("seo", {})}


def _over(stored: Texts, given: Texts) -> Texts:
    merged = dict(stored)
    for name, text in given.items():
        merged[name] = _over(merged.get(name, {}), text) if isinstance(text, dict) else text
    return {name: text for name, text in merged.items() if text not in (None, {})}
