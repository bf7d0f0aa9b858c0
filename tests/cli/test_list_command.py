"""`contentsync list`, as it is typed: a real folder, and its listings in files of several forms."""

import csv
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from contentsync.cli.options import complete_field

from ..end_to_end.conftest import Ran, contentsync
from ..exit_codes import CONTENT_ERRORS, WRONG_USAGE

LISTINGS = """name,url,email,categories,price,is_featured
Band saw,https://saw.example.org/,a@example.org,tools,120,yes
Press,https://press.example.org/,,tools|books,9.5,no
Almanac,https://almanac.example.org/,b@example.org,books,,
"""
CONFIG = '[site]\nname = "Shop"\ntimezone = "Europe/Paris"\nlocales = ["en", "fr"]\n'
ARTICLE = "---\ntitle: Opening\npublished_at: 2026-03-01\nseo: {title: We open}\n---\nCome in.\n"
FRENCH = "---\ntitle: Ouverture\n---\nEntrez.\n"


@pytest.fixture
def shop(tmp_path: Path) -> Path:
    """A folder with three listings in a table, and an article in two languages."""
    files = {
        "contentsync.toml": CONFIG,
        "categories.yaml": "- {title: All tools, slug: tools}\n- {title: Books}\n",
        "custom_fields.yaml": "- {label: Price, type: number}\n",
        "listings/all.csv": LISTINGS,
        "articles/opening.md": ARTICLE,
        "articles/opening.fr.md": FRENCH,
    }
    for path, text in files.items():
        (tmp_path / path).parent.mkdir(exist_ok=True)
        (tmp_path / path).write_text(text, encoding="utf-8")
    return tmp_path


def names(ran: Ran) -> list[str]:
    """Return the second column of a CSV."""
    assert ran.code == 0, ran.err
    return [row[1] for row in csv.reader(ran.out.splitlines())][1:]


def list_names(shop: Path, *words: str) -> list[str]:
    """Return the names of the listings that the command lists."""
    return names(contentsync("list", "listing", shop, *words, "--format", "csv"))


def test_all_entries_of_a_kind_are_listed_with_key_and_title(shop: Path) -> None:
    ran = contentsync("list", "listings", shop)
    assert (ran.code, ran.err) == (0, "")
    assert ran.out == (
        "_key                         name\n"
        "https://almanac.example.org  Almanac\n"
        "https://press.example.org    Press\n"
        "https://saw.example.org      Band saw\n"
        "\n"
        "3 listings\n"
    )


@pytest.mark.parametrize(
    ("words", "found"),
    [
        (["--where", "price > 9"], ["Press", "Band saw"]),
        (["--where", "price > 9", "--where", "categories = books"], ["Press"]),
        (["--where", "categories = All tools"], ["Press", "Band saw"]),
        (["--where", "name ~ SAW"], ["Band saw"]),
        (["--where", "is_featured = no"], ["Almanac", "Press"]),
        (["--missing", "email"], ["Press"]),
        (["--missing", "price", "--where", "email !="], ["Almanac"]),
        (["--sort", "price"], ["Press", "Band saw", "Almanac"]),
        (["--sort", "-price"], ["Band saw", "Press", "Almanac"]),
        (["--where", "name = nothing"], []),
        (["--where", "_file ~ all.csv", "--where", "_key ~ press"], ["Press"]),
    ],
)
def test_conditions_select_and_sort_orders(shop: Path, words: list[str], found: list[str]) -> None:
    assert list_names(shop, *words) == found


def test_the_fields_of_conditions_are_columns_unless_columns_are_named(shop: Path) -> None:
    words = ("list", "listing", shop, "--where", "price > 100", "--sort=email", "--columns=,")
    assert contentsync(*words).out.splitlines()[0].split() == ["_key", "name", "price", "email"]
    assert contentsync(*words, "--columns", "email, price").out.splitlines()[:2] == [
        "email          price",
        "a@example.org  120",
    ]


def test_dotted_names_lead_into_objects_and_languages(shop: Path) -> None:
    columns = "_key,published_at,seo.title,translations.fr.title"
    ran = contentsync("list", "article", shop, "--columns", columns, "--where", "published_at = 2026-03-01")
    assert ran.out.splitlines()[1] == "opening  2026-03-01 00:00  We open    Ouverture"


def test_the_json_document_has_the_values_with_their_types(shop: Path) -> None:
    ran = contentsync("list", "listing", shop, "--where=price > 100", "--columns=price,categories", "--format=json")
    assert ran.document == {
        "version": 1,
        "kind": "listing",
        "total": 3,
        "columns": ["price", "categories"],
        "entries": [
            {
                "kind": "listing",
                "key": "https://saw.example.org",
                "title": "Band saw",
                "path": "listings/all.csv",
                "line": 2,
                "fields": {"price": 120, "categories": ["tools"]},
            }
        ],
    }


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["--where", "email"], "'email', character 6: expected one of = != < > ~"),
        (["--where", "prise > 1"], "did you mean 'price'?"),
        (["--missing", "emial"], "--missing: listings have no field 'emial'"),
        (["--columns", "name,prize"], "--columns: listings have no field 'prize'"),
        (["--sort", "-nome"], "--sort: listings have no field 'nome'"),
    ],
)
def test_an_unknown_field_is_wrong_use_and_prints_nothing(shop: Path, words: list[str], message: str) -> None:
    ran = contentsync("list", "listing", shop, *words)
    assert (ran.code, ran.out) == (WRONG_USAGE, "")
    assert message in ran.err


def test_a_title_of_two_entries_is_wrong_use(shop: Path) -> None:
    (shop / "categories.yaml").write_text("- {title: All tools, slug: tools}\n- {title: All tools, slug: kit}\n")
    (shop / "listings/all.csv").write_text(LISTINGS.replace("books", "kit"), encoding="utf-8")
    ran = contentsync("list", "listing", shop, "--where", "categories = All tools")
    assert (ran.code, ran.out) == (WRONG_USAGE, "")
    assert "'All tools' names 2 categories" in ran.err
    assert "use the slug: kit or tools" in ran.err


def test_an_unknown_kind_is_wrong_use(shop: Path) -> None:
    ran = contentsync("list", "listngs", shop)
    assert (ran.code, ran.out) == (WRONG_USAGE, "")
    assert "did you mean 'listing'?" in ran.err


def test_a_folder_with_errors_is_not_listed(shop: Path) -> None:
    (shop / "articles/bad.md").write_text("---\ntitel: Bad\n---\n", encoding="utf-8")
    ran = contentsync("list", "listing", shop)
    assert (ran.code, ran.out) == (CONTENT_ERRORS, "")
    assert "unknown-key" in ran.err


def test_a_list_is_the_same_with_and_without_the_index(shop: Path) -> None:
    first = contentsync("list", "article", shop)
    assert contentsync("list", "article", shop).out == first.out
    assert contentsync("list", "article", shop, "--no-index").out == first.out


def test_completeness_counts_the_found_entries_that_have_each_field(shop: Path) -> None:
    words = ("list", "listing", shop, "--completeness")
    lines = contentsync(*words).out.splitlines()
    assert lines[0].split() == ["field", "filled", "share"]
    assert ["email", "2", "67%"] in [line.split() for line in lines]
    assert ["price", "2", "67%"] in [line.split() for line in lines]
    assert lines[-1] == "3 listings"
    ran = contentsync(*words, "--where", "categories = tools", "--format", "json")
    assert {"field": "email", "filled": 1, "share": 0.5} in ran.document["fields"]
    assert "email,1,50%\n" in contentsync(*words, "--where", "categories = tools", "--format", "csv").out


def test_status_has_a_line_about_each_kind_of_the_folder(shop: Path) -> None:
    lines = contentsync("status", shop).out.splitlines()
    line = "3 listings: 87% of the values of 5 fields in use; least: email 67%, price 67%"
    assert [each for each in lines if "of the values of" in each][-2:-1] == [line]
    document = contentsync("status", shop, "--format", "json").document
    assert document["completeness"].keys() == {"category", "listing", "article"}
    assert document["completeness"]["listing"]["fields"]["email"] == 2


def test_the_help_fits_on_a_screen_and_has_an_example() -> None:
    ran = contentsync("list", "--help", env={"COLUMNS": "80"})
    assert "contentsync list listing --where" in ran.out
    assert "for reading" in ran.out
    assert len(ran.out.splitlines()) < 25


def complete(shop: Path, monkeypatch: pytest.MonkeyPatch, kind: str, incomplete: str) -> list[str]:
    """Return the completions of a field, in the folder and after a kind."""
    monkeypatch.chdir(shop)
    context: Any = SimpleNamespace(params={}, args=[kind])
    return complete_field(context, incomplete)


def test_the_tab_key_completes_fields_also_custom_ones_and_after_a_comma(
    shop: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    contentsync("validate", shop)
    assert complete(shop, monkeypatch, "listing", "pri") == ["price"]
    assert complete(shop, monkeypatch, "listing", "name,is_f") == ["name,is_featured"]
    assert complete(shop, monkeypatch, "article", "seo.ti") == ["seo.title"]
    assert complete(shop, monkeypatch, "nothing", "na") == []


def test_entries_that_break_a_house_rule_are_listed(shop: Path) -> None:
    """Also those whose values are only wrong beside another entry, and those that are taken from the index."""
    rules = (
        '[rules.listing]\nrequire = ["email"]\nunique = ["categories"]\n[rules.article]\nrequire = ["thumbnail_url"]\n'
    )
    (shop / "contentsync.toml").write_text(CONFIG + rules, encoding="utf-8")
    assert contentsync("validate", shop).code == CONTENT_ERRORS
    assert list_names(shop, "--missing", "email", "--columns", "_key,name") == ["Press"]
    assert list_names(shop, "--columns", "_key,name") == ["Almanac", "Press", "Band saw"]
    for _ in range(2):
        assert names(contentsync("list", "article", shop, "--format", "csv")) == ["Opening"]
    assert contentsync("plan", shop).code == CONTENT_ERRORS
