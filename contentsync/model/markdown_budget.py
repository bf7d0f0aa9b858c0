"""Markdown that is parsed in a bounded number of steps, of files and on the site.

A text made for it takes the parser minutes: it looks at each bracket and quote with all that stands behind. So the
parser counts what it does. Steps, not seconds: what is told of a text must not depend on the machine.
"""

import re
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from markdown_it import MarkdownIt
    from markdown_it.rules_block import StateBlock
    from markdown_it.rules_inline import StateInline


# One takes 1 to 3 microseconds. A book of 1 MB with 5,000 links takes 300,000.
MAX_STEPS = 1_000_000

# What a text adds to the steps that others of its file have left over; enough for all but the most intricate.
_OF_A_TEXT = 4_000
_CHARACTERS_A_STEP = 4

READ = 20  # characters in one step
_LINE, _TOKEN, _MARK, _CELL = 4, 2, 6, 4  # steps for each
# What the parser reads at most where a destination should be: brackets in it may close before the next space.
_DESTINATION = re.compile(r"<[^<>\n]*+|[^\s()]*+(?:\(\S*+)?")


class TooIntricate(Exception):
    """Parsing the text takes more steps than are left."""


class Allowance:
    """The steps that may be spent on the texts of one file."""

    def __init__(self, steps: int = MAX_STEPS) -> None:
        self._most = self._left = steps

    def add(self, text: str) -> None:
        """Another text is going to be parsed."""
        self._left = min(self._most, max(0, self._left) + _OF_A_TEXT + len(text) // _CHARACTERS_A_STEP)

    def spend(self, steps: int) -> None:
        """Raises TooIntricate where too few are left."""
        self._left -= steps
        if self._left < 0:
            raise TooIntricate


def counted_environment(text: str, allowance: Allowance) -> dict[str, Any]:
    """What a counted parser wants beside the text, the first look at which is spent. Raises TooIntricate."""
    # It takes all lines apart at once, and each row of a table.
    allowance.spend(len(text) // READ + text.count("\n") + _CELL * text.count("|"))
    return {"allowance": allowance, "tokens": 0}


def counted(parser: "MarkdownIt", marks: str) -> "MarkdownIt":
    """The parser, made to spend its environment's allowance as it goes; `marks` are the dear characters of a text.

    It then raises TooIntricate.
    """
    from markdown_it import helpers, rules_block, rules_inline  # the first call imports it

    def label(state: "StateInline", start: int, disableNested: bool = False) -> int:  # noqa: N803  # the library's name
        """The end of a label, behind which a destination is read: again and again where there is none."""
        end = helpers.parseLinkLabel(state, start, disableNested)
        if end >= 0 and state.src.startswith("(", end + 1):
            read = _DESTINATION.match(state.src, end + 2)
            state.env["allowance"].spend(len(read[0]) // READ if read else 0)
        return end

    def text(state: "StateInline", silent: bool) -> bool:
        """The first rule at every place of a paragraph."""
        state.env["allowance"].spend(_MARK if state.src[state.pos] in marks else 1)
        return rules_inline.text(state, silent)

    def fence(state: "StateBlock", start: int, end: int, silent: bool) -> bool:
        """The first rule that is asked whether a line starts or ends something; for each row of a table, too."""
        made = len(state.tokens) - state.env["tokens"]
        state.env["tokens"] += made
        state.env["allowance"].spend(_LINE + _TOKEN * made)
        return rules_block.fence(state, start, end, silent)

    def blockquote(state: "StateBlock", start: int, end: int, silent: bool) -> bool:
        """Looks at all lines up to an empty one, even where the quote ends before."""
        if not silent and state.src.startswith(">", state.bMarks[start] + state.tShift[start]):
            last = next((line for line in range(start, end) if state.isEmpty(line)), end)
            state.env["allowance"].spend(last - start)
        return rules_block.blockquote(state, start, end, silent)

    parser.helpers = SimpleNamespace(**{**vars(helpers), "parseLinkLabel": label})  # type: ignore[assignment]
    parser.inline.ruler.at("text", text)
    ends = ["paragraph", "reference", "blockquote", "list"]  # what these rules end, as in the library
    parser.block.ruler.at("fence", fence, {"alt": ends})
    parser.block.ruler.at("blockquote", blockquote, {"alt": ends})
    return parser
