"""authoring.edit: entries are removed from files of every format, and everything else in the files stays."""

from dataclasses import replace
from pathlib import Path

import pytest

from contentsync.authoring.edit.pull_edits import plan_edits
from contentsync.content.folder.load import load_content
from contentsync.errors import Refused
from contentsync.file_writes import swap_files
from contentsync.model import EntryKey, Kind

from ...content.conftest import Files, write
from .pulls import incoming

NESTED = '[content.listings]\nitems = "groups[].entries[]"\n'
PAIRS = {  # a file with the tags or listings a, b and c, and without b
    "tags.yaml": (
        "# all\n- title: A # first\n\n# below A\n- title: B\n  # inside B\n  color: '#fff'\n\n- title: C\n# end\n",
        "# all\n- title: A # first\n\n# below A\n\n- title: C\n# end\n",
    ),
    "listings/all.yaml": (
        "- {name: A, slug: a}\r\n-\r\n  name: B\r\n  slug: b\r\n  description: |\r\n    One\r\n\r\n    Two\r\n"
        "    # in B\r\n- name: C\r\n  slug: c\r\n",
        "- {name: A, slug: a}\r\n- name: C\r\n  slug: c\r\n",
    ),
    "listings/flow.yml": (
        "[{name: A, slug: a},\n {name: B, slug: b}, {name: C, slug: c}]\n",
        "[{name: A, slug: a},\n {name: C, slug: c}]\n",
    ),
    "tags.json": (
        '[\n  {"title": "A"},\n  {\n    "title": "B"\n  },\n  {"title": "C"}\n]\n',
        '[\n  {"title": "A"},\n  {"title": "C"}\n]\n',
    ),
    "tags.toml": (
        '# all\n[[tags]]\ntitle = "A"\n\n# blue\n[[tags]]\ntitle = "B"\ncolor = "#00f"\n\n# c\n[[tags]]\ntitle = "C"\n',
        '# all\n[[tags]]\ntitle = "A"\n\n# blue\n\n# c\n[[tags]]\ntitle = "C"\n',
    ),
    "listings/all.csv": (
        'name,slug,description\r\nA,a,"1\r\n2"\r\n\r\nB,b,"3\r\n4"\r\nC,c,\r\n',
        'name,slug,description\r\nA,a,"1\r\n2"\r\n\r\nC,c,\r\n',
    ),
    "listings/all.tsv": ("name\tslug\nA\ta\nB\tb\nC\tc", "name\tslug\nA\ta\nC\tc"),
}


def without(folder: Path, files: Files, *keys: EntryKey) -> dict[str, str | None]:
    """Return the files that a removal of entries changes, None for a deleted one; require a valid folder."""
    content = load_content(write(folder, files))
    assert not content.errors, content.errors
    edits = plan_edits(content, replace(incoming(content, {}, [], []), deleted=keys))
    swap_files(folder, {edit.location: (edit.before, edit.after) for edit in edits})
    after = load_content(folder)
    assert not after.errors, after.errors
    left = {(entry.kind, entry.key) for entry in after.entries}
    assert left == {(entry.kind, entry.key) for entry in content.entries} - {*keys}
    return {edit.path: None if edit.after is None else edit.after.decode() for edit in edits}


def kind_of(path: str) -> Kind:
    return Kind.TAG if path.startswith("tags") else Kind.LISTING


def config_of(path: str) -> Files:
    """Return a config that names the file of the tags, unless it is the usual one."""
    return {"contentsync.toml": f'[content.tags]\npath = "{path}"\n'} if path.startswith("tags") else {}


@pytest.mark.parametrize("path", PAIRS)
def test_an_entry_is_removed_and_the_rest_stays_byte_for_byte(tmp_path: Path, path: str) -> None:
    before, after = PAIRS[path]
    assert without(tmp_path, {path: before, **config_of(path)}, (kind_of(path), "b")) == {path: after}


@pytest.mark.parametrize("path", PAIRS)
@pytest.mark.parametrize("removed", ["a", "c", "ab", "bc", "ac"])
def test_first_last_and_several_entries_are_removed(tmp_path: Path, path: str, removed: str) -> None:
    keys = [(kind_of(path), key) for key in removed]
    (text,) = without(tmp_path, {path: PAIRS[path][0], **config_of(path)}, *keys).values()
    assert text is not None
    assert ("\n\n\n" in text, text.endswith("\n\n")) == (False, False)


@pytest.mark.parametrize(
    ("path", "left"),
    {
        "tags.yaml": "# all\n\n# below A\n# end\n",
        "listings/all.yaml": None,
        "listings/flow.yml": "[]\n",
        "tags.json": "[]\n",
        "tags.toml": "# all\n\n# blue\n\n# c\n",
        "listings/all.tsv": "name\tslug\n",
    }.items(),
)
def test_removing_all_entries_keeps_the_comments_or_deletes_the_file(
    tmp_path: Path, path: str, left: str | None
) -> None:
    keys = [(kind_of(path), key) for key in "abc"]
    assert without(tmp_path, {path: PAIRS[path][0], **config_of(path)}, *keys) == {path: left}


def test_a_file_that_the_config_names_stays_without_entries(tmp_path: Path) -> None:
    files = {"contentsync.toml": '[content.tags]\npath = "all.yaml"\n', "all.yaml": "- title: A\n"}
    assert without(tmp_path, files, (Kind.TAG, "a")) == {"all.yaml": ""}


@pytest.mark.parametrize(
    "text",
    ["name: B\nslug: b\n", '{"name": "B", "slug": "b"}\n', 'name = "B"\nslug = "b"\n'],
    ids=["yaml", "json", "toml"],
)
def test_a_file_with_only_the_removed_entry_is_deleted(tmp_path: Path, text: str) -> None:
    suffix = {"n": "yaml", "{": "json"}[text[0]] if " = " not in text else "toml"
    assert without(tmp_path, {f"listings/b.{suffix}": text}, (Kind.LISTING, "b")) == {f"listings/b.{suffix}": None}


def test_nested_entries_are_removed_and_their_group_stays(tmp_path: Path) -> None:
    files = {
        "listings/all.yaml": "groups:\n- title: One\n  entries:\n    - {name: A, slug: a}\n"
        "    - name: B\n      slug: b\n",
        "listings/all.json": '{"groups": [{"title": "Two", "entries": [{"name": "C", "slug": "c"}]}]}\n',
        "listings/all.toml": '[[groups]]\ntitle = "Three"\n[[groups.entries]]\nname = "D"\nslug = "d"\n'
        '[[groups.entries]]\nname = "E"\nslug = "e"\n[[groups]]\ntitle = "Four"\nentries = []\n',
    }
    keys = [(Kind.LISTING, key) for key in "bcd"]
    assert without(tmp_path, {**files, "contentsync.toml": NESTED}, *keys) == {
        "listings/all.yaml": "groups:\n- title: One\n  entries:\n    - {name: A, slug: a}\n",
        "listings/all.json": '{"groups": [{"title": "Two", "entries": []}]}\n',
        "listings/all.toml": '[[groups]]\ntitle = "Three"\n[[groups.entries]]\nname = "E"\nslug = "e"\n'
        '[[groups]]\ntitle = "Four"\nentries = []\n',
    }


def test_removing_the_last_entry_is_refused_if_other_values_would_change(tmp_path: Path) -> None:
    """An empty key is not an empty list, so the file must be changed by hand."""
    files = {
        "contentsync.toml": NESTED,
        "listings/all.yaml": "groups:\n- title: One\n  entries:\n  - {name: A, slug: a}\n",
    }
    with pytest.raises(Refused, match="cannot be changed in place"):
        without(tmp_path, files, (Kind.LISTING, "a"))
    assert (tmp_path / "listings/all.yaml").read_text() == files["listings/all.yaml"]


def test_the_files_of_all_languages_are_deleted(tmp_path: Path) -> None:
    files = {
        "contentsync.toml": '[site]\nlocales = ["en", "fr", "de"]\n',
        "articles/new.md": "---\ntitle: New\n---\nOne\n",
        "articles/new.fr.md": "---\ntitle: Neuf\n---\n",
        "articles/new.de.md": "Neu.\n",
        "articles/old.md": "---\ntitle: Old\n---\nTwo\n",
    }
    assert without(tmp_path, files, (Kind.ARTICLE, "new")) == dict.fromkeys(
        ["articles/new.md", "articles/new.de.md", "articles/new.fr.md"]
    )


PAGE = "---\ntitle: A\n---\n"


@pytest.mark.parametrize(
    ("setting", "files", "changed"),
    [
        ('path = "texts"', ["texts/a.md"], {"texts/a.md": None, "texts/.gitkeep": ""}),
        ('path = ["texts", "more"]', ["texts/x/a.md", "more/b.md"], {"texts/x/a.md": None, "texts/.gitkeep": ""}),
        ('path = "texts"', ["texts/a.md", "texts/b.md"], {"texts/a.md": None}),
        ('path = "texts"', ["texts/a.md", "texts/notes.txt"], {"texts/a.md": None}),
        ('path = "pages"', ["pages/a.md"], {"pages/a.md": None}),
    ],
)
def test_a_path_of_the_config_is_left_in_git(
    tmp_path: Path, setting: str, files: list[str], changed: dict[str, str | None]
) -> None:
    """git has no empty folders, and a path that is missing in a clone is an error."""
    site = {"contentsync.toml": f"[content.pages]\n{setting}\n", **dict.fromkeys(files, PAGE)}
    assert without(tmp_path, site, (Kind.PAGE, "a")) == changed
    for folder in sorted(tmp_path.rglob("*"), reverse=True):  # as in a clone
        if folder.is_dir() and not any(folder.iterdir()):
            folder.rmdir()
    assert not load_content(tmp_path).errors
