"""A Markdown or HTML file whose front matter and body are changed where they stand."""

from collections.abc import Mapping
from typing import Any

from ...model import Kind
from ..draft import Unreadable
from ..formats.front_matter import TomlHandler, YamlHandler, read_document
from . import toml_edit
from .changes import Path, Tree, applied, tree_of
from .rereading import misread, unreadable
from .splices import Original, Splice, difference
from .yaml_edit import Editor, appended, compose

_HANDLERS = (YamlHandler(), TomlHandler())


class Document:
    """One file: what it says in its own words, and where. Raises Unreadable."""

    def __init__(self, data: bytes, kind: Kind, path: str) -> None:
        self._original = Original(data)
        self._kind = kind
        self._path = path
        text = self._original.text
        draft, self.body, _ = read_document(text, kind, path)
        self.values: dict[str, Any] = draft.values
        start = len(text) - len(text.lstrip(" \t\n")) if text.strip() else 0
        start = text.rfind("\n", 0, start) + 1
        handler = next((handler for handler in _HANDLERS if handler.detect(text[start:])), None)
        self._toml = isinstance(handler, TomlHandler)
        self._block: tuple[int, int] | None = None  # of the lines between the fences
        self._fence_end = start  # where the body may start
        if handler:
            end = handler.END.search(text, start)
            if end:
                self._block = text.index("\n", start) + 1, end.start() + 1
                self._fence_end = end.end()

    def edited(self, changes: Mapping[Path, Any], body: str | None = None) -> bytes | None:
        """The file with values at keys of its front matter, and another body; None if nothing is left to be in it.

        Raises Refused where that cannot be written.
        """
        tree = tree_of(changes)
        wanted = applied(self.values, toml_edit.as_toml_reads(tree) if self._toml else tree)
        splices = self._front_matter(tree, body) if changes or body is not None else []
        if body is not None and body != self.body:
            splices.append(self._below(body))
        data = self._original.spliced(splices)
        try:
            draft, found, _ = read_document(Original(data).text, self._kind, self._path)
        except Unreadable as error:
            raise unreadable(self._path, error) from error
        if draft.values != wanted or found != (self.body if body is None else body):
            raise misread(self._path)
        return data if wanted or found else None

    def _front_matter(self, tree: Tree, body: str | None) -> list[Splice]:
        text = self._original.text
        if self._block is None:
            if not tree and (not body or _is_body(body, self._kind, self._path)):
                return []
            start = self._fence_end
            inner = "".join(splice.text for splice in appended("", tree)) if tree else ""
            return [Splice(start, start, f"---\n{inner}---\n\n")]
        start, end = self._block
        block = text[start:end]
        if self._toml:
            return difference(block, toml_edit.edited(block, self._kind, tree), start)
        node = compose(block)
        if node is None or (not node.value and not block.lstrip().startswith("{")):
            return [Splice(start + at, start + at, new) for at, _, new in appended(block, tree)] if tree else []
        editor = Editor(block, start)
        editor.mapping(node, tree)
        return editor.splices

    def _below(self, body: str) -> Splice:
        text = self._original.text
        if not self.body:
            lead = "\n\n" if self._block else ""
            return Splice(self._fence_end, len(text), f"{lead}{body}\n")
        if not body:
            return Splice(self._fence_end, len(text), "\n" if self._block else "")
        start = text.index(self.body, self._fence_end)
        return Splice(start, start + len(self.body), body)


def _is_body(text: str, kind: Kind, path: str) -> bool:
    """Whether a text without front matter is taken for a body as a whole."""
    try:
        draft, body, _ = read_document(text, kind, path)
    except Unreadable:
        return False
    return not draft.values and body == text
