"""The text of a file: its encoding, its line ends, the positions in it, and how a file without text is recognised."""

import codecs
import re
from collections.abc import Iterable, Iterator
from itertools import accumulate, chain

from ...errors import Problem, Where
from ...lazy_pattern import lazy_pattern
from ...model import TextPosition
from .file_names import MARKDOWN_SUFFIXES

BLOCK_SIZE = 256 * 1024  # bytes

_BOM = codecs.BOM_UTF8
_BOMS = {"utf-8": _BOM, "utf-16-le": codecs.BOM_UTF16_LE, "utf-16-be": codecs.BOM_UTF16_BE}  # by codec
_CODECS = {None: "utf-8", "utf-8": "utf-8", "utf-16": "utf-16-le", "windows-1252": "cp1252"}  # by encoding
_CODEC_NAMES = {"utf-8": "UTF-8", "utf-16-le": "UTF-16", "utf-16-be": "UTF-16", "cp1252": "Windows-1252"}
_UTF16 = (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)
_MERGE_MARKER = lazy_pattern("^<<<<<<< ", re.MULTILINE)  # the start of a merge conflict
_END_OF_CONFLICT = lazy_pattern("^>>>>>>>(?: |$)", re.MULTILINE)
_FENCE = lazy_pattern(r"^ {0,3}(?P<marks>`{3,}|~{3,})(?P<rest>[^\n]*)$", re.MULTILINE)
_FRONT_MATTER = lazy_pattern(r"\s*(---|\+\+\+)[ \t]*\n.*?^\1[ \t]*$", re.MULTILINE | re.DOTALL)
_IS_CONTROL = bytes(code == 127 or (code < 32 and code not in b"\t\n\r") for code in range(256))
_CONTROL = lazy_pattern(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f]")
_LFS_POINTER = "version https://git-lfs.github.com/spec/"
_START: TextPosition = (1, 1)
_SAVE_HINT = "save the file as UTF-8"

PICTURE_SIGNATURES = (
    ("PNG", lazy_pattern(rb"\x89PNG\r\n\x1a\n")),
    ("JPEG", lazy_pattern(rb"\xff\xd8\xff")),
    ("GIF", lazy_pattern(rb"GIF8[79]a....", re.DOTALL)),
    ("WebP", lazy_pattern(rb"RIFF....WEBP", re.DOTALL)),
    ("AVIF", lazy_pattern(rb"....ftypavi[fs]", re.DOTALL)),
)
_MOVE_HINT = "rename it with the ending of its type, or move it out of the folder"
_CONVERT_HINT = "save a spreadsheet as CSV, and a text document as Markdown"
_DOCUMENTS = (
    (b"%PDF-", "a PDF document", _MOVE_HINT),
    (
        b"PK\x03\x04",
        "a ZIP archive, such as a spreadsheet (.xlsx, .ods) or a text document (.docx, .odt)",
        _CONVERT_HINT,
    ),
    (b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1", "an old Office document (.xls, .doc)", _CONVERT_HINT),
    (b"\x1f\x8b", "a gzip archive", "unpack it"),
)


class UnreadableFile(Exception):
    """A file, or the rest of a file, cannot be read; `problems` contains the reasons."""

    def __init__(self, *problems: Problem) -> None:
        super().__init__(*problems)
        self.problems = problems


def decode(data: bytes, path: str) -> str:
    """Return the text of a file without byte order mark; problems name the file `path`. Raises UnreadableFile."""
    try:
        text = data.removeprefix(_BOM).decode()
    except UnicodeDecodeError as error:
        problem = _undecodable_problem(error, pending="", start=_START, path=path, codec="utf-8")
        raise UnreadableFile(_binary_problem(data, path) or problem) from error
    if b"\r" in data:
        text = normalize_newlines(text)
    _refuse_forbidden(text, _START, path, data, controls=_has_controls(data))
    if marker := unresolved_marker(text, path):
        raise UnreadableFile(_merge_problem(Where(path, *position_at(text, marker.start()))))
    return text


def unresolved_marker(text: str, path: str) -> re.Match[str] | None:
    """Return the first line of a text that starts a merge conflict; None without one.

    In Markdown, a conflict that is completely in a fenced code block is text: see `markers_in_code`.
    """
    if "<<<<<<<" not in text:  # a fast test
        return None
    code = _code_with_conflicts(text) if path.lower().endswith(MARKDOWN_SUFFIXES) else []
    markers = _MERGE_MARKER.finditer(text)
    return next((marker for marker in markers if not any(marker.start() in block for block in code)), None)


def markers_in_code(text: str) -> Iterator[int]:
    """Yield the offset of each line that starts a merge conflict, in a text without an `unresolved_marker`."""
    if "<<<<<<<" in text:
        yield from (marker.start() for marker in _MERGE_MARKER.finditer(text))


def _code_with_conflicts(text: str) -> list[range]:
    """Return the offsets of each closed fenced code block that contains as many ends as starts of merge conflicts."""
    front_matter = _FRONT_MATTER.match(text)
    blocks: list[range] = []
    fence, start = "", 0  # of the open block; "" if there is none
    for line in _FENCE.finditer(text, front_matter.end() if front_matter else 0):
        marks, rest = line["marks"], line["rest"]
        if not fence:
            is_inline_code = marks[0] in rest and marks[0] == "`"
            fence, start = ("", 0) if is_inline_code else (marks, line.end())
        elif marks.startswith(fence) and not rest.strip():
            code = text[start : line.start()]
            if len(_MERGE_MARKER.findall(code)) == len(_END_OF_CONFLICT.findall(code)):
                blocks.append(range(start, line.start()))
            fence = ""
    return blocks


def _binary_problem(data: bytes, path: str) -> Problem | None:
    """Return the problem of a file that starts with `data`, cannot be read as text, and is binary; None for text."""
    if data.startswith(_UTF16):
        return None
    description = describe_binary(data[:BLOCK_SIZE])
    if description is None:
        return None
    type_, hint = description
    return Problem("binary-file", f"the file is {type_}, not text", Where(path, *_START), hint)


def codec_of(data: bytes, encoding: str | None) -> tuple[str, bytes]:
    """Return the codec of a table that begins with these bytes, and its byte order mark, which may be empty.

    Without an `encoding`, the mark determines the codec. With one, a mark of another encoding raises UnicodeError.
    """
    wanted = _CODECS[encoding]
    for codec, bom in _BOMS.items():
        if data.startswith(bom):
            if encoding and _CODEC_NAMES[codec] != _CODEC_NAMES[wanted]:
                raise UnicodeError(f"it starts with the byte order mark of {_CODEC_NAMES[codec]}")
            return codec, bom
    return wanted, b""


def decode_blocks(blocks: Iterable[bytes], path: str, encoding: str | None = None) -> Iterator[str]:
    """Yield the text of a table in pieces. A piece contains whole lines, unless a line is longer than a block.

    A byte order mark must be in the first block as a whole. `encoding` is that of the table's format, if it has one.
    Raises UnreadableFile at the first faulty piece.
    """
    # In Windows-1252, nearly every byte is a character, so UTF-8 would be read without an error, as wrong letters.
    iterator = iter(_refuse_utf8(blocks, path) if encoding == "windows-1252" else blocks)
    first = next(iterator, b"")
    try:
        codec, bom = codec_of(first, encoding)
    except UnicodeError as error:
        raise UnreadableFile(_wrong_encoding_problem(encoding, str(error), path)) from error
    decoder = codecs.getincrementaldecoder(codec)()
    is_utf16 = codec.startswith("utf-16")
    start, pending = _START, ""  # the position of the next piece, and its text so far
    # An empty block is the end. A first block with nothing but the mark does no harm: the next one starts the text.
    for block in chain([first.removeprefix(bom)], iterator, [b""]):
        is_last = not block
        try:
            text = pending + decoder.decode(block, is_last)
        except UnicodeDecodeError as error:
            hint = f"{_SAVE_HINT}, or set the encoding of this table in the config (content.listings.tables)"
            problem = _undecodable_problem(error, pending, start, path, codec, hint)
            raise UnreadableFile(_binary_problem(first, path) or problem) from error  # the first one is clearer
        carriage_return = "\r" if text.endswith("\r") and not is_last else ""  # may be the first half of \r\n
        text = normalize_newlines(text.removesuffix(carriage_return))
        # Only the block can have any: `pending` was searched before. In UTF-16, bytes of letters look like controls.
        may_have_controls = is_utf16 or _has_controls(block)
        _refuse_forbidden(text, start, path, first, controls=may_have_controls, codec=codec)
        _refuse_merge_in_table(text, start, path)
        end = text.rfind("\n") + 1
        if is_last or (not end and len(text) >= BLOCK_SIZE):
            end = len(text)
        if end:
            yield text[:end]
        start, pending = _advance(start, text, end), text[end:] + carriage_return


def _refuse_utf8(blocks: Iterable[bytes], path: str) -> Iterator[bytes]:
    """Yield the blocks of a table that should be Windows-1252. Raise UnreadableFile at the end if it is UTF-8.

    Two different letters outside ASCII prove that. One may be chance: `É®` in Windows-1252 is one letter in UTF-8.
    """
    decoder, letters, is_utf8 = codecs.getincrementaldecoder("utf-8")(), set[str](), True
    for block in chain(blocks, [b""]):
        try:
            text = decoder.decode(block, final=not block) if is_utf8 else ""
            letters.update(text if not text.isascii() else "")
        except UnicodeDecodeError:
            is_utf8 = False
        if block:
            yield block
    if is_utf8 and sum(not letter.isascii() for letter in letters) > 1:
        raise UnreadableFile(_wrong_encoding_problem("windows-1252", "it is UTF-8", path))


def _wrong_encoding_problem(encoding: str | None, reason: str, path: str) -> Problem:
    message = f"the config says that the file is {_CODEC_NAMES[_CODECS[encoding]]}, but {reason}"
    return Problem("not-utf8", message, Where(path, *_START), "correct the encoding of this table in the config")


def normalize_newlines(text: str) -> str:
    return text.replace("\r\n", "\n").replace("\r", "\n") if "\r" in text else text


def _has_controls(data: bytes) -> bool:
    pieces = (data[start : start + BLOCK_SIZE] for start in range(0, len(data), BLOCK_SIZE))
    return any(b"\x01" in piece.translate(_IS_CONTROL) for piece in pieces)  # four times as fast as a regex


def _refuse_forbidden(
    text: str, start: TextPosition, path: str, head: bytes, *, controls: bool, codec: str = "utf-8"
) -> None:
    """Raise UnreadableFile for Git LFS pointers, and with `controls` for control characters; `head` starts the file."""
    control = _CONTROL.search(text) if controls else None
    if control:
        if binary := _binary_problem(head, path):
            raise UnreadableFile(binary)
        message = f"the file contains the control character U+{ord(control[0]):04X}"
        hint = "delete it; most editors can show invisible characters"
        where = Where(path, *_advance(start, text, control.start()))
        # In UTF-16, every second byte of English is NUL.
        if control[0] == "\0" and where < Where(path, 1, 3) and codec == "utf-8":
            raise UnreadableFile(Problem("not-utf8", "the file looks like UTF-16", where, _SAVE_HINT))
        raise UnreadableFile(Problem("control-character", message, where, hint))
    if start == _START and text.startswith(_LFS_POINTER):
        message = "the file is a Git LFS pointer: its content has not been downloaded"
        raise UnreadableFile(Problem("lfs-pointer", message, Where(path), "run git lfs pull"))


def _refuse_merge_in_table(text: str, start: TextPosition, path: str) -> None:
    """Raise UnreadableFile for a merge conflict in a piece of a table, which begins at `start`."""
    _, start_column = start
    search_from = 0 if start_column == 1 else 1  # not where the text begins, if that is within a line
    may_have_marker = "<" in text and "<<<<<<<" in text  # the first test is fast
    if may_have_marker and (marker := _MERGE_MARKER.search(text, search_from)):
        raise UnreadableFile(_merge_problem(Where(path, *_advance(start, text, marker.start()))))


def _merge_problem(where: Where) -> Problem:
    hint = "resolve the conflict; if the line is part of the text, put a space before it"
    return Problem("merge-marker", "this line marks an unresolved merge conflict", where, hint)


def _undecodable_problem(
    error: UnicodeDecodeError, pending: str, start: TextPosition, path: str, codec: str, hint: str = _SAVE_HINT
) -> Problem:
    """Return the problem of bytes that are not text; `pending` is the text before them, and begins at `start`."""
    preceding = normalize_newlines(pending + error.object[: error.start].decode(codec))
    where = Where(path, *_advance(start, preceding, len(preceding)))
    if not preceding and start == _START and error.object.startswith(_UTF16):
        message = "the file is UTF-16"
    else:
        message = f"the byte 0x{error.object[error.start]:02X} is not {_CODEC_NAMES[codec]}"
    return Problem("not-utf8", message, where, hint)


def _advance(start: TextPosition, text: str, offset: int) -> TextPosition:
    """Return the position of an offset in a text that begins at `start`."""
    start_line, start_column = start
    line, column = position_at(text, offset)
    return start_line + line - 1, column if line > 1 else start_column + column - 1


def position_at(text: str, offset: int) -> TextPosition:
    """Return the line and column, from 1, of an offset in a text with `\\n` line ends."""
    return text.count("\n", 0, offset) + 1, offset - text.rfind("\n", 0, offset)


def line_starts(text: str) -> list[int]:
    """Return the offset at which each line of a text with `\\n` line ends starts; the last one is behind the text."""
    return [0, *accumulate(len(line) + 1 for line in text.split("\n"))]


def describe_binary(data: bytes) -> tuple[str, str] | None:
    """Return the type of a binary file that starts with `data`, and the hint for its author; None for other files.

    Text may start like a picture or a PDF document, so call it only for a file that cannot be read as text.
    """
    for type_, signature in PICTURE_SIGNATURES:
        if signature.match(data):
            return f"a {type_} picture", _MOVE_HINT
    for start, description, hint in _DOCUMENTS:
        if data.startswith(start):
            return description, hint
    # In UTF-16, the NUL bytes of ASCII characters are all at even or all at odd offsets.
    return ("binary data", _MOVE_HINT) if 0 in data[::2] and 0 in data[1::2] else None
