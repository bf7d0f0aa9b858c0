"""YAML as editors read it: version 1.2, core schema. `no` and `12:30` are texts, `0o17` and `1e3` numbers."""

import re
from typing import Any

import yaml

_TAG = "tag:yaml.org,2002:"
_FLOAT = r"[-+]?(?:\.[0-9]+|[0-9]+(?:\.[0-9]*)?)(?:[eE][-+]?[0-9]+)?|[-+]?\.(?:inf|Inf|INF)|\.(?:nan|NaN|NAN)"
_RULES = [
    ("null", r"~|null|Null|NULL|"),
    ("bool", r"true|True|TRUE|false|False|FALSE"),
    ("int", r"[-+]?[0-9]+|0o[0-7]+|0x[0-9a-fA-F]+"),
    ("float", _FLOAT),
]


class _Loader(yaml.CSafeLoader):
    yaml_implicit_resolvers: dict[str, Any] = {}


for tag, expression in _RULES:
    _Loader.add_implicit_resolver(_TAG + tag, re.compile(rf"(?:{expression})\Z"), None)


def _integer(loader: _Loader, node: yaml.ScalarNode) -> int:
    text = node.value
    return int(text, 0) if text[:2] in ("0o", "0x") else int(text)


def _float(loader: _Loader, node: yaml.ScalarNode) -> float:
    return float(node.value.replace(".inf", "inf").replace(".nan", "nan"))


_Loader.add_constructor(_TAG + "int", _integer)
_Loader.add_constructor(_TAG + "float", _float)


def read(text: str) -> Any:
    """Return the value of a document."""
    return yaml.load(text, Loader=_Loader)  # a safe loader
