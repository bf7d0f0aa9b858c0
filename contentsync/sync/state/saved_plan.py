"""A plan in a file, to be reviewed and applied later if everything that it was made from is unchanged.

```
{"contentsync": "plan", "version": 1, "target", "url", "directory", "tool", "user", "options": {...},
 "files": {"page about": digest, ...}, "base": digest, "changes": [{"action", ..., "there": {field: digest}, "lost"}],
 "digest", "plan": {the JSON document of `plan`}, "seal": digest of all the rest}
```
A run never applies the changes of the file: it makes the plan again with the same options, and the two plans must be
equal. The seal only detects accidental edits, so it needs no secret.
"""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import asdict, dataclass, fields
from pathlib import Path
from typing import Any

import orjson

from ...content.config.config import Config
from ...content.config.config_tables import Target
from ...content.files.content_folder import CONFIG
from ...errors import Damaged, Refused, Unwritable, UsageError, join_first
from ...file_writes import write_file
from ...model import Entry, Kind
from ..comparing.base import Base
from ..comparing.change import Action
from ..comparing.fingerprint import digest, digest_entry
from ..planning.consents import Consents
from ..planning.plan import Limits, Plan, Policy, Selection
from .state_file import VERSION, applied_document, file_header

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
    "update_limits": dict,
    "allowed": dict,
    "on_drift": str,
    "on_conflict": str,
    "adopt": bool,
    "of_folder": bool,
}
LIMITS: Mapping[str, Any] = {"percent": int, "count": int}
CONSENTS: Mapping[str, Any] = {consent.name: int | None for consent in fields(Consents)}
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


def follows_plan_schema(content: Mapping[str, Any]) -> bool:
    """Return whether a plan file has all required fields, and each field the right type."""
    if not _has_types(content, _PLAN) or not _has_types(content["options"], _OPTIONS):
        return False
    options = content["options"]
    if not _are_strings(options["only"]) or not _are_strings(options.get("attempts", [])):
        return False
    selected_kinds = {text.partition("/")[0] for text in options["only"]}
    if not selected_kinds <= {kind.value for kind in Kind} or not _has_types(options["policy"], POLICY):
        return False
    has_limits = all(_has_types(options["policy"][name], LIMITS) for name in ("limits", "update_limits"))
    has_consents = _has_types(options["policy"]["allowed"], CONSENTS)
    return has_limits and has_consents and all(_has_types(change, _CHANGE) for change in content["changes"])


def _are_strings(values: Any) -> bool:
    return isinstance(values, list) and all(isinstance(value, str) for value in values)


def _has_types(document: Any, types: Mapping[str, Any]) -> bool:
    return isinstance(document, dict) and all(
        name in document and isinstance(document[name], type_) for name, type_ in types.items()
    )


@dataclass(frozen=True, slots=True)
class PlanContext:
    """The conditions of a plan, besides the base and the server's entries."""

    tool: str  # the version of contentsync
    target: Target
    selection: Selection
    policy: Policy
    base: str  # `state`, or `git:REF`
    files: Mapping[str, str]  # from `folder_digests`
    user: int | None = None  # of the token, if the service returns it
    attempts: tuple[str, ...] = ()  # refs of the commits that runs began to apply since the base


def folder_digests(config: Config, target: Target, entries: Iterable[Entry]) -> dict[str, str]:
    """Return the digest of the settings and of each entry of the folder with its notes, by name."""
    settings = [
        config.site.model_dump(mode="json"),
        {kind.value: folder.model_dump(mode="json") for kind, folder in config.content.items()},
        target.model_dump(mode="json"),
    ]
    return {CONFIG: digest(settings)} | {str(entry): digest_entry(entry) for entry in entries}


def save_plan(file: Path, plan: Plan, context: PlanContext, document: Mapping[str, Any]) -> None:
    """Write a plan and its JSON document to a file. Raise Unwritable if that fails, or if it is a file of another type.

    The file has three digests: `base` of the state from which the plan was made, `digest` of the plan's changes, and
    `seal` of everything else in the file, to detect edits.
    """
    content = {
        **file_header("plan", context.target, tool=context.tool),
        "user": context.user,
        "options": _options_document(context),
        "files": dict(context.files),
        "base": _base_digest(plan.base),
        "changes": list(_change_documents(plan)),
        "digest": plan.digest,
        "plan": document,
    }
    try:
        if file.is_file() and not _is_replaceable(file):
            raise Unwritable(f"{file} exists already, and is not a plan", "name another file with --out")
        write_file(file, orjson.dumps({**content, "seal": digest(content)}, option=orjson.OPT_INDENT_2), durable=True)
    except OSError as error:
        raise Unwritable(f"{file} cannot be written: {error.strerror}", "name another file with --out") from error


def _is_replaceable(file: Path) -> bool:
    """Return whether a file is empty or a plan, and not content that a mistyped `--out` names. Raise OSError."""
    with file.open("rb") as stream:
        head = stream.read(64)
    return not head.strip() or b'"contentsync": "plan"' in head


@dataclass(frozen=True, slots=True)
class SavedPlan:
    """A saved plan; `content` is the document of the file."""

    file: Path
    content: Mapping[str, Any]

    @property
    def target(self) -> str:
        return str(self.content["target"])

    @property
    def selection(self) -> Selection:
        return Selection.parse(self.content["options"]["only"])

    @property
    def policy(self) -> Policy:
        """Return the policy with which the plan was made, from its document."""
        stored = self.content["options"]["policy"]
        options = {name: stored[name] for name in POLICY}
        for name in ("limits", "update_limits"):
            options[name] = Limits(**{limit: stored[name][limit] for limit in LIMITS})
        options["allowed"] = Consents(**{name: stored["allowed"][name] for name in CONSENTS})
        return Policy(**options)

    @property
    def base(self) -> str:
        return str(self.content["options"]["base"])

    @property
    def attempts(self) -> tuple[str, ...]:
        return tuple(self.content["options"].get("attempts", ()))

    def check_current(self, plan: Plan, context: PlanContext) -> None:
        """Raise Refused with the differences unless `plan`, which was made now, is equal to the saved plan.

        docs/faults.md PL-06, PL-09, PL-18
        """
        origin = self._origin_difference(context)
        differences = [origin] if origin else [*self._differences(plan, context)]
        if differences:
            raise Refused(f"{self.file} no longer holds: {'; '.join(differences)}", "make a new one with plan --out")

    def _origin_difference(self, context: PlanContext) -> str:
        """Return how the program, the target or the user differs; empty if all are the same."""
        saved = self.content
        header = file_header("plan", context.target)
        if saved["tool"] != context.tool:
            return f"it was made by contentsync {saved['tool']}, and this is {context.tool}"
        if any(saved[name] != value for name, value in header.items()):
            return f"it is for {_target_name(saved)}, and this is {_target_name(header)}"
        if saved["user"] != context.user:
            return f"it was made with the token of user {saved['user']}, and this is user {context.user}"
        return ""

    def _differences(self, plan: Plan, context: PlanContext) -> Iterator[str]:
        """Yield, as text, what differs from the saved plan; if the cause is known, do not also name the changes."""
        if self.content["options"] != _options_document(context):
            yield "the options are different"
        files = self.content["files"]
        changed = [name for name in files.keys() | context.files.keys() if files.get(name) != context.files.get(name)]
        if changed:
            yield f"the folder has changed ({join_first(sorted(changed))})"
        if self.content["base"] != _base_digest(plan.base):
            yield "what was last applied has changed: another run has synced since"
        changed_records = list(self._changed_on_server(plan))
        if changed_records:
            yield f"the server has changed ({join_first(changed_records)})"
        elif not changed and self.content["digest"] != plan.digest:
            differing = self._differing_changes(plan)
            if differing:
                yield f"the plan would be different now ({join_first(differing)})"

    def _changed_on_server(self, plan: Plan) -> Iterator[str]:
        """Yield the records of the saved plan that have changed on the server since, with the fields."""
        records = {(entry.kind.value, entry.id): entry for entry in plan.actual}
        for change in self.content["changes"]:
            if change["id"] is None:
                continue
            name = f"{change['kind']} {change['key']}"
            record = records.get((change["kind"], change["id"]))
            if record is None:
                yield f"{name} is deleted"
                continue
            saved, current = change["there"], _field_digests(record)
            fields = sorted(field for field in saved.keys() | current.keys() if saved.get(field) != current.get(field))
            if fields:
                yield f"{name}: {', '.join(fields)}"
            elif change["etag"] != record.etag:
                yield f"{name} was written again"

    def _differing_changes(self, plan: Plan) -> list[str]:
        """Return the names of the changes that differ between the two plans; their order does not matter."""
        saved = {(_change_name(change), digest(change)) for change in self.content["changes"]}
        current = {(_change_name(change), digest(change)) for change in _change_documents(plan)}
        return sorted({name for name, _ in saved ^ current})


def read_saved_plan(file: Path) -> SavedPlan:
    """Return the plan of a file. Raise UsageError if the file cannot be read.

    Raise Damaged if the file was changed, or is not a plan of this version (docs/faults.md FI-32).
    """
    try:
        data = file.read_bytes()
    except OSError as error:
        raise UsageError(f"the plan {file} cannot be read: {error.strerror}") from error
    try:
        content = orjson.loads(data)
    except ValueError as error:
        raise _damaged_error(file, "it is not JSON") from error
    if not isinstance(content, dict) or content.get("contentsync") != "plan":
        raise Damaged(f"{file} is not a plan of contentsync", "plan --out makes one")
    if content.get("version") != VERSION:
        raise Damaged(
            f"{file} is in version {content.get('version')}, and this contentsync reads version {VERSION}",
            "make a new one with plan --out, or apply it with the contentsync that made it",
        )
    seal = content.pop("seal", None)
    if seal != digest(content):
        raise _damaged_error(file, "it was changed after it was written")
    if not follows_plan_schema(content):
        raise _damaged_error(file, "it is not a plan of this format")
    return SavedPlan(file, content)


def _damaged_error(file: Path, reason: str) -> Damaged:
    return Damaged(f"{file} is damaged or was edited: {reason}", "make a new one with plan --out")


def _options_document(context: PlanContext) -> dict[str, Any]:
    """Return the options of a plan as JSON; `SavedPlan` reads them again."""
    return {
        "only": [f"{kind}/{glob}" for kind, glob in context.selection.patterns],
        "policy": asdict(context.policy),
        "base": context.base,
        **({"attempts": list(context.attempts)} if context.attempts else {}),
    }


def _change_documents(plan: Plan) -> Iterator[dict[str, Any]]:
    """Yield each change as JSON, in the order of the plan.

    `there` has a digest of each value of the record, `here` is a single digest of all values to write, and `lost` are
    the references that other entries lose by a delete.
    """
    lost = plan.lost_references
    for change in plan.changes:
        record = change.actual
        yield {
            "action": change.action.value,
            "kind": change.kind.value,
            "key": change.key,
            "id": change.id,
            "etag": record.etag if record else None,
            "there": _field_digests(record) if record else {},
            "here": digest([change.previous_key, {name: list(pair) for name, pair in change.fields.items()}]),
            "lost": lost.get((change.kind, change.key), []) if change.action is Action.DELETE else [],
        }


def _field_digests(record: Entry) -> dict[str, str]:
    return {name: digest(value) for name, value in record.fields.items()}


def _base_digest(base: Base) -> str:
    entries = sorted(base.values(), key=lambda applied: applied.identity)
    return digest([base.is_known, [applied_document(applied) for applied in entries]])


def _change_name(change: Mapping[str, Any]) -> str:
    return f"{change['action']} {change['kind']} {change['key']}"


def _target_name(header: Mapping[str, Any]) -> str:
    return f"{header['target']} (directory {header['directory']} of {header['url']})"
