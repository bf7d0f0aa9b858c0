"""Recognise the keys by which other generators hide an entry, such as `status: draft`, so that it is not published."""

import unicodedata
from collections.abc import Callable
from datetime import UTC, datetime
from typing import Any

from ...model import Kind
from ...model.scalar import parse_flag, parse_instant

# All keys are as `normalized_key` returns them.
STATE_KEYS = frozenset(["status", "state", "visibility", "poststatus", "publishstatus", "publicationstatus"])
_TRUE_HIDES = frozenset(["draft", "isdraft", "hidden", "unpublished"])
# Of articles and pages. In lists, these keys are data.
_TRUE_HIDES_DOCUMENTS = frozenset(["private", "isprivate", "wip", "archived", "headless", "unlisted"])
# `publish` is a key of Obsidian Publish, and `dg-publish` of its Digital Garden.
_SHOWING_KEYS = (  # in the languages of `_HIDDEN_STATES`
    "published ispublished publish dgpublish active isactive enabled visible aktiv sichtbar veröffentlicht "
    "actif publié activo publicado attivo pubblicato visibile ativo visível"
)
_FALSE_HIDES = frozenset(_SHOWING_KEYS.split())
_NO = frozenset(["nein", "falsch", "non", "faux", "falso", "não"])
_ADDRESS = "permalink"  # in Eleventy, an entry with `permalink: false` has no page
_PAST_HIDES = frozenset(["expirydate", "expires", "expiresat", "unpublishdate"])
_FUTURE_HIDES = frozenset(["publishdate", "pubdate", "publishat", "publishedon"])
_BUILD = "build"  # in Hugo, an object
HIDING_KEYS = (
    STATE_KEYS
    | _TRUE_HIDES
    | _TRUE_HIDES_DOCUMENTS
    | _FALSE_HIDES
    | _PAST_HIDES
    | _FUTURE_HIDES
    | frozenset({_ADDRESS, _BUILD})
)
_FIRST_AND_LAST_MOMENT = (datetime.min.replace(tzinfo=UTC), datetime.max.replace(tzinfo=UTC))

_HIDDEN_STATES = (  # in English, German, French, Spanish, Italian and Portuguese
    "draft drafts private hidden unpublished unlisted inactive pending trash trashed deleted disabled archived "
    "scheduled future wip entwurf privat versteckt archiviert geplant brouillon privé archivé borrador privado oculto "
    "archivado bozza privato nascosto archiviato rascunho arquivado"
)
_HIDDEN = frozenset(_HIDDEN_STATES.split())

HidesEntry = Callable[[Any], bool]


def normalized_key(key: str) -> str:
    """Return a key without case, spaces and punctuation: the same for `Web site`, `web_site` and `website`."""
    text = unicodedata.normalize("NFKC", key).casefold()
    return "".join(character for character in text if character.isalnum())


def may_hide(kind: Kind, key: str, value: Any) -> bool:
    """Return whether a value of a key hides an entry now, or at another time if it is a date."""
    checks = (hiding_check(kind, key, moment) for moment in _FIRST_AND_LAST_MOMENT)
    return any(check(value) for check in checks if check)


def hiding_check(kind: Kind, key: str, now: datetime) -> HidesEntry | None:
    """Return the function that says whether a value of a key hides an entry; None if no value does."""
    key = normalized_key(key)
    if key in STATE_KEYS:
        return lambda value: _word(value) in _HIDDEN
    if key in _TRUE_HIDES or (key in _TRUE_HIDES_DOCUMENTS and kind in (Kind.ARTICLE, Kind.PAGE)):
        return lambda value: parse_flag(_word(value)) is not False  # also for a text such as `checked`
    if key in _FALSE_HIDES or key == _ADDRESS:
        return lambda value: parse_flag(_word(value)) is False or _word(value) in _NO
    if key in _PAST_HIDES:
        return lambda value: (moment := _moment(value)) is not None and moment <= now
    if key in _FUTURE_HIDES:
        return lambda value: (moment := _moment(value)) is not None and moment > now
    if key == _BUILD:
        return lambda value: (
            isinstance(value, dict)
            and any(_word(value.get(name, "")) in ("never", "false") for name in ("render", "list"))
        )
    return None


def _word(value: Any) -> str:
    return str(value).strip().casefold()


def _moment(value: Any) -> datetime | None:
    try:
        return parse_instant(str(value), UTC)
    except ValueError:
        return None
