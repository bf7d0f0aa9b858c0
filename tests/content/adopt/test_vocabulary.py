"""contentsync.content.adopt.vocabulary: files for the categories and tags that listings name."""

from collections import Counter

from contentsync.content.adopt.key_survey import Survey
from contentsync.content.adopt.vocabulary import list_file, merged_definitions, used_names, vocabulary_entries
from contentsync.content.draft import Draft
from contentsync.content.formats.yaml_reader import read_mappings
from contentsync.model import Kind


def test_names_are_counted_by_the_field_of_their_key() -> None:
    survey = Survey(Kind.LISTING)
    survey.add(Draft(Kind.LISTING, "a.csv", values={"Type": "Cafe", "labels": "open|late", "name": "A"}))
    survey.add(Draft(Kind.LISTING, "a.csv", values={"Type": "Cafe", "labels": ["late"]}))
    names = used_names(survey, {"Type": "category_id", "labels": "tags", "name": "name"})
    assert names == {Kind.CATEGORY: {"Cafe": 2}, Kind.TAG: {"late": 2, "open": 1}}


def test_spellings_that_differ_in_case_are_one_entry() -> None:
    assert vocabulary_entries(Counter({"Web": 3, "web": 1})) == [{"title": "Web", "slug": "web"}]


def test_names_with_equal_slugs_get_a_number() -> None:
    entries = vocabulary_entries(Counter({"C": 1, "C++": 2, "C#": 1}))
    assert [(entry["title"], entry["slug"]) for entry in entries] == [("C", "c"), ("C#", "c-2"), ("C++", "c-3")]


def test_a_name_without_a_letter_or_too_long_gets_no_entry() -> None:
    assert vocabulary_entries(Counter({"???": 1, "x" * 300: 1})) == []


def test_the_file_is_read_as_it_was_meant() -> None:
    titles = ["no", "12:30", "01234", "#1", "a: b", "- x", "Zürich", '"', "~", "line", "&a", "{x}", "100%"]
    data = list_file([{"title": title, "slug": f"s-{number}"} for number, title in enumerate(titles)], "Heading.")
    read = [item for item in read_mappings(data.decode(), Kind.TAG, "tags.yaml") if isinstance(item, Draft)]
    assert [item.values["title"] for item in read] == titles


def test_a_custom_field_of_two_kinds_is_declared_once() -> None:
    assert merged_definitions([{"name": "a", "type": "text"}, {"name": "a", "type": "number"}]) == [
        {"name": "a", "type": "text"}
    ]
