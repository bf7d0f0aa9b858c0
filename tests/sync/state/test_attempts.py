"""Proofs of the server about runs that did not finish."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import pytest

from contentsync.content.config.config import Config
from contentsync.content.config.config_tables import SiteSettings
from contentsync.model import RECORDS, Entry, Kind, Notes, Reference, Source
from contentsync.sync.comparing.base import Base, applied_entry
from contentsync.sync.state.attempts import Attempt, has_exact_values, merge_attempts

from ..bases import planned, reported
from ..entries import NO_NOTES

CONFIG = Config(SiteSettings(name="Tools"))


def page(key: str, *, file: str = "", notes: Notes = NO_NOTES, **fields: Any) -> Entry:
    """Return a page of a commit, in a file of its name."""
    whole = {"slug": key, "title": key.upper(), **fields}
    return Entry(Kind.PAGE, key, whole, Source(f"pages/{file or key}.md"), notes)


def there(key: str, id_: int = 1, **fields: Any) -> Entry:
    """Return the same page as the server has it."""
    shown = {"slug": key, "title": key.upper(), "markdown": None, "order": 0, "seo": {"title": None}, **fields}
    return Entry(Kind.PAGE, key, shown, id=id_)


def listing(key: str, **fields: Any) -> Entry:
    """Return a row of listings.csv."""
    return Entry(Kind.LISTING, key, {"url": f"https://{key}", "name": key, **fields}, Source("listings.csv"))


def base_of(before: Sequence[Entry], *attempts: Sequence[Entry], actual: Sequence[Entry]) -> Base:
    return merge_attempts(before, [Attempt(CONFIG, entries, (), {}) for entries in attempts], actual)


def keys(base: Base) -> list[str]:
    """Return the sorted keys of the base."""
    return sorted(line.key for line in base.values())


def test_the_base_is_the_commit_without_attempts() -> None:
    before = [page("a"), page("b"), page("c", notes=Notes(skip=True))]
    assert base_of(before, actual=[]) == Base.from_entries(applied_entry(entry) for entry in before[:2])


@pytest.mark.parametrize(
    ("record", "is_ours"),
    [
        (there("new"), True),
        (there("new", title=" NEW "), True),
        (there("new", title="Theirs"), False),
        (there("new", markdown="Theirs"), False),
        (there("new", order=3), False),
        (there("new", seo={"title": "Theirs"}), False),
        (there("new", seo=None, translations={"de": {"seo": {"title": "NEW"}}}), False),
        (there("newer"), False),
    ],
)
def test_a_new_entry_belongs_to_an_attempt_only_with_exactly_its_values(record: Entry, is_ours: bool) -> None:
    base = base_of([page("a")], [page("a"), page("new")], actual=[there("a"), record])
    assert keys(base) == (["a", "new"] if is_ours else ["a"])


def test_values_that_the_service_adds_to_a_listing_are_no_difference() -> None:
    entry = listing("x.org", organizers=["ours"])
    record = replace(entry, fields={**entry.fields, "slug": "x", "organizers": ["the-user", "ours"]}, id=1)
    assert has_exact_values(entry, record)
    assert not has_exact_values(listing("x.org", organizers=["ours", "mine"]), record)
    assert not has_exact_values(entry, replace(record, fields={**record.fields, "tags": ["theirs"]}))


def test_a_field_has_the_value_of_the_attempt_if_the_server_has_it() -> None:
    before, after = page("a", markdown="One", order=1), page("a", markdown="Two", order=2)
    base = base_of([before], [after], actual=[there("a", markdown="Two", order=1)])
    assert base[Kind.PAGE, "a"].fields == applied_entry(page("a", markdown="Two", order=1)).fields
    base = base_of([before], [after], actual=[there("a", markdown="Theirs", order=3)])
    assert base[Kind.PAGE, "a"].fields == applied_entry(before).fields


def test_a_field_removed_by_an_attempt_is_unmanaged_at_its_default() -> None:
    before, after = page("a", order=1), page("a")
    assert "order" not in base_of([before], [after], actual=[there("a", order=0)])[Kind.PAGE, "a"].fields
    assert "order" in base_of([before], [after], actual=[there("a", order=1)])[Kind.PAGE, "a"].fields


def test_an_entry_deleted_by_an_attempt_is_in_the_base_while_it_exists() -> None:
    before, after = [page("a"), page("b")], [page("a")]
    assert keys(base_of(before, after, actual=[there("a")])) == ["a"]
    assert keys(base_of(before, after, actual=[there("a"), there("b", 2)])) == ["a", "b"]


def test_an_entry_of_the_attempt_deleted_by_another_user_stays_in_the_base() -> None:
    assert keys(base_of([page("a")], [page("a", order=2)], actual=[])) == ["a"]


def test_a_rename_is_in_the_base_if_only_the_new_key_exists() -> None:
    """The entry was managed before, also if another user has set other fields."""
    before, after = [page("a", order=1)], [page("b", file="a", order=1, title="A")]
    now = there("b", title="A", order=1, seo={"title": "Theirs"})
    base = base_of(before, after, actual=[now])
    assert [(line.key, line.path) for line in base.values()] == [("b", "pages/a.md")]
    assert reported(planned(before, [now], base)) == [("update", "a")]
    assert keys(base_of(before, after, actual=[there("a", order=1)])) == ["a"]


def test_a_foreign_page_under_the_new_key_is_not_the_renamed_one() -> None:
    before, after = [page("a", markdown="Ours")], [page("b", file="a", markdown="Ours", title="A")]
    for title, text in (("Theirs", "Ours"), ("A", "Theirs")):
        assert keys(base_of(before, after, actual=[there("b", title=title, markdown=text)])) == ["a"]


def test_exchanged_slugs_are_recognised_by_their_present_owners() -> None:
    before = [page("a", title="One"), page("b", title="Two")]
    after = [page("b", file="a", title="One"), page("a", file="b", title="Two")]
    done = [there("b", 1, title="One"), there("a", 2, title="Two")]
    base = base_of(before, after, actual=done)
    assert {line.key: line.path for line in base.values()} == {"a": "pages/b.md", "b": "pages/a.md"}
    records = [there("a", 1, title="One"), there("b", 2, title="Two")]
    base = base_of(before, after, actual=records)
    assert {line.key: line.path for line in base.values()} == {"a": "pages/a.md", "b": "pages/b.md"}


def test_a_file_moved_in_an_attempt_and_back_is_matched_by_its_path() -> None:
    before = [page("a", markdown="A text")]
    renamed = {"pages/b.md": "pages/a.md"}
    attempt = Attempt(CONFIG, [page("b", markdown="A text")], (renamed,), {"pages/a.md": "pages/b.md"})
    now = there("b", markdown="A text")
    base = merge_attempts(before, [attempt], [now])
    assert [(line.key, line.path) for line in base.values()] == [("b", "pages/a.md")]
    assert reported(planned(before, [now], base)) == [("update", "a")]


def test_several_attempts_are_merged_in_their_order() -> None:
    attempts = [[page("a", order=1)], [page("a", order=2), page("new")], [page("a", order=3), page("newer")]]
    base = base_of([page("a")], *attempts, actual=[there("a", order=2), there("new", 2), there("newer", 3)])
    assert base[Kind.PAGE, "a"].fields == applied_entry(page("a", order=2)).fields
    assert keys(base) == ["a", "new", "newer"]


def test_an_entry_protected_by_an_attempt_is_not_deleted() -> None:
    protected = Notes(protect=True)
    after, now = [page("a", notes=protected), page("new", notes=protected)], [there("a"), there("new", 2)]
    base = base_of([page("a")], after, actual=now)
    assert reported(planned([page("z")], now, base)) == [("create", "z")]


def test_an_entry_skipped_by_an_attempt_is_not_in_the_base() -> None:
    skipped = page("new", notes=Notes(skip=True))
    assert keys(base_of([page("a")], [page("a"), skipped], actual=[there("a"), there("new", 2)])) == ["a"]


def test_an_interrupted_exchange_is_recognised_by_its_temporary_slug() -> None:
    before = [page("a", title="One"), page("b", title="Two")]
    after = [page("b", file="a", title="One"), page("a", file="b", title="Two")]
    records = [there("a", 1, title="One"), there("b", 2, title="Two")]
    plan = planned(after, records, base_of(before, actual=records))
    (detour,) = [change for change in plan.changes if change.temporary_values]
    name = detour.temporary_values["slug"]
    other = next(change for change in plan.changes if not change.temporary_values)
    halfway = [there(name, detour.id or 0, title=str(detour.entry.fields["title"]))]
    for done in (other.previous_key, other.key):  # before the other one has taken its name, and after it
        now = [*halfway, there(str(done), other.id or 0, title=str(other.entry.fields["title"]))]
        base = base_of(before, after, actual=now)
        assert sorted(reported(planned(after, now, base))) == sorted(
            ("update", change.key) for change in plan.changes if change is detour or done != other.key
        )
        back = planned(before, now, base)
        assert {(change.action.value, change.id) for change in back.changes} <= {("update", 1), ("update", 2)}
        assert ("update", detour.id) in {(change.action.value, change.id) for change in back.changes}
    foreign = there(name.replace("moving-", "moving-0"), 3, title="Theirs")
    assert keys(base_of(before, after, actual=[*records, foreign])) == ["a", "b"]


def test_an_interrupted_exchange_of_listing_slugs_is_no_conflict() -> None:
    """Listings keep their URLs as keys when their slugs are exchanged."""
    before = [listing("x.org", slug="x"), listing("y.org", slug="y")]
    after = [listing("x.org", slug="y"), listing("y.org", slug="x")]
    records = [replace(entry, id=number) for number, entry in enumerate(before, 1)]
    plan = planned(after, records, base_of(before, actual=records))
    (detour,) = [change for change in plan.changes if change.temporary_values]
    now = [
        replace(one, fields={**one.fields, **(detour.temporary_values if one.id == detour.id else {})})
        for one in records
    ]
    for wanted in (before, after):
        plan = planned(wanted, now, base_of(before, after, actual=now))
        assert plan.refusals == ()
        assert not any(change.drift for change in plan.changes)


def named(kind: Kind, key: str, *previous: str, **fields: Any) -> Entry:
    model = RECORDS[kind]
    fields = {model.key_field: key, model.title_field: "One", **fields}
    return Entry(kind, key, fields, Source(f"{kind}.yaml"), Notes(previous=previous))


@pytest.mark.parametrize("wanted", ["before", "after", "other"])
@pytest.mark.parametrize(
    ("kind", "field"), [(Kind.CATEGORY, "categories"), (Kind.TAG, "tags"), (Kind.CUSTOM_FIELD, "")]
)
def test_a_reference_to_a_written_rename_is_no_conflict(kind: Kind, field: str, wanted: str) -> None:
    others = [named(kind, key, **{RECORDS[kind].title_field: key}) for key in ("other", "third")]

    def folder(key: str, previous: tuple[str, ...], value: str) -> list[Entry]:
        refers = {field: [key, value]} if field else {key: value}
        return [named(kind, key, *previous), *others, listing("x.org", **refers)]

    before, after = folder("old", (), "other"), folder("new", ("old",), "third")
    folders = {"before": folder("old", ("new",), "other"), "after": after, "other": folder("newer", ("new",), "mine")}
    records = [replace(entry, id=number, notes=NO_NOTES) for number, entry in enumerate(folder("new", (), "other"), 1)]
    records = [
        replace(one, fields={**one.fields, field: [Reference("new", 1), Reference("other", 2)]})
        if field in one.fields
        else one
        for one in records
    ]
    desired = folders[wanted]
    if field and wanted == "other":
        desired = folder("newer", ("new",), "third")
    plan = planned(desired, records, base_of(before, after, actual=records))
    assert plan.refusals == ()
    assert not any(change.drift for change in plan.changes)


@pytest.mark.parametrize("kind", [Kind.CATEGORY, Kind.CUSTOM_FIELD])
def test_an_entry_written_before_a_failed_rename_is_managed(kind: Kind) -> None:
    def value(key: str, id_: int | None = None) -> dict[str, Any]:
        reference = key if id_ is None else Reference(key, id_)
        return {key: "sharp"} if kind is Kind.CUSTOM_FIELD else {"categories": [reference]}

    before = [named(kind, "old")]
    after = [named(kind, "new", "old"), listing("x.org", **value("new"))]
    record = replace(listing("x.org", **value("old", 1)), id=7)
    records = [replace(before[0], id=1), record]
    base = base_of(before, after, actual=records)
    assert keys(base) == ["old", "x.org"]
    assert reported(planned(after, records, base)) == [("update", "new")]
    assert ("delete", "x.org") in reported(planned(before, records, base))
