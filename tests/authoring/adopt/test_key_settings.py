"""contentsync.authoring.adopt.key_settings: rename, ignore or declare each key; categories and tags that keys name."""

from collections import Counter
from collections.abc import Collection, Iterable, Mapping
from typing import Any

import pytest

from contentsync.authoring.adopt.key_settings import (
    KeyProposals,
    list_file,
    merged_definitions,
    propose_keys,
    used_names,
    vocabulary_entries,
)
from contentsync.authoring.adopt.key_survey import Survey
from contentsync.content.config.collection_settings import ArticleSettings, CollectionSettings, DocumentSettings
from contentsync.content.formats.draft import Draft
from contentsync.content.formats.yaml_reader import read_mappings
from contentsync.model import Kind
from contentsync.model.scalar import PlainScalar

from .repositories import NOW


def proposals(
    kind: Kind,
    entries: Iterable[Mapping[str, Any]],
    collection: CollectionSettings | None = None,
    declared: Collection[str] = (),
    path: str = "a.md",
) -> KeyProposals:
    """Return the settings that `adopt` proposes for the keys of these entries."""
    survey = Survey(kind, NOW)
    for values in entries:
        survey.add(Draft(kind, path, values=dict(values)))
    return propose_keys(survey, collection or CollectionSettings(), declared)


def settings(kind: Kind, entries: Iterable[Mapping[str, Any]], **options: Any) -> dict[str, str]:
    """Return the proposal for each key: the field, "ignore", or "declare" for a custom field of its name."""
    found = proposals(kind, entries, **options)
    by_key = {it.key or str(it.value): str(it.value) if it.key else "ignore" for it in found.settings}
    return by_key | {it["name"]: "declare" for it in found.definitions if it["name"] not in by_key.values()}


def test_keys_of_other_generators_are_renamed_and_counted() -> None:
    entries = [{"title": "A", "date": "2024-01-01", "draft": "true", "layout": "post"}] * 3 + [{"date": "2024-01-02"}]
    found = proposals(Kind.ARTICLE, entries)
    assert [(it.name, it.key, it.value, it.comment) for it in found.settings] == [
        ("rename", "date", "published_at", "4 articles"),
        ("rename", "draft", "!active", "3 articles"),
        ("ignore", "", "layout", "3 articles"),
    ]


@pytest.mark.parametrize(
    ("header", "value", "field"),
    [
        ("Full Name", "A", "name"),
        ("Bezeichnung", "A", "name"),
        ("Blurb", "A shed", "description"),
        ("Kurzbeschreibung", "A shed", "description"),
        ("Téléphone", "12 34", "phone_number"),
        ("Courriel", "a@example.org", "email"),
        ("Anschrift", "Hauptplatz 1", "address"),
        ("Site", "https://a.example.org", "url"),
        ("Webseite", "www.example.org", "url"),
        ("Breitengrad", "48.2", "latitude"),
    ],
)
def test_synonyms_in_several_languages_are_renamed_if_their_values_fit(header: str, value: str, field: str) -> None:
    assert settings(Kind.LISTING, [{header: f"{value}"}] * 3)[header] == field


@pytest.mark.parametrize(("header", "value"), [("Site", "North"), ("Mail", "by post"), ("Latitud", "north")])
def test_a_synonym_with_other_values_is_data(header: str, value: str) -> None:
    rows = [{"name": f"A{number}", header: value} for number in range(3)]
    assert header not in settings(Kind.LISTING, rows) or settings(Kind.LISTING, rows)[header] == header.lower()
    assert len(proposals(Kind.LISTING, rows).definitions) == 1


@pytest.mark.parametrize(
    ("bodies", "title"),
    [
        (["Text", "Text", "# Heading"], "file-name"),
        (["# Heading", "Title\n=====", "Text"], None),
        (["Text"], "file-name"),
    ],
)
def test_files_without_titles_and_headings_have_those_of_their_names(bodies: list[str], title: str | None) -> None:
    found = proposals(Kind.PAGE, [{"markdown": body} for body in bodies], DocumentSettings(path=("notes",)))
    assert next((it.value for it in found.settings if it.name == "title"), None) == title
    entries = [{"markdown": "Text"}, {"title": "A", "markdown": "Text"}]
    with_title = proposals(Kind.PAGE, entries, DocumentSettings(path=("notes",)))
    assert not [it for it in with_title.settings if it.name == "title"]


def test_a_synonym_beside_its_field_is_data() -> None:
    rows = [{"name": f"A{number}", "description": "A shed", "mission": "To lend tools"} for number in range(3)]
    assert settings(Kind.LISTING, rows) == {"mission": "declare"}


def test_a_synonym_means_nothing_for_another_kind() -> None:
    assert settings(Kind.ARTICLE, [{"title": "A", "adresse": "Hauptplatz 1"}] * 3) == {"adresse": "declare"}


@pytest.mark.parametrize(
    ("header", "field"),
    [
        ("Name", "name"),
        ("Web Site", "url"),
        ("website_url", "url"),
        ("Homepage URL", "url"),
        ("Phone Number", "phone_number"),
        ("Image URL", "image_url"),
        ("E-mail", "email"),
        ("LAT", "latitude"),
        ("Category", "category_id"),
    ],
)
def test_a_column_with_a_readable_heading_is_renamed_to_the_field(header: str, field: str) -> None:
    assert settings(Kind.LISTING, [{header: "https://a.example.org/1"}] * 3) == {header: field}


@pytest.mark.parametrize("header", ["Tool Name", "company", "Title of the place", "project_title"])
def test_the_column_that_contains_the_names_is_found(header: str) -> None:
    rows = [{"Website": f"https://a.example.org/{n}", header: f"Tool {n}"} for n in range(5)]
    assert settings(Kind.LISTING, rows) == {"Website": "url", header: "name"}


def test_the_first_column_with_distinct_texts_becomes_the_name() -> None:
    rows = [{"Firma": f"Bäckerei {n}", "Ort": f"Ort {n}", "Website": f"https://a.example.org/{n}"} for n in range(5)]
    assert settings(Kind.LISTING, rows) == {"Firma": "name", "Ort": "ort", "Website": "url"}
    assert proposals(Kind.LISTING, rows).notes == [
        "Firma is taken for the names of the listings, because its texts differ"
    ]


@pytest.mark.parametrize("text", ["Bakery", "{n}", "https://b.example.org/{n}"])
def test_a_first_column_with_repeated_or_other_texts_is_not_the_name(text: str) -> None:
    rows = [{"Firma": text.format(n=n), "Website": f"https://a.example.org/{n}"} for n in range(5)]
    assert settings(Kind.LISTING, rows)["Firma"] == "firma"


@pytest.mark.parametrize(("key", "hidden"), [("status", "Draft"), ("visibility", "private"), ("status", "Entwurf")])
def test_a_key_that_may_hide_an_entry_is_not_ignored(key: str, hidden: str) -> None:
    shown = [{"title": "A", key: "public"}] * 9
    assert settings(Kind.ARTICLE, shown) == {key: "ignore"}
    entries = [*shown, {"title": "B", key: hidden}]
    assert settings(Kind.ARTICLE, entries) == {}
    assert proposals(Kind.ARTICLE, entries).notes == [
        f"{key} stays an error, because '{hidden}' may mean that an entry is not shown (1 article)"
    ]


@pytest.mark.parametrize("key", ["draft", "private", "wip", "headless"])
def test_a_flag_that_hides_an_entry_is_renamed(key: str) -> None:
    assert settings(Kind.ARTICLE, [{"title": "A"}, {"title": "B", key: True}]) == {key: "!active"}
    assert settings(Kind.PAGE, [{"title": "A"}, {"title": "B", key: True}]) == {key: "!is_published"}


def test_columns_of_a_table_are_declared_even_if_generators_use_their_names() -> None:
    rows = [{"name": f"A{n}", "State": ["TX", "CA"][n % 2], "Type": ["Bar", "Cafe"][n % 2]} for n in range(6)]
    assert settings(Kind.LISTING, rows) == {"State": "state", "Type": "type"}
    assert settings(Kind.LISTING, [{"name": f"A{n}", "type": "tool"} for n in range(6)]) == {"type": "ignore"}


def test_entries_without_a_page_are_reported() -> None:
    collection = ArticleSettings(path=("posts",), former_addresses=("permalink",))
    entries = [{"permalink": "/a/"}, {"permalink": "false"}]
    assert proposals(Kind.ARTICLE, entries, collection).notes == [
        "permalink: false, by which an entry has no page, stays an error (1 article)"
    ]


def test_entries_with_an_empty_published_flag_are_reported() -> None:
    rows = [{"name": "A", "Published": "yes", "Featured": ""}, {"name": "B", "Published": "", "Featured": "yes"}]
    assert proposals(Kind.LISTING, rows).notes == [
        "an entry with an empty Published is shown (1 listing): write false to hide it"
    ]


def test_a_column_of_checkboxes_is_reported() -> None:
    rows = [{"name": "A", "Featured": "checked", "Wifi": "checked"}] * 3
    assert settings(Kind.LISTING, rows) == {"Featured": "is_featured", "Wifi": "wifi"}
    assert proposals(Kind.LISTING, rows).notes == [
        "'checked' of Featured is not a boolean: write true or false instead",
        "'checked' of Wifi is not a boolean: write true or false instead",
    ]


def test_checkboxes_of_an_ignored_key_are_not_reported() -> None:
    entries = [{"title": "A", "toc": "x"}] * 3
    assert settings(Kind.PAGE, entries) == {"toc": "ignore"}
    assert proposals(Kind.PAGE, entries).notes == []


def test_a_rare_key_that_resembles_a_field_is_not_ignored() -> None:
    assert settings(Kind.ARTICLE, [{"title": "A"}] * 99 + [{"tittle": "A"}]) == {}


def test_a_frequent_key_is_not_taken_for_a_typing_error() -> None:
    assert settings(Kind.LISTING, [{"name": "A", "types": str(number)} for number in range(9)]) == {"types": "declare"}


def test_the_rarer_of_two_keys_for_one_field_is_ignored() -> None:
    both = [{"date": "2024-01-01", "pubDate": "2024-01-01"}] * 5 + [{"date": "2024-01-01"}]
    assert settings(Kind.ARTICLE, both) == {"date": "published_at", "pubDate": "ignore"}


def test_two_keys_for_one_field_are_both_renamed_if_no_entry_has_both() -> None:
    apart = [{"date": "2024-01-01"}] * 5 + [{"pubDate": "2024-01-01"}] * 3
    assert settings(Kind.ARTICLE, apart) == {"date": "published_at", "pubDate": "published_at"}


def test_a_key_for_a_field_that_another_key_sets_is_ignored() -> None:
    assert settings(Kind.ARTICLE, [{"categories": ["a"], "tags": ["b"]}] * 3) == {"tags": "ignore"}


def test_a_flag_is_ignored_if_another_flag_hides_the_same_entries() -> None:
    both = [{"draft": "true", "published": "false"}] * 5
    assert settings(Kind.ARTICLE, both) == {"draft": "!active", "published": "ignore"}
    entries = [*both, {"draft": "false", "published": "false"}]
    assert settings(Kind.ARTICLE, entries) == {"draft": "!active"}
    assert proposals(Kind.ARTICLE, entries).notes == [
        "published stays an error, because 'false' may mean that an entry is not shown (6 articles)"
    ]


def test_only_one_of_two_table_columns_for_one_field_is_renamed() -> None:
    rows = [{"Published": "yes", "Draft": ""}] * 99 + [{"Draft": "yes"}]
    found = proposals(Kind.LISTING, rows, path="listings/a.csv")
    assert [(it.name, it.key, it.value) for it in found.settings] == [("rename", "Published", "is_active")]
    assert found.notes == ["Draft stays an error, because 'yes' may mean that an entry is not shown (1 listing)"]


@pytest.mark.parametrize(
    ("key", "hiding", "harmless"),
    [
        ("unlisted", "true", "false"),
        ("archived", "true", "false"),
        ("_build", {"render": "never"}, {"publishResources": "false"}),
        ("expiryDate", "2026-01-01", "2026-12-31"),
        ("expires", "2026-01-01T10:00:00Z", "2026-12-31"),
    ],
)
@pytest.mark.parametrize("kind", [Kind.ARTICLE, Kind.PAGE])
def test_an_unsupported_key_is_ignored_if_it_hides_no_entry(kind: Kind, key: str, hiding: Any, harmless: Any) -> None:
    assert settings(kind, [{key: harmless}] * 3) == {key: "ignore"}
    entries = [{key: harmless}, {key: hiding}]
    assert settings(kind, entries) == {}
    assert f"({kind.counted(1)})" in proposals(kind, entries).notes[0]


def test_a_future_publication_date_is_not_ignored() -> None:
    past = [{"date": "2024-01-01", "publishDate": "2024-01-01"}] * 5
    assert settings(Kind.ARTICLE, past) == {"date": "published_at", "publishDate": "ignore"}
    future = [*past, {"date": "2024-01-01", "publishDate": "2026-12-31"}]
    assert settings(Kind.ARTICLE, future) == {"date": "published_at"}
    assert settings(Kind.PAGE, [{"publishDate": "2026-12-31"}]) == {}


def test_a_picture_that_is_a_file_is_ignored_and_reported() -> None:
    found = proposals(Kind.ARTICLE, [{"image": f"/img/{number}.jpg"} for number in range(4)])
    assert [(it.name, it.value) for it in found.settings] == [("ignore", "image")]
    reason = "is neither an address nor a file, one of which thumbnail_url must be, so it is ignored"
    assert found.notes == [f"image of 4 articles {reason}"]


def test_a_picture_with_an_address_is_renamed() -> None:
    values = [{"image": f"https://a.example.org/{number}.jpg"} for number in range(4)]
    assert settings(Kind.ARTICLE, values) == {"image": "thumbnail_url"}


def test_unknown_keys_become_custom_fields_with_valid_names() -> None:
    found = proposals(Kind.LISTING, [{"Opening Hours": f"9-{n}", "rating": "4"} for n in range(5)])
    assert [(it["name"], it["type"]) for it in found.definitions] == [("opening_hours", "text"), ("rating", "number")]
    assert [(it.key, it.value) for it in found.settings] == [("Opening Hours", "opening_hours")]


@pytest.mark.parametrize(
    ("kind", "values"),
    [
        (Kind.PAGE, {"mood": "calm"}),  # pages have no custom fields
        (Kind.LISTING, {"nested": {"a": "b"}}),
        (Kind.LISTING, {"items": [{"a": "b"}]}),
        (Kind.LISTING, {"empty": None}),
        (Kind.LISTING, {"price": ""}),
    ],
)
def test_a_key_that_no_custom_field_can_store_is_ignored(kind: Kind, values: dict[str, Any]) -> None:
    assert settings(kind, [values] * 5) == dict.fromkeys(values, "ignore")


def test_a_rare_key_does_not_become_a_custom_field() -> None:
    assert settings(Kind.LISTING, [{"name": "A"}] * 99 + [{"qqq": "x"}]) == {"qqq": "ignore"}


def test_keys_named_by_the_config_or_a_declaration_get_no_proposal() -> None:
    collection = CollectionSettings(rename={"date": "published_at"}, ignore=("layout",))
    entries = [{"date": "2024-01-01", "layout": "x", "mood": "calm"}] * 4
    assert settings(Kind.ARTICLE, entries, collection=collection, declared=["mood"]) == {}


def test_dotted_columns_of_one_object_field_need_no_proposal() -> None:
    assert settings(Kind.LISTING, [{"social_links.github": "https://a.example.org"}] * 3) == {}


def test_a_table_with_very_many_columns_is_bounded() -> None:
    found = proposals(Kind.LISTING, [{f"column {number}": "x" for number in range(5000)}])
    assert len(found.settings) <= 500


def test_used_names_are_counted_for_the_field_that_the_key_is_renamed_to() -> None:
    survey = Survey(Kind.LISTING, NOW)
    survey.add(Draft(Kind.LISTING, "a.csv", values={"Type": "Cafe", "labels": "open|late", "name": "A"}))
    survey.add(Draft(Kind.LISTING, "a.csv", values={"Type": "Cafe", "labels": ["late"]}))
    names = used_names(survey, {"Type": "category_id", "labels": "tags", "name": "name"})
    assert names == {Kind.CATEGORY: {"Cafe": 2}, Kind.TAG: {"late": 2, "open": 1}}


def test_spellings_that_differ_only_in_case_become_one_entry() -> None:
    assert vocabulary_entries(Counter({"Web": 3, "web": 1})) == [{"title": "Web", "slug": "web"}]


def test_names_with_equal_slugs_get_a_number() -> None:
    entries = vocabulary_entries(Counter({"C": 1, "C++": 2, "C#": 1}))
    assert [(entry["title"], entry["slug"]) for entry in entries] == [("C", "c"), ("C#", "c-2"), ("C++", "c-3")]


def test_a_name_that_equals_a_slug_gets_that_slug() -> None:
    assert vocabulary_entries(Counter([".NET", "net", "C#", "C"])) == [
        {"title": ".NET", "slug": "net-2"},
        {"title": "C", "slug": "c"},
        {"title": "C#", "slug": "c-2"},
        {"title": "net", "slug": "net"},
    ]


def test_an_overlong_name_or_one_without_letters_gets_no_entry() -> None:
    assert vocabulary_entries(Counter({"???": 1, "x" * 300: 1})) == []


def test_a_written_list_file_is_read_back_with_the_same_titles() -> None:
    titles = ["no", "12:30", "01234", "#1", "a: b", "- x", "Zürich", '"', "~", "line", "&a", "{x}", "100%"]
    titles += map(PlainScalar, [".NET", "2024", "true"])  # as keys without quotes are read
    data = list_file([{"title": title, "slug": f"s-{number}"} for number, title in enumerate(titles)], "Heading.")
    read = [item for item in read_mappings(data.decode(), Kind.TAG, "tags.yaml") if isinstance(item, Draft)]
    assert [item.values["title"] for item in read] == titles


def test_a_custom_field_of_two_kinds_is_declared_once() -> None:
    assert merged_definitions([{"name": "a", "type": "text"}, {"name": "a", "type": "number"}]) == [
        {"name": "a", "type": "text"}
    ]


def test_columns_of_a_table_are_data_also_if_generators_have_such_keys() -> None:
    rows = [{"name": f"A{n}", "Weight": str(n), "Layout": f"L{n}", "id": str(n)} for n in range(3)]
    found = proposals(Kind.LISTING, rows, path="a.csv")
    assert [it["label"] for it in found.definitions] == ["Weight", "Layout"]
    assert [it.value for it in found.settings if it.name == "ignore"] == ["id"]


def test_a_new_key_beside_declared_custom_fields_stays_an_error() -> None:
    survey = Survey(Kind.LISTING, NOW)
    for number in range(3):
        survey.add(Draft(Kind.LISTING, "a.csv", values={"name": f"A{number}", "motto": f"M{number}"}))
    kept = propose_keys(survey, CollectionSettings(), ["founded"], undeclared="keep")
    assert (kept.settings, kept.definitions) == ([], [])
    assert kept.notes == ["motto of 3 listings stays an error: declare it as a custom field, or ignore it"]
