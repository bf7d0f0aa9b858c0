"""Change values in a YAML text in place, and keep comments, order, quotes and blank lines around them.

A round trip through a YAML library would rewrite the whole text with its own indentation and spacing
(docs/decisions/0011).
"""

import re
from collections import defaultdict
from collections.abc import Container, Mapping, Sequence
from functools import cached_property
from itertools import accumulate
from typing import Any

import yaml

from ...content.formats.draft import ABSENT, ValuePath
from ...content.formats.yaml_reader import is_one_item, split_items
from ...lazy_pattern import lazy_pattern
from .text_editor import Leaf, Splice, Tree, as_read, removal_of_lines, removal_of_parts, tree_values
from .yaml_writing import BLOCK_STYLES, block_lines, inline_yaml, is_plain_text, items_text, key_text, text_after_colon

_DASH = lazy_pattern(r"^( *)- ", re.MULTILINE)
# A comment after a value, on the same line or on one of the next lines. On the same line, it has no indentation.
_COMMENT = lazy_pattern(r"[ \t]*(?:#|(?:\n[ \t]*)*\n(?P<indentation>[ \t]*)#)")
_COMMENT_LINE = lazy_pattern(r"(?:[ \t]*\n)*([ \t]*)#.*\n?")  # with the blank lines above it


def compose_node(text: str) -> Any:
    """Return the root node of a YAML text, or None if it has no value. Raises yaml.YAMLError."""
    return yaml.compose(text, yaml.CBaseLoader)


class YamlEditor:
    """Edits YAML: a mapping, or a list of mappings. See `text_editor.TextEditor`.

    If the text is a plain list, `items` is the number of its items: then each item is parsed alone.
    """

    def __init__(self, text: str, start: int = 0, *, items: int | None = None) -> None:
        self._text = text
        self._start = start
        # The text of each item; [] unless the dashes are in the first column (`split_items` yields nothing then).
        self._items = [item for _line, item in split_items(text)] if items is not None else []
        if len(self._items) != items:  # as when a quoted text has a dash in the first column
            self._items = []
        lengths = [len(item) for item in self._items]
        self._item_starts = [*accumulate(lengths, initial=len(text) - sum(lengths))]  # the last item ends with the text
        self.splices: list[Splice] = []

    def edit(self, steps: ValuePath, tree: Tree) -> None:
        """Change keys of the mapping at `steps`. In a text that is one mapping, (0,) is this mapping, too."""
        number = steps[0] if len(steps) == 1 else None
        if self._items and isinstance(number, int) and is_one_item(item := self._items[number]):
            editor = NodeEditor(item, self._start + self._item_starts[number])
            editor.edit_mapping(compose_node(item).value[0], tree)
            self.splices += editor.splices
            return
        node = self._root
        if not steps and (node is None or not (node.value or node.flow_style)):  # there are no keys yet
            self._append_keys(tree)
            return
        is_mapping = steps == (0,) and isinstance(node, yaml.MappingNode)
        self._whole.edit_mapping(node if is_mapping else self._node(steps), tree)

    def append(self, steps: ValuePath, new: Sequence[Mapping[str, Any]]) -> None:
        """Add mappings at the end of the list that is the whole text."""
        assert not steps, "new entries are added to a plain list only"  # noqa: S101
        root = None if self._items else self._root
        if isinstance(root, yaml.SequenceNode) and root.flow_style:  # in brackets
            if not root.value:
                self._splice(root.start_mark.index, root.end_mark.index, items_text(new).removesuffix("\n"))
                return
            end = root.value[-1].end_mark.index
            self._splice(end, end, "".join(f",\n{inline_yaml(entry)}" for entry in new))
            return
        dash = _DASH.search(self._text) if root is not None else None
        end, newline = len(self._text), "" if not self._text or self._text.endswith("\n") else "\n"
        self._splice(end, end, newline + items_text(new, indent=len(dash[1]) if dash else 0))

    def remove(self, items: Sequence[ValuePath]) -> None:
        """Remove items of lists, with the comments inside them."""
        removed: dict[ValuePath, set[Any]] = defaultdict(set)
        for steps in items:
            removed[steps[:-1]].add(steps[-1])
        for list_steps, numbers in removed.items():
            self._whole.remove_items(self._node(list_steps), numbers)

    def as_read(self, tree: Tree) -> Tree:
        """Return the tree: YAML has all values."""
        return tree

    def _node(self, steps: ValuePath) -> Any:
        """Return the node at `steps` from the root."""
        node = self._root
        for step in steps:
            if isinstance(step, int):
                node = node.value[step]
            else:
                node = next(value for key, value in node.value if key.value == step)
        return node

    @cached_property
    def _root(self) -> Any:
        return compose_node(self._text)

    @cached_property
    def _whole(self) -> "NodeEditor":
        editor = NodeEditor(self._text, self._start)
        editor.splices = self.splices
        return editor

    def _append_keys(self, tree: Tree) -> None:
        """Add keys at the end of a text without keys."""
        if not tree:
            return
        end, newline = len(self._text), "" if not self._text or self._text.endswith("\n") else "\n"
        lines = (block_lines(key, value, indent=0) for key, value in tree_values(tree).items())
        self._splice(end, end, newline + "".join(lines))

    def _splice(self, start: int, end: int, text: str) -> None:
        self.splices.append(Splice(self._start + start, self._start + end, text))


class NodeEditor:
    """Collects the splices that change the nodes of one text, which starts at an offset (`start`) of its file."""

    def __init__(self, text: str, start: int = 0) -> None:
        self._text = text
        self._start = start
        self._has_removals = False
        self._last_hash = text.rfind("#")
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

    def remove_items(self, node: yaml.SequenceNode, numbers: Container[int]) -> None:
        """Add the splices that remove items of a list, by number."""
        if node.flow_style:
            parts = [(item.start_mark.index, self._end(item)) for item in node.value]
            for start, end, _text in removal_of_parts(parts, numbers):
                self._splice(start, end, "")
            return
        column = node.start_mark.column
        ranges = []
        end = 0
        for number, item in enumerate(node.value):
            start = max(self._text.rfind(f"\n{' ' * column}-", max(end - 1, 0), item.start_mark.index) + 1, end)
            end = min(self._line_end(self._end(item)) + 1, len(self._text))
            if number in numbers:
                while (comment := _COMMENT_LINE.match(self._text, end)) and len(comment[1]) > column:
                    end = comment.end()
                ranges.append((start, end))
        for start, end, _text in removal_of_lines(self._text, ranges):
            self._splice(start, end, "")

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
        if isinstance(value, list) and (numbers := _removed_items(node, value)):
            self.remove_items(node, numbers)
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
        if self._has_removals and offset <= self._last_hash:
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


def _removed_items(node: Any, values: list[Any]) -> set[int]:
    """Return the numbers of the items without which a list in brackets has these values; empty if there are none."""
    removed: set[int] = set()
    found = 0  # so many of the values
    for number, item in enumerate(node.value if isinstance(node, yaml.SequenceNode) else ()):
        if found < len(values) and _has_value(item, values[found]):
            found += 1
        else:
            removed.add(number)
    return removed if values and found == len(values) else set()


def _is_block_scalar(node: Any) -> bool:
    return isinstance(node, yaml.ScalarNode) and node.style in BLOCK_STYLES


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
