"""contentsync.content.files.file_addresses: the address of each file, and the file at an address."""

import pytest

from contentsync.content.files.file_addresses import FileAddresses

BASE = "https://cdn.example.com/site"
FILES = {"a.png", "static/img/a b.png", "posts/c.png"}


@pytest.mark.parametrize("base", [BASE, f"{BASE}/"])
@pytest.mark.parametrize("file", sorted(FILES))
def test_the_address_of_a_file_leads_back_to_it(base: str, file: str) -> None:
    addresses = FileAddresses(base, "static")
    address = addresses.address(file)
    assert address == f"{BASE}/{file.replace(' ', '%20')}"
    assert addresses.find(f"{address}?v=1#part", FILES.__contains__) == (file, "?v=1#part")


def test_the_content_folder_itself_has_the_address_with_a_slash() -> None:
    assert FileAddresses(BASE).address(".") == f"{BASE}/"


SITE = "https://www.example.org"


def test_a_file_of_the_asset_folder_is_served_at_its_path_in_it() -> None:
    addresses = FileAddresses(BASE, "static", SITE)
    assert addresses.address("static/img/a b.png") == f"{SITE}/img/a%20b.png"
    assert addresses.address("static") == f"{SITE}/"
    assert addresses.address("static2/a.png") == f"{BASE}/static2/a.png"
    assert addresses.find(f"{SITE}/img/a%20b.png?v=1", FILES.__contains__) == ("static/img/a b.png", "?v=1")
    assert addresses.find(f"{BASE}/posts/c.png", FILES.__contains__) == ("posts/c.png", "")
    assert addresses.may_be_in(f"![]({SITE}/img/c.png)")
    assert addresses.may_be_in(f"![]({BASE}/c.png)")


def test_the_former_address_of_a_file_of_the_asset_folder_leads_nowhere() -> None:
    """A load would give the path another address, so a pull that wrote it would change the entry."""
    addresses = FileAddresses(BASE, "static", SITE)
    assert addresses.find(f"{BASE}/static/img/a%20b.png", FILES.__contains__) is None
    assert addresses.find(f"{SITE}/../posts/c.png", FILES.__contains__) is None


def test_files_of_both_addresses_are_found_if_one_is_below_the_other() -> None:
    addresses = FileAddresses(SITE, "static", f"{SITE}/s")
    files = {"static/a.png", "s/b.png"}
    assert [addresses.find(f"{SITE}/s/{name}.png", files.__contains__) for name in "abc"] == [
        ("static/a.png", ""),
        ("s/b.png", ""),
        None,
    ]


def test_other_files_may_have_no_address() -> None:
    addresses = FileAddresses(None, "static", SITE)
    assert addresses
    assert (addresses.address("posts/c.png"), addresses.address(".")) == (None, None)


def test_the_content_folder_itself_may_be_the_asset_folder() -> None:
    addresses = FileAddresses(BASE, "", SITE)
    assert addresses.address("posts/c.png") == f"{SITE}/posts/c.png"
    assert addresses.find(f"{SITE}/posts/c.png", FILES.__contains__) == ("posts/c.png", "")
    assert addresses.find(f"{BASE}/posts/c.png", FILES.__contains__) is None


def test_no_file_has_an_address_if_there_is_no_base() -> None:
    addresses = FileAddresses(asset_folder="static")
    assert not addresses
    assert addresses.address("a.png") is None
    assert addresses.find(f"{BASE}/a.png", FILES.__contains__) is None
    assert not addresses.may_be_in(f"![]({BASE}/a.png)")


@pytest.mark.parametrize(
    "address",
    [f"{BASE}/none.png", f"{BASE}/../a.png", f"{BASE}//a.png", f"{BASE}a.png", "https://cdn.example.com/a.png", BASE],
)
def test_an_address_of_no_file_leads_nowhere(address: str) -> None:
    assert FileAddresses(BASE, "static").find(address, FILES.__contains__) is None
