"""contentsync.content.entry.validation: broken rules at the place of the value, notes, clock changes."""

import pytest

from contentsync.content.folder.load import Content, validate_folder
from contentsync.errors import Severity
from contentsync.model import Notes

from ..conftest import CONFIG, Files, Load, only, spots

PAGE = "pages/a.md"


def page(read: Load, front_matter: str) -> list[tuple[int, int, str]]:
    return [spot[1:] for spot in spots(read({PAGE: f"---\n{front_matter}\n---\n"}))]


@pytest.mark.parametrize(
    ("front_matter", "place"),
    [
        ("tilte: A", (2, 1, "unknown-key")),
        ("name: A", (2, 1, "unknown-key")),
        ("tilte: A\ntitle: B", (2, 1, "unknown-key")),
        ("title: B\nid: 3", (3, 1, "unknown-key")),
        ("title: B\nseo:\n  titel: x", (4, 3, "unknown-key")),
        ("title: B\nseo:\n  title: [x]", (4, 10, "not-text")),
        ("title: B\nseo: text", (3, 6, "not-an-object")),
        ("title: B\norder: .nan", (3, 8, "not-an-integer")),
        (r'title: "a\0b"', (2, 8, "control-character")),
        ("title:", (2, 7, "required")),
        ("order: 1", (1, 1, "required")),
        ("title: B\nis_external: true", (1, 1, "required-with")),
        (f"title: B\norder: {'9' * 5000}", (3, 8, "not-an-integer")),
    ],
)
def test_a_broken_rule_is_reported_at_the_value_or_the_key(
    read: Load, front_matter: str, place: tuple[int, int, str]
) -> None:
    """YA-13, YA-14, YA-15, YA-21, YA-22, FI-07"""
    assert page(read, front_matter) == [place]


def test_a_problem_has_the_kind_and_key_of_its_entry(read: Load) -> None:
    (problem,) = read({PAGE: "---\ntitle: A\nordre: B\n---\n"}).problems
    assert (problem.kind, problem.key, problem.hint) == ("page", "a", "did you mean 'order'?")


def test_an_unreadable_value_is_not_also_reported_as_missing(read: Load) -> None:
    assert page(read, "title: *x\norder: z") == [(2, 8, "yaml-alias"), (3, 8, "not-an-integer")]


def test_sync_settings_are_not_fields(read: Load) -> None:
    content = read(
        {PAGE: "---\ntitle: A\nsync:\n  skip: yes\n  protect: true\n  previous: [old, 2025]\n  merged: [other]\n---\n"}
    )
    (entry,) = content.entries
    assert entry.notes == Notes(skip=True, protect=True, previous=("old", "2025"), merged=("other",))
    assert "sync" not in entry.fields


@pytest.mark.parametrize(
    ("path", "text"),
    [(PAGE, "---\ntitle: A\nsync:\n  previous: [old]\n---\n"), ("listings/a.csv", "name,sync.previous\nA,old\n")],
)
def test_a_former_key_is_recorded(read: Load, path: str, text: str) -> None:
    content = read({path: text})
    assert (content.problems, content.entries[0].notes) == ((), Notes(previous=("old",)))


def test_the_keys_of_merged_entries_are_recorded(read: Load) -> None:
    listings = "name,url,sync.merged\nA,https://a.example/,HTTPS://B.example/|b\n"
    content = read({"listings/a.csv": listings, "listings/c.md": "---\nname: C\nsync: {merged: [d, e]}\n---\n"})
    assert not content.problems
    assert [entry.notes.merged for entry in content.entries] == [("d", "e"), ("https://b.example", "b")]


def test_sync_settings_cause_no_warning(read: Load) -> None:
    entry = only(read({PAGE: "---\ntitle: A\nsync: {skip: no, protect: yes, previous: []}\n---\n"}))
    assert entry.notes == Notes(protect=True)


CUSTOM = """\
- {label: Fee, type: number}
- {label: Stars, type: rating}
- {label: Open, type: checkbox}
- {label: Moods, type: multi_select, options: [calm, sunny]}
"""


@pytest.mark.parametrize(
    "listing",
    [
        'name: A\nfee: "12"\nstars: "4.5"\nopen: "1"\nmoods: calm, sunny\n',
        'name: A\nfee: 12\nstars: 4.5\nopen: true\nmoods: \'["calm", "sunny"]\'\n',
        "name: A\nfee: 12\nstars: 4.5\nopen: yes\nmoods: [calm, sunny]\n",
    ],
)
def test_a_custom_field_value_can_be_written_as_text(read: Load, listing: str) -> None:
    content = read({"custom_fields.yaml": CUSTOM, "listings/a.yaml": listing})
    assert content.problems == ()
    fields = content.entries[-1].fields
    assert {name: fields[name] for name in ("fee", "stars", "open", "moods")} == {
        "fee": 12,
        "stars": 4.5,
        "open": True,
        "moods": ["calm", "sunny"],
    }


def test_a_wrong_value_lists_the_accepted_forms(read: Load) -> None:
    listing = "name: A\nfee: lots\nopen: maybe\nmoods: calm, stormy\n"
    content = read({"custom_fields.yaml": CUSTOM, "listings/a.yaml": listing})
    assert [problem.message for problem in content.problems] == [
        'fee must be a number, such as 4.5 or "4.5"',
        'open must be true or false, or "true", "yes", "on", "1", "false", "no", "off" or "0"',
        "moods.1 must be one of calm, sunny, not 'stormy'",
    ]


def test_an_empty_text_clears_a_field_of_another_type(read: Load) -> None:
    content = read(
        {
            "custom_fields.yaml": CUSTOM,
            "listings/a.yaml": 'name: A\nurl: ""\nemail: ""\nlatitude: ""\nends_at: ""\nfee: ""\ndescription: ""\n',
            "pages/a.md": '---\ntitle: A\nexternal_url: ""\n---\n',
            "articles/a.md": '---\ntitle: A\nthumbnail_url: ""\nseo: {og_image: "", title: ""}\n---\nText\n',
        }
    )
    assert content.problems == ()
    listing, page, article = content.entries[-3:]
    cleared = ("url", "email", "latitude", "ends_at", "fee")
    assert {name: listing.fields[name] for name in (*cleared, "description")} == {
        **dict.fromkeys(cleared),
        "description": "",
    }
    assert page.fields["external_url"] is None
    assert (article.fields["thumbnail_url"], article.fields["seo"]) == (None, {"og_image": None, "title": ""})


def test_the_limits_of_the_contract_apply_to_files(read: Load) -> None:
    content = read(
        {
            "categories.yaml": f"- {{title: A, order: -1, head_html: {'x' * 10_001}}}\n",
            "articles/a.md": "---\ntitle: A\nthumbnail_url: /storage/a.png\n---\nText\n",
        }
    )
    assert [problem.message for problem in content.problems] == [
        "order must be at least 0",
        "head_html must be at most 10000 characters, but has 10001",
    ]


def test_a_field_alias_is_reported_at_its_own_key(read: Load) -> None:
    article = "articles/a.md"
    wrong = f"---\ntitle: A\nseo:\n  title: B\n  twitter_title: {'x' * 256}\n---\nText\n"
    assert spots(read({article: wrong})) == [(article, 5, 18, "too-long")]
    twice = "---\ntitle: A\nseo:\n  twitter_title: foo\n  card_title: bar\n---\nText\n"
    assert spots(read({article: twice})) == [(article, 4, 3, "given-twice")]


def test_an_entry_with_too_many_keys_is_reported_once(read: Load) -> None:
    keys = "\n".join(f"k{number}: x" for number in range(1001))
    assert page(read, f"title: A\n{keys}") == [(1, 1, "too-many")]


def test_mistakes_in_sync_settings_are_reported(read: Load) -> None:
    front_matter = "title: A\nsync:\n  skp: true\n  protect: perhaps\n  previous: old"
    assert page(read, front_matter) == [(4, 3, "unknown-key"), (5, 12, "not-a-boolean"), (6, 13, "not-a-list")]
    assert page(read, "title: A\nsync: [skip]") == [(3, 7, "not-an-object")]


def test_the_former_url_of_a_listing_is_normalized(read: Load) -> None:
    text = "name: A\nsync: {previous: ['HTTPS://Example.com/', old-slug]}\n"
    assert read({"listings/a.yaml": text}).entries[0].notes.previous == ("https://example.com", "old-slug")


def test_only_a_listing_may_name_distinct_listings(read: Load) -> None:
    content = read({PAGE: "---\ntitle: A\nsync: {distinct: [b]}\n---\n"})
    assert [spot.code for spot in spots(content)] == ["unknown-key"]


@pytest.mark.parametrize(
    ("local", "instants"),
    [
        ("2025-03-30 01:30", ("2025-03-30T01:30:00Z", "2025-03-30T00:30:00Z")),
        ("2025-10-26 01:30", ("2025-10-26T00:30:00Z", "2025-10-26T01:30:00Z")),
    ],
)
def test_a_time_during_a_clock_change_is_a_warning_with_both_instants(
    read: Load, local: str, instants: tuple[str, str]
) -> None:
    """TM-02"""
    config = CONFIG + 'timezone = "Europe/London"\n'
    text = f"name: A\nstarts_at: {local}\n"
    (problem,) = read({"contentsync.toml": config, "listings/a.yaml": text}).problems
    assert (problem.code, problem.severity, problem.where.line) == ("clock-change", Severity.WARNING, 2)
    assert all(instant in problem.message for instant in instants)


def test_a_text_custom_field_named_like_a_date_is_not_a_time(read: Load) -> None:
    files = {
        "contentsync.toml": CONFIG + 'timezone = "Europe/London"\n',
        "custom_fields.yaml": "label: Published at\ntype: text\n",
        "listings/a.yaml": "name: A\npublished_at: 2025-03-30 01:30\n",
    }
    assert read(files).problems == ()


def test_dates_are_read_in_the_time_zone_of_the_site(read: Load) -> None:
    """TM-01, TM-03"""
    config = CONFIG + 'timezone = "Asia/Kathmandu"\n'
    text = "name: A\nstarts_at: 2026-08-01 09:00\nends_at: 2026-08-02\n"
    fields = only(read({"contentsync.toml": config, "listings/a.yaml": text})).fields
    assert fields["starts_at"] == "2026-08-01T03:15:00.000000Z"
    assert fields["ends_at"] == "2026-08-02T18:14:59.000000Z"


FIELDS = "- {label: Since, type: number}\n- {label: Kinds, type: multi_select, options: [a, b]}\n"


def test_custom_fields_are_written_as_keys_and_columns(read: Load) -> None:
    content = read({"custom_fields.yaml": FIELDS, "listings/a.csv": "name,since,kinds\nA,1999,a|b\nB,,\n"})
    assert content.problems == ()
    assert [(entry.fields["since"], entry.fields["kinds"]) for entry in content.entries[2:]] == [
        (1999, ["a", "b"]),
        (None, None),
    ]


def test_a_custom_field_of_another_kind_is_an_unknown_key(read: Load) -> None:
    assert spots(read({"custom_fields.yaml": FIELDS, "organizers/a.md": "---\nname: A\nsince: 1\n---\n"})) == [
        ("organizers/a.md", 3, 1, "unknown-key")
    ]


def test_a_wrong_value_of_a_custom_field_is_reported_at_its_location(read: Load) -> None:
    content = read({"custom_fields.yaml": FIELDS, "listings/a.csv": "name,since,kinds\nA,old,a|c\n"})
    assert spots(content) == [("listings/a.csv", 2, 3, "not-a-number"), ("listings/a.csv", 2, 7, "not-a-choice")]


def test_a_broken_custom_field_is_not_reported_again_at_its_uses(read: Load) -> None:
    content = read({"custom_fields.yaml": "- {label: Since, type: nomber}\n", "listings/a.csv": "name,since\nA,1\n"})
    assert spots(content) == [("custom_fields.yaml", 1, 24, "not-a-choice")]


def test_no_key_is_unknown_if_the_custom_fields_are_unreadable(read: Load) -> None:
    listings = "name,since,zzz,url,nmae\nA,1,x,nowhere,y\n"
    content = read({"custom_fields.yaml": "- label: [", "listings/a.csv": listings})
    assert spots(content) == [
        ("custom_fields.yaml", 1, 11, "yaml-syntax"),
        ("listings/a.csv", 1, 20, "unknown-key"),
        ("listings/a.csv", 2, 7, "bad-url"),
    ]


def test_a_user_is_a_number_or_an_email_address(read: Load) -> None:
    content = read(
        {
            "organizers/a.md": "---\nname: A\nuser_id: 7\n---\n",
            "organizers/b.md": "---\nname: B\nuser_id: e@example.com\n---\n",
        }
    )
    assert [entry.fields["user_id"] for entry in content.entries] == [7, "e@example.com"]


def test_each_wrong_item_of_a_list_is_reported_at_its_own_location(read: Load) -> None:
    content = read(
        {
            "custom_fields.yaml": "- label: M\n  type: multi_select\n  options: [a, b]\n",
            "listings/a.yaml": "name: A\nm:\n  - a\n  - c\n  - d\n",
        }
    )
    assert spots(content) == [("listings/a.yaml", 4, 5, "not-a-choice"), ("listings/a.yaml", 5, 5, "not-a-choice")]
    options = "- label: M\n  type: multi_select\n  options:\n    - a\n    - b\n    - a\n"
    assert spots(read({"custom_fields.yaml": options, "listings/a.yaml": "name: A\n"})) == [
        ("custom_fields.yaml", 6, 7, "duplicate-option")
    ]


def test_each_bad_value_inside_json_is_reported_at_its_own_location(read: Load) -> None:
    """YA-13, YA-14"""
    text = f"name: A\nschema:\n  offers:\n    - price: .inf\n    - price: {'9' * 5000}\n"
    content = read({"listings/a.yaml": text})
    assert spots(content) == [("listings/a.yaml", 4, 14, "not-json"), ("listings/a.yaml", 5, 14, "out-of-range")]
    assert content.problems[1].message == "schema.offers.1.price must be a number of at most 18 digits"


def test_an_invalid_language_is_reported_at_its_key(read: Load) -> None:
    text = "---\ntitle: A\ntranslations:\n  de:\n    title: B\n  en:\n    title: C\n---\nText\n"
    assert spots(read({"articles/a.md": text})) == [
        ("articles/a.md", 4, 3, "unknown-locale"),
        ("articles/a.md", 6, 3, "default-locale"),
    ]


def test_a_missing_field_is_reported_beside_an_unknown_key(read: Load) -> None:
    assert page(read, "ordr: 1") == [(1, 1, "required"), (2, 1, "unknown-key")]
    assert page(read, "titel: A\ntitle:") == [(2, 1, "unknown-key"), (3, 7, "required")]


@pytest.mark.parametrize("item", ["", '""', "null"])
@pytest.mark.parametrize("field", ["categories", "tags", "additional_image_urls", "m"])
def test_an_empty_item_of_a_list_is_one_error(field: str, item: str, read: Load) -> None:
    fields = "- {label: M, type: multi_select, options: [a, b]}\n"
    listing = f"name: A\n{field}:\n- {item}\n"
    content = read({"custom_fields.yaml": fields, "tags.yaml": "- title: Free\n", "listings/a.yaml": listing})
    (problem,) = content.problems
    assert (problem.code, problem.message) == ("required", f"{field}.0 is an empty list item")
    assert problem.hint == "delete it, or fill it in"


@pytest.mark.parametrize("lead", ["", "seo:\n  "])
def test_a_paragraph_in_place_of_a_key_is_not_quoted(lead: str, read: Load) -> None:
    paragraph = "This sentence stands in the front matter, goes on for a while, and has a colon in the end"
    (problem,) = read({"pages/a.md": f"---\ntitle: A\n{lead}{paragraph}: yes\n---\n"}).problems
    assert problem.code == "unknown-key"
    assert len(problem.message) < 80
    assert problem.hint == "a colon ends a key: if this is text, put it in quotes"


ARTICLE = "---\ntitle: A\ncategories: {}\n---\nText\n"


def article(read: Load, value: str, config: str = "") -> Content:
    return read({"contentsync.toml": config, "articles/a.md": ARTICLE.format(value)})


@pytest.mark.parametrize(
    ("value", "expected"),
    [("releases", "releases"), ("News Events", "News Events"), ("2026", "2026"), ("true", "true")],
)
def test_a_single_category_is_read_as_a_list_of_one_with_a_warning(value: str, expected: str, read: Load) -> None:
    content = article(read, value)
    assert [entry.fields["categories"] for entry in content.entries] == [[expected]]
    (problem,) = content.problems
    assert (problem.code, problem.severity) == ("single-value", Severity.WARNING)
    assert (problem.where.line, problem.where.column) == (3, 13)
    assert f'write ["{expected}"]' in problem.hint


def test_the_hint_for_a_text_with_commas_shows_the_list_of_its_parts(read: Load) -> None:
    (problem,) = article(read, "a, b").problems
    assert problem.hint.startswith('write ["a", "b"], or set ignore = ["single-value"] under [warnings]')


def test_an_ignored_warning_code_hides_only_this_warning(read: Load) -> None:
    content = article(read, "[a]\nseo: {title: Soft\u00adhyphen}", '[warnings]\nignore = ["single-value"]\n')
    assert [it.code for it in content.problems] == ["invisible-character"]
    content = article(read, "releases", '[warnings]\nignore = ["single-value"]\n')
    assert (content.problems, len(content.entries)) == ((), 1)


def test_an_error_cannot_be_ignored(read: Load) -> None:
    content = article(read, "[a]\ntitel: B", '[warnings]\nignore = ["unknown-key"]\n')
    assert [it.code for it in content.problems] == ["unknown-key"]


def test_dates_with_the_name_of_the_month_are_read(read: Load) -> None:
    """Also before the slug is made, and in custom fields and rows of tables."""
    content = read(
        {
            "contentsync.toml": '[content.articles]\nslug = "{year}-{name}"\n',
            "custom_fields.yaml": "- {name: founded, label: Founded, type: date}\n",
            "articles/a.md": "---\ntitle: A\npublished_at: Jul 08 2022 10:30\n---\nText\n",
            "listings/a.csv": "name,starts_at,founded\nA,25 Aug 2024,March 1st 2020\n",
        }
    )
    _field, listing, article = content.entries
    assert content.problems == ()
    assert (article.key, article.fields["published_at"]) == ("2022-a", "2022-07-08T10:30:00.000000Z")
    assert listing.fields["starts_at"] == "2024-08-25T00:00:00.000000Z"
    assert listing.fields["founded"] == "2020-03-01"


@pytest.mark.parametrize(
    ("keywords", "text"),
    [("[loans, 'tools ', '']", "loans, tools"), ("loans", "loans"), ("'a, b'", "a, b"), ("[]", None)],
)
def test_a_list_of_keywords_is_read_as_one_text(keywords: str, text: str | None, read: Load) -> None:
    config = '[content.articles]\nrename = { keywords = "seo.keywords" }\n'
    for front_matter in (f"keywords: {keywords}", f"seo: {{keywords: {keywords}}}"):
        content = read({"contentsync.toml": config, "articles/a.md": f"---\ntitle: A\n{front_matter}\n---\nText\n"})
        assert content.problems == ()
        assert content.entries[-1].fields["seo"]["keywords"] == text


def test_a_list_of_other_values_is_not_keywords(read: Load) -> None:
    content = read({"articles/a.md": "---\ntitle: A\nseo: {keywords: [{a: b}]}\n---\nText\n"})
    assert [it.code for it in content.problems] == ["not-text"]


def test_a_single_reference_is_read_as_a_list_of_one(read: Load) -> None:
    content = read({"tags.yaml": "- title: Free\n", "listings/a.yaml": "name: A\ntags: Free\n"})
    assert [it.code for it in content.problems] == ["single-value"]
    assert content.entries[-1].fields["tags"] == ["free"]
    wrong = read({"tags.yaml": "- title: Free\n", "listings/a.yaml": "name: A\ntags: Fre\n"})
    assert spots(wrong)[1:] == [("listings/a.yaml", 2, 7, "unknown-reference")]


def test_a_single_value_of_a_renamed_key_is_read_as_a_list_of_one(read: Load) -> None:
    config = '[content.articles]\nrename = { tags = "categories" }\n'
    content = read({"contentsync.toml": config, "articles/a.md": "---\ntitle: A\ntags: a\n---\nText\n"})
    assert [entry.fields["categories"] for entry in content.entries] == [["a"]]


def test_an_object_or_an_empty_value_is_not_a_list_of_one(read: Load) -> None:
    assert [it.code for it in article(read, "{a: b}").problems] == ["not-a-list"]
    content = article(read, "")
    assert [entry.fields["categories"] for entry in content.entries] == [[]]


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("listings/a.csv", "name,latitude,longitude\nA,-122.4194,37.7749\n"),
        ("listings/a.yaml", "- name: A\n  latitude: -122.4194\n  longitude: 37.7749\n"),
        ("listings/a.md", "---\nname: A\nlatitude: -122.4194\nlongitude: 37.7749\n---\n"),
    ],
)
def test_coordinates_that_look_swapped_get_a_hint(read: Load, name: str, text: str) -> None:
    """CS-24"""
    content = read({name: text})
    assert [spot.code for spot in spots(content)] == ["out-of-range"]
    assert content.problems[0].hint == "latitude and longitude look swapped"


@pytest.mark.parametrize("cells", ["400,37.7", "-122.4,", "-122.4,137.7", "-122.4,x", "x,200"])
def test_other_wrong_coordinates_get_no_hint_about_a_swap(read: Load, cells: str) -> None:
    """CS-24"""
    content = read({"listings/a.csv": f"name,latitude,longitude\nA,{cells}\n"})
    assert content.errors
    assert not any("swapped" in problem.hint for problem in content.problems)


@pytest.mark.parametrize(
    ("cell", "offered"),
    [
        ("software;software", "software|software"),
        ("software; hardware;", "software|hardware"),
        ('"software,hardware"', "software|hardware"),
    ],
)
@pytest.mark.parametrize("tags", ["- title: Software\n", ""], ids=["known tags", "no tags"])
def test_a_cell_with_semicolons_or_commas_suggests_the_separator_of_lists(
    cell: str, offered: str, tags: str, read: Load
) -> None:
    content = read({"tags.yaml": tags, "listings/a.csv": f"name,tags\nA,{cell}\n"})
    (problem,) = (it for it in content.problems if it.where.path == "listings/a.csv")
    assert problem.hint == f"if these are several values, separate them with |: {offered}"


def test_choices_and_addresses_in_one_cell_suggest_the_list_separator(read: Load) -> None:
    fields = "- {label: M, type: multi_select, options: [a, b]}\n"
    table = "name,m,additional_image_urls\nA,a;b,https://a.example;https://b.example\n"
    content = read({"custom_fields.yaml": fields, "listings/a.csv": table})
    assert [problem.hint.partition("|: ")[2] for problem in content.problems] == [
        "a|b",
        "https://a.example|https://b.example",
    ]


def test_a_single_wrong_name_suggests_no_separator(read: Load) -> None:
    files = {"tags.yaml": "- title: Free\n", "listings/a.csv": "name,tags\nA,fre\n"}
    assert [problem.hint for problem in read(files).problems] == ["did you mean 'free'?"]
    files = {"tags.yaml": "- title: Free\n", "listings/a.yaml": "name: A\ntags: [x;y]\n"}
    assert "|" not in read({**files, "listings/a.csv": "name\nB\n"}).problems[0].hint


STUB = "---\ntitle: A\n---\n"
SKIP = "[content.articles]\nskip_empty = true\n"
FILES: Files = {f"articles/2024/{name}.md": STUB for name in "abc"} | {"articles/x/a1.md": STUB, "articles/d.md": STUB}


def test_articles_without_a_text_are_counted_in_one_error_per_folder(read: Load) -> None:
    content = read({**FILES, "articles/x/b1.md": STUB, "articles/2024/z.md": f"{STUB}Text\n"})
    assert spots(content) == [
        ("articles/2024/a.md", 1, 1, "required-without"),
        ("articles/d.md", 1, 1, "required-without"),
        ("articles/x/a1.md", 1, 1, "required-without"),
    ]
    assert [problem.message for problem in content.problems] == [
        "3 articles in articles/2024/ have no text (neither markdown nor content)",
        "an article needs markdown or content",
        "2 articles in articles/x/ have no text (neither markdown nor content)",
    ]
    assert {"skip_empty = true under [content.articles]" in problem.hint for problem in content.problems} == {True}
    assert [entry.key for entry in content.entries] == ["z"]
    assert validate_folder(content.folder).problems == content.problems


def test_other_mistakes_of_an_empty_article_are_reported_too(read: Load) -> None:
    content = read({"articles/a.md": "---\ntitle: A\nactive: perhaps\n---\n", "articles/b.md": STUB})
    assert sorted(problem.code for problem in content.problems) == ["not-a-boolean", "required-without"]


def test_skip_empty_skips_articles_without_a_text(read: Load) -> None:
    content = read({"contentsync.toml": SKIP, **FILES, "articles/z.md": f"{STUB}Text\n"})
    assert content.problems == ()
    assert {entry.key: entry.notes.skip for entry in content.entries} == {
        **dict.fromkeys(("a", "b", "c", "a1", "d"), True),
        "z": False,
    }


def test_a_skipped_empty_article_can_also_be_protected(read: Load) -> None:
    entry = only(read({"contentsync.toml": SKIP, "articles/a.md": "---\ntitle: A\nsync: {protect: true}\n---\n"}))
    assert (entry.notes.skip, entry.notes.protect) == (True, True)


def test_an_article_with_an_unreadable_text_is_not_skipped(read: Load) -> None:
    content = read({"contentsync.toml": SKIP, "articles/a.md": "---\ntitle: A\nmarkdown: !!binary x\n---\n"})
    assert [problem.code for problem in content.problems] == ["yaml-tag"]


def test_skip_empty_is_a_setting_of_articles_only(read: Load) -> None:
    content = read({"contentsync.toml": "[content.pages]\nskip_empty = true\n"})
    assert [problem.code for problem in content.problems] == ["unknown-key"]


LISTING = """\
- name: A
  url: http://https://a.example.org/
  additional_image_urls: [https://a.example.org/a.png, https://http//a.example.org/b.png]
  description: http://http://a.example.org/ was its address
"""


def test_a_url_with_two_schemes_is_a_warning_with_the_intended_url(read: Load) -> None:
    content = read({"listings/a.yaml": LISTING})
    assert spots(content) == [
        ("listings/a.yaml", 2, 8, "doubled-scheme"),
        ("listings/a.yaml", 3, 56, "doubled-scheme"),
    ]
    problem = content.problems[0]
    assert problem.message == "url has two schemes, so its host is 'https'"
    assert "https://a.example.org/" in problem.hint
    assert not content.errors
    assert content.entries[0].fields["url"] == "http://https://a.example.org/"


def test_a_url_with_two_schemes_is_found_among_plain_rows(read: Load) -> None:
    rows = [f"Tool {number},https://{number}.example.org/" for number in range(30)]
    rows[20] = "Tool 20,http://http://20.example.org/"
    content = read({"listings/a.csv": "\n".join(["name,url", *rows])})
    assert spots(content) == [("listings/a.csv", 22, 9, "doubled-scheme")]


def test_a_table_without_a_name_column_is_explained(read: Load) -> None:
    content = read({"listings/a.csv": "slug,email\na,a@example.org\n", "listings/b.csv": "name,slug\n,b\n"})
    hints = {problem.where.path: problem.hint for problem in content.problems if problem.code == "required"}
    assert hints["listings/a.csv"] == (
        'add a column name, or set rename = { COLUMN = "name" } under [content.listings] in contentsync.toml'
    )
    assert hints["listings/b.csv"] == ""


def test_a_missing_required_column_is_one_error(read: Load) -> None:
    content = read({"listings/a.csv": "url\nhttps://a.example\nhttps://b.example\nhttps://c.example\n"})
    assert spots(content) == [("listings/a.csv", 2, 1, "required")]
    assert content.entries == ()


def test_an_empty_required_cell_is_an_error_in_each_row(read: Load) -> None:
    content = read({"listings/a.csv": "name,url\n,https://a.example\n,https://b.example\n"})
    assert [spot.code for spot in spots(content)] == ["required", "required"]


def test_a_rename_to_an_unknown_field_is_one_error(read: Load) -> None:
    config = '[content.listings]\nrename = { Status = "sttus" }\n[content.pages]\nrename = { Header = "titel" }\n'
    files = {
        "contentsync.toml": config,
        "listings/a.csv": "name,Status\nA,x\nB,y\n",
        "pages/a.md": "---\ntitle: A\nHeader: x\n---\n",
    }
    content = read(files)
    assert [(path, code) for path, _line, _column, code in spots(content)] == [
        ("contentsync.toml", "unknown-field"),
        ("contentsync.toml", "unknown-field"),
    ]
    assert content.entries == ()


def test_a_hint_spells_the_column_like_the_file(read: Load) -> None:
    (problem,) = read({"listings/a.csv": "name,Foo.Bar\nA,x\nB,y\n"}).problems
    assert 'ignore = ["Foo.Bar"] under [content.listings]' in problem.hint
    settled = {"contentsync.toml": '[content.listings]\nignore = ["Foo.Bar"]\n'}
    assert read({**settled, "listings/a.csv": "name,Foo.Bar\nA,x\nB,y\n"}).problems == ()


def test_a_nested_column_that_hides_entries_does_not_suggest_to_ignore_it(read: Load) -> None:
    (problem,) = read({"listings/a.csv": "name,post.status\nA,draft\n"}).problems
    assert problem.setting is None
    assert problem.hint.startswith("to hide the listing, write is_active: false")
