"""authoring.edit.document_edits: values of pages, articles and organizers change in place, and new files."""

import re
from pathlib import Path

import pytest

from contentsync.authoring.edit.pull_edits import plan_edits
from contentsync.content.folder.load import load_content
from contentsync.errors import Refused
from contentsync.model import Entry, Kind

from ...content.conftest import Files, write
from .pulls import entry, incoming, pulled


def test_a_pull_changes_only_the_differing_values_of_a_document(tmp_path: Path) -> None:
    before = (
        "\ufeff---\r\n# about us\r\ntitle:   'About'  # short\r\nseo: { title: \"A\" }\r\n\r\n"
        "order: 3 # third\r\n---\r\n\r\nWho we are.\r\n\r\n"
    )
    after = pulled(
        tmp_path,
        {"pages/about.md": before},
        {
            (Kind.PAGE, "about"): {
                "title": "About us: all",
                "seo.description": "no",
                "order": 4,
                "markdown": "We.\n\nAll.",
            }
        },
    )
    assert after["pages/about.md"] == (
        "\ufeff---\r\n# about us\r\ntitle:   'About us: all'  # short\r\n"
        'seo: { title: "A", description: "no" }\r\n\r\n'
        "order: 4 # third\r\n---\r\n\r\nWe.\r\n\r\nAll.\r\n\r\n"
    )


def test_toml_stays_toml(tmp_path: Path) -> None:
    before = """\
+++
title = "Hello" # greeting
published_at = 2026-01-01T00:00:00Z
active = false # a draft

[seo]
title = "Hello to you"
+++

Text
"""
    after = pulled(
        tmp_path,
        {"articles/hello.md": before},
        {
            (Kind.ARTICLE, "hello"): {
                "title": 'Say "hello"',
                "published_at": "2026-02-01T10:00:00.000000Z",
                "active": True,
                "seo.title": None,
                "seo.keywords": "a, b",
                "thumbnail_alt_text": "Two\nlines",
            }
        },
    )
    assert (
        after["articles/hello.md"]
        == """\
+++
title = "Say \\"hello\\"" # greeting
thumbnail_alt_text = "Two\\nlines"
published_at = 2026-02-01T10:00:00Z
active = true # a draft

[seo]
keywords = "a, b"
+++

Text
"""
    )


def test_a_pull_writes_renamed_and_negated_keys_of_the_config(tmp_path: Path) -> None:
    config = (
        '[site]\nname = "T"\n[content.articles]\nrename = { date = "published_at", draft = "!active", meta = "seo" }\n'
    )
    files = {"contentsync.toml": config, "articles/a.md": "---\ntitle: A\ndraft: true # not yet\n---\nText\n"}
    changes = {"active": True, "published_at": "2026-02-01T10:00:00.000000Z", "seo.title": "S"}
    after = pulled(tmp_path, files, {(Kind.ARTICLE, "a"): changes})
    assert after["articles/a.md"] == (
        "---\ntitle: A\ndraft: false # not yet\ndate: 2026-02-01T10:00:00Z\nmeta:\n  title: S\n---\nText\n"
    )


def test_a_pulled_translation_is_edited_where_the_author_wrote_it(tmp_path: Path) -> None:
    files = {
        "articles/a.md": "---\ntitle: A\ntranslations:\n  fr: {title: Le A} # ours\n---\nText\n",
        "articles/a.fr.md": "---\nseo: {title: S}\n---\nTexte\n",
    }
    changes = {"title": "Un A", "markdown": "Le texte", "seo.title": "T"}
    named = {f"translations.fr.{name}": value for name, value in changes.items()}
    after = pulled(tmp_path, files, {(Kind.ARTICLE, "a"): named})
    assert after == {
        "articles/a.md": "---\ntitle: A\ntranslations:\n  fr: {title: Un A} # ours\n---\nText\n",
        "articles/a.fr.md": "---\nseo: {title: T}\n---\nLe texte\n",
    }


def test_a_new_language_is_written_beside_the_other_translations(tmp_path: Path) -> None:
    config = '[site]\nname = "T"\nlocales = ["en", "fr", "de"]\n'
    files = {
        "contentsync.toml": config,
        "organizers/a.md": "---\nname: A\n---\n",
        "organizers/a.fr.md": "---\nname: Le A\n---\n",
        "organizers/b.md": "---\nname: B\n---\n",
    }
    changes = {"translations.de.name": "Das"}
    after = pulled(tmp_path, files, {(Kind.ORGANIZER, "a"): changes, (Kind.ORGANIZER, "b"): changes})
    assert after == {
        "organizers/a.de.md": "---\nname: Das\n---\n",
        "organizers/b.md": "---\nname: B\ntranslations:\n  de:\n    name: Das\n---\n",
    }


def test_deleting_a_translation_also_deletes_its_file(tmp_path: Path) -> None:
    files = {"articles/a.md": "---\ntitle: A\n---\nText\n", "articles/a.fr.md": "Texte\n"}
    pulled(tmp_path, files, {(Kind.ARTICLE, "a"): {"translations.fr.markdown": None}})
    assert not (tmp_path / "articles/a.fr.md").exists()


def test_an_article_changed_to_html_is_moved_to_an_html_file(tmp_path: Path) -> None:
    files = {"articles/a.md": "---\ntitle: A # a\n---\nText\n"}
    html = {"content": "<p>Text</p>", "is_markdown": False}
    after = pulled(tmp_path, files, {(Kind.ARTICLE, "a"): html})
    assert after == {"articles/a.html": "---\ntitle: A # a\n---\n<p>Text</p>\n"}
    assert not (tmp_path / "articles/a.md").exists()


def test_an_article_changed_to_markdown_is_moved_to_a_markdown_file(tmp_path: Path) -> None:
    files = {"articles/a.html": "---\ntitle: A\n---\n<p>Text</p>\n"}
    after = pulled(tmp_path, files, {(Kind.ARTICLE, "a"): {"markdown": "# Text", "is_markdown": True}})
    assert after == {"articles/a.md": "---\ntitle: A\n---\n# Text\n"}


@pytest.mark.parametrize(
    "body",
    ["    code\n", "\t\n  text", "  \ntext", "<<<<<<< HEAD", "---\ntitle: x\n---\n", "", "a\rb", "\u2028a\u0085b"],
)
def test_a_pulled_body_is_read_back_unchanged(tmp_path: Path, body: str) -> None:
    pulled(tmp_path, {"pages/a.md": "---\ntitle: A\n---\nText\n"}, {(Kind.PAGE, "a"): {"markdown": body}})
    (there,) = load_content(tmp_path).entries
    expected = body.replace("\r", "\n").strip("\n").rstrip()
    assert str(there.fields.get("markdown", "")).strip("\n").rstrip() == expected


def test_a_file_with_only_a_body_gets_no_front_matter(tmp_path: Path) -> None:
    files = {"articles/a.md": "---\ntitle: A\n---\nText\n", "articles/a.fr.md": "Texte\n"}
    after = pulled(tmp_path, files, {(Kind.ARTICLE, "a"): {"translations.fr.markdown": "Autre"}})
    assert after == {"articles/a.fr.md": "Autre\n"}
    after = pulled(tmp_path, files, {(Kind.ARTICLE, "a"): {"translations.fr.markdown": "---\nAutre: x"}})
    assert after == {"articles/a.fr.md": "---\n---\n\n---\nAutre: x\n"}


def test_a_body_that_cannot_be_written_in_the_file_is_refused(tmp_path: Path) -> None:
    files = {
        "contentsync.toml": '[site]\nname = "T"\n[content.pages]\nignore = ["markdown"]\n',
        "pages/a.md": "---\ntitle: A\n---\nText\n",
    }
    with pytest.raises(Refused, match="cannot be changed in place"):
        pulled(tmp_path, files, {(Kind.PAGE, "a"): {"markdown": "  \nText"}})


def test_addresses_of_files_in_the_folder_become_relative_links_again(tmp_path: Path) -> None:
    files = {
        "contentsync.toml": '[site]\nname = "T"\nasset_base_url = "https://cdn.example.com/site/"\n',
        "images/b c.png": "",
        "pages/a.md": "---\ntitle: A\n---\n![x](../images/gone.png)\n",
    }
    base = "https://cdn.example.com/site"
    text = f"![x]({base}/images/gone.png) ![y]({base}/images/b%20c.png?v=1) ![z]({base}/other.png) `{base}/images/`"
    after = pulled(tmp_path, files, {(Kind.PAGE, "a"): {"markdown": text}})
    assert after["pages/a.md"].endswith(
        f"---\n![x](../images/gone.png) ![y](../images/b%20c.png?v=1) ![z]({base}/other.png) `{base}/images/`\n"
    )
    (there,) = load_content(tmp_path).entries
    assert there.fields["markdown"] == text


LINKS = """\
[one](../articles/b.md#part) and `code`, [[b|the post]], [two]({% post_url b %}), [three](/2020/b/), [four](/blog/b/)
"""


def test_rewritten_links_are_pulled_in_the_form_of_the_author(tmp_path: Path) -> None:
    files = {
        "contentsync.toml": '[site]\nname = "T"\n[content.articles]\npermalink = "/:year/:slug/"\n',
        "articles/b.md": "---\ntitle: B\npublished_at: 2020-01-01\n---\n# Part\n",
        "pages/a.md": f"---\ntitle: A\n---\n{LINKS}",
    }
    sent = load_content(write(tmp_path, files)).entries[0].fields["markdown"]
    assert sent == (
        "[one](/blog/b/#part) and `code`, [the post](/blog/b/), [two](/blog/b/), [three](/blog/b/), [four](/blog/b/)"
    )
    after = pulled(tmp_path, files, {(Kind.PAGE, "a"): {"markdown": f"Edited: {sent}"}})
    assert after["pages/a.md"] == f"---\ntitle: A\n---\nEdited: {LINKS}"
    (there, _) = load_content(tmp_path).entries
    assert there.fields["markdown"] == f"Edited: {sent}"


def test_a_wiki_link_with_a_new_label_becomes_a_markdown_link(tmp_path: Path) -> None:
    files = {"pages/a.md": "---\ntitle: A\n---\n[[b]]\n", "pages/b.md": "---\ntitle: B\n---\n"}
    after = pulled(tmp_path, files, {(Kind.PAGE, "a"): {"markdown": "[Bee](/pages/b/) [b](/pages/c/)"}})
    assert after["pages/a.md"] == "---\ntitle: A\n---\n[Bee](/pages/b/) [b](/pages/c/)\n"


def test_an_asset_address_of_an_entry_file_is_not_made_relative(tmp_path: Path) -> None:
    files = {
        "contentsync.toml": '[site]\nname = "T"\nasset_base_url = "https://cdn.example.com/"\n',
        "pages/a.md": "---\ntitle: A\n---\nText\n",
    }
    text = "[source](https://cdn.example.com/pages/a.md)"
    assert pulled(tmp_path, files, {(Kind.PAGE, "a"): {"markdown": text}})["pages/a.md"].endswith(f"{text}\n")


def test_a_new_entry_contains_only_values_that_are_not_defaults(tmp_path: Path) -> None:
    page = entry(
        Kind.PAGE,
        "about",
        title="No",
        markdown="Text",
        placement="unlisted",
        is_published=False,
        order=0,
        seo={"title": None},
    )
    assert pulled(tmp_path, {}, new=[page]) == {
        "pages/about.md": '---\ntitle: "No"\nis_published: false\n---\n\nText\n'
    }


def test_a_new_article_gets_a_file_for_each_language_with_a_body(tmp_path: Path) -> None:
    texts = {"fr": {"title": "Le A", "markdown": "Texte", "seo": {"title": None}}}
    article = entry(
        Kind.ARTICLE,
        "a",
        markdown="Text",
        is_markdown=True,
        published_at="2026-01-01T10:00:00.000000Z",
        translations=texts,
    )
    assert pulled(tmp_path, {}, new=[article]) == {
        "articles/a.md": "---\ntitle: Title\npublished_at: 2026-01-01T10:00:00Z\n---\n\nText\n",
        "articles/a.fr.md": "---\ntitle: Le A\n---\n\nTexte\n",
    }


def test_a_new_article_with_two_texts_is_written_with_the_shown_one(tmp_path: Path) -> None:
    html = entry(Kind.ARTICLE, "a", markdown="Text", content="<p>", is_markdown=False)
    assert pulled(tmp_path, {}, new=[html]) == {"articles/a.html": "---\ntitle: Title\n---\n\n<p>\n"}


@pytest.mark.parametrize(
    ("slug", "path"),
    [
        ("con", "pages/page-con.md"),
        ("2026-01-01-a", "pages/page-2026-01-01-a.md"),
        ("-a-", "pages/-a-.md"),
        ("index", "pages/index.md"),
        ("x" * 255, f"pages/page-{'x' * 200}.md"),
    ],
)
def test_a_slug_that_is_unusable_as_a_file_name_gets_another_name(tmp_path: Path, slug: str, path: str) -> None:
    after = pulled(tmp_path, {}, new=[entry(Kind.PAGE, slug)])
    assert list(after) == [path]
    assert [entry.key for entry in load_content(tmp_path).entries] == [slug]


@pytest.mark.parametrize("slug", ["../../evil", "/etc/passwd", ".git", "a/b", "hello.fr", "\u4f60"])
def test_an_invalid_slug_never_leads_to_a_path_outside_of_the_folder(tmp_path: Path, slug: str) -> None:
    content = load_content(write(tmp_path, {}))
    (edit,) = plan_edits(content, incoming(content, {}, [entry(Kind.PAGE, slug)], []))
    assert re.fullmatch(r"pages/[a-z0-9-]+\.md", edit.location)
    assert edit.after is not None
    assert b"\nslug: " in edit.after


def test_an_entry_without_a_slug_is_refused(tmp_path: Path) -> None:
    with pytest.raises(Refused, match="has no slug"):
        pulled(tmp_path, {}, new=[entry(Kind.PAGE, "")])


def test_a_file_name_that_is_taken_gets_a_number(tmp_path: Path) -> None:
    files = {"pages/A.md": "---\ntitle: A\nslug: b\n---\n", "pages/page-a.markdown": "---\ntitle: A\nslug: c\n---\n"}
    assert list(pulled(tmp_path, files, new=[entry(Kind.PAGE, "a")])) == ["pages/page-a-2.md"]


def test_a_front_matter_over_the_size_limit_is_refused(tmp_path: Path) -> None:
    organizer = entry(Kind.ORGANIZER, "a", description="x" * 70_000)
    with pytest.raises(Refused, match=r"organizers/a\.md"):
        pulled(tmp_path, {}, new=[organizer])


def test_a_custom_field_missing_in_the_folder_is_pulled_too(tmp_path: Path) -> None:
    definition = entry(Kind.CUSTOM_FIELD, "legal_form", type="text", fieldable_type="organizer")
    organizer = entry(Kind.ORGANIZER, "a", legal_form="Ltd", unknown="x")
    assert pulled(tmp_path, {}, new=[organizer], actual=[definition]) == {
        "organizers/a.md": "---\nname: Title\nlegal_form: Ltd\n---\n",
        "custom_fields.yaml": "- label: Title\n  type: text\n  name: legal_form\n  fieldable_type: organizer\n",
    }


def test_a_pull_writes_to_the_target_of_a_symbolic_link(tmp_path: Path) -> None:
    (tmp_path / "pages").mkdir()
    (tmp_path / "shared").mkdir()
    (tmp_path / "pages/a.md").symlink_to("../shared/a.md")
    pulled(tmp_path, {"shared/a.md": "---\ntitle: A\n---\n"}, {(Kind.PAGE, "a"): {"title": "B"}})
    assert (tmp_path / "pages/a.md").is_symlink()
    assert (tmp_path / "shared/a.md").read_text() == "---\ntitle: B\n---\n"


def test_entries_that_a_pulled_listing_names_are_pulled_too(tmp_path: Path) -> None:
    category = Entry(Kind.CATEGORY, "b", {"slug": "b", "title": "B", "parent_id": "a"})
    parent = Entry(Kind.CATEGORY, "a", {"slug": "a", "title": "A"})
    listing = entry(Kind.LISTING, "x", categories=["b"])
    after = pulled(tmp_path, {}, new=[listing], actual=[parent, category])
    assert after["categories.yaml"] == "- title: A\n  slug: a\n- title: B\n  slug: b\n  parent_id: a\n"


@pytest.mark.parametrize("kind", [Kind.PAGE, Kind.LISTING])
def test_a_folder_that_excludes_all_new_files_is_refused(tmp_path: Path, kind: Kind) -> None:
    config = f'[site]\nname = "T"\n[content.{kind}s]\nexclude = ["*.md", "*.yaml"]\n'
    with pytest.raises(Refused, match=f"{kind}s takes no new {kind}s"):
        pulled(tmp_path, {"contentsync.toml": config}, new=[entry(kind, "a")])


def test_a_key_that_the_config_ignores_is_not_written(tmp_path: Path) -> None:
    config = '[site]\nname = "T"\n[content.pages]\nignore = ["order"]\n'
    after = pulled(tmp_path, {"contentsync.toml": config}, new=[entry(Kind.PAGE, "a", order=3)])
    assert after == {"pages/a.md": "---\ntitle: Title\n---\n"}


def test_addresses_of_pictures_become_paths_in_the_form_of_the_file(tmp_path: Path) -> None:
    base = "https://cdn.example.com/site"
    files = {
        "contentsync.toml": f'[site]\nname = "T"\nasset_base_url = "{base}/"\n[assets]\npath = "static"\n',
        "static/img/a.gif": "GIF89a\1\0\1\0...",
        "static/b.gif": "GIF89a\1\0\1\0...",
        "articles/c.gif": "GIF89a\1\0\1\0...",
        "articles/a.md": "---\ntitle: A\nthumbnail_url: img/a.gif\nthumbnail_alt_text: A\n---\n![x](/img/a.gif)\n",
    }
    changes = {
        "thumbnail_url": f"{base}/static/b.gif",
        "seo.og_image": f"{base}/articles/c.gif",
        "markdown": f"![x]({base}/static/img/a.gif) ![y]({base}/articles/c.gif) Text",
    }
    after = pulled(tmp_path, files, {(Kind.ARTICLE, "a"): changes})
    assert after["articles/a.md"] == (
        '---\ntitle: A\nthumbnail_url: "/b.gif"\nthumbnail_alt_text: A\nseo:\n  og_image: c.gif\n---\n'
        "![x](/img/a.gif) ![y](c.gif) Text\n"
    )
    (there,) = load_content(tmp_path).entries
    assert (there.fields["thumbnail_url"], there.fields["markdown"]) == (changes["thumbnail_url"], changes["markdown"])


def test_addresses_of_the_asset_folder_become_paths_in_it(tmp_path: Path) -> None:
    base, site = "https://cdn.example.com/site", "https://www.example.com"
    config = f'[site]\nname = "T"\nasset_base_url = "{base}/"\n[assets]\npath = "static"\nbase_url = "{site}"\n'
    files = {
        "contentsync.toml": config,
        "static/img/a b.gif": "GIF89a\1\0\1\0...",
        "static/b.gif": "GIF89a\1\0\1\0...",
        "articles/c.gif": "GIF89a\1\0\1\0...",
        "articles/a.md": (
            "---\ntitle: A\nthumbnail_url: img/a b.gif\nthumbnail_alt_text: A\n---\n![x](/img/a%20b.gif) ![y](c.gif)\n"
        ),
    }
    changes = {
        "thumbnail_url": f"{site}/b.gif",
        "seo.og_image": f"{base}/articles/c.gif",
        "seo.card_image": f"{base}/static/b.gif",  # where it is not served
        "markdown": f"![x]({site}/img/a%20b.gif) ![y]({base}/articles/c.gif) ![z]({site}/b.gif?v=1) Text",
    }
    after = pulled(tmp_path, files, {(Kind.ARTICLE, "a"): changes})
    assert after["articles/a.md"] == (
        f'---\ntitle: A\nthumbnail_url: "/b.gif"\nthumbnail_alt_text: A\nseo:\n  og_image: c.gif\n'
        f"  card_image: {base}/static/b.gif\n---\n![x](/img/a%20b.gif) ![y](c.gif) ![z](../static/b.gif?v=1) Text\n"
    )
    (there,) = load_content(tmp_path).entries
    assert (there.fields["thumbnail_url"], there.fields["markdown"]) == (changes["thumbnail_url"], changes["markdown"])


def test_links_and_pictures_of_an_edited_text_keep_their_forms(tmp_path: Path) -> None:
    base = "https://cdn.example.com"
    files = {
        "contentsync.toml": f'[site]\nname = "T"\nasset_base_url = "{base}/"\n[assets]\npath = "static"\n',
        "static/a.gif": "GIF89a\1\0\1\0...",
        "articles/a.md": '---\ntitle: A\n---\n![x](/a.gif) [y]({{< ref "a.md" >}}) ![z](/storage/z.png)\n',
    }
    text = f"![x]({base}/static/a.gif) [y](/blog/a/) ![z](/storage/z.png)"
    after = pulled(tmp_path, files, {(Kind.ARTICLE, "a"): {"markdown": f"{text} Text"}})
    assert after == {"articles/a.md": files["articles/a.md"].removesuffix("\n") + " Text\n"}


def test_unchanged_pictures_of_a_listing_keep_the_form_of_their_paths(tmp_path: Path) -> None:
    base = "https://cdn.example.com"
    files = {
        "contentsync.toml": f'[site]\nname = "T"\nasset_base_url = "{base}/"\n[assets]\n',
        "a.gif": "GIF89a\1\0\1\0...",
        "listings/b.gif": "GIF89a\1\0\1\0...",
        "listings/l.yaml": "name: L\nurl: https://l.example\nadditional_image_urls: [a.gif, ./b.gif]\n",
    }
    urls = [f"{base}/listings/b.gif", f"{base}/a.gif", "https://elsewhere.example/c.gif", f"{base}/none.gif"]
    after = pulled(tmp_path, files, {(Kind.LISTING, "https://l.example"): {"additional_image_urls": urls}})
    (there,) = load_content(tmp_path).entries
    assert there.fields["additional_image_urls"] == urls
    assert f'["./b.gif", a.gif, "https://elsewhere.example/c.gif", "{base}/none.gif"]' in after["listings/l.yaml"]


HEADINGS = '[site]\nlocales = ["en", "fr"]\n[content.pages]\ntitle = "heading"\n[content.articles]\ntitle = "heading"\n'
READ_ME = "\ufeff![Badge](https://b.example.org/b.svg)\r\n\r\n#  About *us*  {#us} \r\nWho we are.\r\rMore.\r\n\r\n"


def test_a_pulled_title_replaces_only_the_text_of_the_heading(tmp_path: Path) -> None:
    files = {"contentsync.toml": HEADINGS, "pages/about.md": READ_ME}
    after = pulled(tmp_path, files, {(Kind.PAGE, "about"): {"title": "All *of* us"}})
    assert after["pages/about.md"] == READ_ME.replace("About *us*", r"All \*of\* us")


def test_a_pulled_text_leaves_the_title_heading_in_place(tmp_path: Path) -> None:
    files = {"contentsync.toml": HEADINGS, "pages/about.md": READ_ME, "pages/b.md": "B\n=\nText\n"}
    text = load_content(write(tmp_path, files)).entries[0].fields["markdown"].replace("Who we", "What they")
    changes = {(Kind.PAGE, "about"): {"markdown": text}, (Kind.PAGE, "b"): {"title": "C", "markdown": "New\n\ntext"}}
    after = pulled(tmp_path, files, changes)
    assert after["pages/about.md"] == READ_ME.replace("Who we", "What they")
    assert after["pages/b.md"] == "C\n=\nNew\n\ntext\n"


def test_the_title_of_a_translation_is_written_into_its_heading(tmp_path: Path) -> None:
    files = {"contentsync.toml": HEADINGS, "articles/a.md": "# A\n\nText\n", "articles/a.fr.md": "# Un\n\nTexte\n"}
    changes = {(Kind.ARTICLE, "a"): {"translations.fr.title": "Deux", "translations.fr.markdown": "Autre"}}
    assert pulled(tmp_path, files, changes) == {"articles/a.fr.md": "# Deux\n\nAutre\n"}


def test_an_article_changed_to_html_gets_its_title_in_the_front_matter(tmp_path: Path) -> None:
    files = {"contentsync.toml": HEADINGS, "articles/a.md": "# A\n\nText\n"}
    changes = {(Kind.ARTICLE, "a"): {"is_markdown": False, "markdown": None, "content": "<p>Text</p>"}}
    assert pulled(tmp_path, files, changes) == {"articles/a.html": "---\ntitle: A\n---\n\n<p>Text</p>\n"}


def test_a_text_whose_heading_would_be_read_as_the_title_is_refused(tmp_path: Path) -> None:
    files = {"contentsync.toml": HEADINGS, "articles/a.md": "# A\n\nText\n", "articles/a.fr.md": "Texte\n"}
    content = load_content(write(tmp_path, files))
    changes = {(Kind.ARTICLE, "a"): {"translations.fr.markdown": "# Titre\n\nTexte"}}
    with pytest.raises(Refused, match="written in a way"):
        plan_edits(content, incoming(content, changes, (), ()))


def test_a_new_entry_gets_its_title_in_the_front_matter(tmp_path: Path) -> None:
    new = entry(Kind.PAGE, "b", markdown="# Part\n\nText")
    files = {"contentsync.toml": HEADINGS, "pages/about.md": "# About\n"}
    assert pulled(tmp_path, files, new=[new]) == {"pages/b.md": "---\ntitle: Title\n---\n\n# Part\n\nText\n"}


def test_a_field_of_a_nested_key_is_written_there(tmp_path: Path) -> None:
    config = '[content.pages]\nignore = ["nav"]\n[content.pages.rename]\n"nav.key" = "title"\n"nav.order" = "order"\n'
    files: Files = {
        "contentsync.toml": config,
        "pages/a.md": "---\nnav:\n  key: A # shown\n  parent: Home\n---\nText\n",
        "pages/b.md": "---\ntitle: B\nnav: {parent: Home}\n---\nText\n",
    }
    changes = {(Kind.PAGE, name): {"title": "New"} for name in ("a", "b")}
    assert pulled(tmp_path, files, changes) == {
        "pages/a.md": "---\nnav:\n  key: New # shown\n  parent: Home\n---\nText\n",
        "pages/b.md": "---\ntitle: New\nnav: {parent: Home}\n---\nText\n",
    }
