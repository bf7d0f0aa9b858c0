"""Read the type, the dimensions, the coordinates and the faults of a picture from its bytes, without decoding it.

The type follows from the first bytes, and `imagesize` reads the dimensions. Pillow would read both, but it is larger
than all other requirements together, and it decodes. No small library finds the coordinates of a photo in bounded time,
so `has_gps` does this. The faults are what an SVG picture may run or load when a browser opens it on its own.
"""

import re
import struct
from io import BytesIO
from itertools import islice
from typing import NamedTuple
from xml.parsers.expat import ExpatError, ParserCreate

from ...lazy_pattern import lazy_pattern
from ..files.file_text import PICTURE_SIGNATURES

MAX_HEAD = 16 * 1024 * 1024  # bytes that are read of a picture
MAX_SVG = 8 * 1024 * 1024  # bytes
MAX_ENTITY = 1000  # characters in SVG; longer entities, or nested ones, may expand to any size

_LFS_POINTER = b"version https://git-lfs.github.com/spec/"
_MARKUP = lazy_pattern(rb"(?:\xef\xbb\xbf)?\s*+<")
# The start of TIFF data with the properties of a photo, as JPEG and AVIF, PNG, or WebP introduce it.
_PROPERTIES = lazy_pattern(
    rb"(?:Exif\x00\x00|eXIf|EXIF[\x00-\xff]{4})(?=(II\*\x00|MM\x00\*))",
)
_MAX_PROPERTIES = 8  # starts of such data that are examined
_GPS, _LATITUDE, _LONGITUDE = 0x8825, 2, 4  # tags
_ENTRY_SIZE = 12  # bytes
_MAX_ENTRIES = 1000  # of a directory of tags
_DOCUMENTS = frozenset({"iframe", "embed", "object"})  # elements in SVG
_IGNORED = lazy_pattern(r"[\x00-\x20]+")  # browsers ignore these characters in a scheme
_HOST = lazy_pattern(r"\s*(?:https?:|//)", re.IGNORECASE)
_HOST_IN_STYLE = lazy_pattern(r"@import|url\(\s*[\"']?\s*(?:https?:|//)", re.IGNORECASE)


class SvgFault(NamedTuple):
    """A problem at a position in an SVG file. The reason ends a sentence about the picture."""

    code: str
    reason: str
    line: int
    column: int


class PictureFacts(NamedTuple):
    """What the bytes of a file show about the picture in it."""

    type: str  # "" if the file is not a picture
    size: int  # bytes
    width: int = 0  # pixels; 0 for SVG
    height: int = 0
    has_gps: bool = False
    faults: tuple[SvgFault, ...] = ()
    reason: str = ""  # why it is not a picture; the end of a sentence about the file


def picture_facts(data: bytes, size: int) -> PictureFacts:
    """Return the facts about a file of `size` bytes that begins with `data`; for SVG, `data` must be the whole file."""
    for type_, signature in PICTURE_SIGNATURES:
        if signature.match(data):
            width, height = _dimensions(data, type_)
            if width <= 0 or height <= 0:
                reason = f"is a damaged {type_} file: its dimensions cannot be read"
                return PictureFacts(type="", size=size, reason=reason)
            return PictureFacts(type_, size, width, height, has_gps(data))
    return _svg_facts(data, size)


def _svg_facts(data: bytes, size: int) -> PictureFacts:
    """Return the facts about a file that has no known signature: SVG, or the reason why it is not a picture."""
    if data.startswith(_LFS_POINTER):
        reason = "is a Git LFS pointer: its content has not been downloaded (git lfs pull)"
    elif not data:
        reason = "is empty"
    elif not _MARKUP.match(data):
        reason = "is not a PNG, JPEG, GIF, WebP, AVIF or SVG picture"
    elif size > MAX_SVG or len(data) < size:
        reason = f"is an SVG picture of more than {MAX_SVG:,} bytes"
    else:
        try:
            return PictureFacts("SVG", size, faults=tuple(svg_faults(data)))
        except NotSvg as error:
            reason = str(error)
    return PictureFacts(type="", size=size, reason=reason)


def _dimensions(data: bytes, type_: str) -> tuple[int, int]:
    """Return the width and height in pixels; zero or less for a damaged picture."""
    import imagesize  # a folder without pictures does not need it

    if type_ == "GIF":  # the library reads large dimensions as negative; they follow the name of the format
        width, height = struct.unpack_from("<HH", data, len(b"GIF89a"))
    else:
        width, height = imagesize.get(BytesIO(data), exif_rotation=False)
    return width, height


def has_gps(data: bytes) -> bool:
    """Return whether the properties of a photo (EXIF) contain the coordinates of the place where it was taken."""
    starts = (match.end() for match in islice(_PROPERTIES.finditer(data), _MAX_PROPERTIES))
    return any(_contains_coordinates(memoryview(data)[start:]) for start in starts)


def _contains_coordinates(tiff: memoryview) -> bool:
    """Return whether TIFF data has a directory of GPS tags with a latitude or a longitude."""
    byte_order = "<" if bytes(tiff[:2]) == b"II" else ">"  # little-endian or big-endian
    try:
        (first_directory,) = struct.unpack_from(f"{byte_order}I", tiff, 4)
        gps_directory = _tags(tiff, first_directory, byte_order).get(_GPS)
        gps_tags = _tags(tiff, gps_directory, byte_order) if gps_directory else {}
    except struct.error:  # an offset is behind the end of the data
        return False
    return _LATITUDE in gps_tags or _LONGITUDE in gps_tags


def _tags(tiff: memoryview, offset: int, byte_order: str) -> dict[int, int]:
    """Return the tags in the directory at an offset, each with its value if that is an offset. Raises struct.error."""
    (count,) = struct.unpack_from(f"{byte_order}H", tiff, offset)
    tags: dict[int, int] = {}
    first = offset + 2  # after the count
    for index in range(min(count, _MAX_ENTRIES)):
        tag, _type, length, value = struct.unpack_from(f"{byte_order}HHII", tiff, first + index * _ENTRY_SIZE)
        if length:  # the tag is not empty
            tags[tag] = value
    return tags


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
