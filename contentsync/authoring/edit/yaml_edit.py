"""Change values in a YAML text in place, and keep comments, order, quotes and blank lines around them.

A round trip through a YAML library would rewrite the whole text with its own indentation and spacing
(docs/decisions/0011).
"""

import json
import re
from collections.abc import Container, Iterator, Mapping
from typing import Any

import yaml

from ...content.formats.draft import ABSENT
from ...model import PlainScalar
from .file_edits import Leaf, Splice, Tree, as_read, tree_values

WIDTH = 100  # characters; the limit for a list on one line

_KEY = re.compile(r"[A-Za-z_][A-Za-z0-9_-]{0,99}\Z")
_FLOW = re.compile(r"\w(?:[\w .@/+-]*\w)?\Z")  # text that needs no quotes inside brackets
_WORDS = frozenset({"null", "true", "false", "yes", "no", "on", "off", "y", "n"})  # in any case
# Characters that must be escaped in YAML: C1 controls, unusual line ends, byte order marks, non-characters.
_ESCAPED = re.compile(r"[\x7f-\x9f\u2028\u2029\ufeff\ufffe\uffff]")
_BLOCK_STYLES = ("|", ">")


def key_text(key: str) -> str:
    """Return a key as it is written before its colon, in quotes if necessary."""
    return key if _KEY.match(key) and key.lower() not in _WORDS else _quoted(key)


def inline_yaml(value: Any, *, flow: bool = False, style: str | None = None) -> str:
    """Return the value as YAML on one line; with `flow`, for a place inside brackets.

    `style` is the quotes for a text. With None, a text has quotes only if it needs them.
    """
    if isinstance(value, Mapping):
        pairs = (f"{key_text(key)}: {inline_yaml(inner, flow=True)}" for key, inner in value.items())
        return f"{{{', '.join(pairs)}}}"
    if isinstance(value, list):
        return f"[{', '.join(inline_yaml(item, flow=True) for item in value)}]"
    if value is None:
        return "null"
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, str):
        return _quote_text(value, flow=flow, style=style)
    return repr(value)


def block_lines(key: str, value: Any, indent: int, *, one_line: bool = False) -> str:
    """Return the lines of a key and its value in a block, each with its line end; one line if `one_line`."""
    return f"{' ' * indent}{key_text(key)}:{text_after_colon(value, indent, one_line=one_line)}\n"


def text_after_colon(value: Any, indent: int, *, style: str | None = None, one_line: bool = False) -> str:
    """Return the text after the colon of a key in a block, without the last line end; "" for None.

    `indent` is the column of the key. `style` is how the old text was written: in which quotes, or as a block; None for
    neither. With `one_line`, write no block.
    """
    inner_indent = indent + 2
    if value is None:
        return ""
    if isinstance(value, Mapping) and value and not one_line:
        return "\n" + "".join(block_lines(key, item, inner_indent) for key, item in value.items()).removesuffix("\n")
    if isinstance(value, list) and not one_line:
        line = inline_yaml(value)
        items = [f"\n{' ' * inner_indent}- {inline_yaml(item)}" for item in value]
        return "".join(items) if items and len(line) > WIDTH - indent else f" {line}"
    if isinstance(value, str) and not one_line and _is_literal(value) and style not in ('"', "'"):
        indicator = "|" if value.endswith("\n") else "|-"
        body = value.removesuffix("\n").split("\n")
        return f" {indicator}\n" + "\n".join(f"{' ' * inner_indent}{line}" if line else "" for line in body)
    return f" {inline_yaml(value, style=None if style in _BLOCK_STYLES else style)}"


def is_plain_text(text: str) -> bool:
    """Return whether every YAML parser reads the unquoted text, in a block, as the same text.

    A `PlainScalar` is a value that was written without quotes, so it may begin with a digit.
    """
    first = text[:1]
    return (
        (first.isalpha() or isinstance(text, PlainScalar))
        and text.isprintable()
        and not text.endswith((" ", ":"))
        and ": " not in text
        and " #" not in text
        and text.lower() not in _WORDS
    )


def _quote_text(text: str, *, flow: bool, style: str | None) -> str:
    """Return a text as YAML on one line, in the quotes of `style` where possible; `flow` if it is inside brackets."""
    if style == "'" and text.isprintable():
        return f"""'{text.replace("'", "''")}'"""
    if style == '"' or not is_plain_text(text) or (flow and not _FLOW.match(text)):
        return _quoted(text)
    return text


def _quoted(text: str) -> str:
    quoted = json.dumps(text, ensure_ascii=False)
    return _ESCAPED.sub(lambda character: f"\\u{ord(character[0]):04x}", quoted)


def _is_literal(text: str) -> bool:
    """Return whether a text has several lines and can be written as a literal block (`|`).

    No line may end with a space, because some editors remove such spaces.
    """
    if "\n" not in text or text[0] in " \n" or text.endswith("\n\n"):
        return False
    return all(line.isprintable() and not line.endswith(" ") for line in text.split("\n"))


# A comment after a value, on the same line or on one of the next lines. On the same line, it has no indentation.
_COMMENT = re.compile(r"[ \t]*(?:#|(?:\n[ \t]*)*\n(?P<indentation>[ \t]*)#)")
_COMMENT_LINE = re.compile(r"(?:[ \t]*\n)*([ \t]*)#.*\n?")  # with the blank lines above it


def compose_node(text: str) -> Any:
    """Return the root node of a YAML text, or None if it has no value. Raises yaml.YAMLError."""
    return yaml.compose(text, yaml.CBaseLoader)


class YamlEditor:
    """Collects the splices that change the nodes of one text, which starts at an offset (`start`) of its file."""

    def __init__(self, text: str, start: int = 0) -> None:
        self._text = text
        self._start = start
        self._has_removals = False
        self.splices: list[Splice] = []

    def edit_mapping(self, node: yaml.MappingNode, tree: Tree) -> None:
        """Add the splices that change keys of a mapping node, and that add missing keys at its end."""
        removed = {name for name, part in tree.items() if isinstance(part, Leaf) and part.value is ABSENT}
        self._has_removals = self._has_removals or bool(removed)
        nodes_by_name = {key.value: (key, value) for key, value in node.value}
        added = tree_values({name: part for name, part in tree.items() if name not in nodes_by_name})
        staying = [(key, value) for key, value in node.value if key.value not in removed]
        if not staying and (added or (removed and self._begins_in_line(node))):
            self._splice(node.start_mark.index, self._end(node), inline_yaml(added))
            return
        for name, part in tree.items():
            if name not in nodes_by_name:
                continue
            if name in removed:
                self._remove(node, name, removed)
            else:
                key, value = nodes_by_name[name]
                self._change_value(node, key, value, part)
        if added:
            self._add(node, staying, added)

    def _change_value(self, outer: yaml.MappingNode, key: Any, node: Any, part: "Leaf | Tree") -> None:
        """Set the value (`node`) of a key in a mapping (`outer`); parts that are equal keep their text."""
        if not isinstance(part, Leaf):
            if isinstance(node, yaml.MappingNode) and node.value:
                self.edit_mapping(node, part)
                return
            part = Leaf(tree_values(part))
        value = part.value
        if _has_value(node, value):
            return
        if isinstance(value, Mapping) and isinstance(node, yaml.MappingNode):
            removed: Tree = {key.value: Leaf(ABSENT) for key, _ in node.value if key.value not in value}
            shares_keys = len(removed) < len(node.value)
            loses_keys_in_braces = bool(removed) and node.flow_style  # such an object is short: write it again
            if shares_keys and not loses_keys_in_braces:
                self.edit_mapping(node, removed | {name: Leaf(inner) for name, inner in value.items()})
                return
        if isinstance(value, list) and value and isinstance(node, yaml.SequenceNode) and not node.flow_style:
            self._change_items(node, value)
            return
        self._replace(outer, key, node, value)

    def _replace(self, outer: yaml.MappingNode, key: Any, node: Any, value: Any) -> None:
        """Replace the whole text of a value (`node`); keep its quotes and the spaces after the colon where possible."""
        start, end = node.start_mark.index, self._end(node)
        style = node.style if isinstance(node, yaml.ScalarNode) else None
        if outer.flow_style:
            text = inline_yaml(value, flow=True, style=style)
            self._splice(start, end, text if start < end else f" {text}")
            return
        column = key.start_mark.column
        text = text_after_colon(value, column, style=style, one_line=self._forbids_literal(end, column))
        after_colon = self._text.index(":", key.end_mark.index) + 1
        old_is_on_line = start < end and "\n" not in self._text[after_colon:start]
        if old_is_on_line and text.startswith(" ") and "\n" not in text:
            self._splice(start, end, text.removeprefix(" "))  # the text between colon and value stays
        else:
            self._splice(after_colon, end, text)

    def _change_items(self, node: yaml.SequenceNode, values: list[Any]) -> None:
        """Replace the items of a list that has one per line; unchanged items keep their lines and comments."""
        indent = " " * node.start_mark.column
        list_start = start = node.start_mark.index - len(indent)
        old_items: list[tuple[Any, str]] = []  # each node, and its lines
        for item in node.value:
            end = self._line_end(self._end(item))
            old_items.append((item, self._text[start:end]))
            start = end + 1
        new_lines: list[str] = []
        for value in values:
            for old_item in old_items:
                item, lines = old_item
                if _has_value(item, value):
                    old_items.remove(old_item)  # of equal items, each one is used once
                    new_lines.append(lines)
                    break
            else:
                new_lines.append(f"{indent}- {inline_yaml(value)}")
        self._splice(list_start, start - 1, "\n".join(new_lines))

    def _remove(self, node: yaml.MappingNode, name: str, removed: Container[str]) -> None:
        """Remove a key and its value; `removed` are all keys that the edit removes.

        At least one key must stay in a mapping that is in braces or begins behind other text.
        """
        index = next(index for index, (key, _) in enumerate(node.value) if key.value == name)
        key, value = node.value[index]
        start, end = key.start_mark.index, self._end(value)
        values_above = [value for key, value in node.value[:index] if key.value not in removed]
        if not values_above and self._begins_in_line(node):  # up to the next key, which takes its place
            next_key, _next_value = node.value[index + 1]
            self._splice(start, next_key.start_mark.index, "")
        elif node.flow_style:  # with the comma before it
            _previous_key, previous_value = node.value[index - 1]
            self._splice(self._end(previous_value), end, "")
        else:  # with its lines
            line_start = self._text.rfind("\n", 0, start) + 1
            end = self._line_end(end) + 1
            value_above = values_above[-1] if values_above else None
            if _is_block_scalar(_last_leaf(value_above)):  # the comments of the removed key would be part of this text
                while (comment := _COMMENT_LINE.match(self._text, end)) and len(comment[1]) > node.start_mark.column:
                    end = comment.end()
            self._splice(line_start, end, "")

    def _add(self, node: yaml.MappingNode, staying: list[tuple[Any, Any]], added: Mapping[str, Any]) -> None:
        """Add keys to a mapping, after the last of the `staying` keys; each has the nodes of the key and its value."""
        _, last_value = staying[-1]
        end = self._end(last_value)
        if node.flow_style:
            items = (f", {key_text(key)}: {inline_yaml(value, flow=True)}" for key, value in added.items())
            self._splice(end, end, "".join(items))
            return
        column = node.start_mark.column
        one_line = self._forbids_literal(self._line_end(end), column)
        text = "".join(block_lines(key, value, column, one_line=one_line) for key, value in added.items())
        last = _last_leaf(last_value)
        if _is_block_scalar(last) and self._text[: last.end_mark.index].endswith("\n"):
            end = last.end_mark.index  # blank lines before this offset may be part of the value
            self._splice(end, end, text)
        else:
            end = self._line_end(end)
            self._splice(end, end, "\n" + text.removesuffix("\n"))

    def _end(self, node: Any) -> int:
        """Return the offset at which a node ends; libyaml's offset is exact only for inline scalars and brackets."""
        last = _last_leaf(node)
        start, end = last.start_mark.index, int(last.end_mark.index)
        return start + len(self._text[start:end].rstrip()) if _is_block_scalar(last) else end

    def _forbids_literal(self, offset: int, column: int) -> bool:
        """Return whether the value at an offset must not be a literal block (`|`); `column` is that of its key.

        The block would include comments below it, also those of a removed key. At the end of the text, it would need a
        line end.
        """
        if self._has_removals and "#" in self._text[offset:]:
            return True
        comment = _COMMENT.match(self._text, offset)
        if comment:
            is_on_line_of_value = comment["indentation"] is None
            return is_on_line_of_value or len(comment["indentation"]) > column
        return self._line_end(offset) == len(self._text)

    def _begins_in_line(self, node: yaml.MappingNode) -> bool:
        """Return whether a mapping is in braces, or its first key is behind other text, such as the dash of an item."""
        start = node.start_mark.index
        line_start = self._text.rfind("\n", 0, start) + 1
        return node.flow_style or bool(self._text[line_start:start].strip())

    def _line_end(self, offset: int) -> int:
        end = self._text.find("\n", offset)
        return len(self._text) if end < 0 else end

    def _splice(self, start: int, end: int, text: str) -> None:
        self.splices.append(Splice(self._start + start, self._start + end, text))


def _last_leaf(node: Any) -> Any:
    """Return the last scalar, or collection in brackets, inside a block collection; any other node itself."""
    while isinstance(node, yaml.CollectionNode) and not node.flow_style and node.value:
        node = node.value[-1]
        if isinstance(node, tuple):  # of a mapping
            _, node = node
    return node


def _is_block_scalar(node: Any) -> bool:
    return isinstance(node, yaml.ScalarNode) and node.style in _BLOCK_STYLES


def _has_value(node: Any, value: Any) -> bool:
    """Return whether every YAML parser reads this value from a node; False if this is uncertain."""
    if isinstance(node, yaml.MappingNode) and isinstance(value, Mapping):
        return {key.value for key, _ in node.value} == value.keys() and all(
            _has_value(inner, value[key.value]) for key, inner in node.value
        )
    if isinstance(node, yaml.SequenceNode) and isinstance(value, list):
        return len(node.value) == len(value) and all(map(_has_value, node.value, value))
    if not isinstance(node, yaml.ScalarNode) or isinstance(value, Mapping | list) or node.value != as_read(value):
        return False
    is_plain = not node.style  # neither in quotes nor a block
    if isinstance(value, str):
        return not is_plain or is_plain_text(value)
    return is_plain


def append_keys(text: str, tree: Tree) -> Iterator[Splice]:
    """Yield the splice that adds keys at the end of a text without keys."""
    end = len(text)
    newline = "" if not text or text.endswith("\n") else "\n"
    lines = (block_lines(key, value, indent=0) for key, value in tree_values(tree).items())
    yield Splice(end, end, newline + "".join(lines))
