"""TODO."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import orjson

from ..content.config import Config, Target
from ..content.config_file import CONFIG
from ..content.files.writing import put
from ..errors import Damaged, Refused, Unwritable, UsageError
from ..model import Entry, Kind
from .change import Action
from .comparing.base import Base
from .comparing.fingerprint import digest
from .plan import Plan
from .plan_policy import Limits, Policy, Selection
from .state.state_dir import VERSION, heading_of
from .state.state_file import document_from

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


NAMES = 5  # that a refusal shows


@dataclass(frozen=True, slots=True)
class Terms:
    """What a plan holds for, besides the state and the server that it was made from."""

    tool: str  # the version of contentsync
    target: Target
    selection: Selection
    policy: Policy
    base: str  # which one: `state`, or `git:REF`
    files: Mapping[str, str]  # of `files_of`
    user: int | None = None  # whose token it is, where the service says
    attempts: tuple[str, ...] = ()  # commits that were begun since the base, as they were named


def files_of(config: Config, target: Target, entries: Iterable[Entry]) -> dict[str, str]:
    """A digest of the settings, and of each entry of the folder with its notes, by name."""
    settings = [
        config.site.model_dump(mode="json"),
        {kind.value: folder.model_dump(mode="json") for kind, folder in config.content.items()},
        target.model_dump(mode="json"),
    ]
    return {CONFIG: digest(settings)} | {
        str(entry): digest([entry.fields, entry.notes.skip, entry.notes.protect, entry.notes.previous])
        for entry in entries
    }


def save(file: Path, plan: Plan, terms: Terms, document: Mapping[str, Any]) -> None:
    """Writes a plan, with the document that tells people and programs of it. Raises Unwritable."""
    content = {
        **heading_of("plan", terms.target, tool=terms.tool),
        "user": terms.user,
        "options": _options(terms),
        "files": dict(terms.files),
        "base": _mark(plan.base),
        "changes": list(_changes(plan)),
        "digest": plan.digest,
        "plan": document,
    }
    try:
        put(file, orjson.dumps({**content, "seal": digest(content)}, option=orjson.OPT_INDENT_2), durable=True)
    except OSError as error:
        raise Unwritable(f"{file} cannot be written: {error.strerror}", "--out names the file") from error


@dataclass(frozen=True, slots=True)
class Saved:
    """A saved plan; `content` is what stands in the file."""

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
        stored = self.content["options"]["policy"]
        limits = Limits(**{name: stored["limits"][name] for name in LIMITS})
        return Policy(**{**{name: stored[name] for name in POLICY}, "limits": limits})

    @property
    def base(self) -> str:
        return str(self.content["options"]["base"])

    @property
    def attempts(self) -> tuple[str, ...]:
        return tuple(self.content["options"].get("attempts", ()))

    def require(self, plan: Plan, terms: Terms) -> None:
        """Raises Refused, saying what has changed, unless the plan made now is the one that was saved.

        docs/faults.md PL-06, PL-09, PL-18.
        """
        others = [*self._other_tool(terms)] or [*self._other_target(terms)] or [*self._other_user(terms)]
        stale = others or [*self._stale(plan, terms)]
        if stale:
            raise Refused(f"{self.file} no longer holds: {'; '.join(stale)}", "make a new one with plan --out")

    def _other_tool(self, terms: Terms) -> Iterator[str]:
        if self.content["tool"] != terms.tool:
            yield f"it was made by contentsync {self.content['tool']}, and this is {terms.tool}"

    def _other_target(self, terms: Terms) -> Iterator[str]:
        now = heading_of("plan", terms.target)
        if any(self.content[name] != value for name, value in now.items()):
            yield f"it is for {_place(self.content)}, and this is {_place(now)}"

    def _other_user(self, terms: Terms) -> Iterator[str]:
        if self.content["user"] != terms.user:
            yield f"it was made with the token of user {self.content['user']}, and this is user {terms.user}"

    def _stale(self, plan: Plan, terms: Terms) -> Iterator[str]:
        if self.content["options"] != _options(terms):
            yield "other options were given"
        files = self.content["files"]
        changed = [name for name in files.keys() | terms.files.keys() if files.get(name) != terms.files.get(name)]
        if changed:
            yield f"the folder has changed ({_shown(sorted(changed))})"
        if self.content["base"] != _mark(plan.base):
            yield "what was last applied has changed: somebody has synced since"
        there = list(self._changed_there(plan))
        if there:
            yield f"the server has changed ({_shown(there)})"
        elif not changed and self.content["digest"] != plan.digest and (other := self._other(plan)):
            yield f"the plan would be another one now ({_shown(other)})"

    def _changed_there(self, plan: Plan) -> Iterator[str]:
        """The records that the plan is about and that are no longer as they were, with the fields."""
        records = {(entry.kind.value, entry.id): entry for entry in plan.actual}
        for change in self.content["changes"]:
            if change["id"] is None:
                continue
            name = f"{change['kind']} {change['key']}"
            record = records.get((change["kind"], change["id"]))
            if record is None:
                yield f"{name} is gone"
                continue
            was, now = change["there"], _fields(record)
            fields = sorted(field for field in was.keys() | now.keys() if was.get(field) != now.get(field))
            if fields:
                yield f"{name}: {', '.join(fields)}"
            elif change["etag"] != record.etag:
                yield f"{name} was written again"

    def _other(self, plan: Plan) -> list[str]:
        """Return the changes that stand in only one of the two plans, whatever their order."""
        then = {(_name(change), digest(change)) for change in self.content["changes"]}
        now = {(_name(change), digest(change)) for change in _changes(plan)}
        return sorted({name for name, _ in then ^ now})


def read_saved(file: Path) -> Saved:
    """The plan that a file holds. Raises UsageError without one to read, and Damaged for one that is not as written.

    docs/faults.md FI-32.
    """
    try:
        data = file.read_bytes()
    except OSError as error:
        raise UsageError(f"the plan {file} cannot be read: {error.strerror}") from error
    try:
        content = orjson.loads(data)
    except ValueError as error:
        raise _damaged(file, "it is no JSON") from error
    if not isinstance(content, dict) or content.get("contentsync") != "plan":
        raise Damaged(f"{file} is no plan of contentsync", "plan --out makes one")
    if content.get("version") != VERSION:
        raise Damaged(
            f"{file} is in version {content.get('version')}, and this contentsync reads version {VERSION}",
            "make a new one with plan --out, or apply it with the contentsync that made it",
        )
    seal = content.pop("seal", None)
    if seal != digest(content):
        raise _damaged(file, "it is not as it was written")
    if not is_plan(content):
        raise _damaged(file, "it is no plan that contentsync writes")
    return Saved(file, content)


def _damaged(file: Path, why: str) -> Damaged:
    return Damaged(f"{file} is damaged or was edited: {why}", "make a new one with plan --out")


def _options(terms: Terms) -> dict[str, Any]:
    return {
        "only": [f"{kind}/{glob}" for kind, glob in terms.selection.patterns],
        "policy": asdict(terms.policy),
        "base": terms.base,
        **({"attempts": list(terms.attempts)} if terms.attempts else {}),
    }


def _changes(plan: Plan) -> Iterator[dict[str, Any]]:
    """What each change is, the record that it was made from, and what others lose by it."""
    lost = plan.lost
    for change in plan.changes:
        record = change.actual
        yield {
            "action": change.action.value,
            "kind": change.kind.value,
            "key": change.key,
            "id": change.id,
            "etag": record.etag if record else None,
            "there": _fields(record) if record else {},
            "here": digest([change.previous_key, {name: list(pair) for name, pair in change.fields.items()}]),
            "lost": lost.get((change.kind, change.key), []) if change.action is Action.DELETE else [],
        }


def _fields(record: Entry) -> dict[str, str]:
    return {name: digest(value) for name, value in record.fields.items()}


def _mark(base: Base) -> str:
    lines = sorted(base.values(), key=lambda line: line.identity)
    return digest([base.known, [document_from(line) for line in lines]])


def _name(change: Mapping[str, Any]) -> str:
    return f"{change['action']} {change['kind']} {change['key']}"


def _place(heading: Mapping[str, Any]) -> str:
    return f"{heading['target']} (directory {heading['directory']} of {heading['url']})"


def _shown(names: Sequence[str]) -> str:
    more = f" and {len(names) - NAMES} more" if len(names) > NAMES else ""
    return f"{', '.join(names[:NAMES])}{more}"
