"""Read the title of an entry from the first heading of its text, and write it back (docs/content.md 1).

The heading leaves the text, because a page shows the title above it.
"""

import re
from dataclasses import dataclass, replace
from functools import cache
from typing import TYPE_CHECKING

from ...errors import Setting
from ...lazy_pattern import lazy_pattern
from ...model import RECORDS
from ...model.markdown_budget import StepBudget, TooIntricate, limit_steps, step_environment
from ..config.collection_settings import CollectionSettings, DocumentSettings
from ..config.unknown_keys import content_table
from ..files.content_folder import CONFIG
from ..files.file_names import FileName
from ..formats.draft import Draft, markdown_bodies
from ..links.parsed_body import ParsedBody

if TYPE_CHECKING:
    from markdown_it import MarkdownIt

# A line that may be, or underline, a heading of level 1.
_CANDIDATE = lazy_pattern(r"^ {0,3}(?:#[ \t]|=+[ \t]*$)", re.MULTILINE)
_ATX = lazy_pattern(r"(?P<marker> {0,3}#[ \t]+)[^\n]*")  # `# Title`
_CLOSING = lazy_pattern(r"(?:\A|[ \t]+)#+\Z")  # `# Title #`
_ATTRIBUTES = lazy_pattern(r"[ \t]+\{:?[ \t]*[#.][^{}\n]*\}\Z")  # `# Title {#id}`, which is not a part of the title
_BLANK = lazy_pattern(r"(?:[ \t]*\n)*")
_MARKUP = lazy_pattern(r"[\\`*_\[\]<>&]")  # a text without these characters is plain
_PUNCTUATION = lazy_pattern(r"([!-/:-@\[-`{-~])")


@dataclass(frozen=True, slots=True)
class TitleHeading:
    """The first heading of a Markdown text, of level 1. The text is `before`, the heading (`source`) and `after`."""

    before: str  # with its last line end
    source: str  # the heading as written, without its last line end
    after: str  # begins with a line end, or is empty
    title: str  # as plain text
    start: int  # of the title in `source`
    end: int

    @property
    def text(self) -> str:
        """The text without the heading. A heading inside the text leaves empty lines, so that all lines stay."""
        if self.before:
            return (self._text_above + self.after).rstrip()
        return self.after[self._gap_length :]

    @property
    def lines_before_text(self) -> int:
        """The number of lines of the heading, and below it, that are above the first line of `text`."""
        return 0 if self.before else (self.source + self.after[: self._gap_length]).count("\n")

    @property
    def _text_above(self) -> str:
        """The part of `text` before `after`, for a heading inside the text: `before`, and the heading's empty lines."""
        return self.before + "\n" * self.source.count("\n")

    @property
    def _gap_length(self) -> int:
        """The length of the blank lines after the heading."""
        blank = _BLANK.match(self.after)
        return blank.end() if blank else 0

    def edited(self, *, title: str | None = None, text: str | None = None) -> str:
        """Return the whole Markdown with `title` and with `text` in place of the present ones; None keeps either.

        A heading inside the text keeps its place if the text above it is the same; otherwise it becomes the first line.
        """
        source = self.source if title is None or title == self.title else self._source_of(title)
        if text is None or text == self.text:
            return self.before + source + self.after
        is_inside_text = self.before != ""
        if is_inside_text and text.startswith(f"{self._text_above}\n"):
            text_below = text[len(self._text_above) :]
            return self.before + source + text_below
        if not text:
            return source
        # If the heading was above a text, keep the blank lines between both.
        gap = self.after[: self._gap_length] if self.text and not is_inside_text else "\n\n"
        return f"{source}{gap}{text}"

    def _source_of(self, title: str) -> str:
        """Return the heading with another title, escaped if it would be read as markup."""
        before, after = self.source[: self.start], self.source[self.end :]
        plain = before + title + after
        reread = find_title_heading(plain)
        if reread and reread.title == title and reread.source == plain:
            return plain
        return before + _PUNCTUATION.sub(r"\\\1", title) + after


def find_title_heading(body: str, budget: StepBudget | None = None) -> TitleHeading | None:
    """Return the first heading of a Markdown text, if it has level 1 and a title; None otherwise.

    Return None too if it is too complex to parse with the step budget. `body` has no blank lines around it.
    """
    first_line = _ATX.match(body)
    if first_line:  # as in most texts: this needs no parser
        end = first_line.end()
        return _heading(body, start=0, end=end, text_start=first_line.end("marker"), text_end=end)
    if not _CANDIDATE.search(body):
        return None
    parsed = ParsedBody(body, budget)
    tokens = ((section, token) for section in parsed.sections for token in section.tokens)
    try:
        # A heading that is nested more deeply is in a quote or a list.
        headings = (each for each in tokens if each[1].type == "heading_open" and each[1].level == 0)
        section, heading = next(headings, (None, None))
    except TooIntricate:
        return None
    if section is None or heading is None or heading.map is None or heading.tag != "h1":
        return None
    starts = parsed.line_starts
    first, next_line = (section.first_line + line for line in heading.map)
    start, end = starts[first], starts[next_line] - 1  # below the last line, `starts` has the end of the text
    source = body[start:end]
    if atx := _ATX.fullmatch(source):
        return _heading(body, start, end, start + atx.end("marker"), end)
    text = source[: source.rfind("\n")]  # without the line of `=` below it
    indent = len(text) - len(text.lstrip())
    return _heading(body, start, end, start + indent, start + len(text))


def _heading(body: str, start: int, end: int, text_start: int, text_end: int) -> TitleHeading | None:
    """Return the heading with its title, both at these offsets of the body; None if the title is empty."""
    text = body[text_start:text_end].rstrip()
    for ending in (_CLOSING, _ATTRIBUTES, _CLOSING):  # `# Title {#id} #` and `# Title # {#id}`
        text = ending.sub("", text)
    title = _plain_text(text)
    if not title:
        return None
    title_start = text_start - start
    return TitleHeading(body[:start], body[start:end], body[end:], title, title_start, title_start + len(text))


def _plain_text(text: str) -> str:
    """Return the text of a heading without markup; "" if it is too complex."""
    if _MARKUP.search(text):
        budget = StepBudget()
        budget.add(text)
        try:
            tokens = _inline_parser().parseInline(text, step_environment(text, budget))
        except TooIntricate:
            return ""
        parts = (part for token in tokens for part in token.children or ())
        text = "".join(" " if part.type.endswith("break") else _text_of(part.type, part.content) for part in parts)
    return " ".join(text.split())


def _text_of(type_: str, content: str) -> str:
    return content if type_ in ("text", "text_special", "code_inline", "image") else ""


@cache
def _inline_parser() -> "MarkdownIt":
    """Return a parser of inline Markdown. The first call imports the library."""
    from markdown_it import MarkdownIt

    return limit_steps(MarkdownIt("commonmark"), "[!<`*_")


def heading_of(collection: CollectionSettings, path: str, body: str) -> TitleHeading | None:
    """Return the heading from which the title is read if the front matter of the file has none; None without one."""
    is_markdown = not path.lower().endswith(".html")
    return find_title_heading(body) if collection.title_in_heading and is_markdown else None


def take_title(draft: Draft, collection: CollectionSettings) -> None:
    """Move the first heading of the draft's body into its title, unless the front matter sets the title."""
    field = RECORDS[draft.kind].title_field
    if field in draft.values or field in draft.failed_fields:
        return
    heading = heading_of(collection, draft.path, draft.body)
    if heading is None:
        return
    before_title = heading.before + heading.source[: heading.start]
    draft.values[field] = heading.title
    position = draft.body_line + before_title.count("\n"), len(before_title) - before_title.rfind("\n")
    draft.body_locations[field] = (draft.path, position)
    draft.body = heading.text
    draft.body_line += heading.lines_before_text


def take_title_of_file(draft: Draft, name: FileName) -> None:
    """Set the title of a draft that has none from the name of its file."""
    field = RECORDS[draft.kind].title_field
    if field not in draft.values and field not in draft.failed_fields:
        draft.values[field] = title_of_name(name.stem)


def title_of_name(stem: str) -> str:
    """Return the title in the name of a file: with spaces or capitals as it is, else `my-first-post` with words.

    A hyphen between digits stays, as in a date.
    """
    if " " in stem or stem != stem.lower():
        return stem
    words = " ".join(re.split(r"(?<![0-9])[-_]+|[-_]+(?![0-9])", stem)).strip()
    return words[:1].upper() + words[1:]


def suggest_heading(draft: Draft, collection: CollectionSettings) -> None:
    """Suggest the setting for an entry without a title whose text begins with one. Call it after validation."""
    field = RECORDS[draft.kind].title_field
    if not draft.problems or field in draft.values or not isinstance(collection, DocumentSettings):
        return
    for index, problem in enumerate(draft.problems):
        if problem.code == "required" and problem.message.startswith(f"{field} "):
            # The name of a body in a translation has a prefix.
            bodies = [body.values[body.field] for body in markdown_bodies(draft) if body.name == body.field]
            setting = Setting(content_table(draft.kind), "title", value="heading")
            action = f'set title = "heading" under [{setting.table}] in {CONFIG}'
            if any(map(find_title_heading, bodies)):
                hint = f"add it, or {action} to read it from the heading"
                draft.problems[index] = replace(problem, hint=hint, setting=setting)
            elif not draft.path.lower().endswith(".html"):  # whose headings are not read
                heading = "begin the text with a heading such as # My title"
                more = "" if collection.title_in_heading else f" and {action}"
                draft.problems[index] = replace(problem, hint=f"add it to the front matter, or {heading}{more}")
            return
