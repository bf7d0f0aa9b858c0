import json
from dataclasses import replace

from rich.table import Table

from contentsync.model import Kind, Notes
from contentsync.report.plan_document import plan_document, plan_notes, visitor_notes
from contentsync.report.plan_markdown import plan_markdown
from contentsync.report.plan_text import plan_counts, plan_summary, refusals_text, unmanaged_lines
from contentsync.sync.comparing.base import Base, applied_entry
from contentsync.sync.planning.plan import Policy, Refusal
from contentsync.sync.planning.plan_builder import make_plan

from ..sync.entries import actual, desired
from .plans import HERE, THERE, many_deletes, pages, plan_of_everything


def test_the_summary_names_the_target_the_cost_and_the_time() -> None:
    """PL-09"""
    plan = make_plan([desired(Kind.PAGE, f"p{number}", title="T") for number in range(250)], [])
    assert plan_summary(plan, THERE).plain == (
        "250 to create on production (https://directory.example.com directory 42): "
        "250 requests, about 2 minutes at 120 a minute"
    )


def test_the_first_minute_of_requests_causes_no_delay() -> None:
    assert [THERE.delay_minutes(requests) for requests in (0, 1, 120, 121, 240, 241)] == [0, 0, 0, 1, 1, 2]


def test_the_requests_of_safety_checks_are_counted_separately() -> None:
    assert plan_summary(plan_of_everything(), HERE).plain == (
        "3 to create, 2 to update, 1 to delete on local (embedded:site.db): "
        "7 requests (1 of them to read a second time before anything is created or deleted)"
    )


def test_an_empty_plan_reports_that_there_is_nothing_to_do() -> None:
    assert plan_summary(make_plan([], []), HERE).plain == "nothing to do: local matches the folder"


def test_a_plan_that_only_keeps_drift_mentions_it() -> None:
    plan = plan_of_everything(Policy(on_drift="keep"))
    nothing_else = type(plan)((), plan.actual, plan.unchanged, plan.unmanaged, drift=plan.drift)
    assert plan_summary(nothing_else, HERE).plain == (
        "nothing to do: local matches the folder, but for 1 entry changed or deleted there"
    )


def test_the_table_has_the_counts_of_each_kind() -> None:
    table = plan_counts(plan_of_everything(), 60)
    assert isinstance(table, Table)
    assert [list(column.cells) for column in table.columns] == [
        ["tags", "listings", "pages"],
        ["2", "·", "1"],
        ["·", "·", "2"],
        ["1", "·", "·"],
        ["·", "·", "1"],
        ["·", "·", "1"],
        ["·", "2", "2"],
    ]


def test_a_narrow_terminal_shows_the_counts_as_a_list() -> None:
    lines = str(plan_counts(plan_of_everything(), 40)).splitlines()
    assert lines == [
        "tags",
        "  2 create",
        "  1 delete",
        "listings",
        "  2 unmanaged",
        "pages",
        "  1 create",
        "  2 update",
        "  1 adopt",
        "  1 unchanged",
        "  2 unmanaged",
    ]


def test_kept_edits_and_retained_entries_have_one_line_each() -> None:
    assert plan_notes(plan_of_everything(Policy(prune=False)), HERE) == [
        "1 edit on the server is kept: contentsync pull takes it over, "
        "contentsync sync --only page/about --on-drift overwrite reverts it",
        "2 entries that are no longer in the folder are left alone: 1 protected, 1 prune is off (--prune deletes them)",
    ]
    assert visitor_notes(plan_of_everything()) == ["1 address moves: page team → people"]
    (note,) = plan_notes(plan_of_everything(), HERE)
    assert note == "1 entry that is no longer in the folder is left alone: protected"


def test_entries_that_become_public_are_listed() -> None:
    there = [actual(Kind.PAGE, key, number, is_published=False) for number, key in enumerate(("a", "b", "c"))]
    base = Base.from_entries(applied_entry(record, record) for record in there)
    folder = [
        desired(Kind.PAGE, "a", is_published=True),
        desired(Kind.PAGE, "b", is_published=False, title="B"),
        desired(Kind.PAGE, "c", is_published=True, title="C"),
    ]
    assert visitor_notes(make_plan(folder, there, base=base)) == ["2 entries become public: page a, page c"]


def test_many_entries_that_become_public_are_counted() -> None:
    folder = [desired(Kind.PAGE, key, title="T", is_published=True) for key in "abcdefg"]
    there = [actual(Kind.PAGE, entry.key, number, is_published=False) for number, entry in enumerate(folder)]
    base = Base.from_entries(applied_entry(record, record) for record in there)
    (note,) = visitor_notes(make_plan(folder, there, base=base))
    assert note == "7 entries become public: page a, page b, page c, page d, page e and 2 more"


def test_entries_that_become_hidden_are_listed() -> None:
    there = [
        actual(Kind.LISTING, "a", 1, is_active=True),
        actual(Kind.LISTING, "b", 2, is_active=False, ends_at=None),  # hidden before
        actual(Kind.LISTING, "c", 3, is_active=True, ends_at=None),
    ]
    base = Base.from_entries(applied_entry(record, record) for record in there)
    folder = [
        desired(Kind.LISTING, "a", is_active=False),
        desired(Kind.LISTING, "b", is_active=False, ends_at="2020-01-01T00:00:00Z"),
        desired(Kind.LISTING, "c", is_active=True, ends_at="2020-01-01T00:00:00Z"),
    ]
    assert visitor_notes(make_plan(folder, there, base=base)) == ["2 entries become hidden: listing a, listing c"]


def test_records_that_only_the_server_has_are_listed_with_the_reason() -> None:
    """PL-05"""
    assert list(unmanaged_lines(plan_of_everything())) == [
        "  · page kept  no longer in the folder, left: protected",
        "  · page stranger  on the server only, left alone",
        "  · listing lathe  on the server only, left alone",
        "  · listing saw  on the server only, left alone",
    ]


def test_a_refusal_names_the_option() -> None:
    """PL-01"""
    plan = many_deletes()
    text = refusals_text(plan.refusals)
    assert text.plain == (
        "refused 12 of 24 managed pages would be deleted (50 %; the limits are 20 % and 10): "
        "p00, p01, p02, p03, p04 and 7 more\n"
        "  --allow-deletes 12 consents to it\n"
    )
    assert text.spans[0].style == "bold white on red"
    assert plan_summary(plan, HERE).plain.endswith("; refused")


def test_a_refusal_without_an_option_is_explained() -> None:
    """PL-02"""
    assert refusals_text([Refusal("empty-folder", "the folder has no entries")]).plain == (
        "refused the folder has no entries\n  no option consents to that\n"
    )


def test_foreign_names_are_escaped() -> None:
    """FI-06, XS-21"""
    foreign = actual(Kind.PAGE, "x\x1b[2J\n  - page all", 1)
    (line,) = unmanaged_lines(make_plan([], [foreign]))
    assert line == "  · page x\\x1b[2J\\n  - page all  on the server only, left alone"
    assert "\x1b" not in refusals_text([Refusal("adoption", "page \x1b[2J", "--adopt")]).plain


def test_the_document_has_the_shape_of_the_specification() -> None:
    """docs/reference/json.md, plan."""
    plan = make_plan(
        [desired(Kind.PAGE, "about", line=4, title="New"), desired(Kind.PAGE, "same", title="S")],
        [
            actual(Kind.PAGE, "about", 1, title="Old"),
            replace(actual(Kind.PAGE, "same", 2, title="S"), created="2026-03-01T09:00:00Z"),
            actual(Kind.PAGE, "x", 3),
        ],
        policy=Policy(adopt=True),
    )
    document = json.loads(json.dumps(plan_document(plan, THERE)))
    assert document == {
        "version": 1,
        "target": "production",
        "changes": [
            {
                "action": "update",
                "kind": "page",
                "key": "about",
                "path": "page.md",
                "line": 4,
                "reason": "title differs; not from here",
                "fields": {"title": {"from": "Old", "to": "New"}},
                "drift": [],
                "previous_key": None,
            }
        ],
        "summary": {"create": 0, "update": 1, "delete": 0, "unchanged": 1, "drift": 0, "unmanaged": 1, "adopt": 2},
        "cost": {"requests": 1, "seconds": 0},
        "digest": plan.digest,
        "refused": [],
        "theirs": [],
        "kept": [],
        "adopted": [
            {"kind": "page", "key": "about", "id": 1, "created": None},
            {"kind": "page", "key": "same", "id": 2, "created": "2026-03-01T09:00:00Z"},
        ],
    }


def test_the_document_contains_drift_renames_and_deletes() -> None:
    changes = {change["key"]: change for change in plan_document(plan_of_everything(), HERE)["changes"]}
    assert changes["about"]["drift"] == ["title"]
    assert changes["people"]["previous_key"] == "team"
    deleted = changes["wood"]
    assert (deleted["action"], deleted["path"], deleted["line"], deleted["fields"]) == ("delete", "tags.yaml", None, {})


def test_the_summary_of_the_document_counts_deletes_and_drift() -> None:
    assert plan_document(plan_of_everything(), HERE)["summary"] == {
        "create": 3,
        "update": 2,
        "delete": 1,
        "unchanged": 1,
        "drift": 1,
        "unmanaged": 4,
        "adopt": 1,
    }
    kept = plan_document(plan_of_everything(Policy(on_drift="keep")), HERE)["summary"]
    assert (kept["drift"], kept["update"]) == (1, 2)


def test_a_refusal_in_the_document_has_a_code_and_an_option() -> None:
    """PL-01"""
    (refusal,) = plan_document(many_deletes(), HERE)["refused"]
    assert (refusal["code"], refusal["flag"]) == ("deletes", "--allow-deletes 12")
    assert refusal["message"].startswith("12 of 24 managed pages would be deleted")


def test_the_document_of_a_long_plan_is_complete() -> None:
    """PL-20"""
    document = plan_document(make_plan(*pages(2_000)), HERE)
    assert len(document["changes"]) == 2_000


def test_the_token_is_not_in_the_document() -> None:
    """PL-20, AU-12"""
    destination = type(HERE)("local", "embedded:site.db", None, "c4n4ry")
    plan = make_plan([desired(Kind.PAGE, "a", title="c4n4ry", markdown="x\nc4n4ry")], [])
    document = plan_document(plan, destination)
    assert "c4n4ry" not in json.dumps(document) + repr(destination)
    assert document["digest"] == plan.digest


def test_the_document_lists_moved_addresses() -> None:
    slugs = {Kind.PAGE: "page", Kind.TAG: "tag"}  # a tag has no page
    base = [actual(kind, f"{name}-old", id_=1, title="T", slug=f"{name}-old") for kind, name in slugs.items()]
    expected = [
        desired(kind, f"{name}-new", title="T", slug=f"{name}-new", notes=Notes(previous=(f"{name}-old",)))
        for kind, name in slugs.items()
    ]
    plan = make_plan(expected, base, policy=Policy(adopt=True))
    assert [change.previous_key for change in plan.changes] == ["tag-old", "page-old"]
    assert visitor_notes(plan) == ["1 address moves: page page-old → page-new"]
    assert plan_document(plan, HERE)["moves"] == [{"kind": "page", "from": "page-old", "to": "page-new"}]
    assert "moves" not in plan_document(make_plan([], []), HERE)
    assert "- 1 address moves" in plan_markdown(plan, HERE)
