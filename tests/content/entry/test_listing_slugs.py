"""contentsync.content.entry.identity: slugs that a pattern makes of the fields of listings."""

import pytest

from contentsync.model import Kind

from ..conftest import Files, Load

FIELDS = "- name: city\n  label: City\n  type: text\n"


def config(pattern: str = "{name}-{city}", more: str = "") -> str:
    return f'[content.listings]\nslug = "{pattern}"\n{more}'


def slugs(read: Load, files: Files, pattern: str = "{name}-{city}", more: str = "") -> list[str]:
    content = read({"contentsync.toml": config(pattern, more), "custom_fields.yaml": FIELDS, **files})
    assert content.problems == ()
    return sorted(str(entry.fields.get("slug")) for entry in content.entries if entry.kind is Kind.LISTING)


TABLE = "name,city\nCafe,Berlin\nCafe,São Paulo\n"


@pytest.mark.parametrize(
    ("path", "text"),
    [
        ("listings/a.csv", TABLE),
        ("listings/a.yaml", "- {name: Cafe, city: Berlin}\n- {name: Cafe, city: São Paulo}\n"),
        ("listings/a.json", '[{"name": "Cafe", "city": "Berlin"}, {"name": "Cafe", "city": "São Paulo"}]'),
    ],
)
def test_equal_names_get_slugs_with_another_field(read: Load, path: str, text: str) -> None:
    assert slugs(read, {path: text}) == ["cafe-berlin", "cafe-sao-paulo"]


def test_a_field_without_a_value_is_left_out(read: Load) -> None:
    assert slugs(read, {"listings/a.csv": "name,city\nCafe,\n"}) == ["cafe"]
    assert slugs(read, {"listings/a.csv": "name,city\nCafe,\n"}, "{city}-{name}") == ["cafe"]


def test_a_slug_in_a_row_takes_precedence(read: Load) -> None:
    assert slugs(read, {"listings/a.csv": "name,city,slug\nCafe,Rome,own\nCafe,Oslo,\n"}) == ["cafe-oslo", "own"]


def test_a_listing_with_a_url_gets_the_slug_too(read: Load) -> None:
    assert slugs(read, {"listings/a.csv": "name,city,url\nCafe,Rome,https://example.org\n"}) == ["cafe-rome"]


def test_a_renamed_column_and_the_first_item_of_a_list_count(read: Load) -> None:
    files: Files = {
        "categories.yaml": "- title: Food\n- title: Art\n",
        "listings/a.csv": "name,groups\nCafe,food|art\n",
    }
    assert slugs(read, files, "{name}-{categories}", '[content.listings.rename]\ngroups = "categories"\n') == [
        "cafe-food"
    ]


def test_many_plain_rows_have_the_slugs_of_the_pattern(read: Load) -> None:
    rows = "".join(f"Cafe,City {number}\n" for number in range(600))
    assert len({*slugs(read, {"listings/a.csv": f"name,city\n{rows}"})}) == 600


def test_equal_slugs_of_the_pattern_are_an_error(read: Load) -> None:
    content = read(
        {"contentsync.toml": config(), "custom_fields.yaml": FIELDS, "listings/a.csv": f"{TABLE}Cafe,Berlin\n"}
    )
    assert [(it.code, it.where.line) for it in content.problems] == [("duplicate-identity", 4)]


@pytest.mark.parametrize(
    ("pattern", "code"),
    [
        ("{city}", "bad-pattern"),
        ("{name}-{description}", "bad-pattern"),
        ("{name}-{social_links.x}", "bad-pattern"),
        ("{name}_{city}", "bad-pattern"),
        ("{name}-{slug}", "bad-pattern"),
        ("{name}-{country}", "unknown-field"),
        ("{name}-{adress}", "unknown-field"),
    ],
)
def test_a_pattern_that_cannot_be_used_is_an_error_of_the_config(read: Load, pattern: str, code: str) -> None:
    files: Files = {"contentsync.toml": config(pattern), "custom_fields.yaml": FIELDS, "listings/a.csv": TABLE}
    problems = [it for it in read(files).problems if it.where.path == "contentsync.toml"]
    assert [it.code for it in problems] == [code]


def test_equal_names_are_an_error_if_the_config_has_no_pattern(read: Load) -> None:
    content = read({"contentsync.toml": "", "custom_fields.yaml": FIELDS, "listings/a.csv": TABLE})
    assert [it.code for it in content.problems] == ["duplicate-identity"]
