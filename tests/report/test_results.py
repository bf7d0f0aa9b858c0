import pytest

from contentsync.errors import Refused
from contentsync.model import Kind
from contentsync.report.document_parts import Destination
from contentsync.report.results import results_text, sync_document, sync_line
from contentsync.sync.comparing.change import Action, Result, Status
from contentsync.sync.planning.plan_builder import make_plan

from ..sync.entries import desired

PLAN = make_plan([desired(Kind.PAGE, f"p{number}", title="T") for number in range(9)], [])
OUTCOMES = [
    Result(PLAN.changes[0], Status.DONE),
    Result(PLAN.changes[1], Status.FAILED, "page.md:1:1: title is bad"),
    Result(PLAN.changes[2], Status.UNKNOWN, "no answer"),
    *(Result(change, Status.SKIPPED, "not tried") for change in PLAN.changes[3:]),
]


def test_failed_changes_are_listed_and_the_rest_is_counted() -> None:
    lines = results_text(OUTCOMES, full=False).plain.splitlines()
    assert lines[0] == "  failed create page p1: page.md:1:1: title is bad"
    assert lines[1] == "  unknown create page p2: no answer"
    assert lines[-1] == "1 done, 1 failed, 1 unknown, 6 skipped"


def test_the_next_step_is_reported_only_if_changes_remain() -> None:
    then = "the next sync continues from here"
    refused = OUTCOMES[1]._replace(is_refused=True)
    assert results_text(OUTCOMES, full=False, next_step=then).plain.endswith(f"6 skipped; {then}")
    assert results_text([OUTCOMES[0], refused], full=False, next_step=then).plain.endswith("1 done, 1 failed")


def test_many_failures_are_shortened_without_verbose() -> None:
    failures = [Result(PLAN.changes[0], Status.FAILED, f"no {number}") for number in range(1025)]
    lines = results_text(failures, full=False).plain.splitlines()
    assert (len(lines), lines[-2]) == (22, "  … and 1,005 more failed (--verbose shows all)")
    assert len(results_text(failures, full=True).plain.splitlines()) == 1026


@pytest.mark.parametrize(
    ("error", "cause"),
    [
        ("cannot reach https://a.example: no network", "cannot reach https://a.example: no network"),
        ("no answer to PUT /api/directories/1/pages/{number}: cut", "no answer to PUT /api/directories/1/pages/…: cut"),
    ],
)
def test_failures_with_the_same_cause_are_reported_once(error: str, cause: str) -> None:
    """For example after the connection was lost."""
    entries = [desired(Kind.PAGE, f"p{number:02}", title="T") for number in range(41)]
    changes = make_plan(entries, []).changes
    results = [
        *(Result(change, Status.FAILED, error.format(number=number)) for number, change in enumerate(changes[:40])),
        Result(changes[40], Status.FAILED, "title is bad"),
    ]
    assert results_text(results, full=False).plain.splitlines() == [
        f"  failed 40 changes: {cause}",
        "    create page p00, create page p01, create page p02 and 37 more (--verbose shows all)",
        "  failed create page p40: title is bad",
        "41 failed",
    ]
    lines = results_text(results, full=True).plain.splitlines()
    assert lines[39] == f"  failed create page p39: {error.format(number=39)}"
    document = sync_document(PLAN, Destination("local", "embedded:site.db", None), results, run="run-1")
    assert [result["error"] for result in document["results"]] == [result.error for result in results]


def test_failures_with_the_same_cause_have_their_locations() -> None:
    results = [Result(PLAN.changes[number], Status.FAILED, f"p.md:{number}:1: slug is taken") for number in range(1, 5)]
    assert results_text(results, full=False).plain.splitlines()[:2] == [
        "  failed 4 changes: slug is taken",
        "    create page p1 (p.md:1:1), create page p2 (p.md:2:1), create page p3 (p.md:3:1) and 1 more"
        " (--verbose shows all)",
    ]
    assert results_text(results[:3], full=False).plain.count("slug is taken") == 3


def test_values_that_the_server_stored_differently_are_reported() -> None:
    """HT-24, HT-25"""
    results = [Result(PLAN.changes[0], Status.DONE, altered_fields=("organizers", "title"))]
    assert results_text(results, full=False).plain == "  stored differently create page p0: organizers, title\n1 done"
    document = sync_document(PLAN, Destination("local", "embedded:site.db", None), results, run="run-1")
    assert document["results"][0]["unstored"] == ["organizers", "title"]


def test_the_reason_for_applying_nothing_is_in_the_document() -> None:
    """PL-15"""
    refusal = Refused("nothing was written: there is no terminal to ask on", "--yes applies the plan without asking")
    document = sync_document(PLAN, Destination("local", "embedded:site.db", None), [], run=None, refusal=refusal)
    assert document["refused"] == [
        {
            "code": "not-confirmed",
            "message": "nothing was written: there is no terminal to ask on",
            "flag": "--yes",
        }
    ]


def test_an_entry_that_another_user_created_meanwhile_is_reported() -> None:
    """CO-06"""
    results = [Result(PLAN.changes[0], Status.DONE, already_existed=True)]
    assert (
        "already there create page p0: it was created after the plan was made"
        in results_text(results, full=False).plain
    )
    document = sync_document(PLAN, Destination("local", "embedded:site.db", None), results, run="run-1")
    assert document["results"][0]["found"]


def test_the_document_of_a_sync_contains_the_plan_and_the_results() -> None:
    """docs/reference/json.md, sync."""
    document = sync_document(PLAN, Destination("local", "embedded:site.db", None), OUTCOMES, run="run-1")
    assert document["changes"] and document["run"] == "run-1"
    assert document["results"][1] == {
        "action": "create",
        "kind": "page",
        "key": "p1",
        "status": "failed",
        "error": "page.md:1:1: title is bad",
        "unstored": [],
        "found": False,
    }
    assert document["summary"] == {
        "create": 9,
        "update": 0,
        "delete": 0,
        "unchanged": 0,
        "drift": 0,
        "unmanaged": 0,
        "adopt": 0,
        "done": 1,
        "failed": 1,
        "unknown": 1,
        "skipped": 6,
    }


CHANGES = make_plan([desired(Kind.PAGE, f"p{number}", title="T") for number in range(9)], []).changes


def line(*results: Result) -> str:
    return sync_line(results).plain


def done(number: int, action: Action = Action.CREATE, was: str | None = None) -> Result:
    return Result(CHANGES[number]._replace(action=action, previous_key=was), Status.DONE)


def test_one_change_is_reported_by_name() -> None:
    assert line(done(0)) == "page/p0 created"
    assert line(done(0, Action.UPDATE, was="old")) == "page/p0 (was old) updated"


def test_several_changes_are_counted_and_named() -> None:
    assert line(done(2, Action.DELETE), done(1)) == "2 changes: page/p1 created, page/p2 deleted"


def test_only_a_few_of_many_changes_are_named() -> None:
    reported = "9 changes: page/p0 created, page/p1 created, page/p2 created and 6 more"
    assert line(*(done(number) for number in range(9))) == reported


def test_changes_that_were_not_applied_are_counted() -> None:
    failed = Result(CHANGES[1], Status.FAILED, "no")
    assert line(done(0), failed) == "page/p0 created; 1 failed"
    assert line(failed, Result(CHANGES[2], Status.SKIPPED)) == "1 failed; 1 skipped"


def test_a_sync_without_changes_reports_that_there_was_nothing_to_do() -> None:
    assert line() == "nothing to do"
