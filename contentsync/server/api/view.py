"""How records are to be shown: for which directory, in which language."""

from collections.abc import Mapping
from dataclasses import dataclass

from fastapi import Request

from ...model import Invalid, Kind, Violation, did_you_mean
from ..access import Directory
from ..auth import Call
from ..store.mentions import Mentions
from ..store.versions import Collection

# What `?include` may ask for.
TRANSLATIONS = "translations"
VISIBILITY = "visibility_now"
INCLUDES = (TRANSLATIONS, VISIBILITY)


@dataclass(frozen=True, slots=True)
class View:
    """What a document needs to know besides its record."""

    directory: Directory
    site: str  # address of the public site
    mentions: Mentions  # of other records in this one
    locale: str | None = None  # a language other than the default
    include: str | None = None  # what to add: translations, as they are stored, or the visibility
    alone: bool = True  # a single record, not one of a list
    states: Mapping[Kind, Collection] | None = None  # of the directory's collections, where they were read already


def plain(call: Call, *, alone: bool = True) -> View:
    """The view of a request that may not choose."""
    return View(call.access.directory, call.access.site, call.service.mentions, alone=alone)


def chosen(call: Call, *, include: str, localised: bool, alone: bool = True) -> View:
    """The view that `?locale`, where there are languages, and `?include` ask for; raises Invalid."""
    directory = call.access.directory
    locale = _locale(call.request, directory) if localised else None
    given = call.request.query_params.get("include") or None
    if given not in (None, *INCLUDES):
        message = f"include must be one of {', '.join(INCLUDES)}"
        raise Invalid([Violation("not-a-choice", ("include",), message, did_you_mean(given, INCLUDES))])
    # A client may ask every kind the same, so what this one has not is left out.
    return View(directory, call.access.site, call.service.mentions, locale, given if given == include else None, alone)


def _locale(request: Request, directory: Directory) -> str | None:
    locale = request.query_params.get("locale")
    if locale is None or locale == directory.locales[0]:
        return None
    if locale not in directory.locales:
        known = ", ".join(directory.locales)
        message = f"locale is none of the directory's languages ({known})"
        raise Invalid([Violation("unknown-locale", ("locale",), message, did_you_mean(locale, directory.locales))])
    return locale
