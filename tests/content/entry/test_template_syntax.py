"""Syntax that another site generator processes is a warning at its line."""

import pytest

from contentsync.content.entry.template_syntax import warn_of_template_syntax
from contentsync.content.folder.grouped_problems import MAX_FILES
from contentsync.content.folder.load import validate_files, validate_folder
from contentsync.content.formats.draft import Draft
from contentsync.content.links.parsed_body import parsed_bodies
from contentsync.model import Kind
from contentsync.model.markdown_budget import StepBudget
from tests.growth import grows_evenly

from ..conftest import Load, spots


def found(body: str, path: str = "pages/a.md") -> list[tuple[int, int, str]]:
    """Return the line, column and kind of each warning of a body that begins at line 1."""
    draft = Draft(Kind.PAGE, path, values={"markdown": body})
    draft.body_locations["markdown"] = (path, (1, 1))
    warn_of_template_syntax(draft, parsed_bodies(draft, StepBudget()))
    assert all(problem.code == "template-syntax" and not problem.is_error for problem in draft.problems)
    return [(problem.where.line, problem.where.column, problem.subject) for problem in draft.problems]


SHORTCODE, TAG, VARIABLE = "a Hugo shortcode", "a Liquid tag", "a template variable"
ATTRIBUTES, STATEMENT, COMPONENT = "a Kramdown attribute list", "a JavaScript statement", "a JSX component"
EMBED, CONTAINER, COMMENT = "an embedded file", "a ::: container", "an Obsidian comment"
MARKDOWN = "Markdown in HTML"


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        ("a\n\nb {{< youtube x >}}", [(3, 3, SHORTCODE)]),
        ("{{<youtube x>}}", [(1, 1, SHORTCODE)]),
        ("a\n{{% notice %}}\n*b*\n{{% /notice %}}", [(2, 1, SHORTCODE)]),
        ("- a\n- {% include x.html %}\n", [(2, 3, TAG)]),
        ("{%- if a -%}", [(1, 1, TAG)]),
        ("*a*\nb {{ site.url }} {{page.title}}", [(2, 3, VARIABLE)]),
        ("| a |\n|---|\n| {{ x }} |", [(3, 3, VARIABLE)]),
        ("## Title {: #id}\n\na\n{: .wide}", [(1, 10, ATTRIBUTES)]),
        ("* toc\n{:toc}", [(2, 1, ATTRIBUTES)]),
        ("<div>\n  {{ content }}\n</div>", [(2, 3, VARIABLE)]),
        ("a\n![b]({{ site.baseurl }}/b.png)", [(2, 6, VARIABLE)]),  # with spaces, this is not a picture
        ("- a\n\n![[Picture one.png|300]]", [(3, 1, EMBED)]),
        ("a\n\n:::tip[My tip]\nUse *this*.\n:::", [(3, 1, CONTAINER)]),
        ("::: warning Take care\n\nHot\n\n:::", [(1, 1, CONTAINER)]),
        ("a %% secret %% b %%more%%", [(1, 3, COMMENT)]),
        ("a\n\n%%\nsecret\n\nmore\n%%\n", [(3, 1, COMMENT)]),
        ("a\n%% secret\n\nmore %%", [(2, 1, COMMENT)]),
        ('<aside markdown="1">\n  <img src="/a.png" alt="A">\n  ["B"](https://b.example)</aside>', [(3, 3, MARKDOWN)]),
        ("a\n\n<p>\n<b>x</b> ![a](../a.png) [b](/b)</p>", [(4, 10, MARKDOWN)]),
        ("<div>\n<p>a **b c** d</p>\n</div>", [(2, 6, MARKDOWN)]),
        ('<div markdown="1">\n##### A title\nText\n</div>', [(2, 1, MARKDOWN)]),
        ("<div>\n\n## A title\n\n</div>", []),
        ("<table>\n<td># of items</td> a ## b\n</table>", []),
        ("<pre>\n## A title\n</pre>", []),
        ("{{ a }} {% b %}\n\n{{< c >}}", [(1, 1, VARIABLE), (1, 9, TAG), (3, 1, SHORTCODE)]),
    ],
)
def test_each_kind_of_syntax_is_reported_at_its_first_line(body: str, expected: list[tuple[int, int, str]]) -> None:
    assert found(body) == expected


@pytest.mark.parametrize(
    "body",
    [
        "`{{ a }}` and `` {% b %} ` ``",
        "```\n{{< youtube x >}}\n```\n\n~~~ yaml\n{% raw %}\n~~~",
        "a\n\n    {{ a }}\n",
        "> ```\n> {{ a }}\n> ```",
        "a <!-- {% comment %} --> b",
        "<!-- {{ a }} -->",
        "<p title='{{ a }}'>x</p>",
        "a <b title='{{ a }}'>x</b>",
        "[a]({{a}}/b)",  # the check of links reports it
        "{ a } {a} {{}} {{ }} { % a % } %}",
        "# Title {#id .class}",
        "import a from 'b'\n\n<Tabs>",
        "[[Bread]] and ! [[Bread]], `![[a.png]]`, ![[1]](https://example.org/1.png)",
        "a ::: b\n\n:::\n\n```\n:::tip\n```",
        "<aside>\n\n[a](/a)\n\n<p>b</p>\n\n</aside> [c](/c)",
        "<p>Write <code>[a](/a)</code>,\nor arr[i](b), [a] (/a), 2 ** 3 ** 4</p>\n\n<pre>\n[a](/a)\n\n[b](/b)\n</pre>",
        "a <b>x</b> \\[a](/a) `[a](/a)`",
        "100%% of 50%%, a %% b, %%%, `%% a %%`\n\n```\n%% a\n```",
    ],
)
def test_code_comments_and_ordinary_braces_are_not_template_syntax(body: str) -> None:
    assert found(body) == []


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        ("import { A } from './a'\n\n# B", [(1, 1, STATEMENT)]),
        ("import A from './a'", [(1, 1, STATEMENT)]),
        ("export const a = 1", [(1, 1, STATEMENT)]),
        ("a\n\n<Tabs>\n\nb\n\n</Tabs>", [(3, 1, COMPONENT)]),
        ("a <Tabs items={['a', 'b']}>b</Tabs>", [(1, 3, COMPONENT)]),
        ("a\r\r\r<Tabs>", [(1, 5, COMPONENT)]),
        ("a <b>c</b> import d\n\n```jsx\nimport a from 'b'\n<Tabs>\n```", []),
    ],
)
def test_mdx_statements_and_components_are_reported(body: str, expected: list[tuple[int, int, str]]) -> None:
    assert found(body, "pages/a.mdx") == expected


def test_the_message_shows_the_syntax() -> None:
    draft = Draft(Kind.PAGE, "a.md", values={"markdown": 'a {{< figure src="/x.png" >}} {{< b >}}'})
    warn_of_template_syntax(draft, parsed_bodies(draft, StepBudget()))
    (problem,) = draft.problems
    assert problem.message == (
        "markdown contains a Hugo shortcode, '{{< figure src=\"/x.png\" >}}', which the site does not process"
    )


def test_the_message_shows_an_mdx_statement_completely() -> None:
    draft = Draft(Kind.PAGE, "a.mdx", values={"markdown": "import Box from '../Box.astro';"})
    warn_of_template_syntax(draft, parsed_bodies(draft, StepBudget()))
    assert "'import Box from '../Box.astro';'" in draft.problems[0].message


def test_template_syntax_in_a_translation_is_reported_at_its_line(read: Load) -> None:
    content = read({"articles/a.md": "---\ntitle: A\n---\nText", "articles/a.fr.md": "---\ntitle: B\n---\n\n{{ a }}"})
    assert spots(content) == [("articles/a.fr.md", 5, 1, "template-syntax")]


@pytest.mark.parametrize("files", [MAX_FILES, MAX_FILES + 1, 100])
def test_the_same_syntax_in_many_files_is_one_warning(read: Load, files: int) -> None:
    folder = read({f"articles/{number:03}.md": "---\ntitle: A\n---\n{{ a }}" for number in range(files)}).folder
    problems = validate_folder(folder).problems
    assert len(problems) == (files if files <= MAX_FILES else 1)
    assert (problems[0].where.path, problems[0].where.line) == ("articles/000.md", 4)
    if files > MAX_FILES:
        assert problems[0].message.startswith(f"{files} files contain a template variable")
    last, _ = validate_files(folder, [f"articles/{files - 1:03}.md"])
    assert [problem.where.path for problem in last.problems] == [f"articles/{files - 1:03}.md"]


def test_the_warning_can_be_ignored(read: Load) -> None:
    config = '[warnings]\nignore = ["template-syntax"]\n'
    assert read({"contentsync.toml": config, "pages/a.md": "---\ntitle: A\n---\n{{ a }}"}).problems == ()


@pytest.mark.parametrize(
    "shape",
    [
        *("{{ a }} ", "{{", "{{a", "{% ", "{:", "{: a", "\\{{ a_b }}\n", "<a {{ ", "<!-- {{", "![[", "![[a", ":::"),
        *("<p>[a](/", "<p>\n**a ", "<p><code>"),
    ],
)
def test_the_search_for_template_syntax_takes_linear_time(shape: str) -> None:
    assert grows_evenly(lambda size: found(shape * size), 500)


def test_a_number_in_a_custom_field_named_like_a_body_is_not_checked(read: Load) -> None:
    files = {
        "custom_fields.yaml": "label: Markdown\ntype: number\n",
        "listings/a.yaml": "name: A\nmarkdown: 3\ncontent: '{{< x >}}'\n",
    }
    assert [it.code for it in read(files).problems] == ["template-syntax"]
