"""Cache an empty plan with everything that it depends on: while nothing of it has changed, the plan is empty again.

docs/decisions/0018 explains when a cached plan is used.
"""

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import orjson

from ...content.config.config_tables import Target
from ...content.files.folder_signatures import FolderVersion
from ...content.files.validation_report import problem_from_row, problem_to_row
from ...errors import Problem
from ...model import Entry, Kind
from ...model.filled_fields import Completeness, FieldCount
from ...remote.list_reader import RecordList
from ...remote.record_reader import DirectoryVersion
from ..comparing.base import Base
from ..planning.plan import Plan, Policy, RetainedEntry
from .run_history import has_end, list_journals
from .state_dir import StateDir
from .state_file import digest_state


class PlanInputs(NamedTuple):
    """Digests of what a plan of the whole folder depends on, except the content and the server."""

    settings: str  # the target, the options, the token, and the files in the asset store
    state: str  # "" without a state file


@dataclass(frozen=True, slots=True)
class CachedPlan:
    """A plan without changes, and everything that it depends on."""

    plan: Plan
    warnings: tuple[Problem, ...]
    inputs: PlanInputs
    folder: FolderVersion
    directory: DirectoryVersion
    completeness: tuple[Completeness, ...]  # of the folder
    is_pulled: bool  # a pull has nothing to do either


def digest_inputs(
    target: Target, policy: Policy, token: str, state_dir: StateDir, published: str | None = None
) -> PlanInputs | None:
    """Return what a plan of the whole folder depends on, except the content and the server.

    `published` is a digest of the files that are known to be in the asset store; None without a store.

    Return None if a run has not ended, because the base then depends on its journal. Raise LocalFileError
    if the state file or a journal cannot be read.
    """
    if not all(has_end(journal) for journal in list_journals(state_dir)):
        return None
    settings = [target.model_dump_json(), repr(policy), token, published]
    return PlanInputs(hashlib.sha256(orjson.dumps(settings)).hexdigest(), digest_state(state_dir.state))


def is_cacheable(plan: Plan) -> bool:
    """Return whether a plan would change neither the server nor the state, and refuses nothing."""
    has_effect = bool(plan or plan.base_updates or plan.base_removals)
    has_message = bool(plan.refusals or plan.drift or plan.left_as_on_server)
    return plan.base.is_known and plan.base.is_saved and not has_effect and not has_message


def read_cached_plan(state_dir: StateDir) -> CachedPlan | None:
    """Return the cached plan of a target; None unless this program cached it here, and nothing has changed it since."""
    stored = state_dir.read_cache(state_dir.plan_cache)
    if stored is None:
        return None
    return CachedPlan(
        Plan(
            stages=(),
            actual=(),
            unchanged={Kind(kind): count for kind, count in stored["unchanged"].items()},
            unmanaged=tuple(map(_entry, stored["unmanaged"])),
            retained=tuple(RetainedEntry(_entry(row), reason) for *row, reason in stored["retained"]),
            base=Base(),  # known: else the plan would not have been cached
        ),
        tuple(map(problem_from_row, stored["warnings"])),
        PlanInputs(*stored["inputs"]),
        FolderVersion(*stored["folder"]),
        directory_from_rows(stored["directory"]),
        tuple(
            Completeness(Kind(kind), entries, [FieldCount(*count) for count in fields])
            for kind, entries, fields in stored["completeness"]
        ),
        stored["is_pulled"],
    )


def write_cached_plan(state_dir: StateDir, cached: CachedPlan) -> None:
    """Cache a plan. Ignore a write error: the next command then makes the plan again."""
    plan = cached.plan
    document = {
        "inputs": cached.inputs,
        "folder": cached.folder,
        "directory": directory_to_rows(cached.directory),
        "unchanged": {kind.value: count for kind, count in plan.unchanged.items()},
        "unmanaged": map(_row, plan.unmanaged),
        "retained": [[*_row(entry), reason] for entry, reason in plan.retained],
        "warnings": map(problem_to_row, cached.warnings),
        "is_pulled": cached.is_pulled,
        "completeness": [
            [each.kind.value, each.entries, [[*count] for count in each.fields]] for each in cached.completeness
        ],
    }
    state_dir.write_cache(state_dir.plan_cache, document)


def directory_to_rows(directory: DirectoryVersion) -> list[Any]:
    """Return a version as values for JSON; `directory_from_rows` reads them."""
    lists = [[kind, each.etag, each.translated, each.total] for kind, each in directory.lists.items()]
    return [directory.locales, lists]


def directory_from_rows(rows: Sequence[Any]) -> DirectoryVersion:
    """Return the version that `directory_to_rows` stored."""
    locales, lists = rows
    return DirectoryVersion(
        locales,
        {Kind(kind): RecordList(etag, translated=translated, count=count) for kind, etag, translated, count in lists},
    )


def _row(entry: Entry) -> list[Any]:
    return [entry.kind, entry.key, entry.id]


def _entry(row: Sequence[Any]) -> Entry:
    kind, key, identity = row
    return Entry(Kind(kind), key, {}, id=identity)
