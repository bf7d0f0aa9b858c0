"""contentsync.content.pictures.picture_facts: type, dimensions and position; scripts and references in an SVG."""

import random
import time

import pytest

from contentsync.content.pictures.picture_facts import MAX_SVG, NotSvg, PictureFacts, has_gps, picture_facts, svg_faults

from .picture_bytes import GPS_VERSION_TAG, LATITUDE_TAG, POSITION_TAGS, SVG, avif, chunk, exif, gif, jpeg, png, webp


def facts(data: bytes) -> PictureFacts:
    return picture_facts(data, len(data))


@pytest.mark.parametrize(
    ("data", "type_"),
    [(png(), "PNG"), (jpeg(), "JPEG"), (gif(), "GIF"), (webp(), "WebP"), (avif(), "AVIF")],
)
def test_the_type_and_size_of_a_picture_come_from_its_content(data: bytes, type_: str) -> None:
    assert facts(data) == PictureFacts(type_, len(data), 2, 3)


def test_a_gif_of_maximum_width_has_no_negative_width() -> None:
    assert facts(gif(65_535, 40_000))[2:4] == (65_535, 40_000)


@pytest.mark.parametrize("start", [b"", b"\xef\xbb\xbf", b'<?xml version="1.0"?>\n', b"\n<!-- made by hand -->"])
def test_svg_is_recognised_after_a_header_or_comment(start: bytes) -> None:
    assert facts(start + SVG) == PictureFacts("SVG", len(start + SVG))


@pytest.mark.parametrize(
    ("data", "reason"),
    [
        (b"", "is empty"),
        (b"%PDF-1.7", "is not a PNG, JPEG, GIF, WebP, AVIF or SVG picture"),
        (b"<!doctype html><title>Not found</title>", "is not well-formed XML in line 1"),
        (b"<html><title>Not found</title></html>", "is a document of type <html>"),
        (b"version https://git-lfs.github.com/spec/v1\noid", "is a Git LFS pointer"),
        (png()[:20], "is a damaged PNG file"),
        (png(0, 5), "is a damaged PNG file"),
        (jpeg()[:8], "is a damaged JPEG file"),
    ],
)
def test_a_file_that_is_not_a_picture_has_a_reason(data: bytes, reason: str) -> None:
    found = facts(data)
    assert (found.type, found.reason[: len(reason)]) == ("", reason)


def test_an_svg_over_the_limit_is_not_parsed() -> None:
    assert picture_facts(SVG, MAX_SVG + 1).reason == "is an SVG picture of more than 8,388,608 bytes"


@pytest.mark.parametrize("order", ["<", ">"])
@pytest.mark.parametrize("picture", ["jpeg", "png", "webp", "avif"])
def test_gps_data_is_found_in_every_type_of_picture(picture: str, order: str) -> None:
    def photo(data: bytes) -> bytes:
        match picture:
            case "jpeg":
                return jpeg(exif=data)
            case "png":
                return png(2, 3, chunk(b"eXIf", data))
            case "webp":
                return webp(exif=data)
        return avif(exif=data)

    with_position = exif(*POSITION_TAGS, order=order)
    without_gps_directory = exif(order=order)
    with_version_only = exif(GPS_VERSION_TAG, order=order)  # as many cameras write it
    assert facts(photo(with_position)).has_gps
    assert not facts(photo(without_gps_directory)).has_gps
    assert not facts(photo(with_version_only)).has_gps


def test_damaged_metadata_has_no_gps_data() -> None:
    assert not has_gps(b"Exif\0\0" + exif(LATITUDE_TAG, position=2**32 - 1))
    assert not has_gps(b"Exif\0\0" + exif(LATITUDE_TAG)[:39])


def test_random_bytes_are_read_in_bounded_time() -> None:
    random_source = random.Random(7)
    samples = [
        jpeg(exif=exif(LATITUDE_TAG)),
        png(2, 3, chunk(b"eXIf", exif(LATITUDE_TAG))),
        webp(exif=exif(LATITUDE_TAG)),
        avif(exif=exif(LATITUDE_TAG)),
        SVG,
    ]
    began = time.process_time()
    for _ in range(400):
        data = bytearray(random_source.choice(samples) * random_source.randint(1, 3))
        for _ in range(random_source.randint(1, 12)):
            data[random_source.randrange(len(data))] = random_source.choice((0, 1, 255, random_source.randrange(256)))
        facts(bytes(data))
    facts(b"\xff\xd8\xff" + b"\xe1\0\2\xff" * 250_000)
    facts(avif()[:40] + b"\xff" * 1_000_000)
    has_gps(b"Exif\0\0II*\0\x08\0\0\0\xff\xff" * 60_000)
    assert time.process_time() - began < 3


def svg(inside: str = "", attributes: str = "") -> bytes:
    names = 'xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink"'
    return f"<svg {names} {attributes}>\n{inside}</svg>".encode()


def test_an_ordinary_svg_has_no_faults() -> None:
    inside = (
        '<style>path { fill: url(#red) }</style><a href="https://a.example"><path d="M0 0" style="fill:red"/></a>'
        '<use xlink:href="#p"/><image href="data:image/png;base64,AA=="/><text>only javascript: text</text>'
    )
    assert svg_faults(svg(inside)) == []


@pytest.mark.parametrize(
    ("inside", "reason"),
    [
        ("<script>alert(1)</script>", "contains a script"),
        ("<s:SCRIPT xmlns:s='http://www.w3.org/2000/svg'/>", "contains a script"),
        ('<path onClick="x()"/>', "contains the event handler onclick"),
        ('<a href="java&#10;script:x()"/>', "contains a script in the attribute href"),
        ('<set attributeName="href" to=" JavaScript:x()"/>', "contains a script in the attribute to"),
        ("<foreignObject><iframe/></foreignObject>", "contains another document in <iframe>"),
    ],
)
def test_active_content_of_an_svg_is_a_fault_at_its_location(inside: str, reason: str) -> None:
    (fault,) = svg_faults(svg(f" <g>{inside}</g>"))
    assert (fault.code, fault.line, fault.column) == ("svg-script", 2, 20 if "iframe" in inside else 5)
    assert fault.reason == reason


@pytest.mark.parametrize(
    "inside",
    [
        '<image xlink:href="https://a.example/a.png"/>',
        '<use href="//a.example/a.svg#x"/>',
        "<path style=\"fill: url( 'http://a.example/f')\"/>",
        "<style>@import 'fonts.css';</style>",
        "<style>p { src: url(https://a.example/f.woff) }</style>",
        '<?xml-stylesheet href="a.css"?>',
    ],
)
def test_an_external_file_of_an_svg_is_a_lesser_fault(inside: str) -> None:
    (fault,) = svg_faults(svg(inside))
    assert (fault.code, fault.line) == ("svg-external", 2)


def test_each_svg_fault_is_reported_once_at_its_first_location() -> None:
    faults = svg_faults(svg('<image href="http://a.example"/>\n<script/>\n<script/>', 'onload="x()"'))
    assert [(fault.code, fault.line) for fault in faults] == [("svg-script", 1), ("svg-external", 2)]


@pytest.mark.parametrize(
    ("data", "reason"),
    [
        (b"<html><svg/></html>", "is a document of type <html>"),
        (b"<svg><path></svg>", "is not well-formed XML in line 1"),
        (b"", "is not well-formed XML in line 1"),
        (b'<!DOCTYPE svg [<!ENTITY a "aa"><!ENTITY b "&a;&a;">]><svg>&b;</svg>', "declares an entity"),
        (b'<!DOCTYPE svg [<!ENTITY a "' + b"a" * 1001 + b'">]><svg/>', "declares an entity"),
    ],
)
def test_a_file_that_is_not_svg_is_refused(data: bytes, reason: str) -> None:
    with pytest.raises(NotSvg, match=reason):
        svg_faults(data)


def test_namespaces_declared_as_svg_entities_are_accepted() -> None:
    declared = b'<!DOCTYPE svg [<!ENTITY ns_svg "http://www.w3.org/2000/svg">]>'
    assert svg_faults(declared + b'<svg xmlns="&ns_svg;"/>') == []


def test_a_deep_svg_is_checked_in_bounded_time() -> None:
    began = time.process_time()
    svg_faults(svg("<g a=':' style='url( '>" * 30_000 + "</g>" * 30_000))
    assert time.process_time() - began < 2
