"""contentsync.report.problem_documents: the explanation of each problem code as plain text."""

import re

from contentsync.explanations import explanations
from contentsync.report.problem_documents import explain_code

from ..test_problems_page import SECTIONS


def test_every_code_has_an_explanation_with_a_fix_and_without_links() -> None:
    assert explanations().keys() == SECTIONS.keys()
    for code in SECTIONS:
        text = explain_code(code)
        assert "**Fix:**" in text
        assert "](" not in re.sub(r"```.*?```|`[^`]*`", "", text, flags=re.DOTALL)
        assert text == text.strip()


def test_a_link_in_an_explanation_becomes_the_name_of_its_page() -> None:
    assert "limit it to other tables with `path`" in explain_code("no-header")
    assert "the accepted forms (docs/content.md)" in explain_code("bad-date")
    assert "see deletes" in explain_code("emptied")
    assert 'replace = "[Video](https://www.youtube.com/watch?v={video})"' in explain_code("bad-replacement")
