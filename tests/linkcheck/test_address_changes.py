"""What `links --fix` writes: only the address changes, and the listing keeps its record."""

import sys
from collections.abc import Mapping
from pathlib import Path
from urllib.parse import urldefrag

import pytest

from contentsync.content.folder.load import Content, load_valid_content
from contentsync.linkcheck.address_changes import UnwrittenAddress, write_addresses
from contentsync.linkcheck.external_addresses import find_addresses

TABLE = (
    "name,url,logo_url,sync.previous\nSaw,https://old.dev/saw,https://old.dev/logo.png,\nPress,https://press.dev,,\n"
)
LISTING = """---
# the best one
name: "Drill"
url:   https://old.dev/drill  # its page
social_links:
  github: https://old.dev/git
additional_image_urls:
  - https://old.dev/1.png
  - https://same.dev/2.png
seo_title: Drill
---
See [it](https://old.dev/a#part), [again]( https://old.dev/a "title") and `https://old.dev/a`.

![x](https://old.dev/logo.png) [page](/listings)
"""
ARTICLE = "---\ntitle: News\nseo:\n  canonical: https://old.dev/c\n---\n[a](https://old.dev/a)\n"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    files = {
        "contentsync.toml": "",
        "listings/all.csv": TABLE,
        "listings/drill.md": LISTING,
        "articles/news.md": ARTICLE,
    }
    for path, text in files.items():
        (tmp_path / path).parent.mkdir(exist_ok=True)
        (tmp_path / path).write_text(text, encoding="utf-8")
    return tmp_path


def move(folder: Path, new_addresses: Mapping[str, str]) -> list[UnwrittenAddress]:
    content: Content = load_valid_content(folder)
    places = find_addresses(content)
    uses = {new: places[urldefrag(old).url] for old, new in new_addresses.items()}
    return write_addresses(content, uses, lambda config, entries, entry: True)


def read(folder: Path, path: str) -> str:
    return (folder / path).read_text(encoding="utf-8")


def test_a_listing_is_renamed_and_notes_its_old_key(folder: Path) -> None:
    moved = {"https://old.dev/saw": "https://new.dev/saw", "https://old.dev/drill": "https://new.dev/d"}
    assert move(folder, moved) == []
    assert read(folder, "listings/all.csv") == TABLE.replace(
        "https://old.dev/saw,https://old.dev/logo.png,",
        "https://new.dev/saw,https://old.dev/logo.png,https://old.dev/saw",
    )
    changed = LISTING.replace("https://old.dev/drill", "https://new.dev/d")
    written = read(folder, "listings/drill.md")
    assert [line for line in changed.splitlines() if line not in written.splitlines()] == []
    notes = {entry.key: entry.notes.previous for entry in load_valid_content(folder).entries}
    assert notes["https://new.dev/d"] == ("https://old.dev/drill",)
    assert notes["https://new.dev/saw"] == ("https://old.dev/saw",)


_OPENED: list[str] = []
sys.addaudithook(
    lambda event, arguments: _OPENED.append(event) if event == "open" and arguments[0] == "opened.md" else None
)


@pytest.mark.parametrize("form", ["csv", "yaml"])
@pytest.mark.parametrize("count", [1, 9])
def test_the_folder_is_read_as_often_for_one_renamed_listing_as_for_many(folder: Path, form: str, count: int) -> None:
    (folder / "articles/opened.md").write_text(ARTICLE)
    listing = {"csv": "L{0},https://old.dev/{0}\n", "yaml": "- name: L{0}\n  url: https://old.dev/{0}\n"}[form]
    text = "".join(listing.format(number) for number in range(count))
    (folder / f"listings/more.{form}").write_text(f"name,url\n{text}" if form == "csv" else text)
    moved = {f"https://old.dev/{number}": f"https://new.dev/{number}" for number in range(count)}
    moved["https://old.dev/git"] = "https://new.dev/git"
    _OPENED.clear()
    assert move(folder, moved) == []
    assert len(_OPENED) == 3  # at first, after the other fields, and as after the renames
    assert read(folder, f"listings/more.{form}").count("https://new.dev/") == count


def test_notes_of_distinct_listings_follow_their_new_urls(folder: Path) -> None:
    shop = "- name: {0}\n  url: {1}\n  sync: {{distinct: ['{2}']}}  # two shops\n".format
    (folder / "listings/shops.yaml").write_text(
        shop("A", "http://shop.dev/", "https://shop.dev") + shop("B", "https://shop.dev/", "http://shop.dev/")
    )
    table = "name,url,sync.distinct,sync.previous\nC,https://saws.dev,,\nD,http://saws.dev,shop|https://saws.dev/,\n"
    (folder / "listings/saws.csv").write_text(table)
    moved = {
        f"{scheme}://{name}.dev": f"{scheme}://{name}.org" for scheme in ("http", "https") for name in ("shop", "saws")
    }
    keys = {entry.key: entry.fields["url"] for entry in load_valid_content(folder).entries if "url" in entry.fields}
    assert move(folder, {keys.get(old, keys.get(f"{old}/", old)): new for old, new in moved.items()}) == []
    notes = {entry.key: entry.notes.distinct for entry in load_valid_content(folder).entries if entry.notes.distinct}
    assert {key: names[-1] for key, names in notes.items()} == {
        "http://shop.org": "https://shop.org",
        "https://shop.org": "http://shop.org",
        "http://saws.org": "https://saws.org",
    }
    assert read(folder, "listings/shops.yaml").count("# two shops") == 2


def test_only_listings_that_cannot_be_renamed_stay(folder: Path) -> None:
    rows = "".join(f"L{number},https://old.dev/{number}\n" for number in range(5))
    (folder / "listings/more.csv").write_text(f"name,url\n{rows}")
    new_urls = [f"https://new.dev/{number}" for number in range(5)]
    new_urls[1], new_urls[3] = "https://press.dev", f"https://new.dev/{'x' * 3000}"
    left_out = move(folder, {f"https://old.dev/{number}": new for number, new in enumerate(new_urls)})
    assert [each.entry.key for each in left_out] == ["https://old.dev/1", "https://old.dev/3"]
    written = read(folder, "listings/more.csv")
    assert [f"https://new.dev/{number}\n" in written for number in range(5)] == [True, False, True, False, True]


def test_other_fields_change_in_place(folder: Path) -> None:
    moved = {
        "https://old.dev/git": "https://new.dev/git",
        "https://old.dev/1.png": "https://new.dev/1.png",
        "https://old.dev/c": "https://new.dev/c",
    }
    assert move(folder, moved) == []
    expected = LISTING
    for old, new in moved.items():
        expected = expected.replace(old, new)
    assert read(folder, "listings/drill.md") == expected
    assert read(folder, "articles/news.md") == ARTICLE.replace("https://old.dev/c", "https://new.dev/c")
    assert read(folder, "listings/all.csv") == TABLE


def test_links_of_bodies_keep_their_fragment_and_code_stays(folder: Path) -> None:
    assert move(folder, {"https://old.dev/a": "https://new.dev/b_(c)"}) == []
    expected = LISTING.replace("https://old.dev/a#part", "https://new.dev/b_%28c%29#part")
    expected = expected.replace("( https://old.dev/a ", "( https://new.dev/b_%28c%29 ")
    assert read(folder, "listings/drill.md") == expected
    assert "[a](https://new.dev/b_%28c%29)" in read(folder, "articles/news.md")


def test_a_field_and_a_body_of_one_entry_change_together(folder: Path) -> None:
    moved = {"https://old.dev/logo.png": "https://new.dev/l.png", "https://old.dev/git": "https://new.dev/git"}
    assert move(folder, moved) == []
    assert "![x](https://new.dev/l.png)" in read(folder, "listings/drill.md")
    assert "github: https://new.dev/git" in read(folder, "listings/drill.md")
    assert "https://new.dev/l.png" in read(folder, "listings/all.csv")


def test_an_address_of_another_listing_is_not_written(folder: Path) -> None:
    (left_out,) = move(
        folder, {"https://old.dev/saw": "https://press.dev/", "https://old.dev/git": "https://new.dev/git"}
    )
    assert left_out.entry.key == "https://old.dev/saw"
    assert "there is a listing https://press.dev already" in left_out.reason
    assert read(folder, "listings/all.csv") == TABLE
    assert "https://new.dev/git" in read(folder, "listings/drill.md")


def test_a_url_whose_key_stays_the_same_is_only_edited(folder: Path) -> None:
    assert move(folder, {"https://press.dev": "https://press.dev/"}) == []
    assert read(folder, "listings/all.csv") == TABLE.replace("https://press.dev", "https://press.dev/")


def test_a_link_without_a_certain_place_is_left_to_the_author(folder: Path) -> None:
    (folder / "articles/news.md").write_text("---\ntitle: News\n---\n<https://old.dev/auto>\n", encoding="utf-8")
    (left_out,) = move(folder, {"https://old.dev/auto": "https://new.dev/auto"})
    assert left_out.reason == "the place of the link in markdown is not certain"
    assert "<https://old.dev/auto>" in read(folder, "articles/news.md")
