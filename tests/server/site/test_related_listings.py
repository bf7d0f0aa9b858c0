"""Listings like another one, on its page."""

from contentsync.server.store.public_listings import MAX_CANDIDATES

from ..conftest import Api
from .conftest import Reader


def related(reader: Reader, slug: str = "adze") -> list[str]:
    """Return the names of the listings that a listing's page calls similar."""
    sections = reader.read(f"/listings/{slug}/").all("section", class_="related")
    return [each.text for section in sections for each in section.all("h3")]


def test_listings_that_share_the_most_come_first(api: Api, reader: Reader) -> None:
    saws, planes = (api.make("categories", title=title)["id"] for title in ("Saws", "Planes"))
    old, new = (api.make("tags", title=title)["id"] for title in ("Old", "New"))
    api.make("projects", name="Both", categories=[saws], tags=[old])
    api.make("projects", name="Tag only", tags=[old])
    api.make("projects", name="Featured", categories=[saws], is_featured=True)
    api.make("projects", name="Other", categories=[planes], tags=[new])
    api.make("projects", name="Adze", categories=[saws], tags=[old])
    assert related(reader) == ["Both", "Featured", "Tag only"]
    assert related(reader, "other") == []


def test_hidden_and_expired_listings_are_not_similar(api: Api, reader: Reader) -> None:
    tag = api.make("tags", title="Old")["id"]
    api.make("projects", name="Hidden", tags=[tag], is_active=False)
    api.make("projects", name="Ended", tags=[tag], ends_at="2020-01-01T00:00:00Z")
    api.make("projects", name="Later", tags=[tag], starts_at="2090-01-01T00:00:00Z")
    api.make("projects", name="Adze", tags=[tag])
    assert related(reader) == []


def test_a_deleted_or_inactive_tag_makes_no_listings_similar(api: Api, reader: Reader) -> None:
    deleted, off = (api.make("tags", title=title)["id"] for title in ("Gone", "Off"))
    api.make("projects", name="Brace", tags=[deleted, off])
    api.make("projects", name="Adze", tags=[deleted, off])
    assert related(reader) == ["Brace"]
    api.change("tags", off, is_active=False)
    api.delete(f"/tags/{deleted}")
    assert related(reader) == []


def test_the_query_reads_only_the_newest_listings_of_a_tag(api: Api, reader: Reader) -> None:
    tag = api.make("tags", title="Old")["id"]
    api.post("/projects/bulk", {"listings": [{"name": "First", "tags": [tag], "is_featured": True}]})
    api.post("/projects/bulk", {"listings": [{"name": f"Tool {n}", "tags": [tag]} for n in range(MAX_CANDIDATES)]})
    api.make("projects", name="Adze", tags=[tag])
    newest = MAX_CANDIDATES - 1
    assert related(reader) == [f"Tool {newest - index}" for index in range(4)]
