"""Clean HTML runs nothing and does not affect the page around it."""

from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from contentsync.model.markup import LinkBase, clean_html
from tests.browser.xss.payloads import PAYLOADS
from tests.growth import grows_evenly
from tests.sampling import sampled

from .html_reader import offences, read

CLASSES = {name: payloads for name, payloads in PAYLOADS.items() if name != "XS-16"}
# What tags are made of, and what makes parsers disagree: hypothesis puts them together.
NAMES = "a p b h1 img svg math style script title textarea table td select template noscript mglyph foreignObject"
OTHERS = "<!-- --> <![CDATA[ ]]> &lt; &colon; &#1 href src= onerror= javascript: style= id=x class=x /pages/a #a"
TAGS = [tag for name in NAMES.split() for tag in (f"<{name}", f"</{name}>")]
PIECES = st.sampled_from([*"<>\"'=/ &;:!-\x00\r", *OTHERS.split(), *TAGS])
HTML = st.lists(PIECES | st.text(max_size=3), max_size=30).map("".join)


@pytest.mark.parametrize("payloads", CLASSES.values(), ids=CLASSES)
def test_hostile_html_leaves_no_forbidden_markup(payloads: list[str]) -> None:
    """XS-01 to XS-10"""
    for payload in payloads:
        cleaned = clean_html(payload)
        assert offences(cleaned) == [], payload
        assert clean_html(cleaned) == cleaned, payload


@given(HTML)
def test_combined_hostile_html_leaves_no_forbidden_markup(html: str) -> None:
    """XS-01, XS-02, XS-03"""
    assert offences(clean_html(html)) == []


@given(HTML)
def test_cleaning_is_idempotent(html: str) -> None:
    """XS-05"""
    cleaned = clean_html(html, base=LinkBase("/sites/tools", "fr"))
    assert clean_html(cleaned, base=LinkBase("/sites/tools", "fr")) == cleaned


def test_ordinary_html_is_unchanged() -> None:
    html = (
        '<h2 id="section-a">A</h2><p id="b">Tom &amp; <em>Ada</em>, <a href="https://example.com/?a=1&amp;b=2" '
        'rel="noopener">here</a></p><ul><li lang="fr">Un</li></ul>'
        '<table tabindex="0"><tbody><tr><td align="right" colspan="2">1</td></tr></tbody></table>'
    )
    assert clean_html(html) == html


@pytest.mark.parametrize(
    ("html", "text"),
    [
        ("<p>a<script>alert(1)</script>b</p>", "ab"),
        ("<form action=/x><button>Go</button> on</form>", "Go on"),
        ("<iframe src=/x>no frames</iframe> here", "no frames here"),
        ("<style>p{}</style>a", "a"),
        ("<blink>a</blink>", "a"),
    ],
)
def test_a_removed_tag_leaves_its_text(html: str, text: str) -> None:
    """XS-01: but not the text of scripts and styles, which readers never see."""
    assert read(clean_html(html))[1] == text


@pytest.mark.parametrize(
    "url",
    [
        *(
            "javascript:alert(1)",
            "JAVASCRIPT&#58;alert(1)",
            "java&Tab;script&colon;alert(1)",
            " &#1;javascript:alert(1)",
        ),
        *("vbscript:x", "data:text/html,x", "file:///etc/passwd", "blob:x", "ftp://example.com/"),
    ],
)
def test_a_link_with_a_forbidden_scheme_is_removed(url: str) -> None:
    """XS-03"""
    assert clean_html(f'<a href="{url}">x</a>') == '<a rel="noopener">x</a>'


@pytest.mark.parametrize(
    "url", ["https://a.example/", "mailto:a@a.example", "tel:+331", "/a/", "a/?b#c", "//a.example/"]
)
def test_an_allowed_link_is_kept(url: str) -> None:
    assert clean_html(f'<a href="{url}">x</a>') == f'<a href="{url}" rel="noopener">x</a>'


def test_a_link_has_no_target_and_rel_noopener() -> None:
    """XS-15"""
    assert (
        clean_html('<a href="/a" target="_blank" rel="opener" ping="/b">x</a>') == '<a href="/a" rel="noopener">x</a>'
    )


@pytest.mark.parametrize("image", ["src=data:image/svg+xml,x", "src=data:image/png;base64,x", "srcset='/a 1x'"])
def test_an_image_must_have_a_plain_address(image: str) -> None:
    """XS-06"""
    assert read(clean_html(f"<img alt=x {image}>"))[0] == [
        ("img", {"alt": "x", "loading": "lazy", "referrerpolicy": "no-referrer"})
    ]


def test_an_image_is_lazy_and_sends_no_referrer() -> None:
    ((_, attributes),), _ = read(clean_html('<img src="/a.png" alt="A" loading="eager" referrerpolicy="unsafe-url">'))
    assert attributes == {"src": "/a.png", "alt": "A", "loading": "lazy", "referrerpolicy": "no-referrer"}


def test_the_attributes_of_an_image_have_a_fixed_order() -> None:
    """nh3 orders them differently for each cleaner, and each mount has a cleaner of its own."""
    bases = [LinkBase(f"/mount-{number}") for number in range(20)]
    assert len({clean_html('<img src="https://example.com/a.png">', base=base) for base in bases}) == 1


def test_a_text_that_mentions_image_attributes_is_unchanged() -> None:
    text = 'referrerpolicy="no-referrer" loading="lazy"&gt;'
    assert clean_html(f"<p>{text}</p>") == f"<p>{text}</p>"


@pytest.mark.parametrize("attribute", ["style='color:red'", "class='button skip'", "name=x", "data-x=1", "role=main"])
def test_styles_classes_and_names_are_removed(attribute: str) -> None:
    """XS-07, XS-08"""
    assert clean_html(f"<p {attribute}>x</p>") == "<p>x</p>"


def test_ids_are_kept_and_get_the_id_of_former_releases() -> None:
    cleaned = clean_html('<h2 id="cookie">A</h2><a href="#cookie">a</a><p id="x">x</p>')
    heading = '<h2 id="cookie"><span id="section-cookie"></span>A</h2>'
    assert cleaned == f'{heading}<a href="#cookie" rel="noopener">a</a><p id="x">x</p>'


@pytest.mark.parametrize("value", ["site:content", "a b", "a&#10;b", "", "x" * 256])
def test_reserved_or_invalid_ids_are_removed(value: str) -> None:
    """XS-08"""
    assert clean_html(f'<p id="{value}">x</p><a name="{value}">y</a>') == '<p>x</p><a rel="noopener">y</a>'


@pytest.mark.parametrize(
    ("html", "ids"),
    [
        ('<a name="old">x</a>', ["old", "section-old"]),
        ('<a id="new" name="old">x</a>', ["new", "old", "section-new"]),
        ('<a name="a"></a><h2 id="section-a">x</h2>', ["a", "section-a"]),
        ("<a title=' id=' name=b>x</a>", ["b", "section-b"]),
        ("<p name=c>x</p>", []),
    ],
)
def test_the_name_of_a_link_becomes_an_id(html: str, ids: list[str]) -> None:
    tags, _ = read(clean_html(html))
    assert [tag.attributes["id"] for tag in tags if "id" in tag.attributes] == ids
    assert not any("name" in tag.attributes for tag in tags)


@pytest.mark.parametrize(
    ("html", "cleaned"),
    [
        ("<h1>A</h1><h2>B</h2><h6>C</h6>", "<h2>A</h2><h3>B</h3><h6>C</h6>"),
        ("<h2>A</h2><h3>B</h3>", "<h2>A</h2><h3>B</h3>"),
        ('<h2 lang="h1">A</h2>&lt;h1>', '<h2 lang="h1">A</h2>&lt;h1&gt;'),
    ],
)
def test_headings_in_a_body_are_moved_below_the_page_heading(html: str, cleaned: str) -> None:
    assert clean_html(html) == cleaned


@pytest.mark.parametrize(
    ("mount", "url", "becomes"),
    [
        ("/sites/tools", "/pages/about/", "/sites/tools/pages/about/"),
        ("/sites/tools", "/sites/tools/pages/about/", "/sites/tools/pages/about/"),
        ("/sites/tools", "//example.com/", "//example.com/"),
        ("/sites/tools", "https://example.com/", "https://example.com/"),
        ("https://example.com", "/a.png", "https://example.com/a.png"),
        ("", "/a.png", "/a.png"),
    ],
)
def test_site_relative_links_and_images_get_the_mount(mount: str, url: str, becomes: str) -> None:
    tags, _ = read(clean_html(f'<a href="{url}">x</a><img src="{url}">', base=LinkBase(mount)))
    assert [tags[0].attributes["href"], tags[1].attributes["src"]] == [becomes, becomes]


@pytest.mark.parametrize(
    ("url", "becomes"),
    [
        ("/pages/about/", "/sites/tools/pages/about/?locale=fr"),
        ("/pages/about", "/sites/tools/pages/about?locale=fr"),
        ("/", "/sites/tools/?locale=fr"),
        ("/?tag=steel#top", "/sites/tools/?tag=steel&locale=fr#top"),
        ("/pages/about/?locale=en", "/sites/tools/pages/about/?locale=en"),
        ("/pages/about/?locale=", "/sites/tools/pages/about/?locale="),
        ("/storage/plan.pdf", "/sites/tools/storage/plan.pdf"),
        ("//example.com/", "//example.com/"),
        ("https://example.com/", "https://example.com/"),
        ("/\t/[", "/sites/tools/\t/[?locale=fr"),
        ("/a\u2100b#", "/sites/tools/a\u2100b?locale=fr#"),
        ("#steel", "#steel"),
    ],
)
def test_links_to_pages_of_the_site_keep_the_language(url: str, becomes: str) -> None:
    (link, picture), _ = read(clean_html(f'<a href="{url}">x</a><img src="/a">', base=LinkBase("/sites/tools", "fr")))
    assert link.attributes["href"] == becomes
    assert picture.attributes["src"] == "/sites/tools/a"


@pytest.mark.parametrize(
    "html",
    sampled(
        [
            pytest.param(lambda n: "<div>" * (40 * n), id="deep"),
            pytest.param(lambda n: "<div>" * (12 * n), id="as deep as may be"),
            pytest.param(lambda n: "<p " + " ".join(f"a{at}" for at in range(20 * n)) + ">", id="many attributes"),
            pytest.param(
                lambda n: "<p>" + "".join(f"<b title={at}>" for at in range(n)) + "</p><p>x</p>" * (n // 2),
                id="reopened",
            ),
            pytest.param(
                lambda n: f"<p><a href='/{'x' * 100_000}'></p>" + "<p>x" * (5 * n), id="reopened with a long address"
            ),
            pytest.param(
                lambda n: f"<p><a href='/{'x' * 2_000}'></p>" + "<p>x" * (5 * n), id="reopened with an address"
            ),
            pytest.param(lambda n: "<a><p>" * (3 * n), id="links in paragraphs"),
            pytest.param(lambda n: "<table><b>x" * (3 * n), id="fostered"),
            pytest.param(lambda n: "<b>" * (4 * n) + "<div>" * (4 * n) + "</b>" * (4 * n), id="misnested"),
            pytest.param(lambda n: "x" * (1_000 * n), id="long"),
        ],
        every=2,
    ),
)
def test_cleaning_takes_linear_time_and_space(html: Callable[[int], str]) -> None:
    """XS-16"""
    assert grows_evenly(lambda size: clean_html(html(size)), 1_000)
    assert len(clean_html(html(2_000))) < 12 * len(html(2_000)) + 10_000


def test_too_complex_html_is_shown_as_source() -> None:
    """XS-16"""
    assert clean_html("<div>" * 40_000) == '<pre tabindex="0">' + "&lt;div&gt;" * 40_000 + "</pre>"


def test_a_long_article_is_not_too_complex() -> None:
    html = '<p>Some <strong class="x">words</strong> and <a href="/a">a link</a>, then more of them.</p>\n' * 1_500
    assert clean_html(html).count("<p>") == 1_500
