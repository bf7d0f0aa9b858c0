"""contentsync.content.entry.house_rules: what an owner demands of entries, at the place of each value."""

import time
from pathlib import Path

import pytest

from contentsync.content.folder.index_use import WHOLE_INDEX
from contentsync.content.folder.load import Content, load_content, make_report
from contentsync.errors import Severity

from ...indexed import store_index
from ..conftest import Files, Load, spots, write

LISTINGS = "listings/all.csv"
TABLE = """name,url,email,categories,tags,price,starts_at,is_featured,description
Saw,https://saw.example.org/,ada@example.org,power,new|used,120,2026-03-01,yes,Cuts wood
Axe,https://axe.example.org/,bob@example.com,power,,9.5,,no,
Pen,https://pen.example.org/,ada@example.org,office,new,,2025-12-31 18:00,,Writes
"""
FILES: Files = {
    "custom_fields.yaml": "- { label: Price, type: number }\n- { label: Plan, type: text }\n",
    "categories.yaml": "- { title: Power tools, slug: power }\n- { title: Office, slug: office }\n",
    "tags.yaml": "- { title: New, slug: new }\n- { title: Used, slug: used }\n",
    LISTINGS: TABLE,
}
CONFIG = '[site]\nname = "Test"\nlocales = ["en", "fr"]\ntimezone = "Europe/Paris"\n'
Place = tuple[int, int, str]  # line, column and code


def judged(read: Load, rules: str, files: Files = FILES) -> Content:
    return read({**files, "contentsync.toml": f"{CONFIG}{rules}\n"})


def places(read: Load, rules: str) -> list[Place]:
    content = judged(read, f"[rules.listing]\n{rules}")
    assert {problem.where.path for problem in content.problems} <= {LISTINGS}
    return [spot[1:] for spot in spots(content)]


@pytest.mark.parametrize(
    ("rule", "found"),
    [
        ('require = ["description"]', [(3, 61, "rule-require")]),
        ('require = "logo_url"', [(line, 1, "rule-require") for line in (2, 3, 4)]),
        ("min = { price = 10 }", [(3, 53, "rule-min")]),
        ("max = { price = 9.5 }", [(2, 61, "rule-max")]),
        ("min = { starts_at = 2026-01-01 }", [(4, 58, "rule-min")]),
        ('max = { starts_at = "2025-12-31" }', [(2, 65, "rule-max")]),
        ("min = { description = 7 }", [(4, 76, "rule-min")]),
        ("max = { description = 6 }", [(2, 80, "rule-max")]),
        ("min = { tags = 2 }", [(4, 53, "rule-min")]),
        ("max = { tags = 1 }", [(2, 52, "rule-max")]),
        (r"pattern = { email = '@example\.org$' }", [(3, 30, "rule-pattern")]),
        ('pattern = { tags = "^n" }', [(2, 52, "rule-pattern")]),
        ('allowed = { tags = ["New"] }', [(2, 52, "rule-allowed")]),
        ("allowed = { price = [120, 9] }", [(3, 53, "rule-allowed")]),
        ("allowed = { is_featured = [true] }", [(3, 58, "rule-allowed")]),
        ('unique = ["email"]', [(4, 30, "rule-unique")]),
        ('unique = ["tags"]', [(4, 53, "rule-unique")]),
        ('unique = ["url"]', []),
    ],
)
def test_a_wrong_value_is_reported_at_its_cell(read: Load, rule: str, found: list[Place]) -> None:
    assert places(read, rule) == found


@pytest.mark.parametrize(
    ("when", "lines"),
    [
        ('when = { category = "power" }', [2, 3]),
        ('when = { categories = "Office" }', [4]),
        ("when = { is_featured = false }", [3, 4]),
        ("when = { price = 9.5 }", [3]),
        ('when = { description = "" }', [3]),
        ('when = { categories = "power", tags = "used" }', [2]),
        ('when = "price > 10"', [2]),
        ('when = ["price !=", "categories = power", "price < 100"]', [3]),
        ('when = ["_file ~ all"]', [2, 3, 4]),
        ("[rules.listing.when]\nprice = 120", [2]),
    ],
)
def test_a_rule_judges_the_entries_that_meet_its_conditions(read: Load, when: str, lines: list[int]) -> None:
    assert places(read, f'require = ["logo_url"]\n{when}') == [(line, 1, "rule-require") for line in lines]


def test_a_kind_has_several_rules_with_their_own_level_and_message(read: Load) -> None:
    content = judged(
        read,
        """[[rules.listing]]
require = ["logo_url"]
when = { category = "office" }
level = "warning"
message = "Office tools need a logo"
[[rules.listing]]
min = { price = 100 }
""",
    )
    assert [(it.severity, it.message, it.hint) for it in content.problems] == [
        (
            Severity.ERROR,
            "price is 9.5, less than 100",
            "correct it, or change the rule in line 11 of contentsync.toml",
        ),
        (
            Severity.WARNING,
            "Office tools need a logo",
            "logo_url is missing: set it, or change the rule in line 6 of contentsync.toml",
        ),
    ]
    assert [(it.kind, it.key) for it in content.problems] == [
        ("listing", "https://axe.example.org"),
        ("listing", "https://pen.example.org"),
    ]


@pytest.mark.parametrize(
    ("rule", "message", "hint"),
    [
        ('allowed = { email = ["eda@example.org", "x@y.org"] }', "is 'ada@", "write 'eda@example.org'"),
        ("max = { tags = 1 }", "tags has 2 items, more than 1", "correct it"),
        ("max = { description = 6 }", "description has 9 characters, more than 6", "correct it"),
        ("min = { starts_at = 2026-01-01 }", "starts_at is 2025-12-31 18:00, before 2026-01-01", "correct it"),
        (
            'unique = ["email"]',
            "another listing already has the email 'ada@example.org': listings/all.csv, line 2",
            "give",
        ),
        ('unique = ["email"]\nmessage = "One listing each"', "One listing each: listings/all.csv, line 2", "give"),
    ],
)
def test_a_message_says_what_is_wrong_and_a_hint_what_to_do(read: Load, rule: str, message: str, hint: str) -> None:
    problem = judged(read, f"[rules.listing]\n{rule}").problems[0]
    assert message in problem.message
    assert problem.hint.startswith(hint)
    assert "the rule in line 6 of contentsync.toml" in problem.hint


@pytest.mark.parametrize(
    ("rule", "message"),
    [
        ('require = ["name", "logo"]', "listings have no field 'logo'"),
        ("min = { is_active = 1 }", "is_active is true or false"),
        ('min = { name = "x" }', "'x' is not a number of characters or items"),
        ('min = { starts_at = "soon" }', "'soon' is not a date or time"),
        ('pattern = { price = "1" }', "price is not a text"),
        ('unique = ["social_links"]', "social_links is an object"),
        ('require = ["name"]\nwhen = { category = "pover" }', "the folder has no category 'pover'"),
        ('require = ["name"]\nwhen = ["categories = pover"]', "the folder has no category 'pover'"),
        ('require = ["name"]\nwhen = "price > cheap"', "'price > cheap', character 9: 'cheap' is not a number"),
        ('allowed = { tags = ["old"] }', "the folder has no tag 'old'"),
    ],
)
def test_a_rule_that_cannot_be_right_is_an_error_of_the_config(read: Load, rule: str, message: str) -> None:
    (problem,) = judged(read, f"[rules.listing]\n{rule}").problems
    assert (problem.code, problem.message) == ("bad-rule", message)
    assert (problem.where.path, problem.is_error) == ("contentsync.toml", True)
    assert problem.where.line > 5
    assert problem.hint


def test_a_rule_with_the_title_of_two_entries_says_which(read: Load) -> None:
    tags = "- { title: New, slug: new }\n- { title: New, slug: used }\n"
    (problem,) = judged(read, '[rules.listing]\nallowed = { tags = ["New"] }', {**FILES, "tags.yaml": tags}).problems
    assert (problem.message, problem.hint) == ("'New' names 2 tags", "use the slug: new or used")


@pytest.mark.parametrize(
    ("rules", "code"),
    [
        ("[rules.listings]\nrequire = ['name']", "unknown-key"),
        ("[rules.listing]\nrequires = ['name']", "unknown-key"),
        ("[rules.listing]\nlevel = 'warning'", "bad-rule"),
        ("[rules.listing]\nrequire = ['name']\nlevel = 'off'", "not-a-choice"),
        ("[rules.listing]\nrequire = ['name']\nwhen = { tags = ['a', 'b'] }", "not-text"),
        ("[rules.listing]\npattern = { name = '(' }", "bad-pattern"),
        ("[rules.listing]\npattern = { name = '(?=a)' }", "bad-pattern"),
        ("[rules.listing]\npattern = { name = '(?:.{0,100}){100}x$' }", "bad-pattern"),  # 50 s for 100 KB
        ("[rules.listing]\npattern = { name = '(((a{0,50}){0,50}){0,50})b' }", "bad-pattern"),
        ("[rules.listing]\npattern = { name = '[]a({9}]{999}{2,}' }", "bad-pattern"),
        ("[rules.listing]\npattern = { name = '(?ix)a{9} {9}' }", "bad-pattern"),
        ("[[rules.listing]]\nrequire = ['name']\n[[rules.listing]]\nmin = { price = [1] }", "not-text"),
        ("[rules]\nlisting = 'logo_url'", "not-an-object"),
    ],
)
def test_a_setting_with_another_form_is_an_error(read: Load, rules: str, code: str) -> None:
    assert [problem.code for problem in judged(read, rules).problems] == [code]


@pytest.mark.parametrize(
    "pattern", ["^[0-9a-f]{8}-([0-9a-f]{4}-){3}[0-9a-f]{12}$", "^.{0,500}$", r"(\p{L}{2,}[(){999}]\{999\}){9}|x?"]
)
def test_a_pattern_may_repeat_its_parts(read: Load, pattern: str) -> None:
    codes = {it.code for it in judged(read, f"[rules.listing]\npattern = {{ name = '{pattern}' }}").problems}
    assert "bad-pattern" not in codes


def test_a_rule_about_a_custom_field_with_an_error_is_not_reported(read: Load) -> None:
    files = {**FILES, "custom_fields.yaml": "- { label: Price, type: nmuber }\n", LISTINGS: "name,price\nSaw,1\n"}
    content = judged(read, "[rules.listing]\nmin = { price = 5 }", files)
    assert [(problem.where.path, problem.code) for problem in content.problems] == [
        ("custom_fields.yaml", "not-a-choice")
    ]


def test_an_entry_with_another_error_or_a_note_to_skip_is_not_judged(read: Load) -> None:
    files = {
        "listings/a.md": "---\nname: A\nurll: x\n---\n",
        "listings/b.md": "---\nname: B\nsync: { skip: true }\n---\n",
        "listings/c.md": "---\nname: C\n---\n",
    }
    content = judged(read, '[rules.listing]\nrequire = ["email"]', files)
    assert [(it.where.path, it.code) for it in content.problems] == [
        ("listings/a.md", "unknown-key"),
        ("listings/c.md", "rule-require"),
    ]


@pytest.mark.parametrize(
    ("kind", "rule", "file", "text", "place"),
    [
        ("category", "allowed = { parent_id = ['tools'] }", "categories.yaml", "- {title: Toys}\n", None),
        (
            "category",
            "allowed = { parent_id = ['toys'] }",
            "categories.yaml",
            "- {title: Toys}\n- {title: Tools}\n- {title: Saws, parent_id: Tools}\n",
            (3, 28, "rule-allowed"),
        ),
        ("tag", "require = ['color']", "tags.yaml", "- title: New\n", (1, 1, "rule-require")),
        (
            "custom_field",
            "max = { label = 3 }",
            "custom_fields.yaml",
            "- {label: Mood, type: text}\n",
            (1, 11, "rule-max"),
        ),
        ("organizer", "require = ['email']", "organizers/ada.md", "---\nname: Ada\n---\n", (1, 1, "rule-require")),
        (
            "page",
            "allowed = { placement = ['footer'] }",
            "pages/a.md",
            "---\ntitle: A\nplacement: navbar\n---\n",
            (3, 12, "rule-allowed"),
        ),
        (
            "page",
            "require = ['seo.title']",
            "pages/a.md",
            "---\ntitle: A\nseo: {description: B}\n---\n",
            (3, 6, "rule-require"),
        ),
        ("article", "min = { markdown = 20 }", "articles/a.md", "---\ntitle: A\n---\nShort.\n", (4, 1, "rule-min")),
    ],
)
def test_each_kind_may_have_rules(read: Load, kind: str, rule: str, file: str, text: str, place: Place | None) -> None:
    spots_ = spots(judged(read, f"[rules.{kind}]\n{rule}", {file: text}))
    assert [spot[1:] for spot in spots_] == ([place] if place else [(6, 11, "bad-rule")])


def test_a_translation_is_judged_at_its_place(read: Load) -> None:
    files = {
        "articles/a.md": "---\ntitle: A\n---\nText.\n",
        "articles/a.fr.md": "---\ntitle: Un titre trop long\n---\nTexte.\n",
    }
    content = judged(read, "[rules.article]\nmax = { 'translations.fr.title' = 10 }", files)
    assert spots(content) == [("articles/a.fr.md", 2, 8, "rule-max")]


@pytest.mark.parametrize(
    ("file", "text"),
    [
        (LISTINGS, "name,is_featured\n" + "".join(f"Row {number},\n" for number in range(2_000))),
        ("listings/a.yaml", "- {name: A, is_featured: }\n- {name: B}\n"),
    ],
)
def test_an_empty_value_is_not_judged_as_the_default(read: Load, file: str, text: str) -> None:
    content = judged(read, "[rules.listing]\nallowed = { is_featured = [true] }", {file: text})
    assert content.problems == ()


def test_values_are_unique_in_all_files_and_in_any_form(read: Load) -> None:
    files = {
        **FILES,
        LISTINGS: "name,email\n" + "".join(f"Row {number},{number}@example.org\n" for number in range(2_000)),
        "listings/b.md": "---\nname: B\nemail: 1999@example.org\n---\n",
        "listings/c.yaml": "- {name: C, email: 7@example.org}\n",
    }
    content = judged(read, '[rules.listing]\nunique = ["email"]\nlevel = "warning"', files)
    assert spots(content) == [("listings/b.md", 3, 8, "rule-unique"), ("listings/c.yaml", 1, 20, "rule-unique")]
    assert content.counts["listing"] == 2_002


def test_an_error_of_a_rule_withdraws_the_entry_and_a_warning_does_not(read: Load) -> None:
    for level, count in (("error", 2), ("warning", 3)):
        content = judged(read, f'[rules.listing]\nunique = ["email"]\nlevel = "{level}"')
        assert (content.counts["listing"], len(content.problems)) == (count, 1)


def test_a_changed_rule_judges_unchanged_files_again(tmp_path: Path) -> None:
    files = {f"pages/{number}.md": f"---\ntitle: Page {number}\norder: {number}\n---\n" for number in range(3)}
    rule = "[rules.page]\nmax = {{ order = {} }}\n"
    folder = write(tmp_path, {**files, "contentsync.toml": rule.format(1)})
    store_index(folder, margin=0)
    for limit, wrong in ((1, ["pages/2.md"]), (0, ["pages/1.md", "pages/2.md"]), (9, [])):
        (folder / "contentsync.toml").write_text(rule.format(limit))
        for report in (make_report(folder), make_report(folder, index=None), load_content(folder, index=WHOLE_INDEX)):
            assert [problem.where.path for problem in report.problems] == wrong


def test_a_moved_rule_is_named_at_its_new_line(tmp_path: Path) -> None:
    rule = '[rules.page]\nrequire = ["seo.title"]\n'
    folder = write(tmp_path, {"pages/a.md": "---\ntitle: A\n---\n", "contentsync.toml": rule})
    store_index(folder, margin=0)
    (folder / "contentsync.toml").write_text(f"# moved\n\n{rule}")
    assert "in line 4 of" in make_report(folder).problems[0].hint


def test_a_pattern_takes_linear_time(read: Load) -> None:
    text = "a" * 20_000
    files = {"pages/a.md": f"---\ntitle: A\n---\n{text}!\n"}
    began = time.process_time()
    content = judged(read, "[rules.page]\npattern = { markdown = '^(a*)*(a|aa)+$' }", files)
    assert [problem.code for problem in content.problems] == ["rule-pattern"]
    assert time.process_time() - began < 5  # with a backtracking engine, it would never end
