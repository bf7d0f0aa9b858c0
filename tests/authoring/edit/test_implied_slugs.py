"""contentsync.authoring.edit.collection_edits: a table gets no column for slugs that the server makes by itself."""

from pathlib import Path
from typing import Any

import pytest

from contentsync.content.folder.load import load_content
from contentsync.model import Entry, Kind

from .pulls import pulled

CONFIG = '[content.listings]\npull_to = "a.csv"\n'
TABLE = "name,url\nA,https://a.example.org/\nB,https://b.example.org/\n"


def listing(name: str, slug: str, **fields: Any) -> Entry:
    """Return a listing as the server has it, with a URL."""
    url = f"https://{slug}.example.org/"
    return Entry(Kind.LISTING, url.removesuffix("/"), {"name": name, "slug": slug, "url": url, **fields}, id=7)


def table_after(folder: Path, *new: Entry, table: str = TABLE, actual: tuple[Entry, ...] = ()) -> str:
    return pulled(folder, {"contentsync.toml": CONFIG, "listings/a.csv": table}, new=new, actual=actual)[
        "listings/a.csv"
    ]


def test_a_slug_that_the_server_derives_from_the_name_is_not_written(tmp_path: Path) -> None:
    after = table_after(tmp_path, listing("New tool", "new-tool"))
    assert after == f"{TABLE}New tool,https://new-tool.example.org/\n"


def test_a_listing_without_a_url_is_read_with_the_same_slug(tmp_path: Path) -> None:
    new = Entry(Kind.LISTING, "new-tool", {"name": "New tool", "slug": "new-tool"}, id=7)
    assert table_after(tmp_path, new) == f"{TABLE}New tool,\n"
    assert "new-tool" in [entry.key for entry in load_content(tmp_path).entries]


def test_a_slug_that_differs_from_the_name_is_written_into_a_new_column(tmp_path: Path) -> None:
    after = table_after(tmp_path, listing("New tool", "other"))
    assert after.splitlines()[0] == "name,url,slug"
    assert after.splitlines()[-1] == "New tool,https://other.example.org/,other"


def test_a_new_column_has_the_slugs_of_all_new_listings(tmp_path: Path) -> None:
    after = table_after(tmp_path, listing("New tool", "new-tool"), listing("Other tool", "x"))
    assert [line.rpartition(",")[2] for line in after.splitlines()] == ["slug", "", "", "new-tool", "x"]


@pytest.mark.parametrize("other", [listing("New tool", "new-tool-2"), listing("New: Tool", "x")])
def test_a_slug_that_another_listing_could_also_get_is_written(tmp_path: Path, other: Entry) -> None:
    after = table_after(tmp_path, listing("New tool", "new-tool"), actual=(other,))
    assert after.splitlines()[-1] == "New tool,https://new-tool.example.org/,new-tool"


def test_a_slug_that_a_listing_of_the_folder_could_also_get_is_written(tmp_path: Path) -> None:
    table = f"{TABLE}New tool,https://c.example.org/\n"
    after = table_after(tmp_path, listing("New tool", "new-tool"), table=table)
    assert after.splitlines()[-1] == "New tool,https://new-tool.example.org/,new-tool"


def test_a_table_with_slugs_gets_every_slug(tmp_path: Path) -> None:
    after = table_after(tmp_path, listing("New tool", "new-tool"), table="name,slug,url\nA,a,\n")
    assert after == "name,slug,url\nA,a,\nNew tool,new-tool,https://new-tool.example.org/\n"
