"""The smallest files of each type of picture that have a size, and photos with a position."""

import struct
import zlib


def png(width: int = 2, height: int = 3, *chunks: bytes, size: int = 0) -> bytes:
    """Return a PNG file; `size` is its least length in bytes."""
    header = struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
    data = b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header) + b"".join(chunks) + chunk(b"IDAT", b"") + chunk(b"IEND", b"")
    return data.ljust(size, b"\0")


def chunk(name: bytes, data: bytes) -> bytes:
    return struct.pack(">I", len(data)) + name + data + struct.pack(">I", zlib.crc32(name + data))


def jpeg(width: int = 2, height: int = 3, exif: bytes = b"") -> bytes:
    segment = b"\xff\xe1" + struct.pack(">H", len(exif) + 8) + b"Exif\0\0" + exif if exif else b""
    return b"\xff\xd8" + segment + b"\xff\xc0" + struct.pack(">HBHHB", 11, 8, height, width, 1) + b"\1\x11\0\xff\xd9"


def gif(width: int = 2, height: int = 3) -> bytes:
    return b"GIF89a" + struct.pack("<HH", width, height) + b"\0\0\0;"


def webp(width: int = 2, height: int = 3, exif: bytes = b"") -> bytes:
    sizes = struct.pack("<I", width - 1)[:3] + struct.pack("<I", height - 1)[:3]
    body = b"WEBPVP8X" + struct.pack("<I", 10) + b"\x08\0\0\0" + sizes
    body += b"EXIF" + struct.pack("<I", len(exif)) + exif if exif else b""
    return b"RIFF" + struct.pack("<I", len(body)) + body


def avif(width: int = 2, height: int = 3, exif: bytes = b"") -> bytes:
    def box(name: bytes, data: bytes) -> bytes:
        return struct.pack(">I", len(data) + 8) + name + data

    properties = box(b"ipco", box(b"ispe", struct.pack(">III", 0, width, height)))
    properties += box(b"ipma", struct.pack(">IIHBB", 0, 1, 1, 1, 1))
    item = box(b"infe", struct.pack(">BBHHH", 2, 0, 0, 1, 0) + b"av01\0")
    meta = box(b"pitm", struct.pack(">IH", 0, 1)) + box(b"iinf", struct.pack(">IH", 0, 1) + item)
    meta += box(b"iprp", properties)
    start = box(b"ftyp", b"avif\0\0\0\0avifmif1") + box(b"meta", struct.pack(">I", 0) + meta)
    return start + (box(b"mdat", b"\0\0\0\6Exif\0\0" + exif) if exif else b"")


GPS_VERSION_TAG = 0
POSITION_TAGS = (1, LATITUDE_TAG := 2, 3, 4)  # the latitude and the longitude, each with its direction before it


def exif(*gps_tags: int, order: str = "<", position: int = 26) -> bytes:
    """Return EXIF data whose GPS directory, at the offset `position`, has these tags; none without tags.

    `order` is that of the bytes, as `struct` names it: "<" for little-endian, ">" for big-endian.
    """
    tiff = (b"II*\0" if order == "<" else b"MM\0*") + struct.pack(f"{order}I", 8)
    if not gps_tags:
        return tiff + struct.pack(f"{order}HHHIII", 1, 0x0112, 3, 1, 1, 0)
    tiff += struct.pack(f"{order}HHHIII", 1, 0x8825, 4, 1, position, 0)
    entries = b"".join(struct.pack(f"{order}HHII", tag, 5, 3, 0) for tag in gps_tags)
    return tiff + struct.pack(f"{order}H", len(gps_tags)) + entries + bytes(4)


SVG = b'<svg xmlns="http://www.w3.org/2000/svg" width="2" height="3"><path d="M0 0h1"/></svg>'
