"""contentsync.exchange.entry_writer: one entry that cannot be written does not stop the others."""

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from contentsync.content.folder.load import load_content
from contentsync.errors import Unwritable
from contentsync.exchange.entry_writer import Written, write_entries
from contentsync.model import Entry, EntryKey, Kind

from ..authoring.edit.pulls import Changes, entry, incoming
from ..content.conftest import Files, write
from ..sync.full_disk import full_disk

A, B, C, D = ((Kind.LISTING, key) for key in "abcd")
TABLE = "name,slug,description,email,content\nA,a,Old,,\nB,b,Old,,\nC,c,Old,,\nD,d,Old,,\n"
FIELD = "- {name: size, label: Size, type: select, options: [small, large]}\n"
GOOD: Mapping[str, Any] = {"description": "New"}


def written(folder: Path, files: Files, changes: Changes, *actual: Entry, new: tuple[Entry, ...] = ()) -> Written:
    """Return the result of writing changes into a folder of those files, which is valid before and after."""
    content = load_content(write(folder, files))
    assert not content.errors, content.errors
    result = write_entries(content, incoming(content, changes, new, actual))
    assert load_content(folder).entries == result.content.entries
    return result


def reasons(result: Written) -> dict[str, str]:
    return {each.entry.key: each.reason for each in result.left_out}


def test_entries_with_different_faults_are_left_out_in_their_order(tmp_path: Path) -> None:
    changes: Changes = {
        A: {"description": "=1+1"},
        B: {"content": "    code"},
        C: {"email": "nobody"},
        D: GOOD,
    }
    result = written(tmp_path, {"listings/x.csv": TABLE}, changes)
    assert reasons(result) == {
        "a": "listings/x.csv: a spreadsheet program would run the description as a formula",
        "b": "listings/x.csv: no cell can hold the content of listing b",
        "c": "bad-email: email must be an e-mail address",
    }
    assert [*reasons(result)] == ["a", "b", "c"]
    assert (tmp_path / "listings/x.csv").read_text() == TABLE.replace("D,d,Old", "D,d,New")


def test_an_entry_is_written_if_another_entry_caused_its_error(tmp_path: Path) -> None:
    files = {"custom_fields.yaml": FIELD, "listings/x.csv": "name,slug,size\nA,a,small\nB,b,large\n"}
    size = (Kind.CUSTOM_FIELD, "size")
    result = written(tmp_path, files, {size: {"options": ["large"]}, A: {"name": "New"}, B: {"name": "Other"}})
    assert reasons(result) == {"size": "not-a-choice: size must be one of large, not 'small'"}
    assert [listing.fields["name"] for listing in result.content.entries if listing.kind is Kind.LISTING] == [
        "New",
        "Other",
    ]


def test_one_of_two_entries_with_the_same_slug_is_written(tmp_path: Path) -> None:
    files = {f"pages/{slug}.md": f"---\ntitle: {slug}\n---\nText.\n" for slug in "abc"}
    result = written(tmp_path, files, {(Kind.PAGE, slug): {"slug": "same"} for slug in "abc"})
    assert [*reasons(result)] == ["b", "c"]
    assert [page.key for page in result.content.entries] == ["b", "c", "same"]


def test_entries_that_refer_to_a_faulty_entry_are_left_out_with_its_error(tmp_path: Path) -> None:
    files = {"categories.yaml": "- {title: Tools, slug: tools}\n", "listings/x.csv": TABLE}
    faulty = entry(Kind.CATEGORY, "new", title="")
    needs: Mapping[str, Any] = {"categories": ["new"]}
    result = written(tmp_path, files, {A: needs, B: GOOD, C: needs}, faulty)
    error = "required: title is required"
    assert reasons(result) == {"a": error, "c": error}


def test_a_new_entry_that_another_entry_refers_to_is_written_once(tmp_path: Path) -> None:
    files = {f"pages/{slug}.md": f"---\ntitle: {slug}\n---\nText.\n" for slug in "ab"}
    files |= {"categories.yaml": "- {title: Tools, slug: tools}\n", "listings/x.csv": TABLE}
    same: Changes = {(Kind.PAGE, slug): {"slug": "same"} for slug in "ab"}  # an error that names no entry
    fresh = entry(Kind.CATEGORY, "fresh")
    result = written(tmp_path, files, {A: {"categories": ["fresh"]}, **same}, new=(fresh,))
    assert [*reasons(result)] == ["b"]
    assert [each.key for each in result.content.entries if each.kind is Kind.CATEGORY] == ["fresh", "tools"]


def test_new_entries_without_a_possible_file_are_left_out(tmp_path: Path) -> None:
    config = '[content.listings]\npath = "all.json"\nitems = "places[].listings[]"\n'
    files = {"contentsync.toml": config, "all.json": '{"places": [{"listings": [{"name": "A", "slug": "a"}]}]}'}
    result = written(tmp_path, files, {A: GOOD}, new=(entry(Kind.LISTING, "x"), entry(Kind.LISTING, "y")))
    message = "all.json has nested lists, and it is not known which one gets new entries"
    assert reasons(result) == {"x": message, "y": message}
    assert "New" in (tmp_path / "all.json").read_text()


def test_an_entry_is_written_if_the_faulty_definition_of_its_field_is_left_out(tmp_path: Path) -> None:
    files = {"custom_fields.yaml": FIELD, "listings/x.csv": "name,slug,size\nA,a,small\nB,b,large\n"}
    faulty: Mapping[str, Any] = {"options": ["large", "large"]}
    result = written(tmp_path, files, {(Kind.CUSTOM_FIELD, "size"): faulty, A: {"name": "New"}})
    assert [*reasons(result)] == ["size"]
    assert "New,a" in (tmp_path / "listings/x.csv").read_text()


def test_an_entry_is_written_if_only_a_left_out_entry_has_its_slug(tmp_path: Path) -> None:
    listings = [f"- {{name: {key}, slug: {key}, url: 'https://{key}.example.org'}}\n" for key in "abc"]
    content = load_content(write(tmp_path, {"listings/x.yaml": "".join(listings)}))
    a, b, c = (entry.key for entry in content.entries)
    changes = incoming(content, {(Kind.LISTING, b): {"slug": "c", "url": a}, (Kind.LISTING, c): GOOD}, (), ())
    records = dict(changes.server_entries)
    records[Kind.LISTING, b] = replace(records[Kind.LISTING, b], key=a)
    records[Kind.LISTING, c] = entry(Kind.LISTING, c, slug="other", name="c", **GOOD)
    result = write_entries(content, replace(changes, server_entries=records))
    assert [unwritten.entry for unwritten in result.left_out] == [records[Kind.LISTING, b]]
    assert "New" in (tmp_path / "listings/x.yaml").read_text()


def test_a_new_listing_is_left_out_only_if_its_file_is_excluded(tmp_path: Path) -> None:
    config = '[content.listings]\npull_to = "{category}.yaml"\nexclude = ["tools*"]\n'
    files = {"contentsync.toml": config, "categories.yaml": "- {title: Tools, slug: tools}\n- {title: X, slug: x}\n"}
    new = (("of-tools", "tools"), ("of-x", "x"), ("of-x-2", "x"))
    listings = [entry(Kind.LISTING, slug, categories=[category]) for slug, category in new]
    result = written(tmp_path, files, {}, new=tuple(listings))
    assert reasons(result) == {"of-tools": "listings takes no new listings: the config excludes every name"}
    assert [each.key for each in result.content.entries if each.kind is Kind.LISTING] == ["of-x", "of-x-2"]


@pytest.mark.parametrize(("slug_of_b", "keys"), [("c", ["a", "c"]), ("b", ["a", "b"])])
def test_an_error_does_not_leave_out_another_entry_with_the_same_key(
    tmp_path: Path, slug_of_b: str, keys: list[str]
) -> None:
    files = {f"pages/{slug}.md": f"---\ntitle: {slug}\nslug: {slug}\n---\nText.\n" for slug in "ab"}
    content = load_content(write(tmp_path, files))
    changes: Changes = {
        (Kind.PAGE, "a"): {"slug": "b", "title": ""},
        (Kind.PAGE, "b"): {"slug": slug_of_b, "title": "New"},
    }
    part = incoming(content, changes, (), ())
    records = {key: replace(record, key=changes[key]["slug"]) for key, record in part.server_entries.items()}
    result = write_entries(content, replace(part, server_entries=records))
    assert [each.entry for each in result.left_out] == [records[Kind.PAGE, "a"]]
    assert [page.key for page in result.content.entries] == keys
    assert result.content.entries[1].fields["title"] == "New"


def test_a_full_disk_restores_the_entries_that_were_written_before(tmp_path: Path) -> None:
    """The reference in braces cannot follow the new title, so the files are written in two steps."""
    files = {f"pages/{slug}.md": f"---\ntitle: {slug}\n---\nText.\n" for slug in "ab"}
    files |= {
        "categories.yaml": "- {title: Tools}\n",
        "listings/x.toml": "x = [{name = 'A', categories = ['Tools']}]\n",
    }
    content = load_content(write(tmp_path, files))
    long: Mapping[str, Any] = {"markdown": "long " * 1_000}
    changes: Changes = {
        (Kind.PAGE, "a"): {"title": "New"},
        (Kind.PAGE, "b"): long,
        (Kind.CATEGORY, "tools"): {"title": "Kit"},
    }
    with full_disk(2_000), pytest.raises(Unwritable, match=r"pages/b\.md"):
        write_entries(content, incoming(content, changes, (), ()))
    assert {path: (tmp_path / path).read_text() for path in files} == files
    assert reasons(write_entries(content, incoming(content, changes, (), ()))).keys() == {"tools"}


def removed(folder: Path, files: Files, *keys: EntryKey) -> Written:
    """Return the result of removing entries of those files, in this order."""
    content = load_content(write(folder, files))
    assert not content.errors, content.errors
    return write_entries(content, replace(incoming(content, {}, (), ()), deleted=keys))


def test_an_entry_with_references_is_kept_while_the_others_are_removed(tmp_path: Path) -> None:
    files = {"tags.yaml": "- {title: T, slug: t}\n- {title: U, slug: u}\n", "listings/x.csv": TABLE}
    files["listings/y.csv"] = "name,slug,tags\nE,e,t\nF,f,u\n"
    result = removed(tmp_path, files, A, (Kind.LISTING, "f"), (Kind.TAG, "t"), D)
    assert [*reasons(result)] == ["t"]
    assert {entry.key for entry in result.content.entries} == {"b", "c", "e", "t", "u"}
