import json

from contentsync.model import Kind
from contentsync.report.plan import Destination, plan_changes, plan_document, plan_summary
from contentsync.sync import make_plan

from ..sync.entries import actual, desired

HERE = Destination("local", "embedded:site.db", None)
THERE = Destination("production", "https://directory.example.com directory 42", 120)


def test_the_sum_names_the_target_the_cost_and_the_time() -> None:
    """PL-09"""
    plan = make_plan([desired(Kind.PAGE, f"p{number}", title="T") for number in range(4)], [])
    assert plan_summary(plan, THERE).plain == (
        "4 to create on production (https://directory.example.com directory 42): 4 requests, about 2 s at 120 a minute"
    )


def test_an_empty_plan_says_so() -> None:
    assert plan_summary(make_plan([], []), HERE).plain == "nothing to do: local is what the folder says"


def test_a_change_shows_each_field_from_and_to_with_its_place() -> None:
    plan = make_plan(
        [desired(Kind.PAGE, "about", line=4, title="New", order=2)], [actual(Kind.PAGE, "about", 1, title="Old")]
    )
    assert plan_changes(plan, full=False).plain == (
        '  ~ page about  title, order differ  page.md:4\n      title: "Old" → "New"\n      order: nothing → 2\n'
    )


def test_a_long_text_is_shown_as_a_diff() -> None:
    before = "\n".join(f"line {number}" for number in range(40))
    plan = make_plan(
        [desired(Kind.PAGE, "p", markdown=before.replace("line 20\n", "line twenty\n"))],
        [actual(Kind.PAGE, "p", 1, markdown=before)],
    )
    assert plan_changes(plan, full=False).plain.splitlines()[2:] == [
        "        @@ -20,3 +20,3 @@",
        "         line 19",
        "        -line 20",
        "        +line twenty",
        "         line 21",
    ]


def test_many_new_entries_are_cut_unless_all_are_asked_for() -> None:
    plan = make_plan([desired(Kind.TAG, f"t{number:02}", title="T") for number in range(30)], [])
    lines = plan_changes(plan, full=False).plain.splitlines()
    assert len(lines) == 5
    assert lines[-1] == "  + … and 26 tags more (--full shows all)"
    assert len(plan_changes(plan, full=True).plain.splitlines()) == 30


def test_the_document_has_the_shape_of_the_specification() -> None:
    """cli.md, JSON output"""
    plan = make_plan(
        [desired(Kind.PAGE, "about", line=4, title="New"), desired(Kind.PAGE, "same", title="S")],
        [
            actual(Kind.PAGE, "about", 1, title="Old"),
            actual(Kind.PAGE, "same", 2, title="S"),
            actual(Kind.PAGE, "x", 3),
        ],
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
                "reason": "title differs",
                "fields": {"title": {"from": "Old", "to": "New"}},
                "drift": [],
                "previous_key": None,
            }
        ],
        "summary": {"create": 0, "update": 1, "delete": 0, "unchanged": 1, "drift": 0, "unmanaged": 1},
        "cost": {"requests": 1, "seconds": 0.5},
        "digest": plan.digest,
        "refused": [],
    }
