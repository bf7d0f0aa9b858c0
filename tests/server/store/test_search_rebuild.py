"""The index that writes have made is the one that a rebuild makes."""

import random
from typing import Any

import pytest

from contentsync.server.store.search_rebuild import rebuild_index

from ...sampling import sampled
from ...search_index import index_faults
from ..conftest import Api, Service

LONG_TEXT = "# Plane\n\nA *smoothing* plane of <b>Łódź</b>: see https://example.org/secret &amp; [more](x.md), C++."


class Writer:
    """Writes that are chosen at random."""

    def __init__(self, api: Api, seed: int) -> None:
        self.api = api
        self.chance = random.Random(seed)
        self.linked = {
            "categories": [api.make("categories", title=title)["id"] for title in ("Saws", "Planes")],
            "tags": [api.make("tags", title=title)["id"] for title in ("Old", "New")],
            "organizers": [api.make("organizers", name=name, content=LONG_TEXT)["id"] for name in ("Guild", "Ada")],
        }
        api.make("custom-fields", label="Size", type="select", options=["small", "large"], filterable=True)
        api.make("custom-fields", label="Price", type="number", filterable=True)
        api.make("custom-fields", label="Free", type="checkbox", filterable=True)
        api.make("custom-fields", label="Note", type="text")

    def fields(self) -> dict[str, Any]:
        chance = self.chance
        return {
            "name": " ".join(chance.sample(["rip", "saw", "Étau", "Node.js", "東京", "blade"], 2)),
            "description": chance.choice([None, "For timber", "Sørlandet"]),
            "content": chance.choice([None, LONG_TEXT, "<p>Steel</p>"]),
            "is_active": chance.random() < 0.8,
            "is_featured": chance.random() < 0.3,
            "starts_at": chance.choice([None, "2020-01-01T00:00:00Z", "2090-01-01T00:00:00Z"]),
            "size": chance.choice([None, "small", "large"]),
            "price": chance.choice([None, 3, 4.5]),
            "free": chance.choice([None, True, False]),
            "note": chance.choice([None, "walnut"]),
            **{field: chance.sample(ids, chance.randint(0, 2)) for field, ids in self.linked.items()},
        }

    def write(self) -> None:
        api, chance = self.api, self.chance
        listings = api.all("projects")
        match chance.choice(["create", "bulk", "update", "toggle", "delete", "article", "page", "organizer", "rename"]):
            case "create":
                api.post("/projects", self.fields())
            case "bulk":
                api.post("/projects/bulk", {"listings": [self.fields() for _ in range(3)]})
            case "update" if listings:
                api.put(f"/projects/{chance.choice(listings)['id']}", self.fields())
            case "toggle" if listings:
                api.patch(f"/projects/{chance.choice(listings)['id']}/toggle-featured")
            case "delete" if listings:
                api.delete(f"/projects/{chance.choice(listings)['id']}")
            case "article":
                body = {
                    "title": chance.choice(["News", "Olds"]),
                    "markdown": LONG_TEXT,
                    "active": chance.random() < 0.7,
                }
                api.post("/articles", body)
            case "page":
                placement = chance.choice(["navbar", "unlisted"])
                api.post("/pages", {"title": "About", "markdown": LONG_TEXT, "placement": placement})
            case "organizer":
                api.post("/organizers", {"name": "Guild", "is_active": chance.random() < 0.7})
            case "rename":
                api.put(f"/categories/{self.linked['categories'][0]}", {"title": chance.choice(["Saws", "Blades"])})


@pytest.mark.parametrize("seed", sampled([0, 2, 1], every=2))  # 2 reaches no branch of its own
def test_writes_build_the_same_index_as_a_rebuild(service: Service, seed: int) -> None:
    writer = Writer(service.directory("Tools", service.user("Ada")), seed)
    for _ in range(40):
        writer.write()
    assert service.run(index_faults, directory_id=writer.api.directory_id) == []


def test_a_rebuild_shows_its_progress(service: Service) -> None:
    api = service.directory("Tools", service.user("Ada"))
    api.post("/projects/bulk", {"listings": [{"name": f"Saw {number}"} for number in range(5)]})
    shown: list[tuple[int, int]] = []
    service.run(lambda connection: rebuild_index(connection, lambda done, total: shown.append((done, total))))
    assert shown[-1][0] == shown[-1][1] >= 5
    assert shown == sorted(shown)
