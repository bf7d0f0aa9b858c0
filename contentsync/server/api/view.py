"""How records are to be shown: for which directory, in which language."""

from dataclasses import dataclass

from fastapi import Request

from ...model import Invalid, Violation, did_you_mean
from ..access import Directory
from ..auth import Call


@dataclass(frozen=True, slots=True)
class View:
    """What a document needs to know besides its record."""

    directory: Directory
    site: str  # address of the public site
    locale: str | None = None  # a language other than the default
    translations: bool = False  # whether to add them as they are stored
    alone: bool = True  # a single record, not one of a list


def plain(call: Call, *, alone: bool = True) -> View:
    """The view of a request that may not choose."""
    return View(call.access.directory, call.access.site, alone=alone)


def chosen(call: Call, *, alone: bool = True) -> View:
    """The view that `?locale` and `?include=translations` ask for; raises Invalid."""
    directory = call.access.directory
    locale = _locale(call.request, directory)
    include = call.request.query_params.get("include")
    if include not in (None, "", "translations"):
        message = "include must be translations"
        raise Invalid([Violation("not-a-choice", ("include",), message, did_you_mean(include, ["translations"]))])
    return View(directory, call.access.site, locale, translations=include == "translations", alone=alone)


def _locale(request: Request, directory: Directory) -> str | None:
    locale = request.query_params.get("locale")
    if locale is None or locale == directory.locales[0]:
        return None
    if locale not in directory.locales:
        known = ", ".join(directory.locales)
        message = f"locale is none of the directory's languages ({known})"
        raise Invalid([Violation("unknown-locale", ("locale",), message, did_you_mean(locale, directory.locales))])
    return locale
