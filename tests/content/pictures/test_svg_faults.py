"""contentsync.content.pictures.svg_faults: what an SVG picture may run or load."""

import time

import pytest

from contentsync.content.pictures.svg_faults import NotSvg, svg_faults


def svg(inside: str = "", attributes: str = "") -> bytes:
    names = 'xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink"'
    return f"<svg {names} {attributes}>\n{inside}</svg>".encode()


def test_a_drawing_has_no_fault() -> None:
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
def test_what_may_run_is_a_fault_at_its_line_and_column(inside: str, reason: str) -> None:
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
def test_what_loads_another_file_is_a_lesser_fault(inside: str) -> None:
    (fault,) = svg_faults(svg(inside))
    assert (fault.code, fault.line) == ("svg-external", 2)


def test_each_code_is_reported_once_where_it_first_occurs() -> None:
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
def test_what_is_no_drawing_is_refused(data: bytes, reason: str) -> None:
    with pytest.raises(NotSvg, match=reason):
        svg_faults(data)


def test_the_namespaces_that_drawing_programs_declare_as_entities_are_accepted() -> None:
    declared = b'<!DOCTYPE svg [<!ENTITY ns_svg "http://www.w3.org/2000/svg">]>'
    assert svg_faults(declared + b'<svg xmlns="&ns_svg;"/>') == []


def test_a_deep_drawing_takes_time_in_proportion_to_its_size() -> None:
    began = time.process_time()
    svg_faults(svg("<g a=':' style='url( '>" * 30_000 + "</g>" * 30_000))
    assert time.process_time() - began < 2
