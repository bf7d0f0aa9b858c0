"""The text fields of an entry that may hold links: relative ones are told, or rewritten to the asset address."""

from typing import Any

from ..errors import Where
from ..model import Kind
from .draft import Draft, mark_at
from .links import Link, offset_of, rebased, relative_links

_BODIES = ("markdown", "content")


def check_bodies(draft: Draft, asset_base_url: str | None) -> None:
    """Look at every body of the entry, translated ones included."""
    _check(draft, draft.values, "", asset_base_url)
    translations = draft.values.get("translations")
    if isinstance(translations, dict):
        for locale, texts in translations.items():
            if isinstance(texts, dict):
                _check(draft, texts, f"translations.{locale}.", asset_base_url)


def _check(draft: Draft, values: dict[str, Any], prefix: str, base: str | None) -> None:
    for name in _BODIES:
        body = values.get(name)
        if not isinstance(body, str):
            continue
        html = draft.kind is Kind.ARTICLE and name == "content"
        links = relative_links(body, html=html)
        if not links:
            continue
        left = links
        if base:
            path = draft.where(prefix + name).path
            values[name], left = rebased(body, links, path, base, html=html)
        for link in left:
            _tell(draft, prefix + name, body, link, base)


def _tell(draft: Draft, name: str, body: str, link: Link, base: str | None) -> None:
    hint = "give its full address" if base else "give its full address, or set asset_base_url in contentsync.toml"
    message = f"the link to '{link.target}' is relative: the service takes no files"
    draft.warn("relative-link", message, _where(draft, name, body, link), hint)


def _where(draft: Draft, name: str, body: str, link: Link) -> Where:
    """The line of the link where the body stands as it is in the file; else of the field."""
    field = draft.where(name)
    if name not in draft.bodies:
        return field
    line, column = mark_at(body, offset_of(body, link))
    return Where(field.path, field.line + line - 1, column)
