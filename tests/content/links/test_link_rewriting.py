"""contentsync.content.links.link_rewriting: targets replaced by addresses, and nothing else."""

import pytest

from contentsync.content.links.body_links import internal_links
from contentsync.content.links.link_rewriting import asset_addresses, resolve_target, rewrite_links

from ...growth import grows_evenly

BASE = "https://cdn.example.com/site/"


def rewritten(text: str, path: str = "pages/x.md", *, html: bool = False) -> tuple[str, set[str]]:
    links = internal_links(text, html=html)
    addresses = asset_addresses(links, path, BASE)
    changed = rewrite_links(text, links, addresses, html=html)
    return (text, set()) if changed is None else (changed, set(addresses))


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
def test_a_link_is_followed_from_its_file(target: str, address: str) -> None:
    assert rewritten(f"![x]({target})", "pages/help/x.md") == (f"![x]({BASE}{address})", {target})


def test_a_link_out_of_the_folder_is_not_rewritten() -> None:
    """FI-31"""
    assert rewritten("![x](../../.env) ![y](a.png)") == (f"![x](../../.env) ![y]({BASE}pages/a.png)", {"a.png"})
    assert resolve_target("../../.env#x", "pages/x.md") == (None, "#x")


@pytest.mark.parametrize("example", ["`[x](a.png)`", '<img alt="a.png" title=" src=\'a.png\'">'])
def test_a_text_that_would_change_elsewhere_is_left_as_it_is(example: str) -> None:
    text = f"text {example} ![x](a.png)"
    assert rewritten(text) == (text, set())


@pytest.mark.parametrize(
    "example", ["`[x](a.png)`", "```\n<img src='a.png'>\n```", "```\n[x](a.png)\n```", "[y]: a.png"]
)
def test_an_example_in_another_block_stays_an_example(example: str) -> None:
    assert rewritten(f"{example}\n\n![x](a.png)") == (f"{example}\n\n![x]({BASE}pages/a.png)", {"a.png"})


def test_a_word_like_a_target_is_not_rewritten() -> None:
    text = "see a.png: ![a.png](a.png 'a.png')"
    assert rewritten(text, "x.md")[0] == f"see a.png: ![a.png]({BASE}a.png 'a.png')"


def test_targets_that_start_alike_are_distinguished() -> None:
    text = "[x](<a b.png>) [x](<a b>) [x](a) [x](a.png) [y]\n\n[y]: <a b.png>\n"
    changed = f"[x](<{BASE}a%20b.png>) [x](<{BASE}a%20b>) [x]({BASE}a) [x]({BASE}a.png) [y]\n\n[y]: <{BASE}a%20b.png>\n"
    assert rewritten(text, "x.md") == (changed, {"a b.png", "a b", "a", "a.png"})


@pytest.mark.parametrize(
    ("link", "html"),
    [("[x](a{}.png)\n\n", False), ("[x](<a b{}.png>)\n\n", False), ('<img src="a{}.png">\n', True)],
)
def test_many_targets_are_rewritten_in_one_pass(link: str, html: bool) -> None:
    def rewrite(size: int) -> None:
        text = "".join(link.format(number) for number in range(size))
        assert len(rewritten(text, html=html)[1]) == size

    assert grows_evenly(rewrite, 750)


def test_targets_of_many_lengths_that_start_alike_are_rewritten_in_one_pass() -> None:
    def rewrite(size: int) -> None:
        text = "".join(f"[x](<a {'b' * length}>)\n" for length in range(250)) + "[x](<a b>)\n" * size
        assert len(rewritten(text)[1]) == 250

    assert grows_evenly(rewrite, 1_250)


def test_links_in_html_are_rewritten_exactly() -> None:
    text = "<p>a.png <img class=\"a.png\" src='a.png'></p>"
    changed = f"<p>a.png <img class=\"a.png\" src='{BASE}articles/a.png'></p>"
    assert rewritten(text, "articles/x.html", html=True) == (changed, {"a.png"})
