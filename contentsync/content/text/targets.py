"""Relative targets of links that are no paths to files: templates, e-mail addresses, and hosts without a scheme."""

import re
from typing import NamedTuple

from ...model.field_types import EMAIL

_TEMPLATE = re.compile(r"\{\{|\{%")  # of Liquid, Hugo, Nunjucks and Handlebars
_HOST = re.compile(r"(?:[a-z0-9](?:[a-z0-9-]*[a-z0-9])?\.)+([a-z]{2,})(/|\Z)", re.IGNORECASE)
_DOMAIN = re.compile(
    "com|org|net|edu|gov|info|biz|io|dev|app|eu"
    "|at|au|be|br|ca|ch|cn|co|cz|de|dk|es|fi|fr|gr|hu|ie|it|jp|kr|nl|no|nz|pt|ru|se|uk|us"
)
_SUFFIX = re.compile("cs|gz|js|md|pl|ps|py|rb|rs|sh|ts")  # of files, though countries have some of them
_FILE = re.compile(r"@[0-9.]+x\.[a-z]+\Z|\.(?:avif|gif|jpe?g|pdf|png|svg|webp)\Z", re.IGNORECASE)


class NoPath(NamedTuple):
    """Why a target is no path, as what follows it in a sentence, and what to write."""

    reason: str
    hint: str


def template_in(target: str) -> NoPath | None:
    """That the target holds template syntax."""
    if _TEMPLATE.search(target) is None:
        return None
    return NoPath("contains template syntax, which the site does not process", "write the full address")


def no_path(target: str) -> NoPath | None:
    """Why a relative target is no path to a file; None where it may be one."""
    if template := template_in(target):
        return template
    place = target.partition("#")[0].partition("?")[0]
    if EMAIL.match(place) and "/" not in place and not _FILE.search(place):
        return NoPath("is an e-mail address without mailto:", f"did you mean 'mailto:{target}'?")
    host = _HOST.match(place)
    if host and _is_host(host[0].rstrip("/"), host[1].lower(), bool(host[2])):
        return NoPath("is an address without https://", f"did you mean 'https://{target}'?")
    return None


def _is_host(name: str, domain: str, is_above: bool) -> bool:
    if name.lower().startswith("www.") and name.count(".") > 1:
        return True
    if _DOMAIN.fullmatch(domain):
        return True
    return is_above and len(domain) == 2 and not _SUFFIX.fullmatch(domain)
