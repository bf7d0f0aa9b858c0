"""How records are to be shown: for which directory, in which language."""

from dataclasses import dataclass

from fastapi import Request

from ...model import Invalid, Violation, did_you_mean
from ..access import Directory
from ..auth import Call
from ..store.mentions import Mentions
from ..store.versions import States

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
    states: States | None = None  # of the directory's collections, for a list; None for a single record
    locale: str | None = None  # a language other than the default
    include: str | None = None  # what to add: translations, as they are stored, or the visibility

    @property
    def alone(self) -> bool:
        """Whether it is for a single record."""
        return self.states is None


def plain(call: Call, states: States | None = None) -> View:
    """The view of a request that may not choose."""
    return View(call.access.directory, call.access.site, call.service.mentions, states)


def chosen(call: Call, states: States | None, *, include: str, localised: bool) -> View:
    """The view that `?locale`, where there are languages, and `?include` ask for; raises Invalid."""
    directory = call.access.directory
    locale = _locale(call.request, directory) if localised else None
    given = call.request.query_params.get("include") or None
    if given not in (None, *INCLUDES):
        message = f"include must be one of {', '.join(INCLUDES)}"
        raise Invalid([Violation("not-a-choice", ("include",), message, did_you_mean(given, INCLUDES))])
    # A client may ask every kind the same, so what this one has not is left out.
    return View(directory, call.access.site, call.service.mentions, states, locale, given if given == include else None)


def _locale(request: Request, directory: Directory) -> str | None:
    locale = request.query_params.get("locale")
    if locale is None or locale == directory.locales[0]:
        return None
    if locale not in directory.locales:
        known = ", ".join(directory.locales)
        message = f"locale is none of the directory's languages ({known})"
        raise Invalid([Violation("unknown-locale", ("locale",), message, did_you_mean(locale, directory.locales))])
    return locale
