"""Checks of single values in contentsync.toml."""

import re
from zoneinfo import ZoneInfo, available_timezones

from ..model import did_you_mean
from ..model.field_types import fault

_VARIABLE = re.compile(r"[A-Za-z_][A-Za-z0-9_]*\Z")


def check_timezone(value: str) -> str:
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


def check_variable_name(value: str) -> str:
    """Return the name of an environment variable; raise a fault for a text that cannot be one."""
    if not _VARIABLE.match(value):  # not repeated in the message: it may be the token itself
        hint = "set that variable to the token, and keep the token out of this file"
        raise fault("bad-variable", "must be the name of an environment variable, such as CONTENTSYNC_TOKEN", hint=hint)
    return value
