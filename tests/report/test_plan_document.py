import json

from contentsync.model import Kind
from contentsync.report.plan_document import plan_document
from contentsync.sync import Policy, make_plan

from ..sync.entries import actual, desired
from .plans import HERE, THERE, many_deletes, pages, plan_of_everything


def test_the_document_has_the_shape_of_the_specification() -> None:
    """docs/reference/json.md, plan."""
    plan = make_plan(
        [desired(Kind.PAGE, "about", line=4, title="New"), desired(Kind.PAGE, "same", title="S")],
        [
            actual(Kind.PAGE, "about", 1, title="Old"),
            actual(Kind.PAGE, "same", 2, title="S"),
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
        "summary": {"create": 0, "update": 1, "delete": 0, "unchanged": 1, "drift": 0, "unmanaged": 1},
        "cost": {"requests": 1, "seconds": 0},
        "digest": plan.digest,
        "refused": [],
        "theirs": [],
        "kept": [],
    }


def test_it_tells_of_drift_renames_and_deletes() -> None:
    changes = {change["key"]: change for change in plan_document(plan_of_everything(), HERE)["changes"]}
    assert changes["about"]["drift"] == ["title"]
    assert changes["people"]["previous_key"] == "team"
    gone = changes["wood"]
    assert (gone["action"], gone["path"], gone["line"], gone["fields"]) == ("delete", "tags.yaml", None, {})


def test_its_sums_count_deletes_and_drift_kept_or_not() -> None:
    assert plan_document(plan_of_everything(), HERE)["summary"] == {
        "create": 3,
        "update": 2,
        "delete": 1,
        "unchanged": 1,
        "drift": 1,
        "unmanaged": 4,
    }
    kept = plan_document(plan_of_everything(Policy(on_drift="keep")), HERE)["summary"]
    assert (kept["drift"], kept["update"]) == (1, 2)


def test_refusals_have_a_code_and_the_flag_that_consents() -> None:
    """PL-01"""
    (refusal,) = plan_document(many_deletes(), HERE)["refused"]
    assert (refusal["code"], refusal["flag"]) == ("deletes", "--allow-deletes 12")
    assert refusal["message"].startswith("12 of 24 managed pages would be deleted")


def test_it_is_complete_however_long_the_plan() -> None:
    """PL-20"""
    document = plan_document(make_plan(*pages(2_000)), HERE)
    assert len(document["changes"]) == 2_000


def test_the_token_is_not_in_it() -> None:
    """PL-20, AU-12"""
    destination = type(HERE)("local", "embedded:site.db", None, "c4n4ry")
    plan = make_plan([desired(Kind.PAGE, "a", title="c4n4ry", markdown="x\nc4n4ry")], [])
    document = plan_document(plan, destination)
    assert "c4n4ry" not in json.dumps(document) + repr(destination)
    assert document["digest"] == plan.digest
