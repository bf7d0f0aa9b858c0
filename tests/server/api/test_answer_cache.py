"""Answers that are kept: never another one's, never an old one, and no more than fit."""

from starlette.requests import Request

from contentsync.server.api.answer_cache import MOST_ADDRESSES, AnswerCache

from ..conftest import Api


def asked(path: str, query: str = "") -> Request:
    return Request({"type": "http", "raw_path": path.encode(), "query_string": query.encode()})


def put(cache: AnswerCache, request: Request, tag: str, body: bytes) -> None:
    """What comes of an address that is asked for twice."""
    for _ in range(2):
        cache.put(request, tag, body)


def test_a_body_is_known_by_its_address_and_tag() -> None:
    cache = AnswerCache()
    put(cache, asked("/a", "page=1"), "tag", b"body")
    assert cache.get(asked("/a", "page=1"), "tag") == b"body"
    assert cache.get(asked("/a", "page=2"), "tag") is None
    assert cache.get(asked("/b", "page=1"), "tag") is None
    assert cache.get(asked("/a", "page=1"), "another") is None


def test_the_one_not_asked_for_the_longest_time_makes_room() -> None:
    cache = AnswerCache(most=80)
    for path in "abcdefgh":
        put(cache, asked(path), "tag", b"0123456789")
    cache.get(asked("a"), "tag")
    put(cache, asked("i"), "tag", b"0123456789")
    assert [path for path in "abcdefghi" if cache.get(asked(path), "tag") is None] == ["b"]


def test_a_body_that_would_drive_many_out_is_not_kept() -> None:
    cache = AnswerCache(most=80)
    put(cache, asked("/a"), "tag", b"0123456789")
    put(cache, asked("/b"), "tag", b"01234567890")
    assert cache.get(asked("/a"), "tag") is not None
    assert cache.get(asked("/b"), "tag") is None


def test_what_is_asked_for_once_is_not_kept() -> None:
    cache = AnswerCache()
    for number in range(2 * MOST_ADDRESSES):
        cache.put(asked("/a", f"page={number}"), "tag", b"body")
    assert all(cache.get(asked("/a", f"page={number}"), "tag") is None for number in range(2 * MOST_ADDRESSES))


def test_a_page_that_was_asked_for_before_shows_every_change_since(api: Api) -> None:
    category = api.make("categories", title="Saws")
    listing = api.make("projects", name="Lathe", url="https://example.org/lathe", categories=[category["id"]])
    for _ in range(3):
        assert api.all("projects") == [listing]
    api.change("categories", category["id"], title="Planes")
    assert [each["title"] for each in api.all("projects")[0]["categories"]] == ["Planes"]
    api.change("projects", listing["id"], name="Drill")
    assert [each["name"] for each in api.all("projects")] == ["Drill"]
    api.delete(f"/projects/{listing['id']}")
    assert api.all("projects") == []


def test_pages_and_languages_are_not_mixed_up(bilingual: Api) -> None:
    article = {"title": "Lathes", "content": "<p>Round</p>", "translations": {"fr": {"title": "Tours"}}}
    bilingual.make("articles", **article)
    for _ in range(3):
        assert [each["title"] for each in bilingual.all("articles")] == ["Lathes"]
        assert [each["title"] for each in bilingual.all("articles", locale="fr")] == ["Tours"]
        assert bilingual.all("articles", page=2) == []
