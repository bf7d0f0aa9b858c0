"""Find what an SVG picture may run or load when a browser opens it on its own."""

import re
from typing import NamedTuple
from xml.parsers.expat import ExpatError, ParserCreate

MAX_ENTITY = 1000  # characters; longer entities, or nested ones, may expand to any size

_DOCUMENTS = frozenset({"iframe", "embed", "object"})
_IGNORED = re.compile(r"[\x00-\x20]+")  # browsers ignore these characters in a scheme
_HOST = re.compile(r"\s*(?:https?:|//)", re.IGNORECASE)
_HOST_IN_STYLE = re.compile(r"@import|url\(\s*[\"']?\s*(?:https?:|//)", re.IGNORECASE)


class SvgFault(NamedTuple):
    """A problem at a position in an SVG file. The reason ends a sentence about the picture."""

    code: str
    reason: str
    line: int
    column: int


class NotSvg(Exception):
    """The data is not an SVG picture; the argument is the end of a sentence that says why."""


def svg_faults(data: bytes) -> list[SvgFault]:
    """Return the faults of an SVG picture, sorted by position: of each `SvgFault.code`, only the first one.

    Raises NotSvg. The parser loads nothing from outside of the data.
    """
    reader = _SvgReader()
    is_last = True  # `data` is the whole document
    try:
        reader.parser.Parse(data, is_last)
    except ExpatError as error:
        raise NotSvg(f"is not well-formed XML in line {error.lineno}") from error
    return sorted(reader.faults.values(), key=lambda fault: (fault.line, fault.column))


class _SvgReader:
    """The handlers of a parser, and the faults that they found."""

    def __init__(self) -> None:
        """Create the parser, which calls the handlers below. They raise NotSvg, which passes through the parser."""
        self.faults: dict[str, SvgFault] = {}  # by code
        self._has_root = False
        self._in_style = False
        self.parser = ParserCreate()
        self.parser.buffer_text = True
        self.parser.EntityDeclHandler = self._entity
        self.parser.StartElementHandler = self._start
        self.parser.EndElementHandler = self._end
        self.parser.CharacterDataHandler = self._text
        self.parser.ProcessingInstructionHandler = self._instruction

    def _entity(self, name: str, is_parameter: bool, value: str | None, *source: str | None) -> None:
        if value is not None and (len(value) > MAX_ENTITY or "&" in value or "%" in value):
            raise NotSvg(f"declares an entity of more than {MAX_ENTITY:,} characters, or one that contains another")

    def _start(self, name: str, attributes: dict[str, str]) -> None:
        """Handle the start of an element. Raise NotSvg if the first element is not `svg`."""
        element = _local_name(name)
        if not self._has_root and element != "svg":
            raise NotSvg(f"is a document of type <{name[:40]}>")
        self._has_root = True
        self._in_style = element == "style"
        if element == "script":
            self._add("svg-script", "contains a script")
        elif element in _DOCUMENTS:
            self._add("svg-script", f"contains another document in <{element}>")
        for attribute, value in attributes.items():
            self._check_attribute(element, _local_name(attribute), value)

    def _check_attribute(self, element: str, attribute: str, value: str) -> None:
        """Add a fault for an attribute that runs a script or loads a file of another host."""
        if attribute.startswith("on"):
            self._add("svg-script", f"contains the event handler {attribute[:40]}")
        elif _IGNORED.sub("", value[:100]).lower().startswith("javascript:"):  # [:100] bounds the work
            self._add("svg-script", f"contains a script in the attribute {attribute[:40]}")
        elif attribute in ("href", "src") and element != "a" and _HOST.match(value):
            self._add("svg-external", f"loads a file of another host in <{element[:40]}>")
        elif _HOST_IN_STYLE.search(value):
            self._add("svg-external", f"loads a file of another host in the attribute {attribute[:40]}")

    def _end(self, name: str) -> None:
        self._in_style = False

    def _text(self, text: str) -> None:
        if self._in_style and _HOST_IN_STYLE.search(text):
            self._add("svg-external", "loads a file of another host in <style>")

    def _instruction(self, target: str, data: str) -> None:
        if target == "xml-stylesheet":
            self._add("svg-external", "loads a style sheet")

    def _add(self, code: str, reason: str) -> None:
        line, column = self.parser.CurrentLineNumber, self.parser.CurrentColumnNumber + 1
        self.faults.setdefault(code, SvgFault(code, reason, line, column))


def _local_name(name: str) -> str:
    return name.rpartition(":")[2].lower()
