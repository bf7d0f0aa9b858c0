"""Mass updates, as people cause them: most by mistake, and some on purpose (PL-24)."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any

import pytest

from contentsync.model import Kind, Source
from contentsync.sync.comparing.base import UNKNOWN_BASE, Base
from contentsync.sync.planning.plan import Policy
from contentsync.sync.planning.plan_builder import make_plan

from ..bases import codes, synced
from ..entries import actual, desired
from .conftest import TypedSite

NAMES = [
    f"{first} {last}" for first in ("Red", "Old", "Big", "New", "Dry", "Hot") for last in ["Zebra", "Yak", "Wolf", "Ox"]
]
COLUMNS = ("name", "url", "slug", "description", "phone_number")
Row = dict[str, str]


def rows(count: int = 38) -> list[Row]:
    """Return rows of listings that no column sorts."""
    return [
        {
            "name": f"{NAMES[number * 7 % 24]} {number}",
            "url": f"https://{'xkqbzm'[number % 6]}{number}.example",
            "slug": f"{'tcpl'[number % 4]}-{number * 13 % 41}",
            "description": f"{NAMES[number * 5 % 24]} makes tools since {1900 + number}",
            "phone_number": f"+49 30 {number * 7919 % 90_000 + 10_000}",
        }
        for number in range(count)
    ]


def write(site: TypedSite, table: Sequence[Row], columns: Sequence[str] = COLUMNS) -> None:
    site.write_rows(",".join(columns), (",".join(row[column] for column in columns) for row in table))


def with_column(table: Sequence[Row], column: str, change: Callable[[str], str]) -> list[Row]:
    return [{**row, column: change(row[column])} for row in table]


@pytest.mark.parametrize("column", COLUMNS)
def test_sorting_only_one_column_is_refused(typed_site: TypedSite, column: str) -> None:
    write(typed_site, rows())
    typed_site.sync()
    in_order = sorted(row[column] for row in rows())
    write(typed_site, [{**row, column: value} for row, value in zip(rows(), in_order, strict=True)])
    refusals = typed_site.refusals()
    assert {code for code, _ in refusals} == {"updates"}
    assert "as if only this column was sorted" in typed_site.messages()[0]


def test_a_refusal_shows_three_examples_and_the_number(typed_site: TypedSite) -> None:
    write(typed_site, rows(10))
    typed_site.sync()
    shifted = [row["name"] for row in rows(10)]
    table = [{**row, "name": name} for row, name in zip(rows(10), shifted[1:] + shifted[:1], strict=True)]
    write(typed_site, table)
    assert typed_site.messages() == [
        "name of 10 listings would be exchanged, as if only this column was sorted: "
        "listing https://b3.example (name): 'Hot Yak 3' → 'Old Zebra 4'; "
        "listing https://b9.example (name): 'New Ox 9' → 'Red Zebra 0'; "
        "listing https://k1.example (name): 'Old Ox 1' → 'New Wolf 2'"
    ]
    for number in (9, 11):
        assert typed_site.refusals("--allow-updates", number) == [("updates", "--allow-updates 10")]
    file = typed_site.folder.parent / "plan.json"
    assert typed_site.run("plan", "--out", file, "--allow-updates", 10)[0] == 0
    typed_site.sync("--plan", file)


def test_a_replacement_in_most_listings_is_refused(typed_site: TypedSite) -> None:
    write(typed_site, rows(100))
    typed_site.sync()
    table = rows(100)
    replaced = with_column(table, "description", lambda text: text.replace("tools", "tool"))
    write(typed_site, [*replaced[:60], *table[60:]])
    assert typed_site.refusals() == [("updates", "--allow-updates 60")]
    assert typed_site.messages()[0].startswith(
        "description of 60 of 100 managed listings would be replaced (60 %; the limits are 30 % and 20): "
    )
    write(typed_site, [*replaced[:30], *table[30:]])
    assert typed_site.refusals() == []


def test_the_limits_of_a_target_apply(typed_site: TypedSite) -> None:
    typed_site.write(
        "contentsync.toml",
        '[targets.local]\nurl = "embedded:.contentsync/site.db"\nmax_updates = { percent = 10, count = 3 }\n',
    )
    write(typed_site, rows(20))
    typed_site.sync()
    table = rows(20)
    write(typed_site, [*with_column(table[:4], "description", str.upper), *table[4:]])
    assert typed_site.refusals() == [("updates", "--allow-updates 4")]
    write(typed_site, [*with_column(table[:3], "description", str.upper), *table[3:]])
    assert typed_site.refusals() == []


def test_five_changed_slugs_are_refused(typed_site: TypedSite) -> None:
    write(typed_site, rows())
    typed_site.sync()
    table = rows()
    write(typed_site, [*with_column(table[:5], "slug", "new-{}".format), *table[5:]])
    assert typed_site.refusals() == [("updates", "--allow-updates 5")]
    write(typed_site, [*with_column(table[:4], "slug", "new-{}".format), *table[4:]])
    assert typed_site.refusals() == []


def test_only_values_that_need_consent_are_counted(typed_site: TypedSite) -> None:
    write(typed_site, rows())
    typed_site.sync()
    moved = [{**row, "slug": f"{row['slug']}-x"} if number < 6 else row for number, row in enumerate(rows())]
    described = [{**row, "description": "Other"} if number > 30 else row for number, row in enumerate(moved)]
    write(typed_site, described)
    assert [flag for _code, flag in typed_site.refusals()] == ["--allow-updates 6"]
    assert typed_site.refusals("--allow-updates", 6) == []
    (mismatch,) = typed_site.messages("--allow-updates", 13)
    assert mismatch == "values that need consent would be replaced in 6 entries, but --allow-updates allows 13"


def test_lost_letters_in_three_texts_are_refused(typed_site: TypedSite) -> None:
    table = with_column(rows(), "description", "Schöne Möbel: {}".format)
    write(typed_site, table)
    typed_site.sync()

    def resaved(text: str) -> str:
        """Decode a text as Windows-1252 that was saved in UTF-8."""
        return text.encode().decode("cp1252")

    write(typed_site, [*with_column(table[:3], "description", resaved), *table[3:]])
    assert typed_site.refusals() == [("updates", "--allow-updates 3")]
    assert typed_site.messages()[0].startswith("texts of 3 entries would lose letters, as if saved in another encoding")
    write(typed_site, [*with_column(table[:2], "description", resaved), *table[2:]])
    assert typed_site.refusals() == []


def test_a_table_saved_in_another_encoding_is_refused(typed_site: TypedSite) -> None:
    typed_site.write("contentsync.toml", '[[content.listings.tables]]\nencoding = "windows-1252"\n')
    write(typed_site, with_column(rows(), "description", "Schöne Möbel: {}".format))
    table = typed_site.folder / "listings/all.csv"
    text = table.read_text(encoding="utf-8")
    table.write_bytes(text.encode("cp1252"))
    typed_site.sync()
    table.write_bytes(table.read_bytes().decode("utf-8", errors="replace").encode())
    assert typed_site.refusals() == [("updates", "--allow-updates 38")] * 2
    assert "lose letters" in typed_site.messages()[1]


def test_filling_empty_fields_and_reordering_rows_is_allowed(typed_site: TypedSite) -> None:
    table = with_column(rows(), "description", lambda text: "")
    write(typed_site, table)
    typed_site.sync()
    write(typed_site, list(reversed(rows())))
    assert typed_site.refusals() == []


def test_reordered_ranks_and_dates_are_allowed(typed_site: TypedSite) -> None:
    typed_site.write(
        "custom_fields.yaml", "- {name: rank, label: R, type: text}\n- {name: day, label: D, type: text}\n"
    )
    table = [{**row, "rank": f"{number}.", "day": f"2027-01-{number + 1:02}"} for number, row in enumerate(rows(20))]
    columns = (*COLUMNS, "rank", "day")
    write(typed_site, table, columns)
    typed_site.sync()
    turned = reversed([(row["rank"], row["day"]) for row in table])
    write(
        typed_site, [{**row, "rank": rank, "day": day} for row, (rank, day) in zip(table, turned, strict=True)], columns
    )
    assert typed_site.refusals() == []


def test_changed_fetched_values_are_allowed_unless_their_source_has_limits(typed_site: TypedSite) -> None:
    config = '[sources.all]\nurl = "https://a.example/all.csv"\nfile = "listings/all.csv"\n'
    typed_site.write("contentsync.toml", config)
    write(typed_site, rows())
    typed_site.sync()
    write(typed_site, with_column(rows(), "description", str.upper))
    assert typed_site.refusals() == []
    typed_site.write("contentsync.toml", f"{config}max_updates = {{}}\n")
    assert typed_site.refusals() == [("updates", "--allow-updates 38")]


@pytest.fixture
def pages(typed_site: TypedSite) -> TypedSite:
    """Return a site with 60 pages, each with a link to one page, a picture and a shortcode."""
    typed_site.write("contentsync.toml", CONFIG)
    typed_site.write("pages/about.md", "---\ntitle: About\n---\nText.\n")
    for number in range(60):
        typed_site.write(
            f"pages/p{number}.md", f"---\ntitle: Page {number}\n---\n[{number}](about.md) ![](a.png)\n\n:ok:\n"
        )
    typed_site.sync()
    return typed_site


CONFIG = '[site]\nname = "Tools"\nasset_base_url = "https://old.example/"\n'


def test_a_changed_asset_address_is_allowed(pages: TypedSite) -> None:
    pages.write("contentsync.toml", CONFIG.replace("old", "new"))
    assert pages.run("plan")[1]["summary"]["update"] == 60
    assert pages.refusals() == []


def test_links_to_a_renamed_page_are_allowed(pages: TypedSite) -> None:
    pages.move("pages/about.md", "pages/us.md")
    assert pages.run("plan")[1]["summary"]["update"] == 61
    assert pages.refusals() == []


def test_replaced_shortcodes_are_allowed_but_other_replaced_lines_are_not(pages: TypedSite) -> None:
    pages.write("contentsync.toml", f'{CONFIG}[[markdown.replace]]\nfind = ":ok:"\nreplace = "**yes**"\n')
    assert pages.run("plan")[1]["summary"]["update"] == 60
    assert pages.refusals() == []
    for number in range(60):
        pages.write(
            f"pages/p{number}.md", f"---\ntitle: Page {number}\n---\n[{number}](about.md) ![](a.png)\n\n:ok:\n\nx\n"
        )
    assert pages.refusals() == [("updates", "--allow-updates 60")]


class UnreadableForm:
    """The form of an entry whose file must not be read again."""

    @property
    def emptied(self) -> frozenset[str]:
        raise AssertionError

    @property
    def replaced_lines(self) -> Mapping[str, frozenset[int]]:
        raise AssertionError


def test_a_changed_name_is_judged_without_reading_its_file_again() -> None:
    source = Source("listings/all.csv", form=UnreadableForm())
    entry = desired(Kind.LISTING, "https://a.example", url="https://a.example", name="New")
    record = actual(Kind.LISTING, "https://a.example", 1, url="https://a.example", name="Old")
    base = synced((replace(entry, fields={**entry.fields, "name": "Old"}), record))
    assert codes(make_plan([replace(entry, source=source)], [record], base=base)) == []


@pytest.mark.parametrize("after", ["{title: Lathes, slug: saws}", "{title: Saws, slug: lathes}"])
def test_a_renamed_category_of_all_listings_is_allowed(typed_site: TypedSite, after: str) -> None:
    def write_listings(category: str) -> None:
        typed_site.write_rows("name,url,categories", (f"{row['name']},{row['url']},{category}" for row in rows()))

    typed_site.write("categories.yaml", "- {title: Saws, slug: saws}\n")
    write_listings("saws")
    typed_site.sync()
    typed_site.write("categories.yaml", f"- {after}\n")
    write_listings("saws" if "saws}" in after else "lathes")
    assert typed_site.refusals() == []


@pytest.mark.parametrize(
    ("category", "refusals"), [("saws|lathes", []), ("lathes", [("updates", "--allow-updates 38")])]
)
def test_replacing_the_category_of_all_listings_is_refused(
    typed_site: TypedSite, category: str, refusals: list[tuple[str, str]]
) -> None:
    typed_site.write("categories.yaml", "- {title: Saws}\n- {title: Lathes}\n")
    for categories in ("saws", category):
        typed_site.write_rows("name,url,categories", (f"{row['name']},{row['url']},{categories}" for row in rows()))
        assert typed_site.refusals() == ([] if categories == "saws" else refusals)
        typed_site.run("sync", "--yes")


def refused(
    before: str,
    after: str,
    *,
    field: str = "description",
    server_value: str = "",
    policy: Policy | None = None,
    base: Base | None = None,
) -> list[str]:
    """Return the codes of the refusals if a field of 30 listings has another value; `{}` in a value is a number."""
    keys = [f"https://{number}.example" for number in range(30)]

    def fields(value: str, number: int) -> dict[str, Any]:
        return {"url": keys[number], "name": "L", field: value.format(number)}

    old, new = (
        [desired(Kind.LISTING, key, **fields(value, n)) for n, key in enumerate(keys)] for value in (before, after)
    )
    then, now = (
        [actual(Kind.LISTING, key, n + 1, **fields(value, n)) for n, key in enumerate(keys)]
        for value in (before, server_value or before)
    )
    return codes(
        make_plan(
            new, now, base=synced(*zip(old, then, strict=True)) if base is None else base, policy=policy or Policy()
        )
    )


def test_an_undo_and_the_preview_need_no_consent() -> None:
    assert refused("Old {}", "New {}") == ["updates"]
    assert refused("Old {}", "New {}", policy=Policy(of_folder=False)) == []


def test_values_of_adopted_entries_or_other_users_are_not_counted() -> None:
    assert refused("Old {}", "New {}", policy=Policy(adopt=True), base=UNKNOWN_BASE) == []
    assert refused("Old {}", "Old {}", server_value="Theirs {}", policy=Policy(on_drift="overwrite")) == []
    assert refused("Old {}", "New {}", server_value="Theirs {}", policy=Policy(on_conflict="ours")) == ["updates"]


STORED = "https://store.example/photo-{:032x}.jpg"


@pytest.mark.parametrize(
    ("before", "after", "expected"),
    [
        ("https://old.example/{}.jpg", "https://new.example/img/{}.jpg", []),
        ("https://old.example/photo.jpg", STORED, []),
        (STORED, STORED.replace("store", "other"), []),
        ("https://old.example/a.jpg", "https://old.example/b.jpg", []),
        ("https://old.example/a{}.jpg", "https://old.example/b{}.jpg", ["updates"]),
    ],
)
def test_derived_picture_addresses_are_not_counted(before: str, after: str, expected: list[str]) -> None:
    assert refused(before, after, field="image_url") == expected
