"""The order of changes, so that each one finds what it needs: its parent, or a free slug."""

from dataclasses import replace

from contentsync.model import Entry, Kind, Notes, Source

from ..bases import planned, reported, synced
from ..entries import actual, desired


def page(key: str, path: str) -> Entry:
    return Entry(Kind.PAGE, key, {"slug": key, "title": path}, Source(path))


def there(key: str, id_: int, path: str) -> Entry:
    """Return a record of the server; its title is the path of its file."""
    return actual(Kind.PAGE, key, id_, slug=key, title=path)


def test_deletes_come_last_and_children_before_parents() -> None:
    """PL-04, PL-12"""
    tree = {"root": None, "child": "root", "leaf": "child"}
    before = [desired(Kind.CATEGORY, key, slug=key, title=key, parent_id=above) for key, above in tree.items()]
    records = [
        actual(Kind.CATEGORY, key, number, slug=key, title=key, parent_id=above)
        for number, (key, above) in enumerate(tree.items())
    ]
    listing = desired(Kind.LISTING, "gone", slug="gone", name="N")
    record = actual(Kind.LISTING, "gone", 9, slug="gone", name="N")
    base = synced(*zip(before, records, strict=True), (listing, record))
    plan = planned([desired(Kind.TAG, "new", title="New")], [*records, record], base)
    assert reported(plan) == [
        ("create", "new"),
        ("delete", "gone"),
        ("delete", "leaf"),
        ("delete", "child"),
        ("delete", "root"),
    ]


def test_an_entry_that_frees_a_slug_is_written_before_the_one_that_takes_it() -> None:
    base = synced((page("a", "x.md"), there("a", 1, "x.md")), (page("b", "y.md"), there("b", 2, "y.md")))
    plan = planned([page("b", "x.md"), page("c", "y.md")], [there("a", 1, "x.md"), there("b", 2, "y.md")], base)
    assert [(change.key, change.previous_key) for change in plan.changes] == [("c", "b"), ("b", "a")]
    assert not any(change.temporary_values for change in plan.changes)


def test_a_renamed_entry_keeps_its_record_if_a_new_file_takes_its_slug() -> None:
    """A create with a slug that another record still has would be an upsert over that record."""
    base = synced((page("a", "x.md"), there("a", 1, "x.md")))
    moved = replace(page("a", "x.md"), source=Source("new.md"))
    plan = planned([page("z", "x.md"), moved], [there("a", 1, "x.md")], base)
    assert reported(plan) == [("create", "z")]


def test_entries_that_exchange_their_slugs_need_one_temporary_slug() -> None:
    """SL-15"""
    base = synced((page("a", "x.md"), there("a", 1, "x.md")), (page("b", "y.md"), there("b", 2, "y.md")))
    plan = planned([page("b", "x.md"), page("a", "y.md")], [there("a", 1, "x.md"), there("b", 2, "y.md")], base)
    detours = [change.temporary_values for change in plan.changes if change.temporary_values]
    assert len(detours) == 1
    assert plan.write_count == 3
    # Who takes the detour has left its slug already, so the other one comes first.
    assert [bool(change.temporary_values) for change in plan.changes] == [False, True]


def test_a_temporary_slug_is_the_same_each_time() -> None:
    base = synced((page("a", "x.md"), there("a", 1, "x.md")), (page("b", "y.md"), there("b", 2, "y.md")))
    records = [there("a", 1, "x.md"), there("b", 2, "y.md")]
    plans = [planned([page("b", "x.md"), page("a", "y.md")], records, base) for _ in range(2)]
    assert plans[0].changes == plans[1].changes


def test_listings_that_exchange_their_urls_need_a_temporary_url() -> None:
    def listing(url: str, path: str) -> Entry:
        return Entry(Kind.LISTING, url, {"url": url, "name": path}, Source(f"{path}.md"))

    records = [
        actual(Kind.LISTING, url, number, url=url, name=name, slug=name)
        for number, (url, name) in enumerate([("https://a.example", "x"), ("https://b.example", "y")])
    ]
    before = listing("https://a.example", "x.md"), listing("https://b.example", "y.md")
    after = listing("https://b.example", "x.md"), listing("https://a.example", "y.md")
    plan = planned(after, records, synced(*zip(before, records, strict=True)))
    (detour,) = [change.temporary_values for change in plan.changes if change.temporary_values]
    assert list(detour) == ["url"]


def test_independent_entries_are_one_stage() -> None:
    plan = planned([page(f"p{number}", f"{number}.md") for number in range(20)], [], synced())
    assert [len(stage) for stage in plan.stages] == [20]


def test_new_listings_are_a_stage_of_their_own() -> None:
    urls = [f"https://{number}.example" for number in range(6)]
    records = [actual(Kind.LISTING, url, number, url=url, name="Old") for number, url in enumerate(urls[:3])]
    plan = planned([desired(Kind.LISTING, url, url=url, name="New") for url in urls], records, synced())
    groups = [{change.action.value for change in stage} for stage in plan.stages]
    assert groups == [{"update"}, {"create"}]


def category(key: str, above: str | None) -> Entry:
    return desired(Kind.CATEGORY, key, slug=key, title=key, parent_id=above)


def test_a_category_is_moved_after_its_new_ancestors() -> None:
    """PL-12: a moves below c, which stays below b, which is still below a."""
    before = [category("a", None), category("b", "a"), category("c", "b")]
    records = [actual(Kind.CATEGORY, entry.key, number, **entry.fields) for number, entry in enumerate(before)]
    plan = planned(
        [category("a", "c"), category("b", None), category("c", "b")],
        records,
        synced(*zip(before, records, strict=True)),
    )
    assert reported(plan) == [("update", "b"), ("update", "a")]
    assert [len(stage) for stage in plan.stages] == [1, 1]


def test_a_deleted_category_is_not_the_parent_of_its_successor() -> None:
    """PL-12: b moves below c, which is below b until it moves below d; another d, below b, is deleted."""
    before = [category("c", None), category("a", "b"), category("b", None), category("d", "b")]
    records = [actual(Kind.CATEGORY, entry.key, number, **entry.fields) for number, entry in enumerate(before)]
    folder = [
        category("b", "c"),
        replace(category("c", "d"), notes=Notes(previous=("a",))),
        replace(category("d", None), notes=Notes(previous=("c",))),
    ]
    plan = planned(folder, records, synced(*zip(before, records, strict=True)))
    assert reported(plan) == [("update", "d"), ("update", "c"), ("update", "b"), ("delete", "d")]


def test_a_cycle_through_unmanaged_parents_is_left_to_the_server() -> None:
    """PL-12: x moves below w, which stays below y, which moves below z, which stays below x.

    The server refuses the second move. That does not block later plans.
    """
    bare = [desired(Kind.CATEGORY, key, slug=key, title=key) for key in "xyzw"]
    above = {"x": None, "y": None, "z": "x", "w": "y"}
    records = [
        actual(Kind.CATEGORY, entry.key, number, **entry.fields, parent_id=above[entry.key])
        for number, entry in enumerate(bare)
    ]
    folder = [category("x", "w"), category("y", "z"), *bare[2:]]  # z and w have no `parent_id` in their files
    plan = planned(folder, records, synced(*zip(bare, records, strict=True)))
    assert sorted(reported(plan)) == [("update", "x"), ("update", "y")]


def test_a_deleted_entry_frees_its_slug_before_it_is_deleted() -> None:
    """Deletes are sent last, so the entry gets a temporary slug first."""

    def listing(number: int, slug: str) -> Entry:
        url = f"https://{number}.example"
        return desired(Kind.LISTING, url, url=url, name=f"L{number}", slug=slug)

    before = [listing(1, "x1"), listing(2, "x"), listing(3, "c")]
    records = [actual(Kind.LISTING, entry.key, number, **entry.fields) for number, entry in enumerate(before)]
    plan = planned([listing(1, "x"), listing(3, "c")], records, synced(*zip(before, records, strict=True)))
    update, delete = plan.changes
    assert (update.temporary_values, [*delete.temporary_values]) == ({}, ["slug"])
    assert plan.write_count == 3


def test_new_rows_of_a_table_are_planned_in_the_order_of_the_file() -> None:
    rows = [
        desired(Kind.TAG, key, line, slug=key, title=key) for line, key in enumerate(["zebra", "apple", "mango"], 2)
    ]
    plan = planned([rows[1], rows[2], rows[0]], [], synced())
    assert reported(plan) == [("create", "zebra"), ("create", "apple"), ("create", "mango")]
