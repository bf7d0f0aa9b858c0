"""References to an entry that a plan renames, on a real server."""

from typing import Any

from contentsync.model import Entry, Kind, Notes
from contentsync.sync.comparing.change import Status
from contentsync.sync.planning.plan import Policy, Selection

from ..entries import NO_NOTES, desired
from ..faults import answered, of
from ..site import Script, Sent, Site, body, is_write, statuses


def category(slug: str, notes: Notes = NO_NOTES, title: str = "T") -> Entry:
    return desired(Kind.CATEGORY, slug, notes=notes, slug=slug, title=title)


def listing(host: str, **fields: Any) -> Entry:
    """Return the listing of a host."""
    url = f"https://{host}.example"
    return desired(Kind.LISTING, url, **{"url": url, "name": host, **fields})


TOOLS, HARDWARE = category("tools"), category("hardware")
TOOLS_AS_SOFTWARE = category("software", Notes(previous=("tools",)))
HARDWARE_AS_TOOLS = category("tools", Notes(previous=("hardware",)))
BEFORE = [
    TOOLS,
    HARDWARE,
    listing("a", categories=["tools"]),
    listing("b", categories=["tools", "hardware"]),
    listing("c", categories=["hardware"]),
]
AFTER = [
    TOOLS_AS_SOFTWARE,
    HARDWARE_AS_TOOLS,
    listing("a", categories=["tools"]),
    listing("b", categories=["software", "tools"]),
    listing("c", categories=["tools"]),
]


def categories(site: Site) -> dict[str, list[str]]:
    """Return the sorted categories of each listing on the server, by its URL."""
    return {key: sorted(entry.fields["categories"]) for key, entry in site.there(Kind.LISTING).items()}


def test_listings_follow_categories_that_are_renamed_in_a_chain(site: Site) -> None:
    site.synced(BEFORE)
    site.synced(AFTER)
    assert [method for method, _ in site.writes] == [
        "PUT",
        "PUT",
        "PUT",
    ]  # two categories, and the one listing that moves
    assert categories(site) == {
        "https://a.example": ["tools"],
        "https://b.example": ["software", "tools"],
        "https://c.example": ["tools"],
    }
    assert not site.planned(AFTER)


def test_a_reference_to_a_renamed_category_is_unchanged_in_the_base(site: Site) -> None:
    """The base stores references by id."""
    site.synced([TOOLS, HARDWARE, listing("a", name="Old", categories=["tools"])])
    before = site.base[Kind.LISTING, "https://a.example"].fields
    folder = [TOOLS_AS_SOFTWARE, HARDWARE, listing("a", name="New", categories=["software"])]
    site.synced(folder)
    after = site.base[Kind.LISTING, "https://a.example"].fields
    assert {name for name in before if before[name] != after[name]} == {"name"}
    assert not site.planned(folder)


def refusing(slug: str) -> Script:
    """Fail every write that gives something this slug."""

    async def script(request: Any, send: Sent) -> Any:
        if is_write(request) and body(request).get("slug") == slug:
            request.headers["authorization"] = "Bearer wrong"
            request.url = request.url.copy_with(path="/api/directories/1/nothing")
        return await send(request)

    return script


def test_a_listing_keeps_its_category_if_the_rename_fails(site: Site) -> None:
    site.synced(BEFORE)
    hardware = site.there(Kind.CATEGORY)["hardware"].id
    results, _ = site.sync(AFTER, refusing("tools"))
    assert statuses(results)["tools"] is Status.FAILED
    assert categories(site)["https://a.example"] == ["hardware"]
    site.synced(AFTER)
    assert categories(site)["https://a.example"] == ["tools"]
    assert site.there(Kind.CATEGORY)["tools"].id == hardware


def test_custom_values_follow_a_renamed_custom_field(site: Site) -> None:
    price = desired(Kind.CUSTOM_FIELD, "price", name="price", label="P", type="number")
    site.synced([price, listing("a", price=5), listing("b", price=6), listing("c", price=7)])
    cost = desired(Kind.CUSTOM_FIELD, "cost", notes=Notes(previous=("price",)), name="cost", label="P", type="number")
    folder = [cost, listing("a", cost=5), listing("b", cost=66), listing("c")]
    site.synced(folder)
    assert {path for _, path in site.writes} == {"custom-fields/1", "projects/2", "projects/3"}
    assert [entry.fields["cost"] for entry in site.there(Kind.LISTING).values()] == [5, 66, None]
    assert not site.planned(folder)


def test_a_category_deleted_by_another_user_is_not_confused_with_a_renamed_one(site: Site) -> None:
    """The base still calls the renamed record by the key of the deleted entry."""
    drills = desired(Kind.CATEGORY, "drills", slug="drills", title="Drills", parent_id=None)
    site.synced([TOOLS, HARDWARE, drills])
    site.remove(Kind.CATEGORY, "hardware")
    other = category("tools", Notes(previous=("hardware",)), title="Other")
    below = desired(Kind.CATEGORY, "drills", slug="drills", title="Drills", parent_id="tools")
    results, _ = site.sync([TOOLS_AS_SOFTWARE, other, below], policy=Policy(on_conflict="theirs"))
    assert statuses(results) == {"software": Status.DONE, "drills": Status.FAILED}
    assert {key: entry.fields["parent_id"] for key, entry in site.there(Kind.CATEGORY).items()} == {
        "drills": None,
        "software": None,
    }


def test_a_new_category_is_not_confused_with_one_that_kept_the_key(site: Site) -> None:
    site.synced([category("tools"), listing("a")])
    other = category("tools", title="Other")
    folder = [TOOLS_AS_SOFTWARE, other, listing("a", categories=["tools"])]
    results, _ = site.sync(folder, refusing("software"))
    assert {result.status for result in results} == {Status.FAILED}
    assert categories(site) == {"https://a.example": []}


def test_a_value_is_removed_with_its_custom_field_in_one_plan(site: Site) -> None:
    fields = [desired(Kind.CUSTOM_FIELD, name, name=name, label="P", type="number") for name in ("price", "other")]
    site.synced([*fields, listing("a", price=5)])
    site.synced([fields[1], listing("a")])
    assert not site.planned([fields[1], listing("a")])


def test_an_article_kept_as_html_stays_html_after_a_title_change(site: Site) -> None:
    site.synced([desired(Kind.ARTICLE, "a", slug="a", title="A", markdown="text")])
    site.edit(Kind.ARTICLE, "a", content="<p>theirs</p>")
    folder = [desired(Kind.ARTICLE, "a", slug="a", title="B", markdown="text")]
    results, _ = site.sync(folder, policy=Policy(on_drift="keep"))
    fields = site.there(Kind.ARTICLE)["a"].fields
    assert statuses(results) == {"a": Status.DONE}
    assert (fields["title"], fields["content"], fields["is_markdown"]) == ("B", "<p>theirs</p>", False)
    assert site.planned(folder).drift_count == 1


def test_a_tag_is_not_deleted_while_a_listing_that_leaves_it_failed(site: Site) -> None:
    """The reference would be lost, and the next plan would report that as a change on the server."""
    old, new = (desired(Kind.TAG, key, slug=key, title=key.upper()) for key in ("old", "new"))
    before = desired(Kind.LISTING, "saw", slug="saw", name="Saw", tags=["old"])
    after = desired(Kind.LISTING, "saw", slug="saw", name="Saw", tags=["new"])
    other = desired(Kind.TAG, "z", slug="z", title="Z")
    site.synced([old, other, before])
    refuse = answered(422, {"message": "No"}, of("POST", "/tags"))
    results, _ = site.sync([new, other, after], refuse)
    outcomes = statuses(results)
    assert (outcomes["new"], outcomes["saw"], outcomes["old"]) == (Status.FAILED, Status.FAILED, Status.SKIPPED)
    assert site.there(Kind.LISTING)["saw"].fields["tags"] == ["old"]
    site.synced([new, other, after])
    assert site.there(Kind.LISTING)["saw"].fields["tags"] == ["new"]
    assert site.there(Kind.TAG).keys() == {"new", "z"}


def test_a_tag_removed_by_our_own_delete_is_not_a_conflict(site: Site) -> None:
    old, other = (desired(Kind.TAG, key, slug=key, title=key.upper()) for key in ("old", "z"))
    before = desired(Kind.LISTING, "saw", slug="saw", name="Saw", tags=["old", "z"])
    after = desired(Kind.LISTING, "saw", slug="saw", name="Saw", tags=[])
    site.synced([old, other, before])
    site.sync([other, after], selection=Selection.parse(["tag"]))
    plan = site.planned([other, after])
    assert ([list(change.fields) for change in plan.changes], plan.refusals) == ([["tags"]], ())
