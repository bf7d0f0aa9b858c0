"""Records that several files of tests begin with."""

import pytest

from ..conftest import Api


@pytest.fixture
def related(api: Api) -> dict[str, list[int]]:
    """Return the ids of two categories, two tags and two organizers."""
    return {
        "categories": [api.make("categories", title=title)["id"] for title in ("Wood", "Metal")],
        "tags": [api.make("tags", title=title)["id"] for title in ("Free", "New")],
        "organizers": [api.make("organizers", name=name)["id"] for name in ("Atelier", "Studio")],
    }
