"""Markdown as tokens, to find its links."""

from collections.abc import Sequence
from functools import cache
from typing import TYPE_CHECKING, Any

from ...model.markdown_budget import StepBudget, limit_steps, step_environment

if TYPE_CHECKING:
    from markdown_it import MarkdownIt
    from markdown_it.token import Token


def parsed(text: str, allowance: StepBudget) -> "tuple[Sequence[Token], dict[str, Any]]":
    """The tokens of a Markdown text, with targets as they are written, and the references. Raises TooIntricate."""
    environment = step_environment(text, allowance)
    return _parser().parse(text, environment), environment.get("references", {})


@cache
def _parser() -> "MarkdownIt":
    """The first call imports it."""
    from markdown_it import MarkdownIt

    made = MarkdownIt("commonmark").enable("table").disable(["emphasis", "entity"])  # neither makes links
    made.options["store_labels"] = True  # of links by reference
    made.normalizeLink = lambda url: url  # type: ignore[method-assign]  # targets as written, to find them again
    return limit_steps(made, "[!<`")
