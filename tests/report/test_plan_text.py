import re
from dataclasses import replace
from itertools import groupby

import pytest

from contentsync.model import Entry, Kind, Source
from contentsync.report.plan_text import MAX_LINES, drift_changes, plan_changes
from contentsync.sync.comparing.base import Base, applied_entry
from contentsync.sync.comparing.change import Action
from contentsync.sync.planning.plan import Plan, Policy
from contentsync.sync.planning.plan_builder import make_plan

from ..sync.entries import actual, desired
from .plans import many_sorts, pages, plan_of_everything
from .surveys import plain


def reported(plan: Plan, *, full: bool = False, secret: str = "") -> list[str]:
    return plain(plan_changes(plan, full=full, secret=secret)).splitlines()


def test_a_plan_shows_new_changed_and_deleted_entries() -> None:
    """SL-14"""
    assert reported(plan_of_everything()) == [
        '  - tag wood  "Wood"  no longer in the folder, 2 listings lose it',
        '  = page equal  "Equal"  adopt, not created from this folder',
        "  ~ page about  title, order differ  pages/about.md:1",
        '      title: "About them" → "About"  changed on the server',
        "      order: 1 → 2",
        "  ~ page people  renamed from team; slug differs  pages/team.md:1",
        '      slug: "team" → "people"',
        '  + tag glass  "Glass"  tags.yaml:1',
        '  + tag metal  "Metal"  tags.yaml:1',
        '  + page new  "New"  pages/new.md:1',
    ]


def test_kept_drift_is_shown_with_both_values() -> None:
    drift = drift_changes(plan_of_everything(Policy(on_drift="keep")), full=False)
    assert plain(drift).splitlines() == [
        "  ! page about  changed on the server, left as it is",
        '      title: "About them"  here: "About"',
    ]


def test_a_delete_of_a_changed_record_shows_the_drift() -> None:
    was = desired(Kind.PAGE, "old", title="Old")
    there = actual(Kind.PAGE, "old", 1, title="Edited there")
    base = Base.from_entries([applied_entry(was, replace(was, id=1))])
    plan = make_plan(
        [desired(Kind.TAG, "new", title="N")], [there], base=base, policy=Policy(prune=True, on_drift="overwrite")
    )
    assert reported(plan)[0] == '  - page old  "Edited there"  no longer in the folder, changed on the server: title'


def test_a_temporary_slug_before_a_delete_is_shown() -> None:
    """PL-04"""

    def listing(number: int, slug: str) -> Entry:
        url = f"https://{number}.example"
        return desired(Kind.LISTING, url, url=url, name=f"L{number}", slug=slug)

    before = [listing(1, "a"), listing(2, "b")]
    there = [actual(Kind.LISTING, entry.key, number, **entry.fields) for number, entry in enumerate(before, 1)]
    base = Base.from_entries(map(applied_entry, before, there))
    plan = make_plan([listing(1, "b")], there, base=base, policy=Policy(prune=True, on_drift="overwrite"))
    deleted, way, *_ = reported(plan)
    assert deleted == '  - listing https://2.example  "L2"  no longer in the folder'
    assert re.fullmatch(r"      slug is b-moving-\w{6} until then: another entry takes its present value", way)


def test_a_temporary_slug_of_an_exchange_is_shown() -> None:
    """SL-15"""

    def page(path: str, slug: str) -> Entry:
        return replace(desired(Kind.PAGE, slug, slug=slug, title=path), source=Source(path))

    before = [page("one.md", "a"), page("two.md", "b")]
    there = [actual(Kind.PAGE, entry.key, number, **entry.fields) for number, entry in enumerate(before, 1)]
    base = Base.from_entries(map(applied_entry, before, there))
    plan = make_plan([page("one.md", "b"), page("two.md", "a")], there, base=base)
    detours = [line for line in reported(plan) if "for a moment" in line]
    assert len(plan.changes) == 2
    assert len(detours) == 1
    assert detours[0].endswith(" for a moment: another entry takes its present value")


def test_a_change_shows_the_old_and_new_value_of_each_field() -> None:
    plan = make_plan(
        [desired(Kind.PAGE, "about", line=4, title="New", order=2)], [actual(Kind.PAGE, "about", 1, title="Old")]
    )
    assert reported(plan) == [
        "  ~ page about  title, order differ; not from here  page.md:4",
        '      title: "Old" → "New"',
        "      order: nothing → 2",
    ]


def test_a_long_text_is_shown_as_a_diff() -> None:
    before = "\n".join(f"line {number}" for number in range(40))
    plan = make_plan(
        [desired(Kind.PAGE, "p", markdown=before.replace("line 20\n", "line twenty\n"))],
        [actual(Kind.PAGE, "p", 1, markdown=before)],
    )
    assert reported(plan)[2:] == [
        "         line 19",
        "        ~line [-20-]{+twenty+}",
        "         line 21",
    ]


def test_a_new_text_is_shown_line_by_line() -> None:
    plan = make_plan([desired(Kind.PAGE, "p", markdown="a\nb")], [actual(Kind.PAGE, "p", 1)])
    assert reported(plan)[-2:] == ["        +a", "        +b"]


@pytest.mark.parametrize(
    ("before", "after", "shown"),
    [
        ("x" * 500 + "old", "x" * 500 + "new", '"…xxxxxxxxxxxxxxxxxxxxold"'),
        (["https://a.example/" + "i" * 90], ["https://a.example/" + "i" * 90, "https://b.example/"], ", https"),
    ],
    ids=["text", "list"],
)
def test_only_the_different_part_of_a_long_value_is_shown(before: object, after: object, shown: str) -> None:
    plan = make_plan([desired(Kind.PAGE, "p", title=after)], [actual(Kind.PAGE, "p", 1, title=before)])
    line = reported(plan)[1]
    assert len(line) < 150
    assert shown.strip('"') in line


def test_many_new_entries_are_shortened_without_full() -> None:
    plan = make_plan([desired(Kind.TAG, f"t{number:02}", title="T") for number in range(30)], [])
    lines = reported(plan)
    assert len(lines) == 5
    assert lines[-1] == "  + … and 26 tags more (--full shows all)"
    assert len(reported(plan, full=True)) == 30


def test_ten_thousand_changes_fit_on_a_screen_without_full() -> None:
    """PL-20"""
    plan = make_plan(*pages(10_000, "one\ntwo\n"))
    lines = reported(plan)
    assert MAX_LINES <= len(lines) < MAX_LINES + 10
    assert lines[-1] == "  … and 9,995 more to update (--full shows all)"
    assert sum(line.startswith("  ~ ") for line in reported(plan, full=True)) == 10_000


def test_a_change_that_several_entries_share_is_one_line() -> None:
    keys = [f"p{number}" for number in range(9)]
    there = [actual(Kind.PAGE, key, number, title=key, order=1) for number, key in enumerate(keys)]
    base = Base.from_entries(applied_entry(record, record) for record in there)
    folder = [desired(Kind.PAGE, key, title=key, order=2) for key in keys]
    folder[3] = desired(Kind.PAGE, "p3", title="Other", order=2)
    plan = make_plan(folder, there, base=base)
    assert reported(plan) == [
        "  ~ order: 1 → 2  in 9 pages, such as p0, p1, p2",
        "  ~ page p3  title, order differ  page.md:1",
        '      title: "p3" → "Other"',
    ]
    assert sum("order: 1 → 2" in line for line in reported(plan, full=True)) == 9


def test_a_value_that_another_user_changed_is_not_grouped() -> None:
    keys = [f"p{number}" for number in range(9)]
    there = [actual(Kind.PAGE, key, number, order=1) for number, key in enumerate(keys)]
    base = Base.from_entries(applied_entry(replace(each, fields={"order": 2}), each) for each in there)
    base = Base.from_entries(applied._replace(fields={"order": "x"}) for applied in base.values())
    plan = make_plan([desired(Kind.PAGE, key, order=2) for key in keys], there, base=base)
    assert not any("in 9 pages" in line for line in reported(plan))


def test_five_hundred_mixed_changes_fit_into_forty_lines() -> None:
    lines = reported(many_sorts())
    assert len(lines) < 40
    starts = [line[2] for line in lines if line[:2] == "  " and line[2] != " "]
    assert [start for start, _group in groupby(starts)] == ["-", "…", "=", "…", "~", "…", "+"]


def test_the_token_is_hidden_in_texts() -> None:
    """PL-20, AU-12"""
    canary = "cs_c4n4ry"
    plan = make_plan(
        [
            desired(Kind.PAGE, "a", title=f"My {canary}", markdown=f"one\nexport TOKEN={canary}\n"),
            desired(Kind.LISTING, f"https://a.example/?key={canary}", name=canary),
        ],
        [actual(Kind.PAGE, "a", 1, title="Old", markdown="one\ntwo")],
    )
    assert [change.action for change in plan.changes].count(Action.CREATE) == 1
    text = "\n".join(reported(plan, secret=canary, full=True))
    assert canary not in text
    assert "export TOKEN=(hidden)" in text


def test_a_delete_whose_key_has_the_token_shows_what_listings_lose() -> None:
    """PL-20, AU-12"""
    tag = actual(Kind.TAG, "cs_c4n4ry", 1, title="T")
    listing = actual(Kind.LISTING, "lathe", 2, name="Lathe", tags=["cs_c4n4ry"])
    base = Base.from_entries([applied_entry(tag, tag)])
    plan = make_plan([desired(Kind.TAG, "new", title="N")], [tag, listing], base=base, policy=Policy(prune=True))
    deleted = '  - tag (hidden)  "T"  no longer in the folder, 1 listing loses it'
    assert reported(plan, secret="cs_c4n4ry")[0] == deleted


def test_control_characters_in_a_change_are_escaped() -> None:
    """FI-06, XS-21"""
    plan = make_plan(
        [desired(Kind.PAGE, "p", title="a\x1b[31m", markdown="x\n\x1b]0;t\x07\r\u202e"), desired(Kind.PAGE, "n\x1bc")],
        [actual(Kind.PAGE, "p", 1, title="\x9b2J", markdown="x\ny")],
    )
    text = plain(plan_changes(plan, full=True))
    assert all(character.isprintable() for character in text.replace("\n", ""))
