"""contentsync.authoring.rename.renaming: the meaning of OLD and NEW, and renames that are refused."""

import pytest

from contentsync.errors import Refused, UsageError

from .conftest import Renamer, page

FILES = {
    "categories.yaml": "- {title: Tools, slug: tools}\n",
    "custom_fields.yaml": "- {label: Level, name: level, type: text}\n",
    "listings/a.csv": "name,url\nSaw,https://Example.org/saw\n",
    "organizers/ada.md": "---\nname: Ada\n---\n",
    "organizers/ada.fr.md": "---\nname: Ada\n---\n",
    "pages/about.md": page("About"),
    "pages/help.md": page("Help"),
    "pages/team/index.md": page("Team"),
}


@pytest.mark.parametrize(
    ("old", "new", "key", "moved"),
    [
        ("page/about", "us", "us", ["pages/us.md"]),
        ("page/about", "page/us", "us", ["pages/us.md"]),
        ("pages/about.md", "pages/us.md", "us", ["pages/us.md"]),
        ("pages/about.md", "pages/team/", "about", ["pages/team/about.md"]),
        ("pages/team", "pages/people", "people", ["pages/people/index.md"]),
        ("organizers/ada.md", "organizers/grace.md", "grace", ["organizers/grace.md", "organizers/grace.fr.md"]),
        ("listing/https://example.org/saw", "https://example.org/hand-saw", "https://example.org/hand-saw", []),
        ("category/tools", "kit", "kit", []),
    ],
)
def test_an_entry_is_named_by_its_file_or_by_kind_and_key(
    rename: Renamer, old: str, new: str, key: str, moved: list[str]
) -> None:
    renaming = rename.plan(FILES, old, new).renaming
    assert (renaming.key, [*renaming.moves.values()]) == (key, moved)


@pytest.mark.parametrize(
    ("old", "new", "message", "hint"),
    [
        ("page/abuot", "us", "the folder has no page 'abuot'", "did you mean 'about'?"),
        ("pages/abuot.md", "pages/us.md", "there is no file pages/abuot.md", "did you mean 'pages/about.md'?"),
        ("page/about", "About us", "'About us' is not a slug", "did you mean 'about-us'?"),
        ("page/about", "pages/us.md", "'us.md' is not a slug", "did you mean 'us'?"),
        ("page/about", "about", "page about has this key already", ""),
        ("pages/about.md", "pages/about.md", "pages/about.md has this path already", ""),
        ("pages/about.md", "us", "us does not end with .md", "mv does not change the type of a file"),
        ("organizers/ada.fr.md", "organizers/x.fr.md", "is a translation of organizers/ada.md", "name that file"),
        ("listings/a.csv", "listings/b.csv", "has several entries", "such as listing/https://example.org/saw"),
        ("listing/https://example.org/saw", "saw", "is its URL, and 'saw' is not one", "write a full URL"),
        ("contentsync.toml", "x.toml", "contentsync.toml is not the file of an entry", ""),
        ("pages/about.md", "pages/us\n.md", "contains a line end or another control character", ""),
        ("page/about", "us\n", "contains a line end or another control character", ""),
    ],
)
def test_an_unknown_entry_name_is_an_error_with_a_hint(
    rename: Renamer, old: str, new: str, message: str, hint: str
) -> None:
    with pytest.raises(UsageError) as raised:
        rename.plan(FILES, old, new)
    assert message in raised.value.message
    assert hint in raised.value.hint


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("page/about", "help", "there is a page help already, in pages/help.md"),
        ("pages/about.md", "pages/Help.md", "there is a page help already, in pages/help.md"),
        ("pages/about.md", "pages/team/index.md", "there is a page team already"),
        ("pages/about.md", "articles/about.md", "articles/about.md is outside of the pages"),
        ("pages/about.md", "../about.md", "../about.md is outside of the content folder"),
        ("organizers/ada.md", "organizers/grace.fr.md", "is the path of another language"),
        ("custom_field/level", "grade", "mv does not rename custom fields"),
    ],
)
def test_a_rename_to_a_taken_or_unsupported_name_is_refused(rename: Renamer, old: str, new: str, message: str) -> None:
    with pytest.raises(Refused) as raised:
        rename.plan(FILES, old, new)
    assert message in raised.value.message


def test_a_path_is_relative_to_the_current_folder(rename: Renamer) -> None:
    from contentsync.authoring.rename.rename_plan import plan_rename

    rename.plan(FILES, "page/about", "us")
    plan = plan_rename(rename.folder, "about.md", "us.md", rename.folder / "pages")
    assert plan.renaming.moves == {"pages/about.md": "pages/us.md"}


def test_an_excluded_path_is_refused(rename: Renamer) -> None:
    config = '[site]\nname = "T"\n[content.pages]\nexclude = ["draft-*"]\n'
    with pytest.raises(Refused) as raised:
        rename.plan({"contentsync.toml": config, "pages/a.md": page("A")}, "pages/a.md", "pages/draft-a.md")
    assert raised.value.message == "pages/draft-a.md would not be read: the config excludes it"


def test_a_chain_of_renames_records_every_former_key_without_a_loop(rename: Renamer) -> None:
    rename(FILES, "page/about", "b")
    rename({}, "page/b", "c")
    assert "previous: [about, b, c]" in rename({}, "pages/c.md", "pages/d.md").text("pages/d.md")
    back = rename({}, "page/d", "about")
    assert "previous: [b, c, d]" in back.text("pages/about.md")


def test_renaming_an_entry_back_records_only_the_other_key(rename: Renamer) -> None:
    rename(FILES, "category/tools", "kit")
    assert rename({}, "category/kit", "tools").text("categories.yaml") == (
        "- {title: Tools, slug: tools, sync: {previous: [kit]}}\n"
    )
