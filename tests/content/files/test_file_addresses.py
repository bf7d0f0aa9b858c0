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
