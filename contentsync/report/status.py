"""How a folder and a server stand to each other."""

from typing import Any

from ..model import Kind
from ..sync import Action, Plan
from .plan import Destination


def status_document(plan: Plan, destination: Destination) -> dict[str, Any]:
    """The JSON document of `status`: counts by kind."""
    return {
        "version": 1,
        "target": {"name": destination.name, "address": destination.address},
        "kinds": {
            kind: {
                "create": plan.count(Action.CREATE, kind),
                "update": plan.count(Action.UPDATE, kind),
                "unchanged": plan.unchanged.get(kind, 0),
                "unmanaged": sum(entry.kind is kind for entry in plan.unmanaged),
            }
            for kind in Kind
        },
        "in_sync": not plan,
    }
