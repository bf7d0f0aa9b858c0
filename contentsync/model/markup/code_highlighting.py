"""Highlight the code blocks of Markdown texts, with classes for which `static/entry.css` has the colours."""

from functools import cache
from itertools import groupby
from operator import itemgetter

from markupsafe import escape
from pygments.lexer import Lexer
from pygments.lexers import get_lexer_by_name
from pygments.token import Comment, Generic, Keyword, Literal, Name, Number, Operator, String, _TokenType

from ...lazy_pattern import lazy_pattern
from ..markdown_budget import StepBudget, TooIntricate

MAX_CHARACTERS = 5_000  # of a block: about 150 lines
MAX_STEPS = 500_000  # of a text, at most half a second: 40 blocks of 1,000 characters, or 11 of 2,000

# The names of Pygments' lexers, each with the other names that authors use. These lexers take at most quadratic time;
# the others of Pygments are not used.
_LEXERS: dict[str, str] = {
    name: lexer
    for lexer, others in {
        "bash": "sh shell zsh",
        "c": "h",
        "cpp": "c++ cc hpp",
        "css": "",
        "diff": "patch",
        "go": "golang",
        "html": "",
        "ini": "cfg conf dosini properties",
        "java": "",
        "javascript": "cjs js jsx mjs",
        "json": "jsonc json5",
        "kotlin": "kt",
        "make": "makefile",
        "php": "",
        "powershell": "ps1 pwsh",
        "python": "py python3",
        "ruby": "rb",
        "rust": "rs",
        "scss": "",
        "sql": "",
        "swift": "",
        "toml": "",
        "typescript": "ts tsx",
        "xml": "svg",
        "yaml": "yml",
    }.items()
    for name in (lexer, *others.split())
}

_SLOW_LEXERS = frozenset({"c", "cpp", "diff", "java", "make", "typescript"})
_SLOW, _QUICK = 30, 100  # characters, squared, that a lexer reads in a step of a microsecond

# The first type that contains a token's type decides its class. Other tokens have none.
_CLASSES: tuple[tuple[_TokenType, str], ...] = (
    (Comment.Preproc, "hl-keyword"),
    (Comment, "hl-comment"),
    (Generic.Deleted, "hl-deleted"),
    (Generic.Inserted, "hl-inserted"),
    (Generic.Heading, "hl-name"),
    (Generic.Subheading, "hl-name"),
    (Generic.Prompt, "hl-comment"),
    (Keyword, "hl-keyword"),
    (Operator.Word, "hl-keyword"),
    (Number, "hl-number"),
    (String, "hl-string"),
    (Literal, "hl-number"),
    (Name.Function, "hl-name"),
    (Name.Class, "hl-name"),
    (Name.Tag, "hl-name"),
    (Name.Attribute, "hl-name"),
    (Name.Decorator, "hl-name"),
)
CODE_CLASSES = frozenset(css_class for _, css_class in _CLASSES)

_LANGUAGE = lazy_pattern(r"\{?\.?([A-Za-z0-9+#-]{1,20})")


def highlighted_code(code: str, info: str, step_budget: StepBudget) -> str:
    """Return the escaped code as HTML, with a `span` for each coloured piece.

    `info` is the text behind the opening fence, such as `python`. Code in an unknown language is only escaped, and so
    is code that is too long or for which too few steps remain.
    """
    language = _LANGUAGE.match(info)
    name = _LEXERS.get(language[1].lower()) if language else None
    if name is None or len(code) > MAX_CHARACTERS:
        return str(escape(code))
    try:
        step_budget.spend(_steps(len(code), name))
    except TooIntricate:
        return str(escape(code))
    tokens = ((_class(type_), text) for _offset, type_, text in _lexer(name).get_tokens_unprocessed(code))
    parts = []
    for css_class, group in groupby(tokens, key=itemgetter(0)):  # neighbours of the same class share a span
        html = str(escape("".join(text for _same_class, text in group)))
        parts.append(f'<span class="{css_class}">{html}</span>' if css_class else html)
    return "".join(parts)


def _steps(characters: int, lexer: str) -> int:
    """Return the most steps that a block may take: lexers may read the rest of the block again at every character."""
    return 50 + 2 * characters + characters * characters // (_SLOW if lexer in _SLOW_LEXERS else _QUICK)


@cache
def _lexer(name: str) -> Lexer:
    return get_lexer_by_name(name, startinline=True)  # an option of the lexer for PHP: examples have no `<?php`


@cache
def _class(token_type: _TokenType) -> str:
    return next((css_class for parent, css_class in _CLASSES if token_type in parent), "")
