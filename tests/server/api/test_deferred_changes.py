"""Records that change because another one does, without being written: they are right at once (decision 16)."""

from random import Random
from typing import Any

import pytest

from ..conftest import Api
from .answers import data, errors, refused_fields, require_message

NAMED = {"categories": "title", "tags": "title", "organizers": "name"}
CARRIERS = {
    "listing": ("projects", {"name": "Lathe"}),
    "organizer": ("organizers", {"name": "Atelier"}),
    "article": ("articles", {"title": "News", "markdown": "x"}),
}


def one_and_all(api: Api, collection: str, record_id: int) -> dict[str, Any]:
    """Return a record as its own answer and the list show it, which is the same."""
    shown = api.get(f"/{collection}/{record_id}")
    record: dict[str, Any] = data(shown)
    assert shown.headers["ETag"] == f'"{record["updated_at"]}"'
    [listed] = [each for each in api.all(collection) if each["id"] == record_id]
    assert listed == {name: value for name, value in record.items() if name in listed}
    assert record.keys() - listed.keys() <= {"directory"}
    return record


def status(api: Api, method: str, path: str, body: Any, **headers: str) -> int:
    return api.request(method, path, json=body, headers=headers).status_code


@pytest.mark.parametrize("field", NAMED)
def test_a_deleted_category_tag_or_organizer_is_shown_nowhere(api: Api, field: str) -> None:
    deleted, kept = (api.make(field, **{NAMED[field]: title})["id"] for title in ("Gone", "Kept"))
    with_both = api.make("projects", name="Both", **{field: [deleted, kept]})
    with_one = api.make("projects", name="One", **{field: [kept]})
    listing, others = f"/projects/{with_both['id']}", f"/projects/{with_one['id']}"
    before, list_before = f'"{with_both["updated_at"]}"', api.get("/projects").headers["ETag"]
    require_message(api.delete(f"/{field}/{deleted}"), 200)
    shown = one_and_all(api, "projects", with_both["id"])
    assert [each["id"] for each in shown[field]] == [kept]
    assert shown["updated_at"] > with_both["updated_at"]
    assert one_and_all(api, "projects", with_one["id"])["updated_at"] == with_one["updated_at"]
    assert status(api, "GET", "/projects", None, **{"If-None-Match": list_before}) == 200
    assert status(api, "GET", "/projects", None, **{"If-None-Match": api.get("/projects").headers["ETag"]}) == 304
    assert status(api, "PUT", listing, {"name": "Late"}, **{"If-Match": before}) == 409
    assert status(api, "PUT", listing, {"name": "Late"}, **{"If-Match": f'"{shown["updated_at"]}"'}) == 200
    assert status(api, "PUT", others, {"name": "Late"}, **{"If-Match": f'"{with_one["updated_at"]}"'}) == 200
    late = one_and_all(api, "projects", with_both["id"])
    assert ([each["id"] for each in late[field]], late["updated_at"] > shown["updated_at"]) == ([kept], True)


@pytest.mark.parametrize("field", NAMED)
def test_a_listing_that_lost_a_reference_can_get_others(api: Api, field: str) -> None:
    deleted, kept, new = (api.make(field, **{NAMED[field]: title})["id"] for title in ("Gone", "Kept", "New"))
    listing = api.make("projects", name="Lathe", **{field: [deleted, kept]})["id"]
    api.delete(f"/{field}/{deleted}")
    api.change("projects", listing, **{field: [new, kept]})
    assert [each["id"] for each in one_and_all(api, "projects", listing)[field]] == [new, kept]
    api.delete(f"/{field}/{new}")
    api.delete(f"/{field}/{kept}")
    assert one_and_all(api, "projects", listing)[field] == []
    require_message(api.delete(f"/projects/{listing}"), 200)


def test_a_listing_can_lose_several_references_at_different_times(api: Api) -> None:
    tags = [api.make("tags", title=f"Tag {number}")["id"] for number in range(3)]
    category = api.make("categories", title="Tools")["id"]
    listing = api.make("projects", name="Lathe", tags=tags, categories=[category])["id"]
    seen = [one_and_all(api, "projects", listing)["updated_at"]]
    for path in (f"/tags/{tags[1]}", f"/categories/{category}", f"/tags/{tags[0]}"):
        api.delete(path)
        seen.append(one_and_all(api, "projects", listing)["updated_at"])
    assert seen == sorted(set(seen))
    assert [tag["id"] for tag in api.show("projects", listing)["tags"]] == tags[2:]


def test_deleting_an_unused_tag_changes_no_listing(api: Api) -> None:
    listing = api.make("projects", name="Lathe")
    api.delete(f"/tags/{api.make('tags', title='Free')['id']}")
    assert one_and_all(api, "projects", listing["id"]) == listing


@pytest.mark.parametrize("kind", CARRIERS)
def test_a_custom_field_change_is_visible_in_every_record_at_once(api: Api, kind: str) -> None:
    collection, fields = CARRIERS[kind]
    old = api.make("custom-fields", label="Old", type="text", fieldable_type=kind)
    record = api.make(collection, **fields, old="a")
    path, seen = f"/{collection}/{record['id']}", [record["updated_at"]]

    def check(**values: Any) -> None:
        shown = one_and_all(api, collection, record["id"])
        assert {name: shown[name] for name in values} == values
        assert not {"old", "older", "new"} & (shown.keys() - values.keys())
        assert shown["updated_at"] > seen[-1]
        assert status(api, "PUT", path, {"old": "x"}, **{"If-Match": f'"{seen[-1]}"'}) == 409
        seen.append(shown["updated_at"])

    before = api.get(f"/{collection}").headers["ETag"]
    new = api.make("custom-fields", label="New", type="text", fieldable_type=kind)
    assert status(api, "GET", f"/{collection}", None, **{"If-None-Match": before}) == 200
    check(old="a", new=None)
    api.change("custom-fields", old["id"], name="older")
    check(older="a", new=None)
    api.delete(f"/custom-fields/{new['id']}")
    check(older="a")
    api.delete(f"/custom-fields/{old['id']}")
    check()
    api.make("custom-fields", label="Old", type="text", fieldable_type=kind)
    check(old=None)
    changed = api.change(collection, record["id"], **fields, old="b")
    assert (changed["old"], changed["updated_at"] > seen[-1]) == ("b", True)
    assert one_and_all(api, collection, record["id"]) == changed


def test_two_custom_fields_can_exchange_their_names(api: Api) -> None:
    first, second = (api.make("custom-fields", label=label, type="text")["id"] for label in ("First", "Second"))
    listing = api.make("projects", name="Lathe", first="1", second="2")["id"]
    for number, name in ((first, "between"), (second, "first"), (first, "second")):
        api.change("custom-fields", number, name=name)
    shown = one_and_all(api, "projects", listing)
    assert (shown["first"], shown["second"], "between" in shown) == ("2", "1", False)


def test_a_custom_field_counts_the_records_that_prevent_its_move(api: Api) -> None:
    field = api.make("custom-fields", label="Form", type="text")["id"]
    made = api.post("/projects/bulk", {"listings": [{"name": f"L{number}", "form": "Ltd"} for number in range(3)]})
    first, second, third = (each["id"] for each in made.json()["data"])
    api.make("projects", name="Without")

    def move() -> str:
        response = api.put(f"/custom-fields/{field}", {"fieldable_type": "organizer"})
        return "moved" if response.status_code == 200 else errors(response)["fieldable_type"][0]

    assert "3 listings have a value" in move()
    api.change("projects", first, form=None)
    api.change("projects", second, form="GmbH")
    assert "2 listings have a value" in move()
    api.delete(f"/projects/{second}")
    assert "1 listing has a value" in move()
    api.change("custom-fields", field, name="legal_form")
    assert "1 listing has a value" in move()
    api.change("projects", third, legal_form=None)
    assert move() == "moved"
    assert refused_fields(api.put(f"/projects/{third}", {"legal_form": "Ltd"})) == {"legal_form"}


@pytest.mark.parametrize("seed", range(3))
def test_random_writes_are_visible_in_every_listing(api: Api, seed: int) -> None:
    """Random writes, and the expected listing after each of them."""
    rng, fields, tags = Random(seed), dict[int, str](), list[int]()
    listings: dict[int, tuple[dict[int, str], list[int]]] = {}
    for step in range(60):
        action = rng.randrange(9)
        if action == 0:
            fields[api.make("custom-fields", label=f"F{step}", type="text")["id"]] = f"f{step}"
        elif action == 1 and fields:
            field = rng.choice(list(fields))
            fields[field] = api.change("custom-fields", field, name=f"g{step}")["name"]
        elif action == 2 and fields:
            field = rng.choice(list(fields))
            api.delete(f"/custom-fields/{field}")
            del fields[field]
        elif action == 3:
            tags.append(api.make("tags", title=f"T{step}")["id"])
        elif action == 4 and tags:
            tag = tags.pop(rng.randrange(len(tags)))
            api.delete(f"/tags/{tag}")
        else:
            values = {field: f"{step}" for field in fields if rng.random() < 0.5}
            linked = [tag for tag in tags if rng.random() < 0.5]
            body = {"name": f"L{step}", "tags": linked, **{fields[field]: value for field, value in values.items()}}
            if action > 6 and listings:
                number = rng.choice(list(listings))
                api.change("projects", number, **body)
                values = listings[number][0] | values
            else:
                number = api.make("projects", **body)["id"]
            listings[number] = values, linked
        if step % 5 == 0:
            for listing in api.all("projects"):
                values, linked = listings[listing["id"]]
                assert [tag["id"] for tag in listing["tags"]] == [tag for tag in linked if tag in tags]
                own = {name: value for name, value in listing.items() if name[0] in "fg" and name[1:].isdigit()}
                assert own == {name: values.get(field) for field, name in fields.items()}
                assert api.show("projects", listing["id"]) == listing
