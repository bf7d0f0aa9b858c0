"""XML documents as responses."""

import re
from xml.etree.ElementTree import Element, SubElement, tostring

from starlette.responses import Response

# Characters that XML cannot contain, not even escaped (XML 1.0, 2.2).
_ILLEGAL = re.compile(r"[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


def add_element(parent: Element, tag: str, text: str | None = None, /, **attributes: str) -> Element:
    """Add an element to its parent and return it; characters that XML cannot contain are removed."""
    element = SubElement(parent, tag, {name: _without_illegal(value) for name, value in attributes.items()})
    element.text = None if text is None else _without_illegal(text)
    return element


def _without_illegal(text: str) -> str:
    return _ILLEGAL.sub("", text)


def xml_response(root: Element, media_type: str = "application/xml") -> Response:
    """Return the document as a response that caches must revalidate, because its content depends on the time."""
    body = tostring(root, encoding="utf-8", xml_declaration=True)
    return Response(body, headers={"Content-Type": f"{media_type}; charset=utf-8", "Cache-Control": "no-cache"})
