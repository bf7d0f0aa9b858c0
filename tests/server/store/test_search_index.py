"""contentsync.server.store.search_index: the way in which a database looks words up does not change what is found."""

from contentsync.server.store.public_listings import Sort
from contentsync.server.store.search_index import MANY

from ..conftest import Api
from ..site.conftest import Reader, enlarge


def test_a_search_finds_the_same_in_a_small_and_a_large_directory(api: Api) -> None:
    """PostgreSQL reads all listings of a small directory, and looks up the words of a large one."""
    reader = Reader(api)
    api.make("projects", name="Saw")
    api.make("projects", name="Hammer", description="Not a saw.", is_featured=True)
    api.make("projects", name="Rip saw", ends_at="2020-01-01T00:00:00Z")
    api.make("projects", name="Bow saw")
    queries = [
        {"q": "saw"},
        {"q": "sa"},
        {"q": "rip sa"},
        {"q": "hamer"},
        *({"q": "saw", "sort": sort} for sort in Sort),
    ]
    found = [reader.names(**query) for query in queries]
    assert found[0] == ["Saw", "Bow saw", "Hammer", "Rip saw"]
    enlarge(api, MANY + 1)
    assert [reader.names(**query) for query in queries] == found
