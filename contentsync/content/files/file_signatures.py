"""Recognise pictures and other binary files by their first bytes."""

import re

PICTURE_SIGNATURES = (
    ("PNG", re.compile(rb"\x89PNG\r\n\x1a\n")),
    ("JPEG", re.compile(rb"\xff\xd8\xff")),
    ("GIF", re.compile(rb"GIF8[79]a....", re.DOTALL)),
    ("WebP", re.compile(rb"RIFF....WEBP", re.DOTALL)),
    ("AVIF", re.compile(rb"....ftypavi[fs]", re.DOTALL)),
)
_MOVE_HINT = "rename it with the ending of its type, or move it out of the folder"
_SAVE_HINT = "save a spreadsheet as CSV, and a text document as Markdown"
_DOCUMENTS = (
    (b"%PDF-", "a PDF document", _MOVE_HINT),
    (b"PK\x03\x04", "a ZIP archive, such as a spreadsheet (.xlsx, .ods) or a text document (.docx, .odt)", _SAVE_HINT),
    (b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1", "an old Office document (.xls, .doc)", _SAVE_HINT),
    (b"\x1f\x8b", "a gzip archive", "unpack it"),
)


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
