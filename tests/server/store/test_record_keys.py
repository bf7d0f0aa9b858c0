"""Sites redirect from the former addresses of records, on both databases."""

import random
from typing import Any

import pytest

from contentsync.model import Kind
from contentsync.server.store.record_keys import MAX_FORMER_SLUGS, find_moved_slug, record_merges, record_move

from ...sampling import sampled
from ..conftest import Api
from ..site.conftest import Reader

KINDS: dict[str, tuple[str, dict[str, Any]]] = {
    "/listings": ("projects", {"name": "Old"}),
    "/categories": ("categories", {"title": "Old"}),
    "/blog": ("articles", {"title": "Old", "markdown": "x"}),
    "/pages": ("pages", {"title": "Old"}),
    "/organizers": ("organizers", {"name": "Old"}),
}


def page(api: Api, slug: str, **fields: Any) -> int:
    return int(api.make("pages", title="Page", slug=slug, **fields)["id"])


def rename(api: Api, record_id: int, slug: str) -> None:
    api.change("pages", record_id, slug=slug)


def target(api: Api, slug: str) -> str:
    """Return the slug of the page to which `/pages/<slug>/` redirects, or the status of another answer."""
    reader = Reader(api)
    answer = reader.ask(f"/pages/{slug}/")
    if answer.status_code != 301:
        return str(answer.status_code)
    return answer.headers["Location"].removeprefix(f"{reader.mount}/pages/").removesuffix("/")


@pytest.mark.parametrize("path", KINDS)
def test_the_former_address_of_a_record_redirects_to_its_page(api: Api, path: str) -> None:
    collection, fields = KINDS[path]
    body = {name: value for name, value in fields.items() if name == "markdown"}
    record = api.make(collection, **fields)
    api.change(collection, record["id"], slug="new", **body)
    reader = Reader(api)
    for asked in (f"{path}/old/", f"{path}/old"):  # in one step, also without the slash
        answer = reader.ask(asked, page="1", q="ü")
        assert answer.status_code == 301
        assert answer.headers["Location"] == f"{reader.mount}{path}/new/?page=1&q=%C3%BC"
        assert answer.headers["Cache-Control"] == "no-cache"  # the page may get its old slug back
    assert reader.status(f"{path}/new/") == 200


def test_a_redirect_keeps_the_language(bilingual: Api) -> None:
    record = bilingual.make("articles", title="Old", markdown="x")
    bilingual.change("articles", record["id"], title="New title", markdown="x")  # which makes a new slug
    answer = Reader(bilingual, "fr").ask("/blog/old/")
    assert answer.headers["Location"] == f"/sites/{bilingual.slug}/blog/new-title/?locale=fr"
    assert Reader(bilingual).status("/blog/old/", locale="xx") == 404


def test_chains_of_former_addresses_redirect_at_once(api: Api) -> None:
    record = page(api, "a")
    for slug in "bcd":
        rename(api, record, slug)
    assert [target(api, slug) for slug in "abcd"] == ["d", "d", "d", "200"]


def test_a_record_with_its_old_slug_again_is_shown_there(api: Api) -> None:
    record = page(api, "a")
    for slug in "bcba":
        rename(api, record, slug)
    assert [target(api, slug) for slug in "abc"] == ["200", "a", "a"]


def test_two_records_that_exchanged_their_slugs_have_no_redirect(api: Api) -> None:
    first, second = page(api, "a"), page(api, "b")
    for record, slug in ((first, "temporary"), (second, "a"), (first, "b")):
        rename(api, record, slug)
    assert [target(api, slug) for slug in "ab"] == ["200", "200"]
    assert target(api, "temporary") == "b"


def test_a_present_slug_takes_precedence_even_if_its_record_is_hidden(api: Api) -> None:
    rename(api, page(api, "a"), "b")
    hidden = page(api, "a", is_published=False)
    assert target(api, "a") == "404"
    api.change("pages", hidden, is_published=True)
    assert target(api, "a") == "200"
    assert api.delete(f"/pages/{hidden}").status_code == 200
    assert target(api, "a") == "404"  # it was the address of the deleted page


def test_no_redirect_leads_to_a_hidden_page(api: Api) -> None:
    record = page(api, "a")
    rename(api, record, "b")
    api.change("pages", record, is_published=False)
    assert target(api, "a") == "404"
    assert "b/" not in Reader(api).ask("/pages/a/").headers.get("Location", "")
    api.change("pages", record, is_published=True)
    assert target(api, "a") == "b"


def test_a_recreated_record_gets_its_former_addresses_again(api: Api) -> None:
    record = page(api, "a")
    rename(api, record, "b")
    assert api.delete(f"/pages/{record}").status_code == 200
    assert target(api, "a") == "404"
    page(api, "b")
    assert target(api, "a") == "b"


def test_former_addresses_are_separate_for_each_directory_and_kind(api: Api, other: Api) -> None:
    rename(api, page(api, "a"), "b")
    page(other, "b")
    assert target(other, "a") == "404"
    assert Reader(api).status("/categories/a/") == 404


def test_a_tag_has_no_page_and_no_former_address(api: Api) -> None:
    record = api.make("tags", title="Old")
    api.change("tags", record["id"], slug="new")
    count = f"SELECT count(*) FROM moved_addresses WHERE directory_id = {api.directory_id}"
    assert api.service.run(lambda connection: connection.scalar(count)) == 0


def test_a_merged_record_redirects_once_it_is_deleted(api: Api) -> None:
    def merge(*merges: tuple[Kind, str, str]) -> None:
        api.service.run(lambda connection: record_merges(connection, api.directory_id, merges))

    old = page(api, "old")
    rename(api, page(api, "b"), "new")
    merge((Kind.PAGE, "old", "new"), (Kind.PAGE, "gone", "missing"), (Kind.TAG, "a", "b"))
    assert target(api, "old") == "200"
    assert api.delete(f"/pages/{old}").status_code == 200
    assert target(api, "old") == "404"
    for _ in range(2):
        merge((Kind.PAGE, "old", "new"), (Kind.PAGE, "b", "new"))
        assert [target(api, slug) for slug in ("old", "b", "gone")] == ["new", "new", "404"]
    page(api, "old")
    assert target(api, "old") == "200"


def test_the_number_of_former_slugs_is_limited(api: Api) -> None:
    def move_often(connection: Any) -> list[str | None]:
        for number in range(MAX_FORMER_SLUGS + 2):
            record_move(connection, api.directory_id, Kind.PAGE, f"p{number}", f"p{number + 1}")
        return [find_moved_slug(connection, api.directory_id, Kind.PAGE, f"p{number}") for number in range(3)]

    last = f"p{MAX_FORMER_SLUGS + 2}"
    assert api.service.run(move_often) == [None, None, last]


@pytest.mark.parametrize("seed", sampled(range(20), every=10))
def test_random_renames_redirect_each_address_to_its_last_owner(api: Api, seed: int) -> None:
    rng = random.Random(seed)
    live: dict[str, int] = {}  # ids of records, by present slug
    last_owner: dict[str, int] = {}  # ids of the records that had each slug last
    deleted_at: dict[str, int] = {}  # ids of deleted records, by their last slug

    def occupy(slug: str, record: int) -> None:
        """Note that a record has a slug now; from a record deleted there, it inherits the former addresses."""
        heir_of = deleted_at.pop(slug, None)
        last_owner.update({old: record for old, owner in last_owner.items() if owner == heir_of})
        live[slug] = last_owner[slug] = record

    for _ in range(40):
        slug = rng.choice("abcdef")
        old = rng.choice([*live]) if live else ""
        draw = rng.random()  # decides whether to create, rename or delete a page, or do nothing
        if slug not in live and (draw < 0.3 or not live):
            occupy(slug, page(api, slug))
        elif slug not in live and draw < 0.85:
            record = live.pop(old)
            rename(api, record, slug)
            occupy(slug, record)
        elif draw > 0.9:
            record = deleted_at[old] = live.pop(old)
            assert api.delete(f"/pages/{record}").status_code == 200
    slugs = {record: slug for slug, record in live.items()}
    for slug in "abcdef":
        expected = "200" if slug in live else slugs.get(last_owner.get(slug, 0), "404")
        assert target(api, slug) == expected, (slug, live, last_owner)
