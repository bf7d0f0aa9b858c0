"""A plan as JSON: all of it."""

from typing import Any

from ..sync import Action, Change, Plan, Refusal
from ..sync.plan import Drift
from .compared import without
from .plan import Destination


def plan_document(plan: Plan, destination: Destination) -> dict[str, Any]:
    """The JSON document of `plan` (docs/reference/json.md, plan)."""
    document: dict[str, Any] = without(
        {
            "version": 1,
            "target": destination.name,
            "changes": [_change(change, plan) for change in plan.changes],
            "summary": {
                **{action.value: plan.count(action) for action in Action},
                "unchanged": sum(plan.unchanged.values()),
                "drift": plan.drifted,
                "unmanaged": len(plan.unmanaged),
            },
            "cost": {"requests": plan.requests, "seconds": destination.seconds(plan.requests)},
            "digest": plan.digest,
            "refused": [_refusal(refusal) for refusal in plan.refusals],
            "theirs": list(plan.theirs),
            "kept": [_kept(drift) for drift in plan.drift],
        },
        destination.secret,
    )
    return document


def _change(change: Change, plan: Plan) -> dict[str, Any]:
    source = change.entry.source
    applied = plan.base.get((change.kind, change.key))
    return {
        "action": change.action,
        "kind": change.kind,
        "key": change.key,
        # Of a delete, the file that it came from.
        "path": source.path if source else applied.path or None if applied else None,
        "line": source.line if source else None,
        "reason": change.reason,
        "fields": {name: {"from": field.before, "to": field.after} for name, field in change.fields.items()},
        "drift": list(change.drift),
        "previous_key": change.previous_key,
    }


def _kept(drift: Drift) -> dict[str, Any]:
    fields = {name: {"there": field.before, "here": field.after} for name, field in drift.fields.items()}
    return {"kind": drift.entry.kind, "key": drift.entry.key, "deleted": drift.deleted, "fields": fields}


def _refusal(refusal: Refusal) -> dict[str, Any]:
    return {"code": refusal.code, "message": refusal.message, "flag": refusal.flag or None}
