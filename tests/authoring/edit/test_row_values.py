"""Texts that are read as values of entries, beside the values that the entries have."""

from contentsync.authoring.edit.row_values import entry_reader_of, read_rows
from contentsync.content.folder.load import load_content
from contentsync.model import RECORDS, Kind

from ...content.conftest import Load
from ...end_to_end.conftest import EXAMPLE


def test_an_entry_has_all_its_values_after_one_of_them_is_read_again() -> None:
    content = load_content(EXAMPLE)
    reader = entry_reader_of(content)
    for entry in content.entries:
        name = RECORDS[entry.kind].title_field
        (draft,) = read_rows(reader, entry.kind, "set", [(1, {name: str(entry.fields[name])})], entry.fields)
        assert not [problem for problem in draft.problems if problem.is_error]
        assert (draft.key, draft.values) == (entry.key, entry.fields)


def test_a_key_of_an_object_is_read_beside_its_other_keys(read: Load) -> None:
    content = read({"pages/a.md": "---\ntitle: A\nseo: {title: T, description: D}\n---\n"})
    (page,) = content.entries
    rows = [(1, {"seo.title": "New"}), (2, {"seo.title": ""})]
    first, second = read_rows(entry_reader_of(content), Kind.PAGE, "set", rows, page.fields)
    assert first.values["seo"] == {"title": "New", "description": "D"}
    assert second.values["seo"] == {"title": None, "description": "D"}


def test_a_wrong_key_of_an_object_is_located_at_its_row(read: Load) -> None:
    content = read({"organizers/a.md": "---\nname: A\n---\n"})
    (draft,) = read_rows(
        entry_reader_of(content), Kind.ORGANIZER, "set", [(7, {"social_links.github": "x"})], content.entries[0].fields
    )
    (problem,) = draft.problems
    assert (problem.code, problem.where.line) == ("bad-url", 7)


def test_names_and_custom_fields_of_the_folder_are_known(read: Load) -> None:
    content = read(
        {
            "categories.yaml": "- {title: Power tools, slug: power, sync: {previous: [drills]}}\n",
            "custom_fields.yaml": "- {label: Price, type: number}\n",
        }
    )
    rows = [
        (number, {"name": "A", "categories": name, "price": "5"})
        for number, name in ((1, "Power tools"), (2, "drills"))
    ]
    first, second = read_rows(entry_reader_of(content), Kind.LISTING, "x.csv", rows)
    assert (first.values["categories"], first.values["price"]) == (["power"], 5)
    (problem,) = second.problems
    assert (problem.code, problem.where.line, problem.hint) == (
        "unknown-reference",
        2,
        "it was renamed: write 'power'",
    )
