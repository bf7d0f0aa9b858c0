"""XML documents as answers."""

import re
from xml.etree.ElementTree import Element, SubElement, tostring

from starlette.responses import Response

# What no XML document may hold, in whatever way it is written (XML 1.0, 2.2).
_ILLEGAL = re.compile(r"[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


def add(parent: Element, tag: str, text: str | None = None, /, **attributes: str) -> Element:
    """A new element inside another; characters that XML cannot hold are left out."""
    element = SubElement(parent, tag, {name: legal(value) for name, value in attributes.items()})
    element.text = None if text is None else legal(text)
    return element


def legal(text: str) -> str:
    """The text without characters that XML cannot hold."""
    return _ILLEGAL.sub("", text)


def xml_answer(root: Element, media_type: str) -> Response:
    """The document, which is asked for again each time: what it shows depends on the moment."""
    body = tostring(root, encoding="utf-8", xml_declaration=True)
    return Response(body, headers={"Content-Type": f"{media_type}; charset=utf-8", "Cache-Control": "no-cache"})
