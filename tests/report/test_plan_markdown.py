import re
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from markdown_it import MarkdownIt
from markdown_it.token import Token

from contentsync.model import Kind
from contentsync.report.document_parts import Destination
from contentsync.report.markdown_parts import LIMIT, code_block, count_visible_lines, inline_code
from contentsync.report.plan_markdown import MAX_LINES, VISIBLE_LINES, plan_markdown
from contentsync.sync.planning.plan import Plan, Policy, Refusal
from contentsync.sync.planning.plan_builder import make_plan
from contentsync.value_text import printable

from ..sync.entries import actual, desired
from .plans import HERE, THERE, many_deletes, many_sorts, pages, plan_of_everything

GITHUB = MarkdownIt("commonmark", {"linkify": False}).enable("table")
TAKEN = 65_536  # characters of a comment
OUR_HTML = re.compile(r"(<!-- contentsync plan: [\w.%~-]+ -->|</?details( open)?>|</?summary>|</?sub>)")

HOSTILE = [
    "@octocat/team",
    "`@octocat`",
    "``` ` ```` @octocat",
    "``````````",
    "</details></summary><script>alert(1)</script>",
    "--> <img src=x onerror=alert(1)>",
    "[x](https://evil.example) ![y](https://evil.example/y.png)",
    "https://evil.example www.evil.example",
    "a | b | c",
    "# heading\n\n- list\n> quote",
    "\n```\n@octocat\n```\n",
    "~~~\n@octocat",
    "\\`@octocat\\`",
    "#1 octocat/repo#1 &commat;octocat",
    "    @octocat",
    "`",
    "$`x`$",
    "\u202e@octocat\x1b[31m",
]


def outside_code(markdown: str) -> tuple[str, list[str]]:
    """Return the text that is no code, and the HTML, as GitHub would take them."""
    text, html = [], []
    todo: list[Token] = GITHUB.parse(markdown)
    while todo:
        token = todo.pop()
        todo += token.children or []
        if token.type == "text":
            text.append(token.content)
        elif token.type.startswith("html"):
            html.append(token.content)
        assert token.type not in ("link_open", "image")
    return "\n".join(text), html


def hostile_plan(text: str) -> Plan:
    """Return a plan in which the text is the value of every field from outside."""
    folder = [
        desired(Kind.PAGE, f"new {text}", title=text),
        desired(Kind.PAGE, f"changed {text}", title=text, markdown=f"{text}\nb"),
        desired(Kind.TAG, "drifted", title=text),
    ]
    there = [actual(Kind.PAGE, f"changed {text}", 1, title=f"was {text}", markdown=f"a\n{text}\nc")]
    plan = make_plan(folder, there)
    return Plan(
        plan.stages, plan.actual, plan.unchanged, (), refusals=(*plan.refusals, Refusal("conflict", text, "--adopt"))
    )


def test_a_comment_contains_the_summary_the_kinds_and_the_changes() -> None:
    assert plan_markdown(plan_of_everything(Policy(on_drift="keep", prune=True)), THERE) == (
        Path(__file__).parent / "plan.md"
    ).read_text(encoding="utf-8")


def test_refusals_come_first_as_a_warning() -> None:
    """PL-01"""
    text = plan_markdown(many_deletes(), HERE)
    assert text.index("> [!CAUTION]") < text.index("**12 to delete**")
    assert "; `--allow-deletes 12` consents to it\n" in text
    assert "<details open><summary>12 to delete</summary>" in text


def test_an_empty_plan_is_short() -> None:
    assert plan_markdown(make_plan([], []), HERE).splitlines()[:5] == [
        "<!-- contentsync plan: local -->",
        "",
        "### contentsync plan for `local`",
        "",
        "**Nothing to do:** `embedded:site.db` matches the folder.",
    ]


@pytest.mark.parametrize("text", HOSTILE)
def test_content_is_never_rendered_as_markdown(text: str) -> None:
    """FI-06, XS-21"""
    comment = plan_markdown(hostile_plan(text), Destination(text, text, 120))
    prose, html = outside_code(comment)
    assert not re.search(r"octocat|evil|alert|#1|\bheading|quote", prose)
    assert "".join(html) and not re.sub(r"[\w ,]+", "", OUR_HTML.sub("", "".join(html))).strip()
    assert comment.count("<details") == comment.count("</details>\n") == 2
    assert all(character.isprintable() for character in comment.replace("\n", ""))


@given(st.text(st.characters(blacklist_categories=["Cs"]) | st.sampled_from("`\\ @<"), min_size=1))
@settings(max_examples=200)
def test_content_cannot_end_inline_code(text: str) -> None:
    tokens = GITHUB.parseInline(f"- {inline_code(text)} end")[0].children or []
    assert [token.type for token in tokens] == ["text", "code_inline", "text"]
    assert tokens[1].content.strip(" ") == printable(text).strip(" ")


@given(st.lists(st.text(st.characters(blacklist_categories=["Cs"]) | st.sampled_from("`~\n ")), min_size=1))
@settings(max_examples=200)
def test_content_cannot_end_a_code_block(lines: list[str]) -> None:
    (fence,) = GITHUB.parse(code_block(lines))
    assert fence.content == "".join(f"{printable(line)[:200]}\n" for line in lines)


@pytest.mark.parametrize(
    "body", ["", "日本語の本文\n" * 90, "`" * 300 + "\n@octocat\n"], ids=["short", "long", "ticks"]
)
def test_a_comment_on_any_plan_fits_the_size_limit(body: str) -> None:
    """PL-20"""
    plan = make_plan(*pages(1_500, body or "A page."))
    comment = plan_markdown(plan, THERE)
    assert len(comment.encode()) < LIMIT + 1_000 < TAKEN
    shown = comment.count(" `not from here` `title`: ") + comment.count(" `title, markdown differ; not from here` ")
    assert 0 < shown < 1_500
    assert count_visible_lines(comment) <= VISIBLE_LINES
    assert f"{1_500 - shown:,} more are not shown here; `contentsync plan --full` shows all." in comment
    assert comment.count("<details") == comment.count("</details>")


def test_five_hundred_changes_fit_into_forty_lines_without_full() -> None:
    """PL-20"""
    plan = many_sorts()
    assert VISIBLE_LINES == 40
    assert 30 < count_visible_lines(plan_markdown(plan, THERE)) <= VISIBLE_LINES
    whole = plan_markdown(plan, THERE, full=True)
    keys = [*(change.key for change in plan.changes), *(record.key for record in plan.adopted_unchanged)]
    assert len(keys) == 500
    assert all(whole.count(f"`{key}` ") == 1 for key in keys)
    assert whole.count(", `order`: `1` → `2` ") == 125
    assert "not shown here" not in whole


def test_full_does_not_shorten_texts() -> None:
    """FI-06"""
    after = "\n".join(f"{number} {'word ' * 60}\x1b" for number in range(60))
    plan = make_plan([desired(Kind.PAGE, "a", title="x" * 400, markdown=after)], [actual(Kind.PAGE, "a", 1, title="y")])
    whole = plan_markdown(plan, HERE, full=True)
    assert all(f"+{line}\n" in whole for line in after.replace("\x1b", "\\x1b").splitlines())
    assert f'+ "{"x" * 400}"\n' in whole
    assert len(plan_markdown(plan, HERE)) < len(whole) / 4


def test_a_short_plan_is_the_same_with_full() -> None:
    plan = plan_of_everything(Policy(on_drift="keep", prune=True))
    assert plan_markdown(plan, THERE, full=True) == plan_markdown(plan, THERE)


def test_deletes_are_shown_even_if_other_changes_do_not_fit() -> None:
    plan = many_deletes()
    folder, there = pages(2_000, "text\n" * 50)
    more = make_plan(folder, there)
    both = Plan((*more.stages, *plan.stages), plan.actual, {}, ())
    comment = plan_markdown(both, HERE)
    shared = "2 changes that several entries share</summary>"
    assert comment.index("12 to delete</summary>") < comment.index(shared)
    assert '- `title`: `"Old"` → `"New"` in 2,000 pages, such as `p00000`, `p00001`, `p00002`' in comment
    assert '- page `p11` `"T"`' in comment


def test_a_change_of_very_many_lines_is_shortened() -> None:
    fields = {f"field_{number:03}": "x" for number in range(300)}
    plan = make_plan([desired(Kind.LISTING, "a", **fields)], [actual(Kind.LISTING, "a", 1, name="A")])  # type: ignore[arg-type]
    (fence,) = (token for token in GITHUB.parse(plan_markdown(plan, HERE)) if token.type == "fence")
    assert fence.content.count("\n") == MAX_LINES + 1


def test_equal_plans_have_equal_comments() -> None:
    folder, there = pages(50)
    first, second = make_plan(folder, there), make_plan(folder[::-1], there[::-1])
    assert plan_markdown(first, THERE) == plan_markdown(second, THERE)


def test_the_token_is_not_in_the_comment() -> None:
    """PL-20, AU-12"""
    canary = "cs_c4n4ry_with_marks"
    plan = make_plan(
        [
            desired(Kind.PAGE, "a", title=canary, markdown=f"x\n{canary}"),
            desired(Kind.LISTING, f"https://a.example/?key={canary}", name=canary),
        ],
        [actual(Kind.PAGE, "a", 1, title="Old", markdown="y\nz")],
    )
    destination = Destination("local", "embedded:site.db", None, canary)
    assert not any("c4n4ry" in plan_markdown(plan, destination, full=full) for full in (False, True))
