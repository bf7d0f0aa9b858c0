"""content.folder.folder_links: links of other generators lead to entries of the folder, and to their parts."""

from pathlib import Path

import pytest

from contentsync.content.folder.load import Content, load_content, validate_folder
from contentsync.content.folder.unit_cache import InMemoryCache

from ..conftest import CONFIG, Files, Load, spots, write

PERMALINK = CONFIG + '[content.articles]\npath = "_posts"\npermalink = "/news/:year/:month/:title/"\n'
POST = "---\ntitle: My post\n---\n\n# First part\n\nText\n"
POSTS: Files = {
    "contentsync.toml": PERMALINK,
    "_posts/2020-05-01-my-post.md": POST,
    "_posts/2021-01-31-other.md": "---\ntitle: Another title\naliases: [/old/, 'https://example.org/older.html']\n---\nText\n",
    "pages/about-us.md": "---\ntitle: About\n---\nText\n",
}


def body(content: Content, key: str = "from") -> str:
    """Return the text of a page or article as it is sent."""
    text = next(entry for entry in content.entries if entry.key == key).fields["markdown"]
    assert isinstance(text, str)
    return text


@pytest.mark.parametrize(
    ("link", "sent"),
    [
        ("[x](/news/2020/05/my-post/)", "[x](/blog/my-post/)"),
        ("[x](/news/2020/05/My%20Post.html?a=b#first-part)", "[x](/blog/my-post/?a=b#first-part)"),
        ("[x](/fr/news/2020/05/my-post)", "[x](/blog/my-post/?locale=fr)"),
        ("[x](/FR/news/2020/05/my-post/)", "[x](/blog/my-post/?locale=fr)"),
        ("[x](/news/2021/01/another-title/)", "[x](/blog/other/)"),
        ("[x](/old)", "[x](/blog/other/)"),
        ("[x](/older/)", "[x](/blog/other/)"),
        ("[x](../_posts/2020-05-01-my-post.md)", "[x](/blog/my-post/)"),
        ("[x](/_posts/2020-05-01-my-post.md)", "[x](/blog/my-post/)"),
        ('[x]({{< ref "2020-05-01-my-post.md" >}})', "[x](/blog/my-post/)"),
        ('[x]({{% relref "about-us#" %}})', "[x](/pages/about-us/#)"),
        ('[x]({{< ref path="/about-us" lang="en" >}})', "[x](/pages/about-us/)"),
        ("[x]({% post_url 2020-05-01-my-post %})", "[x](/blog/my-post/)"),
        ("[x]({% link _posts/2020-05-01-my-post.md %}#first-part)", "[x](/blog/my-post/#first-part)"),
        ("[x]({{ site.baseurl }}{% link pages/about-us.md %})", "[x](/pages/about-us/)"),
        ("[x]({{ site.url }}{{site.baseurl}}/news/2020/05/my-post/)", "[x](/blog/my-post/)"),
        ("[x]({{ '/old/' | relative_url }})", "[x](/blog/other/)"),
        ("[x]({{ site.baseurl }}/pages/about-us/)", "[x](/pages/about-us/)"),
        ("[x]({{ site.baseurl }}/blog/)", "[x](/blog/)"),
        ("[[About us]]", "[About us](/pages/about-us/)"),
        ("[[my-post#First part|the post]]", "[the post](/blog/my-post/#first-part)"),
        ("| a |\n|---|\n| [[About us|b]] |", "| a |\n|---|\n| [b](/pages/about-us/) |"),
        ("[x][y]\n\n[y]: {% post_url 2020-05-01-my-post %}", "[x][y]\n\n[y]: /blog/my-post/"),
        ("`code` [x]({{< ref about-us >}})", "`code` [x](/pages/about-us/)"),
        ("<a href=\"{{< ref 'about-us' >}}\">x</a>", '<a href="/pages/about-us/">x</a>'),
        (
            "- a\n\n  > [x](/old/) and [[About us]] `b`",
            "- a\n\n  > [x](/blog/other/) and [About us](/pages/about-us/) `b`",
        ),
    ],
)
def test_a_link_in_any_common_form_becomes_the_address_of_the_entry(read: Load, link: str, sent: str) -> None:
    content = read({**POSTS, "pages/from.md": f"---\ntitle: A\n---\n{link}\n"})
    assert content.problems == ()
    assert body(content) == sent


@pytest.mark.parametrize("settings", ["", 'asset_base_url = "https://files.example.org/"\n'])
@pytest.mark.parametrize("index", ["index.md", "index.en.md", "_index.md"])
@pytest.mark.parametrize(
    ("link", "sent"),
    [
        ("[x](../tour/#part)", "[x](/blog/tour/#part)"),
        ("[x](../tour?a=b)", "[x](/blog/tour/?a=b)"),
        ("[x](./)", "[x](/blog/guide/)"),
        ("[x](.#part)", "[x](/blog/guide/#part)"),
        ('<a href="../tour/">x</a>', '<a href="/blog/tour/">x</a>'),
    ],
)
def test_a_link_to_the_folder_of_an_index_leads_to_its_entry(
    read: Load, link: str, sent: str, index: str, settings: str
) -> None:
    text = f"---\ntitle: A\n---\n## Part\n\n{link}\n"
    config = CONFIG.replace('locales = ["en"', f'{settings}locales = ["en"')
    content = read({"contentsync.toml": config, f"articles/tour/{index}": text, f"articles/guide/{index}": text})
    assert content.problems == ()
    assert body(content, "guide") == f"## Part\n\n{sent}"


@pytest.mark.parametrize("link", ["./", "../guide", "../tour/#part"])
def test_a_link_to_a_folder_of_entries_without_an_index_is_reported(read: Load, link: str) -> None:
    """Nothing is at its address on the asset host, unlike that of a folder of files."""
    config = CONFIG.replace('locales = ["en"', 'asset_base_url = "https://files.example.org/"\nlocales = ["en"')
    text = f"---\ntitle: A\n---\n[x]({link})\n"
    other = "---\ntitle: B\n---\n[y](../../img/)\n"
    content = read(
        {"contentsync.toml": config, "articles/guide/one.md": text, "articles/tour/two.md": other, "img/a": ""}
    )
    assert spots(content) == [("articles/guide/one.md", 4, 5, "relative-link")]


@pytest.mark.parametrize(
    "text",
    [
        "`[[About us]]` and `{% post_url 2020-05-01-my-post %}`",
        "```\n[x](/news/2020/05/my-post/) [[About us]]\n```",
        "    [x]({% link nowhere.md %})",
        "[[1]] [[^note]] [[:alpha:]] [[ -f x ]] [[TOC]] ![[picture.png]]",
        "[[About us]]\n\n[about us]: https://example.org",
        r"\[[About us]]",
        "![x]({{ site.baseurl }}/img/a.png)",
        "{{ site.baseurl }} {{< ref nowhere >}} {% post_url nowhere %}",
    ],
)
def test_code_and_similar_syntax_are_not_rewritten_as_links(read: Load, text: str) -> None:
    content = read({**POSTS, "pages/from.md": f"---\ntitle: A\n---\nText\n\n{text}\n"})
    assert {problem.code for problem in content.problems} <= {"template-syntax"}
    assert body(content) == f"Text\n\n{text}"


@pytest.mark.parametrize(
    ("link", "hint"),
    [
        ("[x](/news/2020/06/my-post/)", "did you mean '/news/2020/05/my-post/'?"),
        ("[x](/fr/news/2020/05/my-pots/)", "did you mean '/fr/news/2020/05/my-post/'?"),
        ("[x](/archive/of/everything/)", "correct the link, or add the entry"),
        ("[[Abuot us]]", "did you mean 'about-us'?"),
        ("[x]({% post_url 2020-05-01-my-pots %})", "did you mean '2020-05-01-my-post'?"),
        ('[x]({{< ref "nothing/like/it.md" >}})', "correct the link, or add the file"),
        ("[x](/blog/my-pots/)", "did you mean '/blog/my-post/'?"),
    ],
)
def test_a_link_to_no_entry_is_a_warning_with_the_nearest_name(read: Load, link: str, hint: str) -> None:
    content = read({**POSTS, "pages/from.md": f"---\ntitle: A\n---\nText\n{link}\n"})
    (problem,) = content.problems
    assert (problem.code, problem.where.path, problem.where.line) == ("broken-link", "pages/from.md", 5)
    assert problem.hint == hint
    assert body(content) == f"Text\n{link}"


def test_an_ambiguous_name_means_the_entry_of_the_same_kind(read: Load) -> None:
    content = read(
        {
            "articles/x.md": "---\ntitle: X\n---\n[[x]]\n",
            "pages/x.md": "---\ntitle: X\n---\n",
            "organizers/o.md": "---\nname: O\n---\n[[x]]\n",
        }
    )
    (problem,) = content.problems
    assert (problem.where.path, problem.message) == (
        "organizers/o.md",
        "the link to '[[x]]' is ambiguous: it names article x and page x",
    )
    assert next(entry for entry in content.entries if entry.kind == "article").fields["markdown"] == "[x](/blog/x/)"


LISTING = "listings/tools.csv"
TABLES = {"with a slug": "name,slug,url\nSaw,saw,https://saw.example/\n", "by its name": "name\nSaw\n"}


@pytest.mark.parametrize("table", TABLES.values(), ids=TABLES)
def test_the_address_of_a_listing_wins_over_a_former_address(read: Load, table: str) -> None:
    """As for entries of every other kind; only slugs that the service makes are unknown."""
    alias = "---\ntitle: Another title\naliases: [/listings/saw/]\n---\nText\n"
    link = "[x](/listings/saw/#prices)"
    from_page = f"---\ntitle: A\n---\n{link}\n"
    content = read({**POSTS, LISTING: table, "_posts/2021-01-31-other.md": alias, "pages/from.md": from_page})
    (problem,) = content.problems
    assert (problem.code, problem.where.path) == ("same-address", "_posts/2021-01-31-other.md")
    assert problem.message == f"the former address /listings/saw/ is the present address of {LISTING}"
    assert body(content) == link


def test_a_missing_fragment_is_a_warning_with_the_nearest_heading(read: Load) -> None:
    target = "---\ntitle: T\n---\n\n# Fees and dates\n\n## Fees and dates\n\nSetext\n------\n\n## Über uns {#about}\n"
    links = [
        *("fees-and-dates", "fees-and-dates-1", "setext", "about", "section-about", "%61bout", "top", "section-setext"),
        *("fees-and-datse", "prices"),
    ]
    source = "\n".join(f"[x](/pages/t/#{fragment})" for fragment in links)
    content = read({"pages/t.md": target, "pages/from.md": f"---\ntitle: A\n---\n{source}\n"})
    assert spots(content) == [("pages/from.md", 12, 5, "broken-fragment"), ("pages/from.md", 13, 5, "broken-fragment")]
    assert (
        content.problems[0].message
        == "the link to '/pages/t/#fees-and-datse' leads to a part that the page 't' does not have"
    )
    assert [problem.hint for problem in content.problems] == [
        "did you mean '#fees-and-dates'?",
        "correct the fragment, or add the heading",
    ]


def test_other_site_addresses_are_not_checked_without_former_addresses(read: Load) -> None:
    content = read({"pages/a.md": "---\ntitle: A\n---\n[x](/archive/of/everything/) [y](/news/2020/05/my-post/)\n"})
    assert content.problems == ()


def test_a_former_address_of_two_entries_is_a_warning_that_names_both(read: Load) -> None:
    files = {
        "contentsync.toml": CONFIG + '[content.articles]\npermalink = "/:year/"\n',
        "articles/2020-01-01-a.md": POST,
        "articles/2020-01-02-b.md": POST,
        "pages/p.md": "---\ntitle: P\n---\n[x](/2020/)\n",
    }
    content = read(files)
    (problem,) = content.problems
    assert (problem.code, problem.where.path, problem.key) == ("same-address", "articles/2020-01-02-b.md", "b")
    assert problem.message == "the former address /2020/ is also that of articles/2020-01-01-a.md, line 1"
    assert body(content, "p") == "[x](/blog/a/)"


def test_a_present_address_takes_precedence_over_a_former_one(read: Load) -> None:
    content = read(
        {
            "contentsync.toml": CONFIG + '[content.articles]\nformer_addresses = ["redirect_from"]\n',
            "articles/a.md": "---\ntitle: A\nredirect_from: /blog/b/\n---\n[x](/blog/b/)\n",
            "articles/b.md": POST,
        }
    )
    (problem,) = content.problems
    assert (problem.code, problem.where.path, problem.where.line) == ("same-address", "articles/a.md", 3)
    assert problem.message == "the former address /blog/b/ is the present address of articles/b.md"
    assert body(content, "a") == "[x](/blog/b/)"


def test_links_of_cached_entries_follow_changes_of_other_entries(tmp_path: Path) -> None:
    root = write(tmp_path, {**POSTS, "pages/from.md": "---\ntitle: A\n---\n[[About us]] [x](/old/)\n"})
    cache = InMemoryCache(margin=-(10**12))
    assert body(load_content(root, cache)) == "[About us](/pages/about-us/) [x](/blog/other/)"
    assert body(load_content(root, cache)) == "[About us](/pages/about-us/) [x](/blog/other/)"
    (root / "pages/about-us.md").unlink()
    (root / "_posts/2021-01-31-other.md").write_text("---\ntitle: T\nslug: new\naliases: /old/\n---\nText\n")
    content = load_content(root, cache)
    assert body(content) == "[[About us]] [x](/blog/new/)"
    assert [problem.code for problem in content.problems] == ["broken-link"]


def test_each_link_of_a_text_is_rewritten_separately(read: Load) -> None:
    """In the notations of Pandoc, Turndown and Notion, and beside an example of the same link."""
    links = r"[a](my\_page.md) [b](team\(1\).md#a&amp;b) `[c](to.md)` [c](to.md) [d](none\_x.md)"
    titles = {f"pages/{name}.md": "---\ntitle: T\n---\n<a id='a&b'></a>\n" for name in ("my_page", "team(1)", "to")}
    content = read({**titles, "pages/from.md": f"---\ntitle: A\n---\n{links}\n"})
    sent = r"[a](/pages/my-page/) [b](/pages/team-1/#a&b) `[c](to.md)` [c](/pages/to/) [d](none\_x.md)"
    assert body(content) == sent
    assert [(problem.code, problem.message.split("'")[1]) for problem in content.problems] == [
        ("relative-link", r"none\_x.md")
    ]


def test_validate_reports_the_same_link_problems_as_a_load(tmp_path: Path) -> None:
    root = write(tmp_path, {**POSTS, "pages/from.md": "---\ntitle: A\n---\n[[Abuot us]] [x](/old/#x) [y](/older/)\n"})
    assert validate_folder(root).problems == load_content(root).problems
    assert [problem.code for problem in load_content(root).problems] == ["broken-link", "broken-fragment"]


def test_a_changed_permalink_in_the_config_invalidates_the_cache(tmp_path: Path) -> None:
    root = write(
        tmp_path, {**POSTS, "pages/from.md": "---\ntitle: A\n---\n[x](/news/2020/05/my-post/) [y](/my-post/)\n"}
    )
    cache = InMemoryCache(margin=-(10**12))
    assert body(load_content(root, cache)) == "[x](/blog/my-post/) [y](/my-post/)"
    (root / "contentsync.toml").write_text(PERMALINK.replace("/news/:year/:month/:title/", "/:title/"))
    assert body(load_content(root, cache)) == "[x](/news/2020/05/my-post/) [y](/blog/my-post/)"


def test_a_link_to_a_former_slug_suggests_the_present_address(read: Load) -> None:
    pages = {"pages/team.md": "---\ntitle: Team\nsync: {previous: [who-we-are]}\n---\nText\n"}
    (problem,) = read({**pages, "pages/from.md": "---\ntitle: From\n---\n[x](/fr/pages/who-we-are/#a)\n"}).problems
    assert problem.hint == "it was renamed: write /pages/team/?locale=fr"
    assert [fix.new for fix in problem.fixes] == ["/pages/team/?locale=fr#a"]
