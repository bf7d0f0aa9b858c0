"""contentsync.authoring.rename.link_targets: each form of a link names the entry after a rename."""

import pytest

from .conftest import Renamer, page

BODIES = [
    ("[x](/blog/about/)", "[x](/blog/team/)"),
    ("[x](/blog/about)", "[x](/blog/team)"),
    ("[x](/fr/blog/about/?a=1#part)", "[x](/fr/blog/team/?a=1#part)"),
    ("[x](/FR/blog/about/)", "[x](/FR/blog/team/)"),
    ("[x](about.md#part)", "[x](team.md#part)"),
    ("[x](./about.md)", "[x](./team.md)"),
    ("[x](../articles/about.fr.md)", "[x](../articles/team.fr.md)"),
    ("[x](/articles/about.md)", "[x](/articles/team.md)"),
    ('[x](about.md "About us")', '[x](team.md "About us")'),
    ("[x][a], [y][a]\n\n[a]: </blog/about/> 'About'", "[x][a], [y][a]\n\n[a]: </blog/team/> 'About'"),
    ('<a class="b" href="/blog/about/">x</a>', '<a class="b" href="/blog/team/">x</a>'),
    ("<a href='about.md'>x</a>", "<a href='team.md'>x</a>"),
    ("[[about]]", "[[team|about]]"),
    ("[[About]]", "[[team|About]]"),
    ("[[about|us]] [[about#Part|us]]", "[[team|us]] [[team#Part|us]]"),
    ("[[about#Part]]", "[[team#Part|about]]"),
    ("[[articles/about.md]]", "[[articles/team.md|articles/about.md]]"),
    ("| a | b |\n|---|---|\n| [[about]] | c |", "| a | b |\n|---|---|\n| [[team\\|about]] | c |"),
    ("[about][] [about]\n\n[about]: about.md", "[about][] [about]\n\n[about]: team.md"),
    ("[[about]]\n\n[about]: about.md", "[[about]]\n\n[about]: team.md"),
    ('[x]({{< ref "about.md" >}})', '[x]({{< ref "team.md" >}})'),
    ('[x]({{< relref "/articles/about#part" >}})', '[x]({{< relref "/articles/team#part" >}})'),
    ("[x]({% link articles/about.md %})", "[x]({% link articles/team.md %})"),
    ("[x]({{ site.baseurl }}/blog/about/)", "[x]({{ site.baseurl }}/blog/team/)"),
    ('[x]({{ "/blog/about/" | relative_url }})', '[x]({{ "/blog/team/" | relative_url }})'),
    ("![p](about/photo.png) [x](/blog/about/)", "![p](about/photo.png) [x](/blog/team/)"),
]


@pytest.mark.parametrize(("before", "after"), BODIES)
def test_a_link_gets_the_new_name_in_its_own_form(rename: Renamer, before: str, after: str) -> None:
    files = {
        "articles/about.md": page("About", "x"),
        "articles/about.fr.md": page("À propos", "x"),
        "articles/help.md": page("Help", f"## Part\n{before}"),
    }
    renamed = rename(files, "article/about", "team")
    assert renamed.text("articles/help.md") == page("Help", f"## Part\n{after}")
    assert not renamed.plan.unchanged


@pytest.mark.parametrize(
    "body",
    [
        "[x](/blog/about-us/) [y](https://example.com/blog/about/) about",
        "`[x](/blog/about/)`",
        "[x](/pages/about/)",
        "[x](/blog/about/team/)",
        "[x](mailto:about@example.com)",
        "<https://example.com/blog/about/> <about@example.com>",
        "![[about]]",
    ],
)
def test_a_text_without_a_link_to_the_entry_stays_unchanged(rename: Renamer, body: str) -> None:
    files = {
        "articles/about.md": page("About", "x"),
        "articles/about-us.md": page("Us", "x"),
        "pages/about.md": page("About", "x"),
        "articles/help.md": page("Help", body),
    }
    renamed = rename(files, "article/about", "team")
    assert renamed.text("articles/help.md") == page("Help", body)


@pytest.mark.parametrize(
    ("kind", "folder", "text"),
    [
        ("page", "pages", "title: Two\nslug: two"),
        ("listing", "listings", "name: Two\nslug: two"),
    ],
)
def test_every_spelling_of_an_address_is_rewritten(rename: Renamer, kind: str, folder: str, text: str) -> None:
    links = "[a](/{0}/%74wo/) [b](/{0}/./two/) [c](/{0}//two/) [d](/{0}/two)"
    files = {f"{folder}/x.md": f"---\n{text}\n---\n", "articles/help.md": page("Help", links.format(folder))}
    renamed = rename(files, f"{kind}/two", "three")
    changed = f"[a](/{folder}/three/) [b](/{folder}/./three/) [c](/{folder}//three/) [d](/{folder}/three)"
    assert renamed.text("articles/help.md") == page("Help", changed)
    assert not renamed.plan.unchanged


def test_an_encoded_slug_in_a_query_is_rewritten(rename: Renamer) -> None:
    body = "[a](/categories/%74ools/) [b](/listings/?category=%74ools&q=x)"
    files = {"categories.yaml": "- {title: Tools, slug: tools}\n", "pages/help.md": page("Help", body)}
    renamed = rename(files, "category/tools", "kit")
    assert "[a](/categories/kit/) [b](/listings/?category=kit&q=x)" in renamed.text("pages/help.md")


def test_links_to_a_category_get_the_new_slug_in_paths_and_queries(rename: Renamer) -> None:
    body = "[a](/categories/tools/) [b](/?category=tools&q=tools) [c](/fr/listings/?tag=tools) [d](/?category=tools-2)"
    files = {"categories.yaml": "- {title: Tools, slug: tools}\n", "pages/help.md": page("Help", body)}
    renamed = rename(files, "category/tools", "kit")
    assert "[a](/categories/kit/) [b](/?category=kit&q=tools) [c](/fr/listings/?tag=tools)" in renamed.text(
        "pages/help.md"
    )
    assert "[d](/?category=tools-2)" in renamed.text("pages/help.md")


def test_a_link_to_a_listing_gets_the_new_slug(rename: Renamer) -> None:
    files = {"listings/a.yaml": "- {name: Saw, slug: saw}\n", "pages/help.md": page("Help", "[x](/listings/saw/)")}
    assert "(/listings/hand-saw/)" in rename(files, "listing/saw", "hand-saw").text("pages/help.md")


def test_a_link_to_a_listing_stays_if_only_its_url_changes(rename: Renamer) -> None:
    help_page = page("Help", "[x](/listings/saw/)")
    files = {"listings/a.yaml": "- {name: Saw, slug: saw, url: https://a.example}\n", "pages/help.md": help_page}
    renamed = rename(files, "listing/https://a.example", "https://b.example")
    assert (renamed.text("pages/help.md"), renamed.plan.unchanged) == (help_page, ())


def test_a_link_names_the_listing_rather_than_an_equal_alias(rename: Renamer) -> None:
    """The article was once at the address of the listing. A link to a former address would stay as it is."""
    about = page("About", "x", keys="aliases: [/listings/saw/]\n")
    config = '[site]\nname = "T"\n[content.articles]\nformer_addresses = ["aliases"]\n'
    files = {
        "contentsync.toml": config,
        "articles/about.md": about,
        "listings/a.yaml": "- {name: Saw, slug: saw}\n",
        "pages/help.md": page("Help", "[x](/listings/saw/)"),
    }
    assert "(/listings/hand-saw/)" in rename(files, "listing/saw", "hand-saw").text("pages/help.md")


def test_a_link_to_a_former_address_stays_and_still_leads_to_the_entry(rename: Renamer) -> None:
    config = '[site]\nname = "T"\n[content.pages]\nformer_addresses = ["aliases"]\n'
    files = {
        "contentsync.toml": config,
        "pages/about.md": page("About", "x", keys="aliases: [/old/about.html]\n"),
        "pages/help.md": page("Help", "[x](/old/about.html)"),
    }
    renamed = rename(files, "page/about", "team")
    assert "(/old/about.html)" in renamed.text("pages/help.md")
    assert not renamed.plan.unchanged


def test_a_link_by_the_permalink_pattern_stays_and_still_leads_to_the_entry(rename: Renamer) -> None:
    config = '[content.articles]\npermalink = "/:year/:slug/"\n'
    files = {
        "contentsync.toml": config,
        "articles/2026-03-01-about.md": page("Who", "x"),
        "pages/help.md": page("Help", "[x](/2026/about/)"),
    }
    renamed = rename(files, "article/about", "team")
    assert "(/2026/about/)" in renamed.text("pages/help.md")
    assert not renamed.plan.unchanged


def test_relative_links_of_a_moved_file_lead_to_the_same_files(rename: Renamer) -> None:
    body = "[a](help.md) [b](../media/a%20b.pdf) ![p](./photo.png)\n\n[c]\n\n[c]: sub/deep.md#x\n"
    files = {
        "articles/about.md": page("About", body),
        "articles/about.fr.md": page("À propos", "[a](help.md)"),
        "articles/help.md": page("Help", "[x](about.md)"),
        "articles/sub/deep.md": page("Deep", "[x](../about.md)"),
        "articles/photo.png": "",
    }
    renamed = rename(files, "articles/about.md", "articles/sub/about.md")
    moved = "[a](../help.md) [b](../../media/a%20b.pdf) ![p](../photo.png)\n\n[c]\n\n[c]: deep.md#x\n"
    assert renamed.text("articles/sub/about.md") == page("About", moved)
    assert renamed.text("articles/sub/about.fr.md") == page("À propos", "[a](../help.md)")
    assert "(sub/about.md)" in renamed.text("articles/help.md")
    assert "(about.md)" in renamed.text("articles/sub/deep.md")


def test_a_hugo_ref_with_a_folder_gets_the_new_folder(rename: Renamer) -> None:
    files = {
        "pages/docs/about.md": page("About"),
        "pages/other/x.md": page("X"),  # so that the new folder exists
        "pages/help.md": page("Help", '[x]({{< ref "docs/about" >}})'),
    }
    renamed = rename(files, "pages/docs/about.md", "pages/other/about.md")
    assert renamed.text("pages/help.md") == page("Help", '[x]({{< ref "other/about" >}})')


def test_a_link_is_rewritten_while_an_example_of_it_in_code_stays(rename: Renamer) -> None:
    body = r"Write `[x](/pages/my-page/)` like [x](/pages/my-page/) or [y](my\_page.md)."
    files = {"pages/my_page.md": page("About"), "pages/help.md": page("Help", body)}
    renamed = rename(files, "pages/my_page.md", "pages/team.md")
    changed = "Write `[x](/pages/my-page/)` like [x](/pages/team/) or [y](team.md)."
    assert renamed.text("pages/help.md") == page("Help", changed)
    assert not renamed.plan.unchanged


@pytest.mark.parametrize(
    "link",
    [
        "[x](https://example.com/a/b/)",
        "![x](@site/static/x.png)",
        "[x](//example.com/a)",
        "[x](mailto:a@example.com)",
        "[x](tel:+43)",
        "[x](#part)",
        "[x](?a=b#part)",
        '<a href="https://example.com/a">x</a> <a href="#part">y</a>',
        "[x][y]\n\n[y]: https://example.com/a",
    ],
)
@pytest.mark.parametrize("path", ["articles/team/index.md", "articles/new/about.md"])
def test_a_link_without_a_path_stays_when_its_file_moves(rename: Renamer, link: str, path: str) -> None:
    old_path = "articles/about/index.md" if path.endswith("index.md") else "articles/about.md"
    text = page("About", f"## Part\n{link} [z](../pages/z.md)")
    renamed = rename({old_path: text, "pages/z.md": page("Z", "z")}, old_path, path)
    assert f"## Part\n{link} [z](../" in renamed.text(path)


def test_a_link_to_the_folder_of_an_index_gets_the_new_name(rename: Renamer) -> None:
    files = {
        "articles/about/index.md": page("About", "[x](./) [y](../help/)"),
        "articles/help/index.md": page("Help", "[x](../about/#part)"),
    }
    renamed = rename(files, "article/about", "team")
    assert "[x](./) [y](../help/)" in renamed.text("articles/team/index.md")
    assert renamed.text("articles/help/index.md") == page("Help", "[x](../team/#part)")
    assert not renamed.plan.unchanged


@pytest.mark.parametrize(
    "text",
    [
        "# Help\n\n[x](about.md)\n",
        "---\nplacement: footer\n---\n\n# Help\n[x](/pages/about/)\n",
        "---\ntitle: Help\n---\n\n# Help\n\n[x](about.md)\n",
        "Help\n====\n\n[x](about.md) [y](about.md)\n",
        'import X from "x"\n\n# Help\n\n[x](about.md)\n',
    ],
)
def test_a_link_below_the_heading_that_is_the_title_gets_the_new_name(rename: Renamer, text: str) -> None:
    config = '[site]\nname = "Test"\n[content.pages]\ntitle = "heading"\n'
    files = {"contentsync.toml": config, "pages/about.md": page("About", "x"), "pages/help.md": text}
    renamed = rename(files, "page/about", "team")
    assert renamed.text("pages/help.md") == text.replace("about", "team")
    assert not renamed.plan.unchanged
