"""A limit for the work of the Markdown parser, for files and for the site.

A malicious text can keep the parser busy for minutes, because it reads the rest of the text for each bracket and
quote. So the parser counts steps, not seconds: the result must not depend on the machine.
"""

from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

from ..lazy_pattern import lazy_pattern

if TYPE_CHECKING:
    from markdown_it import MarkdownIt
    from markdown_it.rules_block import StateBlock
    from markdown_it.rules_inline import StateInline


# A step takes 1 to 3 microseconds. A book of 1 MB with 5,000 links takes 300,000 steps.
MAX_STEPS = 1_000_000

# The steps that each text adds to the remaining steps of its file; enough for almost any text.
_STEPS_PER_TEXT = 4_000
_CHARACTERS_PER_STEP = 4

CHARACTERS_READ_PER_STEP = 20  # characters
_STEPS_PER_LINE, _STEPS_PER_TOKEN, _STEPS_PER_MARK, _STEPS_PER_CELL = 4, 2, 6, 4
# The most that the parser reads as a destination: brackets in it may close before the next space.
_DESTINATION = lazy_pattern(r"<[^<>\n]*+|[^\s()]*+(?:\(\S*+)?")


class TooIntricate(Exception):
    """Parsing the text takes more steps than remain."""


class StepBudget:
    """The steps that the parser may still spend on the texts of one file."""

    def __init__(self, steps: int = MAX_STEPS) -> None:
        self._max = self._remaining = steps

    @property
    def remaining(self) -> int:
        """Return the number of steps that remain."""
        return self._remaining

    def add(self, text: str) -> None:
        """Add the steps that a text of its length may take, before it is parsed; never to more than the maximum."""
        self._remaining = min(self._max, max(0, self._remaining) + _STEPS_PER_TEXT + len(text) // _CHARACTERS_PER_STEP)

    def spend(self, steps: int) -> None:
        """Subtract the steps. Raise TooIntricate if fewer remained."""
        self._remaining -= steps
        if self._remaining < 0:
            raise TooIntricate


def step_environment(text: str, step_budget: StepBudget) -> dict[str, Any]:
    """Return the parser's environment for a text, and spend the steps of its first pass. Raise TooIntricate."""
    # The parser splits all lines at once, and each row of a table.
    step_budget.spend(len(text) // CHARACTERS_READ_PER_STEP + text.count("\n") + _STEPS_PER_CELL * text.count("|"))
    return {"step_budget": step_budget, "counted_tokens": 0}


def limit_steps(parser: "MarkdownIt", marks: str) -> "MarkdownIt":
    """Make the parser count its steps, and return the parser; `marks` are the characters that take more steps.

    The parser then raises TooIntricate if the StepBudget of its environment has too few steps left.
    """
    from markdown_it import helpers, rules_block, rules_inline  # the first call imports it

    def label(state: "StateInline", start: int, disableNested: bool = False) -> int:  # noqa: N803  # the library's name
        """Return the end of a link's label; spend steps for the destination, which the parser reads after the label."""
        end = helpers.parseLinkLabel(state, start, disableNested)
        if end >= 0 and state.src.startswith("(", end + 1):
            destination = _DESTINATION.match(state.src, end + 2)
            state.env["step_budget"].spend(len(destination[0]) // CHARACTERS_READ_PER_STEP if destination else 0)
        return end

    def text(state: "StateInline", silent: bool) -> bool:
        """Spend steps in the rule that the parser calls first at every position of a paragraph."""
        state.env["step_budget"].spend(_STEPS_PER_MARK if state.src[state.pos] in marks else 1)
        return rules_inline.text(state, silent)

    def fence(state: "StateBlock", start: int, end: int, silent: bool) -> bool:
        """Spend steps in the rule that the parser calls first for each line, and for each row of a table."""
        new_tokens = len(state.tokens) - state.env["counted_tokens"]
        state.env["counted_tokens"] += new_tokens
        state.env["step_budget"].spend(_STEPS_PER_LINE + _STEPS_PER_TOKEN * new_tokens)
        return rules_block.fence(state, start, end, silent)

    def blockquote(state: "StateBlock", start: int, end: int, silent: bool) -> bool:
        """Spend steps for all lines up to the next empty line: the rule reads them even if the quote ends earlier."""
        if not silent and state.src.startswith(">", state.bMarks[start] + state.tShift[start]):
            next_empty = next((line for line in range(start, end) if state.isEmpty(line)), end)
            state.env["step_budget"].spend(next_empty - start)
        return rules_block.blockquote(state, start, end, silent)

    def html_inline(state: "StateInline", silent: bool) -> bool:
        """Spend steps for a comment that has no end: the rule reads the rest of the paragraph in search of it."""
        is_comment = state.src.startswith("<!--", state.pos)
        length = state.posMax - state.pos
        if rules_inline.html_inline(state, silent):
            return True
        if is_comment:
            state.env["step_budget"].spend(length // CHARACTERS_READ_PER_STEP)
        return False

    parser.helpers = SimpleNamespace(**{**vars(helpers), "parseLinkLabel": label})  # type: ignore[assignment]
    parser.inline.ruler.at("text", text)
    parser.inline.ruler.at("html_inline", html_inline)
    # The library also lets a fence or a quote begin in the lines of these blocks, and end them.
    interrupted = ["paragraph", "reference", "blockquote", "list"]
    parser.block.ruler.at("fence", fence, {"alt": interrupted})
    parser.block.ruler.at("blockquote", blockquote, {"alt": interrupted})
    return parser
