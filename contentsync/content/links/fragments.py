"""Check the fragments of links: `#prices` names an id of the text that the page shows (docs/content.md 6)."""

import re
from collections.abc import Collection, Iterable, Mapping
from urllib.parse import unquote

from ...errors import Fix
from ...lazy_pattern import lazy_pattern
from ...model import Kind, nearest
from ...model.markdown_budget import TooIntricate
from ...model.slug import normal_name
from ...model.suggestion import certain_word, did_you_mean_text
from ..files.file_text import position_at
from ..formats.draft import BODY_FIELDS, Body, Draft
from .body_links import LinkFault, all_links
from .link_forms import unescaped
from .parsed_body import ParsedBody

# The text before a fragment of the same page, in Markdown and in a tag. One of them matches before every such link, and
# may match where there is none.
_BEFORE_FRAGMENT = lazy_pattern(r"\][(:][ \t\n]*+<?+#")
_BEFORE_FRAGMENT_IN_TAG = lazy_pattern(r"href\s*+=\s*+[\"']?+\s*+#", re.IGNORECASE)
LEAST = 5  # characters of a slug or an id that a link certainly means, if it is misspelt
_MAX_HINTS = 20  # suggestions of similar ids for a text, because each compares all ids


def names_part(target: str, ids: Collection[str]) -> bool:
    """Return whether a browser finds the fragment of a target among the ids of a page; True without a fragment."""
    fragment = _fragment(target)
    return fragment.lower() in ("", "top") or fragment in ids or unquote(fragment) in ids


def similar_form(target: str) -> str:
    """Return the form of a target's fragment in which similar ids are equal, such as those of other generators."""
    return normal_name(unquote(_fragment(target)))


def ids_by_form(ids: frozenset[str]) -> Mapping[str, str]:
    """Return the ids that a hint may name, by the form of `similar_form`."""
    from ...model.markup.body_ids import current_ids

    return {normal_name(each): each for each in sorted(current_ids(ids), reverse=True)}


def missing_part(reason: str, target: str, form: str | None, forms: Mapping[str, str]) -> LinkFault:
    """Return the fault of a target whose fragment is no id; `form` is the one of `ids_by_form` to suggest."""
    if form is None:
        return LinkFault(reason, "correct the fragment, or add the heading")
    is_certain = form in (similar_form(target), certain_word(similar_form(target), forms, LEAST))
    meant = f"{target.partition('#')[0]}#{forms[form]}" if is_certain else ""
    return LinkFault(reason, did_you_mean_text(f"#{forms[form]}"), meant)


def _may_lead_to_part(text: str) -> bool:
    """Return whether a text may have a link to a part of itself. This must be fast: most texts have a `#`."""
    if "#" not in text:
        return False
    return bool(_BEFORE_FRAGMENT.search(text) or ("<" in text and _BEFORE_FRAGMENT_IN_TAG.search(text)))


def shown_ids(draft: Draft, locale: str = "") -> frozenset[str]:
    """Return the ids on the page of an entry in a language; "" is the default language, and that of missing texts."""
    text = translated_text(draft, locale) or draft.values.get(_shown_field(draft))
    return _ids(draft.kind, _shown_field(draft), text if isinstance(text, str) else "")


def translated_text(draft: Draft, locale: str) -> str:
    """Return the text that the page of an entry shows in a language; "" if it shows that of the default language."""
    translations = draft.values.get("translations")
    translation = translations.get(locale) if locale and isinstance(translations, dict) else None
    text = translation.get(_shown_field(draft)) if isinstance(translation, dict) else None
    return text if isinstance(text, str) else ""


def warn_of_broken_fragments(draft: Draft, bodies: Iterable[tuple[Body, ParsedBody]]) -> None:
    """Warn of links to a part of the same text (`#prices`) that it does not have; call it before links are rewritten.

    A text that is too complex to parse has none: the site shows it as it is written.
    """
    for (name, _values, field), body in bodies:
        text = body.text
        if not _may_lead_to_part(text):  # most texts
            continue
        try:
            links = [*all_links(body, html=not _is_markdown(draft.kind, field, text))]
        except TooIntricate:
            continue
        ids = _ids(draft.kind, field, text)
        broken = [link for link in links if link.target.startswith("#") and not names_part(link.target, ids)]
        forms = ids_by_form(ids) if broken else {}
        for number, link in enumerate(broken):
            form = similar_form(link.target)
            similar = form if form in forms else nearest(form, forms) if number < _MAX_HINTS else None
            fault = missing_part("leads to a part that this text does not have", link.target, similar, forms)
            where = draft.where_in(name, position_at(text, link.offset))
            fix = Fix(where, link.target, fault.meant) if fault.meant else None
            draft.warn("broken-fragment", f"the link to '{link.target}' {fault.reason}", where, fault.hint, fix=fix)


def _fragment(target: str) -> str:
    """Return the fragment of a target, without the directive by which a browser finds a text (`#a:~:text=b`)."""
    return unescaped(target).partition("#")[2].partition(":~:")[0]


def _shown_field(draft: Draft) -> str:
    """Return the field whose text the page of an entry shows."""
    if draft.kind is not Kind.ARTICLE:
        return next((field for field in BODY_FIELDS if field in draft.values), "content")
    chosen = draft.values.get("is_markdown")
    is_markdown = chosen if isinstance(chosen, bool) else bool(draft.values.get("markdown"))
    return "markdown" if is_markdown else "content"


def _is_markdown(kind: Kind, field: str, text: str) -> bool:
    """Return whether the site reads a body as Markdown: by the field, or by the text where it may be either."""
    from ...model.markup.body_ids import is_markdown

    if kind in (Kind.ARTICLE, Kind.PAGE):
        return field == "markdown"
    return is_markdown(text)


def _ids(kind: Kind, field: str, text: str) -> frozenset[str]:
    from ...model.markup.body_ids import body_ids  # imports much, and few folders need it

    return body_ids(text, markdown=_is_markdown(kind, field, text))
