"""A plan with something of everything, and the destinations of the tests."""

from collections.abc import Sequence
from dataclasses import replace

from contentsync.model import Entry, Kind, Notes, Source
from contentsync.report.document_parts import Destination
from contentsync.sync.comparing.base import Base, applied_entry
from contentsync.sync.planning.plan import Limits, Plan, Policy
from contentsync.sync.planning.plan_builder import make_plan

from ..sync.entries import actual, desired

HERE = Destination("local", "embedded:site.db", None)
THERE = Destination("production", "https://directory.example.com directory 42", 120)


def at(path: str, entry: Entry) -> Entry:
    """Return an entry of the folder in a file of its own."""
    return replace(entry, source=Source(path))


def plan_of_everything(policy: Policy | None = None) -> Plan:
    """Return a plan with creates, updates, a rename, a delete with references, drift, spared and foreign records."""
    was = [
        at("pages/about.md", desired(Kind.PAGE, "about", slug="about", title="About", order=1)),
        at("pages/team.md", desired(Kind.PAGE, "team", slug="team", title="Team")),
        at("pages/kept.md", desired(Kind.PAGE, "kept", notes=Notes(protect=True), slug="kept", title="Kept")),
        at("tags.yaml", desired(Kind.TAG, "wood", slug="wood", title="Wood")),
    ]
    there = [
        actual(Kind.PAGE, "about", 1, slug="about", title="About them", order=1),
        actual(Kind.PAGE, "team", 2, slug="team", title="Team"),
        actual(Kind.PAGE, "kept", 3, slug="kept", title="Kept"),
        actual(Kind.PAGE, "stranger", 4, slug="stranger", title="Stranger"),
        actual(Kind.PAGE, "equal", 5, slug="equal", title="Equal"),
        actual(Kind.TAG, "wood", 6, slug="wood", title="Wood"),
        actual(Kind.LISTING, "lathe", 7, slug="lathe", name="Lathe", tags=["wood"]),
        actual(Kind.LISTING, "saw", 8, slug="saw", name="Saw", tags=["wood"]),
    ]
    lines = [applied_entry(entry, replace(entry, id=number)) for entry, number in zip(was, (1, 2, 3, 6), strict=True)]
    folder = [
        replace(was[0], fields={**was[0].fields, "order": 2}),
        at("pages/team.md", desired(Kind.PAGE, "people", slug="people", title="Team")),
        at("pages/equal.md", desired(Kind.PAGE, "equal", slug="equal", title="Equal")),
        at("pages/new.md", desired(Kind.PAGE, "new", slug="new", title="New")),
        at("tags.yaml", desired(Kind.TAG, "metal", slug="metal", title="Metal")),
        at("tags.yaml", desired(Kind.TAG, "glass", slug="glass", title="Glass")),
    ]
    return make_plan(
        folder, there, base=Base.from_entries(lines), policy=policy or Policy(prune=True, on_drift="overwrite")
    )


def many_deletes(count: int = 12) -> Plan:
    """Return a plan that the gates refuse."""
    was = [desired(Kind.PAGE, f"p{number:02}", title="T") for number in range(2 * count)]
    there = [actual(Kind.PAGE, entry.key, number, title="T") for number, entry in enumerate(was, 1)]
    lines = [applied_entry(entry, record) for entry, record in zip(was, there, strict=True)]
    return make_plan(
        was[count:],
        there,
        base=Base.from_entries(lines),
        policy=Policy(prune=True, on_drift="overwrite", limits=Limits()),
    )


def pages(count: int, body: str = "A page.") -> tuple[Sequence[Entry], Sequence[Entry]]:
    """Return the folder's pages, and as many pages of the server with another title and text."""
    return (
        [desired(Kind.PAGE, f"p{number:05}", title="New", markdown=body) for number in range(count)],
        [actual(Kind.PAGE, f"p{number:05}", number + 1, title="Old", markdown="") for number in range(count)],
    )


def many_sorts() -> Plan:
    """Return a plan of 500 changes: deletes, adopted records, updates with a shared and an own value, and creates."""
    kept, deleted, new = ([f"{sort}{number:03}" for number in range(125)] for sort in ("kept", "gone", "new"))
    there = [actual(Kind.PAGE, key, number, title=key, order=1) for number, key in enumerate([*kept, *deleted])]
    base = Base.from_entries(applied_entry(record, record) for record in there)
    equal = [actual(Kind.TAG, f"t{number:03}", number, title="T") for number in range(125)]
    folder = [desired(Kind.PAGE, key, title=f"{key}!", order=2) for key in kept]
    folder += [desired(Kind.PAGE, key, title=key) for key in new]
    folder += [desired(Kind.TAG, record.key, title="T") for record in equal]
    return make_plan(folder, [*there, *equal], base=base, policy=Policy(prune=True))
