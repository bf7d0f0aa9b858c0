"""URLs of fields that become links."""

import re

from ....model.urls import url_fault

SCHEMES = frozenset({"http", "https", "mailto", "tel"})
MAX_URL = 2048  # characters (docs/contract.md 14)

_WITHOUT_A_HOST = re.compile(r"(?:mailto|tel):[^\s\x00-\x1f\x7f-\x9f\"<>\\^`{|}]+\Z")


def safe_url(value: object) -> str | None:
    """The value, if it is a URL that a link may have, else None: mailto, tel, or http and https as fields take them."""
    if not isinstance(value, str) or len(value) > MAX_URL:
        return None
    return value if _WITHOUT_A_HOST.match(value) or url_fault(value) is None else None
