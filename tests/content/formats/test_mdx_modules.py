"""contentsync.content.formats.mdx_modules: imports and exports of MDX are not a part of the text."""

import pytest

from contentsync.content.formats.mdx_modules import without_modules
from tests.growth import grows_evenly

from ..conftest import Load


@pytest.mark.parametrize(
    "statement",
    [
        "import A from '../A.astro';",
        'import "./style.css"',
        'import React, { useState } from "react"; // hooks',
        "import * as B from 'b'",
        "import type { Props } from './props'",
        "import {\n  A,\n  B,\n} from './both'",
        "import data from './data.json' with { type: 'json' }",
        "import A from 'a'\nimport B from 'b'",
        "export const meta = {\n  title: 'A (',\n\n  tags: [],\n}",
        "export const size =\n  12",
        "export const Box = () => (\n  <div>\n\n    text\n  </div>\n);",
        "export function Box({ a }) {\n  return a;\n}",
        "export default Layout",
        "export default ({ children }) => <Layout>{children}</Layout>",
        "export { A } from './a'",
        "export * from './a'",
    ],
)
def test_a_module_statement_is_removed_with_its_lines(statement: str) -> None:
    empty = "\n" * statement.count("\n")
    assert without_modules(f"{statement}\n\n# A\n\nText") == f"{empty}\n\n# A\n\nText"
    assert without_modules(f"Text\n\n{statement}\n") == f"Text\n\n{empty}\n"


@pytest.mark.parametrize(
    "text",
    [
        "```js\nimport a from 'b'\n```",
        "~~~~\n\n~~~\nexport default A\n~~~~",
        "Text\nimport a from 'b'",  # inside of a paragraph
        "  import a from 'b'",
        "import duties are due",
        "export defaults, such as a colour,\nare kept",
        "export default settings to a file",
        "important",
        "export const a = {\n\nText",  # never ends
    ],
)
def test_other_text_and_code_stay(text: str) -> None:
    assert without_modules(text) == text


def test_a_code_block_that_shows_an_import_stays_beside_a_removed_one() -> None:
    code = "```jsx\nimport A from 'a'\n\n<A />\n```"
    assert without_modules(f"import A from 'a'\n\n{code}\nimport B from 'b'\n") == f"\n\n{code}\n\n"


def test_many_statements_take_a_time_in_proportion_to_their_number() -> None:
    assert grows_evenly(lambda size: without_modules("import a, {\n" * size), 500)
    few = "export const a = [" + "\n" * 20  # lines between statements: examining one takes long
    assert grows_evenly(lambda size: without_modules(few * size), 25)


def test_only_mdx_files_have_modules(read: Load) -> None:
    text = "---\ntitle: A\n---\nimport A from 'a'\n\nText\n"
    content = read({"pages/a.mdx": text, "pages/b.md": text})
    assert [entry.fields["markdown"].strip() for entry in content.entries] == ["Text", "import A from 'a'\n\nText"]
    assert content.problems == ()


def test_a_component_that_stays_is_reported_at_its_line(read: Load) -> None:
    content = read({"pages/a.mdx": "---\ntitle: A\n---\nimport A from 'a'\n\n<A />\n"})
    assert [(it.code, it.where.line) for it in content.problems] == [("template-syntax", 6)]


@pytest.mark.parametrize(
    ("text", "rest"),
    [
        ("{/* a comment */}\n\nText", "\n\nText"),
        ("Text {/* a */}and{/* b */} more", "Text and more"),
        ("{ /* spaces */ }", ""),
        ("A\n\n{/* two\nlines */}\n\nB", "A\n\n\n\n\nB"),
        ("{/*\n```js\nlet a\n```\n*/}\nB", "\n\n\n\n\nB"),
        ("{/* an `open quote */} and `code`", " and `code`"),
        ("{/* import A from 'a' */}\nimport A from 'a'\n", "\n\n"),
    ],
)
def test_a_comment_is_removed_and_other_text_stays_in_its_line(text: str, rest: str) -> None:
    assert without_modules(text) == rest
    assert rest.count("\n") == text.count("\n")


@pytest.mark.parametrize(
    "text",
    [
        "```jsx\n{/* shown */}\n```",
        "~~~\n{/* shown\n\n*/}\n~~~",
        "Write `{/* ... */}` for a comment",
        "Write `` `{/* ... */}` `` for it",
        "{/* never ends",
        "/* css */",
        "{a /* not at the start */}",
    ],
)
def test_code_that_shows_a_comment_stays(text: str) -> None:
    assert without_modules(text) == text


def test_comments_take_time_in_proportion_to_the_text() -> None:
    assert without_modules("{/* a */}" * 20_000) == ""
    assert without_modules("{/* " * 20_000) == "{/* " * 20_000
