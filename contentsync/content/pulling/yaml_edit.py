"""Values changed in a YAML text where they stand: comments, order, quotes and blank lines around them stay.

A round trip through a YAML library would write the whole text anew, in its own indentation and spacing
(docs/decisions/0010).
"""

import re
from collections.abc import Iterator, Mapping
from typing import Any

import yaml

from .changes import GONE, Leaf, Tree, as_read, built
from .splices import Splice
from .yaml_writing import behind_colon, inline, key_text, lines, says_itself

_BLOCK = ("|", ">")
# Behind a value: in the same line, or (with its indentation) in one of the next.
_COMMENT = re.compile(r"[ \t]*(?:#|(?:\n[ \t]*)*\n([ \t]*)#)")


def compose(text: str) -> Any:
    """The node of the text's value, None where it has none. Raises yaml.YAMLError."""
    return yaml.compose(text, yaml.CBaseLoader)


class Editor:
    """Collects the splices that change the nodes of one text."""

    def __init__(self, text: str, start: int = 0) -> None:
        self._text = text
        self._start = start  # of the text in its file
        self._removes = False
        self.splices: list[Splice] = []

    def mapping(self, node: yaml.MappingNode, tree: Tree) -> None:
        """Change keys of a mapping; those that it lacks are added at its end."""
        gone = {name for name, part in tree.items() if isinstance(part, Leaf) and part.value is GONE}
        self._removes = self._removes or bool(gone)
        there = {key.value: (key, value) for key, value in node.value}
        for name, part in tree.items():
            if name in there and name in gone:
                self._remove(node, name)
            elif name in there:
                self._value(node, *there[name], part)
        added = built({name: part for name, part in tree.items() if name not in there})
        if added:
            self._add(node, [pair for pair in node.value if pair[0].value not in gone], added)

    def _value(self, outer: yaml.MappingNode, key: Any, node: Any, part: "Leaf | Tree") -> None:
        if not isinstance(part, Leaf):
            if isinstance(node, yaml.MappingNode) and node.value:
                self.mapping(node, part)
                return
            part = Leaf(built(part))
        value = part.value
        if _says(node, value):
            return
        if isinstance(value, Mapping) and isinstance(node, yaml.MappingNode):
            gone: Tree = {key.value: Leaf(GONE) for key, _ in node.value if key.value not in value}
            if len(gone) < len(node.value) and not (gone and node.flow_style):
                self.mapping(node, gone | {name: Leaf(inner) for name, inner in value.items()})
                return
        if isinstance(value, list) and value and isinstance(node, yaml.SequenceNode) and not node.flow_style:
            self._items(node, value)
            return
        self._replace(outer, key, node, value)

    def _replace(self, outer: yaml.MappingNode, key: Any, node: Any, value: Any) -> None:
        start, end = node.start_mark.index, self._end(node)
        style = node.style if isinstance(node, yaml.ScalarNode) else None
        if outer.flow_style:
            text = inline(value, flow=True, style=style)
            self._put(start, end, text if start < end else f" {text}")
            return
        column = key.start_mark.column
        text = behind_colon(value, column, style=style, short=self._is_cramped(end, column))
        colon = self._text.index(":", key.end_mark.index) + 1
        if text.startswith(" ") and "\n" not in text and start < end and "\n" not in self._text[colon:start]:
            colon, text = start, text[1:]  # what stands between colon and value stays
        self._put(colon, end, text)

    def _items(self, node: yaml.SequenceNode, value: list[Any]) -> None:
        """Another list for one with a line an item: those that stay keep their lines, with comments."""
        indent = " " * node.start_mark.column
        top = start = node.start_mark.index - len(indent)
        chunks: list[tuple[Any, str]] = []
        for item in node.value:
            end = self._line_end(self._end(item))
            chunks.append((item, self._text[start:end]))
            start = end + 1
        parts: list[str] = []
        for wanted in value:
            found = next((chunk for chunk in chunks if _says(chunk[0], wanted)), None)
            if found:
                chunks.remove(found)
            parts.append(found[1] if found else f"{indent}- {inline(wanted)}")
        self._put(top, start - 1, "\n".join(parts))

    def _remove(self, node: yaml.MappingNode, name: str) -> None:
        position = next(place for place, (key, _) in enumerate(node.value) if key.value == name)
        key, value = node.value[position]
        start, end = key.start_mark.index, self._end(value)
        line = self._text.rfind("\n", 0, start) + 1
        if node.flow_style and position:
            self._put(self._end(node.value[position - 1][1]), end, "")
        elif len(node.value) > 1 and (node.flow_style or self._text[line:start].strip()):  # behind a dash
            self._put(start, node.value[position + 1][0].start_mark.index, "")
        else:
            self._put(line, self._line_end(end) + 1, "")

    def _add(self, node: yaml.MappingNode, pairs: list[tuple[Any, Any]], added: Mapping[str, Any]) -> None:
        """Put keys behind the last of the pairs that stay."""
        if not pairs:
            self._put(node.start_mark.index, node.end_mark.index, inline(added))
            return
        value = pairs[-1][1]
        end = self._end(value)
        if node.flow_style:
            items = (f", {key_text(key)}: {inline(value, flow=True)}" for key, value in added.items())
            self._put(end, end, "".join(items))
            return
        column = node.start_mark.column
        short = self._is_cramped(self._line_end(end), column)
        text = "".join(lines(key, value, column, short=short) for key, value in added.items())
        last = _deepest(value)
        if _is_block(last) and self._text[: last.end_mark.index].endswith("\n"):
            end = last.end_mark.index  # the line ends before it may be a part of the value
            self._put(end, end, text)
        else:
            end = self._line_end(end)
            self._put(end, end, "\n" + text.removesuffix("\n"))

    def _end(self, node: Any) -> int:
        """Where the last character of a value ends, which libyaml tells of scalars and of what has brackets."""
        last = _deepest(node)
        start, end = last.start_mark.index, int(last.end_mark.index)
        return start + len(self._text[start:end].rstrip()) if _is_block(last) else end

    def _is_cramped(self, offset: int, column: int) -> bool:
        """Whether a text of several lines, in a block at the column, would take what follows for a part of itself.

        Comments do, also those that a removed key leaves, and at its very end the text lacks the line end that belongs
        to it.
        """
        if self._removes and "#" in self._text[offset:]:
            return True
        comment = _COMMENT.match(self._text, offset)
        if comment:
            return comment[1] is None or len(comment[1]) > column
        return self._line_end(offset) == len(self._text)

    def _line_end(self, offset: int) -> int:
        end = self._text.find("\n", offset)
        return len(self._text) if end < 0 else end

    def _put(self, start: int, end: int, text: str) -> None:
        self.splices.append(Splice(self._start + start, self._start + end, text))


def _deepest(node: Any) -> Any:
    """The last node in a block; brackets end where they are closed."""
    while isinstance(node, yaml.CollectionNode) and not node.flow_style and node.value:
        last = node.value[-1]
        node = last[1] if isinstance(last, tuple) else last
    return node


def _is_block(node: Any) -> bool:
    return isinstance(node, yaml.ScalarNode) and node.style in _BLOCK


def _says(node: Any, value: Any) -> bool:
    """Whether a node surely says just the value already."""
    if isinstance(node, yaml.MappingNode) and isinstance(value, Mapping):
        return {key.value for key, _ in node.value} == value.keys() and all(
            _says(inner, value[key.value]) for key, inner in node.value
        )
    if isinstance(node, yaml.SequenceNode) and isinstance(value, list):
        return len(node.value) == len(value) and all(map(_says, node.value, value))
    if not isinstance(node, yaml.ScalarNode) or isinstance(value, Mapping | list) or node.value != as_read(value):
        return False
    return bool(node.style) == isinstance(value, str) or (isinstance(value, str) and says_itself(value))


def appended(text: str, tree: Tree) -> Iterator[Splice]:
    """Keys at the end of a block that holds none."""
    at = len(text)
    lead = "" if not text or text.endswith("\n") else "\n"
    yield Splice(at, at, lead + "".join(lines(key, value, 0) for key, value in built(tree).items()))
