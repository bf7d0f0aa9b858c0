from pathlib import Path
from typing import Any

import httpx
import pytest

from contentsync.errors import AmbiguousOutcome, Conflicting, Rejected, ServerError
from contentsync.model import Entry, Kind
from contentsync.remote.remote import Remote

from ..simulator import Manners
from .directory import directory
from .script import Handler, ask, json_response, page_of

PLAIN = Manners(conditionals=False)
NO_INCLUDE = Manners(include=False)
NEITHER = Manners(conditionals=False, include=False)

SAWS = (Kind.CATEGORY, "saws")
LISTING = (Kind.LISTING, "https://l7.example")


def test_all_records_of_the_directory_are_read(tmp_path: Path) -> None:
    with directory(tmp_path) as tools:
        entries = tools.fetch("fr")
        assert len(entries) == 7 + 150
        assert entries[SAWS].fields["parent_id"] == "tools"
        assert entries[LISTING].fields["categories"] == ["tools"]
        assert entries[LISTING].fields["organizers"] == ["atelier"]
        assert entries[Kind.ARTICLE, "news"].fields["translations"] == {"fr": {"title": "Nouvelles"}}


def test_an_unchanged_directory_with_etags_costs_seven_requests(tmp_path: Path) -> None:
    """CO-04"""
    with directory(tmp_path) as tools:
        first = tools.fetch("fr")
        assert len(tools.requests) == 8
        assert tools.fetch("fr") == first
        assert len(tools.requests) == 7
        assert tools.fetch() == first
        assert len(tools.requests) == 7


def test_a_directory_without_etags_costs_one_request_per_hundred_records(tmp_path: Path) -> None:
    """CO-04"""
    with directory(tmp_path, manners=PLAIN, listings=100) as tools:
        first = tools.fetch("fr")
        assert len(tools.requests) == 7
        assert tools.fetch("fr") == first
        assert len(tools.requests) == 7
        assert not (tmp_path / "cache").exists()


@pytest.mark.parametrize("manners", [NO_INCLUDE, NEITHER], ids=["etags", "plain"])
def test_translations_without_include_cost_one_list_per_language(tmp_path: Path, manners: Manners) -> None:
    with directory(tmp_path, manners=manners, cache=False, listings=1) as tools:
        entries = tools.fetch("fr")
        assert entries[Kind.ARTICLE, "news"].fields["translations"] == {"fr": {"title": "Nouvelles"}}
        assert entries[Kind.ORGANIZER, "atelier"].fields["translations"] == {"fr": {"description": "Un"}}
        assert len(tools.requests) == 7 + 2
        tools.fetch()
        assert len(tools.requests) == 7


def test_unread_translations_are_not_taken_from_a_snapshot(tmp_path: Path) -> None:
    with directory(tmp_path) as tools:
        tools.fetch()
        entries = tools.fetch("fr")
        assert entries[Kind.ARTICLE, "news"].fields["translations"] == {"fr": {"title": "Nouvelles"}}


def test_translations_read_without_include_are_never_cached(tmp_path: Path) -> None:
    with directory(tmp_path, manners=NO_INCLUDE, listings=1) as tools:
        tools.fetch("fr")
        assert not (tmp_path / "cache" / "article.jsonl").exists()
        assert tools.fetch("fr")[Kind.ARTICLE, "news"].fields["translations"] == {"fr": {"title": "Nouvelles"}}


def test_only_changed_lists_are_read_again(tmp_path: Path) -> None:
    with directory(tmp_path) as tools:
        page = tools.fetch()[Kind.PAGE, "about"]
        assert page.id is not None
        tools.ask(lambda remote: remote.update(Kind.PAGE, page.id or 0, {"title": "Us", "slug": "about"}))
        assert tools.fetch()[Kind.PAGE, "about"].fields["title"] == "Us"
        assert len(tools.requests) == 7


@pytest.mark.parametrize("damage", [b"", b"{}\n", b"x" * 5000])
def test_a_damaged_snapshot_only_costs_requests(tmp_path: Path, damage: bytes) -> None:
    """FI-32"""
    with directory(tmp_path) as tools:
        first = tools.fetch("fr")
        for path in (tmp_path / "cache").iterdir():
            path.write_bytes(path.read_bytes()[:40] + damage)
        assert tools.fetch("fr") == first
        assert len(tools.requests) == 8


def test_an_entry_has_the_etag_that_the_server_compares(tmp_path: Path) -> None:
    """HT-16, CO-07"""
    with directory(tmp_path, listings=1) as tools:

        async def changed(remote: Remote) -> None:
            entries = {(entry.kind, entry.key): entry for entry in await remote.fetch(set(Kind))}
            assert remote.conditional
            old = entries[LISTING[0], "https://l0.example"]
            assert old.id is not None
            new = await remote.update(Kind.LISTING, old.id, {"description": "New"}, etag=old.etag)
            assert new.fields["description"] == "New"
            with pytest.raises(Conflicting) as raised:
                await remote.update(Kind.LISTING, old.id, {"description": "Newer"}, etag=old.etag)
            assert raised.value.status == 409
            with pytest.raises(Conflicting):
                await remote.delete(Kind.LISTING, old.id, etag=old.etag)
            assert await remote.get(Kind.LISTING, old.id) == new
            await remote.delete(Kind.LISTING, old.id, etag=new.etag)
            assert await remote.get(Kind.LISTING, old.id) is None

        tools.ask(changed)


def test_entries_of_a_service_without_etags_have_none(tmp_path: Path) -> None:
    """CO-07"""
    with directory(tmp_path, manners=PLAIN, listings=1) as tools:

        async def fetched(remote: Remote) -> None:
            entries = await remote.fetch(set(Kind))
            assert not remote.conditional
            assert {entry.etag for entry in entries} == {None}

        tools.ask(fetched)


def test_deleting_a_deleted_record_succeeds(tmp_path: Path) -> None:
    """HT-17"""
    with directory(tmp_path, listings=1) as tools:
        tools.ask(lambda remote: remote.delete(Kind.PAGE, 4711))


@pytest.mark.parametrize("document", [{}, {"ok": True}, {"message": None}])
def test_a_delete_whose_response_lacks_the_message_is_ambiguous(document: Any) -> None:
    """HT-06"""
    with pytest.raises(AmbiguousOutcome):
        ask(lambda request: json_response(200, document), lambda remote: remote.delete(Kind.PAGE, 1))


def test_an_update_of_a_deleted_record_is_refused(tmp_path: Path) -> None:
    """HT-17"""
    with directory(tmp_path, listings=1) as tools, pytest.raises(Rejected) as raised:
        tools.ask(lambda remote: remote.update(Kind.PAGE, 4711, {"title": "T"}))
    assert raised.value.status == 404


def test_a_wrong_path_in_the_url_is_reported() -> None:
    with pytest.raises(Rejected, match=r"^GET /.*/pages was answered with 404 Not Found$") as raised:
        ask(lambda request: json_response(404, {"message": "Not Found"}), lambda remote: remote.fetch({Kind.PAGE}))
    assert raised.value.hint.startswith("is the URL right?")


def test_a_404_of_another_server_does_not_mean_deleted() -> None:
    """HT-17"""
    with pytest.raises(ServerError):
        ask(lambda request: httpx.Response(404, text="<html>"), lambda remote: remote.get(Kind.PAGE, 1))
    with pytest.raises(ServerError):
        ask(lambda request: httpx.Response(404, text="<html>"), lambda remote: remote.delete(Kind.PAGE, 1))


@pytest.mark.parametrize("document", [{}, {"data": None}, {"data": []}, {"data": {"id": 2}}])
def test_a_response_without_the_record_is_an_error(document: Any) -> None:
    """HT-06"""
    with pytest.raises(ServerError):
        ask(lambda request: json_response(200, document), lambda remote: remote.get(Kind.PAGE, 1))


def test_a_second_read_of_an_unchanged_list_costs_one_request(tmp_path: Path) -> None:
    """CO-01"""
    with directory(tmp_path, cache=False) as tools:

        async def looked(remote: Remote) -> None:
            first = [entry for entry in await remote.fetch(set(Kind)) if entry.kind is Kind.LISTING]
            assert await remote.fetch_again({Kind.LISTING}) == first

        tools.ask(looked)
        assert len(tools.requests) == 8 + 1


@pytest.mark.parametrize("manners", [Manners(), PLAIN], ids=["etags", "plain"])
def test_a_second_read_sees_concurrent_changes(tmp_path: Path, manners: Manners) -> None:
    """CO-01, CO-06"""
    with directory(tmp_path, manners=manners) as tools:

        async def looked(remote: Remote) -> None:
            first, *_others = [entry for entry in await remote.fetch(set(Kind)) if entry.kind is Kind.LISTING]
            assert first.id is not None
            await remote.delete(Kind.LISTING, first.id)
            again = await remote.fetch_again({Kind.LISTING})
            assert len(again) == 149
            assert first.id not in {entry.id for entry in again}
            assert again[0].fields["categories"] == ["tools"]

        tools.ask(looked)


@pytest.mark.parametrize(
    ("kind", "key", "requests"),
    [
        (Kind.LISTING, "https://l149.example", 3),  # whether it exists, the first page, the last one
        (Kind.LISTING, "https://new.example", 1),
        (Kind.ARTICLE, "news", 2),
        (Kind.ARTICLE, "new", 1),
        (Kind.PAGE, "about", 1),
        (Kind.PAGE, "new", 1),
    ],
)
def test_an_entry_is_found_by_its_key(tmp_path: Path, kind: Kind, key: str, requests: int) -> None:
    with directory(tmp_path) as tools:
        found = tools.ask(lambda remote: remote.find(kind, key))
        assert (found and found.key) == (None if "new." in key or key == "new" else key)
        assert len(tools.requests) == requests


@pytest.mark.parametrize(
    "answer",
    [
        json_response(400, {"message": "Listing already exists in this directory"}),
        json_response(400, {"message": "Bad Request"}),
        json_response(200, {"message": "OK"}),
        json_response(200, {}),
        json_response(422, {"message": "The given data was invalid."}),
        json_response(404, {"message": "Not found"}),
        httpx.Response(500),
    ],
)
def test_only_the_documented_response_means_that_a_listing_does_not_exist(answer: httpx.Response) -> None:
    """HT-21"""
    record = {"id": 5, "url": "https://a.example"}
    found = ask(
        lambda request: answer if request.url.path.endswith("/exists") else page_of([record]),
        lambda remote: remote.find(Kind.LISTING, "https://a.example"),
    )
    assert found is not None
    assert found.id == 5


def fetch(handler: Handler, kind: Kind = Kind.PAGE, locales: tuple[str, ...] = ()) -> list[Entry]:
    return ask(handler, lambda remote: remote.fetch({kind}, locales))


def test_references_are_read_as_keys() -> None:
    def handler(request: httpx.Request) -> httpx.Response:
        match request.url.path.rpartition("/")[2]:
            case "categories":
                return json_response(
                    200,
                    {
                        "data": [
                            {"id": 5, "slug": "tools", "parent_id": None},
                            {"id": 6, "slug": "saws", "parent_id": 5},
                        ]
                    },
                )
            case "tags":
                return json_response(200, {"data": [{"id": "7", "slug": "open"}]})
            case "organizers":
                return json_response(200, {"data": []})
        listing = {
            "id": 1,
            "slug": "saw",
            "url": "HTTPS://Saw.example.org/",
            "categories": [{"id": 6, "title": "Saws", "parent_title": "Tools"}],
            "tags": [{"id": 7, "title": "Open"}],
            "organizers": [],
        }
        return page_of([listing])

    entries = {(entry.kind, entry.key): entry for entry in fetch(handler, Kind.LISTING)}
    listing = entries[Kind.LISTING, "https://saw.example.org"]
    assert listing.fields["categories"] == ["saws"]
    assert listing.fields["tags"] == ["open"]
    assert listing.id == 1
    assert entries[Kind.CATEGORY, "saws"].fields["parent_id"] == "tools"


def test_translations_are_read_with_the_list_if_the_service_includes_them() -> None:
    def handler(request: httpx.Request) -> httpx.Response:
        if request.url.path.endswith("/custom-fields"):  # which give the types of values
            return page_of([])
        assert request.url.params["include"] == "translations"
        return page_of([{"id": 1, "slug": "a", "title": "A", "translations": {"fr": {"title": "Un"}}}])

    assert fetch(handler, Kind.ARTICLE, ("fr",))[0].fields["translations"] == {"fr": {"title": "Un"}}


def test_translations_are_read_by_locale_if_the_list_has_none() -> None:
    def handler(request: httpx.Request) -> httpx.Response:
        title = "Un" if request.url.params.get("locale") == "fr" else "A"
        return page_of([{"id": 1, "slug": "a", "title": title, "markdown": "same"}])

    assert fetch(handler, Kind.ARTICLE, ("fr",))[0].fields["translations"] == {"fr": {"title": "Un"}}


def test_social_cards_are_read_under_their_twitter_names_too() -> None:
    seo = {"id": 3, "twitter_title": "Card", "title": "T"}
    entry = fetch(lambda request: page_of([{"id": 1, "slug": "a", "seo": seo}]), Kind.ARTICLE)[0]
    assert entry.fields["seo"] == {"card_title": "Card", "title": "T"}


@pytest.mark.parametrize(("logo", "address"), [("a.png", "a.png"), ("a b.png", "a b.png"), ("a b.png", "a%20b.png")])
def test_the_path_of_an_uploaded_logo_is_not_a_logo_url(logo: str, address: str) -> None:
    record = {"id": 1, "slug": "o", "logo": logo, "logo_url": f"https://x.example/storage/{address}"}
    entry = fetch(lambda request: json_response(200, {"data": [record]}), Kind.ORGANIZER)[0]
    assert entry.fields["logo_url"] is None


@pytest.mark.parametrize(
    ("answer", "languages"),
    [
        (httpx.Response(200, json={"data": {"id": 1, "locales": ["fr", "en"]}}), ("fr", "en")),
        (httpx.Response(200, json={"data": {"id": 1}}), None),
        (httpx.Response(200, json={"data": {"id": 1, "locales": []}}), None),
        (httpx.Response(404, json={"message": "Not found"}), None),
    ],
)
def test_the_languages_of_a_directory_can_be_unknown(answer: httpx.Response, languages: tuple[str, ...] | None) -> None:
    assert ask(lambda request: answer, lambda remote: remote.languages()) == languages
