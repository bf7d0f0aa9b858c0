"""contentsync.content.folder.entry_names: the entry that a path, or a kind and a key, names."""

from pathlib import Path

import pytest

from contentsync.content.folder.entry_names import find_entry_key, unknown_key_hint
from contentsync.content.folder.load import load_content
from contentsync.errors import UsageError
from contentsync.model import EntryKey, Kind

from ..conftest import Files, write

FILES: Files = {
    "contentsync.toml": "",
    "tags.yaml": "- title: Free\n- title: Paid\n",
    "pages/about.md": "---\ntitle: About\nslug: about-us\n---\n",
    "pages/team/index.md": "---\ntitle: Team\n---\n",
    "page/about": "a file with the name of an entry",
    "notes.md": "Text.\n",
}
ABOUT = (Kind.PAGE, "about-us")


@pytest.fixture
def site(tmp_path: Path) -> Path:
    return write(tmp_path, FILES)


def found(site: Path, text: str, here: str = "") -> EntryKey:
    return find_entry_key(site, load_content(site).entries, text, site / here)


@pytest.mark.parametrize(
    ("text", "here", "key"),
    [
        ("pages/about.md", "", ABOUT),
        ("about.md", "pages", ABOUT),
        ("pages/about.md", "listings", ABOUT),
        ("../pages/about.md", "listings", ABOUT),
        ("page/about-us", "", ABOUT),
        ("pages/about-us", "", ABOUT),
        ("Pages/about-us", "", ABOUT),
        ("custom-fields/mood", "", (Kind.CUSTOM_FIELD, "mood")),
        ("custom fields/mood", "", (Kind.CUSTOM_FIELD, "mood")),
        ("listings/HTTPS://Example.org/a", "", (Kind.LISTING, "https://example.org/a")),
        ("pages/team", "", (Kind.PAGE, "team")),  # a folder with an `index.md`
        ("pages/missing", "", (Kind.PAGE, "missing")),
    ],
)
def test_an_entry_is_found_by_its_path_or_its_name(site: Path, text: str, here: str, key: EntryKey) -> None:
    (site / "listings").mkdir()
    assert found(site, text, here) == key


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("page/about", "page/about is not the file of an entry"),  # an existing file comes first
        ("notes.md", "notes.md is not the file of an entry"),
        ("tags.yaml", "tags.yaml has several entries"),
        ("page", "'page' is not the name of an entry"),
        ("pgae/about", "there is no kind 'pgae'"),
    ],
)
def test_a_text_that_names_no_entry_is_refused(site: Path, text: str, message: str) -> None:
    with pytest.raises(UsageError, match=message):
        found(site, text)


def test_a_former_key_suggests_the_new_key(site: Path) -> None:
    notes = "sync: {previous: [team-page], merged: [staff]}"
    write(site, {"pages/new.md": f"---\ntitle: New\n{notes}\n---\n"})
    entries = load_content(site).entries
    assert unknown_key_hint(Kind.PAGE, "staff", entries) == "it was merged: write page/new"
    assert unknown_key_hint(Kind.PAGE, "team-page", entries) == "it was renamed: write page/new"
    assert unknown_key_hint(Kind.PAGE, "taem", entries) == "did you mean 'team'?"
    assert unknown_key_hint(Kind.PAGE, "lathe", entries, ["lathes"]) == "did you mean 'lathes'?"
