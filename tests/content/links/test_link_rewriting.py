"""contentsync.content.links.link_rewriting: targets replaced by addresses, and nothing else."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st
from markdown_it import MarkdownIt

from contentsync.content.files.file_addresses import FileAddresses
from contentsync.content.links.body_links import internal_links
from contentsync.content.links.link_rewriting import asset_addresses, resolve_target, rewrite_links, without_targets
from contentsync.content.links.parsed_body import ParsedBody

from ...growth import grows_evenly

BASE = "https://cdn.example.com/site/"


def rewritten(text: str, path: str = "pages/x.md", *, html: bool = False) -> tuple[str, set[str]]:
    links = internal_links(ParsedBody(text), html=html)
    addresses = asset_addresses(links, path, FileAddresses(BASE))
    return rewrite_links(text, links, addresses), set(addresses)


@pytest.mark.parametrize(
    "text",
    [
        "![x](a.png)",
        "[x](a.png 'title')",
        "[x](<a.png>)",
        "[x][y]\n\n[y]: a.png",
        "> - ![x](a.png)",
        "*![x](a.png)*",
        "| a |\n|---|\n| ![x](a.png) |",
        'text <img alt="x" src="a.png"> text',
        "<div>\n<a href='a.png'>x</a>\n</div>",
    ],
)
def test_a_relative_link_is_rewritten(text: str) -> None:
    assert rewritten(text) == (text.replace("a.png", f"{BASE}pages/a.png"), {"a.png"})


@pytest.mark.parametrize(
    ("target", "address"),
    [
        ("a.png", "pages/help/a.png"),
        ("./a.png", "pages/help/a.png"),
        ("../img/a.png?v=1#x", "pages/img/a.png?v=1#x"),
        ("../../img/a%20b.png", "img/a%20b.png"),
        (r"a.png?q=\q", r"pages/help/a.png?q=\q"),
        ("downloads/", "pages/help/downloads/"),
        ("../img/?v=1", "pages/img/?v=1"),
        ("../../", ""),
    ],
)
def test_a_relative_link_is_resolved_from_its_file(target: str, address: str) -> None:
    assert rewritten(f"![x]({target})", "pages/help/x.md") == (f"![x]({BASE}{address})", {target})


def test_a_link_out_of_the_folder_is_not_rewritten() -> None:
    """FI-31"""
    assert rewritten("![x](../../.env) ![y](a.png)") == (f"![x](../../.env) ![y]({BASE}pages/a.png)", {"a.png"})
    assert resolve_target("../../.env#x", "pages/x.md") == (None, "#x")


@pytest.mark.parametrize("between", [" ", "\n\n"])
@pytest.mark.parametrize(
    "example",
    [
        "`[x](a.png)`",
        "<img alt='a.png' title=\" src='a.png'\">",
        "```\n<img src='a.png'>\n```\n",
        "```\n[x](a.png)\n```\n",
        "[y]: a.png\n",
        "text <!-- [x](a.png) -->",
        r"\[x](a.png)",
    ],
)
def test_an_example_of_a_link_in_code_stays(example: str, between: str) -> None:
    changed = f"{example}{between}![x]({BASE}pages/a.png)"
    assert rewritten(f"{example}{between}![x](a.png)") == (changed, {"a.png"})


@pytest.mark.parametrize(
    ("target", "address"),
    [
        (r"my\_page.png", "my_page.png"),
        (r"team\(1\).png", "team%281%29.png"),
        ("a&amp;b.png", "a%26b.png"),
        ("a.png?x=1&amp;y=(2)", "a.png?x=1&y=%282%29"),
        ("team(1).png", "team%281%29.png"),
        (r"\_a.png", "_a.png"),
    ],
)
@pytest.mark.parametrize("form", ["![x]({})", "![x](<{}>)", "![x][y]\n\n[y]: {}", "|a|\n|-|\n|![x]({} 'b')|"])
def test_a_target_with_escapes_is_rewritten(form: str, target: str, address: str) -> None:
    text = form.format(target) + "\n\n[z](b.md.txt)\n"
    changed = form.format(f"{BASE}{address}") + f"\n\n[z]({BASE}b.md.txt)\n"
    assert rewritten(text, "x.md") == (changed, {target, "b.md.txt"})


def test_a_link_with_an_uncertain_location_is_not_rewritten() -> None:
    """The characters are those with which the search marks targets."""
    text = "\U000f0001 `[x](a.png)` ![x](a.png)"
    assert rewritten(text)[0] == text


PIECES = (
    "[x]( ![ ]( ) ](a.png) ](<b c.md>) (<b> ` ``` [y]: c&amp;d.md \\_e\\(1\\).md <a href= <img src='f.png'> </a> <!--"
)
PIECES += " javascript: &#106; > - | \\"
TEXTS = st.lists(st.sampled_from([*PIECES.split(), "\n", "\n\n", " ", "    "]), max_size=25).map("".join)
PARSER = MarkdownIt("commonmark").enable("table")
VALUE = re.compile(rf"(href|src)=(['\"]?)(?:{re.escape(BASE)})?[\w./%&;]*")


def structure(text: str) -> list[object]:
    """Return the parsed text without the targets of its links."""
    found: list[object] = []
    for block in PARSER.parse(text):
        for token in (block, *(block.children or ())):
            content = VALUE.sub(r"\1=\2", token.content) if token.type.startswith("html") else token.content
            found.append((token.type, "" if token.children else content, sorted(token.attrs)))
    return found


@given(TEXTS)
def test_a_rewrite_changes_only_the_targets(text: str) -> None:
    assert structure(rewritten(text)[0]) == structure(text)


def test_a_word_equal_to_a_target_is_not_rewritten() -> None:
    text = "see a.png: ![a.png](a.png 'a.png')"
    assert rewritten(text, "x.md")[0] == f"see a.png: ![a.png]({BASE}a.png 'a.png')"


def test_targets_with_a_common_start_are_distinguished() -> None:
    text = "[x](<a b.png>) [x](<a b>) [x](a) [x](a.png) [y]\n\n[y]: <a b.png>\n"
    changed = f"[x](<{BASE}a%20b.png>) [x](<{BASE}a%20b>) [x]({BASE}a) [x]({BASE}a.png) [y]\n\n[y]: <{BASE}a%20b.png>\n"
    assert rewritten(text, "x.md") == (changed, {"a b.png", "a b", "a", "a.png"})


@pytest.mark.parametrize(
    ("link", "html"),
    [("[x](a{}.png)\n\n", False), ("[x](<a b{}.png>)\n\n", False), ('<img src="a{}.png">\n', True)],
)
def test_many_targets_are_rewritten_in_linear_time(link: str, html: bool) -> None:
    def rewrite(size: int) -> None:
        text = "".join(link.format(number) for number in range(size))
        assert len(rewritten(text, html=html)[1]) == size

    assert grows_evenly(rewrite, 250)


def test_targets_with_a_common_start_are_rewritten_in_linear_time() -> None:
    def rewrite(size: int) -> None:
        text = "".join(f"[x](<a {'b' * length}>)\n" for length in range(250)) + "[x](<a b>)\n" * size
        assert len(rewritten(text)[1]) == 250

    assert grows_evenly(rewrite, 500)


def test_links_in_html_are_rewritten_exactly() -> None:
    text = "<p>a.png <img class=\"a.png\" src='a.png'></p>"
    changed = f"<p>a.png <img class=\"a.png\" src='{BASE}articles/a.png'></p>"
    assert rewritten(text, "articles/x.html", html=True) == (changed, {"a.png"})


@pytest.mark.parametrize(("form", "html"), [("[a]({})", False), ("![a]({})", False), ('<a href="{}">a</a>', True)])
def test_texts_with_different_targets_are_equal_without_their_targets(form: str, html: bool) -> None:
    one, other = (f"See {form.format(target)}." for target in ("https://a.example/", "https://b.example/c"))
    assert without_targets(one, html=html) == without_targets(other, html=html)
    assert without_targets(one, html=html) != without_targets(f"Go. {other}", html=html)
