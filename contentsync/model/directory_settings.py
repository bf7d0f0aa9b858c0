"""Rules of the settings that a directory has in contentsync.toml and on the server (docs/content.md 10).

One of them decides how visitors see a listing after its end.
"""

from collections.abc import Mapping
from typing import Annotated, Any, Literal
from zoneinfo import ZoneInfo, available_timezones

from pydantic import AfterValidator, BeforeValidator

from ..lazy_pattern import lazy_pattern
from .field_types import Text, Text255, fault
from .suggestion import did_you_mean

_LOCALE = lazy_pattern(r"[a-z]{2,3}(?:-[A-Za-z0-9]{2,8})*\Z")
_PREFIX = lazy_pattern(r"(?:/[a-z0-9-]+)+\Z")
_MAX_LOCALES_LENGTH = 255  # characters of all codes, with commas between them


def as_tuple(value: Any) -> Any:
    """Return a list or tuple as a tuple. Raise the fault `not-a-list` for any other value."""
    if not isinstance(value, list | tuple):
        raise fault("not-a-list", "must be a list")
    return tuple(value)


def _check_locales(value: tuple[str, ...]) -> tuple[str, ...]:
    """Return the languages. Raise a fault for an empty list, a repeated or wrong code, or too many of them."""
    if not value or len(set(value)) < len(value):
        raise fault("bad-locales", "must list at least one language, and each language only once")
    for locale in value:
        if not _LOCALE.match(locale):
            raise fault("bad-locales", f"must contain language codes such as en or pt-BR, not '{locale}'")
    if len(",".join(value)) > _MAX_LOCALES_LENGTH:
        raise fault("bad-locales", f"must have at most {_MAX_LOCALES_LENGTH} characters in all")
    return value


def _check_prefix(value: str) -> str:
    """Return the path. Raise a fault if it has other characters than those of slugs and slashes."""
    if not _PREFIX.match(value):
        raise fault("bad-path", "must be a path of lower-case letters, digits and hyphens, such as /organizers")
    return value


def _check_timezone(value: str) -> str:
    """Return the name of a time zone; raise a fault if there is no such time zone."""
    if value == "UTC":  # needs no time zone database
        return value
    try:
        ZoneInfo(value)
    except (KeyError, ValueError, OSError, RecursionError) as error:  # RecursionError: a name of many dots
        zones = available_timezones()
        if not zones:
            message = "cannot be checked: neither this system nor the Python package tzdata has a list of time zones"
            raise fault("no-tzdata", message, hint="run pip install tzdata") from error
        hint = did_you_mean(value, zones)
        raise fault("unknown-timezone", f"must be a time zone like Europe/Paris, not '{value}'", hint=hint) from error
    return value


Locales = Annotated[tuple[Text, ...], AfterValidator(_check_locales), BeforeValidator(as_tuple)]
PathPrefix = Annotated[Text255, AfterValidator(_check_prefix)]
TimeZone = Annotated[Text, AfterValidator(_check_timezone)]
Expired = Literal["badge", "hide"]  # how the site shows expired listings
Visibility = Literal["visible", "hidden", "expired"]


def visibility(listing: Mapping[str, Any], *, now: str, expired: str) -> Visibility:
    """Return how visitors see a listing at the time `now`, in wire form; "expired" means visible with a badge.

    The listing is visible from `starts_at` to `ends_at`, both included. After `ends_at`, the directory's setting
    `expired` applies: "badge" or "hide".
    """
    starts, ends = listing["starts_at"], listing["ends_at"]
    if not listing["is_active"] or (starts and now < starts):
        return "hidden"
    if ends and now > ends:
        return "expired" if expired == "badge" else "hidden"
    return "visible"
