"""The shape of a saved plan: what must be there of it before anything is read."""

from collections.abc import Mapping
from typing import Any

from ...model import Kind

_PLAN: Mapping[str, Any] = {
    "target": str,
    "url": str,
    "directory": int | None,
    "tool": str,
    "user": int | None,
    "options": dict,
    "files": dict,
    "base": str,
    "changes": list,
    "digest": str,
    "plan": dict,
}
_OPTIONS: Mapping[str, Any] = {"only": list, "policy": dict, "base": str}
POLICY: Mapping[str, Any] = {
    "prune": bool,
    "limits": dict,
    "allow_deletes": int | None,
    "allow_clears": int | None,
    "allow_recreate": int | None,
    "on_drift": str,
    "on_conflict": str,
    "adopt": bool,
    "of_folder": bool,
}
LIMITS: Mapping[str, Any] = {"percent": int, "count": int}
_CHANGE: Mapping[str, Any] = {
    "action": str,
    "kind": str,
    "key": str,
    "id": int | None,
    "etag": str | None,
    "there": dict,
    "here": str,
    "lost": list,
}


def is_plan(content: Mapping[str, Any]) -> bool:
    """Whether everything that is read of a plan is there, and of its type."""
    return (
        _has(content, _PLAN)
        and _has(content["options"], _OPTIONS)
        and all(isinstance(word, str) and word.partition("/")[0] in set(Kind) for word in content["options"]["only"])
        and _are_words(content["options"].get("attempts", []))
        and _has(content["options"]["policy"], POLICY)
        and _has(content["options"]["policy"]["limits"], LIMITS)
        and all(_has(change, _CHANGE) for change in content["changes"])
    )


def _are_words(found: Any) -> bool:
    return isinstance(found, list) and all(isinstance(word, str) for word in found)


def _has(document: Any, types: Mapping[str, Any]) -> bool:
    return isinstance(document, dict) and all(
        name in document and isinstance(document[name], of) for name, of in types.items()
    )
