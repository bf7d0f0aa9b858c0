"""The text fields of an entry that may hold links: those that stay on the site are noted, to be followed later."""

import re
from bisect import bisect_right
from typing import Any

from ...model import Kind
from ...model.markdown_budget import StepBudget, TooIntricate
from ..draft import Draft
from .assets import rebased
from .links import Link, links_in, may_hold_relative_links
from .targets import no_path

_BODIES = ("markdown", "content")


def check_bodies(draft: Draft, asset_base_url: str | None, allowance: StepBudget) -> None:
    """Put the links of every body, translated ones included, into `draft.links`; with an asset address, rewrite them.

    Only paths are rewritten: no templates, no e-mail addresses, no hosts. The allowance is that of the file.
    """
    _check(draft, draft.values, "", asset_base_url, allowance)
    translations = draft.values.get("translations")
    if translations and isinstance(translations, dict):
        for locale, texts in translations.items():
            if isinstance(texts, dict):
                _check(draft, texts, f"translations.{locale}.", asset_base_url, allowance)


def _check(draft: Draft, values: dict[str, Any], prefix: str, base: str | None, allowance: StepBudget) -> None:
    for name in _BODIES:
        body = values.get(name)
        if not isinstance(body, str) or not ("[" in body or "<" in body):  # which costs nothing, and spares most
            continue
        html = name == "content" and draft.kind is Kind.ARTICLE
        rewritten: set[str] = set()
        try:
            links = links_in(body, html=html, allowance=allowance)
            paths = [link for link in links if link.is_relative and not no_path(link.target)] if base else []
            if base and paths:
                path = draft.where(prefix + name).path
                values[name], rewritten = rebased(body, paths, path, base, html=html, allowance=allowance)
        except TooIntricate:
            _tell_unchecked(draft, prefix + name, is_unwritten=bool(base) and may_hold_relative_links(body))
        else:
            _note(draft, prefix + name, body, links, rewritten)


def _tell_unchecked(draft: Draft, name: str, *, is_unwritten: bool) -> None:
    where, told = draft.where(name), f"{name} is too complex to parse"
    hint = "remove long rows of brackets or quote marks, or split the text"
    if is_unwritten:
        message = f"{told}, so its relative links cannot be rewritten to asset_base_url"
        draft.error("links-unwritten", message, where, f"write full addresses, {hint}")
    else:
        draft.warn("links-unchecked", f"{name} is too complex to parse, so its links are not checked", where, hint)


def _note(draft: Draft, name: str, body: str, links: list[Link], rewritten: set[str]) -> None:
    starts = [0, *(line.end() for line in re.finditer(r"\n", body))]
    for link in links:
        line = bisect_right(starts, link.offset)
        where = draft.where_in(name, (line, link.offset - starts[line - 1] + 1))
        draft.links.append((link.target, where.path, where.line, where.column, link.target in rewritten))
