"""Links as other generators write them, `[[wiki]]` and templates of Jekyll and Hugo, and the entries that they name.

A Markdown parser does not read these forms as links (docs/content.md 6): a destination has no spaces, and `[[x]]` has
no destination. `as_destinations` makes them readable without moving any other character, so that each position in its
result is a position in the text.
"""

import posixpath
import re
from collections.abc import Iterable, Mapping, Set
from functools import cached_property
from html import unescape
from typing import Literal, NamedTuple
from unicodedata import normalize
from urllib.parse import quote, unquote

from ...lazy_pattern import lazy_pattern
from ...model import EntryKey
from ...model.slug import normal_name
from ..files.file_names import DOCUMENT_SUFFIXES, INDEX_NAMES
from ..files.folder_signatures import with_parents

# Each character that ends a destination, or has a meaning inside one, has a private-use character as a stand-in.
_STAND_INS = {ord(character): 0x10FF00 + ord(character) for character in " \t<>\"'()`|[]\\!&*"}
_ORIGINALS = {stand_in: original for original, stand_in in _STAND_INS.items()}
_WIKI_START = 0x100000  # added to the first character of a wiki link
_WIKI_SIZE = 0xFE00  # of the range of such sums: from a larger character, the sum might be a stand-in
_IS_WIKI = lazy_pattern("[\U00100000-\U0010feff]")
_PRIVATE = lazy_pattern("[\U00100000-\U0010ffff]")

# Possessive quantifiers and limits keep these expressions fast on any text.
_TEMPLATE = lazy_pattern(
    r"\{(?:\{[<%][ \t]*+(?:rel)?ref|%-?[ \t]*+(?:link|post_url)|\{-?[ \t]*+(?:site\.(?:base)?url|(?=[\"'])))"
    r"(?=[ \t\"'`|}-])[^\n{}]{0,300}+\}\}?+"
)
# Not `[[1]]`, `[[^note]]`, `[[#part]]`, `[[:alpha:]]`, `[[ -f file ]]`, `[[TOC]]`, nor a part of `[[text](target)]`.
_WIKI = lazy_pattern(
    r"(?<![!\[\\])\[\[(?![\s^:!#]|\d++\]|_?TOC_?\])([^\[\]\n|\\`<>]{1,300}+)"
    r"(?:\\?\|([^\[\]\n|\\`<>]{1,300}+))?+\]\](?![\[(:\]])"
)
_DEFINITION = lazy_pattern(r"^[ \t>]*+\[([^\[\]\n]{1,300}+)\]:", re.MULTILINE)

# These match whole targets, or the start of one.
_PREFIX = lazy_pattern(r"(?:\{\{-?[ \t]*+site\.(?:base)?url[ \t]*+-?\}\})++")
_FILTERED = lazy_pattern(
    r"\{\{-?[ \t]*+(?P<quote>[\"'])(?P<target>[^\"']++)(?P=quote)[ \t]*+\|[ \t]*+"
    r"(?:relative_url|absolute_url|prepend:[ \t]*+site\.(?:base)?url)[ \t]*+-?\}\}"
)
_TAG = lazy_pattern(r"\{%-?[ \t]*+(?P<name>link|post_url)[ \t]++(?P<argument>[^ \t}]++)[ \t]*+-?%\}")
# The arguments include the mark at the end: `{{< ref "page.md" >}}`.
_REF = lazy_pattern(r"\{\{(?P<mark>[<%])[ \t]*+(?:rel)?ref[ \t]++(?P<arguments>[^{}]*+)\}\}")
_END_MARKS = {"<": ">", "%": "%"}
_ARGUMENT = lazy_pattern(r"(?:(\w++)[ \t]*+=[ \t]*+)?+(?:\"([^\"]*+)\"|'([^']*+)'|`([^`]*+)`|([^\s\"'`]++))")

# An escaped character of Markdown, and one of HTML; and the characters that would need an escape.
_ESCAPE = lazy_pattern(r"\\([!-/:-@\[-`{-~])|&(?:#[0-9]{1,7}|#[xX][0-9a-fA-F]{1,6}|[a-zA-Z][a-zA-Z0-9]{1,31});")
_SPECIAL = lazy_pattern(r"[()<>\\\s\"'`\[\]*]")

# What a link may leave out of the name of a file: the date at its start, and its ending.
FILE_DATE = lazy_pattern(r"\d{4}-\d{1,2}-\d{1,2}-(?=.)")
_ENDINGS = ("", *DOCUMENT_SUFFIXES, *(f"/index{suffix}" for suffix in DOCUMENT_SUFFIXES))


class LinkForm(NamedTuple):
    """A link that is not a plain target. `argument` is a path below the site (`path`), or names a file or an entry.

    Only a wiki link has a `label`, its text.
    """

    kind: Literal["path", "ref", "link", "post_url", "wiki"]
    argument: str
    query_and_fragment: str = ""
    label: str = ""


def as_destinations(text: str, *, html: bool = False) -> str:
    """Return a text of the same length in which templates are simple link targets; wiki links too, except in HTML.

    The result is only for a parser, and `as_written` returns the original of a target in it. A wiki link `[[x]]`
    becomes `[](x)`.
    """
    has_template = "{{" in text or "{%" in text
    has_wiki = not html and "[[" in text
    if not (has_template or has_wiki):
        return text
    if _PRIVATE.search(text):  # the text's own private characters would be taken for stand-ins
        return text
    if has_template:
        text = _TEMPLATE.sub(lambda template: template[0].translate(_STAND_INS), text)
    return _with_wiki_destinations(text) if has_wiki else text


def _with_wiki_destinations(text: str) -> str:
    """Return the text with `[](x)` for each wiki link `[[x]]`, and the same length."""
    defined = {match[1].casefold() for match in _DEFINITION.finditer(text)}
    parts, done = [], 0  # `done`: the end of the last wiki link
    for match in _WIKI.finditer(text):
        inner = match[0][2:-2]
        is_reference_link = match[1].casefold() in defined
        # The first character is moved into a private range, which shows `as_written` that the target is a wiki link.
        if not is_reference_link and ord(inner[0]) < _WIKI_SIZE:
            parts += [text[done : match.start()], "[](", chr(_WIKI_START + ord(inner[0]))]
            parts += [inner[1:].translate(_STAND_INS), ")"]
            done = match.end()
    return "".join((*parts, text[done:]))


def as_written(target: str) -> str:
    """Return a target of a text from `as_destinations` as the author wrote it, a wiki link with its brackets."""
    if target.isascii():
        return target
    if _IS_WIKI.match(target):  # its first character is in a private range
        first = chr(ord(target[0]) - _WIKI_START)
        return f"[[{first}{target[1:].translate(_ORIGINALS)}]]"
    return target.translate(_ORIGINALS)


def parse_form(target: str) -> LinkForm | None:
    """Return the form of a target as written, or None if it is a plain target or another template."""
    if target.startswith("[["):
        argument, _, label = target[2:-2].partition("|")
        name, query_and_fragment = split_target(argument.removesuffix("\\").strip())  # in a table, `|` is written `\|`
        return LinkForm("wiki", name, query_and_fragment, label.strip() or name)
    if target.startswith("@/"):  # of Zola: a path below its content folder
        path, query_and_fragment = split_target(target[1:])
        return LinkForm("ref", path, query_and_fragment)
    if not target.startswith("{"):
        return None
    if reference := _REF.match(target):  # such as `{{< ref "page.md" >}}#part`
        return _parse_ref(reference, target[reference.end() :])
    prefix = _PREFIX.match(target)
    below_prefix = target[prefix.end() :] if prefix else target
    if tag := _TAG.match(below_prefix):  # such as `{% link _posts/a.md %}#part`
        return LinkForm("link" if tag["name"] == "link" else "post_url", tag["argument"], below_prefix[tag.end() :])
    if filtered := _FILTERED.match(below_prefix):  # such as `{{ "/path/?a=b" | relative_url }}#part`
        path, query = split_target(filtered["target"])
        return LinkForm("path", path, query + below_prefix[filtered.end() :])
    if prefix and "{" not in below_prefix:  # such as `{{ site.baseurl }}/path/#part`
        path, query_and_fragment = split_target(below_prefix)
        return LinkForm("path", path, query_and_fragment)
    return None


def _parse_ref(reference: re.Match[str], behind: str) -> LinkForm | None:
    """Return the form of Hugo's `ref` with the text behind it; None without a path or without the mark at the end."""
    arguments = reference["arguments"]
    path, query_and_fragment = split_target(_ref_argument(arguments))
    is_closed = arguments.rstrip().endswith(_END_MARKS[reference["mark"]])
    return LinkForm("ref", path, query_and_fragment + behind) if path and is_closed else None


def _ref_argument(arguments: str) -> str:
    """Return the path among the arguments of Hugo's `ref`: the one named `path`, or the first without a name.

    The end of the tag, `>` or `%`, may follow the arguments. A `.` is the page itself, not a path. Return "" without a
    path.
    """
    unnamed = ""
    for name, *values in _ARGUMENT.findall(arguments.rstrip().removesuffix(">").removesuffix("%")):
        value = "".join(values)
        if name == "path":
            return value
        if not name and value not in ("", ".") and not unnamed:
            unnamed = value
    return unnamed


def unescaped(target: str) -> str:
    """Return a target without the escapes of Markdown and HTML: `my\\_page.md` and `a&amp;b` are `my_page.md`, `a&b`.

    Templates and wiki links have none.
    """
    if ("\\" not in target and "&" not in target) or target.startswith(("[[", "{")):
        return target
    return _ESCAPE.sub(lambda escape: escape[1] or unescape(escape[0]), target)


def escaped(address: str, target: str) -> str:
    """Return an address to write in the place of a target: if that has escapes, special characters are quoted."""
    return address if unescaped(target) == target else _SPECIAL.sub(lambda special: quote(special[0]), address)


def split_target(target: str) -> tuple[str, str]:
    """Return the path of a target, and its query and fragment."""
    path = target.partition("#")[0].partition("?")[0]
    return path, target[len(path) :]


class EntryFiles:
    """The entries in documents. `documents` maps paths of files to entries; `collections` are paths of collections.

    The addresses of listings are not known, so they must not be among the entries.
    """

    def __init__(self, documents: Mapping[str, EntryKey], collections: Iterable[str]) -> None:
        self._documents = documents
        self._collections = collections

    def at(self, path: str) -> EntryKey | None:
        """Return the entry in a file, by any Unicode form of its path."""
        return self._documents.get(normalize("NFC", path))

    def in_folder(self, path: str) -> EntryKey | None:
        """Return the entry in the index of a folder, such as `index.md`, by any Unicode form of the folder's path."""
        return self._by_folder.get(normalize("NFC", path))

    def has_folder(self, path: str) -> bool:
        """Return whether files of entries are in a folder, by any Unicode form of its path."""
        return normalize("NFC", path) in self._folders

    def find(self, form: LinkForm, source: str) -> list[EntryKey]:
        """Return the entries that a link in the file `source` may mean; those of the file's own kind if there are any.

        If it returns more than one, the link is ambiguous.
        """
        argument = unquote(form.argument).strip()
        if form.kind == "link":  # of Jekyll: always a path below the content folder
            entry = self.at(argument.lstrip("/"))
            return [entry] if entry else []
        if form.kind != "post_url":  # whose argument is the name of a file in any folder
            is_name = "/" not in argument.strip("/")
            # A name means first the file beside `source`, and then those in any other folder.
            if entry := self._at_path(argument, posixpath.dirname(source), only_in_folder=is_name):
                return [entry]
            if not is_name:
                return []
        name = without_suffix(argument.strip("/").rpartition("/")[2])
        candidates = [*self._by_exact_name.get(name, ())] or [*self._by_name.get(normal_name(name), ())]
        source_entry = self.at(source)
        same_kind = [entry for entry in candidates if source_entry and entry[0] is source_entry[0]]
        return same_kind or candidates

    @cached_property
    def names(self) -> Mapping[str, str]:
        """The name of each file without its suffix, by the form in which names are compared."""
        return {normal_name(name): name for name in map(entry_file_name, self._documents)}

    def _at_path(self, path: str, folder: str, *, only_in_folder: bool) -> EntryKey | None:
        """Return the entry at a path, with or without suffix, below `folder` or a folder of `_roots`, else None.

        A path with a slash at its start is not below `folder`. With `only_in_folder`, search only in `folder`.
        """
        roots: tuple[str, ...] = (folder,)
        if not only_in_folder:
            roots = self._roots if path.startswith("/") else (folder, *self._roots)
        candidates = (posixpath.normpath(posixpath.join(root, path.strip("/"))) for root in roots)
        for candidate in candidates:
            entries = (self.at(candidate + ending) for ending in _ENDINGS)
            if entry := next(filter(None, entries), None) or self.in_folder(candidate):  # such as `index.en.md`
                return entry
        return None

    @cached_property
    def _roots(self) -> tuple[str, ...]:
        """The content folder, the collections, and the folders between them: a generator's content may be in any."""
        return ("", *with_parents(self._collections))

    @cached_property
    def _folders(self) -> Set[str]:
        """The folders with files of entries."""
        return {path.rpartition("/")[0] for path in self._documents}

    @cached_property
    def _by_folder(self) -> Mapping[str, EntryKey]:
        """The entries of indexes by their folders; none of a folder whose indexes have different entries."""
        entries: dict[str, set[EntryKey]] = {}
        for path, entry in self._documents.items():
            folder, _, name = path.rpartition("/")
            if name.partition(".")[0] in INDEX_NAMES:
                entries.setdefault(folder, set()).add(entry)
        return {folder: entry for folder, (entry, *others) in entries.items() if not others}

    @cached_property
    def _by_exact_name(self) -> Mapping[str, Mapping[EntryKey, None]]:
        """The entries by the names of their files without suffix: quick to make, and enough for most links."""
        entries: dict[str, dict[EntryKey, None]] = {}
        for path, entry in self._documents.items():
            entries.setdefault(entry_file_name(path), {})[entry] = None
        return entries

    @cached_property
    def _by_name(self) -> Mapping[str, Mapping[EntryKey, None]]:
        """The entries by the names of their files, with and without a date, and by their keys; None means nothing."""
        entries: dict[str, dict[EntryKey, None]] = {}
        for path, entry in sorted(self._documents.items()):
            name = entry_file_name(path)
            for other_name in {normal_name(name), normal_name(FILE_DATE.sub("", name, count=1)), entry[1]}:
                entries.setdefault(other_name, {})[entry] = None
        return entries


def entry_file_name(path: str) -> str:
    """Return the name of an entry's file without suffix, or of the folder that an `index.md` is named after."""
    folder, _, name = path.rpartition("/")
    stem = name.rpartition(".")[0]
    is_index = name.partition(".")[0] in INDEX_NAMES  # perhaps with a language, such as `index.en.md`
    return folder.rpartition("/")[2] or stem if is_index else stem


def without_suffix(name: str) -> str:
    """Return the name of a file without the suffix of a document; any other name is unchanged."""
    suffix = next((suffix for suffix in DOCUMENT_SUFFIXES if name.lower().endswith(suffix)), "")
    return name[: len(name) - len(suffix)]
